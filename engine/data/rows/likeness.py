"""Likeness of rows beyond chance: rows that share a value, rows that stand side by side, rows that are copies.

Two of the three are one statistic. With h the indicators of a row's levels, each less its share in the row's stratum,
K_rs = sum over variables of w_i <h_ri, h_si> says how alike rows r and s are, and T = sum_rs A_rs K_rs adds that up
over the pairs that A names. Where rows were put into places by chance inside their strata, mean and variance of T are
known exactly (Kazi-Aoual, Hitier, Sabatier & Lebreton 1995), so nothing is shuffled. w_i = 1 / standard deviation of
the part of variable i: T is a sum of z's.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.lazy import special

_BALANCED = -4.0
"""A variable whose z lies below was spread evenly on purpose, as visits 1, 2, 3 of every patient; it says nothing."""


class RowSimilarity(NamedTuple):
    """The likeness of rows.

    Attributes
    ----------
    p : probability of a sum of z's at least as large where rows are in their places by chance
    z : (p,) of every variable; NaN for those that tell nothing
    extent : mean over the variables that tell something of their part in T over its largest for neighbours: for these
        the correlation of a row with the next one
    """

    p: float
    z: np.ndarray
    extent: float = 0.0


class Pairs(NamedTuple):
    """The sums that a matrix A of pairs of n rows, centred by row and column, comes to.

    Attributes
    ----------
    n : rows
    trace, squares, diagonal : sum of its diagonal, of all squares, and of the diagonal's squares
    rank : where A is a projection, its rank; 0 where it is none
    """

    n: int
    trace: float
    squares: float
    diagonal: float
    rank: int = 0


def within_values(codes: np.ndarray, arity: np.ndarray, number: np.ndarray, strata: np.ndarray | None) -> RowSimilarity:
    """The test whether rows with one value of a column are alike: A_rs is 1 / m for two of the m rows with one value.

    The part of a variable is the sum of squares between values.
    """
    strata = np.zeros(codes.shape[1], dtype=np.int64) if strata is None else strata
    alone = number < 0
    number = np.where(alone, number.max(initial=0) + 1 + np.arange(len(number)), number)
    parts = []
    for stratum in np.unique(strata):
        rows = np.flatnonzero(strata == stratum)
        unit = np.unique(number[rows], return_inverse=True)[1]
        rows, unit = rows[np.argsort(unit, kind="stable")], np.sort(unit)
        size = np.bincount(unit).astype(float)
        n, many = len(rows), len(size)
        if n < 4 or many in (1, n):
            continue
        pairs = Pairs(n, many - 1.0, many - 1.0, float((size * (1 / size - 1 / n) ** 2).sum()), many - 1)
        starts = np.concatenate([[0], np.cumsum(size)[:-1]]).astype(np.int64)
        parts.append(_Part.of(codes[:, rows], arity, pairs, starts=starts, size=size))
    return _judged(parts, len(codes))


def side_by_side(codes: np.ndarray, arity: np.ndarray, strata: np.ndarray | None) -> RowSimilarity:
    """The test whether a row is like the next one of its stratum: A_rs is 1/2 for two neighbours.

    A variable that only rises or only falls says that the table is sorted by it, and is left out.
    """
    strata = np.zeros(codes.shape[1], dtype=np.int64) if strata is None else strata
    order = np.argsort(strata, kind="stable")
    x, s = codes[:, order].astype(np.int64), strata[order]
    inside = s[1:] == s[:-1]
    step = np.diff(x, axis=1)[:, inside]
    both = (step < 0).any(axis=1) & (step > 0).any(axis=1)
    parts = []
    for stratum in np.unique(s):
        part = x[:, s == stratum]
        n = part.shape[1]
        if n < 8:
            continue
        # A less its row means, column means plus its mean: ends have one neighbour, all others two
        degree = np.full(n, 1.0)
        degree[[0, -1]] = 0.5
        total = degree.sum()
        diagonal = -2 * degree / n + total / n**2
        squares = (n - 1) / 2 - 2 * (degree**2).sum() / n + (total / n) ** 2
        parts.append(_Part.of(part, arity, Pairs(n, float(diagonal.sum()), squares, float((diagonal**2).sum()))))
    result = _judged(parts, len(codes), np.logical_not(both))
    return result._replace(z=np.where(both, result.z, np.nan))


def _indicators(codes: np.ndarray, arity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n, D) whether a row has a level, of all levels of all variables, and where those of each variable begin."""
    begin = np.concatenate([[0], np.cumsum(arity)]).astype(np.int64)
    hot = np.zeros((codes.shape[1], int(begin[-1])), dtype=np.float32)
    hot[np.arange(len(hot))[:, None], codes.T.astype(np.int64) + begin[:-1]] = 1
    return hot, begin


