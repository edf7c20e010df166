"""What a page says while there is no table to work on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.session import session
from dashboard.session.work import undecided
from engine.data import Limits
from engine.words import count

if TYPE_CHECKING:
    from engine import Dataset


def table_or_stop() -> Dataset:
    """The session's data set; without one a sentence, the way to the data page, and the end of this run."""
    data = session().dataset
    if data is None:
        st.info("There is no table yet. Choose a sample or upload your own on the data page.")
        to_data_page()
        st.stop()
    return data


def how_large() -> str:
    """How large a table may be, as a part of a sentence."""
    return f"up to 200 MB, {Limits().told()}"


def to_decide() -> None:
    """The link to what the reader of the table has not decided yet; nothing where all is."""
    left = undecided()
    if left:
        words = f"{count(left, 'thing')} to decide about this table, which may change what is found"
        st.page_link("app_pages/data.py", label=words, icon=":material/help:")


def to_data_page() -> None:
    """The link to where a table is chosen and prepared."""
    st.page_link("app_pages/data.py", label="To the data page", icon=":material/table_chart:")
