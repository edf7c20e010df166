"""The cells of `benchmarks.calibration.numbers` as a part of the study, whose figures are shipped."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.calibration import group_differences
from benchmarks.calibration.cell import Cell, Counted
from benchmarks.calibration.numbers.cells import numbers
from benchmarks.calibration.numbers.measuring import BARS, TOLD

__all__ = ["BARS", "SLUG", "cells"]

SLUG = "numbers"
FULL = 5
"""Of the full study's 500 tables a cell takes a fifth, as many as by itself."""


def cells() -> list[Cell]:
    """Those of numbers; COMPARE's cells have parts of their own here."""
    return [Cell(cell.name, partial(_counted, cell.measure), cell.times / FULL) for cell in numbers()]


def _counted(
    measure: Callable[[np.random.Generator], group_differences.Counted], generator: np.random.Generator
) -> Counted:
    """What a table gives, without what is only told."""
    given = measure(generator)
    return {quantity: (hits, of) for quantity, (hits, of, _) in given.items() if not quantity.startswith(TOLD)}
