"""What the result says of the model: graph, expected counts, residuals, sentences, tables, JSON."""

from __future__ import annotations

import itertools

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.methods.log_linear.pair_evidence import pair_of
from tests.engine.methods.log_linear.make import groups


@settings(max_examples=25)
@given(st.integers(0, 500), st.integers(2, 8))
def test_separators_in_sentences_separate(seed: int, variables: int) -> None:
    """Taking the named variables out of the graph parts the two, and no fewer of them do."""
    table = groups(300, variables, seed)
    model = engine.LogLinear(criterion="bic").run(table)
    for a, b in itertools.permutations(table.names, 2):
        words = model.independence(a, b)
        if model.graph.has_edge(a, b):
            assert words.startswith(f"{a} and {b}: linked.")
            continue
        assert "The model has no link between them" in words
        by_way = words.split("only by way of ")[1].split(". ")[0] if " by way of " in words else ""
        given = [name for part in by_way.split(" and ") for name in part.split(", ") if name]
        assert tuple(given) == pair_of(model, a, b).separator
        graph = model.graph.copy()
        graph.remove_nodes_from(given)
        assert not nx.has_path(graph, a, b)
        for name in given:
            graph = model.graph.copy()
            graph.remove_nodes_from(set(given) - {name})
            assert nx.has_path(graph, a, b)
