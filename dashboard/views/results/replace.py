"""The question before a file takes the place of what is open, and what of a file could not be opened."""

from __future__ import annotations

import streamlit as st

from dashboard.session.cards import Card
from dashboard.session.keys import widget_key
from dashboard.session.projects import project_of
from dashboard.session.session import Rerun, Session, Waiting, session
from dashboard.text import plain
from dashboard.views.session.opening import open_content, reapply
from engine import DataError, Dataset, read_table
from engine.data import short_name
from engine.words import count


def say_opened() -> None:
    """What of the file that was opened last could not be opened, and the question before another one is."""
    for sentence in session().warnings:
        st.warning(plain(sentence), icon=":material/warning:")
    _ask_first()


def _ask_first() -> None:
    state = session()
    waiting = state.waiting
    if waiting is None:
        return
    with st.container(border=True):
        st.markdown(_question(state, waiting))
        with st.container(horizontal=True):
            action = "Ask again" if waiting.rerun else "Open it"
            yes = st.button(action, type="primary", icon=":material/check:", key=widget_key("results", "replace"))
            no = st.button("Cancel", key=widget_key("results", "leave"))
    if yes:
        state.waiting = None
        refused = (
            _ask_all(state, waiting) if waiting.rerun else open_content(waiting.content, waiting.name, confirmed=True)
        )
        if refused:
            st.error(plain(refused), icon=":material/error:")
        else:
            st.rerun()
    if no:
        state.waiting = None
        st.rerun()


def _question(state: Session, waiting: Waiting) -> str:
    """What would be gone, as Markdown."""
    name = f"*{plain(short_name(waiting.name))}*" if waiting.name else "The file"
    table = [f"the open table *{plain(state.source)}* and the choices made for it"] if state.table is not None else []
    if waiting.rerun:
        return f"{name} takes the place of {' '.join(table) or 'the open table'}; its results stay."
    if len(state.cards):
        unsaved = ", not all of it saved" if state.cards.unsaved else ""
        table.append(f"{count(len(state.cards), 'result')}{unsaved}")
    return f"{name} takes the place of {' and of '.join(table) or 'what is open'}."


def _ask_all(state: Session, waiting: Waiting) -> str:
    """Put every question to another table; why that cannot be, "" where it was done."""
    dataset = state.dataset
    old = [(card, _refusal(card, dataset)) for card in state.cards]
    try:
        with st.spinner("Reading the table", show_time=True):
            table = read_table(waiting.content, name=waiting.name)
            words = reapply(table, short_name(waiting.name) or "table", project_of(state, with_table=False))
    except DataError as error:
        return str(error)
    rerun = Rerun(words)
    for card, why in old:
        try:
            if why:
                rerun.refused[card.number] = why
            else:
                rerun.new_keys[card.number] = state.rerun_card(card)
        except DataError as error:
            rerun.refused[card.number] = str(error)
    state.rerun = rerun
    return ""


def _refusal(card: Card, open_table: Dataset | None) -> str:
    """Why a card's question is not put to another table; "" where it is."""
    if card.group:
        return "It is about one group only; ask by group on the method's page."
    if open_table is None or not open_table.is_of(card.result.fingerprint):
        return "It was made from another table than the open one, or from that prepared differently."
    return ""
