"""How far one variable shifts the shares of another: the largest shift, its interval, and the rows that would show one.

The rows stand in groups (the levels of the variable that shifts); a shift is the difference of a share between two of
them. Intervals of differences are Newcombe's (1998): Wilson's intervals of the two shares put together. Of the largest
of several shifts the upper end is the largest upper end, each at the full level, since the true largest is one of them;
the lower end is the largest lower end, each at a level that allows for having looked at (groups - 1)(levels - 1) of
them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from engine.measures.intervals import check_level

POWER = 0.8
"""How probable it shall be to see the shift that rows are asked for."""


@dataclass(frozen=True)
class Shift:
    """The largest shift of a share, in probability.

    Attributes
    ----------
    effect : as counted, NaN where there are no two groups with rows
    low, high : ends of its interval, 0 and 1 where nothing is known
    """

    effect: float
    low: float
    high: float


UNKNOWN_SHIFT = Shift(math.nan, 0.0, 1.0)
"""Where there are no two groups to compare."""


def wilson_interval(hits: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's interval of a share, element by element; from 0 to 1 without tries.

    Examples
    --------
    >>> low, high = wilson_interval(5, 10)
    >>> print(f"{low:.3f} to {high:.3f}")
    0.237 to 0.763
    """
    check_level(level)
    z = NormalDist().inv_cdf(0.5 + level / 2)
    k, many = np.asarray(hits, dtype=float), np.asarray(n, dtype=float)
    middle = (k + z * z / 2) / (many + z * z)
    with np.errstate(divide="ignore", invalid="ignore"):
        half = z / (many + z * z) * np.sqrt(np.where(many > 0, k * (many - k) / many, 0.0) + z * z / 4)
    return np.maximum(middle - half, 0.0), np.minimum(middle + half, 1.0)


def largest_shift(counts: ArrayLike, level: float = 0.95) -> Shift:
    """The largest difference of a share between two groups, with its interval.

    Examples
    --------
    >>> shift = largest_shift([[30, 10], [15, 25]])
    >>> print(f"{shift.effect:.3f} ({shift.low:.3f} to {shift.high:.3f})")
    0.375 (0.158 to 0.546)
    """
    check_level(level)
    table = np.asarray(counts, dtype=float)
    sizes = table.sum(axis=1)
    pairs = _pairs(sizes)
    if not pairs:
        return UNKNOWN_SHIFT
    freedom = max(1, (int((sizes > 0).sum()) - 1) * (table.shape[1] - 1))
    strict = level ** (1 / freedom)  # of several looked at, all hold together with about the level asked for
    effect, low, high = _differences(table, pairs, level)
    _, adjusted_low, adjusted_high = _differences(table, pairs, strict)
    return Shift(
        float(np.abs(effect).max()),
        max(0.0, float(adjusted_low.max()), float((-adjusted_high).max())),
        max(float(high.max()), float((-low).max())),
    )


def rows_needed(counts: ArrayLike, margin: float, level: float = 0.95, power: float = POWER) -> int | None:
    """Rows that show a shift of `margin` between any two groups with probability `power`, at the shares observed.

    Examples
    --------
    >>> rows_needed([[30, 10], [15, 25]], 0.1)
    773
    """
    check_level(level)
    table = np.asarray(counts, dtype=float)
    total, levels = table.sum(), table.shape[1]
    sizes = table.sum(axis=1)
    pairs = _pairs(sizes)
    if not pairs:
        return None
    share = (table.sum(axis=0) + 0.5) / (total + levels / 2)
    spread = float((share * (1 - share)).max())
    thin = max(total / sizes[i] + total / sizes[j] for i, j in pairs)
    normal = NormalDist()
    reach = normal.inv_cdf(0.5 + level / 2) + normal.inv_cdf(power)
    return math.ceil(reach**2 * spread * thin / margin**2)


def _pairs(sizes: np.ndarray) -> list[tuple[int, int]]:
    """Every two groups that have rows."""
    there = np.flatnonzero(sizes).tolist()
    return [(i, j) for place, i in enumerate(there) for j in there[place + 1 :]]


def _differences(
    table: np.ndarray, pairs: list[tuple[int, int]], level: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(pairs, levels) share in one group minus share in the other, and the ends of Newcombe's interval."""
    sizes = table.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = table / sizes
    low, high = wilson_interval(table, sizes, level)
    below, above = share - low, high - share
    first, second = np.array(pairs).T
    effect = share[first] - share[second]
    return (
        effect,
        effect - np.hypot(below[first], above[second]),
        effect + np.hypot(above[first], below[second]),
    )
