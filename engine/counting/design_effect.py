"""How much less rows that belong together tell than as many rows that do not: the mean over pairs of variables."""

from __future__ import annotations

import numpy as np

from engine.counting.backend import kernels
from engine.data.dataset import Dataset

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
    result = kernels().pair_effects(
        np.ascontiguousarray(codes[:, order]), np.asarray(arity, dtype=np.int64), starts, pairs
    )
    return max(1.0, float(np.nanmean(result)) * many / (many - 1)) if np.isfinite(result).any() else 1.0


def design_effect_of(data: Dataset) -> float:
    """The design effect of a table: 1 where no rows share a subject.

    Parameters
    ----------
    data : the table; its variables are taken by name, since of very many pairs only some are looked at
    """
    if data.clusters is None:
        return 1.0
    order = [data.index(name) for name in sorted(data.names)]
    return design_effect(data.codes_of(order), data.arity[order], data.clusters)
