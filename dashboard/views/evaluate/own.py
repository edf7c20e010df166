"""Your own truth: a result against what the user knows to be true."""

from __future__ import annotations

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.views.evaluate.own_labels import show_labels
from dashboard.views.evaluate.own_networks import show_networks

PAGE = "evaluate.own"
LABELS, NETWORKS = "A table with known labels", "A true network and one found"


def show_own() -> None:
    """Choose what is known, bring it, and see how near the result is."""
    kind = st.segmented_control(
        "What you know",
        [LABELS, NETWORKS],
        default=LABELS,
        required=True,
        key=widget_key(PAGE, "kind"),
        label_visibility="collapsed",
        persist_state="session",
    )
    if kind == LABELS:
        show_labels()
    else:
        show_networks()
