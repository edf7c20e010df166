"""What makes the contexts of a pair: of directed networks what comes before, of undirected ones what separates."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.comparison.links import separators
from engine.graphs.dag import parents_of, topological_order

NAMES = [f"v{i}" for i in range(7)]
PAIRS = np.array(list(combinations(range(7), 2)))
FORWARD = [("v0", "v1"), ("v1", "v2")]


def random_dag(generator: np.random.Generator, density: float = 0.4) -> nx.DiGraph:
    """Arcs along a random order."""
    order = generator.permutation(NAMES).tolist()
    graph = nx.DiGraph()
    graph.add_nodes_from(NAMES)
    graph.add_edges_from(pair for pair in combinations(order, 2) if generator.random() < density)
    return graph


def named(flags: np.ndarray) -> set[str]:
    """The variables that are marked."""
    return {NAMES[i] for i in np.flatnonzero(flags)}


@settings(max_examples=40)
@given(st.integers(0, 10_000))
def test_one_dag_gives_the_parents_of_the_later_variable(seed: int) -> None:
    """What is given separates every pair that is not linked."""
    dag = random_dag(np.random.default_rng(seed))
    for (u, v), flags in zip(PAIRS, separators([dag, dag], NAMES, PAIRS, dag), strict=True):
        families = [set(dag.predecessors(NAMES[x])) - {NAMES[u], NAMES[v]} for x in (u, v)]
        assert named(flags) in families
        if not dag.has_edge(NAMES[u], NAMES[v]) and not dag.has_edge(NAMES[v], NAMES[u]):
            assert nx.is_d_separator(dag, {NAMES[u]}, {NAMES[v]}, named(flags))


@settings(max_examples=40)
@given(st.integers(0, 10_000))
def test_several_dags_give_what_is_linked_and_comes_before(seed: int) -> None:
    """In any of them, by an order of the shared one."""
    generator = np.random.default_rng(seed)
    dags, shared = [random_dag(generator) for _ in range(generator.integers(2, 4))], random_dag(generator)
    order = topological_order(parents_of(shared, NAMES))
    place = {NAMES[x]: position for position, x in enumerate(order)}
    assert all(place[a] < place[b] for a, b in shared.edges)
    linked = nx.compose_all([dag.to_undirected() for dag in (*dags, shared)])
    for (u, v), flags in zip(PAIRS, separators(dags, NAMES, PAIRS, shared), strict=True):
        earlier, later = sorted((NAMES[u], NAMES[v]), key=place.__getitem__)
        assert named(flags) == {one for one in linked[later] if place[one] < place[later]} - {earlier}


def test_a_class_of_dags_is_a_member_of_it() -> None:
    """Lines run either way without a new collider; a variable that is not asked for is left out."""
    chain = nx.DiGraph([("v0", "v1"), ("v1", "v0"), ("v1", "v2"), ("v2", "v1")])
    chain.add_edges_from([("v2", "x"), ("x", "v2")])
    names = NAMES[:3]
    found = separators([chain, chain], names, np.array([[0, 1], [0, 2], [1, 2]]), nx.DiGraph(FORWARD))
    assert [set(np.flatnonzero(row).tolist()) for row in found] == [set(), {1}, set()]
    circle = nx.DiGraph([("v0", "v1"), ("v1", "v2"), ("v2", "v0")])
    with pytest.raises(engine.DataError, match="circle"):
        separators([circle, circle], names, np.array([[0, 1]]), nx.DiGraph(FORWARD))


@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_separators_do_not_know_in_which_order_variables_stand(seed: int) -> None:
    """Nodes in another order, of classes of DAGs and of undirected networks."""
    generator = np.random.default_rng(seed)
    classes = [engine.graphs.cpdag(random_dag(generator)) for _ in range(2)]
    lines = [nx.gnp_random_graph(7, 0.4, seed=int(generator.integers(10_000))) for _ in range(2)]
    for graphs in (classes, [nx.relabel_nodes(one, dict(enumerate(NAMES))) for one in lines]):
        turned = []
        for graph in graphs:
            other = type(graph)()
            other.add_nodes_from(generator.permutation(NAMES).tolist())
            other.add_edges_from(graph.edges)
            turned.append(other)
        assert np.array_equal(separators(graphs, NAMES, PAIRS), separators(turned, NAMES, PAIRS))


def test_undirected_networks_are_taken_together() -> None:
    """What separates in any group; a variable that one network has no link of is in no set."""
    one, other = nx.Graph([("v0", "v1"), ("v1", "v2")]), nx.Graph([("v0", "v3"), ("v3", "v2"), ("v0", "v2")])
    found = separators([one, other], NAMES[:4], np.array([[0, 2], [1, 3]]))
    assert [named(row) for row in found] == [{"v1", "v3"}, set()]
