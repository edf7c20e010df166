"""A Table 1 on screen: how its numbers are told, whether p is there, the table, and its files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.labels import shown_names
from dashboard.session.masking import smallest_cell
from dashboard.text import plain
from dashboard.views.shared.downloads import download, download_table, file_name
from dashboard.views.shared.page_parts import choose_option
from engine.telling.table_one import leading_notes, markup, written

if TYPE_CHECKING:
    from engine.methods.table_one import TableOne

NUMBERS = {"both": "Mean and median", "mean": "Mean (SD)", "median": "Median [quartiles]"}
"""How numbers are told -> what its button is called."""
LONG, MOST = 250, 1_100
"""Rows of a table that scrolls by itself, and the pixels that it is high."""


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
    choices = {
        "numbers": numbers,
        "p": p,
        "hide_below": smallest_cell(),
        "names": {name: f"{label} ({name})" for name, label in shown_names(200).items()},
    }
    frame = table.frame(**choices)
    for name in frame.columns[2 + len(table.heads()) :]:
        frame[name] = [written(value, name) for value in frame[name]]
    texts = table.notes(numbers, p, smallest_cell())
    leading = leading_notes(table, smallest_cell())
    st.caption(plain(" ".join(texts[:leading])))
    with st.container(height=MOST if len(frame) > LONG else "content", border=False):  # a browser wraps its labels
        about = "role='region' aria-label='Table 1: every variable overall and by group' tabindex='0'"
        st.html(f"<div {about} style='overflow-x:auto;font-size:14px'>{markup(frame, 'var(--page-line)')}</div>")
    st.caption(plain(" ".join(texts[leading:])))
    with st.container(horizontal=True):
        download_table(frame, "table-1", masked=True)
        page = partial(table.to_html, **choices)
        download(page, file_name("table-1", "html"), "text/html", "Word (HTML)", masked=True)
