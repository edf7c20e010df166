"""The tabs of the data page; of a wide table only the one that is looked at is drawn."""

from __future__ import annotations

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.session.work import work
from dashboard.views.data.columns_table import show_columns
from dashboard.views.data.new_columns import edit_new_columns
from dashboard.views.data.preview import show_dictionary, show_report
from dashboard.views.data.roles import show_roles
from dashboard.views.data.rows import show_rows

PARTS = {
    "Columns": show_columns,
    "Rows": show_rows,
    "New columns": edit_new_columns,
    "Roles": show_roles,
    "Import report": show_report,
    "Data dictionary": show_dictionary,
}
WIDE = 200
"""Columns from which on a tab that nobody looks at would cost more than the moment that opening it then takes."""


def show_parts() -> None:
    """Every tab with what is in it."""
    table = session().table
    wide = table is not None and table.shape[1] > WIDE
    if wide:
        tabs = st.tabs(list(PARTS), key=widget_key("data", "parts", id(work())), on_change="rerun")
    else:
        tabs = st.tabs(list(PARTS))
    for tab, show in zip(tabs, PARTS.values(), strict=True):
        if not wide or tab.open:
            with tab:
                show()
