"""The real Evaluate page."""

from pathlib import Path

import streamlit as st

st.set_page_config(layout="wide")

page = Path(__file__).parents[3] / "dashboard" / "app_pages" / "evaluate.py"
exec(compile(page.read_text(encoding="utf-8"), str(page), "exec"))  # noqa: S102
