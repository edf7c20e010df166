"""CPDAGs against the definition: all DAGs of four nodes, class by class."""

from __future__ import annotations

import itertools
import random
from collections import defaultdict

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import DataError
from engine.graphs.dag import to_networkx
from engine.graphs.pdag import (
    Pdag,
    apply_meek,
    compelled,
    consistent_extension,
    cpdag,
    from_networkx,
    skeleton,
    v_structures,
)
from engine.graphs.pdag import to_networkx as pdag_to_networkx
from tests.engine.graphs.test_dag import dags

NAMES = "abcd"


def meek(graph: nx.DiGraph) -> nx.DiGraph:
    """A PDAG closed under Meek's rules R1-R4 (background knowledge may have directed some of its edges)."""
    names = list(graph.nodes)
    return pdag_to_networkx(apply_meek(from_networkx(graph, names)), names)


def all_dags(names: str) -> list[nx.DiGraph]:
    """Every DAG over the names: each pair has no arc, or one of two."""
    pairs = list(itertools.combinations(names, 2))
    found = []
    for choice in itertools.product(range(3), repeat=len(pairs)):
        graph = nx.DiGraph()
        graph.add_nodes_from(names)
        graph.add_edges_from((a, b) if c == 1 else (b, a) for (a, b), c in zip(pairs, choice, strict=True) if c)
        if nx.is_directed_acyclic_graph(graph):
            found.append(graph)
    return found


def class_key(graph: nx.DiGraph) -> tuple[frozenset, frozenset]:
    """Skeleton and v-structures, straight from the definition."""
    edges = frozenset(frozenset(edge) for edge in graph.edges)
    colliders = frozenset(
        (frozenset((a, b)), child)
        for child in graph
        for a, b in itertools.combinations(graph.predecessors(child), 2)
        if frozenset((a, b)) not in edges
    )
    return edges, colliders


@pytest.fixture(scope="module")
def classes() -> dict[tuple, list[nx.DiGraph]]:
    """The 543 DAGs of four nodes by equivalence class."""
    found = defaultdict(list)
    for graph in all_dags(NAMES):
        found[class_key(graph)].append(graph)
    assert sum(map(len, found.values())) == 543
    assert len(found) == 185
    return found


def test_cpdag_is_the_union_of_its_class(classes) -> None:
    """An arc is directed in the CPDAG exactly when every member of the class has it that way."""
    seen = set()
    for members in classes.values():
        union = set().union(*(graph.edges for graph in members))
        for graph in members:
            assert set(cpdag(graph).edges) == union
            assert compelled(graph) == set.intersection(*(set(graph.edges) for graph in members))
        seen.add(frozenset(union))
    assert len(seen) == len(classes)


def test_consistent_extension_stays_in_the_class(classes) -> None:
    """The DAG drawn from a CPDAG is a member of the class it stands for."""
    for key, members in classes.items():
        assert class_key(consistent_extension(cpdag(members[0]))) == key


def test_skeleton_and_v_structures_are_the_definition(classes) -> None:
    """The two functions agree with the slow definition on every DAG."""
    for (edges, colliders), members in classes.items():
        for graph in members:
            assert {frozenset(edge) for edge in skeleton(graph).edges} == edges
            assert {(frozenset((a, b)), child) for a, child, b in v_structures(graph)} == colliders


def test_meek_closes_background_knowledge(classes) -> None:
    """With one or two known arcs, the closure directs exactly what the remaining members agree on (R1-R4)."""
    for members in classes.values():
        graph = cpdag(members[0])
        free = [edge for edge in graph.edges if graph.has_edge(*edge[::-1])]
        for known in [(edge,) for edge in free] + list(itertools.combinations(free, 2)):
            agreeing = [m for m in members if all(m.has_edge(*edge) for edge in known)]
            if not agreeing:
                continue
            told = graph.copy()
            told.remove_edges_from([(b, a) for a, b in known])
            assert set(meek(told).edges) == set().union(*(m.edges for m in agreeing))


def test_rule_four_is_needed() -> None:
    """Meek's fourth figure: x - y, x - v, x - w, v -> w -> y with v and y apart gives x -> y."""
    graph = nx.DiGraph([("v", "w"), ("w", "y")])
    for other in "yvw":
        graph.add_edges_from([("x", other), (other, "x")])
    closed = meek(graph)
    assert closed.has_edge("x", "y")
    assert not closed.has_edge("y", "x")


@given(dags(9), st.randoms())
@settings(max_examples=60)
def test_extension_of_a_cpdag_has_the_same_cpdag(parents, rng: random.Random) -> None:
    """CPDAG -> DAG -> CPDAG comes back, however the nodes are numbered."""
    names = [f"v{i}" for i in range(len(parents))]
    graph = to_networkx(parents, names)
    shuffled = nx.DiGraph()
    shuffled.add_nodes_from(rng.sample(names, len(names)))
    shuffled.add_edges_from(graph.edges)
    essential = cpdag(graph)
    assert set(cpdag(shuffled).edges) == set(essential.edges)
    assert set(cpdag(consistent_extension(essential)).edges) == set(essential.edges)
    pdag = from_networkx(essential, names)
    assert apply_meek(pdag.copy()) == pdag  # closed already


@pytest.mark.parametrize(
    "arcs",
    [
        [("a", "b"), ("b", "c"), ("c", "a")],
        [(a, b) for x in ["ab", "bc", "cd", "da"] for a, b in [tuple(x), tuple(x[::-1])]],
    ],
)
def test_no_extension_is_said(arcs) -> None:
    """A directed circle and an undirected one of four have no extension."""
    with pytest.raises(DataError, match="cannot all be directed"):
        consistent_extension(nx.DiGraph(arcs))


def test_a_cycle_is_refused() -> None:
    """A cyclic graph has no CPDAG, and the error names the circle."""
    with pytest.raises(DataError, match="'a' -> 'b' -> 'a'"):
        cpdag(nx.DiGraph([("a", "b"), ("b", "a")]))
    with pytest.raises(DataError, match="'a' -> 'a'"):
        meek(nx.DiGraph([("a", "a")]))


@pytest.mark.parametrize(
    ("arcs", "lines", "edge", "triple"),
    [
        ([(0, 1)], [(1, 2)], (1, 2), (0, 1, 2)),
        ([(1, 3), (2, 3)], [(0, 1), (0, 2), (0, 3)], (0, 3), (1, 0, 2)),
        ([(1, 2), (2, 3)], [(0, 1), (0, 2), (0, 3)], (0, 3), (1, 0, 3)),
    ],
    ids=["R1", "R3", "R4"],
)
def test_no_rule_rests_on_an_ambiguous_triple(
    arcs: list[tuple[int, int]], lines: list[tuple[int, int]], edge: tuple[int, int], triple: tuple[int, int, int]
) -> None:
    """The rule directs the edge, but not where its triple may be a collider."""
    graph = Pdag([0] * 4, [0] * 4, [sum(1 << a + b - i for a, b in [*arcs, *lines] if i in (a, b)) for i in range(4)])
    for arc in arcs:
        graph.direct(*arc)
    assert apply_meek(graph.copy()).children[edge[0]] >> edge[1] & 1
    assert apply_meek(graph.copy(), {triple, triple[::-1]}) == graph
