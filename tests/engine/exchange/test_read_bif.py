"""Networks with their probabilities out of BIF files."""

from __future__ import annotations

import re

import numpy as np
import pytest

from engine.errors import DataError
from engine.exchange.bif import network_to_bif
from engine.exchange.network_reader import read_bif
from engine.models import random_network
from engine.simulation.networks import random_dag


@pytest.mark.parametrize("seed", range(3))
def test_a_network_comes_back_with_its_probabilities(seed: int) -> None:
    """Whatever the order of parents in the file: here the variables are written backwards."""
    rng = np.random.default_rng(seed)
    network = random_network(random_dag(6, 8, rng), rng.integers(2, 4, 6), rng)
    text = network_to_bif(network)
    blocks = re.split(r"(?m)^(?=variable |probability )", text)
    variables = [block for block in blocks if block.startswith("variable")]
    rest = [block for block in blocks[1:] if not block.startswith("variable")]
    back = read_bif("".join([blocks[0], *reversed(variables), *rest]).encode())
    assert back.names == network.names[::-1]
    for name in network.names:
        evidence = {other: "1" for other in network.names[:2] if other != name}
        assert back.query(name, evidence) == pytest.approx(network.query(name, evidence), abs=1e-9)
    with pytest.raises(DataError):
        read_bif(b"\xff\xfe\x00 not a network")


def test_two_arrows_between_two_variables_are_named_without_code() -> None:
    """A file has tables, so that this is no CPDAG: who reads the sentence has a browser, and no engine to call."""
    variables = "".join(f"variable {name} {{ type discrete [2] {{ no, yes }}; }} " for name in "ab")
    tables = "".join(f"probability ( {a} | {b} ) {{ default 0.5, 0.5; }} " for a, b in ("ab", "ba"))
    with pytest.raises(DataError) as caught:
        read_bif((variables + tables).encode())
    assert str(caught.value) == "The arcs go round in a circle: 'a' -> 'b' -> 'a'. Take away or turn one of them."
