"""Counts of all points, made once: totals of any classes, and how likely a network makes each point."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from engine.counting.by_group import Slices, family_counts, pair_counts

MOST_CELLS = 400_000_000
"""Cells that the counts of all series may fill: 1.6 GB in single precision."""


def cells_needed(points: int, arity: np.ndarray) -> int:
    """Cells of the counts of all pairs of variables, series by series."""
    return points * int(arity.sum()) ** 2


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
        result: np.ndarray = side[self.point]
        return result

    def family(self, child: int, parents: tuple[int, ...], side: np.ndarray) -> np.ndarray:
        """(2, q, r) counts of one family on both sides; arguments as `pairs` and `addition_counts` take them."""
        if self.slices.plain or len(parents) > 1:
            return family_counts(self.slices, child, parents, self.group(side), 2)[0]
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
