"""Differences of shares between two groups: one figure over all strata, its interval, the largest of them."""

from __future__ import annotations

import math

import numpy as np

from engine.measures.intervals import check_level


def risk_difference(counts: np.ndarray, level: float = 0.95) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mantel and Haenszel's difference of every level's share, second group minus first, held within the strata.

    A stratum weighs n1 n2 / (n1 + n2), so that one that a group has no rows of weighs nothing. The interval adds one
    row of the level and one of the others to each group, spread over the strata by weight, and a share's variance in a
    stratum is divided by its rows less one: with one stratum that is the interval of Agresti and Caffo (2000), with
    many small ones the variance has no bias. With three levels and more the intervals hold for all of them at once
    (Bonferroni), since a reader looks at the largest.

    Parameters
    ----------
    counts : (m, 2, r) rows by stratum, group and level
    level : coverage, between 0 and 1

    Returns
    -------
    (r,) differences, low ends and high ends, from -1 to 1; NaN where no stratum has rows of both groups

    Raises
    ------
    SettingsError : level is not between 0 and 1

    Examples
    --------
    >>> effect, low, high = risk_difference(np.array([[[40, 10], [30, 20]]]))
    >>> print(f"{effect[1]:.2f} ({low[1]:.2f} to {high[1]:.2f})")
    0.20 (0.02 to 0.37)
    """
    from scipy.special import ndtri

    check_level(level)
    weight = weights(counts)
    if not weight.sum() > 0:
        nothing = np.full(counts.shape[2], math.nan)
        return nothing, nothing, nothing
    n = counts.sum(axis=2)
    rows = n[:, :1], n[:, 1:]
    hits = counts[:, 0], counts[:, 1]
    effect, _ = _difference(hits, rows, rows)
    added = (weight / weight.sum())[:, None]
    middle, variance = _difference(
        (hits[0] + added, hits[1] + added),
        (rows[0] + 2 * added, rows[1] + 2 * added),
        (rows[0] - 1 + 3 * added, rows[1] - 1 + 3 * added),
    )
    asked = 1 if counts.shape[2] <= 2 else counts.shape[2]  # shares of two levels mirror each other
    reach = ndtri(1 - (1 - level) / (2 * asked)) * np.sqrt(variance)
    return effect, np.maximum(middle - reach, -1.0), np.minimum(middle + reach, 1.0)


def weights(counts: np.ndarray) -> np.ndarray:
    """(m,) weights of the strata of (m, 2, r) counts: n1 n2 / (n1 + n2), 0 without rows."""
    n = counts.sum(axis=2)
    return np.asarray(n[:, 0] * n[:, 1] / np.maximum(n.sum(axis=1), 1))


def largest_difference(counts: np.ndarray, prior: float, draws: int, generator: np.random.Generator) -> np.ndarray:
    """Draws from the posterior of the largest difference of any level's share in any stratum that has rows.

    Parameters
    ----------
    counts : (m, 2, r) rows by stratum, group and level
    prior : weight of every cell under the Dirichlet prior
    draws : how many
    generator : all randomness comes from it

    Returns
    -------
    (draws,) differences from 0 to 1
    """
    largest = np.zeros(draws)
    for stratum in counts[counts.sum(axis=(1, 2)) > 0]:
        weighed = generator.standard_gamma(stratum + prior, size=(draws, *stratum.shape))
        shares = weighed / np.maximum(weighed.sum(axis=2, keepdims=True), 1e-300)
        np.maximum(largest, np.abs(shares[:, 1] - shares[:, 0]).max(axis=1), out=largest)
    return largest


def _difference(
    hits: tuple[np.ndarray, np.ndarray], n: tuple[np.ndarray, np.ndarray], free: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """(r,) Mantel-Haenszel differences, second minus first, and their variances.

    `hits` are (m, r) by group, `n` and `free` (m, 1): rows, and what a share's variance is divided by.
    """
    weight = n[0] * n[1] / np.maximum(n[0] + n[1], 1e-300)
    shares = [k / np.maximum(rows, 1e-300) for k, rows in zip(hits, n, strict=True)]
    variance = sum(p * (1 - p) / np.maximum(divisor, 0.5) for p, divisor in zip(shares, free, strict=True))
    total = weight.sum()
    return (weight * (shares[1] - shares[0])).sum(axis=0) / total, (weight**2 * variance).sum(axis=0) / total**2
