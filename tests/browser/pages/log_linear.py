"""The real associations page over a table with hostile names, a level never seen and a constant column."""

from pathlib import Path

import streamlit as st

import engine
from dashboard.session.session import session
from dashboard.session.work import work
from tests.engine.make import two_groups

st.set_page_config(layout="wide")

NAMES = ["![p](http://evil.example/p.png)", "<b>age</b>", "href_code", "</script><i>", "plain", "=cmd()", "same"]

state = session()
if state.dataset is None:
    table = two_groups(400, 6, 9, seed=3, changed=True).to_frame().iloc[:, :6].astype(object)
    table.columns = NAMES[:6]
    table["same"] = "always"
    levels = {"plain": [*sorted(table["plain"].dropna().unique()), ":red[never]"]}
    work().chosen["levels"] = levels
    state.table, state.source = table, "**hostile**.csv"
    state.dataset = engine.Dataset.from_frame(table, levels=levels, kinds={"same": "nominal"})
    state.begin("log_linear", {}, run="wait" not in st.query_params)

page = Path(__file__).parents[3] / "dashboard" / "app_pages" / "log_linear.py"
exec(compile(page.read_text(encoding="utf-8"), str(page), "exec"))  # noqa: S102
