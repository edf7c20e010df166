"""Partial correlations, their intervals, and what chance would show."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from engine.methods.ordinal.effects import Link, link, normal_scores
from engine.models.latent_normal import UNKNOWN, Boxes


def exact(correlation: np.ndarray, rows: float) -> np.ndarray:
    """Variances of correlations of values that were seen themselves."""
    return (1 - correlation**2) ** 2 / rows


def seen(correlation: np.ndarray, given: tuple[int, ...] = (), rows: float = 400.0, pairs: int = 10) -> Link:
    """The link of the first two, of values that were seen themselves."""
    return link(correlation, exact(correlation, rows), 0, 1, given, rows, pairs)


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
    found = seen(np.corrcoef(values), given)
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
    assert seen(np.eye(2)).chance == 1.0
    edge = np.tanh(stats.norm.isf(0.05 / 20) / np.sqrt(397))
    near = [np.array([[1.0, rho], [rho, 1.0]]) for rho in (edge * 1.001, edge * 0.999)]
    assert [seen(one).beyond_chance for one in near] == [True, False]


def test_too_few_rows_say_nothing() -> None:
    """An interval as wide as can be."""
    found = seen(np.array([[1.0, 0.9], [0.9, 1.0]]), rows=3.0, pairs=1)
    assert (found.low, found.high, found.chance) == (-1.0, 1.0, 1.0)
    assert not found.below(0.99)


def test_a_margin_is_held_by_the_whole_interval() -> None:
    """Not by the estimate alone."""
    found = seen(np.array([[1.0, 0.05], [0.05, 1.0]]), rows=2000.0, pairs=1)
    assert found.below(0.1)
    assert not found.below(0.06)


def test_what_levels_add_is_the_slope_times_their_variance() -> None:
    """Against numerical derivatives of the partial correlation by each correlation that it is made of."""
    correlation = np.corrcoef(sample())
    variances = (
        exact(correlation, 400.0)
        + np.array([[0, 1, 2, 3, 4], [1, 0, 5, 6, 7], [2, 5, 0, 8, 9], [3, 6, 8, 0, 1], [4, 7, 9, 1, 0]]) * 1e-3
    )

    def partial(changed: np.ndarray) -> float:
        precision = np.linalg.inv(changed[:4, :4])
        return float(-precision[0, 1] / np.sqrt(precision[0, 0] * precision[1, 1]))

    added = 0.0
    for i in range(4):
        for j in range(i):
            step = np.zeros((5, 5))
            step[i, j] = step[j, i] = 1e-6
            slope = (partial(correlation + step) - partial(correlation - step)) / 2e-6
            added += slope**2 * (variances[i, j] - exact(correlation, 400.0)[i, j])
    found = link(correlation, variances, 0, 1, (2, 3), 400.0, 1)
    spread = np.sqrt(1 / (400 - 2 - 3) + added / (1 - found.partial**2) ** 2)
    assert found.high == pytest.approx(np.tanh(np.arctanh(found.partial) + stats.norm.ppf(0.975) * spread), abs=1e-6)
    assert found.high - found.low > seen(correlation, (2, 3)).high - seen(correlation, (2, 3)).low


def test_normal_scores_are_the_means_of_cut_normals() -> None:
    """SciPy's truncated normal, less the variable's mean; nothing of a missing answer."""
    generator = np.random.default_rng(5)
    codes = generator.integers(0, 4, (2, 60))
    codes[0, :7] = UNKNOWN
    boxes = Boxes.of(codes, (4, 4))
    found = normal_scores(boxes)
    for own, cuts, scores in zip(codes, boxes.cuts, found, strict=True):
        known = own != UNKNOWN
        means = np.array([stats.truncnorm.mean(cuts[level], cuts[level + 1]) for level in own[known]])
        assert scores[known] == pytest.approx(means - means.mean(), abs=1e-9)
        assert not scores[~known].any()
