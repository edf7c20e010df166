"""The table of columns on the data page: what each is used as, how its values lie; all of them edited at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.charts.column import outlines
from dashboard.session.keys import has_value, value_of, widget_key
from dashboard.session.labels import without_stems
from dashboard.session.masking import counts_shown, sentence_shown, smallest_cell
from dashboard.session.session import session
from dashboard.session.work import DEFAULTS, Work, work
from dashboard.text import distinct, short
from dashboard.views.data.choices import BINNING, KINDS, MISSING
from dashboard.views.data.variable import Spotlight, select_column, selected_column, show_variable
from engine.telling.table_one import in_short

if TYPE_CHECKING:
    import pandas as pd

    from engine import Dataset
    from engine.data.preparing.proposals import Proposal

MANY = 15
"""Columns from which on one looks for them by name."""
HEIGHT = 38 + 35 * 30
NAME = 20
"""Letters of a name in the list; whole names stand beside it."""
SHORT, IN_SHORT = "median (range)", (21, 16)
"""Heading of the values in short, and their letters alone and beside labels."""
SIGNS = {"nominal": "◇", "ordinal": "↗", "continuous": "∿", "ignore": "–"}
"""Kind -> a sign before its word."""


@dataclass
class _Outlines:
    """The bars of the data set that was drawn last, and its values in short."""

    fingerprint: str = ""
    bars: Mapping[str, list[int]] = field(default_factory=dict)
    short: Mapping[str, str] = field(default_factory=dict)


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
    table, variable = st.columns([2, 1] if current.labels else [3, 2], gap="medium")
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
    frame = _frame(current, proposals, columns)
    st.dataframe(
        frame,
        key=key,
        on_select=lambda: _open(columns, value_of(key)),
        selection_mode="single-cell",  # a row would be selected by its checkbox alone
        selection_default={"selection": {"cells": marked}},
        hide_index=True,
        height=min(HEIGHT, 38 + 35 * len(columns)),
        column_config=_list_columns(labels="label" in frame),
        placeholder="",
        alt="The columns of the table: what each is used as, how its values lie, gaps and different values",
    )
    asked = "⚠ There is a finding or an open question about this column. " if "look" in frame else ""
    st.caption(f"{asked}Distribution and median are of the rows used, gaps and distinct values of all.")


def _open(columns: Sequence[str], text: Mapping[str, Any] | None) -> None:
    cells = text["selection"]["cells"] if text else []
    if cells and cells[0][0] < len(columns):
        select_column(columns[cells[0][0]])


def _frame(current: Work, proposals: Mapping[str, Proposal], columns: Sequence[str]) -> pd.DataFrame:
    import pandas as pd

    some = [(name, proposals[name]) for name in columns]
    asked = _asked(current) | {current.error_column}
    marks = ["⚠" if item.suspicious or item.twins or name in asked else "" for name, item in some]
    labels, drawn = without_stems(current.labels), _outlines(session().dataset)
    told = [short(drawn.short.get(name, ""), IN_SHORT[bool(labels)]) for name in columns]
    return pd.DataFrame(
        {
            **({"look": marks} if any(marks) else {}),
            "column": distinct(columns, NAME),
            **({"label": [labels.get(name, "") for name in columns]} if labels else {}),
            "used as": [f"{SIGNS[current.kind(item)]} {KINDS[current.kind(item)]}" for _, item in some],
            **({} if smallest_cell() else {"distribution": list(map(drawn.bars.get, columns))}),
            "gaps": gaps_shown([item.missing for _, item in some]),
            "values": [item.distinct for _, item in some],
            **({} if smallest_cell() else {SHORT: told}),
        }
    )


def _asked(current: Work) -> set[str]:
    """The columns that an open question is about."""
    table, settled = session().table, current.chosen.get("settled", {})
    found = current.decisions(table) if table is not None else ()
    return {column for item in found if item.key not in settled for column in item.columns}


def _outlines(data: Dataset | None) -> _Outlines:
    state = session().state(_Outlines)
    if data is not None and state.fingerprint != data.fingerprint:
        state.fingerprint, state.bars, state.short = data.fingerprint, outlines(data), in_short(data)
    return state if data is not None else _Outlines()


_NAME = 84
"""Pixels of a name that its label stands beside, which has the rest of 284."""


def _list_columns(labels: bool) -> dict[str, Any]:
    columns = st.column_config
    return {
        "column": columns.TextColumn("column", width=_NAME if labels else 150),
        "label": columns.TextColumn("label", width=284 - _NAME),
        "used as": columns.TextColumn(width=96, help="A click on the row opens the column, to change this"),
        "distribution": columns.BarChartColumn(
            width=80, y_min=0, help="How the values of the rows that are used lie: by level, or along the scale"
        ),
        SHORT: columns.TextColumn(
            width=110 if labels else 140,
            help="Of the rows used: the median of a number with its least and greatest, else the most frequent level",
        ),
        "gaps": gaps_column(58, format="localized"),
        "values": columns.NumberColumn(
            "distinct", width=62, format="localized", help="How many different values it has"
        ),
        "look": columns.TextColumn("", width=30, help="⚠ there is a finding or an open question about this column"),
    }


_READ: dict[str, tuple[str, dict[str, str] | None]] = {
    "use as": ("kinds", {words: kind for kind, words in KINDS.items()}),
    "if missing": ("missing", {words: way for way, words in MISSING.items()}),
    "intervals": ("bins", None),
    "rare below": ("rare", None),
}
"""Heading -> the choice it is about, and what its words stand for."""


def edit_columns() -> None:
    """One row a column, every cell to be edited; a change is kept in the choices at once."""
    table, current = session().table, work()
    if table is None:
        return
    key = widget_key("data", "columns", id(current), current.version)
    # The frame under an editor must stay as it is while the editor lives; what was edited lies on top of it.
    if current.base is None or current.base[0] != key or not has_value(key):
        current.base = key, columns_frame(current, current.proposals(table))
    base = current.base[1]
    st.data_editor(
        base,
        key=key,
        on_change=lambda: keep_edits(current, value_of(key)["edited_rows"]),
        hide_index=True,
        height=min(HEIGHT, 38 + 35 * len(base)),
        disabled=["look", "column", "values", "gaps", "why"],
        column_config=_editor_columns(),
        placeholder="",
        alt="The columns of the table and how each is used, to be edited",
    )


def columns_frame(current: Work, proposals: dict[str, Proposal]) -> pd.DataFrame:
    """A row a column: name, use, gaps and what becomes of them, intervals, rare levels, and why."""
    import pandas as pd

    rows = []
    for name, proposal in proposals.items():
        bins = current.get("bins", name) if current.kind(proposal) == "continuous" else None
        rows.append(
            {
                "look": "⚠" if proposal.suspicious or proposal.twins or name == current.error_column else "",
                "column": name,
                "use as": KINDS[current.kind(proposal)],
                "values": proposal.distinct,
                "gaps": proposal.missing,
                "if missing": MISSING[current.get("missing", name)],
                "intervals": len(bins) + 1 if isinstance(bins, list | tuple) else bins,
                "rare below": current.get("rare", name),
                "why": sentence_shown(current.usual(proposal)[1]),
            }
        )
    return pd.DataFrame(rows).assign(gaps=gaps_shown([proposal.missing for proposal in proposals.values()]))


def gaps_shown(numbers: Sequence[int]) -> Sequence[int] | Sequence[str]:
    """Cells without a value, a number a column."""
    return counts_shown(numbers) if smallest_cell() else numbers


def gaps_column(width: int, **options: Any) -> Any:
    """Their column: of texts where small counts are hidden."""
    columns, about = st.column_config, "Cells without a value"
    if smallest_cell():
        return columns.TextColumn(width="small", help=about)
    return columns.NumberColumn(width=width, help=about, **options)


def keep_edits(current: Work, edited: Mapping[int, Mapping[str, Any]]) -> None:
    """Turn what was changed in the table of columns (row -> heading -> value) into choices."""
    table = session().table
    if table is None or current.base is None:
        return
    proposals = current.proposals(table)
    names = list(current.base[1]["column"])
    for row, cells in edited.items():
        name = names[row]
        for heading, value in cells.items():
            argument, meanings = _READ[heading]
            meaning = value if meanings is None or value is None else meanings[value]
            current.choose(argument, name, meaning, current.usual(proposals[name])[0] if argument == "kinds" else None)


def _editor_columns() -> dict[str, Any]:
    columns = st.column_config
    return {
        "look": columns.TextColumn("", width=28, help="⚠ there is a finding about this column"),
        "column": columns.TextColumn("column", width=140),
        "use as": columns.SelectboxColumn(
            options=list(KINDS.values()),
            required=True,
            width=95,
            help="nominal: names without order; ordinal: names with an order; continuous: numbers, cut into "
            "intervals; leave out: identifiers, dates, remarks",
        ),
        "values": columns.NumberColumn("distinct", width=62, help="How many different values it has"),
        "gaps": gaps_column(55),
        "if missing": columns.SelectboxColumn(
            options=list(MISSING.values()),
            required=True,
            width=115,
            help="What becomes of a row that lacks a value here",
        ),
        "intervals": columns.NumberColumn(
            min_value=2, max_value=50, step=1, width=90, help="Of continuous columns: into how many they are cut"
        ),
        "rare below": columns.NumberColumn(
            min_value=0, step=1, width=104, help="Levels with fewer rows are merged; 0 merges none"
        ),
        "why": columns.TextColumn("why this is proposed", width="large"),
    }


def edit_all() -> None:
    """The same choice for every column at once."""
    table, current = session().table, work()
    if table is None:
        return
    with st.form("data.all", border=False):
        bins = st.number_input(
            "Intervals of continuous columns", 2, 50, int(DEFAULTS["bins"]), key=widget_key("data", "all", "bins")
        )
        binning = st.selectbox(
            "Intervals of", list(BINNING), format_func=BINNING.__getitem__, key=widget_key("data", "all", "binning")
        )
        missing = st.selectbox(
            "If missing", list(MISSING), format_func=MISSING.__getitem__, key=widget_key("data", "all", "missing")
        )
        rare = st.number_input("Merge levels with fewer rows than", 0, None, 0, key=widget_key("data", "all", "rare"))
        if st.form_submit_button("Apply to all columns"):
            for name in current.proposals(table):
                for argument, value in (("bins", bins), ("binning", binning), ("missing", missing), ("rare", rare)):
                    current.choose(argument, name, value)
            current.version += 1
            st.rerun()
    st.button("Forget all choices about columns", on_click=reset, key=widget_key("data", "reset"))


def reset() -> None:
    """Forget every choice about columns; the proposals count again."""
    work().forget()
