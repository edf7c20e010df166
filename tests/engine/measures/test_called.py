"""What a threshold calls: against calling item by item."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.measures.comparing import compare_curves, paired
from engine.measures.curves import auc, called_at, curve, pairs_won, place_for, points, size

ITEMS = st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=2, max_size=12).filter(
    lambda items: {True, False} == {truth for _, truth in items}
)


@given(ITEMS, st.integers(0, 14))
def test_a_place_calls_those_at_least_as_high(items: list[tuple[int, bool]], most: int) -> None:
    """The last threshold that calls no more than so many; what it calls, counted one by one."""
    scores, truth = zip(*items, strict=True)
    found = curve(scores, truth)
    possible = [sum(score >= level for score in scores) for level in {float("inf"), *scores}]
    place = place_for(found, most)
    called = called_at(found, place)
    assert called.number == max(number for number in possible if number <= most)
    level = found.thresholds[place]
    assert called == (
        sum(score >= level and case for score, case in items),
        sum(score < level and case for score, case in items),
        sum(score >= level and not case for score, case in items),
        sum(score < level and not case for score, case in items),
    )
    assert sum(called) == size(found) == len(items)


@given(ITEMS)
def test_pairs_won_are_counted_pair_by_pair(items: list[tuple[int, bool]]) -> None:
    """A tie is half."""
    cases, others = ([score for score, case in items if case is which] for which in (True, False))
    won = sum(1.0 if a > b else 0.5 if a == b else 0.0 for a, b in itertools.product(cases, others))
    assert pairs_won(auc(*zip(*items, strict=True))) == (len(cases) * len(others), won)


def test_every_point_is_told() -> None:
    """Counts add up and shares are of cases and of others."""
    found = curve([3, 2, 2, 1], [True, False, True, False])
    table = points(found)
    assert table["called"].tolist() == [0, 1, 3, 4]
    assert table["share_found"].tolist() == [0.0, 0.5, 1.0, 1.0]
    assert table["precision"].tolist() == pytest.approx([1.0, 1.0, 2 / 3, 0.5])


def test_scores_of_other_items_are_not_compared() -> None:
    """Of the same items as DeLong says."""
    truth = [True, False, True, False, True]
    first, second = [5, 4, 3, 2, 1], [1, 2, 5, 3, 4]
    same = paired(first, second, truth, np.array(truth))
    assert repr(same) == repr(
        compare_curves(first, second, truth)
    )  # z is NaN, which equals itself up to Python 3.12 only
    assert paired(first, second, truth, truth[::-1]) is not None  # this truth reads the same backwards
    assert paired(first, second, truth, [False, True, True, False, True]) is None
    assert paired(first, second[:4], truth, truth[:4]) is None
