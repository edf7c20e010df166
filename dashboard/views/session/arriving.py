"""What a tab says when it arrives: welcome back, open elsewhere, taken away, or a server that was started again."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from dashboard.network.component import secret_handover
from dashboard.server.memory import memory
from dashboard.session.arrival import (
    Arrival,
    arrive,
    come_back,
    left_behind,
    needs_proof,
    start_new_session,
    take_ticket,
    this_browser,
)
from dashboard.session.keys import drop_value, set_value, value_of, widget_key
from dashboard.session.projects import last_saved
from dashboard.text import plain
from dashboard.views.session.locking import is_locked, show_lock
from dashboard.views.session.opening import open_content
from dashboard.views.shared.foot import host_words
from engine.words import count, duration

if TYPE_CHECKING:
    from dashboard.session.session import Session

_OFFERED = "diptych.offered"
_RESTARTED = "diptych.restarted"
OTHER_TAB_SECONDS = 1.0
"""How often a tab that was offered another one's work looks whether that one is still open."""


def greet() -> None:
    """Find this tab its work, and say so where that is not what the reader expects; ends the run where they choose."""
    if needs_proof():
        _ask_for_secret()
    if needs_proof():
        _ask_for_secret()
    arrival = arrive()
    if arrival.how == "back" and arrival.stored is not None:
        words = described(arrival.stored.session)
        st.toast(f"Back where you were{f': {words}' if words else ''}.", icon=":material/history:")
    elif arrival.how == "offered":
        set_value(_OFFERED, arrival)
    elif arrival.how in ("restarted", "ended"):
        set_value(_RESTARTED, arrival.how)
    elif arrival.how == "taken":
        _say_taken(arrival)
    if arrival.how in ("new", "restarted", "ended"):
        _open_pending()
    offered: Arrival | None = value_of(_OFFERED)
    if offered is not None:
        _offer(offered)
    if value_of(_RESTARTED):
        _say_restarted()
    show_lock()


def _ask_for_secret() -> None:
    """The first run of a tab: what hands over its browser's secret, and nothing else."""
    key = widget_key("session", "handover")
    secret_handover()(key=key, on_handed_change=partial(take_ticket, key), height=1)
    st.stop()


def _open_pending() -> None:
    """The file that the command was given, in the first tab."""
    content = memory().take_pending(st.query_params.get("open", ""))
    if content is None:
        return
    drop_value(_RESTARTED)
    refused = open_content(content)
    if refused:
        st.error(plain(refused), icon=":material/error:")
    else:
        st.switch_page("app_pages/results.py")


def described(session: Session) -> str:
    """What is open in a session, in a line, as Markdown; "" where there is neither table nor result."""
    if is_locked(session):
        return "work that is locked"
    parts = [f"*{plain(session.source)}*"] if session.has_table else []
    if len(session.cards):
        parts.append(count(len(session.cards), "result"))
    return " and ".join(parts)


def _offer(arrival: Arrival) -> None:
    """Another tab shows work; it is had here or left there."""
    if arrival.stored is None or not arrival.stored.session.has_work:
        drop_value(_OFFERED)
        return
    st.title("Your work is open in another tab")
    st.markdown(f"There you have {described(arrival.stored.session)}.")
    with st.container(horizontal=True):
        if st.button("Go on with it here", type="primary", key=widget_key("session", "here")):
            drop_value(_OFFERED)
            come_back(arrival.stored)
            st.rerun()
        if st.button("Begin something new here", key=widget_key("session", "anew")):
            drop_value(_OFFERED)
            st.rerun()
    st.caption("The two would not see each other's tables and results. Nothing is lost either way.")
    _come_back_once_closed()
    st.stop()


@st.fragment(run_every=OTHER_TAB_SECONDS)
def _come_back_once_closed() -> None:
    """Show the work here as soon as no tab shows it: an address typed in the same tab leaves its old page a while."""
    left = left_behind()
    if left is not None:
        drop_value(_OFFERED)
        come_back(left)
        st.rerun()


def _say_taken(arrival: Arrival) -> None:
    """The work of this tab is shown by another one now."""
    if arrival.stored is None:  # that tab is closed meanwhile
        left = left_behind()
        if left is not None:
            come_back(left)
            st.rerun()
        start_new_session()
        if memory().ended(this_browser()):
            set_value(_RESTARTED, "ended")
        st.rerun()
    st.title("Your work went to another tab")
    with st.container(horizontal=True):
        if st.button("Bring it back here", type="primary", key=widget_key("session", "back")):
            come_back(arrival.stored)
            st.rerun()
        if st.button("Begin something new here", key=widget_key("session", "anew")):
            start_new_session()
            st.rerun()
    st.stop()


def _say_restarted() -> None:
    """This browser was here before, but the server has forgotten: it is another one, or the time was up."""
    st.space("small")  # below Streamlit's own header, which would cover the first line
    with st.container(border=True):
        reason = (
            f"The time is over for which Diptych keeps work: {memory().minutes} once no tab shows it{_at_most()}."
            if value_of(_RESTARTED) == "ended"
            else "Diptych was started again since you were last here."
        )
        st.markdown(
            f"**{reason}** What was open then was in its memory only, and is gone; files that you saved are not."
        )
        # where screens lock, what was saved last is no way past the lock of the work that has ended
        lock = memory().lock
        passed_by = lock is not None and lock.token and value_of(_RESTARTED) == "ended"
        if not passed_by and offer_last_saved():
            drop_value(_RESTARTED)
            st.switch_page("app_pages/results.py")
        if st.button("All right", key=widget_key("session", "restarted")):
            drop_value(_RESTARTED)
            st.rerun()


def _at_most() -> str:
    """How long work is kept that a tab shows."""
    return f", and {duration(memory().longest)} at most" if memory().longest else ""


def offer_last_saved() -> bool:
    """A button that opens what this browser saved last, where there is something; whether it was opened just now."""
    content = last_saved(this_browser())
    if content is None:
        return False
    st.markdown(
        f"The choices and results that you saved last are still on {host_words()}, without the table's "
        "rows and without answers about single people."
    )
    if st.button("Open what I saved last", type="primary", key=widget_key("session", "last")):
        refused = open_content(content)
        if not refused:
            return True
        st.error(plain(refused), icon=":material/error:")
    return False
