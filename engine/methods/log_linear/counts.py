"""Counts of a table as the search asks for them, and the information of edges.

Positions are those of the variables in alphabetical order, so that ties go by name; the data keep their own order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np

from engine.counting.backend import kernels
from engine.counting.design_effect import design_effect_of
from engine.counting.numpy_counter import table_information as computed_information
from engine.counting.requests import (
    Additions,
    Request,
    level_counts,
    many_addition_counts,
    many_observed_counts,
    pair_counts,
)
from engine.data.dataset import Dataset
from engine.lazy import special
from engine.methods.fitting import check_counts, check_shape
from engine.methods.storing import storable

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
    return np.asarray(special.gammaln(n + 1))


def _entropy_term(n: np.ndarray) -> np.ndarray:
    return np.asarray(n * np.log(np.where(n > 0, n, 1)))


_STRIPE = 128  # planes whose pairs are counted in one go: bounds the memory, not the time
_FAR_STRIPE = 1 << 23  # counts in one go where every stripe is a pass over rows that are not in memory
MOST_KEPT = 2896
"""Bit planes up to which the counts of all their pairs are kept: 64 MiB."""

_LINES = 64  # variables whose pairs are told at a time: bounds the memory

Block = tuple[int, np.ndarray]


class PairCounts:
    """Counts of a table and of any two of its variables; variables as the data order them.

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
        """True where the counts of all pairs are kept."""
        return self.planes <= MOST_KEPT

    @property
    def counted(self) -> bool:
        """True where they are there already."""
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


_MOST_DENSE = 4096  # cells up to which a table is laid out whole
_AT_ONCE = 1 << 22  # cells that are counted in one go: bounds the memory


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
        sizes = (columns.max(axis=0, initial=0) + 1).tolist()
        if math.prod(sizes) > _MOST_DENSE:
            cells, inverse = np.unique(columns, axis=0, return_inverse=True)
            return Margin(tuple(variables), cells, np.bincount(inverse.ravel(), self.counts).astype(np.int64))
        flat = np.ravel_multi_index(tuple(columns.T), sizes)  # several times as quick as whole rows
        seen = np.flatnonzero(np.bincount(flat))
        cells = np.stack(np.unravel_index(seen, sizes), axis=1).astype(self.cells.dtype)
        return Margin(tuple(variables), cells, np.bincount(flat, self.counts)[seen].astype(np.int64))

    def ordered(self, variables: Sequence[int], arity: np.ndarray) -> Margin:
        """The same counts with the variables in another order."""
        if self.variables == tuple(variables):
            return self
        if self.cells_possible(arity) > _MOST_DENSE:
            return self.over(variables)
        axes = [self.variables.index(x) for x in variables]
        return margin_of(variables, self.dense(arity).transpose(axes))

    def cells_possible(self, arity: np.ndarray) -> float:
        """The number of cells that there could be, seen or not."""
        return math.prod(float(arity[x]) for x in self.variables)

    def weight(self, weights: Weights) -> float:
        """The sum of the weights of all cells."""
        return float(weights[self.counts].sum())

    def dense(self, arity: np.ndarray) -> np.ndarray:
        """The whole table, one axis a variable."""
        table = np.zeros([int(arity[x]) for x in self.variables], dtype=np.int64)
        table[tuple(self.cells.T)] = self.counts
        return table


class InformationRequest(NamedTuple):
    """A variable, others that it may be joined to, and what all of them are given."""

    a: int
    others: Sequence[int]
    given: Sequence[int]


