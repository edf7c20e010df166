"""The server's memory of who is working on what, so that a reload, a lost connection or a sleep comes back to it.

A browser is known by a key and a secret (`dashboard.server.browsers`); a tab by the id that Streamlit gives its
connection, a new one at every reload. What no tab shows any more is kept for a time, then it is gone.

Objects that hold one another are collected when a table is gone, and once a minute while somebody works. Streamlit
would look through all objects of the process after every run of a page: with the libraries loaded that takes longer
than most pages take to draw, so what stands once they are loaded is set aside. What nothing holds goes at once,
without any of this.
"""

from __future__ import annotations

import ctypes
import gc
import secrets
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from dashboard.server.browsers import Browsers, put
from dashboard.server.limits import Lock, UserLimits
from dashboard.server.paths import PathAccess
from dashboard.server.uploads import Uploads

KEEP_MINUTES = 60.0
"""How long a session is kept that no tab shows, where the command line says nothing."""
GRACE = 120.0
"""Seconds for which Streamlit keeps what it holds of a tab that lost its connection: uploads, values of widgets."""
MOST_MEDIA = 10_000
"""Files to show or to save whose browsers are remembered."""


class Work(Protocol):
    """What is remembered: a session, as far as this file looks at it."""

    touched: float
    locked: float | None

    @property
    def has_work(self) -> bool: ...

    @property
    def is_resumable(self) -> bool: ...

    def end(self) -> None: ...

    def counts(self) -> dict[str, int]: ...


@dataclass(eq=False)
class StoredSession:
    """A session in memory.

    Attributes
    ----------
    session : the work itself
    browser : the name of the browser it belongs to
    user : whom the proxy named; "" where none names users
    tab : the tab that shows it, or showed it last
    tabs : all that ever showed it: files were uploaded in any of them
    left : since when no tab shows it, None while one does
    values : what its widgets said when its tab was let go
    begun : when it began
    holder : the name by which requests for its tab are known, also where its browser keeps nothing; "" for none
    """

    session: Any
    browser: str
    tab: str
    tabs: set[str] = field(default_factory=set)
    left: float | None = None
    values: dict[str, Any] = field(default_factory=dict)
    user: str = ""
    begun: float = field(default_factory=time.monotonic)
    holder: str = ""


