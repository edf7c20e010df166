"""DAGs as parent tuples and bit sets."""

from __future__ import annotations

import itertools

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
import engine.exchange
import engine.graphs
import engine.models
from engine.errors import DataError
from engine.graphs.dag import (
    ancestors,
    bits,
    check_acyclic,
    find_cycle,
    mask_of,
    parents_of,
    to_networkx,
    topological_order,
)


@st.composite
def dags(draw: st.DrawFn, most: int = 8) -> tuple[tuple[int, ...], ...]:
    """Parent tuples of a random DAG under a random order."""
    n = draw(st.integers(0, most))
    order = draw(st.permutations(range(n)))
    parents: list[tuple[int, ...]] = [()] * n
    for place, child in enumerate(order):
        family = draw(st.sets(st.sampled_from(order[:place]))) if place else set()
        parents[child] = tuple(sorted(family))
    return tuple(parents)


@given(st.sets(st.integers(0, 200)))
@settings(max_examples=30)
def test_bits_inverts_mask(positions: set[int]) -> None:
    """A bit set gives back its positions, lowest first."""
    assert list(bits(mask_of(positions))) == sorted(positions)


@given(dags())
@settings(max_examples=50)
def test_round_trip_through_networkx(parents: tuple[tuple[int, ...], ...]) -> None:
    """Names to positions and back loses nothing and keeps the node order."""
    names = [f"v{i}" for i in range(len(parents))]
    graph = to_networkx(parents, names)
    assert list(graph.nodes) == names
    assert parents_of(graph, names) == parents


@given(dags(5), st.randoms())
@settings(max_examples=50)
def test_topological_order_is_the_smallest_by_rank(parents, random) -> None:
    """Among all orders with parents first, the ranks read in order are lexicographically smallest."""
    n = len(parents)
    priority = random.sample(range(n), n)
    valid = [
        order
        for order in itertools.permutations(range(n))
        if all(order.index(p) < order.index(c) for c in range(n) for p in parents[c])
    ]
    smallest = min(valid, key=lambda order: [priority[i] for i in order])
    assert topological_order(parents, priority) == smallest


def test_topological_ties_go_to_the_lowest_index() -> None:
    """Without a priority, ready variables come by position."""
    assert topological_order(((3,), (), (), ())) == (1, 2, 3, 0)


@given(dags())
@settings(max_examples=50)
def test_ancestors_are_those_of_networkx(parents) -> None:
    """The closure agrees with a search for each node."""
    graph = to_networkx(parents, range(len(parents)))
    for i, mask in enumerate(ancestors(parents)):
        assert set(bits(mask)) == nx.ancestors(graph, i)


@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.sets(st.integers(0, n - 1)), min_size=n, max_size=n)))
@settings(max_examples=100)
def test_find_cycle_finds_a_cycle_exactly_when_there_is_one(families) -> None:
    """What is returned is a cycle along the arcs; None means networkx finds the graph acyclic too."""
    graph = to_networkx(families, range(len(families)))
    cycle = find_cycle(families)
    assert (cycle is None) == nx.is_directed_acyclic_graph(graph)
    if cycle is not None:
        assert len(set(cycle)) == len(cycle)
        assert all(graph.has_edge(a, b) for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True))


def test_a_cycle_is_named() -> None:
    """The error tells the circle by names."""
    with pytest.raises(DataError, match="'a' -> 'b' -> 'c' -> 'a'"):
        check_acyclic(((2,), (0,), (1,)), ["a", "b", "c"])
    with pytest.raises(DataError, match="circle"):
        topological_order(((0,),))


def test_a_class_where_a_dag_is_asked_says_what_to_write() -> None:
    """An edge both ways, or one without a direction, is answered with the call that gives one DAG of the class."""
    rows = [[0, 0, 1, 1, 0, 1] * 6, [0, 0, 1, 1, 1, 0] * 6, [0, 1, 1, 1, 0, 1] * 6]
    data = engine.Dataset.from_codes(rows, [2, 2, 2], list("abc"))
    line = nx.path_graph(["c", "b", "a"])
    for graph in (line, line.to_directed()):
        for asks in (
            lambda given: engine.log_score(data, given, engine.BDeu()),
            lambda given: engine.exchange.to_bif(given, data),
            lambda given: engine.models.fitted(data, given),
            lambda given: check_acyclic(parents_of(given, data.names)),
            engine.graphs.cpdag,
        ):
            with pytest.raises(DataError, match=r"engine\.graphs\.consistent_extension\(graph\)"):
                asks(graph)
        dag = engine.graphs.consistent_extension(graph)
        assert engine.graphs.v_structures(dag) == set()
        assert engine.graphs.skeleton(dag).edges == engine.graphs.skeleton(line).edges
        assert len(engine.log_score(data, dag, engine.BDeu())) == 3
        assert engine.models.fitted(data, dag).parents == parents_of(dag, data.names)


def test_an_edge_both_ways_is_named() -> None:
    """The first one, beside longer circles; a loop is still a circle."""
    with pytest.raises(DataError, match="'b' -> 'c' -> 'b'"):
        check_acyclic(((2,), (0, 2), (1,)), ["a", "b", "c"])
    with pytest.raises(DataError, match="go round in a circle"):
        check_acyclic(((0, 1), (0,)))


@pytest.mark.parametrize("names", [["a"], ["a", "b", "c"], ["a", "b", "b"]])
def test_names_must_be_those_of_the_graph(names: list[str]) -> None:
    """A node too many, a node too few and a name twice are refused."""
    with pytest.raises(DataError):
        parents_of(nx.DiGraph([("a", "b")]), names)