class Counts:
    """The table by position in alphabetical order.

    Parameters
    ----------
    data : the table
    effect : the design effect that counts are divided by where they are weighed; the table's own where None
    """

    def __init__(self, data: Dataset, effect: float | None = None) -> None:
        self.data = data
        self.effect = design_effect_of(data) if effect is None else effect
        self.names = tuple(sorted(data.names))
        self.column = np.array([data.index(name) for name in self.names], dtype=np.int64)
        self.arity = data.arity[self.column]
        self.n_rows = data.n_rows
        self.pairs = PairCounts(data)

    @property
    def log_factorials(self) -> Weights:
        """ln k! for every count there can be."""
        return shared_log_factorials(self.n_rows, self.effect)

    @property
    def entropy_terms(self) -> Weights:
        """k ln k for every count there can be."""
        return shared_entropy_terms(self.n_rows, self.effect)

    @property
    def size(self) -> float:
        """The sample size: rows by themselves that would tell as much."""
        return self.n_rows / self.effect

    @property
    def margins(self) -> list[np.ndarray]:
        """The counts of every variable's levels, in the order of the data."""
        return self.pairs.levels

    @cached_property
    def place(self) -> np.ndarray:
        """(p,) the position of each variable, variables as the data order them."""
        result = np.empty(len(self.names), dtype=np.int64)
        result[self.column] = np.arange(len(self.names))
        return result

    def margin(self, variables: Sequence[int]) -> Margin:
        """The observed cells of some variables, counted where their counts are not there already."""
        return self.many_margins([variables])[0]

    def many_margins(self, groups: Sequence[Sequence[int]]) -> list[Margin]:
        """`margin` of many groups of variables: those that have to be counted in one pass."""
        result: dict[tuple[int, ...], Margin] = {}
        wanted = []
        for group in map(tuple, groups):
            if group not in result:
                dense = self._known(group)
                if dense is None:
                    wanted.append(group)
                else:
                    result[group] = margin_of(group, dense)
        counted = many_observed_counts(self.data, [self.column[list(group)].tolist() for group in wanted])
        result |= {group: Margin(group, *item) for group, item in zip(wanted, counted, strict=True)}
        return [result[tuple(group)] for group in groups]

    def known_or_counted(self, groups: Sequence[tuple[int, ...]], known: Iterable[Margin]) -> list[Margin]:
        """`many_margins`, where some tables are known already, their variables in any order."""
        wanted = {frozenset(group) for group in groups}
        tables: dict[frozenset[int], Margin] = {}
        for item in known:
            if (key := frozenset(item.variables)) in wanted and key not in tables:
                tables[key] = item
        missing = [group for group in dict.fromkeys(groups) if frozenset(group) not in tables]
        tables |= {frozenset(margin.variables): margin for margin in self.many_margins(missing)}
        return [tables[frozenset(group)].ordered(group, self.arity) for group in groups]

    def _known(self, group: tuple[int, ...]) -> np.ndarray | None:
        """The whole table of one variable or two, where it has been counted."""
        if len(group) == 1:
            return self.margins[self.column[group[0]]]
        return self.pairs.table(*self.column[list(group)].tolist()) if len(group) == 2 else None

    def all_pairs(self, weights: Weights) -> np.ndarray:
        """(p, p) symmetric: the information of all pairs without a separator; 0 on the diagonal."""
        result = np.zeros((len(self.names), len(self.names)))
        for first, block in self.pairs.blocks(weights):
            result[self.place[first : first + len(block)]] += block[:, self.column]
        return result + result.T  # every pair stands on one side only

    def information(self, a: int, others: Sequence[int], given: Sequence[int], weights: Weights) -> np.ndarray:
        """Information of `a` and each of `others` given the same variables: w(S+a+b) + w(S) - w(S+a) - w(S+b)."""
        return self.many_informations([InformationRequest(a, others, given)], weights)[0]

    def many_informations(self, wanted: Sequence[InformationRequest], weights: Weights) -> list[np.ndarray]:
        """`information` of many edges, in one pass as long as it fits."""
        wanted = [InformationRequest(a, others, sorted(given)) for a, others, given in wanted]
        informations = list[np.ndarray]()
        for part in self._parts(wanted):
            requests = [
                Request(int(self.column[a]), tuple(self.column[list(given)].tolist()), self.column[list(others)])
                for a, others, given in part
            ]
            tables = many_addition_counts(self.data, requests)
            informations += [self._information(item, table, weights) for item, table in zip(part, tables, strict=True)]
        return informations

    def _parts(self, requests: Sequence[InformationRequest]) -> Iterator[list[InformationRequest]]:
        """Tables that are counted in one go."""
        part, cells = list[InformationRequest](), 0
        for item in requests:
            widest = int(self.arity[list(item.others)].max(initial=1))
            own = len(item.others) * widest * math.prod(int(self.arity[x]) for x in (item.a, *item.given))
            if part and cells + own > _AT_ONCE:
                yield part
                part, cells = [], 0
            part.append(item)
            cells += own
        if part:
            yield part

    def _information(self, request: InformationRequest, counted: Additions | None, weights: Weights) -> np.ndarray:
        a, others, given = request
        if counted is None:
            return np.array([self._sparse(a, b, given, weights) for b in others])
        out = np.empty(len(others))
        r, levels = int(self.arity[a]), self.arity[list(others)]
        for s in set(levels.tolist()):
            members = np.flatnonzero(levels == s)
            out[members] = table_information(counted.tables, members, counted.configurations, r, s, weights)
        return out

    def _sparse(self, a: int, b: int, given: Sequence[int], weights: Weights) -> float:
        """The same where the whole table would be mostly empty."""
        whole = self.margin((*given, a, b))
        parts = [whole.over(group).weight(weights) for group in (given, (*given, a), (*given, b))]
        return whole.weight(weights) + parts[0] - parts[1] - parts[2]


def margin_of(variables: Sequence[int], dense: np.ndarray) -> Margin:
    """The cells that occur of a whole table, one axis a variable."""
    cells = np.argwhere(dense)
    return Margin(tuple(variables), cells, dense[tuple(cells.T)])


def table_information(tables: np.ndarray, members: np.ndarray, q: int, r: int, s: int, weights: Weights) -> np.ndarray:
    """(m,) information of two variables given others, from the flat (q, r, s) tables `members`."""
    result = np.empty(len(members))
    if isinstance(weights, Computed):
        computed_information(tables, members, q, r, s, weights, result)  # type: ignore[arg-type]
    else:
        kernels().table_information(tables, members, q, r, s, weights, result)
    return result
