"""Directed acyclic graphs as searches hold them: parent tuples and bit sets of positions, names at the door.

A DAG over p variables is `parents`, a tuple of p ascending tuples of positions. A set of variables is a
Python integer whose bit i stands for variable i: unions, differences and "is any of these in there" are one
operation, whatever p is.
"""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.errors import DataError
from engine.lazy import nx

Parents = tuple[tuple[int, ...], ...]
"""For each variable the ascending positions of its parents."""
ONE_DAG = "write graph = engine.graphs.consistent_extension(graph) for one DAG of its class"
"""What to do with a CPDAG, or with edges that have no directions, where a DAG is asked."""


def bits(mask: int) -> Iterator[int]:
    """The positions in a bit set, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def mask_of(positions: Iterable[int]) -> int:
    """The bit set of some positions."""
    mask = 0
    for position in positions:
        mask |= 1 << position
    return mask


def positions_of(graph: nx.Graph, names: Sequence[Hashable]) -> dict[Hashable, int]:
    """Name -> position, after checking that the graph stands over exactly these variables."""
    positions = {name: i for i, name in enumerate(names)}
    if len(positions) != len(names):
        raise DataError("Two variables have the same name; give each its own.")
    for node in graph.nodes:
        if node not in positions:
            raise DataError(f"The graph has a node {_short(node)} that is not one of the variables.")
    for name in names:
        if name not in graph:
            raise DataError(f"The graph lacks the variable {_short(name)}; add it, if only without arcs.")
    return positions


def parents_of(graph: nx.DiGraph, names: Sequence[Hashable]) -> Parents:
    """The parents of every variable, by position in `names`.

    Acyclicity is not asked for here; see `check_acyclic`.
    """
    positions = positions_of(graph, names)
    if not graph.is_directed():
        raise DataError(f"The edges of this graph have no directions, and a DAG is needed; {ONE_DAG}.")
    return tuple(tuple(sorted(positions[parent] for parent in graph.predecessors(name))) for name in names)


def arcs(parents: Sequence[Iterable[int]]) -> list[tuple[int, int]]:
    """(parent, child) of every arc, by parent, then child."""
    return sorted((parent, child) for child, family in enumerate(parents) for parent in family)


def to_networkx(parents: Sequence[Iterable[int]], names: Sequence[Hashable]) -> nx.DiGraph:
    """The graph over the names: nodes in the order of `names`, arcs by source, then target."""
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from((names[parent], names[child]) for parent, child in arcs(parents))
    return graph


def children_masks(parents: Sequence[Iterable[int]]) -> list[int]:
    """For each variable the bit set of its children."""
    children = [0] * len(parents)
    for child, family in enumerate(parents):
        for parent in family:
            children[parent] |= 1 << child
    return children


def topological_order(parents: Sequence[Iterable[int]], priority: Sequence[int] | None = None) -> tuple[int, ...]:
    """The one order with parents before children that the tie rule picks."""
    families = [tuple(family) for family in parents]
    rank = range(len(families)) if priority is None else priority
    children = children_masks(families)
    waiting = [len(set(family)) for family in families]
    ready = [(rank[i], i) for i, left in enumerate(waiting) if not left]
    heapq.heapify(ready)
    order: list[int] = []
    while ready:
        _, variable = heapq.heappop(ready)
        order.append(variable)
        for child in bits(children[variable]):
            waiting[child] -= 1
            if not waiting[child]:
                heapq.heappush(ready, (rank[child], child))
    if len(order) < len(families):
        check_acyclic(families)
    return tuple(order)


def ancestors(parents: Sequence[Iterable[int]]) -> tuple[int, ...]:
    """For each variable the bit set of its ancestors, itself left out; `DataError` for a cycle."""
    families = [tuple(family) for family in parents]
    closure = [0] * len(families)
    for variable in topological_order(families):
        for parent in families[variable]:
            closure[variable] |= closure[parent] | 1 << parent
    return tuple(closure)


def find_cycle(parents: Sequence[Iterable[int]]) -> tuple[int, ...] | None:
    """The positions of one directed cycle in the direction of its arcs, lowest first; None when acyclic."""
    try:
        cycle = [source for source, _ in nx.find_cycle(to_networkx(parents, range(len(parents))))]
    except nx.NetworkXNoCycle:
        return None
    start = cycle.index(min(cycle))
    return tuple(cycle[start:] + cycle[:start])


def check_acyclic(parents: Sequence[Iterable[int]], names: Sequence[Hashable] | None = None) -> None:
    """Nothing when the graph is acyclic."""
    families = [tuple(family) for family in parents]
    cycle = find_cycle(families)
    if cycle is None:
        return
    pair = _both_ways(families)
    if pair is not None:  # the commonest slip: a CPDAG where a DAG is asked
        first, second = (_called(i, names) for i in pair)
        raise DataError(
            f"The arcs go round in a circle: {first} -> {second} -> {first}. Where that is an edge without a "
            f"direction, as in a CPDAG, {ONE_DAG}."
        )
    raise circle_error(cycle, names)


def circle_error(cycle: Sequence[int], names: Sequence[Hashable] | None = None) -> DataError:
    """Describe a circle from `find_cycle`."""
    called = [_called(i, names) for i in (*cycle, cycle[0])]
    if len(called) > 12:
        called = [*called[:6], "...", *called[-5:]]
    return DataError(f"The arcs go round in a circle: {' -> '.join(called)}. Take away or turn one of them.")


def _both_ways(families: Sequence[Sequence[int]]) -> tuple[int, int] | None:
    """The first two variables that are parents of each other, where none is its own parent: that goes first."""
    if any(i in family for i, family in enumerate(families)):
        return None
    pairs = ((parent, child) for child, family in enumerate(families) for parent in family)
    return min(((a, b) for a, b in pairs if a < b and b in families[a]), default=None)


def _called(position: int, names: Sequence[Hashable] | None) -> str:
    return _short(names[position]) if names is not None else f"variable {position}"


def _short(name: Hashable) -> str:
    """A name as an error shows it: quoted, never longer than 60 characters."""
    text = str(name)
    return repr(text if len(text) <= 60 else text[:57] + "...")


def each_edge(graph: nx.Graph) -> Iterator[tuple[str, str, bool, Mapping[str, Any]]]:
    """Source, target, whether it has a direction, and attributes of every edge; one that runs both ways comes once.

    Parameters
    ----------
    graph : directed or not
    """
    for source, target, about in graph.edges(data=True):
        both = graph.is_directed() and graph.has_edge(target, source)
        if both and list(graph.nodes).index(source) > list(graph.nodes).index(target):
            continue
        yield source, target, graph.is_directed() and not both, about
