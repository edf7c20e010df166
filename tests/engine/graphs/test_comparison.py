"""Two graphs side by side."""

from __future__ import annotations

import networkx as nx
import pytest
from hypothesis import given, settings

from engine.errors import DataError
from engine.graphs.comparison import ComparedEdge, compare, panels
from engine.graphs.dag import to_networkx
from tests.engine.graphs.test_dag import dags


def graph(arcs: str, names: str = "abcd") -> nx.DiGraph:
    """'ab cd' -> arcs a -> b and c -> d."""
    found = nx.DiGraph()
    found.add_nodes_from(names)
    found.add_edges_from(tuple(arc) for arc in arcs.split())
    return found


A, B = graph("ab bc ad"), graph("ab cb cd")


def test_each_edge_gets_its_status() -> None:
    """Same, reversed and one-sided edges are told apart, in the order of the variables."""
    assert compare(A, B).arcs == (
        ComparedEdge("a", "b", "same"),
        ComparedEdge("a", "d", "only_a"),
        ComparedEdge("b", "c", "reversed"),
        ComparedEdge("c", "d", "only_b"),
    )
    assert compare(A, B).distance == 3
    assert compare(A, B).of("reversed") == (("b", "c"),)


def test_panels_show_their_own_direction() -> None:
    """In each panel an edge points as it does there; the pooled panel says what its edges are to A and B."""
    a, b, pooled = panels(A, B, graph("ba cb bd ad"))
    assert a == (ComparedEdge("a", "b", "same"), ComparedEdge("a", "d", "only_a"), ComparedEdge("b", "c", "reversed"))
    assert b == (ComparedEdge("a", "b", "same"), ComparedEdge("c", "b", "reversed"), ComparedEdge("c", "d", "only_b"))
    assert pooled == (
        ComparedEdge("a", "d", "only_a"),
        ComparedEdge("b", "a", "reversed"),
        ComparedEdge("b", "d", "neither"),
        ComparedEdge("c", "b", "reversed"),
    )


def test_undirected_edges_of_a_cpdag() -> None:
    """An edge both ways is one undirected edge, and differs from an arc."""
    essential = graph("ab ba bc")
    assert compare(essential, essential).arcs == (
        ComparedEdge("a", "b", "same", directed=False),
        ComparedEdge("b", "c", "same"),
    )
    assert compare(essential, graph("ab bc")).arcs[0] == ComparedEdge("a", "b", "reversed", directed=False)
    assert compare(nx.Graph(["ab"]), nx.Graph(["ba"])).arcs == (ComparedEdge("a", "b", "same", directed=False),)


@given(dags(5), dags(5))
@settings(max_examples=40)
def test_swapping_the_graphs_swaps_the_statuses(first, second) -> None:
    """compare(b, a) is compare(a, b) with A and B exchanged; a graph differs from itself in nothing."""
    n = min(len(first), len(second))
    a, b = (
        to_networkx([[p for p in family if p < n] for family in parents[:n]], range(n)) for parents in (first, second)
    )
    one, other = compare(a, b), compare(b, a)
    assert one.of("only_a") == other.of("only_b")
    assert set(one.of("reversed")) == {arc[::-1] for arc in other.of("reversed")}
    assert one.distance == other.distance
    assert compare(a, a).distance == 0


def test_other_variables_are_refused() -> None:
    """Two graphs over different variables cannot be compared."""
    with pytest.raises(DataError, match="lacks the variable 'd'"):
        compare(A, graph("ab", "abc"))
