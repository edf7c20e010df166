"""The natural order of level names: what a person would write down, and why."""

from __future__ import annotations

import random

import pytest

from engine.data.reading.scales import known_order, natural_order

GRADES = "its levels are numbered grades"


@pytest.mark.parametrize(
    ("levels", "why"),
    [
        (["Stage I", "Stage IIa", "Stage IIb", "Stage IV", "Stage V", "Stage IX"], GRADES),
        (["i", "ii", "iii", "iv", "ix"], GRADES),
        (["grade 1", "grade 2", "grade 10"], GRADES),
        (["never", "sometimes", "always"], "its words form a known scale"),
        (["under 18", "18-30", "31 to 64", "65+"], "its levels are ranges of numbers"),
        (["mon", "wed", "sun"], ""),
        (["-2.5", "-1", "0", "10"], ""),
        (["Item 9", "item 10", "Item 11"], ""),
        (["apple", "Banana", "cherry"], ""),
    ],
)
def test_levels_in_any_order_come_out_in_their_own(levels: list[str], why: str) -> None:
    """Each kind of scale, whatever order its levels come in."""
    for seed in range(4):
        shuffled = random.Random(seed).sample(levels, len(levels))
        assert known_order(shuffled) == (levels, why)


@pytest.mark.parametrize("odd", ["stage iiii", "stage vx"])
def test_one_odd_numeral_and_there_are_no_grades(odd: str) -> None:
    """A numeral that is none stands for no number; the alphabet then decides."""
    levels = ["stage i", "stage v", odd]
    assert known_order(levels) == (sorted(levels), "")
    assert natural_order([odd, odd.replace("stage", "class")])[0].startswith("class")
