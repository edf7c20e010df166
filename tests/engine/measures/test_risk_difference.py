"""The Mantel-Haenszel difference against a loop, closed forms, and tables with a known truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm, t

from engine.measures.risk_difference import cluster_risk_difference, largest_difference, risk_difference


def by_hand(counts: np.ndarray, k: int) -> float:
    """The weighted mean of the strata's differences of one level."""
    top = bottom = 0.0
    for first, second in counts.tolist():
        a, b = sum(first), sum(second)
        if a and b:
            weight = a * b / (a + b)
            top += weight * (second[k] / b - first[k] / a)
            bottom += weight
    return top / bottom


@settings(max_examples=40)
@given(st.integers(0, 10_000))
def test_the_difference_is_a_weighted_mean_over_strata(seed: int) -> None:
    """Any strata, empty ones among them; swapping groups turns the sign; the interval holds the difference."""
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 9, (int(rng.integers(1, 6)), 2, int(rng.integers(2, 5))))
    counts[0] += 1
    effect, low, high = risk_difference(counts)
    assert list(effect) == pytest.approx([by_hand(counts, k) for k in range(counts.shape[2])])
    assert ((low <= effect + 1e-12) & (effect <= high + 1e-12)).all()
    swapped, other_low, other_high = risk_difference(counts[:, ::-1])
    assert list(swapped) == pytest.approx(list(-effect))
    assert (list(other_low), list(other_high)) == (pytest.approx(list(-high)), pytest.approx(list(-low)))


def test_one_stratum_is_agresti_and_caffo() -> None:
    """Two levels and one stratum: their closed form with one success and one failure added to each group."""
    _, low, high = risk_difference(np.array([[[40, 10], [30, 20]]]))
    p, q = 11 / 52, 21 / 52
    reach = norm.ppf(0.975) * math.sqrt(p * (1 - p) / 52 + q * (1 - q) / 52)
    assert (low[1], high[1]) == (pytest.approx(q - p - reach), pytest.approx(q - p + reach))
    assert low[0] == pytest.approx(-high[1])


def test_three_levels_hold_at_once() -> None:
    """Bonferroni: each interval is that of a single one at 1 - 0.05/3."""
    counts = np.array([[[20, 30, 10], [25, 20, 15]]])
    _, low, high = risk_difference(counts)
    pairs = np.stack([counts.sum(axis=2) - counts[..., 0], counts[..., 0]], axis=-1)
    _, one_low, one_high = risk_difference(pairs, 1 - 0.05 / 3)
    assert (low[0], high[0]) == (pytest.approx(one_low[1]), pytest.approx(one_high[1]))


def test_without_a_shared_stratum_nothing_is_said() -> None:
    """Each stratum has rows of one group only: no difference, no interval."""
    counts = np.array([[[3, 4], [0, 0]], [[0, 0], [5, 1]]])
    assert all(np.isnan(one).all() for one in risk_difference(counts))
    shared = np.concatenate([counts, [[[2, 2], [1, 3]]]])
    for one, other in zip(risk_difference(shared), risk_difference(shared[2:]), strict=True):
        assert one == pytest.approx(other) and np.isfinite(one).all()


@pytest.mark.parametrize(("strata", "rows"), [(1, 60), (3, 120), (12, 240)])
def test_intervals_cover_what_they_should(strata: int, rows: int) -> None:
    """Nineteen of twenty 95 % intervals hold the difference of the strata's own shares; few rows a stratum too."""
    rng = np.random.default_rng(strata)
    held, tables = 0, 600
    for _ in range(tables):
        shares = rng.uniform(0.1, 0.7, strata)
        n = rng.multinomial(rows, np.full(strata, 1 / strata), 2)
        hits = np.stack([rng.binomial(n[0], shares), rng.binomial(n[1], shares + 0.2)])
        counts = np.stack([n - hits, hits], axis=-1).transpose(1, 0, 2)
        _, low, high = risk_difference(counts)
        held += low[1] <= 0.2 <= high[1]
    assert 0.92 <= held / tables <= 0.98


def test_the_largest_difference_of_one_stratum_is_a_difference_of_two_betas() -> None:
    """Two levels: quantiles of |Beta - Beta|, drawn apart; more strata only raise it, empty ones do nothing."""
    rng = np.random.default_rng(3)
    counts = np.array([[[40, 20], [25, 35]]])
    drawn = largest_difference(counts, 1.0, 20_000, rng)
    apart = np.abs(rng.beta(36, 26, 20_000) - rng.beta(21, 41, 20_000))
    assert np.quantile(drawn, [0.05, 0.5, 0.95]) == pytest.approx(np.quantile(apart, [0.05, 0.5, 0.95]), abs=0.01)
    empty = np.concatenate([counts, np.zeros((1, 2, 2), int)])
    one, two = (largest_difference(what, 1.0, 50, np.random.default_rng(1)) for what in (counts, empty))
    assert np.array_equal(one, two)
    more = largest_difference(np.concatenate([counts, [[[3, 2], [2, 3]]]]), 1.0, 20_000, rng)
    assert np.median(more) > np.median(drawn)


@settings(max_examples=30)
@given(st.integers(0, 10_000))
def test_variances_of_clusters_are_sums_of_their_residuals(seed: int) -> None:
    """Against loops over clusters and strata; with rows by themselves it is near the interval of rows."""
    rng = np.random.default_rng(seed)
    cluster = np.repeat(np.arange(12), rng.integers(2, 9, 12))
    second = cluster % 2 == 1
    strata, values = rng.integers(0, 2, len(cluster)), rng.integers(0, 2, len(cluster))
    values = np.where(rng.random(len(cluster)) < 0.7, (cluster // 2) % 2, values)
    counts = np.zeros((2, 2, 2))
    np.add.at(counts, (strata, second.astype(int), values), 1)
    if (counts.sum(axis=2) == 0).any():
        return
    effect, low, high = cluster_risk_difference(counts, values, strata, second, cluster)
    n = counts.sum(axis=2)
    weight = n[:, 0] * n[:, 1] / n.sum(axis=1)
    own = [0.0, 0.0]
    freedom = 0.0
    for g in (0, 1):
        sums = []
        for c in range(g, 12, 2):
            total = 0.0
            for row in np.flatnonzero(cluster == c):
                j = strata[row]
                total += weight[j] / weight.sum() * (values[row] - counts[j, g, 1] / n[j, g]) / n[j, g]
            sums.append(total)
        own[g] = 6 / 5 * sum(x * x for x in sums)
        freedom += own[g] ** 2 / 5
    _, plain_low, plain_high = risk_difference(counts)
    reach = max(math.sqrt(sum(own)), (plain_high[1] - plain_low[1]) / 2 / norm.ppf(0.975))
    reach *= t.ppf(0.975, sum(own) ** 2 / freedom)
    middle = (plain_low[1] + plain_high[1]) / 2
    assert effect[1] == pytest.approx(by_hand(counts, 1))
    if max(abs(plain_low[1]), abs(plain_high[1]), abs(middle) + reach) < 1:
        assert (low[1], high[1]) == (pytest.approx(middle - reach), pytest.approx(middle + reach))
