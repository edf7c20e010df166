"""Prior and margin, which move the verdicts at once; and the paper's own numbers under a prior of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from dashboard.charts.group_difference import odds_display
from dashboard.forms.settings_form import live_settings
from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.shared.downloads import download_table
from engine.methods.group_difference.result import SLUG
from engine.words import count, odds, probability

if TYPE_CHECKING:
    from engine.methods.group_difference.resampling import Null
    from engine.methods.group_difference.result import GroupDifferenceResult

ABOUT = {"overall": "for all variables at once", "variable": "for each variable", "context": "for each context"}
"""What the paper's prior is about, by `p_level`."""
NEXT = (0.1, 0.3, 0.5, 0.7, 0.9)
"""Priors of another run, to choose from where this one's cannot be moved."""


def with_controls(result: GroupDifferenceResult) -> GroupDifferenceResult:
    """The result under the prior and the margin that the reader chooses here."""
    movable = result.average is not None and result.average.families is not None
    if movable:
        st.markdown(
            "**Prior**: how likely it is, before seeing the data, that nothing differs. **Margin**: a variable is "
            "called alike only where a larger difference is improbable. Both act at once."
        )
        method, _ = live_settings(result.method, (5, 5, 3), ("p_none", "margin"))
        return result.with_prior(p_none=method.p_none).with_margin(method.margin)
    if result.average is not None:
        st.markdown(
            f"Orders of {len(result.names):,} variables were drawn under a prior probability of "
            f"{result.average.posterior.p_none:g} that nothing differs. Another prior takes another run."
        )
        _rerun_controls(result.average.posterior.p_none)
    elif result.method.average == "none":
        st.markdown("The verdicts follow the paper's prior, which stands in the next drawer.")
    method, _ = live_settings(result.method, (5, 8), ("margin",))
    return result.with_margin(method.margin)


def _rerun_controls(p_none: float) -> None:
    """The prior of the next run, and the button that starts it."""
    slider, button = st.columns([5, 8], vertical_alignment="bottom", gap="large")
    wanted = slider.select_slider(
        "Prior of the next run", sorted({*NEXT, p_none}), value=p_none, key=widget_key(SLUG, "next", "p_none")
    )
    if button.button("Compare again", disabled=wanted == p_none, key=widget_key(SLUG, "again")):
        page = session().page(SLUG)
        page.settings = {**page.settings, "p_none": wanted}
        page.run = True
        st.rerun()


def with_published(result: GroupDifferenceResult) -> GroupDifferenceResult:
    """The result under the prior and the alignment that the reader chooses for the paper's own numbers."""
    if result.average is not None:
        st.markdown("No verdict rests on these odds. They hold under one order of the variables.")
    method, _ = live_settings(result.method, (5, 3, 4), ("p_same", "p_level", "alignment"))
    return result.with_prior(method.p_same, method.p_level).with_alignment(method.alignment)


def show_odds(result: GroupDifferenceResult, null: Null | None) -> None:
    """The published odds, overall and by variable; beside them what shuffled labels reach."""
    overall = result.overall_log_odds
    sentences = [*result.section("paper").sentences]
    sentences.append(
        f"They start from a prior probability of {result.method.p_same:g} for 'no difference' "
        f"{ABOUT[result.method.p_level]}."
    )
    top = result.ranking().iloc[0]
    if top["log10_odds"] > 0:
        sentences.append(
            f"The strongest is {top.name}, {odds(result.log_odds[top.name])} a difference, P(different) "
            f"{probability(top['p_different'])}."
        )
        sentences.append(f"A prior of {_prior(top['tipping_prior'])} for 'no difference' would make it even.")
    if null is not None:
        share = null.with_settings(result.method).share_overall(overall)
        sentences.append(
            f"Of {count(len(null.stacks), 'table')} with shuffled labels, this one counted too, {share:.1%} reach as "
            "much overall."
        )
    st.markdown(plain(" ".join(sentences)))
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
