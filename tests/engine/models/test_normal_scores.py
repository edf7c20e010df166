"""Correlations and differences of means of normal scores: beside SciPy, row by row with the jackknife, any margins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import ndtr, ndtri
from scipy.stats import linregress, rankdata

from engine.models.latent_normal import UNKNOWN, Boxes, standard_scores
from engine.models.normal_scores import (
    Scores,
    mean_difference,
    partial_correlation,
    scores_of_level,
    scores_of_number,
    scores_of_rating,
)
from engine.models.partial_correlations import boxes_of
from engine.models.polychoric import polychoric, polychoric_variances

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
        "holes": scores_of_rating(np.where(np.abs(third) < 0.2, -1, np.digitize(second, CUTS)), 4),
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
        ("holes", "x", ()),
        ("holes", "rating", ("x",)),
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
    assert not partial_correlation(x, scores_of_rating(np.full(20, -1), 3))[1].any()
    gaps = np.where(np.arange(20) < 15, np.arange(20.0), np.nan)
    assert (partial_correlation(x, scores_of_number(gaps))[1][15:] != 0).all()  # they rank x all the same


# -- with ratings and numbers that are latent values --------------------------------------------------------------

LATENT = np.array([[1.0, 0.6, 0.3, -0.5], [0.6, 1.0, 0.5, 0.1], [0.3, 0.5, 1.0, 0.2], [-0.5, 0.1, 0.2, 1.0]])
AT = [-0.8, 0.2, 0.9]


def mixed(n: int, seed: int, gaps: float = 0.0) -> Boxes:
    """Two ratings and two numbers, skewed ones; some answers missing at random."""
    generator = np.random.default_rng(seed)
    values = generator.multivariate_normal(np.zeros(4), LATENT, n).T
    codes = np.stack([np.searchsorted(AT, row) for row in values])
    missing = generator.random(codes.shape) < gaps
    numbers = {i: standard_scores(np.where(missing[i], np.nan, np.exp(values[i]))) for i in (1, 3)}
    return boxes_of(np.where(missing, UNKNOWN, codes), np.full(4, 4), numbers)


@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_moments_are_beside_the_maximum_of_a_likelihood_written_out(gaps: float) -> None:
    """f(x, y's level) by SciPy's normal distribution given x, row by row: within a fifth of its standard error."""
    boxes = mixed(400, 1, gaps)
    x, codes, cuts = boxes.numbers[1], boxes.codes[2], boxes.cuts[2]
    both = (codes != UNKNOWN) & ~np.isnan(x)

    def loss(rho: float) -> float:
        ends = [(cuts[codes[both] + place] - rho * x[both]) / np.sqrt(1 - rho**2) for place in (0, 1)]
        return -float(np.log(ndtr(ends[1]) - ndtr(ends[0])).sum())

    best = minimize_scalar(loss, bounds=(-0.95, 0.95), method="bounded", options={"xatol": 1e-7}).x
    correlation = polychoric(boxes)
    error = np.sqrt(polychoric_variances(boxes, correlation)[1, 2])
    assert abs(correlation[1, 2] - best) < error / 5
    curvature = (loss(best + 1e-3) - 2 * loss(best) + loss(best - 1e-3)) / 1e-6
    assert error**2 == pytest.approx(1 / curvature, rel=0.25)


def test_two_numbers_have_pearson_s_correlation_of_normal_scores() -> None:
    """Whatever their scale; with variance about (1 - r^2)^2 / n."""
    boxes = mixed(400, 2)
    r = np.corrcoef(boxes.numbers[1], boxes.numbers[3])[0, 1]
    assert polychoric(boxes)[1, 3] == pytest.approx(r, abs=1e-12)
    assert polychoric_variances(boxes, polychoric(boxes))[3, 1] == pytest.approx((1 - r * r) ** 2 / 400, rel=0.15)


@pytest.mark.parametrize("r", [0.3, 0.9])
def test_rare_levels_do_not_shrink_a_correlation(r: float) -> None:
    """Four levels of which three share a fifth of 300 rows: the mean of 100 tables is right within .01."""
    found = []
    for seed in range(100):
        x, rest = np.random.default_rng(seed).standard_normal((2, 300))
        rating = scores_of_rating(np.digitize(r * x + np.sqrt(1 - r * r) * rest, [0.8, 1.3, 1.8]), 4)
        found.append(partial_correlation(scores_of_number(x), rating)[0])
    assert np.mean(found) == pytest.approx(r, abs=0.01)


def test_a_highest_level_that_no_row_has_is_as_one_that_is_lowest() -> None:
    """Such as in half of few rows: a rating turned around has its correlation and influences with another sign."""
    rng = np.random.default_rng(1)
    codes, number = rng.integers(0, 2, 30), scores_of_number(rng.normal(size=30))
    r, influence = partial_correlation(scores_of_rating(codes, 3), number)
    turned, other = partial_correlation(scores_of_rating(2 - codes, 3), number)
    assert r == pytest.approx(-turned, abs=1e-12) and influence == pytest.approx(-other, abs=1e-10)
