"""A tab arrives: it comes back to what its browser left, or begins anew, or is offered what another tab shows."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import streamlit as st

from dashboard.server.browsers import Proof
from dashboard.server.memory import Memory, StoredSession, memory
from dashboard.session.private_parts import this_tab, this_user
from dashboard.session.projects import inherit_last
from dashboard.session.session import Session, session, set_session

How = Literal["here", "new", "back", "offered", "taken", "restarted", "ended"]
_ARRIVED = "diptych.arrived"
_PROOF = "diptych.proof"
PATIENCE = 1.0
"""Seconds that a tab waits for another one of its browser to close, before it takes it for open."""


@dataclass(frozen=True)
class Arrival:
    """How this tab stands to the server's memory.

    Attributes
    ----------
    how : "here": as before; "new": it begins; "back": it came back to its work just now; "offered": another tab shows
        work that could be had here; "taken": another tab took the work away; "restarted": the server does not know
        this browser, though it has been here; "ended": what it had was let go, its time was up
    stored : the work that is meant, where there is one
    """

    how: How
    stored: StoredSession | None = None


def needs_proof() -> bool:
    """Whether nobody knows yet whose tab this is; until then it has no session."""
    return memory().watching and bool(this_tab()) and this_proof() is None


def take_ticket(widget: str) -> None:
    """The tab hands in the ticket that its page got for the browser's key and secret; any other is of no use."""
    answer = getattr(st.session_state.get(widget), "handed", None)
    if not isinstance(answer, Mapping):
        return
    ticket = answer.get("ticket")
    keeps = answer.get("stored") is True
    proof = memory().browsers.redeem(ticket, this_user(), keeps) if isinstance(ticket, str) else None
    if proof is not None:
        st.session_state[_PROOF] = proof


def sign_out() -> None:
    """This tab's browser is known no more, and begins with a new key and a new secret."""
    if memory().sign_out(this_tab()):
        for key in (_PROOF, _ARRIVED):
            st.session_state.pop(key, None)


def arrive() -> Arrival:
    """Find this tab its session; called once at the beginning of every run of the pages."""
    tab, browser = this_tab(), this_browser()
    known = memory()
    if not tab or not (browser or known.watching):
        return Arrival("here")
    if _ARRIVED in st.session_state:
        here = not browser or known.of(tab) is not None
        return Arrival("here") if here else Arrival("taken", _showing(session(), browser, tab))
    st.session_state[_ARRIVED] = True
    if not browser:  # it keeps nothing: its work ends with the tab
        _begin(known, "", tab)
        return Arrival("new")
    earlier = (this_proof() or Proof()).earlier
    if earlier:
        inherit_last(earlier, browser)
    left = _left_at_last(known, browser, tab)
    if left is not None:
        come_back(left)
        return Arrival("back", left)
    _begin(known, browser, tab)
    elsewhere = [item for item in known.elsewhere(browser, tab) if item.session.has_work]
    if elsewhere:
        return Arrival("offered", elsewhere[-1])
    return Arrival("ended" if known.ended(browser) else "restarted" if earlier else "new")


def _begin(known: Memory, browser: str, tab: str) -> None:
    """Remember this tab's session, and whose its jobs are."""
    known.begin(browser, tab, session(), this_user(), (this_proof() or Proof()).holder)
    session().job_queue.owner = known.owner(tab)


def _left_at_last(known: Memory, browser: str, tab: str) -> StoredSession | None:
    """What this browser left; an address that was typed in the same tab arrives before the tab's old page is gone."""
    left = known.waiting(browser, tab)
    end = time.monotonic() + PATIENCE
    while left is None and known.elsewhere(browser, tab) and time.monotonic() < end:
        time.sleep(PATIENCE / 10)
        left = known.waiting(browser, tab)
    return left


def come_back(stored: StoredSession) -> None:
    """Let this tab show a session that is in memory, its widgets saying what they said."""
    memory().take(stored, this_tab())
    set_session(stored.session)
    stored.session.resume()
    lock = memory().lock
    if lock is not None and lock.proxied:  # the proxy has let this tab through just now
        stored.session.unlock()
    for key, value in stored.values.items():
        if key not in st.session_state:
            st.session_state[key] = value
    stored.values = {}


def if_here(do: Callable[..., Any], *args: Any, **more: Any) -> None:
    """What a button does, unless another tab took the work away since the page was drawn: the page then says so."""
    if not memory().watching or memory().of(this_tab()) is not None:
        do(*args, **more)


def is_let_go() -> bool:
    """Whether the server holds this tab's work no more, though the tab is open."""
    return memory().watching and memory().of(this_tab()) is None


def left_behind() -> StoredSession | None:
    """What this browser left and no tab shows."""
    return memory().waiting(this_browser(), this_tab())


def start_new_session() -> None:
    """Let this tab begin with nothing."""
    set_session(Session())
    _begin(memory(), this_browser(), this_tab())


def this_proof() -> Proof | None:
    """Whose tab this is, as it was proven."""
    proof: Proof | None = st.session_state.get(_PROOF)
    return proof


def this_browser() -> str:
    """The name of the browser in the server's memory; "" for one that keeps nothing."""
    return (this_proof() or Proof()).browser


def _showing(current: Session, browser: str, tab: str) -> StoredSession | None:
    return next((item for item in memory().elsewhere(browser, tab) if item.session is current), None)
