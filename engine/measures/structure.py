"""How near a network found is to the true one: adjacencies, arrowheads, and edges to add, delete and turn.

Both graphs are networkx DiGraphs over the same variables; an undirected edge of a CPDAG is a pair of opposite arcs.
Compare CPDAGs with CPDAGs: a DAG has arrowheads that no data could tell.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.graphs.comparison import compare
from engine.graphs.dag import positions_of
from engine.graphs.pdag import v_structures
from engine.lazy import nx


@dataclass(frozen=True)
class Agreement:
    """Counts of what was found of what is there.

    Attributes
    ----------
    right : found and there
    wrong : found but not there
    missed : there but not found
    """

    right: int
    wrong: int
    missed: int

    @property
    def found(self) -> int:
        """Number found, rightly or not."""
        return self.right + self.wrong

    @property
    def there(self) -> int:
        """Number there, found or not."""
        return self.right + self.missed

    @property
    def precision(self) -> float:
        """Share of what was found that is there; 0 where nothing was found."""
        return self.right / self.found if self.found else 0.0

    @property
    def recall(self) -> float:
        """Share of what is there that was found; not a number where nothing is there."""
        return self.right / self.there if self.there else math.nan

    @property
    def f(self) -> float:
        """Harmonic mean of precision and recall; see `f_measure`."""
        return f_measure(self.precision, self.recall)


class Split(NamedTuple):
    """The same measure for the edges at some variables, for all other edges, and for all."""

    inside: Agreement
    outside: Agreement
    overall: Agreement


@dataclass(frozen=True)
class Difference:
    """Changes from the true network to the one found; `total` is the structural Hamming distance."""

    added: int
    deleted: int
    reversed: int

    @property
    def total(self) -> int:
        """Added, deleted and reversed edges together."""
        return self.added + self.deleted + self.reversed


@dataclass(frozen=True)
class PatternRates:
    """Agreement of one pattern with another; see `patterns`.

    Attributes
    ----------
    right : edges found as they are, an edge that is undirected in one of the two alone counting half
    edges : edges found, whatever their direction
    missed : pairs joined in the truth and not in what was found
    there : P, edges of the truth
    """

    right: float
    edges: int
    missed: int
    there: int

    @property
    def wrong(self) -> float:
        """False positives: edges found less those that are right."""
        return self.edges - self.right

    @property
    def distance(self) -> float:
        """False positives and missed pairs together."""
        return self.wrong + self.missed

    @property
    def tpr(self) -> float:
        """Right edges over P; not a number where nothing is there."""
        return self.right / self.there if self.there else math.nan

    @property
    def fprp(self) -> float:
        """False positives over P, which can pass 1; not a number where nothing is there."""
        return self.wrong / self.there if self.there else math.nan


def f_measure(precision: float, recall: float) -> float:
    """Harmonic mean of precision and recall, 2PR / (P + R)."""
    return 2 * precision * recall / (precision + recall) if precision + recall != 0 else 0.0


def adjacencies(graph: nx.DiGraph, truth: nx.DiGraph, nodes: Collection[Hashable] = ()) -> Split:
    """Edges whatever their direction.

    Parameters
    ----------
    graph, truth : the network found and the true one, undirected edges both ways; compare CPDAGs with CPDAGs
    nodes : an edge is inside where either end is among them

    Returns
    -------
    `Split`: what was right, wrong and missed, for the edges inside, outside and overall

    Raises
    ------
    DataError : the graphs do not stand over the same variables

    Examples
    --------
    >>> import networkx as nx
    >>> truth, found = nx.DiGraph([("age", "cough")]), nx.DiGraph([("cough", "age")])
    >>> engine.measures.adjacencies(found, truth).overall
    Agreement(right=1, wrong=0, missed=0)
    """
    result, there = ({frozenset(arc) for arc in arcs} for arcs in _arcs(graph, truth))
    return _split(result, there, lambda ends: not ends.isdisjoint(nodes))


def arrowheads(graph: nx.DiGraph, truth: nx.DiGraph, nodes: Collection[Hashable] = ()) -> Split:
    """Directed edges, right only in the right direction.

    Parameters
    ----------
    graph, truth : the network found and the true one, undirected edges both ways; compare CPDAGs with CPDAGs
    nodes : an arc is inside where its head is among them

    Returns
    -------
    `Split`: what was right, wrong and missed, for the arcs inside, outside and overall

    Raises
    ------
    DataError : the graphs do not stand over the same variables

    Examples
    --------
    >>> import networkx as nx
    >>> truth, found = nx.DiGraph([("age", "cough")]), nx.DiGraph([("cough", "age")])
    >>> engine.measures.arrowheads(found, truth).overall
    Agreement(right=0, wrong=1, missed=1)
    """
    result, there = ({(a, b) for a, b in arcs if (b, a) not in arcs} for arcs in _arcs(graph, truth))
    return _split(result, there, lambda arc: arc[1] in nodes)


def difference(graph: nx.DiGraph, truth: nx.DiGraph) -> Difference:
    """Edges added, deleted and reversed; an arc against an undirected edge counts as reversed.

    Parameters
    ----------
    graph, truth : the network found and the true one, over the same variables, undirected edges both ways

    Returns
    -------
    `Difference`, whose `total` is the structural Hamming distance

    Raises
    ------
    DataError : the graphs do not stand over the same variables

    Examples
    --------
    >>> import networkx as nx
    >>> truth, found = nx.DiGraph([("age", "cough")]), nx.DiGraph([("cough", "age")])
    >>> engine.measures.difference(found, truth)
    Difference(added=0, deleted=0, reversed=1)
    """
    compared = compare(truth, graph)
    return Difference(*(len(compared.of(status)) for status in ("only_b", "only_a", "reversed")))


def patterns(graph: nx.DiGraph, truth: nx.DiGraph) -> PatternRates:
    """True positive rate and FPRp as in Luo, Moffa & Kuipers (2021), section 4.1, equation 21, of DAGs or CPDAGs.

    Both graphs become patterns first: the skeleton in which only the arcs of v-structures are directed. An edge is
    right where it is the same in both, half right where exactly one of the two is undirected (the paper's text calls
    that a true positive; its program, and so its figures, count a half), and not right where it is turned.

    Parameters
    ----------
    graph, truth : the network found and the true one, over the same variables, undirected edges both ways

    Returns
    -------
    `PatternRates`, with the rates `tpr` and `fprp` and the `distance`

    Raises
    ------
    DataError : the graphs do not stand over the same variables

    Examples
    --------
    >>> import networkx as nx
    >>> truth = nx.DiGraph([("age", "cough"), ("smoking", "cough")])
    >>> engine.measures.patterns(nx.DiGraph([("cough", "age"), ("smoking", "cough")]), truth).tpr
    0.5
    """
    pairs = [{frozenset(arc) for arc in arcs} for arcs in _arcs(graph, truth)]
    heads = [{(end, child) for a, child, b in v_structures(one) for end in (a, b)} for one in (graph, truth)]
    right = 0.0
    for a, b in pairs[0] & pairs[1]:
        found, true = ({(a, b), (b, a)} & arrows for arrows in heads)
        right += 1.0 if found == true else 0.5 if not found or not true else 0.0
    return PatternRates(right, len(pairs[0]), len(pairs[1] - pairs[0]), len(pairs[1]))


def _arcs(graph: nx.DiGraph, truth: nx.DiGraph) -> tuple[set[Any], set[Any]]:
    """The arcs of both; `DataError` where they do not stand over the same variables."""
    positions_of(graph, list(truth.nodes))
    return set(graph.edges), set(truth.edges)


def _split(result: set[Any], truth: set[Any], inside: Callable[[Any], bool]) -> Split:
    parts = [result & truth, result - truth, truth - result]
    within = [sum(map(inside, part)) for part in parts]
    sizes = [len(part) for part in parts]
    outside = [size - count for size, count in zip(sizes, within, strict=True)]
    return Split(Agreement(*within), Agreement(*outside), Agreement(*sizes))
