"""Rows left out for gaps: the test against tables by SciPy, sums by hand, and clusters that are mere copies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from engine.data.rows.left_out import compare_left_out, dependence


@given(st.integers(0, 10_000))
@settings(max_examples=30, deadline=None)
def test_one_stratum_is_pearsons_test(seed: int) -> None:
    """(n - 1) / n of Pearson's statistic, for any number of levels; other names of levels change nothing."""
    rng = np.random.default_rng(seed)
    level, out = rng.integers(0, 4, 400), rng.random(400) < 0.3
    table = np.array([np.bincount(level[out], minlength=4), np.bincount(level[~out], minlength=4)])
    statistic, _, freedom, _ = stats.chi2_contingency(table, correction=False)
    p = dependence(out, level, None, None)
    assert p == pytest.approx(stats.chi2.sf(statistic * 399 / 400, freedom))
    assert dependence(out, rng.permutation(4)[level], None, None) == pytest.approx(p)


@pytest.mark.parametrize("seed", range(4))
def test_strata_are_mantel_and_haenszels(seed: int) -> None:
    """Of two levels: the squared sum of seen less expected over the sum of hypergeometric variances."""
    rng = np.random.default_rng(seed)
    level, strata = rng.integers(0, 2, 500), rng.integers(0, 3, 500)
    out = rng.random(500) < 0.1 + 0.15 * strata
    excess = variance = 0.0
    for s in range(3):
        at = strata == s
        n, m, k = at.sum(), out[at].sum(), level[at].sum()
        excess += (out & at & (level == 1)).sum() - m * k / n
        variance += m * k * (n - m) * (n - k) / n**2 / (n - 1)
    assert dependence(out, level, strata, None) == pytest.approx(stats.chi2.sf(excess**2 / variance, 1))


def test_few_expected_are_tested_exactly() -> None:
    """Fisher's test of a table of two by two; rare levels go together."""
    out = np.repeat([True, False], [8, 92])
    level = np.concatenate([[1] * 7 + [0], [1] * 23 + [0] * 69])
    assert dependence(out, level, None, None) == pytest.approx(stats.fisher_exact([[7, 1], [23, 69]]).pvalue)
    rare = np.where(level == 1, 1 + np.arange(100) % 20, 0)
    assert dependence(out, rare, None, None) != dependence(out, rare % 2, None, None)


def test_clusters_that_are_copies_count_once() -> None:
    """Every row five times: with its clusters p is about that of the rows, without them it is nearly none."""
    rng = np.random.default_rng(1)
    level, out = rng.integers(0, 3, 300), rng.random(300) < 0.2
    once = dependence(out, level, None, None)
    owner = np.repeat(np.arange(300), 5)
    together = dependence(np.repeat(out, 5), np.repeat(level, 5), None, owner)
    assert together == pytest.approx(once, rel=0.15)
    assert dependence(np.repeat(out, 5), np.repeat(level, 5), None, None) < once / 3


def test_gaps_that_go_by_the_clinic_are_not_taken_for_the_group() -> None:
    """Clinics lose 0 to 60 % of their rows, whole clinics are of one arm: 5 % are called, and half without clinics."""
    called = np.zeros(2)
    for seed in range(400):
        rng = np.random.default_rng(seed)
        owner = np.repeat(np.arange(20), 50)
        arm, out = (rng.permutation(20) % 2)[owner], rng.random(1_000) < rng.uniform(0, 0.6, 20)[owner]
        called += [dependence(out, arm, None, owner) <= 0.05, dependence(out, arm, None, None) <= 0.05]
    assert called[0] <= 0.08 * 400
    assert called[1] >= 0.4 * 400


@pytest.mark.parametrize("seed", range(3))
def test_clinics_of_two_arms_are_students_test(seed: int) -> None:
    """Clinics of equal size, each of one arm: the t test of what they lose."""
    rng = np.random.default_rng(seed)
    owner = np.repeat(np.arange(16), 40)
    arm, out = np.repeat(rng.permutation(16) % 2, 40), rng.random(640) < rng.uniform(0, 0.6, 16)[owner]
    lost, side = out.reshape(16, 40).mean(axis=1), arm[::40]
    expected = stats.ttest_ind(lost[side == 0], lost[side == 1]).pvalue
    assert dependence(out, arm, None, owner) == pytest.approx(expected)


def test_the_variable_that_tells_is_named() -> None:
    """Shares by group, and inside the groups the variable that goes with gaps; at random nothing is told."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (5, 900))
    arm = rng.integers(0, 2, 900)
    names = list("abcde")
    for share, expected in ((0.05 + 0.3 * codes[2], "c"), (np.full(900, 0.1), "")):
        out = rng.random(900) < share
        found = compare_left_out(codes[:, ~out], codes[:, out], names, (arm[~out], arm[out]))
        assert found.all == (out.sum(), 900)
        assert [lost / rows for lost, rows in found.counts] == pytest.approx([out[arm == g].mean() for g in range(2)])
        assert not found.by_group
        assert (found.variable if found.by_variable else "") == expected
    few = np.arange(900) < 3
    assert not compare_left_out(codes[:, ~few], codes[:, few], names).by_variable
