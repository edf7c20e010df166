"""The rows of the open table: which of them are used, by clicks, and the first ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.session.work import work
from dashboard.text import plain
from dashboard.views.data.conditions import edit_conditions
from dashboard.views.data.variable import selected_column
from dashboard.views.shared.downloads import download, file_name
from engine.exchange import to_csv

if TYPE_CHECKING:
    import pandas as pd

    from engine import Dataset

MOST_ROWS, MOST_COLUMNS = 200, 200
HEIGHT = 420


def show_rows() -> None:
    """The filter, the first rows as they were read, or as the methods will see them; both to download."""
    state = session()
    table, data = state.table, state.dataset
    if table is None:
        return
    with st.container(border=True):
        _filter(table)
    ways = ["as read", "as used"] if data is not None else ["as read"]
    way = st.segmented_control(
        "Rows", ways, default=ways[0], required=True, key=widget_key("data", "rows"), label_visibility="collapsed"
    )
    used = way == "as used" and data is not None
    names = data.names if used and data is not None else list(table.columns)
    frame = _used_rows(data) if used and data is not None else first_rows(table.iloc[:, :MOST_COLUMNS])
    st.dataframe(frame, height=HEIGHT, alt="The first rows of the table")
    total = data.n_rows if used and data is not None else len(table)
    text = f"The first {len(frame):,} of {total:,} rows"
    if len(names) > MOST_COLUMNS:
        text += f" and the first {MOST_COLUMNS} of {len(names):,} columns"
    st.caption(f"{text}; the number on the left is the row's place in the table.")
    if data is not None:
        download(lambda: _prepared_csv(data), file_name("prepared-table", "csv"), "text/csv", "Prepared table (CSV)")


def _filter(table: pd.DataFrame) -> None:
    """Which rows are used, in a sentence, and the conditions that say it."""
    current = work()
    names = list(current.proposals(table))
    st.markdown(filter_words())
    edit_conditions(
        widget_key("data", "where", id(current)),
        current.chosen.get("where", []),
        names,
        selected_column(names),
        lambda where: current.settle({"where": where}),
    )


def filter_words() -> str:
    """Which rows are used, and why the others are not, as Markdown."""
    data = session().dataset
    return plain(data.report.rows_sentence()) if data is not None and data.report is not None else ""


def first_rows(table: pd.DataFrame) -> pd.DataFrame:
    """At most 200 rows, numbered from 1, without the levels that only later rows have."""
    import pandas as pd

    frame = table.head(MOST_ROWS).copy()
    frame.attrs = {}
    for place, name in enumerate(frame.columns):
        column = frame.iloc[:, place]
        if isinstance(column.dtype, pd.CategoricalDtype):
            frame[name] = column.cat.remove_unused_categories()
    frame.index = pd.RangeIndex(1, len(frame) + 1)
    return frame


def _used_rows(data: Dataset) -> pd.DataFrame:
    """The first rows of a data set, numbered by the rows of the table that they come from."""
    few = data.select(data.names[:MOST_COLUMNS]).head(MOST_ROWS)
    frame = first_rows(few)
    return frame.set_axis([int(row) + 1 for row in data.origin[: len(frame)]], axis=0)


def _prepared_csv(data: Dataset) -> bytes:
    return to_csv(data.to_frame()).encode("utf-8-sig")
