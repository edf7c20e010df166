"""Partial correlations and explained shares: regressions written out, gaps, and how often intervals hold the truth."""

from __future__ import annotations

import numpy as np
import pytest

from engine.models.partial_correlations import PartialCorrelations, boxes_of, influences

UNDER = np.array([[1.0, 0.6, 0.3, -0.2], [0.6, 1.0, 0.5, 0.1], [0.3, 0.5, 1.0, 0.4], [-0.2, 0.1, 0.4, 1.0]])
CUTS = [-0.8, 0.0, 0.7]


def ratings(seed: int, n: int, gaps: float = 0.0) -> np.ndarray:
    """(4, n) codes of normal rows, some of them missing at random."""
    generator = np.random.default_rng(seed)
    codes = np.searchsorted(CUTS, generator.multivariate_normal(np.zeros(4), UNDER, n).T)
    return np.where(generator.random(codes.shape) < gaps, -1, codes)


def test_they_are_what_regressions_leave() -> None:
    """Correlation of two residuals, and the share of a variance that a regression on all others explains."""
    estimates = PartialCorrelations.of(UNDER)
    for i in range(4):
        others = [x for x in range(4) if x != i]
        explained = UNDER[i, others] @ np.linalg.solve(UNDER[np.ix_(others, others)], UNDER[others, i])
        assert estimates.explained[i] == pytest.approx(explained, abs=1e-12)
        for j in range(i):
            own, rest = [i, j], [x for x in range(4) if x not in (i, j)]
            left = UNDER[np.ix_(own, own)] - UNDER[np.ix_(own, rest)] @ np.linalg.solve(
                UNDER[np.ix_(rest, rest)], UNDER[np.ix_(rest, own)]
            )
            assert estimates.partial[i, j] == pytest.approx(left[0, 1] / np.sqrt(left[0, 0] * left[1, 1]), abs=1e-12)


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_intervals_hold_the_truth(gaps: float) -> None:
    """Of 200 tables of 300 rows: z of every pair, and ln(1 - explained)."""
    n, truth = 300, PartialCorrelations.of(UNDER)
    held_z, held_left = [], []
    for seed in range(200):
        estimates, of_z, of_precision = influences(boxes_of(ratings(seed, n, gaps), np.full(4, 4)), np.arange(n), n)
        held_z.append(np.abs(estimates.z - truth.z) < 1.96 * np.sqrt((of_z**2).sum(axis=1)))
        off = np.log((1 - estimates.explained) / (1 - truth.explained))
        held_left.append(np.abs(off) < 1.96 * np.sqrt((of_precision**2).sum(axis=1)))
    for held in (held_z, held_left):
        assert 0.92 <= np.mean(held) <= 0.98
        assert np.mean(held, axis=0).min() > 0.88


@pytest.mark.parametrize("gaps", [0.0, 0.3])
def test_the_influence_is_what_leaving_a_row_out_changes(gaps: float) -> None:
    """Row by row of a table with and without gaps, n times the jackknife's change."""
    codes, n = ratings(5, 240, gaps), 240
    estimates, of_z, of_precision = influences(boxes_of(codes, np.full(4, 4)), np.arange(n), n)
    for row in range(0, n, 24):
        rest = np.delete(codes, row, axis=1)
        left, _, _ = influences(boxes_of(rest, np.full(4, 4)), np.arange(n - 1), n - 1)
        assert of_z[:, row] == pytest.approx(estimates.z - left.z, abs=0.25 * np.abs(of_z).max())
        log_diagonal = np.log(np.diag(estimates.precision)) - np.log(np.diag(left.precision))
        assert of_precision[:, row] == pytest.approx(log_diagonal, abs=0.25 * np.abs(of_precision).max())


def test_a_missing_answer_moves_only_its_own_pairs() -> None:
    """An answer to the first item alone adds nothing to the correlation of two others."""
    codes = ratings(1, 200)
    alone = np.column_stack([codes, [2, -1, -1, -1]])
    with_it, without = (
        influences(boxes_of(table, np.full(4, 4)), np.arange(table.shape[1]), table.shape[1])[0]
        for table in (alone, codes)
    )
    inverse = [np.linalg.inv(item.precision) for item in (with_it, without)]
    assert inverse[0][1:, 1:] == pytest.approx(inverse[1][1:, 1:], abs=1e-12)
    assert np.abs(inverse[0][0, 1:] - inverse[1][0, 1:]).max() > 1e-6
