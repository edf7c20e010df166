"""Sets that adjust against all sets and all paths of random graphs; why one fails, by hand."""

from __future__ import annotations

import itertools

import networkx as nx
import pytest

from engine.errors import DataError
from engine.graphs import adjustment_sets, check_adjustment
from tests.engine.graphs.test_separation import random_question


def by_all_paths(graph: nx.DiGraph, x: int, y: int, among: set[int]) -> set[frozenset[int]]:
    """The minimal sets that block every path into X, by walking along all paths for every set."""
    later = nx.descendants(graph, x)
    ways = [way for way in nx.all_simple_paths(graph.to_undirected(), x, y) if graph.has_edge(way[1], way[0])]
    below = {node: nx.descendants(graph, node) | {node} for node in graph}

    def blocks(given: set[int]) -> bool:
        for way in ways:
            for a, node, b in zip(way, way[1:], way[2:], strict=False):
                collides = graph.has_edge(a, node) and graph.has_edge(b, node)
                if (collides and not below[node] & given) or (not collides and node in given):
                    break
            else:
                return False
        return True

    found: set[frozenset[int]] = set()
    for size in range(len(among) + 1):
        for chosen in itertools.combinations(sorted(among - later - {x, y}), size):
            given = frozenset(chosen)
            if not any(small <= given for small in found) and blocks(set(given)):
                found.add(given)
    return found


def check_graphs(seeds: range) -> int:
    """All minimal sets of what can be held, none twice; and the verdict on each of them and on a random set."""
    sets = 0
    for seed in seeds:
        graph, x, y, given = random_question(seed)
        everything = set(graph) - {x, y}
        for among in (everything, given):
            listed = adjustment_sets(graph, x, y, None if among is everything else among, most=10_000)
            assert len(set(listed)) == len(listed)
            assert set(listed) == by_all_paths(graph, x, y, among), seed
            assert all(check_adjustment(graph, x, y, one).works for one in listed)
            sets += len(listed)
        verdict = check_adjustment(graph, x, y, given)
        cut = graph.copy()
        cut.remove_edges_from(list(graph.out_edges(x)))
        sound = not given & nx.descendants(graph, x) and nx.is_d_separator(cut, {x}, {y}, given)
        assert verdict.works == sound, seed
        assert bool(verdict.reasons(given)) != sound
    return sets


def test_all_minimal_sets_are_found() -> None:
    """On the first eighty of five hundred graphs; the second tier takes all."""
    assert check_graphs(range(80)) > 80


def test_reasons_are_paths_in_words() -> None:
    """An open back door, a mediator that is held, a collider that is opened, and an effect that harms nothing."""
    graph = nx.DiGraph(
        [("age", "drug"), ("age", "death"), ("drug", "dose"), ("dose", "death"), ("drug", "ward"), ("death", "ward")]
    )
    graph.add_edge("drug", "cost")
    reasons = [check_adjustment(graph, "drug", "death", given).reasons(given) for given in ([], ["age", "dose"])]
    assert reasons == [
        ["drug ← age → death is open: age leads to both ends, and no variable on it is known."],
        ["drug → dose → death is part of the effect, and the set blocks it."],
    ]
    assert check_adjustment(graph, "drug", "death", ["age", "ward"]).reasons(["age", "ward"]) == [
        "drug → ward ← death is open: ward is a collider and is known."
    ]
    assert check_adjustment(graph, "drug", "death", ["age", "cost"]).reasons(["age", "cost"]) == [
        "cost follows from X; leave it out."
    ]


def test_a_set_that_holds_an_end_is_refused() -> None:
    """X itself, a name that there is not, and one variable twice."""
    graph = nx.DiGraph([("a", "b")])
    for ends, given in ((("a", "b"), ["a"]), (("a", "b"), ["z"]), (("a", "a"), [])):
        with pytest.raises(DataError):
            check_adjustment(graph, *ends, given)
