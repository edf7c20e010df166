"""The numbers of a Table 1 against SciPy on the values themselves, and by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from engine.measures.table_one import (
    difference_of_means,
    difference_of_shares,
    moments,
    p_of_levels,
    p_of_means,
    p_of_ranks,
    quartiles,
)

GENERATOR = np.random.default_rng(5)
GROUPS = [np.round(GENERATOR.lognormal(1, 1, size), 1) for size in (41, 60, 33)]
VALUES, PLACES = np.unique(np.concatenate(GROUPS), return_inverse=True)
OWN = np.repeat(np.arange(3), [len(group) for group in GROUPS])
COUNTS = np.array([np.bincount(PLACES[g == OWN], minlength=len(VALUES)) for g in range(3)]).T


def test_moments_and_quartiles_are_those_of_the_values() -> None:
    """From counts of distinct values as from the values, ties among them."""
    means, deviations = moments(VALUES, COUNTS)
    for g, group in enumerate(GROUPS):
        assert means[g] == pytest.approx(group.mean(), rel=1e-12)
        assert deviations[g] == pytest.approx(group.std(ddof=1), rel=1e-12)
        assert quartiles(VALUES, COUNTS)[g] == pytest.approx(np.quantile(group, [0.25, 0.5, 0.75]), rel=1e-12)


def test_moments_of_large_numbers_and_of_no_rows() -> None:
    """Squares that do not fit; a group without a value and one with a single one."""
    means, deviations = moments(np.array([1e200, 3e200]), np.array([[1, 0, 1], [1, 0, 0]]))
    assert means[[0, 2]].tolist() == [2e200, 1e200]
    assert deviations[0] == pytest.approx(2**0.5 * 1e200)
    assert np.isnan(
        [means[1], deviations[1], deviations[2], *quartiles(np.array([1.0]), np.zeros((1, 1), int))[0]]
    ).all()


def test_tests_are_scipys() -> None:
    """Welch, analysis of variance and Kruskal-Wallis with ties."""
    means, deviations = moments(VALUES, COUNTS)
    n = COUNTS.sum(axis=0)
    assert p_of_means(means, deviations, n) == pytest.approx(stats.f_oneway(*GROUPS).pvalue, rel=1e-9)
    two = stats.ttest_ind(*GROUPS[:2], equal_var=False).pvalue
    assert p_of_means(means[:2], deviations[:2], n[:2]) == pytest.approx(two, rel=1e-9)
    assert p_of_ranks(COUNTS) == pytest.approx(stats.kruskal(*GROUPS).pvalue, rel=1e-9)
    assert p_of_ranks(COUNTS[:, :2]) == pytest.approx(stats.kruskal(*GROUPS[:2]).pvalue, rel=1e-9)
    assert np.isnan(
        [p_of_ranks(COUNTS[:, :1]), p_of_ranks(np.array([[3, 4]])), p_of_means(means[:1], deviations, n[:1])]
    ).all()


def test_tests_of_levels() -> None:
    """Fisher's of 2 x 2 with few rows, else chi-squared, in doubt where few; levels without rows do not count."""
    few, many = np.array([[3, 9], [12, 8]]), np.array([[30, 9], [12, 40]])
    assert p_of_levels(few)[0] == pytest.approx(stats.chi2_contingency(few).pvalue)
    assert p_of_levels(np.array([[1, 9], [12, 8]]))[0] == pytest.approx(stats.fisher_exact([[1, 9], [12, 8]]).pvalue)
    assert p_of_levels(np.vstack([many, [0, 0]]))[0] == pytest.approx(stats.chi2_contingency(many).pvalue)
    assert p_of_levels(np.array([[30, 20], [20, 30], [1, 2]]))[1]
    assert np.isnan(p_of_levels(np.array([[3, 4]]))[0])
    assert np.isnan(p_of_levels(np.array([[3, 0], [4, 0]]))[0])


def test_differences_by_hand() -> None:
    """In pooled standard deviations; of two levels as of their shares, of more by Mahalanobis; the largest of pairs."""
    assert difference_of_means(np.array([1.0, 3.0]), np.array([1.0, 3.0])) == pytest.approx(2 / 5**0.5)
    assert difference_of_means(np.array([3.0, 1.0]), np.array([1.0, 3.0])) == pytest.approx(-2 / 5**0.5)
    assert difference_of_means(np.array([0.0, 3.0, 1.0]), np.ones(3)) == pytest.approx(3.0)
    half = difference_of_shares(np.array([[50, 80], [50, 20]]))
    assert half == pytest.approx(0.3 / ((0.25 + 0.16) / 2) ** 0.5)
    three = np.array([[10, 20], [30, 30], [60, 50]])
    assert difference_of_shares(three) == pytest.approx(difference_of_shares(three[[2, 0, 1]]))
    assert difference_of_shares(np.vstack([three, [0, 0]])) == pytest.approx(difference_of_shares(three))
    assert difference_of_shares(np.array([[50, 80, 50], [50, 20, 50]])) == pytest.approx(half)
    apart = [
        np.array([[5, 0], [0, 5]]),
        np.array([[5, 5]]),
        np.array([[5, 0], [5, 0]]),
        np.array([[5, 0], [0, 3], [0, 2]]),
    ]
    assert np.isnan([difference_of_shares(counts) for counts in apart]).all()
    assert np.isnan(difference_of_means(np.array([1.0, 1.0]), np.zeros(2)))
