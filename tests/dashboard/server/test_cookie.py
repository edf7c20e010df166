"""What the guard gives to who asks for a page, and what it refuses to others."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from dashboard.server.browsers import Access, cookies_of, new_key
from dashboard.server.guard import Guard, same_origin
from dashboard.server.memory import memory

OPEN_TO_ALL = Access(8501)
PAGE = {"accept": "text/html,*/*"}


def answered(
    method: str = "GET", kind: str = "http", path: str = "/", access: Access = OPEN_TO_ALL, **headers: str
) -> list[dict[str, Any]]:
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
        "path": path,
        "scheme": "http" if kind == "http" else "ws",
        "headers": [(b"host", b"localhost:8501"), *((name.encode(), one.encode()) for name, one in headers.items())],
    }
    asyncio.run(Guard(app, access=access)(scope, receive, send))
    return sent


def cookies_in(sent: list[dict[str, Any]]) -> list[str]:
    return [one.decode() for name, one in sent[0].get("headers", []) if name == b"set-cookie"]


def test_a_visit_begins_with_a_page_and_with_nothing_else() -> None:
    """No script can read it, no other site sends it; scripts, pictures and sockets bring none."""
    (cookie,) = cookies_in(answered(**PAGE))
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    assert OPEN_TO_ALL.visit_cookie in cookies_of(cookie.split(";")[0])
    assert cookies_in(answered(**PAGE, cookie=cookie.split(";")[0])) == []
    assert cookies_in(answered(accept="*/*")) == []
    assert len(cookies_in(answered(path="/diptych/boot"))) == 1  # an open page, when the server was started again
    assert cookies_in(answered("POST", **PAGE)) == []


def test_a_cookie_of_another_program_hides_none() -> None:
    """Ports and paths of a host share cookies; some hold quotes, which lists of cookies should not."""
    header = 'prefs={"theme":"dark; x"}; half="; diptych=a; empty; =b'
    assert cookies_of(header)["diptych"] == "a"


def test_a_page_never_replaces_a_key() -> None:
    """A browser sends no key after a link from elsewhere, and comes back to its work all the same."""
    known = memory().browsers.hand_over("", "")
    assert cookies_in(answered(**PAGE, cookie=f"diptych-8501={known.key}")) == []
    for strange in (f"diptych-8501={'A' * 43}", "diptych-8501=../../etc", "\x00;=;", ""):
        (cookie,) = cookies_in(answered(**PAGE, cookie=strange))
        assert cookie.startswith(f"{OPEN_TO_ALL.visit_cookie}=")


def test_what_the_server_says_of_itself_is_for_its_browsers() -> None:
    """How much is held is for browsers that it knows, Streamlit's settings for pages; its health for everybody."""
    (cookie,) = cookies_in(answered(**PAGE))
    visit = cookie.split(";")[0]
    known = f"diptych-8501={memory().browsers.hand_over('', '').key}"
    never = f"diptych-8501={new_key()}; diptych-8501-visit={new_key()}"
    wanted = {
        "/diptych/held": (403, 403, 403, 200),
        "/_stcore/metrics": (403, 403, 403, 200),
        "/_stcore/host-config": (403, 403, 200, 200),
        "/_stcore/health": (200, 200, 200, 200),
    }
    for path, statuses in wanted.items():
        for cookies, status in zip(("", never, visit, known), statuses, strict=True):
            assert answered(path=path, cookie=cookies)[0]["status"] == status, (path, cookies)


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


def test_a_server_with_a_token_answers_nobody_else() -> None:
    """Pages, scripts, sockets, uploads: all but its health and what the landing page needs, until the token came."""
    access = Access(8501, "t" * 43)
    known = f"diptych-8501={memory().browsers.hand_over('', '').key}"
    for cookie in ("", f"diptych-8501={new_key()}", f"diptych-8501-visit={memory().browsers.visit()}"):
        page = answered(**PAGE, cookie=cookie, path="/results", access=access)
        assert (page[0]["status"], b"/diptych/landing.js" in page[1]["body"]) == (200, True)
        assert cookies_in(page) == []
        assert dict(page[0]["headers"])[b"cache-control"] == b"no-store"
        assert b"content-security-policy" in dict(page[0]["headers"])
        for path in ("/", "/diptych/network.js", "/diptych/key", "/diptych/boot", "/diptych/held", "/_stcore/metrics"):
            for method in ("GET", "POST", "PUT"):
                assert answered(method, path=path, cookie=cookie, access=access)[0]["status"] == 403
        socket = answered(kind="websocket", path="/_stcore/stream", cookie=cookie, access=access)
        assert socket[0]["type"] == "websocket.close"
        for path in ("/_stcore/health", "/diptych/landing.js", "/diptych/token"):
            assert answered(path=path, cookie=cookie, access=access)[0]["status"] == 200
    assert answered(path="/diptych/network.js", cookie=known, access=access)[0]["status"] == 200
    assert len(answered(**PAGE, cookie=known, access=access)) == 1


def test_over_tls_cookies_have_the_name_that_nobody_else_can_write() -> None:
    (cookie,) = cookies_in(answered(**PAGE, access=Access(8501, secure=True)))
    assert cookie.startswith("__Host-diptych-8501-visit=")
    assert {"Secure", "HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
    known = memory().browsers.hand_over("", "").key
    for name, status in (("__Host-diptych-8501", 200), ("diptych-8501", 403)):
        sent = answered(path="/diptych/held", cookie=f"{name}={known}", access=Access(8501, secure=True))
        assert sent[0]["status"] == status


def test_below_a_base_the_same_holds() -> None:
    """Its own addresses and Streamlit's; the landing page has its script from there."""
    ward = Access(8501, "t" * 43, base="/ward")
    page = answered(**PAGE, path="/ward/results", access=ward)
    assert b'src="/ward/diptych/landing.js"' in page[1]["body"]
    assert answered(path="/ward/diptych/landing.js", access=ward)[0]["status"] == 200
    assert answered(path="/ward/diptych/network.js", access=ward)[0]["status"] == 403
    free, known = Access(8501, base="/ward"), memory().browsers.hand_over("", "").key
    assert answered(path="/ward/diptych/held", access=free)[0]["status"] == 403
    assert answered(path="/ward/diptych/held", access=free, cookie=f"diptych-8501={known}")[0]["status"] == 403
    assert answered(path="/ward/diptych/held", access=free, cookie=f"diptych-8501-ward={known}")[0]["status"] == 200


def test_a_request_of_two_lengths_ends_its_connection() -> None:
    """A proxy that believed the other one would take the rest of it for the next request of somebody else."""
    (start, _) = answered("POST", **{"content-length": "5", "transfer-encoding": "chunked"})
    assert start["status"] == 400
    assert (b"connection", b"close") in start["headers"]
    assert answered("POST", **{"content-length": "5"})[0]["status"] == 200
