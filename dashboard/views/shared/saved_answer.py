"""Answers that are shown as they were computed: a card on the page of its method, and a file that holds one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.labels import show_names_of
from dashboard.session.masking import rows_shown, smallest_cell
from dashboard.session.session import session
from dashboard.text import plain
from dashboard.views.shared.foot import end_page
from dashboard.views.shared.page_parts import file_given, refused_words
from dashboard.views.shared.sections import show_sections
from engine import DataError, Project
from engine.project.file import load

if TYPE_CHECKING:
    from dashboard.pages import MethodPage
    from dashboard.session.cards import Card
    from engine import Dataset
    from engine.methods.result import Result


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
        end_page()


def _show_opened(page: MethodPage, card: Card, show: Callable[[Any, Dataset], None]) -> None:
    """The answer, below a line that says which it is and the way back."""
    show_names_of([card])
    with st.container(border=True, horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.markdown(f":material/inventory_2: **{plain(card.name())}**: {where_from(card)}")
        with st.container(horizontal=True, width="content"):
            st.page_link("app_pages/results.py", label="All results", icon=":material/dashboard:")
            if st.button("Ask the open table", key=widget_key(page.slug, "back"), icon=":material/arrow_back:"):
                session().page(page.slug).opened = None
                st.rerun()
    if card.note:
        st.info(plain(card.note), icon=":material/edit_note:")
    if card.data is None or smallest_cell():
        show_sections(card.result, card.data)
    else:
        show(card.result, card.data)


def where_from(card: Card) -> str:
    """When it was made, and on which rows of which table, as Markdown."""
    rows = rows_shown(card.result.made.rows_used, card.result.made.rows_given)
    part = f", {plain(card.group)}" if card.group else ""
    return f"{at(card.created)}, *{plain(card.source)}*{part}, {rows}"


def at(instant: datetime) -> str:
    """A moment as the reader's clock has it."""
    zone = st.context.timezone
    try:
        there = instant.astimezone(ZoneInfo(zone)) if zone else instant.astimezone()
    except (KeyError, ValueError, OSError, OverflowError):  # an unknown zone; a date at the end of all calendars
        there = instant
    return f"{there.day} {there:%b %Y, %H:%M}"


MOST_MEGABYTES = 200


def saved_answer(page: MethodPage, data: Dataset) -> Result | None:
    """Where a file of ours is dropped, and the answer in it; None without one, or while one does not fit."""
    with st.expander("Open a saved result"):
        given = file_given(
            "A file that *Export* made for Diptych",
            key=widget_key(page.slug, "saved"),
            max_upload_size=MOST_MEGABYTES,
            help="It is shown as it was computed then, for as long as it stays here. Nothing is computed again.",
        )
        if given is None:
            return None
        try:
            with session().job_queue.counted():
                result = load(given.getvalue())
        except DataError as error:
            st.error(plain(refused_words(error, given.name)), icon=":material/error:")
            return None
        refused = _refusal(page, data, result)
        if refused or isinstance(result, Project):
            st.error(refused, icon=":material/error:")
            return None
    return result


def _refusal(page: MethodPage, data: Dataset, result: Result | Project) -> str:
    if isinstance(result, Project):
        return "This file holds a whole project; open it on the page *Results*."
    if result.slug != page.slug:
        return "This is the answer of another method; open it on that method's page."
    if not data.is_of(result.fingerprint):
        return "This answer was made from another table, or from this one prepared differently; open that table first."
    return ""


def show_saved(result: Result, data: Dataset, show: Callable[[Any, Dataset], None]) -> None:
    """The answer, below a line that it was not computed here, and with what it was."""
    provenance = result.made
    versions = ", ".join(
        f"{name} {number}" for name, number in provenance.versions.items() if name in ("diptych", "numpy")
    )
    rows = rows_shown(provenance.rows_used, provenance.rows_given)
    st.info(
        f"A saved result ({plain(versions)}; {rows}). Take the file away on the left to ask anew.",
        icon=":material/inventory_2:",
    )
    show(result, data)
