"""The real group differences page over a table with hostile names, ready to run."""

from pathlib import Path

import streamlit as st

import engine
from dashboard.session.session import session
from tests.engine.make import two_groups

st.set_page_config(layout="wide")

HOSTILE = ["![p](http://evil.example/p.png)", "<b>age</b>", "href_code", "</script><i>", "plain", "=cmd()"]

state = session()
if state.dataset is None:
    data = two_groups(400, 6, 9, seed=3, changed=True)
    levels = [*[data.levels[name] for name in data.names[:-1]], ["<img src=x>", ":red[b]"]]
    state.dataset = engine.Dataset.from_codes(data.codes, levels, [*HOSTILE, "group"])
    state.source = "**hostile**.csv"
    state.begin("group_difference", {"group": "group"})

page = Path(__file__).parents[3] / "dashboard" / "app_pages" / "group_difference.py"
exec(compile(page.read_text(encoding="utf-8"), str(page), "exec"))  # noqa: S102
