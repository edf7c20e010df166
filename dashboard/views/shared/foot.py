"""The foot of the sidebar: the answers so far, how long all this is kept, and how it is gone at once."""

from __future__ import annotations

from typing import NoReturn

import streamlit as st

from dashboard.network.component import leaving_guard, nothing
from dashboard.pages import address, method_page
from dashboard.server.log import log_action, subject_of
from dashboard.server.memory import memory
from dashboard.session.arrival import sign_out, this_browser
from dashboard.session.cards import Card
from dashboard.session.keys import drop_all_values, widget_key
from dashboard.session.labels import SWITCH, has_labels, labelled_headline
from dashboard.session.private_parts import this_tab
from dashboard.session.projects import forget_last
from dashboard.session.session import session
from dashboard.text import distinct, place_of_rows, plain
from dashboard.views.shared.card_names import distinct_name

MOST_CARDS = 5
FOOT = "session_foot"


def show_foot() -> None:
    """The answers so far, and what becomes of them."""
    with st.sidebar, st.container(key=FOOT, gap="xsmall"):
        if has_labels():
            st.toggle("Labels in place of names", True, key=SWITCH, persist_state="session")
        _answers()
        _show_retention()
        guard_unsaved()


def end_page() -> NoReturn:
    """End this run of a page before its last line, with the foot of the sidebar."""
    show_foot()
    st.stop()


def _answers() -> None:
    cards = list(session().cards)
    if not cards:
        return
    st.markdown("**Results so far**")
    recent = sorted(cards, key=lambda card: card.number, reverse=True)[:MOST_CARDS]
    for card, name in zip(recent, distinct([_card_words(item) for item in recent], 30), strict=True):
        _answer(card, name)
    st.page_link("app_pages/results.py", label="All results", icon=":material/dashboard:")


def _card_words(card: Card) -> str:
    """What sets a card apart, first since the line is short; its icon says the method."""
    return f"{distinct_name(card, session().cards)}, {card.source}"


def _answer(card: Card, name: str) -> None:
    if st.button(
        plain(name),
        icon=method_page(card.slug).icon,
        type="tertiary",
        key=widget_key(FOOT, "card", card.number),
        help=plain(labelled_headline(card)),
    ):
        session().show(card)
        st.switch_page(address(method_page(card.slug)))


def _show_retention() -> None:
    state = session()
    if not state.has_work:
        return
    store = None if state.dataset is None or state.dataset.in_memory else state.dataset.store
    if store is not None and store.count_lost():
        st.caption("A worker was lost; its part was counted again.")
    st.caption(where_kept())
    with st.popover("Forget this table now", icon=":material/delete_forever:", width="stretch"):
        st.markdown(
            "Table, uploads, results, and the choices kept for a restart are removed at once from the memory and disk "
            f"of {host_words()}. Files that you downloaded stay where they are."
        )
        if st.button("Forget all of it", type="primary", key=widget_key(FOOT, "forget")):
            forget()
            st.switch_page("app_pages/start.py")


def host_words() -> str:
    """The computer whose memory holds the table: this one, unless others can reach it or were told where it is."""
    access = memory().paths
    return "this computer" if access is not None and access.folders is None else "the computer that runs Diptych"


def where_kept() -> str:
    """Where the table and the results stay, until when, and what is left: said alike wherever it is said."""
    data = session().dataset
    where = "In memory" if data is None or data.in_memory else f"In memory and {place_of_rows(data.store.where)}"
    if not this_browser():
        until = "two minutes after this tab is closed"
    elif memory().keep:
        until = f"{memory().minutes} after the last tab is closed"
    else:
        until = "when this tab is closed or loaded anew"
    copy = f" If you save, a copy without rows stays on {host_words()} for 30 days."
    return f"{where}, sent nowhere; gone {until}.{copy if this_browser() and memory().keep else ''}"


def forget() -> None:
    """Nothing of this session is left, in memory or on the disk."""
    log_action("forget", "button", subject_of(session().dataset))
    session().end()
    memory().forget(this_tab())
    forget_last(this_browser())
    drop_all_values()
    sign_out()


def guard_unsaved() -> None:
    """The browser asks its reader before it closes or loads the page anew, as long as something is unsaved."""
    leaving_guard()(
        key=widget_key("session", "leaving"),
        data={"unsaved": session().cards.unsaved},
        height=1,
        on_restarted_change=nothing,  # it needs no answer but the page drawn anew, which says it
    )
