"""What the contexts of a pair are made of: the variables that separate the two in any group's network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.counting import kernels
from engine.graphs.dag import parents_of, topological_order
from engine.graphs.pdag import consistent_extension

if TYPE_CHECKING:
    import networkx as nx


def separators(
    graphs: Sequence[nx.Graph], names: Sequence[str], pairs: np.ndarray, shared: nx.DiGraph | None = None
) -> np.ndarray:
    """The union over the groups of what separates each pair.

    Of an undirected network: neighbours of u that reach v's component without u's other neighbours, from u or from v,
    the smaller set; for a link of a chordal one the common neighbours. Of directed ones: what is linked with the later
    variable, in any group's network or in the shared one, and comes before it in an order of the shared one.
    """
    given = np.zeros((len(pairs), len(names)), dtype=bool)
    if shared is not None:
        dags = [shared, *(consistent_extension(_in_order(graph, names)) for graph in graphs)]
        linked = np.any([_adjacency(dag, names) for dag in dags], axis=0)
        order = np.empty(len(names), dtype=np.int64)
        order[list(topological_order(parents_of(shared, names)))] = np.arange(len(names))
        for i, (u, v) in enumerate(pairs):
            earlier, later = (u, v) if order[u] < order[v] else (v, u)
            given[i] = linked[later] & (order < order[later])
            given[i, earlier] = False
        return given
    for graph in graphs:
        kernels().add_separators(_adjacency(graph, names), pairs, given)
    return given


def _in_order(graph: nx.DiGraph, names: Sequence[str]) -> nx.DiGraph:
    """The network over these variables, in this order."""
    found = graph.__class__()
    found.add_nodes_from(names)
    inside = set(names)
    found.add_edges_from(sorted((a, b) for a, b in graph.edges if a in inside and b in inside))
    return found


def _adjacency(graph: nx.Graph, names: Sequence[str]) -> np.ndarray:
    place = {name: i for i, name in enumerate(names)}
    found = np.zeros((len(names), len(names)), dtype=bool)
    for source, target in graph.edges:
        if source in place and target in place and source != target:
            found[place[source], place[target]] = found[place[target], place[source]] = True
    return found
