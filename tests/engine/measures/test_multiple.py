"""Holm's correction against a slow version that asks every test at every level."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.measures.multiple import holm

CHANCES = st.lists(st.floats(0.0, 1.0, allow_nan=False), max_size=12)


def rejected(p: list[float], level: float) -> set[int]:
    """Which tests Holm's procedure rejects: from the smallest p on, as long as p times the tests left is small."""
    left, out = sorted(range(len(p)), key=lambda i: p[i]), set()
    while left and p[left[0]] * len(left) <= level:
        out.add(left.pop(0))
    return out


@given(CHANCES)
def test_corrected_p_is_the_least_level_at_which_a_test_is_rejected(p: list[float]) -> None:
    """The levels at which something changes are p times how many are left; every one of them is tried."""
    found = holm(p)
    levels = sorted({min(one * many, 1.0) for one in p for many in range(1, len(p) + 1)} | {1.0})
    for i in range(len(p)):
        least = next((level for level in levels if i in rejected(p, level)), 1.0)
        assert found[i] == pytest.approx(least, abs=1e-15)


@given(CHANCES, st.randoms())
def test_order_does_not_matter_and_nothing_gets_smaller(p: list[float], random: object) -> None:
    """Each test keeps its own p wherever it stands; between p and n p, at most 1."""
    found, places = holm(p), list(range(len(p)))
    random.shuffle(places)  # type: ignore[attr-defined]
    assert holm([p[i] for i in places]).tolist() == [found[i] for i in places]
    assert all(one <= corrected <= min(len(p) * one, 1.0) for one, corrected in zip(p, found, strict=True))


def test_ties_and_few() -> None:
    """None, one, and equal ones, which must come out equal."""
    assert holm([]).tolist() == [] and holm([0.3]).tolist() == [0.3]
    assert holm([0.01, 0.01, 0.01]).tolist() == pytest.approx([0.03] * 3)
    assert holm(np.array([0.5, 0.9])).tolist() == [1.0, 1.0]
