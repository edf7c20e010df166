"""Accuracies of an independent program, written before this one for the same experiments, and how near ours are.

It drew tables by its own generator of the same kind, from other random numbers. What is held to it, and that it be
within three standard errors, both programs taken to spread as ours does, was chosen before ours were known; but that
noise in all tables be held to it as well, after a first look at some twenty runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from benchmarks.papers.discriminative.plan import ALL, DIFFERENCES, NOISE, ONE, SIZE, SIZE_ALL, SIZE_ONE
from engine.evaluation.lessons.discriminative import BDE, MAX, MID, ML, PAIRED, SINGLE, TESTED

Cell = tuple[str, float, str, str]
"""Experiment, at, families and method."""
ERRORS = 3.0
"""Standard errors within which a figure is alike."""

_BY_DIFFERENCE = (ML, MID, MAX, BDE, SINGLE, PAIRED)
_DIFFERENCES = {
    0.01: (0.521, 0.545, 0.509, 0.522, 0.523, 0.538),
    0.02: (0.566, 0.522, 0.517, 0.519, 0.498, 0.514),
    0.03: (0.667, 0.506, 0.518, 0.482, 0.522, 0.594),
    0.05: (0.753, 0.554, 0.556, 0.490, 0.499, 0.768),
    0.08: (0.898, 0.672, 0.685, 0.500, 0.548, 0.944),
    0.10: (0.944, 0.757, 0.791, 0.497, 0.558, 0.976),
    0.114: (0.971, 0.827, 0.856, 0.486, 0.566, 0.996),
    0.13: (0.985, 0.892, 0.913, 0.523, 0.638, 1.000),
    0.15: (0.994, 0.946, 0.953, 0.523, 0.748, 1.000),
    0.17: (0.997, 0.971, 0.977, 0.473, 0.947, 1.000),
    0.20: (0.999, 0.996, 0.997, 0.509, 0.995, 1.000),
}
_BY_NOISE = (ML, MID, SINGLE, PAIRED, BDE)
_NOISE = {
    0: (0.996, 0.970, 0.974, 1.000, 0.46),
    20: (0.980, 0.946, 0.774, 1.000, 0.46),
    40: (0.938, 0.916, 0.694, 0.988, 0.48),
    80: (0.888, 0.874, 0.678, 0.904, 0.48),
    100: (0.828, 0.842, 0.642, 0.918, 0.49),
    180: (0.714, 0.754, 0.604, 0.766, 0.52),
    300: (0.606, 0.666, 0.568, 0.646, 0.54),
}
_BY_SIZE = ((ML, ALL), (ML, ONE), (MID, ALL), (MID, ONE), (SINGLE, ALL), (PAIRED, ALL), (BDE, ALL))
_SIZES = {
    (SIZE, 4): (1.000, 1.000, 0.977, 1.000, 0.920, 1.000, 0.53),
    (SIZE, 16): (0.983, 1.000, 0.893, 1.000, 0.890, 0.997, 0.52),
    (SIZE, 40): (0.885, 1.000, 0.740, 1.000, 0.865, 0.960, 0.50),
    (SIZE_ONE, 4): (0.913, 0.963, 0.873, 0.947, 0.637, 0.957, 0.50),
    (SIZE_ONE, 16): (0.813, 0.973, 0.727, 0.987, 0.560, 0.913, 0.49),
    (SIZE_ONE, 28): (0.715, 0.945, 0.735, 0.965, 0.535, 0.920, 0.53),
    (SIZE_ONE, 40): (0.695, 0.970, 0.705, 0.965, 0.540, 0.860, 0.53),
}
"""Whose tables its subject noise disturbed is not on record, so both readings of ours are held to it."""
_SIZES |= {(SIZE_ALL, nodes): values for (experiment, nodes), values in _SIZES.items() if experiment == SIZE_ONE}

EARLIER: Mapping[Cell, float] = {
    **{
        (DIFFERENCES, c, ALL, method): value
        for c, values in _DIFFERENCES.items()
        for method, value in zip(_BY_DIFFERENCE, values, strict=True)
    },
    **{
        (NOISE, rho, ALL, method): value
        for rho, values in _NOISE.items()
        for method, value in zip(_BY_NOISE, values, strict=True)
    },
    **{
        (experiment, nodes, families, method): value
        for (experiment, nodes), values in _SIZES.items()
        for (method, families), value in zip(_BY_SIZE, values, strict=True)
    },
}
"""Mean accuracy of every cell there."""
HELD: Mapping[str, tuple[float, ...]] = {
    DIFFERENCES: (0.05, 0.10, 0.15, 0.20),
    NOISE: (0, 80, 180),
    SIZE_ONE: (16, 40),
    SIZE_ALL: (16, 40),
}
"""Where ours are held to it."""


def runs_there(cell: Cell) -> int:
    """Runs that a mean of the independent program is of."""
    experiment, at = cell[:2]
    if experiment == DIFFERENCES:
        return 100
    if experiment == NOISE:
        return 50
    return 20 if at >= 28 else 30


class Beside(NamedTuple):
    """A cell held to the independent program."""

    cell: Cell
    there: float
    ours: float
    allowed: float

    @property
    def alike(self) -> bool:
        """Whether ours is as near as allowed."""
        return abs(self.ours - self.there) <= self.allowed


def beside_earlier(cells: Mapping[Cell, np.ndarray]) -> Iterator[Beside]:
    """The cells that are held to it, of those that were run.

    Parameters
    ----------
    cells : accuracy of every run of a cell
    """
    for cell, there in EARLIER.items():
        if cell in cells and cell[1] in HELD.get(cell[0], ()):
            values = cells[cell]
            allowed = ERRORS * spread(values) * math.sqrt(1 / len(values) + 1 / runs_there(cell))
            yield Beside(cell, there, float(values.mean()), allowed)


def spread(accuracies: np.ndarray) -> float:
    """Standard deviation of a run's accuracy: over the runs, and no less than chance in its test series makes it.

    Parameters
    ----------
    accuracies : of every run
    """
    tested = 2 * TESTED
    n = tested * len(accuracies)
    share = (tested * accuracies.sum() + 0.5) / (n + 1)  # never 0 or 1, which would allow nothing
    over_runs = float(accuracies.std(ddof=1)) if len(accuracies) > 1 else 0.0
    return max(over_runs, math.sqrt(share * (1 - share) / tested))
