"""Measures of structure, by hand and by loops over all pairs."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import DataError
from engine.graphs.dag import to_networkx
from engine.graphs.pdag import cpdag
from engine.measures.structure import (
    Agreement,
    Difference,
    PatternRates,
    Split,
    adjacencies,
    arrowheads,
    difference,
    f_measure,
    patterns,
)
from engine.simulation import networks as simulate


def graph(text: str, nodes: str = "abcde") -> nx.DiGraph:
    """ "ab cd-" is a -> b and c - d."""
    made = nx.DiGraph()
    made.add_nodes_from(nodes)
    for edge in text.split():
        made.add_edge(edge[0], edge[1])
        if edge.endswith("-"):
            made.add_edge(edge[1], edge[0])
    return made


def test_by_hand() -> None:
    """One edge right, one undirected instead of directed, one turned, one missed, one too many."""
    truth = graph("ab bc cd de")
    found = graph("ab bc- dc ae")
    assert adjacencies(found, truth).overall == Agreement(right=3, wrong=1, missed=1)
    assert arrowheads(found, truth).overall == Agreement(right=1, wrong=2, missed=3)
    assert difference(found, truth) == Difference(added=1, deleted=1, reversed=2)
    assert difference(found, truth).total == 4


def test_patterns_by_hand() -> None:
    """a -> c <- b is directed, d - e is not; half marks where one side alone is undirected, none for a turned arc."""
    truth = graph("ac bc de")  # pattern: a -> c <- b, d - e
    assert patterns(truth, truth) == PatternRates(right=3.0, edges=3, missed=0, there=3)
    assert patterns(graph("ac cb"), truth) == PatternRates(1.0, 2, 1, 3)  # a chain: both edges undirected, half each
    turned = graph("ac be ce dc")  # c and e are colliders: a -> c <- d, b -> e <- c
    found = patterns(turned, graph("ca ba"))  # pattern: b -> a <- c; one pair in common, turned
    assert found == PatternRates(0.0, 4, 1, 2)
    assert (found.tpr, found.fprp, found.distance) == (0.0, 2.0, 5.0)
    assert patterns(graph("de"), truth).tpr == pytest.approx(1 / 3)
    assert math.isnan(patterns(graph("ab"), graph("")).tpr) and math.isnan(patterns(graph(""), graph("")).fprp)


def test_a_pattern_keeps_no_arrow_beyond_v_structures() -> None:
    """a -> c <- b with c -> d: the CPDAG directs c -> d, the pattern does not, so one that leaves it open is right."""
    truth = cpdag(graph("ac bc cd"))
    assert truth.has_edge("c", "d") and not truth.has_edge("d", "c")
    assert patterns(graph("ac bc cd-"), truth).right == 3.0


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(0, 15), st.integers(0, 15))
def test_patterns_of_any_two_graphs(seed: int, ours: int, theirs: int) -> None:
    """A DAG counts as its CPDAG does, the order of nodes does not matter, and swapping the two keeps what is right."""
    rng = np.random.default_rng(seed)
    found, truth = (to_networkx(simulate.random_dag(6, arcs, rng), list("abcdef")) for arcs in (ours, theirs))
    rates = patterns(found, truth)
    assert patterns(cpdag(found), cpdag(truth)) == rates
    shuffled = nx.DiGraph()
    shuffled.add_nodes_from(rng.permutation(list("abcdef")).tolist())
    shuffled.add_edges_from(found.edges)
    assert patterns(shuffled, truth) == rates
    other = patterns(truth, found)
    assert (other.right, other.edges, other.there) == (rates.right, rates.there, rates.edges)
    assert 0 <= rates.right <= rates.edges == ours and rates.there == theirs
    assert rates.missed + len(set(map(frozenset, found.edges)) & set(map(frozenset, truth.edges))) == theirs


def test_by_hand_with_nodes_in_context() -> None:
    """An adjacency belongs to either end, an arrowhead to its head alone."""
    truth = graph("ab bc cd de")
    found = graph("ab bc- dc ae")
    near = adjacencies(found, truth, ["e"])
    assert near == Split(Agreement(0, 1, 1), Agreement(3, 0, 0), Agreement(3, 1, 1))
    near = arrowheads(found, truth, ["c", "e"])
    assert near == Split(Agreement(0, 2, 2), Agreement(1, 0, 1), Agreement(1, 2, 3))


def test_nothing_found_and_nothing_there() -> None:
    """Precision counts 0 where nothing was found; recall is left out where nothing is there."""
    nothing = Agreement(0, 0, 0)
    assert nothing.precision == 0
    assert math.isnan(nothing.recall)
    assert math.isnan(nothing.f)
    assert Agreement(0, 2, 3).f == 0
    assert Agreement(1, 1, 0).f == pytest.approx(2 / 3)
    assert f_measure(0.5, 0.25) == pytest.approx(1 / 3)


def test_other_variables_are_refused() -> None:
    """Graphs over different variables are no truth of each other."""
    for measure in (adjacencies, arrowheads, difference):
        with pytest.raises(DataError):
            measure(graph("ab"), graph("ab", nodes="abcdef"))


def slow(found: nx.DiGraph, truth: nx.DiGraph, nodes: set[str]) -> tuple[Split, Split, Difference]:
    """The same by looking at every pair of variables."""

    def kind(edges: nx.DiGraph, a: str, b: str) -> str:
        return {(True, True): "-", (True, False): ">", (False, True): "<", (False, False): ""}[
            edges.has_edge(a, b), edges.has_edge(b, a)
        ]

    counts = np.zeros((2, 2, 3), dtype=int)  # adjacency or arrowhead; inside or outside; right, wrong, missed
    added = deleted = turned = 0
    names = list(truth.nodes)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            ours, theirs = kind(found, a, b), kind(truth, a, b)
            added += bool(ours) and not theirs
            deleted += bool(theirs) and not ours
            turned += bool(ours) and bool(theirs) and ours != theirs
            place = 0 if a in nodes or b in nodes else 1
            counts[0, place] += [bool(ours and theirs), bool(ours and not theirs), bool(theirs and not ours)]
            for sign, head in ((">", b), ("<", a)):
                place = 0 if head in nodes else 1
                here, there = ours == sign, theirs == sign
                counts[1, place] += [here and there, here and not there, there and not here]
    splits = [
        Split(Agreement(*map(int, one[0])), Agreement(*map(int, one[1])), Agreement(*map(int, one.sum(axis=0))))
        for one in counts
    ]
    return splits[0], splits[1], Difference(added, deleted, turned)


@settings(max_examples=30)
@given(st.integers(0, 10_000), st.integers(0, 15), st.integers(0, 15), st.booleans())
def test_any_two_graphs(seed: int, ours: int, theirs: int, completed: bool) -> None:
    """DAGs and CPDAGs, whatever nodes are asked for, and whatever the order of the nodes found."""
    rng = np.random.default_rng(seed)
    names = list("abcdef")
    found, truth = (to_networkx(simulate.random_dag(6, arcs, rng), names) for arcs in (ours, theirs))
    if completed:
        found, truth = cpdag(found), cpdag(truth)
    nodes = {name for name in names if rng.random() < 0.4}
    shuffled = nx.DiGraph()
    shuffled.add_nodes_from(rng.permutation(names).tolist())
    shuffled.add_edges_from(found.edges)
    expected = slow(found, truth, nodes)
    assert (adjacencies(shuffled, truth, nodes), arrowheads(shuffled, truth, nodes)) == expected[:2]
    assert difference(shuffled, truth) == expected[2]


def test_what_is_found_and_what_is_there() -> None:
    """Rightly or not, found or not."""
    one = Agreement(right=5, wrong=2, missed=3)
    assert (one.found, one.there) == (7, 8)
