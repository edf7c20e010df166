"""Asking before a page is left whose results are not saved; and drawing it anew when the server was started again."""

from __future__ import annotations

from functools import cache
from typing import Any

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.session import session


def guard_unsaved() -> None:
    """The browser asks its reader before it closes or loads the page anew, as long as something is unsaved."""
    _component()(
        key=widget_key("session", "leaving"),
        data={"unsaved": session().cards.unsaved},
        height=1,
        on_restarted_change=_nothing,
    )


def _nothing() -> None:
    """What the browser notices needs no answer but the page drawn anew, which says it."""


@cache
def _component() -> Any:
    """It shows nothing; its script is loaded from this server."""
    script = """
export default async (component) => {
  const address = new URL("/diptych/leaving.js", window.location.origin).href;
  (await import(address)).mount(component);
};
"""
    return st.components.v2.component("diptych_leaving", js=script)
