"""Candidates as a matrix: plain, and for criteria whose ranks change all over the table with every edge."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine.graphs.dag import bits
from engine.methods.log_linear.ranking.candidates import Best, Candidates


class MatrixCandidates(Candidates):
    """All ranks in `rank`, (p, p) symmetric, -inf where an edge may not come.

    `top[a]` is the largest rank in row a and `at[a]` where it stands.

    Parameters
    ----------
    rank : as above; kept and changed
    tolerance : as `Candidates` says
    """

    def __init__(self, rank: np.ndarray, tolerance: float) -> None:
        self.rank, self.tolerance = rank, tolerance
        self.count = int(np.count_nonzero(rank > -np.inf)) // 2
        n = len(rank)
        self.at = rank.argmax(axis=1) if n else np.zeros(0, np.int64)
        self.top = rank.max(axis=1, initial=-np.inf)
        self._stale = np.zeros(n, dtype=bool)

    def best(self) -> Best | None:
        """See `Candidates`."""
        self._look_again()
        largest = self.top.max(initial=-np.inf)
        if largest == -np.inf:
            return None
        a = int(np.argmax(self.top >= largest - self.tolerance))
        b = int(np.argmax(self.rank[a] >= largest - self.tolerance))
        return min(a, b), max(a, b), float(self.rank[a, b])

    def _look_again(self) -> None:
        rows = np.flatnonzero(self._stale)
        if len(rows):
            self.at[rows] = self.rank[rows].argmax(axis=1)
            self.top[rows] = self.rank[rows, self.at[rows]]
            self._stale[rows] = False

    def value(self, a: int, b: int) -> float:
        """See `Candidates`."""
        return float(self.rank[a, b])

    def place(self, a: int, b: int, rank: float) -> None:
        """See `Candidates`."""
        self.count += self.rank[a, b] == -np.inf
        self.rank[a, b] = self.rank[b, a] = rank
        self._stale[[a, b]] = True

    def strike(self, side_a: int, side_b: int) -> None:
        """See `Candidates`."""
        one, other = np.array(list(bits(side_a))), np.array(list(bits(side_b)))
        across = np.ix_(one, other)
        self.count -= int((self.rank[across] > -np.inf).sum())
        self.rank[across] = self.rank[np.ix_(other, one)] = -np.inf
        self._stale[one] = self._stale[other] = True

    def beside(self, a: int) -> Iterable[int]:
        """See `Candidates`."""
        return [int(b) for b in np.flatnonzero(self.rank[a] > -np.inf)]

    def listed(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """See `Candidates`."""
        a, b = np.nonzero(np.triu(self.rank > -np.inf, k=1))
        return a, b, self.rank[a, b]
