"""What only the user can decide about the open table: a card each, most costly first, and what was decided."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from dashboard.session.keys import widget_key
from dashboard.session.labels import labelled
from dashboard.session.masking import sentence_shown
from dashboard.session.session import session
from dashboard.session.work import Work, work
from dashboard.text import plain, short
from dashboard.views.data.source import read
from engine.data.preparing.deciding.answer_words import ANSWER_WORDS, in_order
from engine.data.preparing.deciding.decision import Decision, Option, settle

OPEN = 3
"""Cards that stand open; the rest is behind a line."""
WIDTH = 304
"""Pixels that a card has at least: three fit beside each other on a wide screen, two on a small one."""


def show_decisions() -> None:
    """The cards of what is open, and what was decided, each to be decided again."""
    table, current = session().table, work()
    if table is None:
        return
    result = current.decisions(table)
    if current.unanswered:
        st.warning(plain(sentence_shown(current.unanswered)), icon=":material/warning:")
    settled = current.chosen.get("settled", {})
    todo = [item for item in result if item.key not in settled]
    if todo:
        with st.container(key=widget_key("data", "decide", "title")):
            st.markdown(f"**To decide ({len(todo)})** :small[:gray[Until you answer, the choice with ✓ applies.]]")
        _cards(current, todo[:OPEN], "open")
        rest = todo[OPEN:]
        if rest:
            with st.expander(f"{len(rest)} more to decide", key=widget_key("data", "decide", "more", id(current))):
                _cards(current, rest, "rest")
    done = [item for item in result if item.key in settled]
    if done:
        with st.expander(f"Decided ({len(done)})", key=widget_key("data", "decide", "done", id(current))):
            for item in done:
                _decided(current, item, settled[item.key])


def _cards(current: Work, some: Sequence[Decision], place: str) -> None:
    with st.container(horizontal=True, key=widget_key("data", "decide", "cards", place)):
        for item in some:
            with st.container(border=True, width=WIDTH, height="stretch", gap="xsmall"):
                _card(current, item)


def _card(current: Work, decision: Decision) -> None:
    """The question, what asks it, a button for each answer, and what each does."""
    st.markdown(f"**{plain(labelled(sentence_shown(decision.sentence)))}**")
    if decision.why:
        st.caption(plain(labelled(sentence_shown(decision.why))))
    with st.container(horizontal=True, gap="xsmall"):
        for way in decision.options:
            st.button(
                plain(way.label),
                icon=":material/check:" if way.now else None,
                key=_key(decision, way.key, now=way.now),
                on_click=decide,
                args=(current, decision, way),
            )
    st.caption("  \n".join(map(_effect, decision.options)))
    if decision.kind == ANSWER_WORDS:
        _another_order(current, decision)


def _another_order(current: Work, decision: Decision) -> None:
    """The words to be pressed from least to most; ordered once, for all columns that answer with them."""
    way = decision.options[0]
    words = max(way.change["levels"].values(), key=len)
    with st.expander("Another order"):
        pressed = st.pills(
            "Press the words from least to most",
            words,
            selection_mode="multi",
            format_func=lambda word: plain(short(word, 40)),
            key=_key(decision, "words"),
        )
        if pressed:
            st.caption(plain(" < ".join(short(word, 30) for word in pressed)))
        st.button(
            "Steps in the order pressed",
            disabled=len(pressed) < len(words),
            key=_key(decision, "order"),
            on_click=decide,
            args=(current, decision, in_order(way, pressed)),
        )


def _effect(way: Option) -> str:
    stands = " (as it stands)" if way.now else ""
    return f"**{plain(way.label)}**{stands}: {plain(labelled(sentence_shown(way.effect)))}"


def _decided(current: Work, decision: Decision, option: str) -> None:
    words = next((way.label for way in decision.options if way.key == option), option)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"{plain(labelled(sentence_shown(decision.sentence)))} **{plain(words)}**", width="stretch")
        st.button("Decide again", key=_key(decision, "again"), on_click=reopen, args=(current, decision))


def decide(current: Work, decision: Decision, way: Option) -> None:
    """Let an option be chosen; what another one did is taken back."""
    _take(current, settle(_choices(current), decision, way))


def reopen(current: Work, decision: Decision) -> None:
    """Let a decision be open again, and what it did be undone."""
    left = settle(_choices(current), decision, replace(decision.options[0], change={}))
    _take(current, {**left, "settled": {key: way for key, way in left["settled"].items() if key != decision.key}})


def _choices(current: Work) -> dict[str, Any]:
    """The choices with those about the reading of the file, which a decision may be about too."""
    return {**current.chosen, "reading": current.reading}


def _take(current: Work, arguments: dict[str, Any]) -> None:
    reading = dict(arguments.pop("reading", {}))
    # an argument about which nothing is chosen any more is not among them
    old_roles = dict(current.roles)
    current.settle({**{argument: {} for argument in current.chosen if argument not in arguments}, **arguments})
    if dict(current.roles) != old_roles:  # what is beside the variables is none any more, whatever was chosen for it
        current.take_roles(current.roles)
    if reading != current.reading and current.content is not None:
        read(current.name, current.content, **reading)


def _key(decision: Decision, button: str, *, now: bool = False) -> str:
    """A key without the user's words; another one for another question, so that a late press answers nothing else."""
    own = hashlib.sha256(decision.key.encode()).hexdigest()[:12], button
    return widget_key("data", "decide", *(["now"] if now else []), *own)  # by which the style sheet knows it
