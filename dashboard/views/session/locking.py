"""Where others may pass by, a screen that nobody has used for a while shows nothing until it is unlocked."""

from __future__ import annotations

import secrets
import time

import streamlit as st

from dashboard.server.limits import Lock, in_minutes
from dashboard.server.memory import memory
from dashboard.session.arrival import is_let_go
from dashboard.session.keys import drop_value, set_value, value_of, widget_key
from dashboard.session.session import Session, session

_SAID = "diptych.said"
LOOK_EVERY = 10.0
"""Seconds between two looks at the clock."""


def is_locked(state: Session) -> bool:
    """Whether nobody has used a session for too long, where that locks it."""
    lock = memory().lock
    return lock is not None and state.has_work and state.lock_after(lock.seconds)


def show_lock() -> None:
    """End the run with a blank page where nobody has used it for too long; the clock is looked at from time to time."""
    lock, state = memory().lock, session()
    if lock is None or not state.has_work:
        return
    locked = is_locked(state)
    _watch(lock.seconds)
    if not locked:
        return
    st.title("Locked")
    kept = memory().seconds_left(state)
    more = "" if kept is None else f" Your work is kept for {in_minutes(kept)} more."
    st.markdown(f"Locked after {in_minutes(lock.seconds)} without use.{more}")
    _unlock(lock, state)
    st.stop()


@st.fragment(run_every=LOOK_EVERY)
def _watch(seconds: float) -> None:
    state = session()
    said = hash(repr({key: value for key, value in st.session_state.items() if not str(key).startswith("diptych")}))
    if value_of(_SAID) not in (None, said):  # what is pressed in a part of a page draws no whole page
        state.touched = time.monotonic()
    set_value(_SAID, said)
    if is_let_go() or (state.locked is None and state.idle >= seconds):
        st.rerun()


def _unlock(lock: Lock, state: Session) -> None:
    """The way back: the token of the link, a page that the proxy lets through, or a press."""
    if lock.proxied:
        st.html('<a href="" style="font-weight: 600">Unlock</a>')
        return
    key = widget_key("session", "token")
    with st.form(widget_key("session", "lock"), border=False):
        given = st.text_input("Token of the link", type="password", key=key, width=400) if lock.token else ""
        pressed = st.form_submit_button("Unlock", type="primary")
    if not pressed:
        return
    if secrets.compare_digest(given.encode("utf-8", "replace"), lock.token.encode()):
        drop_value(key)
        state.unlock()
        st.rerun()
    st.error("This is not the token of this server's link.", icon=":material/error:")
