"""The step in which numbers were recorded, group by group: two hospitals that round otherwise do not differ by that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.data.reading.numbers import level_text
from engine.text import Level, Number, listed, told
from engine.words import short

STEPS = tuple(digit * 10.0**power for power in range(0, -7, -1) for digit in (1.0, 0.5))
"""Steps that are known, the coarsest first: 1, .5, .1, .05, ..."""
MULTIPLES = (10, 5)
"""Steps together that people round to by heart."""
FEWEST = 20
"""Values below which a group says nothing of its step."""
_KEPT, _HEAPED, _APART, _MASS = 0.95, 0.25, 0.1, 0.5
"""Share of multiples; of heaps beyond chance, and of these beside the largest; of one value that tells nothing."""
_ROUGH = 1e-6
"""Part of a step that a float may be beside a multiple of it."""


class Recording(NamedTuple):
    """The way groups recorded a number.

    Attributes
    ----------
    step : that all groups are to be rounded to, 0 where none is needed
    own : the step of each group, 0 where it has none or too few values to say
    heaped : whether the groups' steps are of round values that one group preferred, not of all its values
    """

    step: float
    own: tuple[float, ...]
    heaped: bool = False

    @property
    def differed(self) -> bool:
        """True where groups recorded otherwise, so that all are to be rounded."""
        return self.step > 0


def recording_steps(values: Sequence[np.ndarray]) -> Recording:
    """The steps in which groups recorded a number, and the one that all are to be rounded to.

    A group's step is the coarsest of 1, .5, .1, .05, ... to which 95 % of its values are multiples. Where these are
    equal, a group may still prefer multiples of 5 or 10 steps: more than a quarter of its values beyond chance, and no
    such preference in another group.

    Parameters
    ----------
    values : (n,) numbers of each group; NaN, infinite ones and zeros do not count

    Returns
    -------
    Recording
    """
    telling = [_telling(group) for group in values]
    own = tuple(_step(group) for group in telling)
    told = [step for step, group in zip(own, telling, strict=True) if len(group)]
    if len(told) < 2:
        return Recording(0.0, own)
    if min(told) < max(told):  # a step that is not found is finer than all that are known
        return Recording(max(told), own)
    for times in MULTIPLES if told[0] else ():
        heaped = [_heaped(group, told[0], times) for group in telling]
        if max(heaped) == 1 and min(share for share, group in zip(heaped, telling, strict=True) if len(group)) == 0:
            coarse = _plain(told[0] * times)
            steps = tuple(coarse if share == 1 else step for share, step in zip(heaped, own, strict=True))
            return Recording(coarse, steps, heaped=True)
    return Recording(0.0, own)


def rounded(values: np.ndarray, step: float) -> np.ndarray:
    """Numbers rounded to multiples of a step, halves to even ones; as they are where the step is 0.

    Parameters
    ----------
    values : (n,) numbers, NaN where there is none
    step : as `recording_steps` gives it
    """
    column = np.asarray(values, dtype=float)
    if not step:
        return column
    with np.errstate(over="ignore", invalid="ignore"):
        whole = np.rint(column / step)
        # dividing by a whole number gives the float that is written so: 123 / 10, not 123 * .1
        result = whole / np.rint(1 / step) if step < 1 else whole * step
    return np.where(np.abs(whole) < 2.0**52, result, column)  # what is larger has no digits so fine


def recording_sentence(recording: Recording, groups: Sequence[str], unit: str = "") -> str:
    """The way groups recorded a number otherwise, and what was done; "" where they did not.

    Parameters
    ----------
    recording : of the number
    groups : their names, in its order
    unit : of the number, "" where it is not known
    """
    if not recording.differed:
        return ""
    coarse = [name for name, own in zip(groups, recording.own, strict=True) if own == recording.step]
    names = listed(Level(short(name, 60)) for name in coarse)
    step = Number(f"{level_text(recording.step)} {unit}".strip())
    verb = ("prefer" if recording.heaped else "note") + ("" if len(coarse) > 1 else "s")
    multiples = told("whole numbers") if recording.step == 1 else told("multiples of {}", step)
    who = "both groups" if len(groups) == 2 else "all groups"
    return told("{} {} {}; {} were rounded to {}.", names, told(verb), multiples, told(who), step)


def _telling(values: np.ndarray) -> np.ndarray:
    """The values of a group that can say in what step it records; none where they are too few or too equal.

    Zero is a multiple of every step, and a value that half of the rows have may be a floor.
    """
    column = np.asarray(values, dtype=float)
    column = column[np.isfinite(column) & (column != 0)]
    distinct, counts = np.unique(column, return_counts=True)
    if len(distinct) and counts.max() >= _MASS * len(column):
        column, distinct = column[column != distinct[counts.argmax()]], np.delete(distinct, counts.argmax())
    return column if len(column) >= FEWEST and len(distinct) > 2 else column[:0]


def _step(values: np.ndarray) -> float:
    """The coarsest step to which nearly all values are multiples, 0 where there is none."""
    return next((_plain(step) for step in STEPS if len(values) and _multiples(values, step).mean() >= _KEPT), 0.0)


def _multiples(values: np.ndarray, step: float) -> np.ndarray:
    """True where each is a multiple of a step, as near as floats are; where so fine digits are lost, a whole one."""
    with np.errstate(over="ignore", invalid="ignore"):
        ratio = values / step
        near = np.abs(ratio - np.rint(ratio)) <= _ROUGH
        known = np.spacing(np.abs(ratio)) < _ROUGH
    return np.where(known, near, values == np.rint(values))


def _heaped(values: np.ndarray, step: float, times: int) -> float:
    """1 where a group prefers values of so many steps, 0 where it surely does not, else between.

    A multiple's rows are held against those of the two values on either side, as far as there are any; a single heap,
    such as a floor, is no preference.
    """
    if not len(values):
        return 0.0
    places, counts = np.unique(np.rint(values / step), return_counts=True)
    rows = dict(zip(places.tolist(), counts.tolist(), strict=True))
    multiples = places[places % times == 0].tolist()
    above = [rows[at] - sum(rows.get(at + k, 0) for k in (-2, -1, 1, 2)) / 4 for at in multiples]
    share, largest = sum(above) / len(values), max(above, default=0.0) / len(values)
    chance = 2 * np.sqrt(1 / times / len(values))
    if share > _HEAPED + chance and share - largest > _APART:
        return 1.0
    return 0.0 if share <= _HEAPED / 2 else 0.5


def _plain(step: float) -> float:
    """The step as it is written."""
    return float(f"{step:.12g}")
