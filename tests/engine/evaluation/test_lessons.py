"""A link that switches with the class: parameters, the best that is possible, and what comes near it."""

from __future__ import annotations

import numpy as np
import pytest

from engine.evaluation.lessons.discriminative import FOLLOWS, NETWORKS, SINGLE_NETWORK, best_accuracy, switching


@pytest.mark.parametrize("levels", [2, 3, 5])
def test_the_best_is_the_bayes_classifier_cell_by_cell(levels: int) -> None:
    """The larger of both classes' probabilities, over all rows that there can be."""
    x1, x2, x3 = np.indices((levels,) * 3)
    other = (1 - FOLLOWS) / (levels - 1)
    first, second = (np.where(x == x3, FOLLOWS, other) / levels**2 for x in (x1, x2))
    assert first.sum() == pytest.approx(1)
    assert best_accuracy(levels) == pytest.approx(np.maximum(first, second).sum() / 2)


def test_a_network_for_each_class_needs_fewer_parameters_and_fewer_rows() -> None:
    """Of few rows it classifies more correctly; of many all come near the best, and none above it."""
    few, many = switching(8, 100, runs=8), switching(4, 1000, runs=8)
    acl, bde = "A network for each class (ACL-ML)", "A network for each class (BDE)"
    assert set(few.accuracies) == {*NETWORKS, SINGLE_NETWORK} and all(len(x) == 8 for x in few.accuracies.values())
    assert few.parameters[SINGLE_NETWORK] == 2 * 7 + 2 * 7 * 64
    assert few.parameters[acl] < few.parameters[SINGLE_NETWORK] / 3
    assert few.accuracies[acl].mean() > few.accuracies[SINGLE_NETWORK].mean() + 0.02
    assert many.parameters[bde] == 2 * (3 + 3 + 12)
    for shares in many.accuracies.values():
        assert many.best - 0.03 < shares.mean() < many.best + 0.01


def test_the_headline_has_the_numbers_and_equal_seeds_give_equal_ones() -> None:
    """Another seed gives others."""
    one, same, other = switching(3, 50, runs=2), switching(3, 50, runs=2), switching(3, 50, runs=2, seed=1)
    assert one.headline() == same.headline() and "3 levels, 50 training rows" in one.headline()
    assert any(not np.array_equal(one.accuracies[name], other.accuracies[name]) for name in one.accuracies)
    assert f"with {one.parameters[SINGLE_NETWORK]:.0f} parameters" in one.headline()
