"""Evaluate: would a method have found the truth, had there been one?"""

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.views.evaluate.own_labels import show_labels
from dashboard.views.evaluate.own_networks import show_networks
from dashboard.views.evaluate.papers import show_papers
from dashboard.views.evaluate.try_it import show_try
from dashboard.views.shared.downloads import picture_menu
from dashboard.views.shared.page_parts import choose_option, page_head

KNOWN = {"A score with known labels": show_labels, "A found network with one you know": show_networks}
"""What a user may know to be true -> the view that holds a result to it."""


def show_own() -> None:
    """Choose what is known, bring it, and see how near the result is."""
    KNOWN[choose_option("What you know", KNOWN, widget_key("evaluate.own", "kind"), persist_state="session")]()


VIEWS = {"Try it": show_try, "The papers": show_papers, "Your own truth": show_own}

with page_head("evaluate", "Evaluate", "where the truth is known"):
    menu = st.container(width="content")
view = VIEWS[choose_option("What to look at", VIEWS, widget_key("evaluate", "view"), persist_state="session")]
if view is not show_try:  # which begins with what came out
    own, papers = (
        "Compare what was found with what you know to be true",
        "Five papers: one main claim is reproduced, four in part",
    )
    st.title(own if view is show_own else papers)
view()
with menu:
    picture_menu()