@dataclass(frozen=True)
class _Part:
    """One stratum.

    Attributes
    ----------
    pairs : its matrix A
    value : (p,) the part of each variable in T, without weight
    gram : (D, D) <h_a, h_b> of all levels
    own : (p, n) <h_ri, h_ri>
    starts : (p + 1,) where the levels of a variable begin
    """

    pairs: Pairs
    value: np.ndarray
    gram: np.ndarray
    own: np.ndarray
    starts: np.ndarray

    @classmethod
    def of(
        cls,
        codes: np.ndarray,
        arity: np.ndarray,
        pairs: Pairs,
        starts: np.ndarray | None = None,
        size: np.ndarray | None = None,
    ) -> _Part:
        """Rows of one stratum, in the order of their units (which begin at `starts`) or as they stand."""
        p, n = codes.shape
        hot, begin = _indicators(codes, arity)
        share = hot.sum(axis=0, dtype=np.float64) / n
        gram = (hot.T @ hot).astype(np.float64) - n * np.outer(share, share)
        square = np.add.reduceat(share**2, begin[:-1])
        own = np.array([1 - 2 * share[begin[i] + codes[i]] + square[i] for i in range(p)])
        if starts is not None and size is not None:
            of_unit = np.add.reduceat(hot, starts, axis=0).astype(np.float64) - np.outer(size, share)
            value = np.add.reduceat((of_unit**2 / size[:, None]).sum(axis=0), begin[:-1])
        else:
            alike = (codes[:, 1:] == codes[:, :-1]).sum(axis=1)
            at = np.array([share[begin[i] + codes[i]] for i in range(p)])
            value = alike - at[:, 1:].sum(axis=1) - at[:, :-1].sum(axis=1) + (n - 1) * square
        return cls(pairs, value, gram, own, begin)

    def moments(self, weight: np.ndarray) -> tuple[float, float, float]:
        """Mean, variance and third central moment of the weighted sum over the variables."""
        root = np.sqrt(np.repeat(weight, np.diff(self.starts)))
        between = root[:, None] * self.gram * root
        squares = float((between**2).sum())
        trace = float(np.trace(between))
        mean, variance = permutation_moments(
            self.pairs, Pairs(self.pairs.n, trace, squares, float(((weight @ self.own) ** 2).sum()))
        )
        cubes = float(((between @ between) * between).sum()) if self.pairs.rank else 0.0
        return mean, variance, 8 * self.pairs.rank * cubes / (self.pairs.n - 1) ** 3

    def alone(self) -> tuple[np.ndarray, np.ndarray]:
        """(p,) means and variances of the variables, each by itself."""
        p = len(self.value)
        mean, variance = np.zeros(p), np.zeros(p)
        for i in range(p):
            block = self.gram[self.starts[i] : self.starts[i + 1], self.starts[i] : self.starts[i + 1]]
            own = Pairs(self.pairs.n, float(np.trace(block)), float((block**2).sum()), float((self.own[i] ** 2).sum()))
            mean[i], variance[i] = permutation_moments(self.pairs, own)
        return mean, variance


