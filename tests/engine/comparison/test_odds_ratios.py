"""Which odds ratios are asked of a pair, and what a group's rows say of them."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from engine.comparison import estimates
from engine.comparison.estimates import Estimates, GroupRows, OddsRatios, estimate_odds_ratios, odds_ratios_of


def rows_of(codes: np.ndarray, levels: list[int], unit: np.ndarray | None = None) -> GroupRows:
    """The rows of one group, each its own unit unless told."""
    unit = np.arange(codes.shape[1]) if unit is None else unit
    return GroupRows(np.ascontiguousarray(codes, dtype=np.uint8), np.array(levels), unit, np.unique(unit))


def said(asked: OddsRatios) -> list[tuple[tuple[int, ...], list[list[int]]]]:
    """Pair and levels of every number."""
    return [
        (tuple(asked.pairs[place]), levels.tolist()) for place, levels in zip(asked.of_pair, asked.levels, strict=True)
    ]


def test_one_number_where_levels_have_an_order_and_all_pairs_of_levels_elsewhere() -> None:
    """Two levels have one odds ratio whatever they are called."""
    whole = [-1, -1]
    asked = odds_ratios_of([2, 3, 3], [False, True, False])
    low = [[0, 1], [0, 2], [1, 2]]
    assert said(asked) == [((0, 1), [whole, whole]), *(((0, 2), [whole, one]) for one in low)] + [
        ((1, 2), [whole, one]) for one in low
    ]
    assert asked.sizes.tolist() == [[2, 3], *[[2, 2]] * 3, *[[3, 2]] * 3]
    assert asked.steps[:, 1].tolist() == [[0, 1, 2], *[[0, 1, -1], [0, -1, 1], [-1, 0, 1]] * 2]
    assert len(odds_ratios_of([3, 4], [False, False]).of_pair) == 3 * 6
    assert len(odds_ratios_of([], []).pairs) == len(odds_ratios_of([3], [False]).of_pair) == 0


def test_beyond_a_number_each_level_is_set_against_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """The level that is named is the higher step."""
    monkeypatch.setattr(estimates, "MOST_NUMBERS", 9)
    assert len(odds_ratios_of([3, 3], [False, False]).of_pair) == 9
    asked = odds_ratios_of([3, 4], [False, False])
    assert [levels for _, levels in said(asked)] == [[[a, -1], [b, -1]] for a in range(3) for b in range(4)]
    assert asked.steps[5].tolist() == [[0, 1, 0, -1], [0, 1, 0, 0]] and (asked.sizes == 2).all()


def plainly(x: np.ndarray, y: np.ndarray, context: np.ndarray) -> float:
    """Mantel and Haenszel's log odds ratio of rows of two steps, two rows spread over all."""
    above = below = 0.0
    for s in set(context.tolist()):
        own = context == s
        table = np.array([[((x == k) & (y == m) & own).sum() for m in (0, 1)] for k in (0, 1)], dtype=float)
        table += 0.5 * own.sum() / len(x)
        above += table[0, 0] * table[1, 1] / table.sum()
        below += table[0, 1] * table[1, 0] / table.sum()
    return float(np.log(above / below))


def test_every_pair_is_estimated_in_its_own_contexts() -> None:
    """By hand for every two levels; rows of other levels have no influence; units divide by what is left of them."""
    generator = np.random.default_rng(0)
    base = generator.integers(0, 2, 400)
    codes = np.array([base, (base + generator.integers(0, 3, 400)) % 3, base ^ (generator.random(400) < 0.3)])
    given = np.array([[False, False, True], [False, True, False], [False, False, False]])
    asked = odds_ratios_of([2, 3, 2], [False] * 3)
    found = estimate_odds_ratios(rows_of(codes, [2, 3, 2]), asked, given)
    for q, (pair, levels) in enumerate(said(asked)):
        kept, steps = np.ones(400, dtype=bool), []
        for variable, (low, high) in zip(pair, levels, strict=True):
            kept &= (codes[variable] == low) | (codes[variable] == high) if low >= 0 else True
            steps.append((codes[variable] == high).astype(int) if low >= 0 else codes[variable])
        context = codes[np.flatnonzero(given[asked.of_pair[q]])].sum(axis=0)
        assert found.value[q] == pytest.approx(plainly(steps[0][kept], steps[1][kept], context[kept]), abs=1e-7)
        assert not found.influence[q, ~kept].any() and found.influence[q, kept].all()
    assert found.freedom == 399
    assert found.variance == pytest.approx((found.influence**2).sum(axis=1))


def test_where_no_row_has_the_levels_nothing_is_known() -> None:
    """Two levels that never come with two others: no estimate of some size with no error."""
    x, y = np.array([0, 1, 2, 2] * 30), np.array([2, 2, 0, 1] * 30)
    asked = odds_ratios_of([3, 3], [False, False])
    found = estimate_odds_ratios(rows_of(np.array([x, y]), [3, 3]), asked, np.zeros((1, 2), dtype=bool))
    empty = said(asked).index(((0, 1), [[0, 1], [0, 1]]))
    assert not ((x < 2) & (y < 2)).any()
    assert found.variance[empty] > 4


def test_copied_rows_of_one_subject_count_once() -> None:
    """Every row three times, as rows and as subjects: the variance is a third, or that of single rows."""
    generator = np.random.default_rng(1)
    codes = generator.integers(0, 2, (3, 300))
    codes[1] = codes[0] ^ (generator.random(300) < 0.3)
    asked, given = odds_ratios_of([2] * 3, [True] * 3), np.zeros((3, 3), dtype=bool)

    def estimated(codes: np.ndarray, unit: np.ndarray | None = None) -> Estimates:
        return estimate_odds_ratios(rows_of(codes, [2] * 3, unit), asked, given)

    once, copies = estimated(codes), np.repeat(codes, 3, axis=1)
    alone, together = estimated(copies), estimated(copies, np.repeat(np.arange(300)[::-1] * 7, 3))
    assert alone.variance == pytest.approx(once.variance / 3, rel=0.03)
    assert together.variance == pytest.approx(once.variance, rel=0.03)
    assert together.freedom == 299 and together.influence.shape == (3, 300)
    shuffled = np.random.default_rng(2).permutation(900)
    mixed = estimated(copies[:, shuffled], (np.repeat(np.arange(300)[::-1] * 7, 3))[shuffled])
    assert mixed.influence == pytest.approx(together.influence)


def test_pieces_do_not_matter() -> None:
    """A table large enough to be shared among threads says what single numbers say."""
    codes = np.random.default_rng(3).integers(0, 2, (12, 700))
    asked = odds_ratios_of([2] * 12, [True] * 12)
    given = np.random.default_rng(4).random((66, 12)) < 0.15
    found = estimate_odds_ratios(rows_of(codes, [2] * 12), asked, given)
    for q, (u, v) in list(enumerate(combinations(range(12), 2)))[::13]:
        one = odds_ratios_of([2, 2], [True, True])
        own = [u, v, *np.flatnonzero(given[q])]
        flags = np.array([[False, False, *[True] * (len(own) - 2)]])
        alone = estimate_odds_ratios(rows_of(codes[own], [2] * len(own)), one, flags)
        assert found.value[q] == pytest.approx(alone.value[0])
        assert found.influence[q] == pytest.approx(alone.influence[0])
