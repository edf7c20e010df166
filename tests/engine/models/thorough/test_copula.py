"""The sampler of a Gaussian copula beside Hoff's, written out."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr, ndtri
from scipy.stats import invwishart, norm, rankdata

from engine.models.copula import copula_correlation
from tests.engine.models.test_copula import cut_table


def slow_copula(codes: np.ndarray, sweeps: int, kept: int, seed: int) -> np.ndarray:
    """Level after level in rising order, as Hoff (2007) with the mean moved to 0 (Cui et al.)."""
    p, n = codes.shape
    rng = np.random.default_rng(seed)
    z = norm.ppf(np.array([rankdata(row) for row in codes]) / (n + 1))
    covariance = np.cov(z)
    total = np.zeros((p, p))
    for sweep in range(sweeps):
        for j in rng.permutation(p):
            others = [k for k in range(p) if k != j]
            slopes = np.linalg.solve(covariance[np.ix_(others, others)], covariance[others, j])
            spread = math.sqrt(covariance[j, j] - slopes @ covariance[others, j])
            for level in sorted(set(codes[j].tolist())):
                low = max((z[j, i] for i in range(n) if codes[j, i] < level), default=-math.inf)
                high = min((z[j, i] for i in range(n) if codes[j, i] > level), default=math.inf)
                rows = np.flatnonzero(codes[j] == level)
                mean = slopes @ z[np.ix_(others, rows)]
                ends = [ndtr((end - mean) / spread) for end in (low, high)]
                z[j, rows] = mean + spread * ndtri(rng.uniform(*ends))
        z -= z.mean(axis=1, keepdims=True)
        covariance = invwishart.rvs(p + 1 + n, (p + 1) / n * np.eye(p) + z @ z.T, random_state=rng)
        if sweep >= sweeps - kept:
            size = np.sqrt(np.diag(covariance))
            total += covariance / size / size[:, None]
    return total / kept


def test_the_copula_is_that_of_a_slow_sampler() -> None:
    """The means of the two samplers differ by what is left to chance."""
    data = cut_table(40)
    slow = slow_copula(data.codes, 2500, 2000, 0)
    fast = copula_correlation(data.codes, 0, 4500, 4000)
    assert np.abs(fast - slow).max() < 0.04
