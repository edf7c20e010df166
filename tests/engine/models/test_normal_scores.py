"""Correlations and differences of means of normal scores: beside SciPy, row by row with the jackknife, any margins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import linregress, rankdata

from engine.models.normal_scores import (
    Scores,
    mean_difference,
    partial_correlation,
    scores_of_level,
    scores_of_number,
    scores_of_rating,
)

UNDER = np.array([[1.0, 0.5, 0.3, 0.4], [0.5, 1.0, 0.2, 0.3], [0.3, 0.2, 1.0, 0.3], [0.4, 0.3, 0.3, 1.0]])
CUTS = [-0.5, 0.4, 1.2]


def hidden(seed: int, n: int) -> np.ndarray:
    """(4, n) normal values."""
    return np.random.default_rng(seed).multivariate_normal(np.zeros(4), UNDER, n).T


def rows(values: np.ndarray) -> dict[str, Scores]:
    """Two numbers of bent margins, a rating, a number with ties, and a level."""
    first, second, third, fourth = values
    codes = np.digitize(third, CUTS)
    return {
        "x": scores_of_number(np.exp(first)),
        "y": scores_of_number(second**3),
        "rating": scores_of_rating(codes, 4),
        "tied": scores_of_number(np.round(np.maximum(fourth, -0.3), 1)),
        "level": scores_of_level((third > 0).astype(int), 1, np.ones(len(third), dtype=bool)),
    }


def quantiles(values: np.ndarray) -> np.ndarray:
    """The normal scores by SciPy."""
    return np.asarray(ndtri((rankdata(values) - 0.5) / len(values)))


def test_correlations_are_those_of_scipys_scores() -> None:
    """Of numbers, alone and of what a third leaves; the difference of means is that of a regression."""
    values = hidden(0, 200)
    found, x, y, tied = rows(values), *map(quantiles, (values[0], values[1], np.round(np.maximum(values[3], -0.3), 1)))
    assert partial_correlation(found["x"], found["y"])[0] == pytest.approx(np.corrcoef(x, y)[0, 1], abs=1e-12)
    left = [own - np.polyval(np.polyfit(tied, own, 1), tied) for own in (x, y)]
    assert partial_correlation(found["x"], found["y"], [found["tied"]])[0] == pytest.approx(
        np.corrcoef(*left)[0, 1], abs=1e-10
    )
    half = (values[2] > 0).astype(int)
    line = linregress(half, x)
    sd = np.std(x - line.slope * half - line.intercept)
    assert mean_difference(found["x"], half, (0, 1))[0] == pytest.approx(line.slope / sd, abs=1e-12)
    assert mean_difference(found["x"], half, (1, 0))[0] == pytest.approx(-line.slope / sd, abs=1e-12)


@pytest.mark.parametrize(
    ("first", "second", "given"),
    [
        ("x", "y", ()),
        ("x", "y", ("tied",)),
        ("x", "y", ("rating", "tied")),
        ("x", "rating", ()),
        ("rating", "y", ("x", "level")),
        ("tied", "x", ("level",)),
    ],
)
def test_the_influence_of_a_correlation_is_what_leaving_a_row_out_changes(
    first: str, second: str, given: Sequence[str]
) -> None:
    """With the estimated ranks and thresholds, which make a quarter of it and more."""

    def estimate(values: np.ndarray) -> tuple[float, np.ndarray]:
        found = rows(values)
        return partial_correlation(found[first], found[second], [found[name] for name in given])

    _left_out(estimate)


@pytest.mark.parametrize("given", [(), ("y",), ("y", "rating")])
@pytest.mark.parametrize("sides", [(0, 1), (2, -1)])
def test_the_influence_of_a_difference_is_what_leaving_a_row_out_changes(
    given: Sequence[str], sides: tuple[int, int]
) -> None:
    """Of two of three levels, and of one against the rest."""

    def estimate(values: np.ndarray) -> tuple[float, np.ndarray]:
        found = rows(values)
        return mean_difference(found["x"], np.digitize(values[3], [-0.4, 0.6]), sides, [found[name] for name in given])

    _left_out(estimate)


def _left_out(estimate: Callable[[np.ndarray], tuple[float, np.ndarray]], n: int = 150) -> None:
    values = hidden(1, n)
    _, influence = estimate(values)
    left = np.array([estimate(np.delete(values, row, axis=1))[0] for row in range(n)])
    change = left.mean() - left
    assert np.corrcoef(influence, change)[0, 1] > 0.995
    assert influence @ influence == pytest.approx((n - 1) / n * (change @ change), rel=0.15)


def test_margins_do_not_count() -> None:
    """Any rising change of a number leaves all bits; of a rating other thresholds leave what is estimated."""
    values = hidden(2, 400)
    bent = np.array([3 * values[0] + 7, values[1], values[2], values[3]])
    for name in ("y", "rating", "tied"):
        a, b = (partial_correlation(rows(own)["x"], rows(own)[name]) for own in (values, bent))
        assert a[0] == b[0] and np.array_equal(a[1], b[1])
    many = hidden(3, 40_000)
    x = scores_of_number(many[0])
    for cuts in ([-0.5, 0.4, 1.2], [0.8, 1.3, 1.6], [-1.5, -1.0, 0.0]):
        assert partial_correlation(x, scores_of_rating(np.digitize(many[2], cuts), 4))[0] == pytest.approx(
            0.3, abs=0.02
        )


def test_few_rows_and_empty_levels_say_nothing() -> None:
    """No infinite number, and no influence where nothing can be told."""
    few = scores_of_number(np.array([1.0, 2.0]))
    assert partial_correlation(few, few)[0] == 0.0 and not partial_correlation(few, few)[1].any()
    x = scores_of_number(np.arange(20.0))
    assert not mean_difference(x, np.zeros(20, dtype=int), (0, 1))[1].any()
    once = np.zeros(20, dtype=int)
    once[3] = 1
    value, influence = mean_difference(x, once, (0, 1))
    assert np.isfinite(value) and influence @ influence >= 0.9  # one row of a level: at least as equal spreads have
    gaps = np.where(np.arange(20) < 15, np.arange(20.0), np.nan)
    assert (partial_correlation(x, scores_of_number(gaps))[1][15:] != 0).all()  # they rank x all the same
