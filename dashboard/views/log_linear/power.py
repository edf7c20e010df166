"""Before anything runs: how weak a link the table could show at all; and the levels of its variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.caches import cached
from dashboard.session.labels import with_brief_names
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.shared.downloads import show_with_file
from engine.methods.frames import in_points
from engine.methods.log_linear.pair_screening import rules_of
from engine.methods.log_linear.power import level_table
from engine.methods.log_linear.result import SLUG
from engine.telling.log_linear.power import odd_levels, rule_sentences, together, trust

if TYPE_CHECKING:
    from engine.data.dataset import Dataset


def show_power(data: Dataset) -> None:
    """What to put right first, how far an answer could be trusted, and how strong a link must be."""
    for rule in rule_sentences(cached(data, rules_of)):
        st.warning(plain(rule), icon=":material/content_copy:")
    settings = {"criterion": "mml", "joint": True, "alpha": 0.05, **session().page(SLUG).settings}
    if note := cached(data, together):
        st.caption(plain(with_brief_names(note, data.names)))
    text = cached(data, trust, str(settings["criterion"]), float(settings["alpha"]), joint=bool(settings["joint"]))
    if text:
        st.caption(plain(with_brief_names(text, data.names)))


def show_levels(data: Dataset) -> None:
    """Levels by variable, with what is odd about them."""
    table = cached(data, level_table)
    for sentence in odd_levels(table):
        st.caption(plain(sentence))
    show_with_file(
        in_points(table, ["most frequent"]),
        "levels",
        most=420,
        column_config={
            "most frequent": st.column_config.ProgressColumn(format="%.0f\u00a0%%", min_value=0, max_value=100)
        },
    )
