"""Behind the levels: thresholds, correlations of hidden values, and before anything runs which levels are doubtful."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.session.caches import cached
from dashboard.session.keys import begin_with, set_value, value_of, widget_key
from dashboard.session.labels import full_name, labelled
from dashboard.text import plain
from dashboard.views.ordinal.card import show_thresholds
from dashboard.views.ordinal.networks import order_of
from dashboard.views.shared.downloads import download_table, show_figure
from dashboard.views.shared.page_parts import choose_option
from dashboard.views.shared.sections import show_table
from engine.methods.ordinal.answers import read, warnings
from engine.methods.ordinal.result import SLUG
from engine.telling.ordinal.figures.tables import correlation_figure, correlation_values, largest_gap

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.methods.ordinal.result import OrdinalResult

WHICH = {"start": "Pair by pair", "fitted": "What the network implies", "difference": "Difference"}
SHARE_WORDS = {
    "start": "Polychoric: of two variables at a time, whatever the others are.",
    "fitted": "What the network with its links alone implies for every pair.",
    "difference": "What the network implies less what two variables alone show. A strong colour: the network misses "
    "something of that pair.",
}
CUT = widget_key(SLUG, "cut")
MOST = 60


def show_latent(result: OrdinalResult, data: Dataset) -> None:
    """The curve of one variable on the left, the correlations on the right."""
    section = result.section("latent")
    st.markdown(f"**{plain(section.title)}**")
    st.markdown(plain(" ".join(section.sentences)))
    left, right = st.columns([10, 11], gap="large")
    with left:
        _show_cuts(result)
    with right:
        _show_correlations(result)
    with st.expander("All thresholds, as a table"):
        show_table(result.table("Thresholds"), "all-thresholds")


def _show_cuts(result: OrdinalResult) -> None:
    st.markdown("**Where a latent value is cut**")
    ratings = [name for name in result.names if name not in result.numbers]
    if not ratings:
        st.caption("All variables are numbers: none is cut.")
        return
    begin_with(CUT, ratings[0])
    if value_of(CUT) not in ratings:
        set_value(CUT, ratings[0])
    name = st.selectbox("Variable", ratings, format_func=full_name, key=CUT, label_visibility="collapsed")
    show_thresholds(result, name, widget_key(SLUG, "cuts", result.names.index(name)))
    if result.warnings:
        st.caption(plain(" ".join(result.warnings)))


def _show_correlations(result: OrdinalResult) -> None:
    st.markdown("**Correlations of the latent values**")
    which = choose_option(
        "Correlations", WHICH, widget_key(SLUG, "which"), default="fitted", format_func=WHICH.__getitem__
    )
    order, breaks = order_of(result)
    if len(order) > MOST:
        st.caption(f"{len(order)} variables are too many to draw; the file has them all.")
        download_table(result.table("Correlations"), "correlations")
        return
    values = correlation_values(which, result.start, result.implied_correlation, order)
    reach = largest_gap(values) if which == "difference" else 1.0
    show_figure(
        correlation_figure(values, order, breaks, reach),
        f"correlations-{which}",
        alt=f"{WHICH[which]}: correlations of {len(order)} latent values.",
        key=widget_key(SLUG, "correlations", which),
        table=result.table("Correlations"),
    )
    text = SHARE_WORDS[which]
    lifted = " They did not fit together and were adjusted." if result.lifted and which == "start" else ""
    st.caption(f"{text}{lifted}")


def warnings_of(data: Dataset) -> list[str]:
    """What is doubtful about the levels of a table."""
    return warnings(read(data, "latent", strict=False))


def show_level_warnings(data: Dataset) -> None:
    """A sentence for every kind of doubtful levels."""
    for warning in cached(data, warnings_of):
        st.caption(plain(labelled(warning)))
