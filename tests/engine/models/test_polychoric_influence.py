"""What a row adds to a two-step polychoric correlation: its derivative taken by differences, and its spread."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import ndtri

from engine.models.latent_normal import Boxes
from engine.models.polychoric import polychoric, polychoric_influence, rectangles

CUTS = (
    np.array([-np.inf, -0.6, 0.7, np.inf]),
    np.array([-np.inf, -1.1, 0.1, 0.9, np.inf]),
    np.array([-np.inf, 0.3, np.inf]),
)
UNDER = np.array([[1.0, 0.6, -0.4], [0.6, 1.0, 0.15], [-0.4, 0.15, 1.0]])


def in_two_steps(weights: np.ndarray) -> float:
    """The correlation of a table of weights: thresholds from the margins, then the largest likelihood."""
    cuts = [
        np.concatenate([[-np.inf], ndtri(np.cumsum(weights.sum(axis=axis))[:-1] / weights.sum()), [np.inf]])
        for axis in (1, 0)
    ]

    def loss(rho: float) -> float:
        return -float((weights * np.log(rectangles(cuts[0][None], cuts[1][None], np.array([rho]))[0])).sum())

    return float(minimize_scalar(loss, bounds=(-0.99, 0.99), method="bounded", options={"xatol": 1e-12}).x)


def test_influence_is_the_derivative_by_the_weight_of_a_cell() -> None:
    """Tables of three shapes at their own probabilities, either cell a little heavier and lighter."""
    boxes = Boxes(np.zeros((3, 4), dtype=int), CUTS)
    seen = set()
    for pairs, parts in polychoric_influence(boxes, UNDER):
        cells = parts[0] + parts[1][:, :, None] + parts[2][:, None, :]
        for (i, j), own in zip(pairs, cells, strict=True):
            seen.add((i, j))
            chance = rectangles(CUTS[i][None], CUTS[j][None], np.array([UNDER[i, j]]))[0]
            assert own.shape == chance.shape
            for cell in np.ndindex(chance.shape):
                step = np.zeros(chance.shape)
                step[cell] = 0.05 * chance[cell]
                change = (in_two_steps(chance + step) - in_two_steps(chance - step)) / (2 * step[cell])
                assert own[cell] == pytest.approx(change, abs=2e-3 * np.abs(own).max())
            assert (chance * own).sum() == pytest.approx(0, abs=1e-9)
    assert seen == {(1, 0), (2, 0), (2, 1)}


def test_squares_of_influence_are_the_variance_over_many_tables() -> None:
    """Thresholds estimated as well: the spread of 400 correlations."""
    generator = np.random.default_rng(2)
    cuts, sizes, n = CUTS[:2], [3, 4], 400
    found = []
    for _ in range(400):
        values = generator.multivariate_normal(np.zeros(2), UNDER[:2, :2], n).T
        codes = np.stack([np.searchsorted(cut[1:-1], one) for cut, one in zip(cuts, values, strict=True)])
        shares = [np.bincount(one, minlength=size) / n for one, size in zip(codes, sizes, strict=True)]
        own = [np.concatenate([[-np.inf], ndtri(np.cumsum(one)[:-1]), [np.inf]]) for one in shares]
        found.append(polychoric(Boxes.of(codes, sizes, own))[0, 1])
    ((_, parts),) = polychoric_influence(Boxes(np.zeros((2, 4), dtype=int), cuts), UNDER[:2, :2])
    cells = parts[0] + parts[1][:, :, None] + parts[2][:, None, :]
    chance = rectangles(cuts[1][None], cuts[0][None], np.array([0.6]))[0]
    assert (chance * cells[0] ** 2).sum() / n == pytest.approx(np.var(found), rel=0.2)
