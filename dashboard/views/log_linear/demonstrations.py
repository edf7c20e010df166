"""Three small experiments on how the method thinks; each runs the engine on a table made on the spot."""

from __future__ import annotations

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.views.log_linear.graph import Pair
from engine.methods.log_linear import demonstrations
from engine.methods.log_linear.result import SLUG
from engine.methods.log_linear.what_if import WhatIf
from engine.words import count, in_percent, with_sign

TOSSES = 100
COPIES = 8


def show_lessons() -> None:
    """The coin, the exclusive-or, and the level that never occurs."""
    with st.expander("Three small experiments on made-up tables"):
        toss_column, blind, phantom = st.columns(3, gap="large")
        with toss_column:
            _show_tosses()
        with blind:
            _show_blind_spot()
        with phantom:
            _show_phantom()


def _show_tosses() -> None:
    st.markdown("**The coin: why counting exactly is shorter**")
    heads = int(st.slider(f"Heads in {TOSSES} tosses", 0, TOSSES, 60, key=widget_key(SLUG, "heads")))
    tosses = demonstrations.coin(heads, TOSSES)
    st.markdown(
        f"Sent one by one with the probability {in_percent(tosses.share)}, the tosses take **{tosses.by_share:.1f} "
        "bits**. Yet who "
        f"knows that there are exactly {heads} heads need only say in which order they came: **{tosses.exact:.1f} "
        "bits**. The message that states a model also states its counts, so the second way is the one used here. "
        "(Equations 9 and 10 of the paper: 97.1 and 93.5 for 60 heads.)"
    )


@st.cache_data(show_spinner=False, max_entries=8)
def blind_spot(copies: int) -> tuple[int, list[Pair], list[Pair]]:
    """See the engine's; learned once for each place of the slider."""
    return demonstrations.blind_spot(copies)


@st.cache_data(show_spinner=False, max_entries=8)
def phantom_price(copies: int, extra: int) -> tuple[int, WhatIf]:
    """See the engine's; learned once for each place of the slider."""
    return demonstrations.phantom_price(copies, extra)


def _show_blind_spot() -> None:
    st.markdown("**The blind spot: a lamp with two switches**")
    copies = int(st.slider("Rows, in units of 32", 1, 20, 10, key=widget_key(SLUG, "copies")))
    rows, single, both = blind_spot(copies)
    st.markdown(
        f"A lamp is on when just one of two switches is up; the switches mostly stand alike ({rows} rows, two coins "
        "beside). The lamp goes along with neither switch alone, so a search that takes **one link at a time "
        f"finds {_links(single)}**. Taking **two links at once it finds {_links(both)}**. That is the choice *Also two "
        "links at once* on the left."
    )


def _links(result: list[tuple[str, str]]) -> str:
    if not result:
        return "nothing"
    pairs = "; ".join(f"{a} - {b}" for a, b in result)
    return f"{count(len(result), 'link')}: {pairs}"


def _show_phantom() -> None:
    st.markdown("**The phantom: a level that never occurs**")
    extra = int(st.slider("Levels declared but never seen", 0, 4, 1, key=widget_key(SLUG, "phantom")))
    rows, plain_price = phantom_price(COPIES, 0)
    _, price = phantom_price(COPIES, extra)
    st.markdown(
        f"Two variables of three levels are associated in {rows} rows; the link saves "
        f"**{plain_price.saving_bits:,.1f} bits**. Declare {count(extra, 'more level')} in each, "
        f"say 'missing', and the same rows give **{with_sign(price.saving_bits, 1)} bits**: the link must now pay for "
        f"{price.degrees:.0f} numbers in place of {plain_price.degrees:.0f}"
        f"{', so it would not be taken' if price.saving_bits <= 0 else ''}. Take out levels that cannot occur on the "
        "data page."
    )
