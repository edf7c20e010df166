"""Two networks over the same variables, edge by edge: the same, in one only, or reversed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.graphs.dag import positions_of
from engine.lazy import nx

Status = Literal["same", "only_a", "only_b", "reversed", "neither"]
"""What an edge is to the two graphs; "neither" is met in a third graph only."""


@dataclass(frozen=True)
class ComparedEdge:
    """One edge as a panel draws it: from `source` to `target`, or without arrowheads when not `directed`."""

    source: str
    target: str
    status: Status
    directed: bool = True


@dataclass(frozen=True)
class Comparison:
    """Difference of graph B from graph A.

    Attributes
    ----------
    arcs : every edge of either graph once, by the positions of its ends in A; a reversed one as A has it

    Examples
    --------
    >>> from engine.graphs.comparison import ComparedEdge
    >>> engine.graphs.Comparison((ComparedEdge("age", "cough", "only_a"), ComparedEdge("age", "sex", "same"))).distance
    1
    """

    arcs: tuple[ComparedEdge, ...]

    def of(self, status: Status) -> tuple[tuple[str, str], ...]:
        """The edges with a status.

        Parameters
        ----------
        status : "same", "only_a", "only_b", "reversed" or "neither"

        Returns
        -------
        (source, target) of each
        """
        return tuple((arc.source, arc.target) for arc in self.arcs if arc.status == status)

    @property
    def distance(self) -> int:
        """Structural Hamming distance: edges to add, take away or turn to get from A to B."""
        return sum(arc.status != "same" for arc in self.arcs)


def compare(a: nx.Graph, b: nx.Graph) -> Comparison:
    """Two DAGs, CPDAGs or undirected graphs over the same variables, edge by edge.

    An edge that both have is "same" when it also points the same way (or has no direction in both), else
    "reversed"; in a CPDAG that covers an arc against an undirected edge.

    Parameters
    ----------
    a, b : networkx graphs; an undirected edge of a DiGraph is a pair of opposite arcs

    Returns
    -------
    `Comparison`: every edge with its status, and the structural Hamming distance

    Raises
    ------
    DataError : the graphs do not stand over the same variables

    Examples
    --------
    >>> import networkx as nx
    >>> a, b = nx.DiGraph([("age", "cough")]), nx.DiGraph([("cough", "age")])
    >>> engine.graphs.compare(a, b).of("reversed")
    (('age', 'cough'),)
    """
    ours, theirs = _edges(a, list(a.nodes)), _edges(b, list(a.nodes))
    pairs = sorted(ours.keys() | theirs.keys())
    names = list(a.nodes)
    return Comparison(tuple(_arc(names, pair, ours, theirs, ours.get(pair, theirs.get(pair))) for pair in pairs))


def panels(a: nx.Graph, b: nx.Graph, *others: nx.Graph) -> tuple[tuple[ComparedEdge, ...], ...]:
    """For A, for B and for each further graph (the pooled one) its own edges, each with its status.

    In A and B an edge is "same", "reversed" or in this one only. In a further graph an edge is what it is to
    A and B: in one of them only, in "neither", "same" when all three agree, and "reversed" when they all have
    it but point differently.
    """
    names = list(a.nodes)
    ours, theirs = _edges(a, names), _edges(b, names)
    result = []
    for graph in (a, b, *others):  # edges by source, then target, as drawn
        edges = sorted(_edges(graph, names).items(), key=lambda item: item[0] if item[1] >= 0 else item[0][::-1])
        result.append(tuple(_arc(names, pair, ours, theirs, way) for pair, way in edges))
    return tuple(result)


_Edges = dict[tuple[int, int], int]  # (low, high) position -> 1 low to high, -1 high to low, 0 undirected


def _edges(graph: nx.Graph, names: list[str]) -> _Edges:
    positions = positions_of(graph, names)
    edges: _Edges = {}
    for source, target in graph.edges:
        i, j = positions[source], positions[target]
        pair, way = ((i, j), 1) if i < j else ((j, i), -1)
        edges[pair] = 0 if not graph.is_directed() or edges.get(pair, way) != way else way
    return edges


def _arc(names: list[str], pair: tuple[int, int], ours: _Edges, theirs: _Edges, way: int | None) -> ComparedEdge:
    source, target = pair if way != -1 else pair[::-1]
    return ComparedEdge(names[source], names[target], _status(ours.get(pair), theirs.get(pair), way), way != 0)


def _status(a: int | None, b: int | None, here: int | None) -> Status:
    if a is None and b is None:
        return "neither"
    if b is None:
        return "only_a"
    if a is None:
        return "only_b"
    return "same" if a == b == here else "reversed"
