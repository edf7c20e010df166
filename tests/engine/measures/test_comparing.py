"""Which test compares two scores, and the permutation of paired scores against every swap made by loops."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.stats import rankdata

from engine.measures.comparing import DELONG, DRAWN, EXACT, compare_curves, delong
from tests.engine.measures.test_curves import drawn, mann_whitney


def every_swap(first: np.ndarray, second: np.ndarray, truth: np.ndarray, groups: np.ndarray) -> float:
    """p of all swaps of the two ranks of whole groups, each with its two areas counted pair by pair."""
    ranks = [rankdata(scores) for scores in (first, second)]
    found = abs(mann_whitney(ranks[0], truth) - mann_whitney(ranks[1], truth))
    names = sorted(set(groups.tolist()))
    reached = []
    for chosen in itertools.product((False, True), repeat=len(names)):
        swapped = np.isin(groups, [name for name, one in zip(names, chosen, strict=True) if one])
        one, two = np.where(swapped, ranks[1], ranks[0]), np.where(swapped, ranks[0], ranks[1])
        reached.append(abs(mann_whitney(one, truth) - mann_whitney(two, truth)) >= found)
    return float(np.mean(reached))


@pytest.mark.parametrize(("n", "levels"), [(5, 3), (7, 20), (9, 3)])
def test_few_items_are_swapped_in_every_way(n: int, levels: int) -> None:
    """To the last digit what counting all pairs after all swaps gives, with ties and without."""
    for seed in range(5):
        first, second, truth = drawn(n, levels, seed)
        found = compare_curves(first, second, truth)
        assert found.p == every_swap(first, second, truth, np.arange(n))
        if found.difference:
            assert found.test == EXACT


@pytest.mark.parametrize("seed", range(4))
def test_what_belongs_together_swaps_together(seed: int) -> None:
    """Also where there are so many items that DeLong's test would do."""
    first, second, truth = drawn(40, 30, seed)
    groups = np.arange(40) % 6
    assert compare_curves(first, second, truth).test == DELONG
    found = compare_curves(first, second, truth, clusters=groups.tolist())
    assert found.test == EXACT
    assert found.p == every_swap(first, second, truth, groups)


def test_five_items_are_never_beyond_doubt() -> None:
    """A perfect score against another: DeLong's p is 0, the permutation's never below 2 of the 32 swaps there are."""
    truth = np.array([True, True, False, False, False])
    perfect = np.array([5.0, 4.0, 3.0, 2.0, 1.0])
    p = []
    for order in itertools.permutations(perfect):
        other = np.array(order)
        found = compare_curves(perfect, other, truth)
        p.append(found.p)
        assert found.p == every_swap(perfect, other, truth, np.arange(5))
    assert delong(perfect, -perfect, truth).p == 0.0
    assert compare_curves(perfect, -perfect, truth).test == EXACT
    assert min(p) >= 2 / 2**5


def test_delong_needs_ten_of_each_and_a_variance() -> None:
    """Nine cases, nine others, or a variance of 0 are for the permutation."""
    rng = np.random.default_rng(0)
    for cases, others, test in ((10, 10, DELONG), (9, 30, DRAWN), (30, 9, DRAWN)):
        truth = np.arange(cases + others) < cases
        first, second = (rng.normal(size=len(truth)) + truth for _ in range(2))
        found = compare_curves(first, second, truth)
        assert found.test == test
        assert math.isnan(found.z) == (test != DELONG)
    truth = np.arange(20) < 10
    found = compare_curves(truth.astype(float), -truth.astype(float), truth)
    assert (found.variance, found.test) == (0.0, DRAWN)
    assert found.p == pytest.approx(1 / 10_000)


def test_a_single_case_can_be_compared() -> None:
    """There is no variance, but there are swaps."""
    found = compare_curves([2, 1, 3], [3, 2, 1], [True, False, False])
    assert math.isnan(found.variance)
    assert found.p == every_swap(np.array([2, 1, 3]), np.array([3, 2, 1]), np.array([True, False, False]), np.arange(3))


def test_the_permutation_keeps_its_level() -> None:
    """Of 400 tables of 6 cases and 8 others with two equally good scores about 5 % are called, never many more."""
    rng = np.random.default_rng(2)
    truth = np.arange(14) < 6
    p = [compare_curves(*(rng.normal(size=14) + truth for _ in range(2)), truth).p for _ in range(400)]
    assert 8 <= np.sum(np.array(p) <= 0.05) <= 32
