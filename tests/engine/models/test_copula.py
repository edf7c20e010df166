"""Correlations of a Gaussian copula: SciPy's Kendall tau, and the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import kendalltau, norm

import engine
from engine.models.copula import copula_correlation, rank_correlation

TRUE = np.array([[1.0, 0.6, 0.3], [0.6, 1.0, 0.5], [0.3, 0.5, 1.0]])


def cut_table(rows: int, levels: tuple[int, ...] = (3, 4, 3), seed: int = 1) -> engine.Dataset:
    """Three normal variables with the correlations `TRUE`, cut into levels as many."""
    values = np.random.default_rng(seed).multivariate_normal(np.zeros(3), TRUE, rows)
    codes = [np.digitize(column, norm.ppf(np.arange(1, k) / k)) for column, k in zip(values.T, levels, strict=True)]
    return engine.Dataset.from_codes(codes, list(levels), ["a", "b", "c"])


def test_rank_correlations_are_scipys() -> None:
    """sin(pi tau_b / 2); a constant variable has none."""
    data = cut_table(60)
    a, b, c = data.codes
    expected = [math.sin(0.5 * math.pi * kendalltau(*pair).statistic) for pair in ((a, b), (b, c))]
    found = rank_correlation(data)
    assert [found[0, 1], found[2, 1]] == pytest.approx(expected, rel=1e-12)
    assert np.array_equal(found, found.T)
    constant = engine.Dataset.from_codes([[0, 0, 0], [0, 1, 1]], [2, 2], ["a", "b"])
    assert rank_correlation(constant).tolist() == [[1.0, 0.0], [0.0, 1.0]]


def test_both_come_near_the_truth() -> None:
    """In 2,000 rows; ranks of so few levels less so, since ties are no part of sin(pi tau / 2)."""
    data = cut_table(2000)
    drawn = copula_correlation(data.codes, 0, 200, 150)
    assert np.abs(drawn - TRUE).max() < 0.07
    assert np.array_equal(copula_correlation(data.codes, 0, 200, 150), drawn)
    assert not np.array_equal(copula_correlation(data.codes, 1, 200, 150), drawn)
    assert 0.03 < np.abs(rank_correlation(data) - TRUE).max() < 0.1
