"""BIF files of ours in other programs: the same tables, under words that can be read; and back again exactly."""

from __future__ import annotations

import itertools
import re

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from engine.exchange.bif import from_bif, to_bif
from tests.engine.exchange.test_exchange import random_data


@given(st.lists(st.text(max_size=12), min_size=2, max_size=8, unique=True))
def test_whatever_levels_are_called_their_words_are_plain_and_differ(levels: list[str]) -> None:
    """Also where two differ in signs only; and they come back exactly."""
    graph = nx.DiGraph()
    graph.add_node("a")
    text = to_bif(graph, random_data(["a"], [levels], n=5))
    words = text[text.index("] {") + 3 : text.index("};")].replace(" ", "").split(",")
    assert all(re.fullmatch("[A-Za-z0-9][A-Za-z0-9_]{0,59}", word, re.ASCII) for word in words)
    assert all(one.lower() != two.lower() for one, two in itertools.combinations(words, 2))
    assert from_bif(text)[2] == {"a": tuple(levels)}
