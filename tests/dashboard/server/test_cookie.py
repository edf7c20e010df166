"""The key of a browser, and who may use it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from dashboard.server.guard import Guard, browser_key, cookie_name, cookies_of, new_key, same_origin, set_cookie
from dashboard.server.memory import memory

PAGE = {"accept": "text/html,*/*"}


def answered(method: str = "GET", kind: str = "http", **headers: str) -> list[dict[str, Any]]:
    """What the guard sends for a request, and whether the application behind it saw one."""
    sent: list[dict[str, Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> dict[str, Any]:
        return {}

    scope = {
        "type": kind,
        "method": method,
        "scheme": "http" if kind == "http" else "ws",
        "headers": [(b"host", b"localhost:8501"), *((name.encode(), one.encode()) for name, one in headers.items())],
    }
    asyncio.run(Guard(app, port=8501)(scope, receive, send))
    return sent


def cookies_in(sent: list[dict[str, Any]]) -> list[str]:
    return [one.decode() for name, one in sent[0].get("headers", []) if name == b"set-cookie"]


def test_a_browser_gets_a_key_with_its_first_page() -> None:
    """No script can read it, no other site sends it, and the server knows that it gave it."""
    (cookie,) = cookies_in(answered(**PAGE))
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    key = browser_key(cookies_of(cookie.split(";")[0]), 8501)
    assert len(key) == 43
    assert memory().met(key)


def test_a_key_stays() -> None:
    """A browser that has one keeps it; one with something else in its place gets a new one."""
    key = new_key()
    assert cookies_in(answered(**PAGE, cookie=f"other=1; diptych-8501={key}")) == []
    for strange in ("diptych-8501=../../etc", "diptych-8501=", f"diptych-8502={key}", "\x00;=;"):
        assert len(cookies_in(answered(**PAGE, cookie=strange))) == 1


def test_only_pages_bring_a_key() -> None:
    """Scripts, pictures and sockets do not."""
    assert cookies_in(answered(accept="*/*")) == []
    assert cookies_in(answered("POST", **PAGE)) == []


def test_keys_are_random_and_ports_have_their_own() -> None:
    assert len({new_key() for _ in range(50)}) == 50
    assert cookie_name(1) != cookie_name(2)
    assert browser_key(cookies_of(set_cookie(new_key(), 1)), 2) == ""


@pytest.mark.parametrize(
    ("origin", "allowed"),
    [
        ("http://localhost:8501", True),
        ("", True),
        ("http://localhost:8502", False),
        ("https://localhost:8501", False),
        ("http://127.0.0.1:8501", False),
        ("http://localhost", False),
        ("http://evil.example", False),
        ("http://localhost:8501.evil.example", False),
        ("null", False),
    ],
)
@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_another_origin_is_refused_before_streamlit_sees_it(origin: str, allowed: bool, kind: str) -> None:
    """Scheme, host and port have to be those of this server."""
    sent = answered(kind=kind, **({"origin": origin} if origin else {}))
    assert (sent[0].get("status") == 200) == allowed
    if not allowed:
        assert sent[0].get("status", 421) == 421
        assert sent[0]["type"] in ("http.response.start", "websocket.close")


def test_a_secure_server_has_a_secure_origin() -> None:
    """Behind a certificate the page's origin is https, of a socket too."""
    headers = [(b"host", b"h:1"), (b"origin", b"https://h:1")]
    assert same_origin({"scheme": "wss", "headers": headers})
    assert not same_origin({"scheme": "ws", "headers": headers})
