"""What is left of units once an estimate has used its own, and rows added up to units."""

from __future__ import annotations

import numpy as np
import pytest

from engine.comparison.estimates import LEAST_VARIANCE, Estimates, GroupRows, group_rows
from tests.engine.comparison.made import grouped


def test_influence_is_divided_by_what_is_left_of_the_units() -> None:
    """Squares grow by units / (units - used), at least one of which is left; no variance is nothing."""
    rows = GroupRows(np.zeros((2, 10), dtype=np.uint8), np.array([2, 2]), np.arange(10), np.arange(10))
    influence = np.vstack([np.linspace(-1, 1, 10), np.zeros(10)])
    found = Estimates.of(np.zeros(2), influence, rows, 4)
    assert found.freedom == 6
    assert found.variance == pytest.approx([(influence[0] ** 2).sum() * 10 / 6, LEAST_VARIANCE])
    spent = Estimates.of(np.zeros(2), influence, rows, 12)
    assert spent.freedom == 1 and spent.variance[0] == pytest.approx((influence[0] ** 2).sum() * 10)


def test_rows_of_a_group_are_ordered_and_know_their_units() -> None:
    """Sorted by what they hold, names as asked; a subject has one number in both groups, a row without one its own."""
    codes = np.array([[1, 0, 1, 0, 1, 0], [0, 0, 1, 1, 1, 0]])
    subject, group = np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 0, 0])
    parts = grouped(codes, [2, 2], ["b", "a"], group, subject=subject)
    one, other = group_rows(parts, ["a", "b"])
    assert one.codes.T.tolist() == [[0, 0], [0, 1], [1, 1], [1, 1]] and other.codes.T.tolist() == [[0, 0], [1, 0]]
    assert len(one.units) == 3 and set(other.units) < set(one.units)
    values = np.array([[1.0, 2.0, 3.0, 4.0]])
    wanted = [values[0, one.unit == unit].sum() for unit in one.units]
    assert one.by_unit(values)[0].tolist() == wanted
    alone, beside = group_rows(grouped(codes, [2, 2], ["b", "a"], group), ["a", "b"])
    assert not set(alone.units) & set(beside.units) and len(alone.units) == 4
