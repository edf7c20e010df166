"""Which test compares two scores, and the permutation of paired scores against every swap made by loops."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import rankdata

from engine.measures.comparing import DRAWN, compare_curves


def test_draws_come_near_all_swaps_and_are_seeded() -> None:
    """Of 18 items, too many for all swaps: within the error of the draws of what all of them give."""
    truth, rng = np.arange(18) < 6, np.random.default_rng(4)
    first, second = (rng.normal(size=18) + truth for _ in range(2))
    found = compare_curves(first, second, truth)
    assert found.test == DRAWN
    expected = every_swap_in_numpy(first, second, truth)
    assert found.p == pytest.approx(expected, abs=4 * math.sqrt(expected * (1 - expected) / 9999) + 1e-4)
    assert found == compare_curves(first, second, truth)
    assert found != compare_curves(first, second, truth, seed=1)
    assert 1 / 100 <= compare_curves(first, second, truth, draws=99).p <= 1


def every_swap_in_numpy(first: np.ndarray, second: np.ndarray, truth: np.ndarray) -> float:
    """As `every_swap`, for more items: all swaps at once, all pairs by comparison."""
    ranks = np.array([rankdata(first), rankdata(second)])
    swaps = np.array(list(itertools.product((0, 1), repeat=len(truth))))
    wins = []
    for which in (swaps, 1 - swaps):
        values = np.where(which == 0, ranks[0], ranks[1])
        cases, others = values[:, truth][:, :, None], values[:, ~truth][:, None, :]
        wins.append(((cases > others) * 2 + (cases == others)).sum(axis=(1, 2)))
    gaps = np.abs(wins[0] - wins[1])
    return float(np.mean(gaps >= gaps[0]))
