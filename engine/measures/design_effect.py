"""How much less rows that belong together tell than as many rows that do not: the mean over pairs of variables."""

from __future__ import annotations

import numpy as np

from engine.counting.compiling import njit

MOST_PAIRS = 400
"""Pairs that are looked at: of more, some evenly spread ones."""


def design_effect(codes: np.ndarray, arity: np.ndarray, clusters: np.ndarray) -> float:
    """The factor by which clusters widen the variance of what links two variables, as a mean over the pairs.

    For a pair, e is the product of two rows' indicators, each less its share, less its own mean. The factor is
    C / (C - 1) times the sum over clusters of the square of a cluster's sum of e, over the sum over rows of e squared
    (the ratio of the sandwich variance by cluster to that by row; Rao & Scott 1981 divide counts by it).

    Parameters
    ----------
    codes : (p, n) unsigned
    arity : (p,) number of levels
    clusters : (n,) numbers from 0 that rows which belong together share

    Returns
    -------
    at least 1; 1 where no pair varies, or there is one cluster only
    """
    several = [i for i in range(len(codes)) if codes[i].min() != codes[i].max()] if codes.size else []
    pairs = np.array([(i, j) for k, i in enumerate(several) for j in several[:k]], dtype=np.int64)
    many = int(clusters.max(initial=-1)) + 1
    if not len(pairs) or many < 2:
        return 1.0
    if len(pairs) > MOST_PAIRS:
        pairs = pairs[np.linspace(0, len(pairs) - 1, MOST_PAIRS).astype(np.int64)]
    order = np.argsort(clusters, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(clusters, minlength=many))])
    found = _pair_effects(np.ascontiguousarray(codes[:, order]), np.asarray(arity, dtype=np.int64), starts, pairs)
    return max(1.0, float(np.nanmean(found)) * many / (many - 1)) if np.isfinite(found).any() else 1.0


@njit(cache=True, nogil=True)
def _pair_effects(codes, arity, starts, pairs):  # type: ignore[no-untyped-def]
    """Sum of squares of clusters' sums over sum of squares of rows, for each pair; NaN where a variable is constant."""
    n = codes.shape[1]
    found = np.empty(pairs.shape[0])
    for k in range(pairs.shape[0]):
        x, y = codes[pairs[k, 0]], codes[pairs[k, 1]]
        r, s = arity[pairs[k, 0]], arity[pairs[k, 1]]
        both = np.zeros((r, s))
        for row in range(n):
            both[x[row], y[row]] += 1
        p, q = both.sum(axis=1) / n, both.sum(axis=0) / n
        mean = both / n - np.outer(p, q)
        across, down = (p**2).sum(), (q**2).sum()
        rows = -n * (mean**2).sum()
        for row in range(n):
            rows += (1 - 2 * p[x[row]] + across) * (1 - 2 * q[y[row]] + down)
        within = 0.0
        a, b, cells = np.zeros(r), np.zeros(s), np.zeros((r, s))
        for c in range(starts.shape[0] - 1):
            a[:] = 0.0
            b[:] = 0.0
            cells[:] = 0.0
            for row in range(starts[c], starts[c + 1]):
                a[x[row]] += 1
                b[y[row]] += 1
                cells[x[row], y[row]] += 1
            m = starts[c + 1] - starts[c]
            for i in range(r):
                for j in range(s):
                    e = cells[i, j] - q[j] * a[i] - p[i] * b[j] + m * (p[i] * q[j] - mean[i, j])
                    within += e * e
        found[k] = within / rows if rows > 1e-9 * n else np.nan
    return found
