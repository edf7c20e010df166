"""The papers' studies: a line each, with the way to its page of the guide."""

from __future__ import annotations

import streamlit as st

from dashboard.guide import contents
from dashboard.views.guide.page import link_page

STUDIES = ("The papers, computed again", "How often a verdict is wrong", "What of each paper is here")
"""The sections of the guide that list them."""


def show_papers() -> None:
    """What stands in the studies, and a link to each."""
    st.markdown(
        "The tables and figures of the five papers beside the printed numbers, and how often the verdicts are right on "
        "tables with a known truth."
    )
    sections = contents()
    for place, section in zip(st.columns(len(STUDIES), gap="small"), STUDIES, strict=True):
        with place.container(border=True, height="stretch", gap="xsmall"):
            st.markdown(f"**{section}**")
            for page, title in sections[section].items():
                link_page(title, page)
