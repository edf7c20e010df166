"""What the user has chosen about the open table, and the data set that comes of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.session.session import Session, session
from dashboard.session.work import PAGE, Work
from engine.data.preparing.dictionary import Dictionary
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

KINDS = {"nominal": "nominal", "ordinal": "ordinal", "continuous": "continuous", "ignore": "leave out"}
MISSING = {"drop": "drop the row", "level": "own level", "drop_columns": "drop the column"}
BINNING = {"quantile": "equal counts", "width": "equal width"}
_MANY_ROWS = 200_000


def open_table(
    table: pd.DataFrame,
    name: str,
    *,
    content: bytes | None = None,
    reading: Mapping[str, Any] | None = None,
    dictionary: Dictionary | None = None,
    chosen: Mapping[str, Mapping[str, Any]] | None = None,
) -> Work:
    """Let `table` take the place of the open one, and prepare it.

    Parameters
    ----------
    content, reading : the file and the arguments it was read with
    dictionary : kinds, levels and labels to begin with
    chosen : choices from before; those about columns that the table still has are kept

    Raises
    ------
    DataError : a table without columns or rows; the open one then stays
    """
    state = session()
    current = Work(name=name, content=content, reading=dict(reading or {}))
    current.proposals(table)  # before anything is let go: a table that cannot be looked at is refused here
    state.load(table, name)
    state.choices[PAGE] = {"work": current}
    columns = set(map(str, table.columns))
    for what, about in (chosen or {}).items():
        current.chosen[what] = {column: one for column, one in about.items() if column in columns}
    if dictionary is not None:
        apply_dictionary(current, dictionary, table)
    prepare_table(state, current)
    return current


def apply_dictionary(current: Work, dictionary: Dictionary, table: pd.DataFrame) -> None:
    """Take kinds, levels and labels from a dictionary; what it does not speak of stays."""
    choices, problems = dictionary.choices(table.columns)
    proposals = current.proposals(table)
    for name, kind in choices["kinds"].items():
        current.choose("kinds", name, kind, proposals[name].kind)
    for name, levels in choices["levels"].items():
        if name not in choices["kinds"] and proposals[name].kind not in ("nominal", "ordinal"):
            current.choose("kinds", name, "ordinal" if proposals[name].kind == "continuous" else "nominal")
        current.choose("levels", name, list(levels), list(proposals[name].levels))
    current.labels |= dictionary.labels()
    current.notes = tuple(problems)
    current.version += 1


def prepare_table(state: Session, current: Work) -> None:
    """Make the session's data set from the choices as they stand; nothing happens where they have not changed.

    When they cannot be used, `current.error` says why and the data set from before stays.
    """
    if state.table is None:
        return
    try:
        recipe = current.recipe(current.proposals(state.table))
        key = json.dumps(recipe.to_dict(), sort_keys=True)
        if key == current._prepared:
            return
        current._prepared = key
        current.error, current.error_column = "", None
        with st.spinner("Preparing the table", show_time=len(state.table) > _MANY_ROWS):
            state.dataset = recipe.apply(state.table)
    except DataError as error:
        current.error, current.error_column = str(error), error.column
