"""Answers of which several may be ticked: a column each, with one value or nothing, which is no gap."""

from __future__ import annotations

from collections.abc import Iterator

from engine.data.preparing.deciding.decision import Change, Finding
from engine.data.preparing.deciding.table_view import TableView

TICKS = "ticks"
_COLUMNS, _SHARE = 2, 0.05
"""Columns of one value or nothing from which they are ticks, and the share of the rows that one of them has at least;
what has fewer is a remark."""


def ticks(view: TableView) -> Iterator[Finding]:
    """One card for all columns that hold one value or nothing."""
    settled = {name for columns in view.settled_columns(TICKS) for name in columns}
    columns = [
        name
        for name, variable in view.now.items()
        if name in settled
        or (
            variable.n_distinct == 1
            and variable.n_missing
            and variable.n_rows - variable.n_missing >= _SHARE * variable.n_rows
            and name not in view.choices.derive
            and name not in view.choices.roles
        )
    ]
    if len(columns) < _COLUMNS:
        return
    free = [name for name in columns if name in settled or f"{name} ticked" not in view.now]
    made: Change = {
        "derive": {f"{name} ticked": ("if", ((name, "is known"),)) for name in free},
        "kinds": dict.fromkeys(free, "ignore"),
    }
    yield Finding(
        TICKS,
        columns,
        {},
        {"ticked": made, "leave": {}},
        view.n,
        effects={"ticked": "a new column of yes and no for each", "leave": "they are left out, having one value only"},
        chosen=any(name in view.choices.kinds for name in columns),
    )
