"""The papers' tables beside ours."""

from __future__ import annotations

import streamlit as st


def show_papers() -> None:
    """This view."""
    st.caption("The papers' tables beside ours.")
