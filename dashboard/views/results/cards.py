"""Every answer as a card: what was asked, what came out, when and on what; named, noted, starred, deleted."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dashboard.pages import COMPARE, address, method_page
from dashboard.session.arrival import if_here
from dashboard.session.cards import Card
from dashboard.session.keys import drop_values, widget_key
from dashboard.session.labels import labelled, labelled_doubt, labelled_headline, labelled_of
from dashboard.session.masking import smallest_cell
from dashboard.session.session import session
from dashboard.text import plain, short, unbroken
from dashboard.views.results.report import cards_in_report
from dashboard.views.shared.by_group import compare
from dashboard.views.shared.card_names import distinct_question, settings_words
from dashboard.views.shared.page_parts import in_rows
from dashboard.views.shared.saved_answer import where_from
from engine.data.table_rows import identifier_of
from engine.methods.links_result import reconcile_results
from engine.words import duration

ACROSS = 3
ONE_GROUP = "One group alone. Which links differ between groups is told by *Compare*, not by two such results."


def show_cards() -> None:
    """All cards, the latest first."""
    show_undo()
    cards, chosen = sorted(session().cards, key=lambda item: item.number, reverse=True), cards_in_report(session())
    joins = plain(labelled(reconcile_results(card.result for card in cards)))
    st.caption(" ".join(filter(None, [in_report_words(len(chosen)), joins])))
    for row in in_rows(cards, ACROSS):
        for place, card in zip(st.columns(ACROSS), row, strict=False):
            with place, st.container(border=True, height="stretch", vertical_alignment="distribute", gap="small"):
                _card(card, card in chosen, card not in chosen or len(chosen) > 1)


def in_report_words(chosen: int) -> str:
    """How many results the report has, and how that is changed."""
    return f"The report has the results with a \u2605, {chosen} of {len(session().cards)}. Press a star to change that."


def show_undo() -> None:
    """The card that was deleted last, while it can be had back."""
    deleted = session().cards.deleted
    if deleted is None:
        return
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"Deleted: *{plain(deleted.name())}*")
        st.button(
            "Undo",
            icon=":material/undo:",
            key=widget_key("results", "undo"),
            on_click=partial(if_here, session().cards.undo),
        )
        st.button(
            "Close",
            icon=":material/close:",
            key=widget_key("results", "for_good"),
            on_click=partial(if_here, session().cards.for_good),
            help="It is gone for good then.",
        )


def _card(card: Card, in_report: bool, may_change: bool) -> None:
    page = method_page(card.slug)
    with st.container(gap="xsmall"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=_key(card, "head")):
            _star(card, in_report, may_change)
            title = labelled_of(card, distinct_question(card, session().cards))
            st.markdown(f":small[{page.icon} {plain(page.title)}{plain(_whose(card))}]  \n{plain(title)}")
        st.markdown(f"**{unbroken(plain(labelled_headline(card)))}**")
        if sure := labelled_doubt(card):
            st.markdown(f":small[{plain(sure)}]")
        if card.group:
            st.markdown(f":small[{ONE_GROUP}]")
        st.caption(f"{where_from(card)}{_took(card)}", help=plain(settings_words(card)))
        if card.note:
            st.markdown(f":small[:material/edit_note: {plain(card.note)}]")
    with st.container(horizontal=True, gap="small"):
        if st.button("Open", key=_key(card, "open")):
            drop_values(card.slug)
            session().show(card)
            st.switch_page(address(page))
        if card.slug != COMPARE.slug and st.button("Compare", key=_key(card, "compare")):
            compare(card)
            st.switch_page(address(COMPARE))
        with st.popover(":material/edit:", key=_key(card, "edit"), help="Name, note, delete", type="tertiary"):
            _edit(card)


def _whose(card: Card) -> str:
    """', P10001', as the open table calls the patient whom a result is about, which goes into no file."""
    data, row = session().dataset, getattr(card.result, "table_row", None)
    if data is None or row is None or card.title or smallest_cell() or not data.is_of(card.result.fingerprint):
        return ""
    name = identifier_of(data, session().table, row)
    return f", {short(name, 24)}" if name and card.result.short_title() != f"Row {name}" else ""


def _star(card: Card, in_report: bool, may_change: bool) -> None:
    st.button(
        "\u2605" if in_report else "\u2606",
        key=_key(card, "star"),
        type="tertiary",
        help="In the report: press to leave it out" if in_report else "Not in the report: press to put it in",
        disabled=not may_change,
        on_click=partial(if_here, session().cards.put_in_report, card, not in_report),
    )


def _edit(card: Card) -> None:
    name = st.text_input("Name", card.title, max_chars=120, key=_key(card, "name"), placeholder=card.name())
    note = st.text_area("Note", card.note, max_chars=4000, key=_key(card, "note"))
    if st.button("Keep", type="primary", key=_key(card, "keep")):
        session().cards.change(card, title=name.strip(), note=note.strip())
        st.rerun()
    st.button(
        "Delete the result",
        icon=":material/delete:",
        key=_key(card, "delete"),
        on_click=partial(if_here, session().cards.delete, card),
    )


def _took(card: Card) -> str:
    return "" if card.seconds is None or card.seconds < 1 else f", computed in {duration(card.seconds)}"


def _key(card: Card, button: str) -> str:
    return widget_key("results", button, card.number)