class Memory:
    """All sessions of this server.

    Parameters
    ----------
    keep : seconds for which a session is kept that no tab shows
    active : whether a tab is connected
    let_go : lets Streamlit forget a tab, uploads included; gives what its widgets said
    empty : lets Streamlit forget the files of a tab that may still be open
    watching : somebody calls `check` every few seconds
    most : bytes that all sessions together may hold, 0 for no limit
    uploaded : tab -> bytes of the files that Streamlit holds for it

    Attributes
    ----------
    browsers : those that it knows
    uploads : what may be sent
    pending : a file of ours that the first tab opens
    password : what the address of that tab has to say, where others can reach the server; "" for nothing
    limits : what one user may take; None where the server is its user's own
    lock : when a page shows nothing more; None for never
    longest : seconds for which work is kept at most, shown or not; 0 for no limit
    paths : which tables may be opened by their path; None for none
    smallest_cell : counts from 1 to below this leave the server nowhere; 0 hides none
    """

    def __init__(
        self,
        keep: float = 60 * KEEP_MINUTES,
        active: Callable[[str], bool] = lambda tab: True,
        let_go: Callable[[str], dict[str, Any]] = lambda tab: {},
        empty: Callable[[str], None] = lambda tab: None,
        watching: bool = False,
        most: int = 0,
        uploaded: Callable[[], Mapping[str, int]] = dict,
    ) -> None:
        self.keep = keep
        self.active = active
        self.let_go = let_go
        self.empty = empty
        self.watching = watching
        self.most = most
        self.pending: bytes | None = None
        self.password = ""
        self.limits: UserLimits | None = None
        self.lock: Lock | None = None
        self.longest = 0.0
        self.paths: PathAccess | None = None
        self.smallest_cell = 0
        self._stored: list[StoredSession] = []
        self.browsers = Browsers(self._is_resumable)
        self.uploads = Uploads(uploaded, lambda: self.counts()["bytes"], most, self.owner)
        self._ended: dict[str, None] = {}
        self._media: dict[str, set[str]] = {}
        self._tabs: dict[str, float | None] = {}
        self._lock = threading.RLock()

    @property
    def minutes(self) -> str:
        """Time that a session is kept which no tab shows, for the screen."""
        return f"{self.keep / 60:g} minute{'' if self.keep == 60 else 's'}"

    # -- tabs come ----------------------------------------------------------------------------------------------------

    def ended(self, browser: str) -> bool:
        """Say once if this browser's work was let go because its time was up."""
        with self._lock:
            return self._ended.pop(browser, 0) is None

    def take_pending(self, password: str = "") -> bytes | None:
        """The file that the command was given, for the first that asks and knows the password."""
        with self._lock:
            if not secrets.compare_digest(password.encode(), self.password.encode()) and self.password:
                return None
            content, self.pending = self.pending, None
            return content

    def begin(self, browser: str, tab: str, session: Work, user: str = "", holder: str = "") -> StoredSession:
        """A tab begins with a session of its own; an empty one that it showed before is let go."""
        with self._lock:
            self._stored = [item for item in self._stored if item.tab != tab or item.session.is_resumable]
            stored = StoredSession(session, browser, tab, {tab}, user=user, holder=browser or holder)
            self._stored.append(stored)
            self._tabs[tab] = None
            return stored

    def of(self, tab: str) -> StoredSession | None:
        """Session that this tab shows; None where another took it, or where nothing was begun."""
        with self._lock:
            return next((item for item in self._stored if item.tab == tab), None)

    def owner(self, tab: str) -> str:
        """Who answers for a tab: its user, else its browser; the tab itself where the server is its user's own."""
        stored = self.of(tab) if self.limits is not None else None
        return tab if stored is None else stored.user or stored.browser or tab

    def may_take_up(self, tab: str, browser: str, user: str = "") -> bool:
        """True where a browser, with this user, may take up a tab; one that nobody holds any more is anybody's."""
        return self.of(tab) is None or self.is_of(tab, browser, user)

    def is_of(self, tab: str, browser: str, user: str = "") -> bool:
        """True where a tab is shown by this browser, with this user."""
        stored = self.of(tab)
        return stored is not None and stored.user == user and bool(browser) and stored.holder == browser

    def note_media(self, file: str, tab: str) -> None:
        """A file was made for a tab to show or to save; the id of equal ones is one, whoever asks."""
        stored = self.of(tab)
        if stored is None or not stored.holder:
            return
        with self._lock:
            self._media.setdefault(file, set()).add(stored.holder)
            while len(self._media) > MOST_MEDIA:
                del self._media[next(iter(self._media))]

    def may_load(self, file: str, browser: str) -> bool:
        """True where a file was made for this browser."""
        with self._lock:
            return browser in self._media.get(file, ())

    def others(self, session: Work) -> int:
        """Number of other sessions with work that its owner has."""
        with self._lock:
            mine = next((self.owner(item.tab) for item in self._stored if item.session is session), "")
            others = [item for item in self._stored if item.session is not session and item.session.has_work]
            return sum(self.owner(item.tab) == mine for item in others)

    def seconds_left(self, session: Work) -> float | None:
        """Seconds for which a locked session is still kept; None where it is not known."""
        with self._lock:
            stored = next((item for item in self._stored if item.session is session), None)
        if stored is None or session.locked is None:
            return None
        return max(self._keep_of(stored) - (time.monotonic() - session.locked), 0.0)

    def _keep_of(self, stored: StoredSession) -> float:
        """Without a key nobody comes back to it but a tab that finds its connection again."""
        return self.keep if stored.browser else min(GRACE, self.keep)

    def waiting(self, browser: str, tab: str) -> StoredSession | None:
        """Session that this browser left last, and no tab shows: a new tab comes back to it."""
        with self._lock:
            result = [item for item in self._of(browser, tab) if not self.active(item.tab)]
            # what was left just now has not been looked at since, so it has no time yet
            return max(
                result, key=lambda item: (item.left is None, item.left or 0.0, item.session.touched), default=None
            )

    def elsewhere(self, browser: str, tab: str) -> list[StoredSession]:
        """Sessions that other tabs of this browser show."""
        with self._lock:
            return [item for item in self._of(browser, tab) if self.active(item.tab)]

    def take(self, stored: StoredSession, tab: str) -> None:
        """From now on this tab shows it; what the tab showed before is let go if nothing was done there."""
        with self._lock:
            old_tab = stored.tab
            self._stored = [
                item for item in self._stored if item is stored or item.tab != tab or item.session.is_resumable
            ]
            stored.tab, stored.left = tab, None
            stored.tabs.add(tab)
            self._tabs[tab] = None
            if not self.active(old_tab):
                stored.values = self.let_go(old_tab) or stored.values
                self._tabs.pop(old_tab, None)

    def _is_resumable(self, browser: str) -> bool:
        return any(item.holder == browser and item.session.is_resumable for item in list(self._stored))

    def _of(self, browser: str, tab: str) -> list[StoredSession]:
        if not browser:
            return []
        mine = [item for item in self._stored if item.browser == browser and item.tab != tab]
        return [item for item in mine if item.session.is_resumable]

    def sign_out(self, tab: str) -> bool:
        """The browser's keys and secret end, unless another tab has work: that one would not come back to it."""
        stored = self.of(tab)
        if stored is None or not stored.browser or self._of(stored.browser, tab):
            return False
        self.browsers.sign_out(stored.browser)
        return True

    def forget(self, tab: str) -> None:
        """The files of every tab that showed what this one shows are gone too."""
        stored = self.of(tab)
        for item in {tab} if stored is None else {tab, *stored.tabs}:
            self.empty(item)

    # -- tabs go ------------------------------------------------------------------------------------------------------

    def check(self, now: float | None = None) -> None:
        """One round: what nobody has shown for too long is gone, with all that it held."""
        instant = time.monotonic() if now is None else now
        with self._lock:
            over = []
            for stored in self._stored:
                shown = self.active(stored.tab) and stored.session.locked is None
                stored.left = None if shown else instant if stored.left is None else stored.left
                gone = stored.left is not None and instant - stored.left >= self._keep_of(stored)
                if gone or 0 < self.longest <= instant - stored.begun:
                    over.append(stored)
            self._stored = [item for item in self._stored if item not in over]
            for tab, since in list(self._tabs.items()):
                self._tabs[tab] = None if self.active(tab) else instant if since is None else since
            silent = [
                tab
                for tab, since in self._tabs.items()
                if since is not None and instant - since >= min(GRACE, self.keep)
            ]
        for stored in over:  # without the lock: processes may take their time to end
            self._drop(stored)
        for tab in silent:
            self._let_go(tab)

    def _drop(self, stored: StoredSession) -> None:
        if stored.browser:
            put(self._ended, stored.browser)
        try:
            stored.session.end()
        finally:
            for tab in stored.tabs:
                self.empty(tab)
            if not self.active(stored.tab):  # a page that stands says what became of its work
                self._let_go(stored.tab)

    def _let_go(self, tab: str) -> None:
        values = self.let_go(tab)
        self.uploads.forget(tab)
        with self._lock:
            self._tabs.pop(tab, None)
            for item in self._stored:
                if item.tab == tab:
                    item.values = values or item.values

    @property
    def is_empty(self) -> bool:
        """True where nothing is held of anybody."""
        with self._lock:
            return not self._stored and not self._tabs

    def counts(self) -> dict[str, int]:
        """Counts of what is held, for whoever wants to see that it is gone."""
        with self._lock:
            each = [entry.session.counts() for entry in self._stored]
        result = {"sessions": len(each), "tables": 0, "results": 0, "jobs": 0, "bytes": 0}
        for item in each:
            result |= {name: result[name] + number for name, number in item.items()}
        return result


