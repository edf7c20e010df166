"""The ranks of all edges that may come, in one matrix; a search of 3,000 variables holds 72 MB of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.graphs.dag import bits


class Candidate(NamedTuple):
    """An edge that may come, a < b, and its rank."""

    a: int
    b: int
    rank: float


class RankMatrix:
    """(p, p) symmetric ranks, -inf where an edge may not come.

    Every row knows its largest rank and where that stands, and looks for it again only where it may have changed, so
    that a step costs about what it changes. Ranks that lie nearer than the tolerance are equal.
    """

    def __init__(self, ranks: np.ndarray, tolerance: float) -> None:
        """`ranks` is kept and changed."""
        self.ranks, self.tolerance = ranks, tolerance
        self.count = sum(int(np.count_nonzero(row > -np.inf)) for row in ranks) // 2
        """How many edges may come."""
        self._column = ranks.argmax(axis=1) if len(ranks) else np.zeros(0, dtype=np.int64)
        self._largest = ranks.max(axis=1, initial=-np.inf)
        self._stale = np.zeros(len(ranks), dtype=bool)

    def best(self) -> Candidate | None:
        """The edge of largest rank, of equals the first in alphabetical order."""
        for row in np.flatnonzero(self._stale).tolist():
            self._column[row] = column = int(self.ranks[row].argmax())
            self._largest[row] = self.ranks[row, column]
        self._stale[:] = False
        largest = self._largest.max(initial=-np.inf)
        if largest == -np.inf:
            return None
        a = int(np.argmax(self._largest >= largest - self.tolerance))
        b = int(np.argmax(self.ranks[a] >= largest - self.tolerance))
        return Candidate(a, b, float(self.ranks[a, b]))

    def replace(self, a: int, others: np.ndarray, ranks: np.ndarray) -> None:
        """Give the edges between a variable and some others, which may come, a rank or another one."""
        self.count += int(np.count_nonzero(self.ranks[a, others] == -np.inf))
        self.ranks[a, others] = self.ranks[others, a] = ranks
        self._stale[a] = True
        self._stale[others[(self._column[others] == a) | (ranks > self._largest[others])]] = True

    def strike(self, side_a: int, side_b: int) -> None:
        """No edge may come any more between two sets of variables, as bit sets."""
        item, other = np.array(list(bits(side_a))), np.array(list(bits(side_b)))
        first, second = np.nonzero(self.ranks[np.ix_(item, other)] > -np.inf)
        a, b = item[first], other[second]
        self.count -= len(a)
        self.ranks[a, b] = self.ranks[b, a] = -np.inf
        self._stale[a[self._column[a] == b]] = True
        self._stale[b[self._column[b] == a]] = True

    def partners(self, a: int) -> np.ndarray:
        """The variables that one may be joined to."""
        return np.flatnonzero(self.ranks[a] > -np.inf)

    def best_rows(self, most: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Low ends, high ends and ranks of the edges in as many rows as the so many best ones can lie in."""
        largest = [np.round(row[a + 1 :].max(initial=-np.inf), 6) for a, row in enumerate(self.ranks)]
        rows = np.sort(np.argsort(-np.array(largest), kind="stable")[:most])
        low, high = np.nonzero(self.ranks[rows] > -np.inf)
        low = rows[low]
        low, high = low[low < high], high[low < high]
        return low, high, self.ranks[low, high]
