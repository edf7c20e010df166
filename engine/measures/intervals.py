"""Intervals of shares: central ones of a Beta posterior, Jeffreys' of hits among tries, and of a mean of shares."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from engine.errors import SettingsError
from engine.lazy import special


def beta_interval(a: ArrayLike, b: ArrayLike, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """The central interval of a Beta distribution, element by element.

    A share whose counterpart weighs nothing (b is 0: a variable of one level) is 1 and has no width.

    Examples
    --------
    >>> low, high = beta_interval(8, 4)
    >>> print(f"{low:.2f} to {high:.2f}")
    0.39 to 0.89
    """
    check_level(level)
    tail = round((1 - level) / 2, 15)  # 0.025, not 0.025 and the rounding of 1 - 0.95
    alpha, beta = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    rest = np.maximum(beta, 1e-300)
    with np.errstate(all="ignore"):
        ends = [np.where(beta > 0, special.betaincinv(alpha, rest, below), 1.0) for below in (tail, 1 - tail)]
    return ends[0], ends[1]


def share_interval(hits: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[np.ndarray, np.ndarray]:
    """Jeffreys' interval of a share: central, under a Beta(1/2, 1/2) prior; without hits from 0, with hits only to 1.

    Examples
    --------
    >>> low, high = share_interval([0, 5, 10], 10)
    >>> [f"{x:.2f} to {y:.2f}" for x, y in zip(low, high)]
    ['0.00 to 0.22', '0.22 to 0.78', '0.78 to 1.00']
    """
    k, many = np.asarray(hits, dtype=float), np.asarray(n, dtype=float)
    low, high = beta_interval(k + 0.5, many - k + 0.5, level)
    return np.where(k == 0, 0.0, low), np.where(k == many, 1.0, high)


def mean_interval(shares: ArrayLike, lows: ArrayLike, highs: ArrayLike) -> tuple[float, float]:
    """Interval of the mean of independent shares from the interval of each.

    The method of variance estimates recovery (Zou & Donner 2008), which for a difference is Newcombe's (1998) square
    and add: the distances from the shares to their lower ends are squared, added, and the root divided by their number.

    Examples
    --------
    >>> low, high = mean_interval([0.9, 0.6], [0.8, 0.4], [0.95, 0.8])
    >>> print(f"{low:.3f} to {high:.3f}")
    0.638 to 0.853
    """
    share, low, high = (np.asarray(part, dtype=float) for part in (shares, lows, highs))
    mean, many = float(share.mean()), len(share)
    return mean - float(np.sqrt(((share - low) ** 2).sum())) / many, mean + float(
        np.sqrt(((high - share) ** 2).sum())
    ) / many


def check_level(level: float) -> None:
    """Refuse what is no coverage."""
    if not 0 < level < 1:
        raise SettingsError(f"level is {level}; the coverage of an interval is between 0 and 1, such as 0.95.")
