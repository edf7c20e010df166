"""What the contexts of a pair are made of: the variables that separate the two in any group's network.

Directed networks are read in an order of the variables in which few tables differ between the groups. Where only the
table of a child differs, its parents' link is the same given what comes before them, and differs given the child. So
the order is that of one network of all rows under a score that lets a family's table be the same in all groups or
another in each: ln [p P(counts together) + (1 - p) product of P(counts of a group)], with BDeu. It is searched once,
for the order only; no number of a link comes from it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.counting import kernels
from engine.data.dataset import Dataset
from engine.graphs.dag import parents_of, to_networkx, topological_order
from engine.graphs.pdag import consistent_extension
from engine.scores.dirichlet import BDeu
from engine.search.constraints import Constraints
from engine.search.hill_climbing import hill_climbing

if TYPE_CHECKING:
    import networkx as nx

SAME = 0.9
"""Prior probability that a family's table is the same in all groups."""
RESTARTS = 10
_GROUP = "\0group"


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
    result = graph.__class__()
    result.add_nodes_from(names)
    inside = set(names)
    result.add_edges_from(sorted((a, b) for a, b in graph.edges if a in inside and b in inside))
    return result


def _adjacency(graph: nx.Graph, names: Sequence[str]) -> np.ndarray:
    place = {name: i for i, name in enumerate(names)}
    result = np.zeros((len(names), len(names)), dtype=bool)
    for source, target in graph.edges:
        if source in place and target in place and source != target:
            result[place[source], place[target]] = result[place[target], place[source]] = True
    return result


class SameOrDifferent:
    """The score of a family whose table is the same in all groups, or another in each.

    Parameters
    ----------
    data : all rows, with the group as the last variable
    """

    def __init__(self, data: Dataset) -> None:
        self._score = BDeu().bind(data)
        self.n_variables = data.n_variables - 1

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        """Natural-log score of one family."""
        together = self._score.local(child, parents)
        separate = self._score.local(child, (*parents, self.n_variables))
        return float(np.logaddexp(math.log(SAME) + together, math.log1p(-SAME) + separate))

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        """(p,) scores of the families with one parent more."""
        candidates = np.append(np.ones(self.n_variables, dtype=bool) if among is None else among, False)
        together = self._score.additions(child, parents, candidates)
        separate = self._score.additions(child, (*parents, self.n_variables), candidates)
        result: np.ndarray = np.logaddexp(math.log(SAME) + together, math.log1p(-SAME) + separate)[:-1]
        return result


def shared_network(parts: Sequence[Dataset], names: Sequence[str], restarts: int = RESTARTS) -> nx.DiGraph:
    """The network of all rows in which few tables differ between the groups."""
    codes = [part.codes_of([part.index(name) for name in names]).astype(np.int64) for part in parts]
    group = np.repeat(np.arange(len(parts)), [part.n_rows for part in parts])
    levels = [*(len(parts[0].levels[name]) for name in names), len(parts)]
    data = Dataset.from_codes(np.vstack([np.concatenate(codes, axis=1), group]), levels, [*names, _GROUP])
    p = len(names)
    free = Constraints(~np.eye(p, dtype=bool), ((),) * p, p - 1)
    return to_networkx(hill_climbing(SameOrDifferent(data), free, restarts=restarts), names)
