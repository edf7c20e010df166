"""Chordal graphs that grow and shrink against networkx and brute force."""

from __future__ import annotations

import itertools
from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.graphs.chordal import DecomposableGraph, Edge
from engine.graphs.dag import bits, mask_of


def as_networkx(graph: DecomposableGraph) -> nx.Graph:
    """The same graph in networkx."""
    found = nx.empty_graph(len(graph.neighbours))
    found.add_edges_from(graph.edges())
    return found


def is_chordal(n: int, edges: list[Edge]) -> bool:
    """Whether every cycle has a chord, by networkx."""
    graph = nx.empty_graph(n)
    graph.add_edges_from(edges)
    return nx.is_chordal(graph)


def grown(n: int, rng: np.random.Generator, edges: int) -> DecomposableGraph:
    """A random chordal graph, by legal additions in random order."""
    graph = DecomposableGraph(n)
    pairs = list(itertools.combinations(range(n), 2))
    for _ in range(3):
        for i in rng.permutation(len(pairs)):
            if graph.n_edges < edges and graph.separator(*pairs[i]) is not None:
                graph.add(*pairs[i])
    return graph


def legal(graph: DecomposableGraph) -> dict[Edge, int]:
    """The pairs whose addition networkx finds chordal, each with its smallest separator by search over all subsets."""
    plain, found = as_networkx(graph), {}
    for a, b in itertools.combinations(range(len(graph.neighbours)), 2):
        if plain.has_edge(a, b) or not is_chordal(len(plain), [*plain.edges, (a, b)]):
            continue
        found[a, b] = mask_of(nx.minimum_node_cut(plain, a, b)) if nx.has_path(plain, a, b) else 0
    return found


RANDOM = st.tuples(st.integers(1, 9), st.integers(0, 10_000), st.integers(0, 30))


@settings(max_examples=60)
@given(RANDOM)
def test_pairs_that_may_come_and_edges_that_may_go(case: tuple[int, int, int]) -> None:
    """Additions, separators and removals are those that networkx allows."""
    n, seed, edges = case
    graph = grown(n, np.random.default_rng(seed), edges)
    allowed = legal(graph)
    for a, b in itertools.combinations(range(n), 2):
        assert graph.separator(a, b) == allowed.get((a, b)) == graph.separator(b, a)
        if graph.has(a, b):
            rest = [edge for edge in graph.edges() if edge != (a, b)]
            holding = [clique for clique in nx.find_cliques(as_networkx(graph)) if {a, b} <= set(clique)]
            assert (graph.clique_of(a, b) is not None) == is_chordal(n, rest) == (len(holding) == 1)
            if len(holding) == 1:
                assert graph.clique_of(a, b) == mask_of(holding[0])


@settings(max_examples=40)
@given(RANDOM)
def test_an_addition_touches_no_pair_beyond_those_it_names(case: tuple[int, int, int]) -> None:
    """Every pair is as before, but for those across the two sides, of which only `again` may still come."""
    n, seed, edges = case
    rng = np.random.default_rng(seed)
    graph = grown(n, rng, edges)
    before = legal(graph)
    if not before:
        return
    a, b = list(before)[int(rng.integers(len(before)))]
    change = graph.add(a, b)
    assert change.separator == before[a, b]
    after = legal(graph)
    again = {(min(pair), max(pair)) for pair in change.again}
    for x, y in itertools.combinations(range(n), 2):
        sides = {bool(change.side_a >> x & 1) + 2 * (change.side_b >> x & 1),
                 bool(change.side_a >> y & 1) + 2 * (change.side_b >> y & 1)}  # fmt: skip
        if sides == {1, 2}:
            assert ((x, y) in after) == ((x, y) in again)
        else:
            assert before.get((x, y)) == after.get((x, y))
    assert len(change.again) == len(again)


@settings(max_examples=60)
@given(RANDOM)
def test_cliques_separators_and_orders(case: tuple[int, int, int]) -> None:
    """Maximal cliques and the separators of a maximum spanning tree, as networkx has them; an order that is perfect."""
    n, seed, edges = case
    graph = grown(n, np.random.default_rng(seed), edges)
    plain = as_networkx(graph)
    cliques, separators = graph.clique_tree()
    expected = [frozenset(clique) for clique in nx.find_cliques(plain)]
    assert Counter(cliques) == Counter(mask_of(clique) for clique in expected)
    meeting = nx.Graph()
    meeting.add_nodes_from(expected)
    meeting.add_weighted_edges_from((c, d, len(c & d)) for c, d in itertools.combinations(expected, 2))
    tree = nx.maximum_spanning_tree(meeting)
    assert Counter(separators) == Counter(mask_of(c & d) for c, d in tree.edges)
    order = graph.elimination_order()
    assert order is not None and sorted(order) == list(range(n))
    for i, v in enumerate(order):
        later = [x for x in order[i + 1 :] if graph.has(v, x)]
        assert all(graph.has(x, y) for x, y in itertools.combinations(later, 2))
    parts = {mask_of(part) for part in nx.connected_components(plain)}
    assert {graph.component(v) for v in range(n)} == parts


