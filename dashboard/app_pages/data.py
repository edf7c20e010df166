"""Data: open a table, see what was made of it, correct it."""

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.session.work import work
from dashboard.views.data.choices import prepare_table
from dashboard.views.data.editor import edit_all, edit_columns
from dashboard.views.data.long_table import show_long_table
from dashboard.views.data.preview import show_answer, show_dictionary, show_findings, show_report, show_rows
from dashboard.views.data.samples import choose_sample
from dashboard.views.data.source import show_promise, show_reading, show_refused, upload
from dashboard.views.data.variable import show_variable

state = session()
title, tools = st.columns([1, 3])
title.title("Data")
if state.table is not None:
    tools.space("small")  # below Streamlit's own header, which would cover the buttons
    with tools, st.container(horizontal=True, horizontal_alignment="right"):
        # A key that goes with the table closes the list once another table is open.
        with st.popover(
            "Open another table", icon=":material/folder_open:", key=widget_key("data", "open", id(work()))
        ):
            upload()
            choose_sample()
        with st.popover("How it was read", icon=":material/tune:", key=widget_key("data", "read", id(work()))):
            show_reading()
        with st.popover("All columns at once", icon=":material/view_column:"):
            edit_all()

if state.table is None:
    left, right = st.columns(2, gap="large")
    with left:
        upload()
        show_refused()
        show_promise()
    with right, st.container(border=True):
        choose_sample()
    st.stop()

answer = st.container(gap="xsmall")
show_refused()
findings = st.container()
long_table = st.container()
with findings:
    prepare_table(state, work())

columns, rows, report, dictionary = st.tabs(["Columns", "First rows", "Import report", "Data dictionary"])
with columns:
    table, variable = st.columns([3, 2], gap="medium")
    with table:
        edit_columns()
with variable:
    show_variable()
with rows:
    show_rows()
with report:
    show_report()
with dictionary:
    show_dictionary()
with answer:
    show_answer()
with findings:
    show_findings()
with long_table:
    show_long_table()
