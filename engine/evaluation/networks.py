"""A network found against the true one, when both are brought: over which variables, as what, and how they differ."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import networkx as nx
import numpy as np
import pandas as pd

from engine.errors import DataError
from engine.graphs.comparison import compare
from engine.graphs.pdag import cpdag
from engine.measures.structure import Agreement, Difference, adjacencies, arrowheads, difference

STATUS = {"same": "in truth and found", "only_a": "missed", "only_b": "extra", "reversed": "other direction"}


@dataclass(frozen=True, eq=False)
class Match:
    """Two networks over the variables of both.

    Attributes
    ----------
    truth, found : DiGraphs over the same variables in the same order; an undirected edge is a pair of opposite arcs
    only_truth, only_found : variables that one of the two files did not name
    """

    truth: nx.DiGraph
    found: nx.DiGraph
    only_truth: tuple[str, ...] = ()
    only_found: tuple[str, ...] = ()

    @cached_property
    def has_patterns(self) -> bool:
        """True where they can be compared by what data can tell: one is a DAG, the other a DAG or partly undirected."""
        dags = [nx.is_directed_acyclic_graph(graph) for graph in (self.truth, self.found)]
        return any(dags) and all(
            dag or _undirected(graph) for dag, graph in zip(dags, (self.truth, self.found), strict=True)
        )

    @cached_property
    def arrows(self) -> tuple[bool, bool]:
        """True where the truth has an arrow, and what was found has one; without both, directions say nothing."""
        truth, result = (_undirected(graph) < graph.number_of_edges() for graph in (self.truth, self.found))
        return truth, result

    @cached_property
    def adjacency(self) -> Agreement:
        """Links whatever their direction."""
        return adjacencies(self.found, self.truth).overall

    @cached_property
    def arrowhead(self) -> Agreement:
        """Arcs, right only in the right direction."""
        return arrowheads(self.found, self.truth).overall

    @property
    def most_edges(self) -> int:
        """Edges of the fuller of the two networks."""
        return max(self.adjacency.there, self.adjacency.found)

    @cached_property
    def difference(self) -> Difference:
        """Edges added, deleted and reversed."""
        return difference(self.found, self.truth)

    def as_patterns(self) -> Match:
        """The CPDAGs: arrowheads that no data could tell are gone; what has undirected edges already stays as it is."""
        if not self.has_patterns:
            raise DataError("These networks have no pattern: one has a circle of arcs, or both are no DAGs.")
        truth, result = (
            cpdag(item) if nx.is_directed_acyclic_graph(item) else item for item in (self.truth, self.found)
        )
        return Match(truth, result, self.only_truth, self.only_found)

    def keeping(self, scores: Mapping[frozenset[Hashable], float], least: float, larger: bool = True) -> Match:
        """Keep the arcs found with a score of at least so much (at most, where larger is worse), or without one."""
        sign = 1.0 if larger else -1.0
        result = self.found.copy()
        weak = {pair for pair, score in scores.items() if sign * score < sign * least}
        result.remove_edges_from([arc for arc in self.found.edges if frozenset(arc) in weak])
        return Match(self.truth, result, self.only_truth, self.only_found)

    def as_links(self) -> Match:
        """Both without directions."""
        truth, result = (graph.to_undirected().to_directed() for graph in (self.truth, self.found))
        return Match(truth, result, self.only_truth, self.only_found)

    def edges(self) -> pd.DataFrame:
        """Every edge of either once: from, to, direction in truth and in what was found, and what it is.

        Directions are "->", "<-" (as read from `source` to `target`), "--" or "" where there is none.
        """
        lines = [
            (a, b, _way(self.truth, a, b), _way(self.found, a, b), STATUS[status])
            for a, b, status in ((arc.source, arc.target, arc.status) for arc in compare(self.truth, self.found).arcs)
        ]
        table = pd.DataFrame(lines, columns=["source", "target", "truth", "found", "what"])
        order = {word: place for place, word in enumerate(("missed", "extra", "other direction", "in truth and found"))}
        return table.sort_values("what", key=lambda column: column.map(order), kind="stable", ignore_index=True)

    def measures(self) -> pd.DataFrame:
        """One line for links and one for arrowheads: right, wrong, missed, precision, recall, F."""
        parts = {"links": self.adjacency, "arrowheads": self.arrowhead}
        return pd.DataFrame(
            [
                {"of": name, "right": part.right, "wrong": part.wrong, "missed": part.missed}
                | {"precision": part.precision, "recall": part.recall, "F": part.f}
                for name, part in parts.items()
            ]
        )

    def pair_scores(
        self, scores: Mapping[frozenset[Hashable], float], larger: bool = True
    ) -> tuple[np.ndarray, np.ndarray]:
        """(pairs,) scores and whether a pair is linked in truth, for all pairs of variables."""
        names = list(self.truth.nodes)
        sign = 1.0 if larger else -1.0
        linked = {frozenset(arc) for arc in self.truth.edges}
        pairs = [frozenset(pair) for pair in combinations(names, 2)]
        result = [sign * scores[pair] if pair in scores else -np.inf for pair in pairs]
        return np.array(result), np.array([pair in linked for pair in pairs], dtype=bool)


def cuts(scores: Iterable[float], most: int) -> list[float]:
    """The distinct scores in order, at which what counts as found can be cut; of very many some at even distances."""
    known = sorted(set(scores))
    last = len(known) - 1
    return known if last < most else [known[round(last * i / most)] for i in range(most + 1)]


def nearest(cuts: Iterable[float], to: float) -> float:
    """The one nearest to a number; the first of two that are."""
    return min(cuts, key=lambda item: abs(item - to))


def matched(truth: nx.DiGraph, graph: nx.DiGraph) -> Match:
    """Both over the variables of either, in the order of the truth; a variable that one lacks has no edge there.

    Examples
    --------
    >>> import networkx as nx
    >>> match = matched(nx.DiGraph([("a", "b"), ("b", "c")]), nx.DiGraph([("b", "a"), ("b", "c")]))
    >>> match.adjacency
    Agreement(right=2, wrong=0, missed=0)
    >>> match.arrowhead
    Agreement(right=1, wrong=1, missed=1)
    """
    names = [*truth.nodes, *(name for name in graph.nodes if name not in truth)]
    if len(names) == len(truth) + len(graph):
        raise DataError("The two networks have no variable in common; check that both use the same names.")
    only_truth = tuple(str(name) for name in truth.nodes if name not in graph)
    only_found = tuple(str(name) for name in graph.nodes if name not in truth)
    return Match(_over(truth, names), _over(graph, names), only_truth, only_found)


def _over(graph: nx.DiGraph, names: list[str]) -> nx.DiGraph:
    whole = nx.DiGraph()
    whole.update(nodes=names, edges=graph.edges)
    return whole


def _way(graph: nx.DiGraph, source: str, target: str) -> str:
    there, back = graph.has_edge(source, target), graph.has_edge(target, source)
    return "--" if there and back else "->" if there else "<-" if back else ""


def _undirected(graph: nx.DiGraph) -> int:
    """Arcs that also go the other way."""
    return sum(graph.has_edge(b, a) for a, b in graph.edges)
