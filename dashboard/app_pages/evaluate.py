"""Evaluate: would a method have found the truth, had there been one?"""

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.views.evaluate.own import show_own
from dashboard.views.evaluate.papers import show_papers
from dashboard.views.evaluate.try_it import show_try

VIEWS = {"Try it": show_try, "The papers": show_papers, "Your own truth": show_own}

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
    key=widget_key("evaluate", "view"),
    label_visibility="collapsed",
    persist_state="session",
)
VIEWS[view]()