def permutation_moments(a: Pairs, b: Pairs) -> tuple[float, float]:
    """Mean and variance of sum_rs A_rs B_q(r)q(s) over all orders q of the rows."""
    n = a.n
    first = 2 * ((n - 1) * a.squares - a.trace**2) * ((n - 1) * b.squares - b.trace**2)
    first /= (n - 1) ** 2 * (n + 1) * (n - 2)

    def cross_term(pair: Pairs) -> float:
        return n * (n + 1) * pair.diagonal - (n - 1) * (pair.trace**2 + 2 * pair.squares)

    second = cross_term(a) * cross_term(b) / ((n + 1) * n * (n - 1) * (n - 2) * (n - 3))
    return a.trace * b.trace / (n - 1), max(first + second, 0.0)


def _judged(parts: Sequence[_Part], p: int, out: np.ndarray | None = None) -> RowSimilarity:
    """The sum of z's over strata and variables, without those flagged in `out`, and its p."""
    if not parts:
        return RowSimilarity(1.0, np.full(p, np.nan))
    value = np.sum([part.value for part in parts], axis=0)
    alone = [part.alone() for part in parts]
    mean, variance = np.sum([item[0] for item in alone], axis=0), np.sum([entry[1] for entry in alone], axis=0)
    varies = variance > 1e-9 * np.maximum(mean**2, 1e-9)
    z = np.where(varies, (value - mean) / np.sqrt(np.where(varies, variance, 1)), np.nan)
    tells = varies & ~(z < _BALANCED)
    if out is not None:
        tells &= ~out
    if not tells.any():
        return RowSimilarity(1.0, z)
    weight = np.where(tells, 1 / np.sqrt(np.where(varies, variance, 1)), 0.0)
    moments = np.sum([part.moments(weight) for part in parts], axis=0)
    score = (float(weight @ value) - moments[0]) / math.sqrt(moments[1])
    own = np.sum([part.own.sum(axis=1) for part in parts], axis=0)
    extent = float((value[tells] / own[tells]).mean())
    return RowSimilarity(_tail(score, moments[2] / moments[1] ** 1.5), z, extent)


def _tail(score: float, skew: float) -> float:
    """The upper tail of Pearson's third curve, of mean 0 and variance 1; the normal one where nothing is skew."""
    if skew < 1e-6:
        return math.erfc(score / math.sqrt(2)) / 2
    shape = 4 / skew**2
    return float(special.gammaincc(shape, max(shape + 2 * score / skew, 0.0)))


class Copies(NamedTuple):
    """Rows that are equal to another one.

    Attributes
    ----------
    bend, third : second and third difference of ln pairs at 0 variables that differ
    z_bend, z_third : these over their jackknife errors
    near : pairs that differ in one to three variables, for each pair of equal rows
    different : different rows
    fewest, most : rows that one of them stands for
    doubled : rows that have an equal one
    n : rows
    common : greatest number that divides how often each different row stands
    """

    bend: float
    third: float
    z_bend: float
    z_third: float
    near: float
    different: int
    fewest: int
    most: int
    doubled: int
    n: int
    common: int = 1

    @property
    def all_alike(self) -> bool:
        """True where each of many different rows stands twice or a multiple of it, or three times or a multiple, ..."""
        return self.common >= 2 and self.different >= _FEWEST_ALIKE

    @property
    def beyond_chance(self) -> bool:
        """True where more rows are equal than the variables give; a few doubled rows do not show."""
        if self.all_alike:
            return True
        if self.doubled < _LEAST_DOUBLED * self.n:
            return False
        least = min(self.bend, self.third)
        stands_out = least >= _LEAST_BEND and min(self.z_bend, self.z_third) >= _LEAST_Z
        return stands_out or self.near <= _FEW_NEAR


_FEWEST_ALIKE = 20
"""Different rows that all stand equally often: chance gives no such table."""
_BLOCKS = 20
"""Blocks of the jackknife."""
_LEAST_DOUBLED, _LEAST_BEND, _LEAST_Z, _FEW_NEAR = 0.1, 0.5, 4.0, 0.5
_MOST_PRODUCTS = 1e9
"""Multiplications for the pairs that are compared; they say how many rows are looked at."""
_LEAST_PAIRS = 30
"""Equal pairs below which it is not told how many others are near."""
_PILE = 0.05
"""A row that stands for more of all rows is a pile, such as no symptom at all; its pairs are not counted as equal."""
_FEWEST_VARIABLES = 4
_NEVER = 65_535


