"""The real Evaluate page over made-up runs of the studies."""

import sys
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).parents[3]))

from dashboard.views.evaluate import papers as evaluate_papers
from tests.dashboard.app_pages.stored_runs import made_up

st.set_page_config(layout="wide")
evaluate_papers.load = st.cache_resource(made_up)

page = Path(__file__).parents[3] / "dashboard" / "app_pages" / "evaluate.py"
exec(compile(page.read_text(encoding="utf-8"), str(page), "exec"))  # noqa: S102
