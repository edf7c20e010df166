"""The numbers of a Table 1, from counts alone: moments, quartiles, standardised differences, and the usual tests.

Definitions are those of the Python package tableone (Pollard et al. 2018).
"""

from __future__ import annotations

from itertools import combinations

import numpy as np

from engine.lazy import special, stats

QUARTILES = (0.25, 0.5, 0.75)
FEW_EXPECTED = 5
"""Expected rows of a cell below which the chi-squared test is in doubt; of a 2 x 2 table Fisher's is taken then."""


def moments(values: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means and standard deviations (n - 1) of groups.

    Parameters
    ----------
    values : (d,) distinct numbers
    counts : (d, g) rows of each group with each

    Returns
    -------
    (g,) and (g,); NaN where there are too few rows
    """
    n = counts.sum(axis=0)
    scale = float(np.abs(values).max(initial=0.0)) or 1.0  # squares of large numbers do not fit
    with np.errstate(invalid="ignore", divide="ignore"):
        means = (values / scale) @ counts / n
        squares = (((values / scale)[:, None] - means) ** 2 * counts).sum(axis=0)
        return means * scale, np.where(n > 1, np.sqrt(squares / (n - 1)), np.nan) * scale


def quartiles(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """(g, 3) quartiles of groups, between two values by a line.

    Parameters
    ----------
    values : (d,) distinct numbers, rising
    counts : (d, g) rows of each group with each
    """
    result = np.full((counts.shape[1], len(QUARTILES)), np.nan)
    for own, below in zip(result, counts.cumsum(axis=0).T, strict=True):
        if len(below) and below[-1]:
            place = np.array(QUARTILES) * (below[-1] - 1)
            low, high = (values[np.searchsorted(below, end, side="right")] for end in (np.floor(place), np.ceil(place)))
            own[:] = low + (high - low) * (place - np.floor(place))
    return result


def difference_of_means(means: np.ndarray, deviations: np.ndarray) -> float:
    """Standardised difference of two groups' means, second minus first; of more groups the largest of any two.

    Parameters
    ----------
    means, deviations : (g,) of the groups

    Returns
    -------
    in standard deviations, the root of the mean of both variances; NaN where they are 0
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        return _largest(
            [
                (means[b] - means[a]) / np.hypot(deviations[a], deviations[b]) * np.sqrt(2)
                for a, b in combinations(range(len(means)), 2)
            ]
        )


def difference_of_shares(counts: np.ndarray) -> float:
    """Standardised difference of two groups' shares of levels; of more groups the largest of any two.

    That of Mahalanobis (Yang & Dalton 2012).

    Parameters
    ----------
    counts : (k, g) rows of each level in each group

    Returns
    -------
    0 and more; NaN where a group has no rows, or no level in common with the other
    """
    return _largest([_of_shares(counts[:, list(pair)]) for pair in combinations(range(counts.shape[1]), 2)])


def _of_shares(counts: np.ndarray) -> float:
    counts = counts[counts.any(axis=1)]
    if len(counts) < 2 or not counts.any(axis=0).all():
        return float("nan")
    first, second = (counts / counts.sum(axis=0))[1:].T  # the shares of all levels but one tell that one's
    covariance = sum(np.diag(shares) - np.outer(shares, shares) for shares in (first, second)) / 2
    if np.linalg.matrix_rank(covariance) < len(first):
        return float("nan")
    return float(np.sqrt((second - first) @ np.linalg.solve(covariance, second - first)))


def _largest(differences: list[float]) -> float:
    """One as it is, of several the largest without its sign; NaN where there is none."""
    if len(differences) == 1:
        return float(differences[0]) if np.isfinite(differences[0]) else float("nan")
    return float(max((abs(size) for size in differences if np.isfinite(size)), default=np.nan))


def p_of_means(means: np.ndarray, deviations: np.ndarray, n: np.ndarray) -> float:
    """p of Welch's t-test of two groups, of an analysis of variance of more; NaN where a group has one value or none.

    Parameters
    ----------
    means, deviations, n : (g,) of the groups
    """
    if len(n) < 2 or n.min() < 2 or not deviations.any():
        return float("nan")
    if len(n) == 2:
        both = ((mean, deviation, rows) for mean, deviation, rows in zip(means, deviations, n, strict=True))
        return float(stats.ttest_ind_from_stats(*next(both), *next(both), equal_var=False).pvalue)
    between = float((n * (means - means @ n / n.sum()) ** 2).sum()) / (len(n) - 1)
    within = float(((n - 1) * deviations**2).sum()) / (n.sum() - len(n))
    return float(special.fdtrc(len(n) - 1, n.sum() - len(n), between / within))


def p_of_ranks(counts: np.ndarray) -> float:
    """p of the test of Kruskal and Wallis, corrected for ties; NaN where a group has no value or all are one.

    Parameters
    ----------
    counts : (d, g) rows of each group with each of the distinct numbers, which rise
    """
    ties, n = counts.sum(axis=1).astype(float), counts.sum(axis=0).astype(float)
    total = n.sum()
    corrected = total**3 - total - (ties**3 - ties).sum()
    if len(n) < 2 or not n.all() or corrected <= 0:
        return float("nan")
    ranks = ties.cumsum() - (ties - 1) / 2
    h = 12 / (total * (total + 1)) * ((ranks @ counts) ** 2 / n).sum() - 3 * (total + 1)
    return float(special.chdtrc(len(n) - 1, h / (corrected / (total**3 - total))))


def p_of_levels(counts: np.ndarray) -> tuple[float, bool]:
    """p of the chi-squared test (of 2 x 2 with Yates's correction), or of Fisher's where rows are few.

    Parameters
    ----------
    counts : (k, g) rows of each level in each group

    Returns
    -------
    p, and whether it is in doubt: of a table larger than 2 x 2 with an expected count below `FEW_EXPECTED`; NaN where
    there is one level only, or a group without rows
    """
    counts = counts[counts.any(axis=1)]
    if min(counts.shape) < 2 or not counts.any(axis=0).all():
        return float("nan"), False
    _, p, _, expected = stats.chi2_contingency(counts)
    few = bool(expected.min() < FEW_EXPECTED)
    if few and counts.shape == (2, 2):
        return float(stats.fisher_exact(counts).pvalue), False
    return float(p), few
