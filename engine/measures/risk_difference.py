"""Differences of shares between two groups: one figure over all strata, its interval, the largest of them."""

from __future__ import annotations

import math

import numpy as np

from engine.lazy import special
from engine.measures.intervals import check_level


def risk_difference(counts: np.ndarray, level: float = 0.95) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mantel and Haenszel's difference of every level's share, second group minus first, held within the strata.

    A stratum weighs n1 n2 / (n1 + n2), so that one that a group has no rows of weighs nothing. The interval adds one
    row of the level and one of the others to each group, spread over the strata by weight, and a share's variance in a
    stratum is divided by its rows less one: with one stratum that is the interval of Agresti and Caffo (2000), with
    many small ones the variance has no bias. With three levels and more the intervals hold for all of them at once
    (Bonferroni), since a reader looks at the largest.

    Examples
    --------
    >>> effect, low, high = risk_difference(np.array([[[40, 10], [30, 20]]]))
    >>> print(f"{effect[1]:.2f} ({low[1]:.2f} to {high[1]:.2f})")
    0.20 (0.02 to 0.37)
    """
    check_level(level)
    effect, middle, variance = _estimate(counts)
    reach = special.ndtri(1 - (1 - level) / (2 * looks(counts.shape[2]))) * np.sqrt(variance)
    return effect, np.maximum(middle - reach, -1.0), np.minimum(middle + reach, 1.0)


def cluster_risk_difference(
    counts: np.ndarray,
    values: np.ndarray,
    strata: np.ndarray,
    second: np.ndarray,
    clusters: np.ndarray,
    level: float = 0.95,
    times: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The same where rows belong together: with the variance of clusters' sums (sandwich).

    A cluster's residuals from its groups' shares are summed; their variance has a factor C / (C - 1) in a group of C
    clusters, and the interval Satterthwaite's degrees of freedom. With 6 to 30 clusters a group it covers .94 to .96
    where a bootstrap of clusters covers .89 to .93. It is never narrower than that of rows by themselves.
    `times` is how many rows each stands for, one where left out.
    """
    check_level(level)
    effect, middle, least = _estimate(counts)
    weight = weights(counts)
    if not weight.sum() > 0:
        return effect, effect, effect
    n = np.maximum(counts.sum(axis=2), 1)
    group = second.astype(np.int64)
    shares = counts / n[:, :, None]
    influence = (values[:, None] == np.arange(counts.shape[2])) - shares[strata, group]
    influence *= ((weight / weight.sum())[strata] / n[strata, group] * np.where(second, 1.0, -1.0))[:, None]
    used = weight[strata] > 0
    many = [len(np.unique(clusters[used & (group == g)])) for g in (0, 1)]
    if times is not None:
        influence *= times[:, None]
    influence *= np.sqrt([c / max(c - 1, 1) for c in many])[group][:, None]
    sums = np.zeros((2, int(clusters.max()) + 1, counts.shape[2]))
    np.add.at(sums, (group[used], clusters[used]), influence[used])
    own = (sums**2).sum(axis=1)
    variance = np.maximum((sums.sum(axis=0) ** 2).sum(axis=0), least)
    freedom = own.sum(axis=0) ** 2 / np.maximum(
        sum(v**2 / max(c - 1, 1) for v, c in zip(own, many, strict=True)), 1e-300
    )
    freedom = np.maximum(np.where(own.sum(axis=0) > 0, freedom, min(many) - 1), 1.0)
    reach = special.stdtrit(freedom, 1 - (1 - level) / (2 * looks(counts.shape[2]))) * np.sqrt(variance)
    return effect, np.maximum(middle - reach, -1.0), np.minimum(middle + reach, 1.0)


def weights(counts: np.ndarray) -> np.ndarray:
    """(m,) weights of the strata of (m, 2, r) counts: n1 n2 / (n1 + n2), 0 without rows."""
    n = counts.sum(axis=2)
    return np.asarray(n[:, 0] * n[:, 1] / np.maximum(n.sum(axis=1), 1))


def largest_difference(counts: np.ndarray, prior: float, draws: int, generator: np.random.Generator) -> np.ndarray:
    """Draws from the posterior of the largest difference of any level's share in any stratum that has rows."""
    largest = np.zeros(draws)
    for stratum in counts[counts.sum(axis=(1, 2)) > 0]:
        weighed = generator.standard_gamma(stratum + prior, size=(draws, *stratum.shape))
        shares = weighed / np.maximum(weighed.sum(axis=2, keepdims=True), 1e-300)
        np.maximum(largest, np.abs(shares[:, 1] - shares[:, 0]).max(axis=1), out=largest)
    return largest


def looks(levels: int) -> int:
    """Number of shares looked at: those of two levels mirror each other."""
    return 1 if levels <= 2 else levels


def _estimate(counts: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(r,) differences, the middles of their intervals and variances; NaN where no stratum has rows of both groups."""
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
    return effect, middle, variance


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
