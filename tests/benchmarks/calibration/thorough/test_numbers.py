"""A small fixed-seed part of the cells of numbers: it may not get worse."""

from __future__ import annotations

from benchmarks.calibration.numbers import __main__ as program
from benchmarks.calibration.numbers import measuring
from benchmarks.calibration.numbers.cells import numbers
from benchmarks.calibration.numbers.kept import Kept

PARTS = {
    "null, skewed, 300 a group": 12,
    "shift .5 SD, 200 a group": 10,
    "inside a third, 1,000 a group": 5,
    "followers: x moves 2 SD, r .3, 150 a group": 10,
}
"""Cell -> tables."""


def test_numbers_are_compared_as_numbers() -> None:
    """Nothing is said where nothing differs; shifts and what hides in a third are found; followers are not."""
    kept, share = Kept("", 1), {}
    for cell in numbers():
        if cell.name in PARTS:
            found = program.run(cell, PARTS[cell.name], kept, None, jobs=1)
            share |= {one.quantity: one.hits / one.of for one in found}
    assert share[measuring.NULL_DIFFERS] == 0 and share[measuring.NULL_CALLED] <= 0.1
    assert share[measuring.SHIFT_5] >= 0.7 and share[measuring.THIRD] >= 0.8
    assert share[measuring.FOLLOWER] <= 0.1
