"""XDSL, NET and XMLBIF of ours in pgmpy and pyAgrum, and theirs here: the same tables both ways."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from engine.exchange import read_network_file, write_network
from engine.models import Network
from sample_data.workshop_networks import WORKSHOP_NETWORKS
from tests.engine.exchange.test_network_file import by_name, of_37

NETWORKS = {"chest": WORKSHOP_NETWORKS["chest"].make, "37": of_37}
GUM_ENDINGS = {"xdsl": "xdsl", "net": "net", "xml": "bifxml"}
GUM_DIGITS = 2e-6
"""pyAgrum writes XDSL and XMLBIF with six digits, rows of which need not sum to 1."""


def plain(network: Network) -> Network:
    """The network under words that every program takes as they are."""
    names = tuple(name.replace(" ", "_").replace("-", "_") for name in network.names)
    levels = tuple(tuple(f"s{level}" for level in each) for each in network.levels)
    return Network(names, levels, network.parents, network.tables)


def near(one: Network, other: Network, off: float) -> None:
    """Equal arrows and levels, and every probability."""
    a, b = by_name(one), by_name(other)
    assert a.keys() == b.keys()
    for name, (levels, parents, table) in a.items():
        assert b[name][:2] == (levels, parents)
        assert np.abs(np.array(table) - np.array(b[name][2])).max() <= off


@pytest.mark.parametrize("kind", GUM_ENDINGS)
@pytest.mark.parametrize("make", NETWORKS.values(), ids=NETWORKS)
def test_pyagrum_reads_ours_and_we_read_what_it_writes(kind: str, make: Callable[[], Network], tmp_path: Path) -> None:
    """Our file, loaded and saved there, is the same network here."""
    gum = pytest.importorskip("pyagrum")
    network = plain(make())
    ours, theirs = tmp_path / f"ours.{GUM_ENDINGS[kind]}", tmp_path / f"theirs.{GUM_ENDINGS[kind]}"
    ours.write_text(write_network(network, kind), encoding="utf-8")
    loaded = gum.loadBN(str(ours))
    assert loaded.size() == len(network.names)
    assert loaded.sizeArcs() == sum(map(len, network.parents))
    gum.saveBN(loaded, str(theirs))
    near(network, read_network_file(theirs.read_bytes()).network, 1e-7 if kind == "net" else GUM_DIGITS)


@pytest.mark.parametrize("kind", ["xdsl", "net", "xml"])
@pytest.mark.parametrize("make", NETWORKS.values(), ids=NETWORKS)
def test_pgmpy_reads_ours_and_we_read_what_it_writes(kind: str, make: Callable[[], Network], tmp_path: Path) -> None:
    """Our file, loaded and saved there, is the same network here."""
    io = pytest.importorskip("pgmpy.readwrite")
    network = plain(make())
    ours, theirs = tmp_path / "ours", tmp_path / "theirs"
    ours.write_text(write_network(network, kind), encoding="utf-8")
    reader = {"xdsl": io.XDSLReader, "net": io.NETReader, "xml": io.XMLBIFReader}[kind](path=str(ours))
    model = reader.get_model()
    assert model.check_model()
    assert len(model.nodes) == len(network.names)
    if kind == "xdsl":
        io.XDSLWriter(model).write_xdsl(str(theirs))
    elif kind == "net":
        io.NETWriter(model).write_net(str(theirs))
    else:
        io.XMLBIFWriter(model).write_xmlbif(str(theirs))
    near(network, read_network_file(theirs.read_bytes()).network, 1e-8)
