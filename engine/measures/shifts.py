"""How far one variable shifts the shares of another: the largest shift, its interval, and the rows that would show one.

The rows stand in groups (the levels of the variable that shifts); a shift is the difference of a share between two of
them. Intervals of differences are Newcombe's (1998): Wilson's intervals of the two shares put together, which for sums
of several shares is Zou and Donner's (2008) rule. Of the largest of several shifts the upper end is the largest upper
end, each at the full level, since the true largest is one of them; the lower end is the largest lower end, each at a
level that allows for having looked at (groups - 1)(levels - 1) of them.
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
    table = np.asarray(counts, dtype=float)
    return _largest(table, np.empty((0, *table.shape)), level)


def largest_difference(here: ArrayLike, others: ArrayLike, level: float = 0.95) -> Shift:
    """The largest difference between a shift here and the same shift among others, with its interval.

    The others come in strata; a shift among them is the Mantel-Haenszel mean of those of the strata, so that what
    distinguishes the strata does not enter.

    Examples
    --------
    >>> shift = largest_difference([[30, 10], [30, 10]], [[[30, 10], [10, 30]], [[20, 20], [5, 35]]])
    >>> print(f"{shift.effect:.3f} ({shift.low:.3f} to {shift.high:.3f})")
    0.438 (0.200 to 0.655)
    """
    strata = np.asarray(others, dtype=float)
    return _largest(np.asarray(here, dtype=float), strata, level, compared=True)


def rows_needed(counts: ArrayLike, margin: float, level: float = 0.95, power: float = POWER) -> int | None:
    """How many rows show a shift of `margin` between any two groups with probability `power`, at the shares observed.

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


@dataclass(frozen=True)
class _Shares:
    """Shares of the levels in every group, (..., groups, levels), and how far their intervals reach."""

    share: np.ndarray
    below: np.ndarray
    above: np.ndarray

    @classmethod
    def of(cls, counts: np.ndarray, level: float) -> _Shares:
        """Those of (..., groups, levels) rows; NaN for groups without any."""
        sizes = counts.sum(axis=-1, keepdims=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            share = counts / sizes
        low, high = wilson_interval(counts, sizes, level)
        return cls(share, share - low, high - share)

    def difference(self, i: int, j: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(..., levels) share in group i minus share in group j, and how far the interval reaches below and above."""
        item, other = (..., i, slice(None)), (..., j, slice(None))
        return (
            self.share[item] - self.share[other],
            np.hypot(self.below[item], self.above[other]),
            np.hypot(self.above[item], self.below[other]),
        )

    def only(self, strata: np.ndarray) -> _Shares:
        """Those of some strata."""
        return _Shares(self.share[strata], self.below[strata], self.above[strata])


def _largest(here: np.ndarray, strata: np.ndarray, level: float, *, compared: bool = False) -> Shift:
    """The largest |shift here - mean shift of the strata|; without strata the largest |shift here|."""
    check_level(level)
    sizes = here.sum(axis=1)
    freedom = max(1, (int((sizes > 0).sum()) - 1) * (here.shape[1] - 1))
    strict = level ** (1 / freedom)  # of several looked at, all hold together with about the level asked for
    # A page asks for hundreds of pairs: the intervals of the shares are worked out once, not for each pair.
    known = [(_Shares.of(here, item), _Shares.of(strata, item)) for item in ({level: None, strict: None})]
    effects, lows, highs = [], [], []
    for i, j in _pairs(sizes):
        there, weights = _weights(strata.sum(axis=2), i, j)
        if compared and not len(weights):
            continue
        result = [_contrast(own, others.only(there), weights, i, j) for own, others in known]
        (effect, low, high), (_, adjusted_low, adjusted_high) = result[0], result[-1]
        effects.append(np.abs(effect).max())
        lows.append(max(0.0, float(adjusted_low.max()), float((-adjusted_high).max())))
        highs.append(max(float(high.max()), float((-low).max())))
    if not effects:
        return UNKNOWN_SHIFT
    return Shift(float(max(effects)), float(max(lows)), float(max(highs)))


def _contrast(
    here: _Shares, strata: _Shares, weights: np.ndarray, i: int, j: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(levels,) of the difference and the ends of its interval: group i minus j here, minus the same in the strata."""
    effect, below, above = here.difference(i, j)
    down, up = below**2, above**2
    if len(weights):
        there, its_below, its_above = strata.difference(i, j)
        effect = effect - weights @ there
        down, up = down + weights**2 @ its_above**2, up + weights**2 @ its_below**2
    return effect, effect - np.sqrt(down), effect + np.sqrt(up)


def _weights(sizes: np.ndarray, i: int, j: int) -> tuple[np.ndarray, np.ndarray]:
    """Which strata have rows of both groups, given their (strata, groups) rows, and Mantel-Haenszel weights of these.

    The weights sum to 1.
    """
    both = (sizes[:, i] > 0) & (sizes[:, j] > 0)
    n, m = sizes[both, i], sizes[both, j]
    weights = n * m / (n + m)
    return both, weights / weights.sum() if len(weights) else weights
