"""The levels of a group column that are compared first, and the one that others are compared with."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from engine.counting.requests import level_counts
from engine.data.preparing.roles import MOST_CLASSES, propose_direction, propose_group, propose_pair, reads_as_control
from engine.data.reading.scales import known_order
from engine.words import short

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.data.dataset import Dataset

REST = "all other rows"
"""Name of the rows of all levels but one."""
_DOSE = re.compile(r"(?:dose\s*)?(-?\d+(?:\.\d+)?)\s*[^\W\d]*(?:/[^\W\d]+)?", re.IGNORECASE)
"""A level that is a number, with a unit or without: '10', '2.5 mg', 'dose 3'; not 'treatment 2'."""
_DOSE_WORD = re.compile(r"[\s-]*\bdos(?:e|age|is)\b\s*", re.IGNORECASE)
"""Words of a level beside its size: 'low dose', 'high-dose'."""


def likely_group(data: Dataset) -> str | None:
    """The variable a user most probably wants to compare: the one that has the role, else by its name if it tells."""
    return likely_group_why(data)[0]


def likely_group_why(data: Dataset) -> tuple[str | None, str]:
    """The same with the reason as a sentence: its role first, then what its name is like."""
    chosen = next((name for name, role in data.roles.items() if role == "group" and name in data.names), None)
    if chosen is not None and 2 <= len(data.levels[chosen]) <= MOST_CLASSES:
        return chosen, f"'{short(chosen, 60)}' has the role of the group on the data page."
    result = propose_group({name: data.levels[name] for name in data.names})
    return result if result is not None else (None, "")


def likely_pair(data: Dataset, group: str) -> tuple[tuple[str, str] | None, str]:
    """The two levels a user most probably means, and why; None where rows are not counted, or of two levels that stand
    in this order.
    """
    levels = data.levels[group]
    if len(levels) < 3:
        pair, why = propose_direction(levels)
        return (None if pair == levels else pair), why
    if data.in_memory or data.report is None:
        rows = level_counts(data.select([group]))[0].tolist()
    else:  # nothing is counted only to propose
        rows = next((list(item.counts) for item in data.report.columns if item.name == group), [])
    return propose_pair(levels, rows) if len(rows) == len(levels) else (None, "")


def control_first(data: Dataset, group: str) -> tuple[str, ...]:
    """The levels of a group, that with which the others are compared first: a control, before, no, earlier."""
    pair, levels = likely_pair(data, group)[0], data.levels[group]
    if pair is None or (len(levels) > 2 and not reads_as_control(pair[0])):
        return tuple(levels)
    return (pair[0], *(level for level in levels if level != pair[0]))


def likely_arms(data: Dataset, group: str) -> tuple[str, ...]:
    """The control and every other level with rows, where there are three to six; () elsewhere.

    The control is the first of `likely_pair`: the level that reads as one, or the first of the two largest. Doses
    follow in their order.
    """
    pair = likely_pair(data, group)[0]
    if pair is None:
        return ()
    levels = data.levels[group]
    rows = level_counts(data.select([group]))[0].tolist()
    missing = data.missing_level(group)
    there = [level for level, many in zip(levels, rows, strict=True) if many and level != missing]
    if not 3 <= len(there) <= MOST_CLASSES or pair[0] not in there:
        return ()
    arms = [pair[0], *(level for level in there if level != pair[0])]
    order = dose_order(arms, data.kinds[group] == "ordinal")
    return tuple(arms[k] for k in np.argsort(order)) if order else tuple(arms)


def dose_order(arms: Sequence[str], ordered: bool) -> tuple[int, ...]:
    """The place of each arm in their order, the control's first; () where they have none.

    Parameters
    ----------
    arms : the control first
    ordered : whether the others stand in their order already
    """
    others = list(arms[1:])
    numbers = [_DOSE.fullmatch(level) for level in others]
    if not all(numbers):
        sizes = [_DOSE_WORD.sub("", level) for level in others]
        known, why = known_order(sizes)
        if not (ordered or why) or not reads_as_control(arms[0]):
            return ()
        return (0, *(1 + (k if ordered else known.index(size)) for k, size in enumerate(sizes)))
    values = [float(match[1]) for match in numbers if match is not None]
    own = _DOSE.fullmatch(arms[0])
    if own is None and not reads_as_control(arms[0]):
        return ()
    control = min(values) - 1 if own is None else float(own[1])
    places = np.unique([control, *values], return_inverse=True)[1]
    return tuple(int(place) for place in places) if len(set(places)) == len(arms) else ()
