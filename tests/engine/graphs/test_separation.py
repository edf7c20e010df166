"""d-separation against networkx on random DAGs, paths against every simple path, their words by hand."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest

from engine.errors import DataError
from engine.graphs import d_separated, open_paths, paths, separating_set
from engine.graphs.dag import to_networkx

COUGH = nx.DiGraph(
    [("Smokes", "Cough"), ("Smokes", "Wheeze"), ("Asthma", "Wheeze"), ("Cough", "Phlegm"), ("Wheeze", "Breathless")]
)


def random_question(seed: int) -> tuple[nx.DiGraph, int, int, set[int]]:
    """A random DAG of two to eight nodes, two of them, and a random set of others."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    order = rng.permutation(n)
    dense = rng.uniform(0.1, 0.7)
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(
        (int(order[i]), int(order[j])) for i, j in itertools.combinations(range(n), 2) if rng.random() < dense
    )
    x, y, *others = map(int, rng.permutation(n))
    return graph, x, y, {node for node in others if rng.random() < 0.35}


def test_d_separation_paths_and_sets_equal_networkx() -> None:
    """On the first hundred of a thousand graphs; the second tier takes all."""
    assert 20 < check_questions(range(100)) < 80


def check_questions(seeds: range) -> int:
    """The decision, "no path is open", the open paths themselves, and whether any set separates."""
    separated = 0
    for seed in seeds:
        graph, x, y, given = random_question(seed)
        expected = nx.is_d_separator(graph, {x}, {y}, given)
        separated += expected
        assert d_separated(graph, x, y, given) == expected, seed
        listed = paths(graph, x, y, most=10_000)
        assert listed.complete
        assert {path.nodes for path in listed} == set(map(tuple, nx.all_simple_paths(graph.to_undirected(), x, y)))
        opened = [path for path in listed if path.is_open(given)]
        assert bool(opened) == (not expected), seed
        assert [path.nodes for path in open_paths(graph, x, y, given)] == [path.nodes for path in opened][:200]
        separator = separating_set(graph, x, y)
        adjacent = graph.has_edge(x, y) or graph.has_edge(y, x)
        assert (separator is None) == adjacent
        if separator is not None:
            assert d_separated(graph, x, y, separator)
            assert nx.is_minimal_d_separator(graph, {x}, {y}, set(separator))
    return separated


def test_paths_come_shortest_first_and_say_when_there_are_more() -> None:
    """Ten nodes all joined have far more than 200 paths."""
    full = to_networkx([tuple(range(child)) for child in range(10)], range(10))
    listed = paths(full, 0, 9)
    lengths = [len(path.nodes) for path in listed]
    assert not listed.complete and len(listed) == 200
    assert lengths == sorted(lengths) and lengths[0] == 2


@pytest.mark.parametrize(
    ("x", "y", "given", "words"),
    [
        ("Smokes", "Asthma", ["Wheeze"], "Smokes → Wheeze ← Asthma is open: Wheeze is a collider and is known."),
        (
            "Smokes",
            "Asthma",
            ["Breathless"],
            "Smokes → Wheeze ← Asthma is open: Wheeze is a collider and its descendant Breathless is known.",
        ),
        (
            "Smokes",
            "Asthma",
            [],
            "Smokes → Wheeze ← Asthma is blocked: Wheeze is a collider, and neither it nor a descendant is known.",
        ),
        (
            "Smokes",
            "Phlegm",
            ["Cough"],
            "Smokes → Cough → Phlegm is blocked: Cough is the middle of a chain and is known.",
        ),
        (
            "Cough",
            "Wheeze",
            ["Smokes"],
            "Cough ← Smokes → Wheeze is blocked: Smokes is the middle of a fork and is known.",
        ),
        (
            "Cough",
            "Wheeze",
            [],
            "Cough ← Smokes → Wheeze is open: Smokes leads to both ends, and no variable on it is known.",
        ),
        (
            "Cough",
            "Asthma",
            ["Smokes", "Wheeze"],
            "Cough ← Smokes → Wheeze ← Asthma is blocked: Smokes is the middle of a fork and is known.",
        ),
        ("Smokes", "Cough", [], "Smokes → Cough is open: an arrow joins the two."),
    ],
)
def test_words_of_a_path(x: str, y: str, given: list[str], words: str) -> None:
    """Each way to be open or blocked has its sentence."""
    (path,) = paths(COUGH, x, y)
    assert path.describe(given) == words
    assert set(path.arrows) <= set(COUGH.edges)


@pytest.mark.parametrize(
    ("x", "y", "given", "words"),
    [
        ("Smokes", "Smokes", [], "same variable"),
        ("Smokes", "Fever", [], "no variable 'Fever'"),
        ("Smokes", "Asthma", ["Fever"], "no variable 'Fever'"),
        ("Smokes", "Asthma", ["Asthma"], "X or Y"),
    ],
)
def test_what_cannot_be_asked(x: str, y: str, given: list[str], words: str) -> None:
    """One sentence for each slip, from every function."""
    for function in (d_separated, open_paths, separating_set):
        with pytest.raises(DataError, match=words):
            function(COUGH, x, y, given)


def test_a_graph_with_a_cycle_is_refused() -> None:
    """The cycle is named."""
    with pytest.raises(DataError, match="circle"):
        d_separated(nx.DiGraph([("a", "b"), ("b", "c"), ("c", "a")]), "a", "c")
