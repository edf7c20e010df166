"""Behind a proxy: whose request it is and where it was sent, believed from the proxy alone."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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
from tests.browser.conftest import free_port
from tests.floor.tree import ROOT

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
    """A page that lost its connection names its tab; the proxy says whose page it is."""

    class Nothing:
        has_work, touched = True, 0.0

    remember(Memory()).begin("b", "tab-1", Nothing(), "ada")  # type: ignore[arg-type]
    protocol = (b"sec-websocket-protocol", b"streamlit, token, tab-1")
    eve = (GOOD[0], (b"x-remote-user", b"eve"), *GOOD[2:])
    for headers, closed in ((GOOD, False), (eve, True)):
        answers, given = sent((*headers, protocol), "websocket", "/ward/_stcore/stream")
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


@contextmanager
def served(tmp_path: Path) -> Iterator[int]:
    """The command behind a proxy; its port."""
    file, port = tmp_path / "secret", free_port()
    file.write_text(SECRET)
    options = [
        "--port",
        str(port),
        "--base",
        "/ward",
        "--behind-proxy",
        "X-Remote-User",
        "--proxy-secret-file",
        str(file),
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "dashboard.server.launcher", "--jobs", "1", *options],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"Diptych is at http://127.0.0.1:")
        yield port
    finally:
        process.terminate()
        process.wait(20)


async def proxied(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
    """A small proxy: the user is whom `Authorization: Test NAME` says; all that a browser says of itself it drops."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    given = dict(line.split(": ", 1) for line in head[1:] if line)
    user = given.pop("Authorization").removeprefix("Test ")
    lines = [
        head[0],
        *(f"{name}: {value}" for name, value in given.items() if not name.lower().startswith("x-forwarded")),
    ]
    lines += [f"X-Remote-User: {user}", f"X-Diptych-Proxy-Secret: {SECRET}", "X-Forwarded-Proto: https"]
    lines += [f"X-Forwarded-Host: {given['Host']}", "", ""]
    onward, server = await asyncio.open_connection("127.0.0.1", port)
    server.write("\r\n".join(lines).encode("latin-1"))

    async def copy(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while piece := await source.read(1 << 16):
            target.write(piece)
            await target.drain()
        target.close()

    await asyncio.gather(copy(reader, server), copy(onward, writer), return_exceptions=True)


async def answer(port: int, line: str, user: str, body: bytes = b"", **headers: str) -> tuple[int, dict[str, str], str]:
    """Status, headers and body of a request to a port; of a socket no body is awaited."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    given = {"Host": "ward.example", "Authorization": f"Test {user}", "Content-Length": str(len(body)), **headers}
    given = {name.replace("_", "-"): value for name, value in given.items()}
    if "Upgrade" not in given:
        given["Connection"] = "close"
    writer.write("\r\n".join([f"{line} HTTP/1.1", *(f"{n}: {v}" for n, v in given.items()), "", ""]).encode() + body)
    head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 30)).decode("latin-1").split("\r\n")
    status = int(head[0].split()[1])
    content = b"" if status == 101 else await asyncio.wait_for(reader.read(), 30)
    writer.close()
    return status, dict(item.split(": ", 1) for item in head[1:] if item), content.decode("utf-8", "replace")


async def visit(server: int) -> None:
    """A page, its browser's key and a socket through the proxy; nothing of it without."""
    proxy = await asyncio.start_server(lambda r, w: proxied(r, w, server), "127.0.0.1", 0)
    port = proxy.sockets[0].getsockname()[1]
    origin = "https://ward.example"
    status, headers, page = await answer(port, "GET /ward/", "ada", Accept="text/html")
    assert (status, "<title>" in page) == (200, True)
    assert headers["set-cookie"].startswith(f"__Host-diptych-{server}-ward-visit=")
    post = {"Origin": origin, "Content_Type": "application/json"}
    status, headers, content = await answer(port, "POST /ward/diptych/key", "ada", b'{"secret": ""}', **post)
    cookie, given = headers["set-cookie"].split(";")[0], json.loads(content)
    assert (status, cookie.startswith(f"__Host-diptych-{server}-ward=")) == (200, True)
    mine = json.dumps({"secret": given["secret"]}).encode()
    _, _, again = await answer(port, "POST /ward/diptych/key", "ada", mine, Cookie=cookie, **post)
    assert json.loads(again)["secret"] == given["secret"]
    _, headers, _ = await answer(port, "GET /ward/_stcore/health", "ada", Cookie=cookie)
    assert headers["set-cookie"].startswith("_streamlit_xsrf=")
    assert headers["set-cookie"].endswith("; Secure")
    _, _, stolen = await answer(port, "POST /ward/diptych/key", "eve", mine, Cookie=cookie, **post)
    assert json.loads(stolen)["secret"] != given["secret"]
    socket = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec_WebSocket_Version": "13",
        "Sec_WebSocket_Key": base64.b64encode(b"0" * 16).decode(),
        "Sec_WebSocket_Protocol": "streamlit",
    }
    line = "GET /ward/_stcore/stream"
    assert (await answer(port, line, "ada", Origin=origin, **socket))[0] == 101
    assert (await answer(port, line, "ada", Origin="https://evil.example", **socket))[0] == 403
    assert (await answer(server, line, "ada", Origin=origin, **socket))[0] == 403
    status, _, words = await answer(server, "GET /ward/", "ada", Accept="text/html", X_Remote_User="ada")
    assert (status, words) == (403, "This server is reached through its proxy only.")
    proxy.close()


def test_the_command_through_a_proxy(tmp_path: Path) -> None:
    """Below a base and over TLS, as the proxy says: the page, its key and its socket."""
    begun = time.monotonic()
    with served(tmp_path) as port:
        asyncio.run(visit(port))
    assert time.monotonic() - begun < 120
