"""Cut points: even parts, few digits, readable and different labels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.data.preparing.binning import (
    FEW_VALUES,
    interval_codes,
    interval_labels,
    number_levels,
    quantile_cuts,
    width_cuts,
)

numbers = st.lists(st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 3)), min_size=2, max_size=60)


def test_three_even_parts_with_few_digits() -> None:
    """Nine equally spaced numbers are cut into three times three."""
    assert quantile_cuts(np.arange(1.0, 10.0), 3) == (4.0, 7.0)


def test_ties_give_fewer_cuts() -> None:
    """Rows with one value cannot be parted."""
    assert quantile_cuts(np.array([0.0] * 90 + [1.0] * 10), 4) == (1.0,)
    assert quantile_cuts(np.zeros(5), 3) == ()


def test_equal_widths() -> None:
    """Cuts at equal distances, whatever the crowd."""
    assert width_cuts(np.array([0.0, 1, 2, 3, 50, 100]), 4) == (25.0, 50.0, 75.0)
    assert width_cuts(np.array([0.0, 0.5, 100]), 3) == (33.3, 66.7)


def test_labels_of_whole_numbers_name_both_ends() -> None:
    """Whole numbers are said inclusively, a single one alone."""
    assert interval_labels((4, 7, 8), whole=True) == ("below 4", "4 to 6", "7", "8 and above")


def test_labels_of_fractions() -> None:
    """The upper end belongs to the next interval."""
    assert interval_labels((13.4, 15.8), whole=False) == ("below 13.4", "13.4 to 15.8", "15.8 and above")
    assert interval_labels((-1.02, 3.0), whole=False) == ("below −1.02", "−1.02 to 3", "3 and above")
    assert interval_codes(np.array([13.39, 13.4, 15.8]), (13.4, 15.8)).tolist() == [0, 1, 2]


@settings(max_examples=60)
@given(values=numbers, bins=st.integers(2, 6))
def test_quantile_parts_are_filled_and_as_even_as_ties_allow(values: list[float], bins: int) -> None:
    """No part is empty, cuts rise, and each cut is the best place for some wanted share."""
    column = np.array(values)
    cuts = quantile_cuts(column, bins)
    assert list(cuts) == sorted(set(cuts)) and len(cuts) < bins
    counts = np.bincount(interval_codes(column, cuts), minlength=len(cuts) + 1)
    assert (counts > 0).all()
    places = [sum(v < u for v in values) for u in sorted(set(values))[1:]]
    best = {min(places, key=lambda below: abs(below - len(values) * k / bins)) for k in range(1, bins) if places}
    assert {sum(v < cut for v in values) for cut in cuts} == best


@settings(max_examples=60)
@given(values=numbers, bins=st.integers(2, 6))
def test_width_cuts_hold_the_rows_of_the_exact_ones(values: list[float], bins: int) -> None:
    """Rounding a cut moves no value across it."""
    column = np.array(values)
    exact = np.linspace(column.min(), column.max(), bins + 1)[1:-1] if column.min() < column.max() else []
    wanted = {int((column < cut).sum()) for cut in exact}
    assert {int((column < cut).sum()) for cut in width_cuts(column, bins)} == wanted


@settings(max_examples=60)
@given(cuts=st.lists(st.integers(-99, 99), min_size=1, max_size=8, unique=True).map(sorted), whole=st.booleans())
def test_labels_are_different(cuts: list[int], whole: bool) -> None:
    """No two intervals share a name."""
    labels = interval_labels(cuts, whole=whole)
    assert len(set(labels)) == len(cuts) + 1


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_cuts_follow_the_scale(scale: float) -> None:
    """Small and large units are cut at the same rows."""
    column = np.array([1.0, 2, 3, 4, 5, 6]) * scale
    assert np.bincount(interval_codes(column, quantile_cuts(column, 3))).tolist() == [2, 2, 2]


@settings(max_examples=100)
@given(values=numbers, bins=st.integers(2, 6), often=st.integers(0, 40), rounded=st.booleans())
def test_values_that_many_rows_share_are_levels(values: list[float], bins: int, often: int, rounded: bool) -> None:
    """No level is empty; few values are the levels; so is a quarter of the rows, with no more than rare neighbours."""
    distinct, counts = np.unique([*values, *[values[0]] * often], return_counts=True)
    result = number_levels(distinct, counts, bins, rounded=rounded)
    codes = interval_codes(distinct, result.cuts)
    rows = np.bincount(codes, counts, len(result.cuts) + 1)
    assert (rows > 0).all() and list(result.cuts) == sorted(set(result.cuts))
    for level, value in result.alone.items():
        assert distinct[codes == level].tolist() == [value]
    if len(distinct) <= FEW_VALUES:
        assert len(rows) == len(distinct)
    for value in distinct[counts >= counts.sum() / 4]:
        level = int(codes[distinct == value][0])
        assert rows[level] - counts[distinct == value][0] < 0.1 * counts.sum()
    if not (counts >= counts.sum() / 4).any() and len(distinct) > FEW_VALUES:
        assert result == (quantile_cuts(distinct, bins, counts), {})


def test_zeros_and_a_ceiling_are_levels_of_their_own() -> None:
    """A count that is mostly zero; changes around zero; three rows below zero make no level."""
    zeros = number_levels(np.arange(9.0), np.array([60, 5, 5, 5, 5, 5, 5, 5, 5]), 3)
    assert interval_labels(zeros.cuts, whole=True, alone=zeros.alone) == ("0", "1 to 4", "5 and above")
    changes = number_levels(np.array([-2.0, -1.5, -1, 0, 1, 2.5]), np.array([9, 9, 9, 40, 15, 18]), 3)
    assert interval_labels(changes.cuts, whole=False, alone=changes.alone) == ("below −0.5", "0", "0.5 and above")
    rare = number_levels(np.array([-1.0, 0, 1, 2, 3, 4.5]), np.array([3, 60, 10, 10, 10, 7]), 3)
    assert rare.alone == {} and interval_codes(np.array([-1.0, 0, 1, 2, 3, 4.5]), rare.cuts).tolist() == [
        0,
        0,
        1,
        1,
        2,
        2,
    ]
