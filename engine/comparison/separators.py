"""What the contexts of a pair are made of: the variables that separate the two in any group's network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.counting import kernels
from engine.graphs.pdag import consistent_extension

if TYPE_CHECKING:
    import networkx as nx


def separators(graphs: Sequence[nx.Graph], names: Sequence[str], pairs: np.ndarray) -> np.ndarray:
    """The union over the groups of what separates each pair.

    Of an undirected network: neighbours of u that reach v's component without u's other neighbours, from u or from v,
    the smaller set; for a link of a chordal one the common neighbours. Of directed ones: what is linked with the later
    variable in any group and comes before it in an order that they share.

    Parameters
    ----------
    graphs : one a group, all directed (a DAG or a class of DAGs) or all undirected
    names : the variables, in alphabetical order
    pairs : (m, 2)

    Returns
    -------
    (m, p) flags

    Raises
    ------
    DataError : a directed network is no class of DAGs
    """
    given = np.zeros((len(pairs), len(names)), dtype=bool)
    if all(graph.is_directed() for graph in graphs):
        dags = [consistent_extension(_in_order(graph, names)) for graph in graphs]
        order = shared_order(dags, names)
        linked = np.zeros((len(names), len(names)), dtype=bool)
        for dag in dags:
            linked |= _adjacency(dag, names)
        for i, (u, v) in enumerate(pairs):
            earlier, later = (u, v) if order[u] < order[v] else (v, u)
            given[i] = linked[later] & (order < order[later])
            given[i, earlier] = False
        return given
    for graph in graphs:
        kernels().add_separators(_adjacency(graph, names), pairs, given)
    return given


def shared_order(dags: Sequence[nx.DiGraph], names: Sequence[str]) -> np.ndarray:
    """An order that goes with as many arcs of the networks as can be found: the place of each variable.

    One after the other comes the variable that the fewest arcs from those not yet placed run into; of several the one
    that most run out of, then the first by name. Of one DAG it is an order of that DAG.

    Parameters
    ----------
    dags : directed networks without circles
    names : the variables, in alphabetical order

    Returns
    -------
    (p,) places from 0
    """
    place = {name: i for i, name in enumerate(names)}
    arcs = np.zeros((len(names), len(names)))
    for dag in dags:
        for source, target in dag.edges:
            arcs[place[source], place[target]] += 1
    left, order = np.ones(len(names), dtype=bool), np.empty(len(names), dtype=np.int64)
    for position in range(len(names)):
        into, out = arcs[left].sum(axis=0), arcs[:, left].sum(axis=1)
        candidates = np.flatnonzero(left)
        best = min(candidates, key=lambda i: (into[i], -out[i], i))
        order[best], left[best] = position, False
    return order


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
