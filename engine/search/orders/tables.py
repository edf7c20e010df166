"""What order MCMC looks up: the score of every parent set within a variable's candidates, alone and with one more.

All of it comes from `additions`: asked about a set S of parents, a score answers for S and every further variable x.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from engine.graphs.dag import Parents
from engine.scores.local import BatchedScore, BoundScore
from engine.search.constraints import Constraints

_MOST_NUMBERS = 12_500_000
"""Numbers that the tables of all variables may hold: 100 MB."""
_HOPELESS = 50.0
"""A parent set this many nats below one of its own subsets gets no further parents: with counts, most sets are so."""
_LEAST_WEIGHT = 1e-12
"""One from outside that multiplies a sum by less than this is left out."""
_MOST_LOG_WEIGHT = 650.0
"""No weight is above e to this, so that sums of them stay finite; beyond it all else is nothing anyway."""


class Space(NamedTuple):
    """Scores of every variable after all sets of others, as `engine.counting.order_kernels` looks them up.

    Variable i has the rows from `variables[i, 0]`; bit b of a row's number stands for its candidate b. Entries of a row
    that stand for variables from outside lie from `starts[row]` to `starts[row + 1]`.

    Attributes
    ----------
    summing : whether the values are logarithms of sums, else they are the best
    variables : (p, w) int64 by variable: its first row, how many must come before it, how many candidates it has, then
        those and these
    values : (R,) by row: all subsets of the candidates in it, without one from outside
    starts : (R + 1,) int64
    outside : (E,) int64, the variable from outside
    weights : (E,) with it; best: the value, highest first; sums: as a multiple of the row's own sum
    """

    summing: bool
    variables: np.ndarray
    values: np.ndarray
    starts: np.ndarray
    outside: np.ndarray
    weights: np.ndarray


class Tables(NamedTuple):
    """Tables that a walk looks up of one child: `alone` and `wider` as of `FamilyTables`.

    Attributes
    ----------
    required : those that must come before it
    candidates, outside : variables that may be parents in any combination, and those of which one may join them
    """

    required: Sequence[int]
    candidates: Sequence[int]
    outside: np.ndarray
    alone: np.ndarray
    wider: np.ndarray


class FamilyTables:
    """The tables of one child.

    Attributes
    ----------
    candidates : variables that may be parents in any combination, in the order of their bits
    alone : (2^k,) score of the required parents and each subset of the candidates; -inf where that is too many, or
        more than a hopeless set
    wider : (2^k, p) the same with one further variable
    """

    def __init__(self, score: BoundScore, constraints: Constraints, child: int, candidates: list[int]) -> None:
        self.child = child
        self.required = constraints.required[child]
        self.candidates: list[int] = []
        self._score = score
        self._many_additions = score.many_additions if isinstance(score, BatchedScore) else None
        self._room = constraints.max_parents - len(self.required)
        self._among = constraints.allowed[child].copy()
        self._among[list(self.required)] = False
        self.alone = np.array([score.local(child, self.required)])
        if self._many_additions is not None:
            self._build(candidates)
            return
        self.wider = self._many(np.array([0]))
        for x in candidates:
            self.widen(x)

    def _build(self, candidates: list[int]) -> None:
        """The rows of all candidates, scored in one call; what `widen` would leave out is left out."""
        self.candidates = list(candidates)
        self.wider = self._many(np.arange(1 << len(candidates)))
        best = self.alone
        for x in candidates:
            half = len(self.alone)
            added = self.wider[:half, x]
            best = np.concatenate([best, np.maximum(over_subsets(added.copy(), np.maximum), best)])
            self.wider[half : 2 * half][added < best[half:] - _HOPELESS] = -np.inf
            self.alone = np.concatenate([self.alone, added])

    def widen(self, x: int) -> None:
        """One candidate more: the rows there are stay, and as many with it are added."""
        half = len(self.alone)
        self.candidates.append(x)
        self.alone = np.concatenate([self.alone, self.wider[:, x]])
        best = over_subsets(self.alone.copy(), np.maximum)
        rows = np.arange(half, 2 * half)
        more = np.full((half, self._score.n_variables), -np.inf)
        hopeful = self.alone[rows] >= best[rows] - _HOPELESS
        more[hopeful] = self._many(rows[hopeful])
        self.wider = np.concatenate([self.wider, more])

    def outside(self) -> np.ndarray:
        """The variables that may be a parent and are neither required nor candidates."""
        free = self._among.copy()
        free[self.candidates] = False
        return np.flatnonzero(free)

    def tables(self) -> Tables:
        """The arrays that a walk looks up."""
        return Tables(self.required, self.candidates, self.outside(), self.alone, self.wider)

    def members(self, row: int) -> list[int]:
        """The candidates in a row."""
        return [x for b, x in enumerate(self.candidates) if row >> b & 1]

    def best(self, earlier: np.ndarray) -> tuple[float, tuple[int, ...]]:
        """The best score, and its parents, among those `before` (p,) bool says are to be had."""
        allowed = sum(1 << b for b, x in enumerate(self.candidates) if earlier[x])
        rows = np.array([row for row in range(len(self.alone)) if not row & ~allowed])
        row = int(rows[self.alone[rows].argmax()])
        value, further = float(self.alone[row]), []
        free = self.outside()
        free = free[earlier[free]]
        if len(free):
            wider = self.wider[np.ix_(rows, free)]
            place = int(wider.argmax())
            if wider.flat[place] > value:
                value, row = float(wider.flat[place]), int(rows[place // len(free)])
                further = [int(free[place % len(free)])]
        return value, tuple(sorted([*self.required, *self.members(row), *further]))

    def _many(self, rows: np.ndarray) -> np.ndarray:
        """(m, p) scores of these rows with one further variable; in one call where the score can."""
        p = self._score.n_variables
        inside = (rows[:, None] >> np.arange(len(self.candidates))) & 1 == 1
        result = np.full((len(rows), p), -np.inf)
        open_ = np.flatnonzero(inside.sum(axis=1) < self._room)
        always = np.broadcast_to(np.array(self.required, dtype=np.int64), (len(open_), len(self.required)))
        chosen = np.where(inside[open_], np.array(self.candidates, dtype=np.int64), p)
        families = np.sort(np.concatenate([always, chosen], axis=1), axis=1)  # ascending, p where there is none
        sizes = (families < p).sum(axis=1)
        if self._many_additions is not None:
            result[open_] = self._many_additions(self.child, families, sizes, self._among)
        else:
            for place, family, size in zip(open_, families.tolist(), sizes.tolist(), strict=True):
                result[place] = self._score.additions(self.child, tuple(family[:size]), self._among)
        return result


def most_candidates(p: int, wanted: int) -> int:
    """Number of candidates that a variable may have, so that the tables of p variables fit into memory."""
    most = 1
    while most < wanted and p * p << (most + 1) <= _MOST_NUMBERS:
        most += 1
    return most


def space(families: Iterable[Tables], *, summing: bool) -> Space:
    """The tables of all variables as the walk looks them up."""
    variables, columns, first = [], [], 0
    for tables in families:
        variables.append([first, len(tables.required), len(tables.candidates), *tables.required, *tables.candidates])
        columns.append(_rows(tables, summing))
        first += len(tables.alone)
    width = max(map(len, variables))
    values, lengths, outside, weights = map(np.concatenate, zip(*columns, strict=True))
    rows = np.array([[*row, *[0] * (width - len(row))] for row in variables], dtype=np.int64)
    return Space(summing, rows, values, np.concatenate([[0], lengths.cumsum()]), outside, weights)


def _rows(tables: Tables, summing: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Of every row its value, how many from outside count in it, and those with their weights."""
    both: Callable[..., np.ndarray] = np.logaddexp if summing else np.maximum
    own = over_subsets(tables.alone.copy(), both)
    wider = over_subsets(tables.wider.take(tables.outside, axis=1), both)
    if summing:
        weight = np.exp(np.minimum(wider - own[:, None], _MOST_LOG_WEIGHT))
        rows, positions = np.nonzero(weight > _LEAST_WEIGHT)
        chosen = weight[rows, positions]
    else:
        rows, positions = np.nonzero(wider > own[:, None])
        chosen = wider[rows, positions]
    order = np.lexsort((positions, -chosen, rows))  # highest first, so that the first to be had is the best
    return own, np.bincount(rows, minlength=len(own)), tables.outside[positions[order]], chosen[order]


def over_subsets(table: np.ndarray, both: Callable[..., np.ndarray]) -> np.ndarray:
    """Put into every row what all rows of its subsets hold, in place.

    Parameters
    ----------
    table : (2^k, ...) by subset of k candidates
    both : of two values
    """
    bit = 1
    while bit < len(table):
        halves = table.reshape(len(table) // (2 * bit), 2, bit, *table.shape[1:])
        halves[:, 1] = both(halves[:, 0], halves[:, 1])
        bit *= 2
    return table


def best_dag(families: list[FamilyTables], order: np.ndarray) -> tuple[float, Parents]:
    """The best DAG that an order allows within the tables, and its score."""
    earlier = np.zeros(len(families), dtype=bool)
    total, parents = 0.0, [()] * len(families)
    for child in order.tolist():
        value, parents[child] = families[child].best(earlier)
        total += value
        earlier[child] = True
    return total, tuple(parents)
