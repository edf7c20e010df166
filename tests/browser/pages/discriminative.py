"""The real page of class networks over series with hostile names."""

from pathlib import Path

import streamlit as st

from dashboard.session.session import session
from tests.engine.methods.discriminative.make import dataset, series_frame

st.set_page_config(layout="wide")

NAMES = {"v0": "![p](http://evil.example/p.png)", "v1": "<b>age</b>", "v2": "</script><i>", "v3": "=cmd()"}

state = session()
if state.dataset is None:
    table = series_frame(subjects=14).rename(columns=NAMES)
    table["who"] = table["who"].replace({"s03": "<img src=http://evil.example/s.png>"})
    table["class"] = table["class"].replace({"ill": ":red[ill]"})
    state.table, state.source = table, "**hostile**.csv"
    state.dataset = dataset(table)
    state.begin("discriminative", {"shuffles": 19})

page = Path(__file__).parents[3] / "dashboard" / "app_pages" / "discriminative.py"
exec(compile(page.read_text(encoding="utf-8"), str(page), "exec"))  # noqa: S102
