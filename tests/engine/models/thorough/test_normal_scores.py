"""Correlations with numbers, over many tables: intervals, and what ranks and thresholds add to an error."""

from __future__ import annotations

import numpy as np
import pytest

from engine.models.latent_normal import standard_scores
from engine.models.partial_correlations import boxes_of, influences
from tests.engine.models.test_normal_scores import AT, LATENT, mixed


@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_intervals_hold_the_truth(gaps: float) -> None:
    """Of 200 tables of 300 rows: z of every partial correlation, and ln(1 - explained)."""
    precision = np.linalg.inv(LATENT)
    root = np.sqrt(np.diag(precision))
    truth = np.arctanh((-precision / np.outer(root, root))[np.triu_indices(4, 1)])
    held, ratio = [], []
    for seed in range(200):
        estimates, of_z, of_precision = influences(mixed(300, seed, gaps), np.arange(300), 300)
        held.append(np.abs(estimates.z - truth) < 1.96 * np.sqrt((of_z**2).sum(axis=1)))
        off = np.log((1 - estimates.explained) * np.diag(precision))
        ratio.append(np.abs(off) < 1.96 * np.sqrt((of_precision**2).sum(axis=1)))
    for flags in (held, ratio):
        assert 0.92 <= np.mean(flags) <= 0.98
        assert np.mean(flags, axis=0).min() > 0.89


def test_ranks_and_thresholds_are_in_what_a_row_adds() -> None:
    """Strong ties, where they matter most: squares of influence are the variance over 400 tables of one correlation."""
    strong, n, found, own = np.array([[1.0, 0.85], [0.85, 1.0]]), 300, [], []
    for seed in range(400):
        values = np.random.default_rng(seed).multivariate_normal(np.zeros(2), strong, n).T
        codes = np.stack([np.searchsorted(AT, row) for row in values])
        boxes = boxes_of(codes, np.full(2, 4), {1: standard_scores(values[1])})
        estimates, of_z, _ = influences(boxes, np.arange(n), n)
        found.append(float(estimates.z[0]))
        own.append(float((of_z**2).sum()))
    assert np.mean(own) == pytest.approx(np.var(found), rel=0.2)
