"""Behind a proxy: whose request it is and where it was sent, believed from the proxy alone."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from dashboard.server import launcher
from dashboard.server.browsers import Access, Browsers
from dashboard.server.guard import Guard
from dashboard.server.memory import Memory, remember
from dashboard.server.options import option_parser
from dashboard.server.proxy import USER, Proxy, user_of

SECRET = "a-secret-of-the-proxy-for-tests"  # noqa: S105 - of this test alone
PROXY = Proxy("x-remote-user", SECRET)
ACCESS = Access(8501, secure=True, base="/ward", proxy=PROXY)
GOOD = (
    (b"x-diptych-proxy-secret", SECRET.encode()),
    (b"x-remote-user", b"ada"),
    (b"x-forwarded-proto", b"https"),
    (b"x-forwarded-host", b"ward.example"),
)
PAGE = ((b"host", b"127.0.0.1:8501"), (b"accept", b"text/html"))


def sent(headers: Any, kind: str = "http", path: str = "/ward/") -> tuple[list[dict[str, Any]], list[Any]]:
    """What the guard answers, and what the application behind it was given."""
    answers: list[dict[str, Any]] = []
    given: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        given.append(scope)
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Any) -> None:
        answers.append(message)

    async def receive() -> dict[str, Any]:
        return {}

    scope = {"type": kind, "method": "GET", "path": path, "scheme": "http", "headers": [*PAGE, *headers]}
    asyncio.run(Guard(app, None, ACCESS)(scope, receive, send))
    return answers, given


def test_the_page_sees_what_its_browser_sent() -> None:
    """Host and user as the proxy says them; its secret and its own headers end here; the cookie is one of TLS."""
    answers, (scope,) = sent((*GOOD, (USER, b"eve"), (b"origin", b"https://ward.example")))
    names = [name for name, _ in scope["headers"]]
    assert dict(scope["headers"])[b"host"] == b"ward.example"
    assert [value for name, value in scope["headers"] if name == USER] == [b"ada"]
    assert not {b"x-diptych-proxy-secret", b"x-remote-user"} & set(names)
    assert user_of(scope) == "ada"
    (cookie,) = [value.decode() for name, value in answers[0]["headers"] if name == b"set-cookie"]
    assert cookie.startswith("__Host-diptych-8501-ward-visit=")
    assert {"Secure", "Path=/", "HttpOnly"} <= set(cookie.split("; "))


@pytest.mark.parametrize("name", ["Jörg Österle", "Łukasz", "Αννα", "a%20b", "x,y"])
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_names_are_not_only_latin(name: str, encoding: str) -> None:
    """As the proxy sends them; pages are given them percent-encoded, which a header can hold."""
    with suppress(UnicodeEncodeError):
        sent_name = name.encode(encoding)
        _, (scope,) = sent((GOOD[0], (b"x-remote-user", sent_name), *GOOD[2:]))
        assert user_of(scope) == name
        (value,) = [value for key, value in scope["headers"] if key == USER]
        assert unquote(value.decode("ascii")) == name


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ((), "through its proxy only"),
        (GOOD[1:], "through its proxy only"),
        (((b"x-diptych-proxy-secret", b"wrong"), *GOOD[1:]), "through its proxy only"),
        ((GOOD[0], *GOOD), "through its proxy only"),
        ((GOOD[0], *GOOD[2:]), "named no user"),
        ((*GOOD, (b"X-Remote-User", b"eve")), "named more than one user"),
        ((GOOD[0], (b"x-remote-user", b" "), *GOOD[2:]), "named no user"),
        ((GOOD[0], (b"x-remote-user", b"a\x00"), *GOOD[2:]), "named no user"),
        ((GOOD[0], (b"x-remote-user", b"a" * 201), *GOOD[2:]), "named no user"),
        ((*GOOD[:2], GOOD[3]), "X-Forwarded-Proto has to say https"),
        ((*GOOD[:2], (b"x-forwarded-proto", b"http"), GOOD[3]), "X-Forwarded-Proto has to say https"),
        ((*GOOD, GOOD[2]), "X-Forwarded-Proto has to say https"),
        ((*GOOD, GOOD[3]), "more than one host"),
        ((*GOOD[:3], (b"x-forwarded-host", b"ward.example, evil.example")), "more than one host"),
        ((*GOOD, (b"origin", b"https://evil.example")), "its own address only"),
        ((*GOOD, (b"origin", b"http://ward.example")), "its own address only"),
    ],
)
def test_what_is_refused(headers: Any, words: str) -> None:
    """Each with a sentence, before anything behind the guard sees it; a socket is closed."""
    answers, given = sent(headers)
    assert not given
    assert answers[0]["status"] in (400, 403, 421)
    assert words in answers[1]["body"].decode()
    answers, given = sent(headers, "websocket", "/ward/_stcore/stream")
    assert (answers[0]["type"], given) == ("websocket.close", [])


def test_whether_it_answers_is_said_without_the_proxy() -> None:
    assert sent((), path="/ward/_stcore/health")[0][0]["status"] == 200
    assert sent((), path="/ward/diptych/held")[0][0]["status"] == 403


def test_a_scheme_that_nobody_declared_is_not_believed() -> None:
    """Without a proxy a request may say https as it likes."""
    answers: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        answers.append(scope["scheme"])

    async def send(message: Any) -> None:
        answers.append(message)

    for scheme in ("http", "https"):
        scope = {"type": "http", "method": "GET", "path": "/", "scheme": scheme, "headers": [(b"host", b"localhost")]}
        asyncio.run(Guard(app)(scope, None, send))  # type: ignore[arg-type]
    assert answers == ["http", "http"]


def test_another_users_key_opens_nothing() -> None:
    """Key, secret and ticket of a browser are worth nothing for another user; for its own they are."""
    browsers = Browsers()
    ada = browsers.hand_over("", "", "ada")
    stolen = browsers.hand_over(ada.key, ada.secret, "eve")
    assert stolen.secret != ada.secret
    assert not browsers.proves(ada.key, ada.secret, "eve")
    assert not browsers.proves(ada.key, ada.secret)
    assert browsers.proves(ada.key, ada.secret, "ada")
    assert browsers.redeem(ada.ticket, "eve") is None
    again = browsers.hand_over(ada.key, ada.secret, "ada")
    assert again.secret == ada.secret
    proof = browsers.redeem(again.ticket, "ada")
    assert proof is not None
    other = browsers.redeem(stolen.ticket, "eve")
    assert other is not None
    assert other.browser != proof.browser


def test_another_users_tab_is_not_taken_up_again() -> None:
    """A page that lost its connection names its tab; the proxy says whose page it is, whatever key comes with it."""

    class Nothing:
        has_work, is_resumable, touched = True, True, 0.0

    server = remember(Memory())
    key = server.browsers.hand_over("", "", "ada").key
    server.begin(server.browsers.name_of(key), "tab-1", Nothing(), "ada")  # type: ignore[arg-type]
    protocol = (b"sec-websocket-protocol", b"streamlit, token, tab-1")
    cookie = (b"cookie", f"{ACCESS.key_cookie}={key}".encode())
    eve = (GOOD[0], (b"x-remote-user", b"eve"), *GOOD[2:])
    for headers, closed in ((GOOD, False), (eve, True)):
        answers, given = sent((*headers, protocol, cookie), "websocket", "/ward/_stcore/stream")
        assert (answers[0]["type"] == "websocket.close") == closed
        assert bool(given) != closed
    remember(Memory())


def test_both_options_or_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a proxy is known by belongs to how it names users, and nobody else can reach the server."""
    file = tmp_path / "secret"
    file.write_text(f"{SECRET}\n")
    assert launcher._proxy("127.0.0.1", None, None) is None
    assert launcher._proxy("127.0.0.1", "X-Remote-User", str(file)) == PROXY
    short = tmp_path / "short"
    short.write_text("abc")
    for given, words in (
        (("127.0.0.1", "X-Remote-User", None), "needs both"),
        (("127.0.0.1", None, str(file)), "needs both"),
        (("0.0.0.0", "X-Remote-User", str(file)), "listens on this computer only"),  # noqa: S104 - refused
        (("127.0.0.1", "X-Remote-User", str(tmp_path / "no")), "proxy secret file 'no' cannot be read"),
        (("127.0.0.1", "X-Remote-User", str(short)), "20 to 200 letters"),
    ):
        with pytest.raises(SystemExit):
            launcher._proxy(*given)
        assert words in capsys.readouterr().err
    for name in ("X Remote", "", "X-Diptych-User", "x-diptych-proxy-secret"):
        with pytest.raises(SystemExit):
            option_parser().parse_args(["--behind-proxy", name])
        assert "must be the name of a header" in capsys.readouterr().err


# -- the command itself, through a proxy ------------------------------------------------------------------------------
