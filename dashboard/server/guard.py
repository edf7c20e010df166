"""What every answer of the server carries so that a page can neither load nor send anything elsewhere."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Awaitable, Callable, MutableMapping
from pathlib import Path
from typing import Any

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

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
    digests = (base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in scripts)
    return [f"'sha256-{digest}'" for digest in digests]


class Guard:
    """ASGI middleware: security headers on every answer, and no answer to a foreign Host name.

    Parameters
    ----------
    app : the application behind it
    names : host names that are answered, None for any (a server that others are meant to reach)
    """

    def __init__(self, app: Application, names: frozenset[str] | None = LOCAL_NAMES) -> None:
        global on_duty
        on_duty = True
        self.app = app
        self.names = names
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
        guarded = self._with_headers(send)
        if self.names is not None and _host_name(scope) not in self.names:
            await _refuse(scope, guarded)
            return
        await self.app(scope, receive, guarded)

    def _with_headers(self, send: Send) -> Send:
        ours = {name for name, _ in self.headers}

        async def wrapped(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                others = [pair for pair in message.get("headers", []) if pair[0].lower() not in ours]
                message["headers"] = [*others, *self.headers]
            await send(message)

        return wrapped


def _host_name(scope: Scope) -> str:
    host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1")
    return re.sub(r":\d+$", "", host).strip("[]").lower()


async def _refuse(scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    body = b"This server answers to its own address only."
    head = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 421, "headers": head})
    await send({"type": "http.response.body", "body": body})
