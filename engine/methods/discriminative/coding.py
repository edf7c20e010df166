"""Numbers made codes: cut points from training points alone, and which points a way of cutting can use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from engine.counting.by_group import Slices, family_counts, pair_counts
from engine.data.dataset import Dataset
from engine.data.preparing.binning import interval_codes, quantile_cuts
from engine.errors import SettingsError
from engine.methods.discriminative.points import Points, checked, compared_alike, only, points_of, quoted
from engine.methods.storing import storable
from engine.text import told

if TYPE_CHECKING:
    from engine.methods.discriminative.settings import DiscriminativeSettings


def prepared_points(data: Dataset, method: DiscriminativeSettings) -> Points:
    """The points of a data set that can be learned from by these settings: those with a class and an observation.

    Where the classes' series are of unlike length they are made comparable, see `compared_alike`.
    """
    points = points_of(data, method.target)
    if not points.series and method.discretise in ("series", "differences"):
        raise SettingsError(
            f"discretise={method.discretise!r} needs several steps a subject; of rows take 'quantiles'.",
            setting="discretise",
        )
    points = observed(points, method.discretise)
    usable = (points.labels >= 0) & (points.lengths > 0)
    if usable.all():
        return compared_alike(points)
    lost = quoted(name for name, keep in zip(points.ids, usable, strict=True) if not keep)
    words = told("Left out, without a class or without a step that can be used: {}.", lost)
    return compared_alike(checked(only(points, usable, words), method.target))


def observed(points: Points, way: str) -> Points:
    """The same points with the observations that this way of cutting numbers can use: changes need a step before."""
    if way != "differences":
        return points
    keep = np.ones(len(points.before), dtype=bool)
    for i, numbers in enumerate(points.numbers):
        if numbers is not None:
            change = points.change(i)
            keep &= np.isfinite(change[points.before]) & np.isfinite(change[points.after])
    if keep.all():
        return points
    return replace(points, before=points.before[keep], after=points.after[keep], point=points.point[keep])


@storable
@dataclass(frozen=True, eq=False)
class Coding:
    """The cuts by which numbers become codes, fitted to some points.

    Attributes
    ----------
    way : "quantiles" of all of them, "series" (quantiles of each point's own), "differences" or "given"
    arity : (p,) levels of each variable; the last one is for rows without a number where there are any
    cuts : cut points of each variable, empty where its codes stay as they are
    absent : (p,) whether there is such a last one
    """

    way: str
    arity: np.ndarray
    cuts: tuple[np.ndarray, ...]
    absent: np.ndarray


def fit_coding(points: Points, training: np.ndarray, way: str, levels: int) -> Coding:
    """Cut points from the training points alone; classes are not looked at."""
    p = len(points.names)
    cuts, arity, absent = [np.zeros(0)] * p, np.ones(p, dtype=np.int64), np.zeros(p, dtype=bool)
    used = np.zeros(len(points.rows), dtype=bool)
    used[points.before] = used[points.after] = True
    for i in range(p):
        if _as_given(points, i, way):
            arity[i] = len(points.levels[i]) or int(points.codes[i].max(initial=0)) + 1
            continue
        column = _column(points, i, way)
        absent[i] = bool((~np.isfinite(column) & used).any())
        seen = column[training[points.row_point] & np.isfinite(column)]
        if way != "series" and len(seen):
            cuts[i] = np.array(quantile_cuts(seen, levels))
        arity[i] = (levels if way == "series" else len(cuts[i]) + 1) + absent[i]
    return Coding(way, arity, tuple(cuts), absent)


def as_given(points: Points, way: str) -> np.ndarray:
    """(p,) whether a variable's codes are those of the data set; what was made here never had any."""
    return np.array([_as_given(points, i, way) for i in range(len(points.names))], dtype=bool)


def _as_given(points: Points, i: int, way: str) -> bool:
    return points.numbers[i] is None or (way == "given" and bool(points.levels[i]))


def _column(points: Points, i: int, way: str) -> np.ndarray:
    """(n,) what is cut: the numbers of a variable, or how they changed since the step before."""
    return points.change(i) if way == "differences" else points.column(i)


def coded(points: Points, coding: Coding) -> tuple[Slices, np.ndarray]:
    """The observations of all points by a coding, and whose each is."""
    wide = np.uint8 if coding.arity.max(initial=1) <= 256 else np.uint32
    codes = np.empty(points.codes.shape, dtype=wide)
    for i, numbers in enumerate(points.numbers):
        if numbers is None or _as_given(points, i, coding.way):
            codes[i] = points.codes[i]
        elif coding.way in ("quantiles", "given"):  # distinct values are cut, and rows look theirs up
            codes[i] = _cut(numbers.values, coding, i).astype(wide)[numbers.places]
        elif coding.way == "series":
            codes[i] = _own_quantiles(points, numbers.column, coding, i)
        else:
            codes[i] = _cut(_column(points, i, coding.way), coding, i)
    if not points.series:
        return Slices(codes, codes, coding.arity), points.point
    return Slices(codes[:, points.before], codes[:, points.after], coding.arity), points.point


def _cut(values: np.ndarray, coding: Coding, i: int) -> np.ndarray:
    """The interval of each value; the last level where there is no number."""
    known = np.isfinite(values)
    nothing = int(coding.arity[i]) - 1 if coding.absent[i] else 0
    return np.where(known, interval_codes(np.where(known, values, 0.0), coding.cuts[i].tolist()), nothing)


def _own_quantiles(points: Points, column: np.ndarray, coding: Coding, i: int) -> np.ndarray:
    """Codes by the quantiles of each point's own numbers; the last level where there is none."""
    levels = int(coding.arity[i] - coding.absent[i])
    result = np.full(len(column), levels if coding.absent[i] else 0)
    order = np.argsort(points.row_point, kind="stable")
    ends = np.searchsorted(points.row_point[order], np.arange(points.n_points + 1))
    for item in range(points.n_points):
        rows = order[ends[item] : ends[item + 1]]
        rows = rows[np.isfinite(column[rows])]
        if len(rows):
            result[rows] = interval_codes(column[rows], quantile_cuts(column[rows], levels))
    return result


MOST_CELLS = 400_000_000
"""Cells that the counts of all series may fill: 1.6 GB in single precision."""


class Counted:
    """Coded observations of S points; what is counted once serves every fold, every choice and every shuffle.

    Series are few and long, so each has its own counts of all pairs. Rows are many and hold one observation each: they
    are counted by class when a class is asked about.
    """

    def __init__(self, slices: Slices, point: np.ndarray, n_points: int) -> None:
        """`point` (m,) says whose each observation is, rising."""
        self.slices, self.point, self.n_points = slices, point, n_points
        self.lengths = np.bincount(point, minlength=n_points)
        self._memo: dict[tuple[int, tuple[int, ...]], np.ndarray] = {}

    @cached_property
    def by_point(self) -> np.ndarray:
        """(S, R * R) counts of all pairs, of series."""
        return pair_counts(self.slices, self.point, self.n_points).reshape(self.n_points, -1)

    def pairs(self, side: np.ndarray) -> np.ndarray:
        """(2, R, R) counts of all pairs of the points of side 0 and of side 1."""
        cells = int(self.slices.starts[-1])
        if self.slices.plain:
            group = side[self.point]
            order = np.argsort(group, kind="stable")
            order = order[np.searchsorted(group[order], 0) :]
            taken = self.slices.before[:, order]
            return pair_counts(Slices(taken, taken, self.slices.arity), group[order], 2).astype(float)
        weights = np.array([side == 0, side == 1], dtype=self.by_point.dtype)
        return (weights @ self.by_point).reshape(2, cells, cells).astype(float)

    def group(self, side: np.ndarray) -> np.ndarray:
        """(m,) the side of every observation."""
        return np.asarray(side[self.point])

    def family(self, child: int, parents: tuple[int, ...], side: np.ndarray) -> np.ndarray:
        """(2, q, r) counts of one family on both sides; arguments as `pairs` and `addition_counts` take them."""
        if self.slices.plain or len(parents) > 1:
            return self.slices.family(child, parents, self.group(side), 2)
        weights = np.array([side == 0, side == 1], dtype=float)
        r = int(self.slices.arity[child])
        return (weights @ self.counts_by_point(child, parents)).reshape(2, -1, r)

    def log_likelihood(self, child: int, parents: tuple[int, ...], log_theta: np.ndarray) -> np.ndarray:
        """(S,) log P of what each point shows of a child given its parents."""
        flat = log_theta.ravel()
        if self.slices.plain:
            return np.asarray(flat[self._cell(child, parents)])
        return self.counts_by_point(child, parents) @ flat

    def counts_by_point(self, child: int, parents: tuple[int, ...]) -> np.ndarray:
        """(S, q * r) counts of a family, series by series."""
        key = (child, parents)
        if key not in self._memo:
            if len(parents) <= 1:
                starts, arity = self.slices.starts, self.slices.arity
                cells = int(starts[-1])
                x = parents[0] if parents else 0
                block = self.by_point.reshape(-1, cells, cells)[
                    :, starts[x] : starts[x] + arity[x], starts[child] : starts[child] + arity[child]
                ].astype(float)
                self._memo[key] = (block if parents else block.sum(axis=1)).reshape(self.n_points, -1)
            else:
                result = family_counts(self.slices, child, parents, self.point, self.n_points)[0]
                self._memo[key] = result.reshape(self.n_points, -1)
        return self._memo[key]

    def _cell(self, child: int, parents: tuple[int, ...]) -> np.ndarray:
        """(S,) in which cell of a family each row lies."""
        key = (child, parents)
        if key not in self._memo:
            config, _ = self.slices.codes(parents)
            self._memo[key] = config * int(self.slices.arity[child]) + self.slices.after[child]
        return self._memo[key]
