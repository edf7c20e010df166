"""Partial correlations, their intervals, and what chance would show."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from engine.methods.ordinal.effects import link


def sample(n: int = 400, p: int = 5, seed: int = 0) -> np.ndarray:
    """(p, n) normal values that hang together."""
    generator = np.random.default_rng(seed)
    mixing = generator.normal(size=(p, p))
    return mixing @ generator.normal(size=(p, n))


@pytest.mark.parametrize("given", [(), (2,), (2, 3, 4)])
def test_partial_correlation_and_weight_are_those_of_regressions(given: tuple[int, ...]) -> None:
    """Of the residuals; and the slope of the regression on everything, in standard deviations."""
    values = sample()
    values = (values - values.mean(axis=1, keepdims=True)) / values.std(axis=1, keepdims=True)
    found = link(np.corrcoef(values), 0, 1, given, 400.0, 10)
    if given:
        others = values[list(given)].T
        left = [values[i] - others @ np.linalg.lstsq(others, values[i], rcond=None)[0] for i in (0, 1)]
    else:
        left = [values[0], values[1]]
    expected = float(np.corrcoef(left)[0, 1])
    assert found.partial == pytest.approx(expected, abs=1e-10)
    slope = np.linalg.lstsq(values[[0, *given]].T, values[1], rcond=None)[0][0]
    assert found.weight == pytest.approx(slope, abs=1e-10)
    z, spread = np.arctanh(expected), 1 / np.sqrt(400 - len(given) - 3)
    assert found.low == pytest.approx(np.tanh(z + stats.norm.ppf(0.025) * spread), abs=1e-10)
    assert found.high == pytest.approx(np.tanh(z + stats.norm.ppf(0.975) * spread), abs=1e-10)
    assert found.chance == pytest.approx(min(1.0, 10 * 2 * stats.norm.sf(abs(z) / spread)), rel=1e-9)
    gained = -0.5 * 400 * np.log(1 - expected**2) - 0.5 * np.log(400)
    assert found.log_bayes_factor == pytest.approx(gained, rel=1e-9)


def test_chance_never_passes_one_and_decides_at_five_percent() -> None:
    """Independent variables; then a correlation just beyond, and just within, what ten pairs show."""
    assert link(np.eye(2), 0, 1, (), 400.0, 10).chance == 1.0
    edge = np.tanh(stats.norm.isf(0.05 / 20) / np.sqrt(397))
    near = [np.array([[1.0, rho], [rho, 1.0]]) for rho in (edge * 1.001, edge * 0.999)]
    assert [link(one, 0, 1, (), 400.0, 10).beyond_chance for one in near] == [True, False]


def test_too_few_rows_say_nothing() -> None:
    """An interval as wide as can be."""
    found = link(np.array([[1.0, 0.9], [0.9, 1.0]]), 0, 1, (), 3.0, 1)
    assert (found.low, found.high, found.chance) == (-1.0, 1.0, 1.0)
    assert not found.below(0.99)


def test_a_margin_is_held_by_the_whole_interval() -> None:
    """Not by the estimate alone."""
    found = link(np.array([[1.0, 0.05], [0.05, 1.0]]), 0, 1, (), 2000.0, 1)
    assert found.below(0.1)
    assert not found.below(0.06)
