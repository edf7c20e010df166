"""A Table 1 on screen: how its numbers are told, whether p is there, the table, and its files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.labels import shown_names
from dashboard.session.masking import smallest_cell
from dashboard.text import IN_COLUMN, column_width, distinct, plain
from dashboard.views.shared.downloads import download, download_table, file_name
from dashboard.views.shared.page_parts import choose_option
from engine.telling.table_one import written

if TYPE_CHECKING:
    from engine.methods.table_one import TableOne

NUMBERS = {"both": "Mean and median", "mean": "Mean (SD)", "median": "Median [quartiles]"}
"""How numbers are told -> what its button is called."""
IN_HEADING, MOST = 22, 1_100
"""Letters of a group above its column; pixels that the table is high at most."""


def show_table_one(table: TableOne, place: str, choose: Callable[[], None] | None = None) -> None:
    """The table, with how numbers are told and p on request.

    Parameters
    ----------
    table : what is shown
    place : where on which page it stands
    choose : draws what is chosen before, in the same row
    """
    with st.container(horizontal=True, vertical_alignment="center"):
        if choose is not None:
            choose()
        numbers = choose_option("Numbers", NUMBERS, widget_key(place, "numbers"), format_func=NUMBERS.__getitem__)
        about = "Corrected by Holm. Of a randomised trial they test chance alone."
        p = bool(table.labels) and st.toggle("p values", key=widget_key(place, "p"), help=about)
    choices = {"numbers": numbers, "p": p, "hide_below": smallest_cell(), "names": shown_names(IN_COLUMN)}
    frame = table.frame(**choices)
    for name in frame.columns[2 + len(table.heads()) :]:
        frame[name] = [written(value, name) for value in frame[name]]
    text = st.column_config.TextColumn
    texts = table.notes(numbers, p, smallest_cell())
    above = [texts.pop(0)] if any(one.odd for one in table.variables) else []  # what is in doubt, before it is read
    for sentence in above:
        st.caption(plain(sentence))
    st.dataframe(
        frame.set_axis(["variable", " ", *distinct(frame.columns[2:], IN_HEADING)], axis=1),
        hide_index=True,
        height=min(MOST, 38 + 35 * len(frame)),
        column_config={
            "variable": text(width=column_width(frame["variable"], 200)),
            " ": text(width=column_width(frame["level"], 160)),
            "SMD": text(width=70),
            "p": text(width=70),
        },
        alt="Table 1: every variable overall and by group",
    )
    st.caption(plain(" ".join(texts)))
    with st.container(horizontal=True):
        download_table(frame, "table-1", masked=True)
        page = partial(table.to_html, **choices)
        download(page, file_name("table-1", "html"), "text/html", "Word (HTML)", masked=True)
