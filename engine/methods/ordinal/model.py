"""The network of an ordinal analysis and the normal values behind it; what is said of it stands in `result`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.graphs import dag, pdag
from engine.graphs.pdag import Pdag
from engine.methods.ordinal.effects import Link, link
from engine.methods.ordinal.recurrence import RETURNS_AT, EdgeStrength, HalfSamples, SeedStability
from engine.methods.ordinal.structural_em import Round
from engine.methods.result import Made

if TYPE_CHECKING:
    import networkx as nx
    import pandas as pd

Pair = tuple[str, str]
NEARLY_COPIES = 0.97
"""Pairwise correlation from which two variables say nearly the same."""


@dataclass(frozen=True, eq=False, repr=False)
class OrdinalModel:
    """What was learned; positions are those of `names`.

    Attributes
    ----------
    method : the settings
    names : the variables, in column order
    fingerprint, made : of the data set
    levels : name -> its levels, from low to high
    counts : name -> (L,) rows of each level
    cuts : name -> (L - 1,) thresholds of the hidden normal value
    n_rows, n_gaps : rows, and missing answers
    cpdag : the class of networks;  parents : of every variable in one DAG of it
    matrices : "start" (pairwise polychoric, as the fit began), "statistic" (on which the network was found), "fitted"
        (what it implies), "pairs" (pairwise polychoric, on which links are judged), "variances" (of these), "answered"
        (rows that have both answers), "effects" (design effect of every link, where rows belong together)
    information : share of what hidden values would tell of a link that the levels keep
    log_likelihood : of the answers under the fitted correlations, natural logarithm; not a number where no hidden
        values were fitted
    lifted : whether the pairwise correlations had to be made to fit together
    rounds : of the EM;  criterion : of the one that is kept
    exact : whether `parents` have exactly the arrows of the class; not so where the tests of a PC search contradict
        each other
    warnings : about the levels
    predicting : of an approach without an order, the tables of shares it predicts by
    strength, seeds, halves : networks of rows drawn again, of other seeds, and of halves of the rows, where they were
        asked for
    effect : the design effect that rows were divided by; 1 where every row is its own
    subject, subjects : the column that says which rows belong together, and how many it tells apart; "" and 0 for none
    alone, unjudged : rows without a subject, and whether the subjects are too few for anything to be said of links
    """

    method: Any
    names: tuple[str, ...]
    fingerprint: str
    made: Made
    levels: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, np.ndarray]
    cuts: Mapping[str, np.ndarray]
    n_rows: int
    n_gaps: int
    cpdag: Pdag
    parents: tuple[tuple[int, ...], ...]
    matrices: Mapping[str, np.ndarray]
    information: float
    log_likelihood: float
    lifted: bool
    rounds: tuple[Round, ...]
    warnings: tuple[str, ...]
    criterion: float = math.nan
    exact: bool = True
    predicting: tuple[np.ndarray, ...] = ()
    strength: EdgeStrength | None = None
    seeds: SeedStability | None = None
    halves: HalfSamples | None = None
    effect: float = 1.0
    subject: str = ""
    subjects: int = 0
    alone: int = 0
    unjudged: bool = False

    @property
    def effective_rows(self) -> float:
        """Rows of hidden values that would tell as much as these rows of levels, for a pair on the average."""
        return self.information * self.size

    @property
    def size(self) -> float:
        """Rows by themselves that would tell as much as these."""
        return self.n_rows / self.effect

    @property
    def undecided(self) -> bool:
        """Whether rows belong to so few subjects that no link can be judged."""
        return self.unjudged

    @cached_property
    def graph(self) -> nx.DiGraph:
        """The class of networks: arrows one way, lines both ways."""
        return pdag.to_networkx(self.cpdag, self.names)

    @cached_property
    def dag(self) -> nx.DiGraph:
        """One network of the class; the direction of a line is arbitrary in it. See `exact` for that of a PC search."""
        return dag.to_networkx(self.parents, self.names)

    @property
    def correlation(self) -> pd.DataFrame:
        """Correlations of the hidden values that the network implies, by name."""
        return self._frame("fitted")

    @property
    def start(self) -> pd.DataFrame:
        """Polychoric correlation of every pair by itself, by name; lifted where they did not fit together."""
        return self._frame("start")

    @property
    def statistic(self) -> pd.DataFrame:
        """Correlations on which the network was found, by name."""
        return self._frame("statistic")

    def _frame(self, which: str) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(self.matrices[which], index=list(self.names), columns=list(self.names))

    @property
    def thresholds(self) -> dict[str, tuple[float, ...]]:
        """name -> where the hidden normal value is cut, from low to high."""
        return {name: tuple(self.cuts[name].tolist()) for name in self.names}

    @property
    def shares(self) -> dict[str, tuple[float, ...]]:
        """name -> share of the rows that each level holds, of those with an answer."""
        return {name: tuple((self.counts[name] / self.counts[name].sum()).tolist()) for name in self.names}

    @cached_property
    def edge_pairs(self) -> tuple[tuple[Pair, bool], ...]:
        """Both ends of every link, and whether it has a direction; of a line the earlier column comes first."""
        found = []
        for i, name in enumerate(self.names):
            for j in dag.bits(self.cpdag.children[i]):
                found.append(((name, self.names[j]), True))
            for j in dag.bits(self.cpdag.neighbours[i]):
                if i < j:
                    found.append(((name, self.names[j]), False))
        return tuple(found)

    @cached_property
    def drawn_pairs(self) -> tuple[tuple[Pair, bool], ...]:
        """`edge_pairs`, where an arrow that too few halves of the rows turn alike has no direction."""
        halves = self.halves
        if halves is None:
            return self.edge_pairs
        return tuple((pair, directed and halves.returns(*pair) >= RETURNS_AT) for pair, directed in self.edge_pairs)

    @property
    def n_links(self) -> int:
        """How many links there are."""
        return len(self.edge_pairs)

    @cached_property
    def families(self) -> tuple[tuple[int, int, tuple[int, ...]], ...]:
        """Of every pair in column order a possible parent, its child, and the child's other parents, by position."""
        p = len(self.names)
        alphabet = sorted(range(p), key=lambda i: self.names[i])
        places = [alphabet.index(i) for i in range(p)]  # so that the order of the columns decides nothing
        order = dag.topological_order(self.parents, places)
        rank = {x: place for place, x in enumerate(order)}
        found = []
        for i in range(p):
            for j in range(i + 1, p):
                source, child = (i, j) if rank[i] < rank[j] else (j, i)
                given = tuple(x for x in sorted(self.parents[child], key=places.__getitem__) if x != source)
                found.append((source, child, given))
        return tuple(found)

    @cached_property
    def links(self) -> dict[Pair, Link]:
        """What is known of every pair of variables, linked or not, by the ends in column order."""
        found = {}
        for source, child, given in self.families:
            a, b = sorted((source, child))
            found[self.names[a], self.names[b]] = link(
                self.matrices["pairs"],
                self.matrices["variances"],
                source,
                child,
                given,
                float(self.matrices["answered"][source, child]),
                len(self.families),
                float(self.matrices["effects"][source, child]) if "effects" in self.matrices else 1.0,
                self.subjects,
            )
        return found

    @cached_property
    def copies(self) -> tuple[Pair, ...]:
        """Pairs whose hidden values are nearly the same, or nearly each other's reverse."""
        near = np.argwhere(np.triu(np.abs(self.matrices["pairs"]) > NEARLY_COPIES, 1))
        return tuple((self.names[i], self.names[j]) for i, j in near.tolist())

    def link(self, a: str, b: str) -> Link:
        """What is known of two variables.

        Parameters
        ----------
        a, b : names, in either order
        """
        return self.links[(a, b) if (a, b) in self.links else (b, a)]
