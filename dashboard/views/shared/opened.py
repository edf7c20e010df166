"""A card opened on its method's page: the answer as it was computed, whatever table is open now."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.shared.sections import show_sections
from engine.words import count

if TYPE_CHECKING:
    from dashboard.pages import MethodPage
    from dashboard.session.cards import Card
    from engine import Dataset


def opened_card(page: MethodPage) -> Card | None:
    """The card that this page shows in place of what the open table is asked; None where it shows none."""
    state = session().page(page.slug)
    card = session().cards.numbered(state.opened)
    if card is None:
        state.opened = None
    return card


def stop_at_card(page: MethodPage, show: Callable[[Any, Dataset], None]) -> None:
    """Where the page shows a card, that is drawn, and the page ends there."""
    card = opened_card(page)
    if card is not None:
        _show_opened(page, card, show)
        st.stop()


def _show_opened(page: MethodPage, card: Card, show: Callable[[Any, Dataset], None]) -> None:
    """The answer, below a line that says which it is and the way back."""
    st.title(page.method.question)
    with st.container(border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f":material/inventory_2: **{plain(card.name())}**: {where_from(card)}")
        with st.container(horizontal=True, width="content"):
            st.page_link("app_pages/results.py", label="All results", icon=":material/dashboard:")
            if st.button("Ask the open table", key=widget_key(page.slug, "back"), icon=":material/arrow_back:"):
                session().page(page.slug).opened = None
                st.rerun()
    if card.note:
        st.info(plain(card.note), icon=":material/edit_note:")
    if card.data is None:
        show_sections(card.result, None)
    else:
        show(card.result, card.data)


def where_from(card: Card) -> str:
    """When it was made, and on which rows of which table, as Markdown."""
    provenance = card.result.made
    rows = (
        f"{provenance.rows_used:,} of {provenance.rows_given:,} rows"
        if provenance.rows_used < provenance.rows_given
        else ""
    )
    part = f", {plain(card.group)}" if card.group else ""
    return f"{at(card.created)}, *{plain(card.source)}*{part}, {rows or count(provenance.rows_used, 'row')}"


def at(instant: datetime) -> str:
    """A moment as the reader's clock has it."""
    zone = st.context.timezone
    try:
        there = instant.astimezone(ZoneInfo(zone)) if zone else instant.astimezone()
    except (KeyError, ValueError, OSError, OverflowError):  # an unknown zone; a date at the end of all calendars
        there = instant
    return f"{there.day} {there:%b %Y, %H:%M}"
