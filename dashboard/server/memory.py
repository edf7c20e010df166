"""The server's memory of who is working on what, so that a reload, a lost connection or a sleep comes back to it.

A browser is known by a random key in a cookie (`dashboard.server.cookie`); a tab by the id that Streamlit gives its
connection, a new one at every reload. What no tab shows any more is kept for a time, then it is gone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

KEEP_MINUTES = 60.0
"""How long a session is kept that no tab shows, where the command line says nothing."""
GRACE = 120.0
"""Seconds for which Streamlit keeps what it holds of a tab that lost its connection: uploads, values of widgets."""


class Work(Protocol):
    """What is remembered: a session, as far as this file looks at it."""

    touched: float

    @property
    def worth_keeping(self) -> bool: ...

    def end(self) -> None: ...

    def counts(self) -> dict[str, int]: ...


@dataclass(eq=False)
class Held:
    """A session in memory.

    Attributes
    ----------
    session : the work itself
    browser : the key of the browser it belongs to
    tab : the tab that shows it, or showed it last
    left : since when no tab shows it, None while one does
    values : what its widgets said when its tab was let go
    """

    session: Any
    browser: str
    tab: str
    left: float | None = None
    values: dict[str, Any] = field(default_factory=dict)


class Memory:
    """All sessions of this server.

    Parameters
    ----------
    keep : seconds for which a session is kept that no tab shows
    active : whether a tab is connected
    let_go : lets Streamlit forget a tab, uploads included; gives what its widgets said

    Attributes
    ----------
    pending : a file of ours that the first tab opens
    """

    def __init__(
        self,
        keep: float = 60 * KEEP_MINUTES,
        active: Callable[[str], bool] = lambda tab: True,
        let_go: Callable[[str], dict[str, Any]] = lambda tab: {},
    ) -> None:
        self.keep = keep
        self.active = active
        self.let_go = let_go
        self.pending: bytes | None = None
        self._held: list[Held] = []
        self._browsers: set[str] = set()
        self._silent: dict[str, float] = {}
        self._lock = threading.RLock()

    @property
    def minutes(self) -> str:
        """How long a session is kept that no tab shows, for the screen."""
        return f"{self.keep / 60:g} minutes"

    # -- tabs come ----------------------------------------------------------------------------------------------------

    def met(self, browser: str) -> bool:
        """Whether this browser got its key from this server, or was told already that it is another; asked once."""
        with self._lock:
            known = browser in self._browsers
            self._browsers.add(browser)
            return known

    def take_pending(self) -> bytes | None:
        """The file that the command was given, for the first that asks."""
        with self._lock:
            content, self.pending = self.pending, None
            return content

    def begin(self, browser: str, tab: str, session: Work) -> Held:
        """A tab begins with a session of its own; an empty one that it showed before is let go."""
        with self._lock:
            self._held = [one for one in self._held if one.tab != tab or one.session.worth_keeping]
            held = Held(session, browser, tab)
            self._held.append(held)
            return held

    def of(self, tab: str) -> Held | None:
        """What this tab shows; None where another took it, or where nothing was begun."""
        with self._lock:
            return next((one for one in self._held if one.tab == tab), None)

    def waiting(self, browser: str, tab: str) -> Held | None:
        """What this browser left last, and no tab shows: a new tab comes back to it."""
        with self._lock:
            found = [one for one in self._of(browser, tab) if not self.active(one.tab)]
            return max(found, key=lambda one: one.session.touched, default=None)

    def elsewhere(self, browser: str, tab: str) -> list[Held]:
        """What other tabs of this browser show."""
        with self._lock:
            return [one for one in self._of(browser, tab) if self.active(one.tab)]

    def take(self, held: Held, tab: str) -> None:
        """From now on this tab shows it; what the tab showed before is let go if nothing was done there."""
        with self._lock:
            before = held.tab
            self._held = [one for one in self._held if one is held or one.tab != tab or one.session.worth_keeping]
            held.tab, held.left = tab, None
            if not self.active(before):
                held.values = self.let_go(before) or held.values
                self._silent.pop(before, None)

    def _of(self, browser: str, tab: str) -> list[Held]:
        return [one for one in self._held if one.browser == browser and one.tab != tab and one.session.worth_keeping]

    # -- tabs go ------------------------------------------------------------------------------------------------------

    def look(self, now: float | None = None) -> None:
        """One round: what nobody has shown for too long is gone, with all that it held."""
        moment = time.monotonic() if now is None else now
        with self._lock:
            for held in list(self._held):
                if self.active(held.tab):
                    held.left = None
                    self._silent.pop(held.tab, None)
                    continue
                held.left = moment if held.left is None else held.left
                self._silent.setdefault(held.tab, moment)
                if moment - held.left >= self.keep:
                    self._drop(held)
            for tab, since in list(self._silent.items()):
                if moment - since >= min(GRACE, self.keep):
                    self._let_go(tab)

    def _drop(self, held: Held) -> None:
        self._held.remove(held)
        held.session.end()
        self._let_go(held.tab)

    def _let_go(self, tab: str) -> None:
        self._silent.pop(tab, None)
        values = self.let_go(tab)
        for one in self._held:
            if one.tab == tab:
                one.values = values or one.values

    def counts(self) -> dict[str, int]:
        """How much is held, for whoever wants to see that it is gone."""
        with self._lock:
            each = [one.session.counts() for one in self._held]
        found = {"sessions": len(each), "tables": 0, "results": 0, "jobs": 0}
        for one in each:
            found |= {name: found[name] + number for name, number in one.items()}
        return found


_memory = Memory()


def memory() -> Memory:
    """The one memory of this server."""
    return _memory


def remember(memory: Memory) -> Memory:
    """Let this be the memory of this server; called once, by the launcher."""
    global _memory
    _memory = memory
    return memory
