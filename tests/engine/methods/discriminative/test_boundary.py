"""From two likelihoods to a verdict."""

from __future__ import annotations

import numpy as np
import pytest

from engine.methods.discriminative.pipeline import RATIO, fit_boundary, fit_contrasts, known_of, scores_of
from tests.engine.methods.discriminative.make import METHOD, counted, series_frame
from tests.engine.methods.discriminative.make import points as of_series


def points() -> tuple[np.ndarray, np.ndarray]:
    """Large, nearly collinear likelihoods of unequal classes; one point is held out."""
    rng = np.random.default_rng(0)
    base = rng.normal(-3000, 200, 15)
    side = np.array([1] * 5 + [0] * 9 + [-1])
    own = base + np.where(side == 1, 4, -3) + rng.normal(0, 1, 15)
    return np.stack([base + rng.normal(0, 1, 15), own], axis=1), side


def test_least_squares_is_that_of_a_regression() -> None:
    """The weights of scikit-learn, classes alike or not; the held-out point has no say."""
    from sklearn.linear_model import LinearRegression

    likelihoods, side = points()
    inside = side >= 0
    design = likelihoods[inside][:, ::-1]
    aim = np.where(side[inside] == 1, 1.0, -1.0)
    for balance in (False, True):
        weight = np.where(aim > 0, 1 / 5, 1 / 9) if balance else np.ones(14)
        model = LinearRegression().fit(design, aim, sample_weight=weight)
        found = fit_boundary(likelihoods, side, "least_squares", balance=balance)
        assert found[1:] == pytest.approx(model.coef_, rel=1e-6)
        assert scores_of(likelihoods, found)[inside] == pytest.approx(model.predict(design), rel=1e-6, abs=1e-8)
    likelihoods[14] *= 7
    assert np.array_equal(found, fit_boundary(likelihoods, side, "least_squares", balance=True))


def test_scale_of_the_likelihoods_does_not_matter() -> None:
    """Sums and means give the same verdicts."""
    likelihoods, side = points()
    one, other = (
        scores_of(scale * likelihoods, fit_boundary(scale * likelihoods, side, "least_squares", balance=True))
        for scale in (1.0, 1 / 500)
    )
    assert one == pytest.approx(other)


def test_the_midpoint_lies_between_the_means_and_the_ratio_is_one() -> None:
    """Both by hand."""
    likelihoods, side = points()
    gap = likelihoods[:, 1] - likelihoods[:, 0]
    start, *slopes = fit_boundary(likelihoods, side, "midpoint", balance=True)
    assert slopes == [1.0, -1.0]
    assert start == pytest.approx(-(gap[:5].mean() + gap[5:14].mean()) / 2)
    assert fit_boundary(likelihoods, side, "ratio", balance=True) is RATIO
    assert scores_of(likelihoods, RATIO) == pytest.approx(gap)


def test_equal_likelihoods_give_no_nonsense() -> None:
    """Networks that say nothing leave the intercept."""
    side = np.array([1, 1, 0, 0])
    found = fit_boundary(np.full((4, 2), -5.0), side, "least_squares", balance=True)
    assert np.isfinite(found).all()
    assert scores_of(np.full((4, 2), -5.0), found) == pytest.approx(np.zeros(4), abs=1e-9)


def test_without_points_of_one_class_the_likelihoods_alone_decide() -> None:
    """No boundary can be fitted between what is there and what is not."""
    of = of_series(series_frame(subjects=8, steps=12))
    for label in (0, 1):
        labels = np.where(of.labels == label, label, -1)
        (contrast,) = fit_contrasts(counted(of), labels, 2, METHOD, known_of(of, METHOD))
        assert contrast.boundary.tolist() == RATIO.tolist() == [0.0, 1.0, -1.0]
        assert contrast.scores == pytest.approx(contrast.likelihoods[:, 1] - contrast.likelihoods[:, 0])
    (contrast,) = fit_contrasts(counted(of), of.labels, 2, METHOD, known_of(of, METHOD))
    assert contrast.boundary.tolist() != RATIO.tolist()
