"""The bar that steps from picture to picture while a page is shown to a room."""

from __future__ import annotations

from functools import cache
from typing import Any

import streamlit as st

from dashboard.network.panel import ASSETS


@cache
def projector_bar() -> Any:
    """The bar; its script is loaded from this server, like that of the networks."""
    script = """
export default async (component) => {
  const address = new URL("/diptych/projector.js", window.location.origin).href;
  return (await import(address)).mount(component);
};
"""
    return st.components.v2.component(
        "diptych_projector", css=(ASSETS / "projector.css").read_text(encoding="utf-8"), js=script
    )
