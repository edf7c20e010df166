"""What every answer of the server carries: a policy so that a page loads and sends nothing elsewhere, and a cookie."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

from dashboard.server.browsers import Access, cookies_of
from dashboard.server.exchange import LANDING
from dashboard.server.log import Subject, log_action, subject_of
from dashboard.server.memory import memory
from dashboard.server.proxy import user_of

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

HEALTH = "/_stcore/health"
"""Where whoever looks after the server asks whether it answers."""
OPEN = frozenset({HEALTH, "/diptych/landing.js", "/diptych/token"})
"""What a browser gets before it has brought the token of the link."""
BOOT = "/diptych/boot"
"""Where an open page asks whether this is still the server that it came from."""
FOR_PAGES = frozenset({"/_stcore/host-config"})
"""What Streamlit's page asks before anything else."""
FOR_BROWSERS = frozenset({"/diptych/held", "/_stcore/metrics"})
"""Counts of what this server holds."""
UPLOAD = re.compile(r"/_stcore/upload_file/([^/]+)/([^/]+)$")
"""The address of one: its tab, and the id of its file."""
FILES = "/media/"
"""Where files to show and to save are."""
LOCAL_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})

on_duty = False
"""Whether a guard stands before this process's pages; `app.py` shows nothing without."""


def content_security_policy() -> str:
    """The tightest policy under which Streamlit, Plotly and our network component work.

    Scripts come from this server, from the hashed lines of Streamlit's own page, or from a blob (that is
    how Streamlit loads a component's script). Styles are set in-line by Streamlit's style library.
    """
    rules = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", "blob:", "'wasm-unsafe-eval'", *_inline_script_hashes()]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self'",
        "worker-src": "'self' blob:",
        "frame-src": "'self'",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def _inline_script_hashes() -> list[str]:
    import streamlit

    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    scripts = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    return [f"'sha256-{digest}'" for digest in digests]


