"""BIF files of ours in other programs: the same tables, under words that can be read; and back again exactly."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from engine.data.dataset import Dataset
from engine.exchange.bif import from_bif, to_bif
from tests.engine.exchange.test_exchange import HOSTILE, chain, random_data

Read = Callable[[Path], tuple[dict[str, list[str]], dict[str, tuple[list[str], np.ndarray]]]]
"""A file -> variable -> its levels, and variable -> its parents and (levels of each parent ..., own levels)."""


def by_pgmpy(file: Path) -> tuple[dict[str, list[str]], dict[str, tuple[list[str], np.ndarray]]]:
    """As pgmpy reads it: own levels come first there, parents in the order of the file."""
    readwrite = pytest.importorskip("pgmpy.readwrite")
    reader = readwrite.BIFReader(str(file))
    levels = {name: list(reader.variable_states[name]) for name in reader.variable_names}
    tables = {}
    for name in levels:
        parents = list(reader.variable_parents[name])
        shape = [len(levels[name]), *(len(levels[parent]) for parent in parents)]
        tables[name] = parents, np.moveaxis(np.asarray(reader.variable_cpds[name]).reshape(shape), 0, -1)
    reader.get_model().check_model()
    return levels, tables


def by_pyagrum(file: Path) -> tuple[dict[str, list[str]], dict[str, tuple[list[str], np.ndarray]]]:
    """As pyAgrum reads it: axes run from the last name to the first."""
    gum = pytest.importorskip("pyagrum")
    net = gum.loadBN(str(file))
    levels = {name: list(net.variable(name).labels()) for name in net.names()}
    tables = {}
    for name in levels:
        cpt = net.cpt(name)
        own, *parents = cpt.names
        assert own == name
        tables[name] = parents[::-1], np.array(cpt[:])  # a copy: the view ends with the net
    return {name: levels[name] for name in sorted(levels, key=net.idFromName)}, tables


@pytest.mark.parametrize("read", [by_pgmpy, by_pyagrum])
@pytest.mark.parametrize(
    ("names", "levels", "words"),
    [
        (
            ["age group", "smoking", "=drug", "Blood pressure (mmHg)"],
            [["under 50", "50-64", "65+"], ["no", "yes"], ["", "<40", ">= 40"], ["-1", "+1", "low; } variable x {"]],
            [
                ("age_group", ["under_50", "50_64", "65_plus"]),
                ("smoking", ["no", "yes"]),
                ("drug", ["s0", "below_40", "from_40"]),
                ("Blood_pressure_mmHg", ["minus_1", "1", "low_variable_x"]),
            ],
        ),
        (
            ["Age", "age", "table", "漢字", "Größe"],
            [["0", "1"], ["2 kg", "2_kg"], ["true", "false"], ["naïve", "Naive"], ["≤ 3.5", "(3.5, 7]"]],
            [
                ("Age", ["0", "1"]),
                ("age_2", ["2_kg_2", "2_kg"]),
                ("table_2", ["true", "false"]),
                ("v3", ["naive_2", "Naive"]),
                ("Grosse", ["up_to_3_5", "3_5_7"]),
            ],
        ),
    ],
)
def test_others_read_the_same_tables_under_readable_words(
    tmp_path: Path, read: Read, names: list[str], levels: list[list[str]], words: list[tuple[str, list[str]]]
) -> None:
    """Every probability of every context, with the words by hand."""
    data = random_data(names, levels)
    graph = chain(names)
    graph.add_edge(names[0], names[3])
    found = same_everywhere(tmp_path, read, graph, data)
    assert list(found.items()) == words


@pytest.mark.parametrize("read", [by_pgmpy, by_pyagrum])
def test_hostile_names_read_the_same_elsewhere(tmp_path: Path, read: Read) -> None:
    """Names and levels that would end a block, a line or a quote."""
    hostile_levels = [[f"{text} {i}" if i % 2 else text for text in HOSTILE[i:] + HOSTILE[:i]][:3] for i in range(15)]
    same_everywhere(tmp_path, read, chain(HOSTILE), random_data(HOSTILE, hostile_levels))


def same_everywhere(folder: Path, read: Read, graph: nx.DiGraph, data: Dataset) -> dict[str, list[str]]:
    """Write, read elsewhere and here: equal structure, equal tables, our own names exactly; the levels read there."""
    text = to_bif(graph, data, alpha=0.5)
    (folder / "net.bif").write_text(text, encoding="utf-8")
    back, cpts, ours = from_bif(text)
    assert set(back.edges) == set(graph.edges)
    assert ours == {name: data.levels[name] for name in graph.nodes}
    levels, tables = read(folder / "net.bif")
    word = dict(zip(ours, re.findall(r"^variable (\S+) ", text, re.M), strict=True))
    assert list(levels) == list(word.values())
    for name, cpt in cpts.items():
        parents, table = tables[word[name]]
        assert sorted(parents) == sorted(word[one] for one in cpt.parents)
        axes = [parents.index(word[one]) for one in cpt.parents]
        np.testing.assert_allclose(table.transpose([*axes, len(axes)]), cpt.table, atol=1e-9)
    return levels