def copied_rows(codes: np.ndarray, exact: Sequence[np.ndarray] | None = None) -> Copies:
    """Equal rows beyond what the distribution gives, from how many pairs differ in 0, 1, 2 and 3 variables.

    ln of the pairs that differ in d variables, over the ways to choose these, bends slowly in d whatever the variables
    have to do with each other; copies add to d = 0 alone. So its second and third differences at 0 are asked, with
    their jackknife errors. (Pairs that differ in v, in w and in both, each by itself, call 58 of 60 tables of a common
    factor.)
    """
    generator = np.random.default_rng(0)
    codes = codes[[code.min() < code.max() for code in codes]] if codes.size else codes[:0]
    p, n = codes.shape
    row, each = different_rows(codes if exact is None else exact, n, generator)
    nothing = Copies(0.0, 0.0, 0.0, 0.0, np.inf, len(each), int(each.min(initial=n)), int(each.max(initial=0)), 0, n)
    nothing = nothing._replace(doubled=int(each[each > 1].sum()), common=int(np.gcd.reduce(each)))
    if p < _FEWEST_VARIABLES or nothing.doubled < _LEAST_DOUBLED * n or n < _BLOCKS:
        return nothing
    rows = generator.permutation(n)[: int(math.sqrt(_MOST_PRODUCTS / (codes.max(axis=1).sum() + p)))]
    whole, without = _pairs_by_distance(codes[:, rows], (each[row] > _PILE * n)[rows])
    ways = np.array([math.comb(p, d) for d in range(4)])
    log = np.log((np.vstack([whole, without]) + 0.5) / ways)
    bend, third = log[:, 0] - 2 * log[:, 1] + log[:, 2], log[:, 0] - 3 * log[:, 1] + 3 * log[:, 2] - log[:, 3]
    return nothing._replace(
        bend=float(bend[0]),
        third=float(third[0]),
        z_bend=_jackknife_z(bend),
        z_third=_jackknife_z(third),
        near=float(whole[1:].sum() / whole[0]) if whole[0] >= _LEAST_PAIRS else np.inf,
    )


def different_rows(
    values: Iterable[np.ndarray], n: int, generator: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """(n,) number of each row's content, and how many rows have it; contents are distinguished by 62-bit keys."""
    key = np.zeros(n, dtype=np.int64)
    for value in values:
        key += generator.integers(0, 1 << 62, int(value.max(initial=0)) + 1)[value]
    _, row, each = np.unique(key, return_inverse=True, return_counts=True)
    return row, each


def _pairs_by_distance(codes: np.ndarray, pile: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(4,) pairs of rows that differ in 0, 1, 2 and 3 variables, and (blocks, 4) the same without each block of rows.

    Equal rows that are flagged in `pile` are not counted.
    """
    p, n = codes.shape
    hot, _ = _indicators(codes, codes.max(axis=1).astype(np.int64) + 1)
    ends = np.linspace(0, n, _BLOCKS + 1).astype(np.int64)
    touched = np.zeros((_BLOCKS, 4))
    whole = np.zeros(4)
    for k in range(_BLOCKS):
        part = slice(ends[k], ends[k + 1])
        equal = (hot[part] @ hot.T).astype(np.uint16)
        equal[pile[part]] = np.where(equal[pile[part]] == p, _NEVER, equal[pile[part]])
        pairs, inner = (
            np.array([np.count_nonzero(some == p - d) for d in range(4)], dtype=float)
            for some in (equal, equal[:, part])
        )
        itself = np.count_nonzero(~pile[part])
        pairs[0] -= itself
        inner[0] -= itself
        touched[k] = pairs - inner / 2
        whole += pairs / 2
    return whole, whole - touched


def _jackknife_z(values: np.ndarray) -> float:
    """The first value over the error that the others, each without a block, give it."""
    left = values[1:]
    error = math.sqrt((_BLOCKS - 1) / _BLOCKS * float(((left - left.mean()) ** 2).sum()))
    return float(values[0]) / error if error > 0 else 0.0
