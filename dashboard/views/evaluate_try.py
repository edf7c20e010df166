"""Try it: draw data from a known truth, let a method look for it, and see what it found."""

from __future__ import annotations

import streamlit as st


def show_try() -> None:
    """This view."""
    st.caption("Draw data from a known truth, let a method look for it, and see what it found.")
