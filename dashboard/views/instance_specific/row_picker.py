"""Finding a row of a table of any length: by its number, or by a value, an identifier included."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import has_value, set_value, value_of, widget_key
from dashboard.session.session import session
from dashboard.text import plain, short, visible
from dashboard.views.instance_specific.running import PatientState
from engine.data.table_rows import row_codes, table_rows
from engine.words import count

if TYPE_CHECKING:
    import pandas as pd

    from engine.data import Dataset

LISTED = 200
LEVELS_LISTED = 60
CELLS = 4


def find_row(data: Dataset, key: str, length: int) -> int:
    """The row chosen, from 1."""
    number_key = widget_key(key, "row")
    number, column, value, match = st.columns([2, 3, 3, 4], vertical_alignment="bottom")
    with column:
        names = _columns(data)
        chosen = st.selectbox(
            "or find a row by",
            range(len(names)),
            index=None,
            format_func=lambda i: visible(names[i]) or "(no name)",
            placeholder="a column",
            key=widget_key(key, "by"),
            persist_state="session",
        )
    result: list[int] | None = None
    if chosen is not None:
        with value:
            result = _matches(data, names[chosen], chosen, key)
    if result is not None:
        with match:
            _choose_match(data, result, key, number_key)
    with number:
        return int(
            st.number_input(
                f"Row (1 to {length:,})", 1, length, value=None if has_value(number_key) else 1, step=1,
                key=number_key, persist_state="session", help="Rows are counted as in the table that was read.",
            )
            or 1
        )  # fmt: skip


def _columns(data: Dataset) -> list[str]:
    """Columns of the table, those the methods leave out (an identifier, say) among them."""
    table = session().table
    return list(data.names) if table is None else [str(name) for name in table.columns]


def _matches(data: Dataset, name: str, position: int, key: str) -> list[int] | None:
    """Row numbers of the table (from 0) with the value asked for; None while none is asked for."""
    levels = data.levels.get(name, ())
    if 0 < len(levels) <= LEVELS_LISTED:
        code = st.selectbox(
            "with the value",
            range(len(levels)),
            index=None,
            format_func=lambda i: visible(levels[i]) or "(empty)",
            placeholder="choose",
            key=widget_key(key, "level", position),
        )
        return None if code is None else table_rows(data, (data.column(name) == code).nonzero()[0]).tolist()
    wanted = st.text_input("with the value", placeholder="type it", key=widget_key(key, "text", position)).strip()
    table = session().table
    if not wanted or table is None:
        return None
    state = session().state(PatientState)
    searched = (data.fingerprint, position, wanted)
    if state.searched is None or state.searched[0] != searched:  # a million cells are looked through once, not at each
        state.searched = (searched, _rows_with(table.iloc[:, position], wanted))
    return state.searched[1]


def _rows_with(column: pd.Series, wanted: str) -> list[int]:
    """Rows whose cell is this text; where there is none, those whose cell contains it."""
    cells = column.astype("string").str.strip()
    flags = (cells == wanted).fillna(False).to_numpy(bool)
    if not flags.any():
        flags = cells.str.contains(wanted, case=False, regex=False, na=False).to_numpy(bool)
    return [int(row) for row in flags.nonzero()[0]]


def _choose_match(data: Dataset, result: list[int], key: str, number_key: str) -> None:
    if not result:
        st.caption("No row has that value.")
        return
    label = f"{count(len(result), 'row')} found"
    if len(result) > LISTED:
        label += f", the first {LISTED} listed"
    listed = result[:LISTED]
    match_key = widget_key(key, "match", hash(tuple(listed)))
    state = session().state(PatientState)
    if state.matched != match_key:
        state.matched = match_key
        if len(result) == 1:  # an identifier found is a patient chosen
            set_value(number_key, result[0] + 1)

    def take() -> None:
        row = value_of(match_key)
        if row is not None:
            set_value(number_key, row + 1)

    st.selectbox(
        plain(label), listed, index=None, placeholder="choose a row", key=match_key, on_change=take,
        format_func=partial(_row_words, data, session().table),
    )  # fmt: skip


def _row_words(data: Dataset, table: pd.DataFrame | None, row: int) -> str:
    """Row number and a few values."""
    if table is None:
        codes = row_codes(data, row).tolist()
        cells = [(name, data.levels[name][code]) for name, code in zip(data.names[:CELLS], codes, strict=False)]
    else:
        cells = [(str(name), table.iloc[row, i]) for i, name in enumerate(table.columns[:CELLS])]
    return f"row {row + 1:,}: " + ", ".join(f"{short(name, 14)} {short(cell, 16)}" for name, cell in cells)
