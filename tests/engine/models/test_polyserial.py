"""Correlations with numbers: likelihoods written out, closed forms, densities of rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import fixed_quad
from scipy.optimize import minimize_scalar
from scipy.stats import multivariate_normal

from engine.models.latent_normal import UNKNOWN, Boxes, log_probabilities, standard_scores
from engine.models.partial_correlations import boxes_of
from engine.models.polychoric import polychoric, polychoric_variances

UNDER = np.array([[1.0, 0.6, 0.3, -0.5], [0.6, 1.0, 0.5, 0.1], [0.3, 0.5, 1.0, 0.2], [-0.5, 0.1, 0.2, 1.0]])
CUTS = [-0.8, 0.2, 0.9]


def mixed(n: int, seed: int, gaps: float = 0.0) -> Boxes:
    """Two ratings and two numbers, skewed ones; some answers missing at random."""
    generator = np.random.default_rng(seed)
    values = generator.multivariate_normal(np.zeros(4), UNDER, n).T
    codes = np.stack([np.searchsorted(CUTS, row) for row in values])
    missing = generator.random(codes.shape) < gaps
    numbers = {i: standard_scores(np.where(missing[i], np.nan, np.exp(values[i]))) for i in (1, 3)}
    return boxes_of(np.where(missing, UNKNOWN, codes), np.full(4, 4), numbers)


@pytest.mark.parametrize("gaps", [0.0, 0.2])
def test_polyserial_is_the_maximum_of_a_likelihood_written_out(gaps: float) -> None:
    """f(x, y's level) as an integral over the rating's latent value of SciPy's bivariate density, row by row."""
    boxes = mixed(80, 1, gaps)
    x, codes, cuts = boxes.numbers[1], boxes.codes[2], np.clip(boxes.cuts[2], -7, 7)

    def density(latent: np.ndarray, value: float, rho: float) -> np.ndarray:
        points = np.column_stack([latent, np.full(len(latent), value)])
        return np.asarray(multivariate_normal(np.zeros(2), [[1, rho], [rho, 1]]).pdf(points))

    def loss(rho: float) -> float:
        total = 0.0
        for value, code in zip(x, codes, strict=True):
            if code != UNKNOWN and not np.isnan(value):
                total -= np.log(fixed_quad(density, cuts[code], cuts[code + 1], args=(value, rho), n=60)[0])
        return total

    best = minimize_scalar(loss, bounds=(-0.95, 0.95), method="bounded", options={"xatol": 1e-7})
    assert polychoric(boxes)[1, 2] == pytest.approx(best.x, abs=1e-5)
    step = 1e-3
    curvature = (loss(best.x + step) - 2 * best.fun + loss(best.x - step)) / step**2
    assert polychoric_variances(boxes, polychoric(boxes))[1, 2] == pytest.approx(1 / curvature, rel=0.25)


def test_two_numbers_have_pearson_s_correlation_of_normal_scores() -> None:
    """Whatever their scale; with variance (1 - r^2)^2 / n."""
    boxes = mixed(200, 2)
    r = np.corrcoef(boxes.numbers[1], boxes.numbers[3])[0, 1]
    assert polychoric(boxes)[1, 3] == pytest.approx(r, abs=1e-12)
    assert polychoric_variances(boxes, polychoric(boxes))[3, 1] == pytest.approx((1 - r * r) ** 2 / 200)


def test_a_row_of_numbers_and_levels_has_a_density_times_a_chance() -> None:
    """Against SciPy's integral of the four-dimensional density over the two ratings' box."""
    boxes = mixed(12, 3, 0.15)
    own, _ = log_probabilities(boxes, UNDER, points=512)
    low, high = boxes.bounds()
    for row in range(12):
        seen = low[:, row] == high[:, row]
        box = np.flatnonzero(~seen & (np.isfinite(low[:, row]) | np.isfinite(high[:, row])))
        expected = 0.0
        if seen.any():
            expected += multivariate_normal(np.zeros(seen.sum()), UNDER[np.ix_(seen, seen)]).logpdf(low[seen, row])
        if len(box):
            slopes = UNDER[np.ix_(box, seen)] @ np.linalg.pinv(UNDER[np.ix_(seen, seen)])
            left = UNDER[np.ix_(box, box)] - slopes @ UNDER[np.ix_(seen, box)]
            ends = np.clip(high[box, row], -9, 9), np.clip(low[box, row], -9, 9)
            expected += np.log(multivariate_normal(slopes @ low[seen, row], left).cdf(ends[0], lower_limit=ends[1]))
        assert own[row] == pytest.approx(expected, abs=2e-3)
