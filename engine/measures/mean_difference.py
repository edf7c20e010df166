"""The difference of two groups' means held within strata and along lines, its interval for any spread and skewness."""

from __future__ import annotations

import math

import numpy as np

from engine.lazy import special
from engine.measures.intervals import check_level

_MOST_SKEW = 0.5
"""Skewness of an estimate beyond which it is corrected no further: that of a few rows is mostly error itself."""


def mean_difference(
    values: np.ndarray,
    second: np.ndarray,
    strata: np.ndarray | None = None,
    lines: np.ndarray | None = None,
    clusters: np.ndarray | None = None,
    level: float = 0.95,
) -> tuple[float, float, float]:
    """Least squares with an effect of each stratum and slopes of lines: the group's coefficient, second minus first.

    The variance is that of unequal spreads (HC2), or of the clusters' sums, with Satterthwaite's degrees of freedom:
    without strata and lines it is Welch's interval. Its ends are moved for skewness by the cubic of Hall (1992), since
    the mean of a small skewed group lies below its expectation together with its standard error.

    Parameters
    ----------
    values : (N,) numbers; NaN is left out
    second : (N,) whether a row is of the second group
    strata : (N,) numbers from 0; one for all where None
    lines : (k, N) numbers that are held as well; NaN stands at its stratum's mean
    clusters : (N,) numbers that rows which belong together share; None where each is by itself
    level : of the interval

    Returns
    -------
    difference, low, high; NaN where no stratum has rows of both groups, ends NaN where a group has too few

    Examples
    --------
    >>> effect, low, high = mean_difference(np.array([1.0, 2, 3, 5, 6, 7]), np.arange(6) > 2)
    >>> print(f"{effect:.1f} ({low:.1f} to {high:.1f})")
    4.0 (1.7 to 6.3)
    """
    check_level(level)
    kept = np.isfinite(values)
    strata = np.zeros(len(values), dtype=np.int64) if strata is None else strata
    rows = np.stack(
        [np.bincount(strata[kept & part], minlength=strata.max(initial=0) + 1) for part in (~second, second)]
    )
    kept &= (rows.min(axis=0) > 0)[strata]
    if not kept.any():
        return math.nan, math.nan, math.nan
    values, second, strata = values[kept], second[kept], strata[kept]
    scale = float(np.abs(values).max()) or 1.0  # squares of large numbers do not fit
    known = [second.astype(float), *(() if lines is None else lines[:, kept])]
    design = np.stack([_within(column, strata) for column in known], axis=1)
    outcome = _within(values / scale, strata)
    sizes = np.sqrt((design**2).mean(axis=0))
    design = design[:, sizes > 1e-9 * max(1.0, sizes.max())]
    inverse = np.linalg.pinv(design.T @ design)
    weights = inverse @ design.T
    coefficients = weights @ outcome
    residuals = outcome - design @ coefficients
    groups = second.astype(np.int64)
    if clusters is None:
        leverage = 1 / np.bincount(strata)[strata] + np.einsum("ij,ji->i", design, weights)
        units, owners = weights[0] * residuals / np.sqrt(np.maximum(1 - leverage, 1e-6)), groups
        many = np.bincount(groups, minlength=2)
    else:
        _, first, place = np.unique(clusters[kept], return_index=True, return_inverse=True)
        units, owners = np.bincount(place.ravel(), weights[0] * residuals), groups[first]
        crossing = bool((np.bincount(place.ravel(), groups) % np.bincount(place.ravel()) > 0).any())
        owners = np.zeros(len(units), dtype=np.int64) if crossing else owners
        many = np.bincount(owners, minlength=1 if crossing else 2)
        units = units * np.sqrt(many / np.maximum(many - 1, 1))[owners]
    own = np.bincount(owners, units**2, minlength=len(many))
    variance = float(own.sum())
    effect = float(coefficients[0]) * scale
    if many.min() < 2:
        return effect, math.nan, math.nan
    if variance <= 0:
        return effect, effect, effect
    freedom = variance**2 / float((own**2 / (many - 1)).sum())
    reach = float(special.stdtrit(freedom, (1 + level) / 2))
    error, skew = math.sqrt(variance) * scale, _skew(units, owners, own, many)
    return effect, effect - error * _turned(reach, skew), effect - error * _turned(-reach, skew)


def _within(column: np.ndarray, strata: np.ndarray) -> np.ndarray:
    """A column less its mean in each stratum; what is missing is at the mean."""
    known = np.isfinite(column)
    sums = np.bincount(strata, np.where(known, column, 0.0))
    means = sums / np.maximum(np.bincount(strata, known), 1)
    return np.where(known, column - means[strata], 0.0)


def _skew(units: np.ndarray, owners: np.ndarray, own: np.ndarray, many: np.ndarray) -> float:
    """The skewness of the estimate: by the units' own cubes, or by the shape of all of them where that says more.

    A few rows of a skewed group show little of their skewness; the larger group knows the shape of both.
    """
    cubes = float((units**3).sum())
    signs = np.array([-1.0, 1.0])[: len(many)]
    shape = float((signs[owners] * (units / np.sqrt(np.maximum(own / many, 1e-300))[owners]) ** 3).mean())
    shared = shape * float((signs * own**1.5 / np.sqrt(many)).sum())
    skew = (shared if abs(shared) > abs(cubes) and len(many) > 1 else cubes) / float(own.sum()) ** 1.5
    return min(max(skew, -_MOST_SKEW), _MOST_SKEW)


def _turned(reach: float, skew: float) -> float:
    """The studentized estimate t at which Hall's t + k t^2 / 3 + k^2 t^3 / 27 + k / 6, with k the skew, is `reach`."""
    if abs(skew) < 1e-9:
        return reach
    return float(3 / skew * (np.cbrt(1 + skew * (reach - skew / 6)) - 1))
