"""Data: open a table, see what was made of it, correct it."""

import streamlit as st

from dashboard.session.preparing import prepare_table
from dashboard.session.session import session
from dashboard.session.work import PAGE, work
from dashboard.views.data.by_path import show_card, show_opening
from dashboard.views.data.deciding import show_decisions
from dashboard.views.data.preview import show_answer, show_findings, show_parts
from dashboard.views.data.roles import show_long_table
from dashboard.views.data.source import show_openers, show_progress, show_refused, show_start, show_tools
from dashboard.views.shared.foot import end_page
from dashboard.views.shared.page_parts import page_head

state = session()
head = st.container()
show_progress()
show_opening()
if not state.has_table:
    head.title("Data")
    show_start()
    end_page()

with head, page_head(PAGE, "Data", state.source):
    tools = st.container(horizontal=True, gap="xsmall", width="content")
if state.table is None:
    with tools:
        show_openers()
    show_refused()
    show_card()
    end_page()
answer = st.container(gap="small")
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
