"""Draws inside boxes: SciPy's normal and truncated normals far out, sweeps beside a slow transcription."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import log_ndtr, ndtr, ndtri
from scipy.stats import truncnorm

from engine import execution
from engine.counting import latent_kernels
from engine.counting.latent_kernels import (
    add_products,
    draw_rows,
    log_normal_cdf,
    normal_cdf,
    normal_quantile,
    random_states,
    sweep_rows,
    truncated,
)

MASK = (1 << 64) - 1


def test_the_normal_distribution_is_that_of_scipy() -> None:
    """To the last digits, with its logarithm where the probability itself is 0."""
    x = np.concatenate([np.linspace(-37.0, 8.0, 451), [0.0, 30.0]])
    ours = np.array([normal_cdf(one) for one in x])
    assert ours == pytest.approx(ndtr(x), rel=2e-13, abs=0)
    assert np.abs(ours - ndtr(x)).max() <= 4e-16
    far = np.concatenate([np.linspace(-30.5, 5.0, 300), -np.logspace(1, 6, 60)])
    ours = np.array([log_normal_cdf(one) for one in far])
    assert (np.abs(ours - log_ndtr(far)) <= 3e-12 + 2e-15 * np.abs(ours)).all()


def test_the_logarithm_has_no_step_where_the_series_begins() -> None:
    """At 30 below the mean."""
    above, below = (log_normal_cdf(one) for one in (np.nextafter(-30.0, 0), -30.0))
    assert abs(below - above) < 3e-12


def test_the_quantile_is_that_of_scipy() -> None:
    """In the middle, in both tails, and down to the smallest probabilities that there are."""
    p = np.concatenate([np.linspace(0.001, 0.999, 999), np.logspace(-300, -3, 298), 1 - np.logspace(-15, -3, 49)])
    ours = np.array([normal_quantile(one) for one in p])
    assert ours == pytest.approx(ndtri(p), rel=2e-14, abs=2e-16)


@pytest.mark.parametrize("u", [1e-6, 0.1, 0.5, 0.9, 1 - 1e-6])
@pytest.mark.parametrize(
    ("low", "high"),
    [
        (-math.inf, math.inf),
        (-math.inf, 0.3),
        (0.3, math.inf),
        (-1.0, 2.0),
        (8.0, math.inf),
        (8.0, 8.5),
        (-8.5, -8.0),
        (-math.inf, -29.9),
        (30.1, 31.0),
        (38.0, 40.0),
        (-40.0, -38.0),
        (-math.inf, -38.0),
    ],
)
def test_a_draw_is_the_quantile_of_the_truncated_normal(low: float, high: float, u: float) -> None:
    """Beside SciPy's, to 1e-9 of the distance from the mean, where SciPy itself is still right."""
    ours = truncated(low, high, u)
    assert ours == pytest.approx(truncnorm.ppf(u, low, high), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("start", [30.5, 38.0, 100.0, 1e4])
def test_a_draw_far_out_falls_as_the_tail_does(start: float) -> None:
    """The tail beyond a is exponential there with rate a, but for the next term of its series, in logarithms."""
    for u in (0.01, 0.5, 0.99):
        x = truncated(start, math.inf, u)
        assert log_ndtr(-x) - log_ndtr(-start) == pytest.approx(math.log1p(-u), abs=1e-8 + 4e-16 * start**2)
        assert x - start == pytest.approx(-math.log1p(-u) / start, rel=5 / start**2 * (2 - math.log1p(-u)) + 1e-5)


@pytest.mark.parametrize("start", [0.0, 1.0, 8.0, 29.9999, 30.0, 38.0, 100.0])
@pytest.mark.parametrize("sign", [-1, 1])
def test_an_interval_of_1e_10_is_not_left(start: float, sign: int) -> None:
    """There the distribution is even, so the draw lies where the uniform number says."""
    low, high = sorted((sign * start, sign * (start + 1e-10)))
    drawn = [truncated(low, high, u) for u in (1e-9, 0.25, 0.5, 0.75, 1 - 1e-9)]
    assert all(low <= x <= high for x in drawn) and drawn == sorted(drawn)
    if start <= 1.0:  # further out 1e-10 is a few steps of double precision or of its tail
        assert drawn[2] == pytest.approx(0.5 * (low + high), abs=1e-14)


@pytest.mark.parametrize("start", [-38.0, -30.0, -1.0, 0.0, 8.0, 30.0, 38.0, 1e4])
def test_an_interval_of_one_step_of_double_precision_is_not_left(start: float) -> None:
    """Nor is a bound passed where the draw is all but that bound."""
    end = float(np.nextafter(start, np.inf))
    assert all(start <= truncated(start, end, u) <= end for u in (1e-9, 0.5, 1 - 1e-9))


bounds = st.floats(-60.0, 60.0)
shares = st.floats(1e-9, 1 - 1e-9)


@given(low=bounds, width=st.floats(1e-10, 40.0), one=shares, other=shares)
def test_draws_stay_inside_and_rise_with_the_uniform_number(low: float, width: float, one: float, other: float) -> None:
    """Whatever the bounds."""
    high = low + width
    first, second = (truncated(low, high, u) for u in sorted((one, other)))
    assert low <= first <= high and low <= second <= high
    assert second - first >= -1e-13 * max(1.0, abs(first))


@given(low=bounds, width=st.floats(1e-3, 40.0), u=st.integers(1, 1023))
def test_draws_are_symmetric(low: float, width: float, u: int) -> None:
    """The mirrored interval gives the mirrored draw, to what rounding leaves of a share near 1."""
    high, share = low + width, u / 1024
    ours, mirrored = truncated(low, high, share), truncated(-high, -low, 1 - share)
    assert ours == pytest.approx(-mirrored, rel=1e-7, abs=1e-7)


@given(u=shares, at=st.sampled_from([-np.inf, np.inf]))
def test_an_infinite_bound_is_none(u: float, at: float) -> None:
    """Without bounds a draw is the plain quantile; with one it differs by nothing from a bound out of reach."""
    plain = truncated(-np.inf, np.inf, u)
    assert plain == normal_quantile(u)
    ends = (-50.0, at) if at > 0 else (at, 50.0)
    assert truncated(*ends, u) == pytest.approx(plain, rel=1e-12, abs=1e-12)


def mixed(z: int) -> int:
    """The finalizer of splitmix64, in whole numbers."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
    return z ^ (z >> 31)


def slow_sweeps(
    latent: np.ndarray, low: np.ndarray, high: np.ndarray, under: np.ndarray, seed: int, skip: int, kept: int
) -> tuple[np.ndarray, np.ndarray]:
    """The same in plain loops, one row after the other: where the chains stand, and the kept draws."""
    p, n = latent.shape
    latent, draws = latent.copy(), np.empty((n, kept, p))
    for row in range(n):
        state = mixed((seed + (row + 1) * 0x9E3779B97F4A7C15) & MASK)
        x = latent[:, row]
        for sweep in range(skip + kept):
            for i in range(p):
                others = [j for j in range(p) if j != i]
                weights = np.linalg.solve(under[np.ix_(others, others)], under[others, i])
                mean, spread = weights @ x[others], np.sqrt(under[i, i] - weights @ under[others, i])
                state = (state + 0x9E3779B97F4A7C15) & MASK
                u = ((mixed(state) >> 11) + 0.5) / 2**53
                ends = (low[i, row] - mean) / spread, (high[i, row] - mean) / spread
                x[i] = mean + spread * truncnorm.ppf(u, *ends)
            if sweep >= skip:
                draws[row, sweep - skip] = x
    return latent, draws


def conditionals(under: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What the kernel asks for: weights of the others, and what is left."""
    precision = np.linalg.inv(under)
    weights = -precision / np.diag(precision)[:, None]
    np.fill_diagonal(weights, 0.0)
    return weights, 1.0 / np.sqrt(np.diag(precision))


def boxes(p: int, n: int, generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bounds of all kinds, and a start inside them."""
    low = np.where(generator.random((p, n)) < 0.3, -np.inf, generator.normal(-0.5, 0.7, (p, n)))
    high = np.where(generator.random((p, n)) < 0.3, np.inf, np.maximum(low, -1.0) + generator.random((p, n)) + 0.05)
    return low, high, np.clip(0.0, low, high)


@pytest.mark.parametrize("n", [3, 70])
def test_sweeps_are_those_of_a_slow_transcription(n: int) -> None:
    """The same stream of random numbers gives the same values, also where rows fill more than one batch."""
    generator = np.random.default_rng(n)
    p, skip, kept = 4, 1, 2
    under = np.corrcoef(generator.normal(size=(p, 9)))
    low, high, latent = boxes(p, n, generator)
    where, draws = slow_sweeps(latent, low, high, under, 77, skip, kept)
    total = np.ones((p + 1, p))  # is added to
    sweep_rows(latent, low, high, *conditionals(under), np.uint64(77), skip, kept, total)
    assert latent == pytest.approx(where, abs=1e-9)
    flat = draws.reshape(-1, p)
    assert total[:p] - 1 == pytest.approx(np.tril(flat.T @ flat), abs=1e-6)
    assert total[p] - 1 == pytest.approx(flat.sum(axis=0), abs=1e-6)


def test_rows_do_not_know_of_each_other() -> None:
    """A row has a stream of its own: the first rows of a longer table are drawn as they are without the rest."""
    generator = np.random.default_rng(5)
    low, high, latent = boxes(3, 150, generator)
    weights, spread = conditionals(np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.4], [0.2, 0.4, 1.0]]))
    found = []
    for many in (150, 65):
        own = [one[:, :many].copy() for one in (latent, low, high)]
        sweep_rows(*own, weights, spread, np.uint64(3), 2, 3, np.zeros((4, 3)))
        found.append(own[0])
    assert (found[0][:, :65] == found[1]).all()


@given(
    n=st.integers(0, 300),
    p=st.integers(1, 5),
    skip=st.integers(0, 2),
    kept=st.integers(0, 3),
    number=st.integers(1, 5),
    at_once=st.sampled_from([1, 2_000, 1 << 21]),
)
def test_threads_and_batches_change_no_bit(n: int, p: int, skip: int, kept: int, number: int, at_once: int) -> None:
    """Rows drawn in one piece and added in one piece, beside many of both, by any number of threads."""
    generator = np.random.default_rng(n)
    low, high, latent = boxes(p, n, generator)
    weights, spread = conditionals(np.atleast_2d(np.corrcoef(generator.normal(size=(p, 3 * p + 3)))))
    whole, total = latent.copy(), np.ones((p + 1, p))
    draws = np.empty((-(-n // 64), kept, p, 64))
    draw_rows(whole, low, high, weights, spread, random_states(np.uint64(7), n), skip, kept, 0, n, draws)
    add_products(draws, 0, p, total)
    shared, ours = latent.copy(), np.ones((p + 1, p))
    with pytest.MonkeyPatch.context() as patch, execution.using(number):
        patch.setattr(latent_kernels, "_AT_ONCE", at_once)
        sweep_rows(shared, low, high, weights, spread, np.uint64(7), skip, kept, ours)
    assert shared.tobytes() == whole.tobytes()
    assert ours.tobytes() == total.tobytes()


def test_rows_outside_a_range_stay() -> None:
    """Two ranges of rows, the later one first, are what all rows are; nobody else's row is touched."""
    generator = np.random.default_rng(8)
    low, high, latent = boxes(3, 200, generator)
    given = conditionals(np.array([[1.0, 0.5, 0.2], [0.5, 1.0, 0.4], [0.2, 0.4, 1.0]]))
    state = random_states(np.uint64(3), 200)
    whole, apart = latent.copy(), latent.copy()
    draws, parts = np.empty((4, 2, 3, 64)), np.empty((4, 2, 3, 64))
    draw_rows(whole, low, high, *given, state.copy(), 1, 2, 0, 200, draws)
    draw_rows(apart, low, high, *given, state, 1, 2, 128, 200, parts[2:])
    assert (apart[:, :128] == latent[:, :128]).all()
    draw_rows(apart, low, high, *given, state, 1, 2, 0, 128, parts[:2])
    assert (apart == whole).all()
    assert (parts == draws).all()
    assert (draws[3, :, :, 200 - 192 :] == 0).all()
