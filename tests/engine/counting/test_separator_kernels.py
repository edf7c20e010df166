"""What separates two variables: every set of neighbours tried, from the smallest on."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.counting.link_kernels import add_separators


def separating(graph: nx.Graph) -> dict[tuple[int, int], set[int]]:
    """Of every pair."""
    p = len(graph)
    pairs = np.array(list(combinations(range(p), 2))).reshape(-1, 2)
    given_ = np.zeros((len(pairs), p), dtype=bool)
    add_separators(nx.to_numpy_array(graph, nodelist=range(p)).astype(bool), pairs, given_)
    return {(int(u), int(v)): set(np.flatnonzero(row).tolist()) for (u, v), row in zip(pairs, given_, strict=True)}


def least(graph: nx.Graph, u: int, v: int) -> set[int]:
    """The smallest set of u's neighbours without which no way leads from u to v."""
    for size in range(len(graph)):
        for chosen in combinations(sorted(graph[u]), size):
            rest = graph.subgraph(set(graph) - set(chosen))
            if not nx.has_path(rest, u, v):
                return set(chosen)
    raise AssertionError


@settings(max_examples=40)
@given(p=st.integers(2, 8), density=st.sampled_from([0.2, 0.4, 0.7]), seed=st.integers(0, 10_000))
def test_separators_are_the_smaller_of_the_two_least_sets(p: int, density: float, seed: int) -> None:
    """Once the link itself is gone; of two of one size that of the first."""
    graph = nx.gnp_random_graph(p, density, seed=seed)
    for (u, v), found in separating(graph).items():
        apart = graph.copy()
        apart.remove_edges_from([(u, v)])
        one, other = least(apart, u, v), least(apart, v, u)
        assert found == (one if len(one) <= len(other) else other)
        assert len(found) >= (nx.node_connectivity(apart, u, v) if p > 2 else 0)


@settings(max_examples=40)
@given(p=st.integers(2, 9), seed=st.integers(0, 10_000))
def test_a_link_of_a_chordal_network_is_separated_by_common_neighbours(p: int, seed: int) -> None:
    """Networks filled in until every circle has a chord."""
    graph, _ = nx.complete_to_chordal_graph(nx.gnp_random_graph(p, 0.35, seed=seed))
    for (u, v), found in separating(graph).items():
        if graph.has_edge(u, v):
            assert found == set(nx.common_neighbors(graph, u, v))


def test_what_another_network_marked_stays() -> None:
    """The union over the groups: flags are added."""
    adjacent = nx.to_numpy_array(nx.path_graph(3)).astype(bool)
    given_ = np.array([[True, False, False]])
    add_separators(adjacent, np.array([[0, 2]]), given_)
    assert given_.tolist() == [[True, True, False]]
