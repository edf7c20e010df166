"""Intervals of shares against SciPy's Beta distribution, which gets them another way, and at the ends by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from scipy.special import betaincinv

from engine.errors import SettingsError
from engine.measures.intervals import beta_interval, mean_interval, share_interval
from engine.measures.shifts import wilson_interval

WEIGHTS = st.floats(0.5, 1e3)
"""Smaller ones put an end so near to 0 or 1 that a float cannot tell."""


@given(WEIGHTS, WEIGHTS, st.floats(0.05, 0.99))
def test_a_beta_interval_leaves_the_same_on_both_sides(a: float, b: float, level: float) -> None:
    """The distribution function of its ends is what the level says, and the quantiles are SciPy's."""
    low, high = beta_interval(a, b, level)
    assume(high < 1 - 1e-9)  # nearer to 1 the next number is already another probability
    assert stats.beta(a, b).cdf([float(low), float(high)]) == pytest.approx(
        [(1 - level) / 2, (1 + level) / 2], abs=1e-6
    )
    assert float(high) == pytest.approx(stats.beta(a, b).ppf((1 + level) / 2), abs=1e-9)


def test_an_interval_of_95_percent_has_the_bits_it_always_had() -> None:
    """0.025 and 0.975 to the last bit, whatever 1 - 0.95 rounds to."""
    a, b = np.array([1.5, 20.0, 3.25]), np.array([7.0, 0.5, 3.25])
    low, high = beta_interval(a, b)
    assert low.tolist() == betaincinv(a, b, 0.025).tolist()
    assert high.tolist() == betaincinv(a, b, 0.975).tolist()


def test_the_share_of_the_only_level_is_one() -> None:
    """Nothing else weighs anything, so the interval has no width."""
    low, high = beta_interval([4.0, 0.5], 0.0)
    assert low.tolist() == high.tolist() == [1.0, 1.0]


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_jeffreys_interval_holds_the_share_and_mirrors(tries: tuple[int, int]) -> None:
    """Hits and misses change places; no hits begin at 0, nothing but hits end at 1, the rest is SciPy's."""
    k, n = tries
    low, high = (float(end) for end in share_interval(k, n))
    assert low <= k / n <= high
    other_low, other_high = (float(end) for end in share_interval(n - k, n))
    assert (1 - high, 1 - low) == pytest.approx((other_low, other_high), abs=1e-9)
    posterior = stats.beta(k + 0.5, n - k + 0.5)
    assert low == pytest.approx(0.0 if k == 0 else posterior.ppf(0.025), abs=1e-9)
    assert high == pytest.approx(1.0 if k == n else posterior.ppf(0.975), abs=1e-9)


@pytest.mark.parametrize("level", [0, 1, -0.1, 95, float("nan")])
def test_a_level_that_is_no_coverage_is_refused(level: float) -> None:
    """As 95 for 0.95."""
    with pytest.raises(SettingsError, match="between 0 and 1"):
        share_interval(1, 2, level)


def test_the_interval_of_a_mean_is_newcombes_of_the_difference_to_the_other_share() -> None:
    """56 of 70 and 48 of 80: method 10 of Newcombe (1998) has 0.0524 to 0.3339; that of the mean is half."""
    (low, below), (high, above) = (wilson_interval([56, 32], [70, 80])[end] for end in (0, 1))
    ends = mean_interval([56 / 70, 32 / 80], [low, below], [high, above])
    assert ends == pytest.approx(((1 + 0.0524) / 2, (1 + 0.3339) / 2), abs=5e-5)


@pytest.mark.parametrize(("n", "shares"), [((20, 15), (0.8, 0.6)), ((40, 8), (0.9, 0.5)), ((12, 12), (0.95, 0.97))])
def test_the_interval_of_a_mean_covers_it_by_enumeration(n: tuple[int, int], shares: tuple[float, float]) -> None:
    """All outcomes of both classes, each with its probability."""
    covered = 0.0
    for first in range(n[0] + 1):
        for second in range(n[1] + 1):
            hits = np.array([first, second])
            low, high = mean_interval(hits / n, *wilson_interval(hits, n))
            if low <= np.mean(shares) <= high:
                covered += float(np.prod(stats.binom(n, shares).pmf(hits)))
    assert 0.925 < covered < 0.99
