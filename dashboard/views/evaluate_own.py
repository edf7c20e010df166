"""A result against a truth that the user brings."""

from __future__ import annotations

import streamlit as st


def show_own() -> None:
    """This view."""
    st.caption("A result against a truth that the user brings.")
