"""Cutting numbers into intervals: quantiles, equal widths or given cut points, and readable labels."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from engine.data.reading.numbers import level_text
from engine.words import with_minus


def quantile_cuts(values: np.ndarray, bins: int, counts: np.ndarray | None = None) -> tuple[float, ...]:
    """Cut points that part the rows as evenly as ties allow: fewer than `bins - 1` when many rows are equal.

    The values are those of the rows, or each once, rising, with `counts` of their rows.
    """
    distinct, counts = np.unique(values, return_counts=True) if counts is None else (values, counts)
    below = np.cumsum(counts)[:-1]  # rows below a cut between distinct[j] and distinct[j + 1]
    if not len(below):
        return ()
    wanted = int(counts.sum()) * np.arange(1, bins) / bins
    cut_positions = np.unique([int(np.abs(below - share).argmin()) for share in wanted])
    return tuple(_shortest(float(distinct[j]), float(distinct[j + 1]), whole=_whole(distinct)) for j in cut_positions)


def width_cuts(values: np.ndarray, bins: int) -> tuple[float, ...]:
    """Cut points at equal distances from the smallest to the largest value, with few digits.

    Rounding moves a cut only where no value lies, so the intervals hold the same rows.
    """
    distinct = np.unique(values)
    if len(distinct) < 2:
        return ()
    step = (distinct[-1] - distinct[0]) / bins
    digits = 2 - math.floor(math.log10(step))
    cuts = set()
    for target in np.linspace(distinct[0], distinct[-1], bins + 1)[1:-1]:
        above = min(max(int(np.searchsorted(distinct, target, side="left")), 1), len(distinct) - 1)
        low, high = float(distinct[above - 1]), float(distinct[above])
        tries = (
            [float(math.ceil(target))] if _whole(distinct) else [round(float(target), digits + k) for k in range(14)]
        )
        cuts.add(next((cut for cut in tries if low < cut <= high), high))
    return tuple(sorted(cuts))


def interval_codes(values: np.ndarray, cuts: Sequence[float]) -> np.ndarray:
    """Interval of each value: a value equal to a cut belongs to the interval above it."""
    return np.searchsorted(np.asarray(cuts, float), values, side="right")


def cut_text(cut: float) -> str:
    """A cut point in the label of an interval: as a level is named, with a true minus."""
    return with_minus(level_text(cut))


def interval_labels(cuts: Sequence[float], *, whole: bool, text: Callable[[float], str] = cut_text) -> tuple[str, ...]:
    """Readable, different names: "below 4", "4 to 6", "7 and above" for whole numbers,
    "below 13.4", "13.4 to 15.8", "15.8 and above" for others (the upper end not included)."""
    if not cuts:
        return ("all values",)
    whole = whole and all(cut == int(cut) for cut in cuts)
    labels = [f"below {text(cuts[0])}"]
    for low, high in pairwise(cuts):
        last = high - 1 if whole else high
        labels.append(text(low) if whole and last == low else f"{text(low)} to {text(last)}")
    return (*labels, f"{text(cuts[-1])} and above")


def _whole(values: np.ndarray) -> bool:
    return bool((values == np.floor(values)).all())


def _shortest(low: float, high: float, *, whole: bool) -> float:
    """A number with few digits near the middle, above `low` and at most `high`; a whole one between whole ones."""
    middle = low + (high - low) / 2
    if whole:
        middle = float(math.ceil(middle))
    for digits in range(1, 17):
        rounded = float(f"{middle:.{digits}g}")
        step = 10.0 ** (math.floor(math.log10(abs(rounded))) - digits + 1) if rounded else 0.0
        for candidate in (rounded, float(f"{rounded + step:.{digits}g}")):
            if low < candidate <= high and not (whole and candidate != int(candidate)):
                return candidate
    return high
