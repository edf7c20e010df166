"""Cutting numbers into intervals: quantiles, equal widths or given cut points, and readable labels.

A value that many rows share is a level of its own: thirds of a count that is mostly zero would mix zeros with the rest.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from engine.data.reading.numbers import level_text
from engine.words import with_minus

FEW_VALUES = 5
"""A number of so many different values has these as its levels."""
OWN_LEVEL = 0.25
"""Share of the rows from which a value is a level of its own."""
_LEAST = 0.05
"""Share of the rows that a level beside such a value has at least, where there are others."""


class Levels(NamedTuple):
    """Cut points, and interval -> the value that it stands for, where that is only one."""

    cuts: tuple[float, ...]
    alone: dict[int, float]


def number_levels(
    values: np.ndarray, counts: np.ndarray, bins: int, *, few: int = FEW_VALUES, rounded: bool = False
) -> Levels:
    """The levels of a number: its values where they are few, those that many rows share, quantiles of the others.

    Parameters
    ----------
    values, counts : (d,) distinct values, rising, and how many rows have each, at least one
    bins : levels in all; more only where the values that many rows share part the others into more
    few : values up to which each is a level
    rounded : whether a value stands for all up to the next one
    """
    total = int(counts.sum())
    often = np.flatnonzero((counts >= OWN_LEVEL * total) | (len(values) <= few))
    if not len(often):
        return Levels(quantile_cuts(values, bins, counts), {})
    groups = [[place] for place in often.tolist()]
    ends = [-1, *often.tolist(), len(values)]
    runs = [(low + 1, high) for low, high in pairwise(ends) if low + 1 < high]
    kept = [run for run in runs if counts[slice(*run)].sum() >= _LEAST * total or len(runs) == 1]
    parts = dict.fromkeys(kept, 1)
    room = {run: max(int(counts[slice(*run)].sum() / (_LEAST * total)), 1) for run in kept}
    while sum(parts.values()) + len(often) < bins and (free := [run for run in kept if parts[run] < room[run]]):
        widest = max(free, key=lambda run: counts[slice(*run)].sum() / parts[run])
        parts[widest] += 1
    inner: list[float] = []
    for begin, end in kept:
        inner += quantile_cuts(values[begin:end], parts[begin, end], counts[begin:end])
    for begin, end in runs:  # too few rows for a level: with the value below them, or above where there is none
        if (begin, end) not in parts:
            groups[max(int(np.searchsorted(often, begin)) - 1, 0)] += range(begin, end)
    borders = {place for group in groups for place in (min(group), max(group) + 1)} - {0, len(values)}
    for place in borders:
        low, high = float(values[place - 1]), float(values[place])
        inner.append(high if rounded else _shortest(low, high, whole=_whole(values)))
    cuts = tuple(sorted(set(inner)))
    plain = (float(values[group[0]]) for group in groups if len(group) == 1)
    alone = {value: int(interval_codes(np.array([value]), cuts)[0]) for value in plain}
    return Levels(cuts, {i: value for value, i in alone.items() if not rounded or float(f"{value:.6g}") == value})


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


def interval_labels(
    cuts: Sequence[float],
    *,
    whole: bool,
    text: Callable[[float], str] = cut_text,
    alone: Mapping[int, float] | None = None,
) -> tuple[str, ...]:
    """Readable, different names: "below 4", "4 to 6", "7 and above" for whole numbers,
    "below 13.4", "13.4 to 15.8", "15.8 and above" for others (the upper end not included).

    An interval that stands for one value (`alone`) is called like that.
    """
    alone = alone or {}
    if not cuts:
        return (text(alone[0]) if alone else "all values",)
    whole = whole and all(cut == int(cut) for cut in cuts)
    labels = [f"below {text(cuts[0])}"]
    for low, high in pairwise(cuts):
        last = high - 1 if whole else high
        labels.append(text(low) if whole and last == low else f"{text(low)} to {text(last)}")
    labels.append(f"{text(cuts[-1])} and above")
    return tuple(text(alone[i]) if i in alone else label for i, label in enumerate(labels))


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
