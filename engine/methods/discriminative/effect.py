"""How far apart the classes are in one family, in points of probability, with subjects as what was sampled."""

from __future__ import annotations

import math
import warnings

import numpy as np

from engine.measures.shifts import wilson_interval
from engine.methods.discriminative.counted import Counted

MOST_RARE = 0.1
"""Share of either class's observations that a configuration must have to be looked at."""
NOTHING = (math.nan,) * 5


def effect_of(counted: Counted, child: int, parents: tuple[int, ...], side: np.ndarray) -> tuple[float, ...]:
    """The largest difference of P(level | configuration), class less others, where both have been seen often enough.

    Of series the shares of each subject are averaged over subjects (Welch's interval), since the steps of a subject are
    no sample by themselves; of rows Newcombe's interval. The largest of many is shown: its interval is widened by their
    number (Bonferroni), candidate parents among them.

    Parameters
    ----------
    counted, child, parents : one family
    side : (S,) 1 for the class, 0 for the others

    Returns
    -------
    difference, low, high, configuration, level; not numbers where no configuration is common enough
    """
    counts = counted.family(child, parents, side)
    rows = counts.sum(axis=2)
    share = rows / np.maximum(rows.sum(axis=1, keepdims=True), 1)
    usual = (share >= MOST_RARE).all(axis=0)
    if not usual.any():
        return NOTHING
    of = counts / np.maximum(rows, 1)[:, :, None]
    difference = np.where(usual[:, None], np.abs(of[1] - of[0]), -1.0)
    tried = int(usual.sum()) * counts.shape[2] * (counted.slices.n_variables if parents else 1)
    level = 1 - 0.05 / tried
    j, k = divmod(int(difference.argmax()), difference.shape[1])
    if counted.slices.plain:
        low, high = _newcombe(counts[:, j, k], rows[:, j], level)
        return float(of[1, j, k] - of[0, j, k]), low, high, j, k
    r = counts.shape[2]
    by_point = counted.counts_by_point(child, parents).reshape(counted.n_points, -1, r)[:, j]
    seen = by_point.sum(axis=1)
    shares = [by_point[(side == one) & (seen > 0), k] / seen[(side == one) & (seen > 0)] for one in (0, 1)]
    gap, low, high = _welch(shares[1], shares[0], level)
    return gap, low, high, j, k


def _newcombe(hits: np.ndarray, n: np.ndarray, level: float) -> tuple[float, float]:
    """Interval of a difference of two shares (Newcombe 1998, method 10)."""
    share = hits / n
    low, high = wilson_interval(hits, n, level)
    gap = share[1] - share[0]
    down = math.hypot(share[1] - low[1], high[0] - share[0])
    up = math.hypot(high[1] - share[1], share[0] - low[0])
    return float(gap - down), float(gap + up)


def _welch(one: np.ndarray, other: np.ndarray, level: float) -> tuple[float, float, float]:
    """Difference of two means with its interval; without one where a side has a single subject."""
    from scipy.stats import ttest_ind

    gap = float(one.mean() - other.mean())
    if min(len(one), len(other)) < 2 or one.var() + other.var() == 0:
        return gap, math.nan, math.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # of a class whose subjects are nearly all alike
        interval = ttest_ind(one, other, equal_var=False).confidence_interval(level)
    return gap, float(interval.low), float(interval.high)
