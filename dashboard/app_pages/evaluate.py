"""Evaluate: would a method have found the truth, had there been one?"""

from importlib import import_module

import streamlit as st

VIEWS = {
    "Try it": ("try_it", "show_try"),
    "The papers": ("papers", "show_papers"),
    "Your own truth": ("own", "show_own"),
}

st.title("Would it have found the truth?")
st.markdown(
    "A method cannot be judged on a table whose truth nobody knows. Here the truth is known: made up and drawn from, "
    "as in the papers, or brought by you."
)
view = st.segmented_control(
    "What to look at",
    list(VIEWS),
    default=next(iter(VIEWS)),
    required=True,
    key="evaluate.view",
    label_visibility="collapsed",
    persist_state="session",
)
module, function = VIEWS[view]
shown = import_module(f"dashboard.views.evaluate.{module}")  # loaded when looked at: none slows the others down
getattr(shown, function)()
