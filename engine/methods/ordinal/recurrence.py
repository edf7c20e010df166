"""How often links come back: when the rows are drawn again, and when only the seed is another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from engine.errors import DataError
from engine.graphs.dag import bits
from engine.graphs.pdag import Pdag
from engine.lazy import pd
from engine.measures.intervals import share_interval
from engine.methods import frames
from engine.methods.ordinal.settings import OrdinalSettings
from engine.methods.storing import storable

HALVES = 50
"""Halves of the rows that are learned again unless something else is asked for."""
HALVES_SHOWN = (10, 25, HALVES)
"""Half samples after which a picture is drawn with those so far."""
RETURNS_AT = 0.9
"""Below this share of half samples a link is pale, and an arrow is drawn as a line."""
DIRECTED_AT = 0.75
"""An averaged link is drawn as an arrow where so large a share of the networks that have it point that way."""


def origin_of(method: OrdinalSettings, fingerprint: str) -> tuple[str, str]:
    """Key of networks drawn again: the data, and the settings but for the seed and what is only told.

    Parameters
    ----------
    method : the settings
    fingerprint : of the data
    """
    return fingerprint, repr(replace(method, seed=0, bootstrap=0, margin=0.2))


@dataclass(frozen=True, eq=False)
class Recurrence:
    """Several networks over the same variables, counted.

    Attributes
    ----------
    names : the variables
    runs : how many networks
    links : (p, p) networks in which two variables are linked
    directed : (p, p) networks with an arrow [source, target]; a line counts a half each way
    classes : how many different networks there are
    seed : the first run's;  origin : what they were learned from, and with which settings
    """

    names: tuple[str, ...]
    runs: int
    links: np.ndarray
    directed: np.ndarray
    classes: int
    seed: int
    origin: tuple[str, str]

    @classmethod
    def of(cls, names: tuple[str, ...], result: Iterable[Pdag], seed: int, origin: tuple[str, str]) -> Self:
        """Count networks.

        Parameters
        ----------
        names, seed, origin : see the class
        result : the networks, by position in `names`
        """
        p = len(names)
        directed, kinds, runs = np.zeros((p, p)), set(), 0
        for graph in result:
            runs += 1
            kinds.add((tuple(graph.parents), tuple(graph.neighbours)))
            for child in range(p):
                directed[list(bits(graph.parents[child])), child] += 1.0
                directed[list(bits(graph.neighbours[child])), child] += 0.5
        links = np.rint(directed + directed.T).astype(np.int64)
        return cls(names, runs, links, directed, len(kinds), seed, origin)

    def share(self, a: str, b: str) -> float:
        """Share of the networks in which two variables are linked.

        Parameters
        ----------
        a, b : names
        """
        return float(self.links[self._place(a), self._place(b)]) / self.runs

    def directed_share(self, source: str, target: str) -> float:
        """Share of the networks with an arrow from one variable to another, a line counting a half.

        Parameters
        ----------
        source, target : names
        """
        return float(self.directed[self._place(source), self._place(target)]) / self.runs

    @property
    def directed_shares(self) -> np.ndarray:
        """(p, p) `directed_share` of every pair, from the row to the column."""
        return np.asarray(self.directed / self.runs)

    def interval(self, a: str, b: str) -> tuple[float, float]:
        """Jeffreys' 95 % interval of `share`.

        Parameters
        ----------
        a, b : names
        """
        low, high = share_interval(self.links[self._place(a), self._place(b)], self.runs)
        return float(low), float(high)

    def pairs(self) -> list[tuple[tuple[str, str], float]]:
        """Both ends of every pair that was ever linked, in column order, and its share; the surest first."""
        linked = [(self.names[i], self.names[j]) for i, j in np.argwhere(np.triu(self.links, 1)).tolist()]
        return sorted(((pair, self.share(*pair)) for pair in linked), key=lambda item: -item[1])

    def frame(self) -> pd.DataFrame:
        """One row a pair that was ever linked, the surest first.

        Returns
        -------
        pandas.DataFrame: source, target (the way it points more often), share, low, high (Jeffreys' 95 % interval),
        directed (share of the networks with that arrow, a line counting a half)
        """
        a, b = np.nonzero(np.triu(self.links, 1))
        turned = self.directed[b, a] > self.directed[a, b]
        source, target = np.where(turned, b, a), np.where(turned, a, b)
        low, high = share_interval(self.links[a, b], self.runs)
        ends = [(self.names[i], self.names[j]) for i, j in zip(source, target, strict=True)]
        result = frames.data_frame(ends, columns=["source", "target"]).assign(
            share=self.links[a, b] / self.runs, low=low, high=high, directed=self.directed[source, target] / self.runs
        )
        return result.sort_values("share", ascending=False, kind="stable", ignore_index=True)

    @cached_property
    def threshold(self) -> float:
        """The share above which a link is taken for one of the network: the L1 rule of Scutari & Nagarajan (2013).

        Were all links sure, every share would be 0 or 1, and their distribution function would be flat between. The
        flat one nearest to the function of the shares there are, in area, says what share of the pairs is not linked;
        the threshold is the share at which the function reaches that.
        """
        p = len(self.names)
        shares = np.sort(self.links[np.triu_indices(p, 1)] / self.runs)
        knots = np.unique(np.concatenate([[0.0], shares, [1.0]]))
        below = np.searchsorted(shares, knots[:-1], side="right") / len(shares)  # between one knot and the next
        widths = np.diff(knots)
        levels = np.unique(below)
        areas = [float((widths * np.abs(below - level)).sum()) for level in levels]
        flat = float(levels[int(np.argmin(areas))])
        return float(shares[min(int(np.ceil(flat * len(shares) - 1e-9)), len(shares)) - 1]) if flat > 0 else 0.0

    def averaged(self, threshold: float) -> Pdag:
        """The links that came back in a larger share of the networks; not a class of DAGs, and it may hold a circle.

        Parameters
        ----------
        threshold : from 0 to 1

        Returns
        -------
        `Pdag`; an arrow where three quarters of a link's networks point that way, else a line
        """
        p = len(self.names)
        graph = Pdag([0] * p, [0] * p, [0] * p)
        for a, b in zip(*np.nonzero(np.triu(self.links / self.runs > threshold, 1)), strict=True):
            i, j = int(a), int(b)
            graph.neighbours[i] |= 1 << j
            graph.neighbours[j] |= 1 << i
            if self.directed[i, j] >= DIRECTED_AT * self.links[i, j]:
                graph.direct(i, j)
            elif self.directed[j, i] >= DIRECTED_AT * self.links[i, j]:
                graph.direct(j, i)
        return graph

    def _place(self, name: str) -> int:
        if name not in self.names:
            raise DataError(f"There is no variable {name!r} in this network.")
        return self.names.index(name)


@storable
@dataclass(frozen=True, eq=False)
class EdgeStrength(Recurrence):
    """Networks of tables whose rows were drawn again with replacement: what other rows like these could have given."""


@storable
@dataclass(frozen=True, eq=False)
class HalfSamples(Recurrence):
    """Networks of random halves of the rows, drawn without replacement: how far links and directions hang on rows."""

    def returns(self, source: str, target: str) -> float:
        """Share of the networks with this link in which it points this way, a line counting a half; 0 without any.

        Parameters
        ----------
        source, target : names
        """
        a, b = self._place(source), self._place(target)
        return float(self.directed[a, b]) / int(self.links[a, b]) if self.links[a, b] else 0.0


@storable
@dataclass(frozen=True, eq=False)
class SeedStability(Recurrence):
    """Networks of the same table under other seeds: what is left to the draws, and says nothing of the rows."""
