"""Which numbers of one column look like codes of a missing value, and how surely."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from engine.data.preparing.variables import Variable
from engine.data.reading.numbers import level_text

_NINES = [float(digit * size) for size in range(2, 7) for digit in "789"]
_NEAR = [float("9" * size + last) for size in range(1, 5) for last in "678"]
_BELOW = [-1.0, -2.0, -3.0, -4.0, -5.0, -6.0, -7.0, -8.0, -9.0]
USUAL = np.array([*_NINES, *_NEAR, *_BELOW, *(-nine for nine in _NINES)])
"""Numbers that stand for missing in files of statistics programs and surveys."""
_REFUSED = np.array([7.0, 8.0, 9.0])
_NEIGHBOURS = 10
"""Values on each side of a value whose frequency is compared with its own."""
_SPIKE = 5
"""A value that is so many times as frequent as each of its neighbours is no ordinary mode."""
_MOST_ANSWERS = 6
_MOST_CODES = 4
"""Codes below zero; more are ordinary numbers."""
_FAR = 5
"""Usual steps between values that are a gap."""
_MOST_ZEROS, _MOST_SURE_ZEROS, _BEGINS = 0.6, 0.2, 0.08
"""Shares of zeros among the values, and of the middle value at which the others begin at least."""


@dataclass(frozen=True)
class Code:
    """A number that may mean missing: `why`, as a part of a sentence, and whether the column alone is enough to ask."""

    value: float
    rows: int
    why: str
    sure: bool


def codes_of(variable: Variable) -> list[Code]:
    """Numbers of a column that may mean missing."""
    if variable.sort != "number" or variable.numbers is None:
        return []
    counts = variable.counts()
    present = counts > 0
    numbers, counts = variable.numbers[present], counts[present]
    if len(numbers) < 3:
        return []
    found: dict[float, Code] = {}
    for code in chain.from_iterable(look(numbers, counts) for look in (_refused, _beyond, _inside, _zero)):
        if code.value not in found or code.sure > found[code.value].sure:
            found[code.value] = code
    return [found[value] for value in sorted(found)]


def _refused(numbers: np.ndarray, counts: np.ndarray) -> list[Code]:
    """7, 8 and 9 above a few answers that are numbered from 0 or 1."""
    others = numbers[numbers < 7]
    codes = numbers[numbers >= 7]
    if not 2 <= len(others) <= _MOST_ANSWERS or not len(codes) or not np.isin(codes, [*_REFUSED, *USUAL]).all():
        return []
    low, high = others[0], others[-1]
    answers = low in (0, 1) and len(others) == high - low + 1
    few = counts[numbers >= 7].sum() <= 0.4 * counts.sum()
    if not answers or not few or codes[0] < high + 2 or not np.isin(codes, _REFUSED).any():
        return []
    # a count such as a number of children ends in a tail; a refusal stands apart
    sure = codes[0] >= high + 3 and 9 in codes and counts[numbers >= 7].sum() >= 3
    why = f"the answers are {level_text(low)} to {level_text(high)}"
    return [Code(float(code), int(n), why, bool(sure)) for code, n in zip(numbers, counts, strict=True) if code >= 7]


def _beyond(numbers: np.ndarray, counts: np.ndarray) -> list[Code]:
    """Usual codes below or above all other values."""
    usual = np.isin(numbers, USUAL)
    if usual.all():
        return []
    first, last = np.flatnonzero(~usual)[[0, -1]]
    others = numbers[first : last + 1]
    low, high = float(others[0]), float(others[-1])
    step = float(np.median(np.diff(others))) if len(others) > 1 else 1.0
    around = f"the other values are {level_text(low)} to {level_text(high)}"
    found = []
    for i in [*range(first), *range(last + 1, len(numbers))]:
        value, n = float(numbers[i]), int(counts[i])
        if value < 0:
            few = low >= 0 and first <= _MOST_CODES and (n > 1 or len(others) <= _MOST_ANSWERS)  # one may be a slip
            sure, maybe = few and _is_below(value, numbers[:first], low, high, step), few
        else:
            far = value > high + max(high - low, 1) and value >= 2 * high
            apart = value - high >= max(_FAR * step, 2) and n >= 5 and n >= 3 * counts[: last + 1][-_NEIGHBOURS:].max()
            sure, maybe = far or apart, value >= 90 and value - high >= 2 * step
        if sure or maybe:
            found.append(Code(value, n, around, bool(sure)))
    return found


def _is_below(value: float, below: np.ndarray, low: float, high: float, step: float) -> bool:
    """Whether a negative code is one: nothing else is negative, and small ones are no end of a scale."""
    if low < 0 or high - low < 2 or (low - below[-1] < 2 * step and below[-1] > -7):
        return False
    return value <= -7 or (high >= 5 and len(below) <= 2)


def _inside(numbers: np.ndarray, counts: np.ndarray) -> list[Code]:
    """Codes of nines, eights or sevens among the other values, far more frequent than those around them."""
    found = []
    for i in np.flatnonzero(np.isin(numbers, _NINES)):
        others = np.r_[counts[max(i - _NEIGHBOURS, 0) : i], counts[i + 1 : i + 1 + _NEIGHBOURS]]
        if i < 3 or len(others) < _NEIGHBOURS or counts[i] < 3 * np.median(others):
            continue
        sure = counts[i] >= max(5, 0.01 * counts.sum(), _SPIKE * others.max())
        if sure or counts[i] >= max(3, 2 * others.max()):
            why = "it is far more frequent than the values around it"
            found.append(Code(float(numbers[i]), int(counts[i]), why, bool(sure)))
    return found


def _zero(numbers: np.ndarray, counts: np.ndarray) -> list[Code]:
    """Zero below a range that begins far above it, as of a blood pressure."""
    if numbers[0] != 0 or len(numbers) < 12:
        return []
    others, step = numbers[1:], float(np.median(np.diff(numbers[1:21])))
    middle = float(np.repeat(others, counts[1:])[(counts[1:].sum() - 1) // 2])
    share = counts[0] / counts.sum()
    if counts[0] < 3 or share > _MOST_ZEROS or others[0] < max(_FAR * step, _BEGINS * middle):
        return []
    # a measure that can be small has values between nothing and a third of its middle
    sure = share <= _MOST_SURE_ZEROS and others[0] >= middle / 3
    why = f"the other values begin at {level_text(float(others[0]))}"
    return [Code(0.0, int(counts[0]), why, bool(sure))]
