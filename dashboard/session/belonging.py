"""Which rows of the open table an answer was made from: all of them, or those of one group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from dashboard.jobs.job_queue import method_key
from engine import by_group
from engine.methods import METHODS

if TYPE_CHECKING:
    from dashboard.session.cards import Card
    from engine import Dataset

MOST_GROUPS = 6
"""Levels of a column that the same question is put to one by one."""
LEAST_ROWS = 2
"""Rows that a group needs to be asked."""


def group_name(column: str, level: str) -> str:
    """What a group is called on its card."""
    return f"{column} = {level}"


def parts_of(data: Dataset, column: str) -> dict[str, Dataset]:
    """Name of a group -> its rows, of the groups that have rows enough."""
    return {
        group_name(column, level): part for level, part in by_group(data, column).items() if part.n_rows >= LEAST_ROWS
    }


def too_small(data: Dataset, column: str) -> list[str]:
    """The levels of a column that have too few rows to be asked."""
    rows = np.bincount(data.column(column), minlength=len(data.levels[column]))
    return [level for level, count in zip(data.levels[column], rows, strict=True) if count < LEAST_ROWS]


def column_of(group: str, data: Dataset) -> str | None:
    """The column that a group's name is about; None where the table has none such."""
    return next(
        (name for name in data.names if group in {group_name(name, level) for level in data.levels[name]}), None
    )


def rows_behind(result: Any, group: str, data: Dataset | None) -> Dataset | None:
    """What an answer was made from: the open table, or its rows of that group; None where it is neither."""
    if data is None:
        return None
    if not group:
        return data if data.is_of(result.fingerprint) else None
    column = column_of(group, data)
    part = None if column is None else parts_of(data, column).get(group)
    return part if part is not None and part.is_of(result.fingerprint) else None


def needs_no_arguments(result: Any, own: Dataset | None) -> bool:
    """Whether its method's page asks for it by its settings alone."""
    return own is not None and result.slug in METHODS and not METHODS[result.slug].first_asked(own)


def give(card: Card, data: Dataset) -> bool:
    """Give a card the rows it was made from, where this table has them; whether it has them."""
    card.data = rows_behind(card.result, card.group, data)
    if card.data is None:
        return False
    if isinstance(card.key, tuple) and card.key[:1] == ("kept",):
        card.pressed = needs_no_arguments(card.result, card.data)
        if card.pressed:
            card.key = method_key(card.result.method, card.data)
    return True