_memory = Memory()


def memory() -> Memory:
    """The one memory of this server."""
    return _memory


def remember(memory: Memory) -> Memory:
    """Let this be the memory of this server; called once, by the launcher."""
    global _memory
    _memory = memory
    return memory


EVERY = 60.0
"""Seconds between two looks while pages are drawn."""


class Garbage:
    """When all objects are looked through."""

    def __init__(self) -> None:
        self._wanted = self._loaded = False
        self._frozen_clean = False
        self._last = time.monotonic()
        self._collections = _collections()

    def loaded(self) -> None:
        """The libraries are there: from the next round on only what came since is looked through."""
        self._loaded = True

    def soon(self) -> None:
        """Something is gone that may hold user data: the next round looks."""
        self._wanted = True

    def collect(self, now: float | None = None) -> bool:
        """One round; whether anything was due. On a server that nobody uses nothing is, once its last table is gone."""
        instant = time.monotonic() if now is None else now
        if self._loaded:
            self._loaded = False
            self._look_at_all()
        if not self._wanted and (instant - self._last < EVERY or _collections() == self._collections):
            return False
        wanted, self._wanted, self._last = self._wanted, False, instant
        if wanted and gc.get_freeze_count() and not self._frozen_clean:
            self._look_at_all()
        else:
            gc.collect()
        if wanted:
            give_back()
        self._collections = _collections()
        return True

    def _look_at_all(self) -> None:
        """Look through libraries too, and set aside what stays; where that holds user data it is not for good."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._frozen_clean = memory().is_empty


def give_back() -> None:
    """Let the system have the memory that tables stood in: libraries keep what they no longer need for next time."""
    if "pyarrow" in sys.modules:
        sys.modules["pyarrow"].default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):  # only where the C library is that of GNU
        ctypes.CDLL(None).malloc_trim(0)


def _collections() -> int:
    """A count that grows with objects made: how often Python itself looked through the youngest."""
    return int(gc.get_stats()[0]["collections"])


_garbage = Garbage()


def garbage() -> Garbage:
    """The one of this server."""
    return _garbage
