"""A switch for showing the page to a room: larger type, no sidebar, one picture at a time."""

from __future__ import annotations

import streamlit as st

from dashboard.network.component import projector_bar
from dashboard.session.keys import set_value, value_of, widget_key
from dashboard.styles import PROJECTOR, sheet

SWITCH = widget_key("projector", "on")


def projector() -> None:
    """The switch at the foot of the sidebar; while it is on, a bar at the foot of the page that steps and leaves."""
    with st.sidebar:
        st.toggle(
            "Projector",
            key=SWITCH,
            help="For a room: larger type and one picture at a time. The arrow keys step, Escape leaves.",
        )
    if projected():
        st.html(sheet(PROJECTOR))
        projector_bar()(key=widget_key("projector", "bar"), on_leave_change=_leave)


def projected() -> bool:
    """Whether the page is being shown to a room."""
    return bool(value_of(SWITCH))


def _leave() -> None:
    set_value(SWITCH, False)