class Guard:
    """ASGI middleware: security headers on every answer, and no answer to a foreign Host name or to another origin.

    Who asks for a page gets the cookie of a visit, without which the page's own requests are refused; the key of its
    browser it gets later, see `dashboard.server.browsers`.

    Parameters
    ----------
    app : the application behind it
    names : host names that are answered, None for any (a server that others are meant to reach)
    access : who may use the server; where it has a token, only browsers that have brought it get an answer
    """

    def __init__(
        self, app: Application, names: frozenset[str] | None = LOCAL_NAMES, access: Access | None = None
    ) -> None:
        global on_duty
        on_duty = True
        self.app = app
        self.names = names
        self.access = access or Access()
        self.headers = [
            (b"content-security-policy", content_security_policy().encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"x-frame-options", b"DENY"),
            (b"cross-origin-opener-policy", b"same-origin"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        # the scheme as it is served, whatever a request says of it
        scope = {**scope, "scheme": f"{'http' if scope['type'] == 'http' else 'ws'}{'s' if self.access.secure else ''}"}
        if self.access.proxy is not None and scope.get("path") != self.access.base + HEALTH:
            refusal = self.access.proxy.refusal(scope)
            if refusal is not None:
                log_action("refusal", "proxy", Subject())
                await refuse(scope, self._with_headers(send, []), *refusal)
                return
            scope = self.access.proxy.translated(scope)
        refused = self._refusal(scope)
        if refused is not None:
            kind, status, sentence = refused
            log_action("refusal", kind, Subject())
            more = [(b"connection", b"close")] if kind == "length" else []
            await refuse(scope, self._with_headers(send, more), status, sentence)
        elif self._locked(scope):
            await _land(scope, self._with_headers(send, []), self.access.base)
        else:
            await self.app(scope, receive, self._with_headers(send, self._greeting(scope)))

    def _refusal(self, scope: Scope) -> tuple[str, int, str] | None:
        """Kind in the log, status and sentence for a request that is not answered; None for any other."""
        if header(scope, b"content-length") and header(scope, b"transfer-encoding"):
            # where one of two lengths is believed here and the other before here, the rest is a request of its own
            return "length", 400, "Two lengths were said."
        foreign = self.names is not None and _host_name(scope) not in self.names
        # Streamlit would look up its outside address to judge an origin that is not its own; it never sees one.
        if foreign or not same_origin(scope):
            return "host" if foreign else "origin", 421, "This server answers to its own address only."
        if self._locked(scope):  # it gets the landing page, whatever it asks for
            return None
        if self._of_somebody_else(scope):
            return "tab", 403, "This belongs to somebody else."
        return ("browser", 403, "Only for browsers that have opened a page here.") if self._closed(scope) else None

    def _path(self, scope: Scope) -> str:
        """Path asked for, below the base of this server."""
        path: str = scope.get("path", "")
        return path.removeprefix(self.access.base)

    def _keys(self, scope: Scope) -> tuple[str, str]:
        """The keys of the browser and of the visit that a request brings; "" where it brings none."""
        cookies = cookies_of(header(scope, b"cookie"))
        return cookies.get(self.access.key_cookie, ""), cookies.get(self.access.visit_cookie, "")

    def _locked(self, scope: Scope) -> bool:
        """True where a browser has yet to bring the token of the link."""
        if not self.access.token or self._path(scope) in OPEN:
            return False
        return not memory().browsers.knows(self._keys(scope)[0])

    def _closed(self, scope: Scope) -> bool:
        """True where a request asks what this server says to browsers that it knows only."""
        path, (key, visit) = self._path(scope), self._keys(scope)
        if path in FOR_PAGES:
            return not memory().browsers.may_load(key, visit)
        return path in FOR_BROWSERS and not memory().browsers.knows(key)

    def _of_somebody_else(self, scope: Scope) -> bool:
        """True where a page that finds its connection again names a tab of another browser, or a file is one's.

        These addresses are hard to guess and easy to read: in the log of a proxy, on a screen.
        """
        path, browser = self._path(scope), memory().browsers.name_of(self._keys(scope)[0])
        if scope["type"] == "websocket":
            named = header(scope, b"sec-websocket-protocol").split(",")  # Streamlit's own name, its token, the tab
            return len(named) > 2 and not memory().may_take_up(named[2].strip(), browser, user_of(scope))
        upload = UPLOAD.search(path)
        if upload is not None:
            return not memory().is_of(upload[1], browser, user_of(scope))
        return path.startswith(FILES) and not memory().may_load(Path(path).stem, browser)

    def _greeting(self, scope: Scope) -> list[tuple[bytes, bytes]]:
        """The cookie of a visit, for a browser that asks for a page, or whose page outlived a server, and has none.

        It takes nobody's place: a browser does not send its key after a link from elsewhere, and has it all the same.
        """
        if scope["type"] != "http" or scope.get("method") != "GET":
            return []
        if "text/html" not in header(scope, b"accept") and self._path(scope) != BOOT:
            return []
        if memory().browsers.may_load(*self._keys(scope)):
            return []
        return [(b"set-cookie", self.access.cookie(self.access.visit_cookie, memory().browsers.visit()).encode())]

    def _with_headers(self, send: Send, more: list[tuple[bytes, bytes]]) -> Send:
        ours = {name for name, _ in self.headers}

        async def wrapped(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                others = [pair for pair in message.get("headers", []) if pair[0].lower() not in ours]
                message["headers"] = [*(map(_secured, others) if self.access.secure else others), *self.headers, *more]
            await send(message)

        return wrapped


class UploadGate:
    """ASGI middleware: an upload is let in or refused before its body is read, see `dashboard.server.uploads`.

    Parameters
    ----------
    app : the application behind it
    """

    def __init__(self, app: Application) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        match = UPLOAD.search(scope.get("path", "")) if scope["type"] == "http" else None
        if match is None or scope["method"] != "PUT":
            await self.app(scope, receive, send)
            return
        tab, file = match.groups()
        length = header(scope, b"content-length")
        if not length.isdecimal():
            log_action("refusal", "upload", subject_of(tab=tab))
            await refuse(scope, send, 411, "The length of the file has to be said.")
            return
        uploads = memory().uploads
        refusal = uploads.begin(tab, file, int(length))
        if refusal is not None:
            log_action("refusal", "upload", subject_of(tab=tab))
            await refuse(scope, send, *refusal)
            return
        try:
            await self.app(scope, receive, send)
        finally:
            uploads.end(tab, file)


def same_origin(scope: Scope) -> bool:
    """True where a request comes from a page of this server: scheme, host and port, where the browser says so.

    A browser names the origin with every handshake and every sending of data; what names none is no browser.
    """
    origin = header(scope, b"origin").lower()
    scheme = {"ws": "http", "wss": "https"}.get(scope.get("scheme", "http"), scope.get("scheme", "http"))
    return not origin or origin == f"{scheme}://{header(scope, b'host').lower()}"


def _secured(pair: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    """A header; a cookie of Streamlit's own is sent over TLS only too."""
    name, value = pair
    bare = name.lower() == b"set-cookie" and b"; secure" not in value.lower()
    return (name, value + b"; Secure") if bare else pair


def _host_name(scope: Scope) -> str:
    return re.sub(r":\d+$", "", header(scope, b"host")).strip("[]").lower()


def header(scope: Scope, wanted: bytes) -> str:
    """A header of a request; "" where it has none."""
    content: bytes = next((value for name, value in scope["headers"] if name == wanted), b"")
    return content.decode("latin-1")


async def _land(scope: Scope, send: Send, base: str) -> None:
    """The landing page for who asks for a page, in place of all else."""
    page = scope["type"] == "http" and scope.get("method") == "GET" and "text/html" in header(scope, b"accept")
    if not page:
        log_action("refusal", "link", Subject())
        await refuse(scope, send, 403, "This server is opened by its link.")
        return
    body = LANDING.replace("{base}", base).encode()
    head = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": 200, "headers": head})
    await send({"type": "http.response.body", "body": body})


async def refuse(scope: Scope, send: Send, status: int, sentence: str) -> None:
    """Answer with a sentence in place of what was asked for; nothing more of the request is read."""
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    body = sentence.encode()
    head = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": body})