def test_the_star_has_its_centre_twice() -> None:
    """Separators are a multiset: three leaves on one centre give it twice."""
    cliques, separators = DecomposableGraph(4, [(0, 1), (0, 2), (0, 3)]).clique_tree()
    assert len(cliques) == 3
    assert separators == [1, 1]


@settings(max_examples=80)
@given(RANDOM, st.integers(1, 4))
def test_fill_in_is_chordal_and_minimal(case: tuple[int, int, int], more: int) -> None:
    """With the fill-in the graph is chordal, and without any part of it it is not (minimal, checked over subsets)."""
    n, seed, edges = case
    rng = np.random.default_rng(seed)
    graph = grown(n, rng, edges)
    absent = [pair for pair in itertools.combinations(range(n), 2) if not graph.has(*pair)]
    extra = [absent[i] for i in rng.permutation(len(absent))[:more]]
    wanted = [*graph.edges(), *extra]
    fill = graph.fill_in(extra)
    assert not set(fill) & set(wanted)
    assert is_chordal(n, [*wanted, *fill])
    smaller = itertools.chain.from_iterable(itertools.combinations(fill, k) for k in range(len(fill)))
    assert not any(is_chordal(n, [*wanted, *part]) for part in itertools.islice(smaller, 200))
    assert graph.fill_in([(b, a) for a, b in reversed(extra)]) == fill


def test_fill_in_from_any_graph() -> None:
    """Edges that make a circle of six from nothing get three chords; the graph itself is left alone."""
    graph = DecomposableGraph(6)
    circle = [(i, (i + 1) % 6) for i in range(6)]
    fill = graph.fill_in(circle)
    assert len(fill) == 3
    assert graph.n_edges == 0
    assert DecomposableGraph(6, [*circle, *fill]).n_edges == 9


@settings(max_examples=80)
@given(RANDOM)
def test_without_an_edge_a_largest_chordal_graph_is_left(case: tuple[int, int, int]) -> None:
    """What is left is chordal, lacks the edge, and takes back none of the edges that went, nor any set of them."""
    n, seed, edges = case
    rng = np.random.default_rng(seed)
    graph = grown(n, rng, edges)
    if not graph.n_edges:
        return
    before = graph.edges()
    a, b = before[int(rng.integers(len(before)))]
    found, gone = graph.without(a, b)
    left = found.edges()
    assert graph.edges() == before
    assert len(graph.without(b, a)[1]) == len(gone)
    assert found.n_edges == len(left)
    assert set(left) | set(gone) == set(before) - {(a, b)}
    assert not set(left) & set(gone)
    assert is_chordal(n, left)
    assert (graph.clique_of(a, b) is not None) == (not gone)
    for k in range(1, len(gone) + 1):
        assert not any(is_chordal(n, [*left, *part]) for part in itertools.combinations(gone, k))


def test_without_an_edge_whose_neighbours_cannot_go_alone_either() -> None:
    """Two triangles on an edge, all their other edges in further triangles: no single edge of them may go first."""
    a, b, x, y, p, q, r, s = range(8)
    edges = [(a, b), (a, x), (b, x), (a, y), (b, y)]
    edges += [(p, a), (p, x), (q, b), (q, x), (r, a), (r, y), (s, b), (s, y)]
    graph = DecomposableGraph(8, edges)
    assert all(graph.clique_of(*edge) is None for edge in edges[:5])
    found, gone = graph.without(a, b)
    assert is_chordal(8, found.edges())
    assert len(gone) == 2


def test_what_cannot_be_is_refused() -> None:
    """A hole at the start, an illegal addition, a removal inside several cliques."""
    with pytest.raises(ValueError, match="do not make a chordal graph"):
        DecomposableGraph(4, [(0, 1), (1, 2), (2, 3), (0, 3)])
    path = DecomposableGraph(4, [(0, 1), (1, 2), (2, 3)])
    assert path.separator(0, 3) is None and path.separator(0, 1) is None and path.separator(2, 2) is None
    with pytest.raises(ValueError, match="cycle without a chord"):
        path.add(0, 3)
    with pytest.raises(ValueError, match="cannot be taken away"):
        path.remove(0, 3)
    path.add(0, 2)
    path.add(0, 3)
    with pytest.raises(ValueError, match="cannot be taken away"):
        path.remove(0, 2)
    assert path.remove(0, 1) == 1 << 2
    assert path.edges() == [(0, 2), (0, 3), (1, 2), (2, 3)]


def test_a_copy_is_its_own() -> None:
    """Changing a copy leaves the first alone."""
    graph = DecomposableGraph(3, [(0, 1)])
    other = graph.copy()
    other.add(1, 2)
    assert graph.edges() == [(0, 1)] and graph.n_edges == 1
    assert other.edges() == [(0, 1), (1, 2)] and other.n_edges == 2
    assert list(bits(other.component(0))) == [0, 1, 2]


def test_no_variables() -> None:
    """The empty graph has an empty order and no cliques."""
    graph = DecomposableGraph(0)
    assert graph.clique_tree() == ([], [])
    assert graph.elimination_order() == []
