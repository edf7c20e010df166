"""The browsers that this server knows: each by a key in a cookie and by a secret that its pages keep.

A browser sends the cookies of a host to every port of it, and any of them may read or overwrite one. What a page keeps
in its own storage is sent to nobody and belongs to one port. So who comes back has to bring both.

Only keys that were issued here, and are still in memory, count. A key is replaced each time it is used; the one before
holds for a minute, since another tab may be on its way with it.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from dashboard.server.proxy import Proxy

DAYS = 30
"""How long a browser keeps its key, and what it saved last is offered to it."""
OLD_KEY = 60.0
"""Seconds for which a key holds that was replaced."""
TICKET = 60.0
"""Seconds within which a tab has to hand in its ticket."""
MOST_KEYS = 10_000
"""Browsers that are remembered to have been here."""
_KEY = re.compile(r"[A-Za-z0-9_-]{43}")


def new_key() -> str:
    """256 random bits."""
    return secrets.token_urlsafe(32)


@dataclass(frozen=True)
class Access:
    """Where a server is, and who may use it.

    Attributes
    ----------
    port : of the server
    token : what its link holds; "" where whoever reaches it may use it
    secure : it is served over TLS
    base : the path before all of its own, "" or such as "/ward"
    proxy : what stands before it and names the user; None where browsers reach it themselves
    """

    port: int = 0
    token: str = ""
    secure: bool = False
    base: str = ""
    proxy: Proxy | None = None

    @property
    def key_cookie(self) -> str:
        """The name of a browser's key: it sends the cookies of all ports of a host, so each server has its own.

        Over TLS the name is one that no page without TLS, and no other host of a domain, can write.
        """
        return f"{'__Host-' if self.secure else ''}diptych-{self.port}{self.base.replace('/', '-')}"

    @property
    def visit_cookie(self) -> str:
        """The name of the key of a visit: it lets a page load, and says of no browser which it is."""
        return f"{self.key_cookie}-visit"

    def cookie(self, name: str, value: str, days: int = 0) -> str:
        """The header that gives a browser a cookie: no script reads it, and no other site has it sent.

        Parameters
        ----------
        days : how long the browser keeps it; 0 until it is closed
        """
        lasting = f"; Max-Age={days * 86_400}" if days else ""
        return f"{name}={value}; Path=/; HttpOnly; SameSite=Strict{'; Secure' if self.secure else ''}{lasting}"


def cookies_of(header: str) -> dict[str, str]:
    """The cookies of a request by name; one that another program wrote, whatever is in it, hides none of the others."""
    from starlette.requests import cookie_parser

    return cookie_parser(header)


@dataclass(frozen=True)
class Proof:
    """Whose tab this is.

    Attributes
    ----------
    browser : the name of the browser in this server's memory; "" for one that keeps nothing
    earlier : its name at a server that ran here before; "" where there was none
    holder : the name that its requests are known by, where it keeps nothing; "" where that is `browser`
    """

    browser: str = ""
    earlier: str = ""
    holder: str = ""


@dataclass(frozen=True)
class Handover:
    """Answer to a page that handed something over.

    Attributes
    ----------
    key : for the cookie
    secret : for the page's own storage
    ticket : for the tab, good for one use
    """

    key: str
    secret: str
    ticket: str


@dataclass
class _Browser:
    """A browser: its name, which is the digest of its secret and its user, and until when which of its keys hold.

    `earlier` is its name at a server before, until a tab has heard of it; `bare` is the user of one that keeps nothing.
    """

    name: str
    key: str
    earlier: str = ""
    bare: str | None = None
    keys: dict[str, float] = field(default_factory=dict)


class Browsers:
    """All browsers of this server.

    Parameters
    ----------
    in_use : whether a browser has work in memory; such a one is never forgotten for the sake of newer ones
    clock : seconds
    """

    def __init__(
        self, in_use: Callable[[str], bool] = lambda name: False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._in_use = in_use
        self._clock = clock
        self._browsers: dict[str, _Browser] = {}
        self._keys: dict[str, _Browser] = {}
        self._visits: dict[str, None] = {}
        self._signed_out: dict[str, None] = {}
        self._tickets: dict[str, tuple[str, str, float]] = {}
        self._lock = threading.Lock()

    def visit(self) -> str:
        """A key for somebody who asks for a page."""
        with self._lock:
            key = new_key()
            put(self._visits, key)
            return key

    def may_load(self, key: str, visit: str) -> bool:
        """True where one of these keys, of a browser or of a visit, is of this server."""
        return visit in self._visits or self.knows(key)

    def knows(self, key: str) -> bool:
        """True where a browser's key is of this server."""
        with self._lock:
            return self._of(key) is not None

    def name_of(self, key: str) -> str:
        """The name of the browser that has this key; "" for none."""
        with self._lock:
            browser = self._of(key)
            return "" if browser is None else browser.name

    def proves(self, key: str, secret: str, user: str = "") -> bool:
        """True where these are the key and the secret of one browser of this user."""
        with self._lock:
            browser = self._of(key)
            return browser is not None and secrets.compare_digest(browser.name, browser_name(secret, user))

    def hand_over(self, key: str, secret: str, user: str = "") -> Handover:
        """Who brings the key and the secret of a browser, as its user, is that browser; anybody else is a new one."""
        with self._lock:
            browser, name = self._of(key), browser_name(secret, user)
            bare = browser is not None and not secret and browser.bare == user
            if browser is not None and (bare or secrets.compare_digest(browser.name, name)):
                if key == browser.key:
                    self._replace_key(browser)
            else:
                unknown = name not in self._browsers and name not in self._signed_out
                earlier = name if unknown and _KEY.fullmatch(secret) else ""
                secret = new_key()
                browser = self._new(browser_name(secret, user))
                browser.earlier = earlier
            ticket = new_key()
            self._tickets[ticket] = (browser.name, user, self._clock() + TICKET)
            while len(self._tickets) > MOST_KEYS:
                del self._tickets[next(iter(self._tickets))]
            return Handover(browser.key, secret, ticket)

    def redeem(self, ticket: str, user: str = "", keeps: bool = True) -> Proof | None:
        """Whose ticket this is; None where it was never given, was another user's, was used, or is too old.

        A browser that `keeps` nothing has no work to come back to; it is known for as long as a tab of it is open.
        """
        with self._lock:
            name, owner, until = self._tickets.pop(ticket, ("", "", 0.0))
            browser = self._browsers.get(name)
            if browser is None or owner != user or self._clock() >= until:
                return None
            if not keeps:
                browser.bare = user
                return Proof(holder=name)
            earlier, browser.earlier = browser.earlier, ""
            return Proof(name, earlier)

    def sign_out(self, name: str) -> None:
        """The keys and the secret of a browser count no more."""
        with self._lock:
            browser = self._browsers.get(name)
            if browser is not None:
                self._forget(browser)
                put(self._signed_out, name)

    def _of(self, key: str) -> _Browser | None:
        browser = self._keys.get(key)
        return browser if browser is not None and self._clock() < browser.keys[key] else None

    def _new(self, name: str) -> _Browser:
        browser = _Browser(name, "")
        self._replace_key(browser)
        self._browsers[name] = browser
        if len(self._browsers) > MOST_KEYS:
            idle = (item for item in self._browsers.values() if item is not browser and not self._in_use(item.name))
            oldest = next(idle, None)
            if oldest is not None:
                self._forget(oldest)
        return browser

    def _replace_key(self, browser: _Browser) -> None:
        now = self._clock()
        if browser.key:
            browser.keys[browser.key] = now + OLD_KEY
        for key in [key for key, until in browser.keys.items() if until <= now]:
            del browser.keys[key], self._keys[key]
        browser.key = new_key()
        browser.keys[browser.key] = float("inf")
        self._keys[browser.key] = browser
        if browser.name in self._browsers:  # the one that was here last is forgotten last
            self._browsers[browser.name] = self._browsers.pop(browser.name)

    def _forget(self, browser: _Browser) -> None:
        del self._browsers[browser.name]
        for key in browser.keys:
            del self._keys[key]


def browser_name(secret: str, user: str = "") -> str:
    """The name of the browser that has this secret, for this user: the secret itself is stored nowhere here."""
    return hashlib.sha256(f"{secret}\0{user}".encode() if user else secret.encode()).hexdigest()


def put(known: dict[str, None], key: str) -> None:
    """Remember a key, and forget the oldest of very many: whoever asks without keeping cookies gets one each time."""
    known.pop(key, None)
    known[key] = None
    while len(known) > MOST_KEYS:
        del known[next(iter(known))]
