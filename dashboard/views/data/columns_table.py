"""The table of columns on the data page: what each is used as, how its values lie, and a click that opens it beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.column import outlines
from dashboard.session.keys import value_of, widget_key
from dashboard.session.session import session
from dashboard.session.work import Work, work
from dashboard.views.data.choices import KINDS
from dashboard.views.data.editor import edit_all, edit_columns
from dashboard.views.data.variable import Spotlight, select_column, selected_column, show_variable

if TYPE_CHECKING:
    import pandas as pd

    from engine import Dataset
    from engine.data import Proposal

MANY = 15
"""Columns from which on one looks for them by name."""
HEIGHT = 38 + 35 * 17
SIGNS = {"nominal": "◇", "ordinal": "↗", "continuous": "∿", "ignore": "–"}
"""Kind -> a sign before its word."""


@dataclass
class _Outlines:
    """The bars of the data set that was drawn last."""

    fingerprint: str = ""
    bars: Mapping[str, list[int]] = field(default_factory=dict)


def show_columns() -> None:
    """The columns, and beside them the one that is looked at; or all of them to be edited at once."""
    state, current = session(), work()
    if state.table is None:
        return
    proposals = current.proposals(state.table)
    with st.container(horizontal=True, vertical_alignment="center"):
        switch = widget_key("data", "many", id(current))
        words = _search() if len(proposals) > MANY and not value_of(switch) else ""
        many = st.toggle("Edit many at once", key=switch)
        with st.popover("All columns at once", icon=":material/view_column:"):
            edit_all()
    if many:
        edit_columns()
        return
    table, variable = st.columns([3, 2], gap="medium")
    with table:
        _choose(current, proposals, words)
    with variable:
        show_variable()


def _search() -> str:
    return str(
        st.text_input(
            "Find a column",
            key=widget_key("data", "search", id(work())),
            placeholder="Find a column by a part of its name or label",
            label_visibility="collapsed",
        )
    )


def matching(words: str, names: Sequence[str], labels: Mapping[str, str]) -> list[str]:
    """The columns whose name or label has all of these words in it."""
    parts = words.casefold().split()
    return [name for name in names if all(part in f"{name} {labels.get(name, '')}".casefold() for part in parts)]


def _choose(current: Work, proposals: Mapping[str, Proposal], words: str) -> None:
    """A row a column; a click on one opens it."""
    columns = matching(words, list(proposals), current.labels)
    if not columns:
        st.caption("No column has these words in its name or label.")
        return
    anchor = session().state(Spotlight).name
    name = anchor if anchor in proposals else selected_column(list(proposals))
    session().state(Spotlight).name = name
    # another key where another row is to be marked from outside: a table cannot be told otherwise
    key = widget_key("data", "table", id(current), list(proposals).index(name), hash(tuple(columns)))
    marked = [(columns.index(name), "column")] if name in columns else []
    st.dataframe(
        _frame(current, proposals, columns),
        key=key,
        on_select=lambda: _open(columns, value_of(key)),
        selection_mode="single-cell",  # a row would be selected by its checkbox alone
        selection_default={"selection": {"cells": marked}},
        hide_index=True,
        height=min(HEIGHT, 38 + 35 * len(columns)),
        column_config=_config(),
        placeholder="",
        alt="The columns of the table: what each is used as, how its values lie, gaps and different values",
    )


def _open(columns: Sequence[str], text: Mapping[str, Any] | None) -> None:
    cells = text["selection"]["cells"] if text else []
    if cells and cells[0][0] < len(columns):
        select_column(columns[cells[0][0]])


def _frame(current: Work, proposals: Mapping[str, Proposal], columns: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    bars = _bars(session().dataset)
    some = [(name, proposals[name]) for name in columns]
    return pd.DataFrame(
        {
            "column": columns,
            "used as": [f"{SIGNS[current.kind(item)]} {KINDS[current.kind(item)]}" for _, item in some],
            "rows used": [bars.get(name) for name in columns],
            "gaps": [entry.missing for _, entry in some],
            "values": [element.distinct for _, element in some],
            "look": [
                "⚠" if item_value.suspicious or item_value.twins or name == current.error_column else ""
                for name, item_value in some
            ],
        }
    )


def _bars(data: Dataset | None) -> Mapping[str, list[int]]:
    if data is None:
        return {}
    state = session().state(_Outlines)
    if state.fingerprint != data.fingerprint:
        state.fingerprint, state.bars = data.fingerprint, outlines(data)
    return state.bars


def _config() -> dict[str, Any]:
    columns = st.column_config
    return {
        "column": columns.TextColumn("column", width=122),
        "used as": columns.TextColumn(width=102, help="A click on the row opens the column, to change this"),
        "rows used": columns.BarChartColumn(
            width=90, y_min=0, help="How the values of the rows that are used lie: by level, or along the scale"
        ),
        "gaps": columns.NumberColumn(width=58, format="localized", help="Cells without a value"),
        "values": columns.NumberColumn(width=62, format="localized", help="How many different values it has"),
        "look": columns.TextColumn("", width=30, help="⚠ there is a finding about this column"),
    }
