"""Partial correlations of the latent values of ratings, given all others, with the influence of every row."""

from __future__ import annotations

import numpy as np

from engine.comparison.estimates import Estimates, GroupRows
from engine.models.latent_normal import Boxes
from engine.models.polychoric import polychoric, polychoric_influence

LEAST_EIGENVALUE = 0.02
_AT_ONCE = 1 << 21
"""Numbers of p x p matrices of units in hand."""


def estimate_partial_correlations(rows: GroupRows) -> Estimates:
    """Fisher's z of the partial correlation of every pair of one group, from two-step polychoric correlations."""
    p = len(rows.levels)
    boxes = Boxes.of(
        rows.codes, rows.levels.tolist(), [_cuts(*item) for item in zip(rows.codes, rows.levels, strict=True)]
    )
    correlation = polychoric(boxes)
    first, second = np.triu_indices(p, 1)
    change = np.empty((len(first), len(rows.units)))
    place = {pair: number for number, pair in enumerate(zip(first.tolist(), second.tolist(), strict=True))}
    for pairs, cells in polychoric_influence(boxes, correlation):
        for (i, j), own in zip(pairs, cells, strict=True):
            of_rows = own[rows.codes[i], rows.codes[j]] / rows.n_rows
            change[place[min(i, j), max(i, j)]] = rows.by_unit(of_rows[None])[0]
    inverse = np.linalg.inv(_positive(correlation))
    root = np.sqrt(np.diag(inverse))
    partial = -inverse[first, second] / (root[first] * root[second])
    influence = np.empty_like(change)
    step = max(1, _AT_ONCE // (p * p))
    for begin in range(0, change.shape[1], step):
        own = change[:, begin : begin + step]
        moved = np.zeros((own.shape[1], p, p))
        moved[:, first, second] = moved[:, second, first] = own.T
        moved = inverse @ moved @ inverse  # minus the change of the inverse
        diagonal = moved[:, np.arange(p), np.arange(p)] / np.diag(inverse)
        result = moved[:, first, second] / (root[first] * root[second])
        result += 0.5 * partial * (diagonal[:, first] + diagonal[:, second])
        influence[:, begin : begin + step] = (result / (1.0 - partial**2)).T
    return Estimates.of(np.arctanh(partial), influence, rows, p + 1)


def _cuts(codes: np.ndarray, levels: int) -> np.ndarray:
    """Thresholds of one variable, half a row added to every level."""
    from scipy.special import ndtri

    share = (np.bincount(codes, minlength=levels) + 0.5) / (len(codes) + 0.5 * levels)
    return np.concatenate([[-np.inf], ndtri(np.cumsum(share)[:-1]), [np.inf]])


def _positive(correlation: np.ndarray) -> np.ndarray:
    """The nearest by its eigenvalues that is a correlation matrix and can be inverted."""
    values, vectors = np.linalg.eigh(correlation)
    if values[0] >= LEAST_EIGENVALUE:
        return correlation
    lifted = (vectors * np.maximum(values, LEAST_EIGENVALUE)) @ vectors.T
    root = np.sqrt(np.diag(lifted))
    result: np.ndarray = lifted / np.outer(root, root)
    return result
