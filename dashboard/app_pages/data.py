"""Data: open a table, see what was made of it, correct it."""

import streamlit as st

from dashboard.session.preparing import prepare_table
from dashboard.session.session import session
from dashboard.session.work import work
from dashboard.views.data.by_path import show_card, show_opening
from dashboard.views.data.deciding import show_decisions
from dashboard.views.data.preview import show_answer, show_findings, show_parts
from dashboard.views.data.roles import show_long_table
from dashboard.views.data.source import show_openers, show_progress, show_refused, show_start, show_tools

state = session()
title, tools = st.columns([1, 7])
title.title("Data")
show_progress()
show_opening()
if state.table is None and state.dataset is not None:
    with tools:
        show_openers()
    show_refused()
    show_card()
    st.stop()
if state.table is None:
    show_start()
    st.stop()

answer = st.container(gap="xsmall")
with answer:
    prepare_table(state, work())
with tools:
    show_tools()
with answer:
    show_answer()
show_refused()
show_decisions()
show_findings()
show_long_table()
show_parts()
