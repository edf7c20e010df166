"""Counts of all pairs of variables, taken in stripes and asked for their information, and what a count weighs.

A count adds ln n! or n ln n to a message length or a likelihood. Where rows belong together every count is divided by
the design effect d before it is weighed, so n stands for n / d. This is the one place where that is done for a search.
The information of an edge is then that of the divided counts: by n ln n exactly 1 / d of what it was (Rao & Scott's
correction of G), by ln n! nearly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from engine.counting import kernels, level_counts, pair_counts

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

MOST_TABLED = 1 << 22
"""Rows up to which the weights of all counts stand in a table; of more they are worked out where they are asked for."""
_CHUNK = 1 << 14  # numbers that are worked out in one go: they stay in the processor's cache


class Computed:
    """Weights without a table: `weights[counts]` gives what a table would, counts below 0 from its end.

    Parameters
    ----------
    function : of an array of counts
    n : the largest count
    effect : what every count is divided by first
    """

    def __init__(self, function: Callable[[np.ndarray], np.ndarray], n: int, effect: float = 1.0) -> None:
        self._function, self._n, self._effect = function, n, effect

    def __getitem__(self, counts: np.ndarray | int) -> np.ndarray:
        given = np.asarray(counts)
        return np.asarray(self._function(np.where(given < 0, given + self._n + 1, given) / self._effect))


Weights = np.ndarray | Computed


def log_factorials(n: int, effect: float = 1.0) -> np.ndarray:
    """(n + 1,) ln 0! to ln n!; summed in the widest floating type there is.

    Parameters
    ----------
    n : at least 0
    effect : what every count is divided by first
    """
    if effect != 1.0:
        return _log_factorial(np.arange(n + 1) / effect)
    result = np.zeros(n + 1)
    last = np.longdouble(0)
    for first in range(1, n + 1, _CHUNK):
        part = result[first : first + _CHUNK]
        logs = np.log(np.arange(first, first + len(part))).astype(np.longdouble)
        logs[0] += last
        np.cumsum(logs, out=logs)
        part[:], last = logs, logs[-1]
    return result


def entropy_terms(n: int, effect: float = 1.0) -> np.ndarray:
    """(n + 1,) k ln k for k = 0 to n, with 0 ln 0 = 0.

    Parameters
    ----------
    n : at least 0
    effect : what every count is divided by first
    """
    return _entropy_term(np.arange(n + 1) / effect)


def shared_log_factorials(n: int, effect: float = 1.0) -> Weights:
    """`log_factorials`, made once for all tables with so many rows, or `Computed` where they are very many.

    Parameters
    ----------
    n : rows
    effect : what every count is divided by first
    """
    return _tabled(log_factorials, n, effect) if n <= MOST_TABLED else Computed(_log_factorial, n, effect)


def shared_entropy_terms(n: int, effect: float = 1.0) -> Weights:
    """`entropy_terms`, made once for all tables with so many rows, or `Computed` where they are very many.

    Parameters
    ----------
    n : rows
    effect : what every count is divided by first
    """
    return _tabled(entropy_terms, n, effect) if n <= MOST_TABLED else Computed(_entropy_term, n, effect)


@lru_cache(maxsize=2)
def _tabled(function: Callable[[int, float], np.ndarray], n: int, effect: float) -> np.ndarray:
    return function(n, effect)  # writable, as kernels are compiled for; nobody writes


def _log_factorial(n: np.ndarray) -> np.ndarray:
    from scipy.special import gammaln

    return np.asarray(gammaln(n + 1))


def _entropy_term(n: np.ndarray) -> np.ndarray:
    return np.asarray(n * np.log(np.where(n > 0, n, 1)))


_STRIPE = 128  # planes whose pairs are counted in one go: bounds the memory, not the time
_FAR_STRIPE = 1 << 23  # counts in one go where every stripe is a pass over rows that are not in memory
MOST_KEPT = 2896
"""Bit planes up to which the counts of all their pairs are kept: 64 MiB."""

_LINES = 64  # variables whose pairs are told at a time: bounds the memory

Block = tuple[int, np.ndarray]


class PairCounts:
    """What any two variables of a table show together; variables as the data order them.

    Planes are numbered as `engine.counting.pair_counts` does: variable by variable, each level but the last.
    """

    def __init__(self, data: Dataset) -> None:
        self.data = data
        self.arity = data.arity
        self._kept = np.maximum(self.arity - 1, 0)
        ends = np.cumsum(self._kept)
        self.planes = int(ends[-1]) if len(ends) else 0
        self.starts = ends - self._kept
        """(p,) the first plane of each variable."""

    @property
    def small(self) -> bool:
        """Whether the counts of all pairs are kept."""
        return self.planes <= MOST_KEPT

    @property
    def counted(self) -> bool:
        """Whether they are there already."""
        return "_matrix" in self.__dict__

    @cached_property
    def levels(self) -> list[np.ndarray]:
        """Per variable (r,) counts of its levels."""
        if not self.counted:
            return level_counts(self.data)
        result = []
        for start, r in zip(self.starts.tolist(), self.arity.tolist(), strict=True):
            visible = self._matrix.diagonal()[start : start + max(r - 1, 0)]
            result.append(np.append(visible, self.data.n_rows - visible.sum())[:r])
        return result

    @cached_property
    def _matrix(self) -> np.ndarray:
        """(planes, planes) of a small table; what stands left of the diagonal says nothing."""
        result = np.zeros((max(self.planes, 1), self.planes), dtype=np.int64)
        for first, last in self._stripes():
            begin, end = self._span(first, last)
            result[begin:end] = pair_counts(self.data, begin, end)[: end - begin]
        return result

    def table(self, x: int, y: int) -> np.ndarray | None:
        """(r, s) counts of two different variables; None where the counts of all pairs are not there.

        Parameters
        ----------
        x, y : positions of two variables
        """
        if not self.counted:
            return None
        if x > y:
            result = self.table(y, x)
            return None if result is None else result.T
        r, s = max(int(self.arity[x]), 1), max(int(self.arity[y]), 1)
        a, b = int(self.starts[x]), int(self.starts[y])
        table = np.empty((r, s), dtype=np.int64)
        table[:-1, :-1] = self._matrix[a : a + r - 1, b : b + s - 1]
        table[:-1, -1] = self.levels[x][:-1] - table[:-1, :-1].sum(axis=1)
        table[-1] = self.levels[y] - table[:-1].sum(axis=0)
        return table

    def blocks(self, weights: Weights) -> Iterator[Block]:
        """The information of every pair without a separator, some variables with all later ones at a time.

        Parameters
        ----------
        weights : of counts

        Yields
        ------
        the first of k variables that stand side by side, and (k, p) what each of them and each later one tell of each
        other, 0 elsewhere; it holds until the next is asked for
        """
        p = len(self.arity)
        if not p:
            return
        matrix = self._matrix if self.small else None  # before the levels, which it holds
        flat = np.concatenate(self.levels)
        sizes = np.array([len(level) for level in self.levels])
        offsets = np.cumsum(sizes) - sizes
        total = self.data.n_rows
        for first, last in self._stripes():
            begin, end = (0, 0) if matrix is not None else self._span(first, last)
            counts = pair_counts(self.data, begin, end) if matrix is None else matrix
            for base in range(first, last, _LINES):
                block = np.zeros((min(_LINES, last - base), p))
                for a, line in enumerate(block, base):
                    row = int(self.starts[a]) - begin
                    if isinstance(weights, Computed):
                        self._computed(a, counts[row:], weights, line)
                    else:
                        kernels().pair_information(
                            a, counts, row, self.starts, self.arity, flat, offsets, weights, total, line
                        )
                yield base, block

    def _computed(self, a: int, counts: np.ndarray, weights: Computed, line: np.ndarray) -> None:
        """One line where weights are worked out: many at once."""
        own, r = self.levels[a], int(self.arity[a])
        for s in set(self.arity[a + 1 :].tolist()):
            later = np.flatnonzero(self.arity[a + 1 :] == s) + a + 1
            columns = np.stack([self.levels[b] for b in later.tolist()])
            tables = np.empty((len(later), r, s), dtype=np.int64)
            tables[:, :-1, :-1] = counts[: r - 1, self.starts[later][:, None] + np.arange(s - 1)].transpose(1, 0, 2)
            tables[:, :-1, -1] = own[:-1] - tables[:, :-1, :-1].sum(axis=2)
            tables[:, -1] = columns - tables[:, :-1].sum(axis=1)
            together = weights[tables].sum(axis=(1, 2)) - weights[columns].sum(axis=1)
            line[later] = together + float(weights[self.data.n_rows]) - float(weights[own].sum())

    def _stripes(self) -> Iterator[tuple[int, int]]:
        """Variables, the last not included, whose planes are counted in one go."""
        most = _STRIPE if self.data.in_memory else max(_STRIPE, _FAR_STRIPE // max(self.planes, 1))
        first = 0
        while first < len(self.arity):
            last = first + 1
            while last < len(self.arity) and self.starts[last] + self._kept[last] - self.starts[first] <= most:
                last += 1
            yield first, last
            first = last

    def _span(self, first: int, last: int) -> tuple[int, int]:
        """The planes of some variables that stand side by side, the last not included."""
        return int(self.starts[first]), int(self.starts[last - 1] + self._kept[last - 1])
