"""Counts of a table as the search asks for them, and the weights that turn counts into message lengths or likelihoods.

Positions are those of the variables in alphabetical order, so that ties go by name; the data keep their own order.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from engine.counting import addition_counts, configuration_codes, family_counts, kernels
from engine.methods.fitting import check_counts, check_shape
from engine.methods.storing import storable

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

_MOST_DENSE = 4096  # cells up to which a table is counted whole
_STRIPE = 128  # planes whose pairs are counted in one go: bounds the memory, not the time


def log_factorials(n: int) -> np.ndarray:
    """(n + 1,) ln 0! to ln n!; summed in the widest floating type there is."""
    found = np.zeros(n + 1)
    found[1:] = np.cumsum(np.log(np.arange(1, n + 1)), dtype=np.longdouble)
    return found


def entropy_terms(n: int) -> np.ndarray:
    """(n + 1,) k ln k for k = 0 to n, with 0 ln 0 = 0."""
    k = np.arange(n + 1)
    return np.asarray(k * np.log(np.maximum(k, 1)))


@storable
@dataclass(frozen=True, eq=False)
class Margin:
    """The observed cells of some variables: (J, k) codes and (J,) counts."""

    variables: tuple[int, ...]
    cells: np.ndarray
    counts: np.ndarray

    def _check_read(self) -> None:
        """Nothing where what a file holds fits together, `DataError` elsewhere."""
        check_shape(self.cells, None, len(self.variables))
        check_shape(self.counts, len(self.cells))
        check_counts(self.counts)

    def over(self, variables: Sequence[int]) -> Margin:
        """The margin of fewer of the variables."""
        columns = self.cells[:, [self.variables.index(x) for x in variables]]
        if not columns.shape[1]:
            return Margin((), np.zeros((1, 0), dtype=np.int64), self.counts.sum(keepdims=True))
        cells, inverse = np.unique(columns, axis=0, return_inverse=True)
        return Margin(tuple(variables), cells, np.bincount(inverse.ravel(), self.counts).astype(np.int64))

    def cells_possible(self, arity: np.ndarray) -> float:
        """How many cells there could be, seen or not."""
        return math.prod(float(arity[x]) for x in self.variables)

    def weight(self, weights: np.ndarray) -> float:
        """The sum of the weights of all cells."""
        return float(weights[self.counts].sum())

    def dense(self, arity: np.ndarray) -> np.ndarray:
        """The whole table, one axis a variable."""
        table = np.zeros([int(arity[x]) for x in self.variables], dtype=np.int64)
        table[tuple(self.cells.T)] = self.counts
        return table


class Counts:
    """The table by position in alphabetical order."""

    def __init__(self, data: Dataset) -> None:
        self.data = data
        self.names = tuple(sorted(data.names))
        self.column = np.array([data.index(name) for name in self.names], dtype=np.int64)
        self.arity = data.arity[self.column]
        self.n_rows = data.n_rows

    @cached_property
    def log_factorials(self) -> np.ndarray:
        """ln k! for every count there can be."""
        return log_factorials(self.n_rows)

    @cached_property
    def entropy_terms(self) -> np.ndarray:
        """k ln k for every count there can be."""
        return entropy_terms(self.n_rows)

    @cached_property
    def margins(self) -> list[np.ndarray]:
        """The counts of every variable's levels, in the order of the data."""
        planes = self.data.planes
        counted = np.bitwise_count(planes.words).sum(axis=1, dtype=np.int64)
        found = []
        for start, r in zip(planes.starts.tolist(), self.data.arity.tolist(), strict=True):
            shown = counted[start : start + max(r - 1, 0)]
            found.append(np.append(shown, self.n_rows - shown.sum())[:r])
        return found

    def margin(self, variables: Sequence[int]) -> Margin:
        """The observed cells of some variables, counted."""
        variables = tuple(variables)
        columns = self.column[list(variables)]
        if variables and math.prod(float(r) for r in self.arity[list(variables)]) <= _MOST_DENSE:
            table = family_counts(self.data, int(columns[-1]), columns[:-1].tolist())
            dense = table.reshape([int(r) for r in self.arity[list(variables)]])
            cells = np.argwhere(dense)
            return Margin(variables, cells, dense[tuple(cells.T)])
        code, q = configuration_codes(self.data, columns.tolist())
        counts = np.bincount(code, minlength=q)
        first = np.full(q, -1, dtype=np.int64)
        first[code[::-1]] = np.arange(self.n_rows - 1, -1, -1)
        seen = np.flatnonzero(first >= 0)
        if not self.n_rows:
            return Margin(variables, np.zeros((0, len(variables)), dtype=np.int64), np.zeros(0, dtype=np.int64))
        cells = self.data.codes[columns][:, first[seen]].T.astype(np.int64)
        return Margin(variables, cells, counts[seen].astype(np.int64))

    def all_pairs(self, weights: np.ndarray) -> np.ndarray:
        """(p, p) symmetric: the information of all pairs without a separator; 0 on the diagonal."""
        p = len(self.names)
        planes = self.data.planes
        flat = np.concatenate(self.margins) if p else np.zeros(0, np.int64)
        arity = self.data.arity
        offsets = np.concatenate([[0], np.cumsum(arity)[:-1]]).astype(np.int64) if p else arity
        place = np.empty(p, dtype=np.int64)
        place[self.column] = np.arange(p)
        found, line = np.zeros((p, p)), np.zeros(p)
        first = 0
        while first < p:
            last = first + 1
            while last < p and planes.starts[last] + arity[last] - 1 - planes.starts[first] <= _STRIPE:
                last += 1
            begin, end = int(planes.starts[first]), int(planes.starts[last - 1] + max(arity[last - 1] - 1, 0))
            counts = np.zeros((max(end - begin, 1), len(planes.words)), dtype=np.int64)
            kernels().plane_pairs(planes.words, begin, end, counts)
            for a in range(first, last):
                kernels().pair_information(
                    a, counts, int(planes.starts[a]) - begin, planes.starts, arity, flat, offsets, weights,
                    self.n_rows, line,
                )  # fmt: skip
                found[place[a], place[a + 1 :]] = found[place[a + 1 :], place[a]] = line[a + 1 :]
            first = last
        return found

    def information(self, a: int, others: Sequence[int], given: Sequence[int], weights: np.ndarray) -> np.ndarray:
        """Information of `a` and each of `others` given the same variables: w(S+a+b) + w(S) - w(S+a) - w(S+b)."""
        others, given = list(others), sorted(given)
        columns = self.column[others]
        parents = tuple(self.column[given].tolist())
        counted = addition_counts(self.data, int(self.column[a]), parents, columns)
        if counted is None:
            return np.array([self._sparse(a, b, given, weights) for b in others])
        out = np.empty(len(others))
        r = int(self.arity[a])
        for s in set(self.arity[others].tolist()):
            members = np.flatnonzero(self.arity[others] == s)
            found = np.empty(len(members))
            kernels().table_information(counted.tables, members, counted.configurations, r, s, weights, found)
            out[members] = found
        return out

    def _sparse(self, a: int, b: int, given: Sequence[int], weights: np.ndarray) -> float:
        """The same where the whole table would be mostly empty."""
        whole = self.margin((*given, a, b))
        parts = [whole.over(group).weight(weights) for group in (given, (*given, a), (*given, b))]
        return whole.weight(weights) + parts[0] - parts[1] - parts[2]

    def degrees(self, a: int, b: int, given: Sequence[int]) -> float:
        """Degrees of freedom of the edge: (r_a - 1)(r_b - 1) times the configurations of the separator."""
        return (self.arity[a] - 1.0) * (self.arity[b] - 1.0) * math.prod(float(self.arity[x]) for x in given)
