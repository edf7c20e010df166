"""Correlations of a Gaussian copula: every variable is a normal one, seen through a rising function or in levels.

By ranks: sin(pi tau / 2), tau being Kendall's tau-b (Harris & Drton 2013). By sampling: Hoff's (2007) extended rank
likelihood, in which a latent value is only known to lie between the latent values of the levels below and above it;
their correlation matrix has an inverse Wishart prior. The sampler is that of Cui, Groot & Heskes (2016): prior matrix
I / n with p + 1 degrees of freedom, latent values moved to mean 0 before every draw of the matrix, 1,000 sweeps, and
the mean of the last 500 correlation matrices. Within a sweep a variable's first, third, ... levels are drawn together,
then its second, fourth, ...: those that lie between others which stand still.
"""

from __future__ import annotations

import itertools

import numpy as np

from engine.counting.requests import strata_counts
from engine.data.dataset import Dataset
from engine.lazy import special, stats
from engine.models.latent_normal import as_correlation, draw_between

SWEEPS, KEPT = 1000, 500
"""Sweeps of the sampler, and how many of the last are averaged."""


def concordance(tables: np.ndarray) -> float:
    """Pairs of rows in the same order in both variables less those in opposite orders, within (J, r, s) tables."""
    counts = tables.astype(float)
    later = counts[:, ::-1, ::-1].cumsum(axis=1).cumsum(axis=2)[:, ::-1, ::-1]  # not before (i, k) in both
    earlier = counts[:, ::-1, :].cumsum(axis=1).cumsum(axis=2)[:, ::-1, :]  # not before i in x, not after k in y
    agree = float(np.sum(counts[:, :-1, :-1] * later[:, 1:, 1:]))
    return agree - float(np.sum(counts[:, :-1, 1:] * earlier[:, 1:, :-1]))


def rank_correlation(data: Dataset) -> np.ndarray:
    """(p, p) correlations sin(pi tau / 2), tau Kendall's tau-b of the level codes; 0 beside a constant variable."""
    p = data.n_variables
    result = np.eye(p)
    pairs = list(itertools.combinations(range(p), 2))
    for (x, y), tables in zip(pairs, strata_counts(data, pairs), strict=True):
        untied = [_pairs(tables.sum()) - _pairs(tables.sum(axis=(0, axis))).sum() for axis in (1, 2)]
        tau = concordance(tables) / np.sqrt(untied[0] * untied[1]) if min(untied) > 0 else 0.0
        result[x, y] = result[y, x] = np.sin(0.5 * np.pi * tau)
    return result


def _pairs(counts: np.ndarray) -> np.ndarray:
    """Number of pairs of rows."""
    many = np.asarray(counts, dtype=float)
    return 0.5 * many * (many - 1)


def copula_correlation(codes: np.ndarray, seed: int = 0, sweeps: int = SWEEPS, kept: int = KEPT) -> np.ndarray:
    """(p, p) posterior mean correlations of a Gaussian copula.

    Parameters
    ----------
    codes : (p, n) levels
    seed : of the draws
    sweeps, kept : draws of the matrix, and how many of the last are averaged
    """
    p, n = codes.shape
    generator = np.random.default_rng(seed)
    scores = [_normal_scores(row) for row in codes]
    latent = np.stack([values for values, _ in scores])
    level_rows = [rows for _, rows in scores]
    covariance = np.atleast_2d(np.cov(latent)) + np.eye(p) / n
    total = np.zeros((p, p))
    for sweep in range(sweeps):
        precision = np.linalg.inv(covariance)
        for j in generator.permutation(p):
            spread = 1 / np.sqrt(precision[j, j])
            mean = latent[j] - precision[j] @ latent / precision[j, j]
            for first in (0, 1):
                _draw_levels(latent[j], level_rows[j], first, mean, spread, generator)
        latent -= latent.mean(axis=1, keepdims=True)
        scale = (p + 1) / n * np.eye(p) + latent @ latent.T
        covariance = np.atleast_2d(stats.invwishart.rvs(p + 1 + n, scale, random_state=generator))
        if sweep >= sweeps - kept:
            total += as_correlation(covariance)
    return as_correlation(total)


def _normal_scores(codes: np.ndarray) -> tuple[np.ndarray, list[np.ndarray]]:
    """(n,) normal quantiles of the mean ranks, and the rows of every level that occurs, in rising order."""
    _, levels, counts = np.unique(codes, return_inverse=True, return_counts=True)
    ranks = np.cumsum(counts) - 0.5 * (counts - 1)
    values = special.ndtri(ranks / (len(codes) + 1))[levels]
    return np.asarray(values), [np.flatnonzero(levels == level) for level in range(len(counts))]


def _draw_levels(
    latent: np.ndarray,
    level_rows: list[np.ndarray],
    first: int,
    mean: np.ndarray,
    spread: float,
    generator: np.random.Generator,
) -> None:
    """Draw anew, in place, every second level of a variable, each between the latent values of those around it."""
    drawn = range(first, len(level_rows), 2)
    if not drawn:
        return
    low = [latent[level_rows[level - 1]].max() if level else -np.inf for level in drawn]
    high = [latent[level_rows[level + 1]].min() if level + 1 < len(level_rows) else np.inf for level in drawn]
    rows = np.concatenate([level_rows[level] for level in drawn])
    sizes = [len(level_rows[level]) for level in drawn]
    ends = [(np.repeat(end, sizes) - mean[rows]) / spread for end in (low, high)]
    latent[rows] = mean[rows] + spread * draw_between(ends[0], ends[1], generator)
