"""The papers' studies: a line each, with the way to its page of the guide."""

from __future__ import annotations

import streamlit as st

from dashboard.guide import contents
from dashboard.views.guide.page import link_page

STUDIES = "Studies"
"""The section of the guide that lists them."""


def show_papers() -> None:
    """What stands in the studies, and a link to each."""
    st.markdown(
        "The tables and figures of the five papers, computed again beside the printed numbers, and how often the "
        "verdicts are right on tables with a known truth."
    )
    for page, title in contents()[STUDIES].items():
        link_page(title, page)
