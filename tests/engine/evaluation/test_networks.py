"""A network found against the true one: over all variables, as arrows, as patterns, as links, and by scores."""

from __future__ import annotations

from collections.abc import Hashable
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.evaluation.examples import example_networks
from engine.evaluation.networks import Match, matched
from engine.graphs.dag import to_networkx
from engine.graphs.pdag import cpdag
from engine.measures.curves import auc
from engine.simulation.networks import random_dag

Scores = dict[frozenset[Hashable], float]


def graph(*arcs: str, lines: str = "", alone: str = "") -> nx.DiGraph:
    """Arcs such as "ab", undirected edges likewise, separated by spaces, and variables without an edge."""
    found = nx.DiGraph()
    found.add_edges_from((arc[0], arc[1]) for arc in arcs)
    found.add_edges_from(pair for line in lines.split() for pair in ((line[0], line[1]), (line[1], line[0])))
    found.add_nodes_from(alone)
    return found


TRUTH = graph("ab", "bc", "cd", "de", alone="x")
FOUND = graph("ab", "cb", "ae", lines="cd", alone="y")


def test_every_edge_has_its_fate() -> None:
    """Counted by hand: one the same, two turned (one to a line), one missed, one made up."""
    match = matched(TRUTH, FOUND)
    assert (match.only_truth, match.only_found) == (("x",), ("y",))
    edges = {(a, b): (truth, found, what) for a, b, truth, found, what in match.edges().itertuples(index=False)}
    assert edges == {
        ("d", "e"): ("->", "", "missed"),
        ("a", "e"): ("", "->", "extra"),
        ("b", "c"): ("->", "<-", "other direction"),
        ("c", "d"): ("->", "--", "other direction"),
        ("a", "b"): ("->", "->", "in truth and found"),
    }
    assert (match.adjacency.right, match.adjacency.wrong, match.adjacency.missed) == (3, 1, 1)
    assert (match.arrowhead.right, match.arrowhead.wrong, match.arrowhead.missed) == (1, 2, 3)
    assert (match.difference.added, match.difference.deleted, match.difference.reversed) == (1, 1, 2)
    measures = match.measures().set_index("of")
    assert measures.at["links", "precision"] == pytest.approx(3 / 4)
    assert measures.at["arrowheads", "recall"] == pytest.approx(1 / 4)


def test_networks_without_a_common_variable_are_refused() -> None:
    """Most likely the names are written in two ways."""
    with pytest.raises(engine.DataError, match="no variable in common"):
        matched(graph("ab"), graph("AB"))


def test_as_patterns_arrows_that_no_data_can_tell_do_not_count() -> None:
    """A chain turned round is the same; a collider is not; lines that are there stay."""
    assert matched(graph("ab", "bc"), graph("cb", "ba")).as_patterns().difference.total == 0
    assert matched(graph("ab", "bc"), graph("ab", "cb")).as_patterns().difference.reversed == 2
    assert matched(graph("ab", "bc"), graph(lines="ab bc")).as_patterns().difference.total == 0


def test_there_is_no_pattern_of_a_circle_or_without_a_dag() -> None:
    """Then only arrows as drawn or links can be compared."""
    circle, line = graph("ab", "bc", "ca"), graph(lines="ab bc")
    for truth, found in ((graph("ab", "bc"), circle), (line, line)):
        match = matched(truth, found)
        assert not match.has_patterns
        with pytest.raises(engine.DataError, match="no pattern"):
            match.as_patterns()


def test_arrows_of_either_network() -> None:
    """A network of lines has none."""
    assert matched(graph("ab"), graph(lines="ab")).arrows == (True, False)


def test_as_links_directions_are_gone() -> None:
    """Distance is that of the skeletons."""
    far = matched(TRUTH, FOUND).as_links().difference
    assert (far.added, far.deleted, far.reversed) == (1, 1, 0)


@settings(max_examples=20)
@given(st.integers(0, 10_000))
def test_links_do_not_depend_on_how_directions_are_compared(seed: int) -> None:
    """Of random DAGs: right, wrong and missed links are the same three ways, and a CPDAG is its own pattern."""
    generator = np.random.default_rng(seed)
    names = list("abcdef")
    truth, found = (to_networkx(random_dag(6, 7, generator), names) for _ in range(2))
    match = matched(truth, found)
    assert match.has_patterns
    assert match.adjacency == match.as_patterns().adjacency == match.as_links().adjacency
    assert matched(truth, cpdag(truth)).as_patterns().difference.total == 0


def test_scores_of_pairs_against_counting() -> None:
    """The area over all pairs is the share of (linked, unlinked) that the scores put in order; none comes last."""
    match = Match(graph("ab", "bc", alone="d"), graph("ab", "ac", "cd", alone=""))
    scores: Scores = {frozenset("ab"): 3.0, frozenset("ac"): 2.0, frozenset("cd"): 1.0}
    for larger in (True, False):
        values, truth = match.pair_scores(scores, larger)
        pairs = [frozenset(pair) for pair in combinations("abcd", 2)]
        worth = [(1 if larger else -1) * scores.get(pair, np.inf * (-1 if larger else 1)) for pair in pairs]
        linked = [pair in (frozenset("ab"), frozenset("bc")) for pair in pairs]
        beats = [
            (a > b) + (a == b) / 2 for a, x in zip(worth, linked, strict=True) if x
            for b, y in zip(worth, linked, strict=True) if not y
        ]  # fmt: skip
        assert truth.sum() == 2
        assert auc(values, truth).value == pytest.approx(np.mean(beats))


def test_a_threshold_takes_weak_links_away() -> None:
    """Either way of counting; a link without a score stays."""
    match = Match(graph("ab", "bc", "cd"), graph("ab", "bc", "cd"))
    scores: Scores = {frozenset("ab"): 3.0, frozenset("bc"): 1.0}
    assert set(match.keeping(scores, 2.0).found.edges) == {("a", "b"), ("c", "d")}
    assert set(match.keeping(scores, 2.0, larger=False).found.edges) == {("b", "c"), ("c", "d")}


def test_the_example_is_worth_showing() -> None:
    """Some links are missed, one is made up, and the scores tell more than nothing; the same every time."""
    truth, found = example_networks()
    assert found.least is not None
    match = matched(truth.graph, found.graph).keeping(found.scores, found.least)
    assert match.has_patterns
    assert min(match.adjacency.wrong, match.adjacency.missed) >= 1
    assert auc(*match.pair_scores(found.scores)).value > 0.7
    assert max(found.scores.values()) == 1.0  # found in every sample, whichever way it pointed
    assert all(found.scores[frozenset(edge)] > 0 for edge in found.graph.edges)
    example_networks.cache_clear()
    assert example_networks()[1].scores == found.scores
