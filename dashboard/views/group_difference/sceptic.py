"""How sceptical? The prior, the margin, the published odds under both alignments: what a reader may move."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.charts.differences import odds_display
from dashboard.forms.live import live_key, live_settings
from dashboard.session.keys import set_value, value_of, widget_key
from dashboard.text import plain
from dashboard.views.shared.downloads import download_table
from engine.methods.group_difference.result import SLUG
from engine.words import count, odds, probability

if TYPE_CHECKING:
    from engine.methods.group_difference.resampling import Null
    from engine.methods.group_difference.result import GroupDifferenceResult

ABOUT = {"overall": "for all variables at once", "variable": "for each variable", "context": "for each context"}
"""What the prior is about, by `p_level`."""
STOPS = {"Open": 0.5, "Usual": 0.9, "Strict": 0.99}
"""Prior probability of no difference, of each variable, by how sceptical a reader is."""


def with_controls(result: GroupDifferenceResult) -> GroupDifferenceResult:
    """The result under what the reader chooses here."""
    st.markdown(
        "What is said above rests on shuffled labels and Bayes factors, which no prior moves; the margin decides what "
        "counts as alike. The published odds below start from a prior probability of *no difference* that you choose."
    )
    key = widget_key(SLUG, "sceptic")
    st.segmented_control("Prior for 'no difference'", list(STOPS), key=key, on_change=_take, args=(key,))
    method, _ = live_settings(result.method, (5, 3, 4, 5))
    return result.with_prior(method.p_same, method.p_level).with_alignment(method.alignment).with_margin(method.margin)


def _take(key: str) -> None:
    """A named stop moves the slider below it."""
    chosen = value_of(key)
    if chosen is not None:
        set_value(live_key(SLUG, "p_same"), STOPS[chosen])


def show_odds(result: GroupDifferenceResult, null: Null | None) -> None:
    """The published odds, overall and by variable; beside them what shuffled labels reach."""
    overall = result.overall_log_odds
    about = ABOUT[result.method.p_level]
    said = (
        f"Published odds that the groups differ anywhere (equation 11): {odds(overall)}, with a prior probability of "
    )
    said += f"{result.method.p_same:g} for 'no difference' {about}"
    top = result.ranking().iloc[0]
    if top["log10_odds"] > 0:
        said += (
            f". The strongest is {top.name}, P(different) {probability(top['p_different'])}; it would take a prior of "
        )
        said += f"{_prior(top['tipping_prior'])} for 'no difference' to make it even"
    if null is not None:
        share = null.with_settings(result.method).share_overall(overall)
        said += (
            f". Of {count(len(null.stacks), 'table')} with shuffled labels, this one counted too, {share:.1%} reach "
        )
        said += "as much overall"
    st.markdown(plain(said + "."))
    table = result.ranking()
    if null is not None:
        shuffled = null.with_settings(result.method).table(result.log_odds)
        table = table.join(shuffled["share_as_high"].rename("share as high when shuffled"))
    display = odds_display(table)
    number = st.column_config.NumberColumn
    signed = ("log10 odds", "prior", "published", "common parents", "without parents")
    formats = {name: number(format="%+.2f") for name in signed}
    formats |= {
        name: number(format="%.3g") for name in ("P(different)", "tipping prior", "share as high when shuffled")
    }
    st.dataframe(display, hide_index=True, column_config=formats, key=widget_key(SLUG, "odds"))
    download_table(display, "published-odds")


def _prior(tipping: float) -> str:
    return f"{tipping:.3g}" if tipping < 0.999 else "more than 0.999"
