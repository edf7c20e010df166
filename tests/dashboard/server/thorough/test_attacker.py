"""A server as it is started, and somebody who uses it beside the victim: what parts guard, the whole guards."""

from __future__ import annotations

import http.client
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests
from streamlit.proto.BackMsg_pb2 import BackMsg
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from benchmarks.dashboard.test_clicks import Served
from benchmarks.dashboard.users import User, table_of
from engine.data.reading.limits import MEGABYTE
from tests.browser.conftest import DIPTYCH, server

PIECES, MOST = 30, 100
"""Megabytes of an upload, and of all that the server may hold."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A server of this computer alone, as the command starts it."""
    with server((*DIPTYCH[:2], "--memory", str(MOST), *DIPTYCH[2:])) as where:
        yield where


@pytest.fixture(scope="module")
def users(address: str) -> Iterator[tuple[User, User]]:
    """The victim, with a table open on the data page, and somebody else."""
    victim, other = User(address, 1), User(address, 2)
    victim.drop(table_of(1))
    victim.wait(lambda: "user1_group" in str(victim.elements))
    victim.go("data")
    yield victim, other
    with suppress(WebSocketException, OSError):
        victim.close()
    other.close()


def cookies(user: User) -> str:
    return "; ".join(f"{name}={value}" for name, value in user._http.cookies.get_dict().items())


def send_slowly(user: User, path: str, between: Any = lambda: None) -> int:
    """The status of an upload, as a browser sends it, with a look before every megabyte."""
    start = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n'
    end = b"\r\n--x--\r\n"
    line = http.client.HTTPConnection(urlsplit(user.address).netloc, timeout=60)
    line.putrequest("PUT", path)
    for name, value in {
        "Content-Type": "multipart/form-data; boundary=x",
        "Content-Length": str(len(start) + PIECES * MEGABYTE + len(end)),
        "Origin": user.address,
        "Cookie": cookies(user),
        "X-Xsrftoken": user._xsrf,
    }.items():
        line.putheader(name, value)
    with suppress(ConnectionError):  # it is refused before it has been sent
        line.endheaders()
        for piece in (start, *[b"1" * MEGABYTE] * PIECES, end):
            line.send(piece)
            between()
    status = line.getresponse().status
    line.close()
    return status


def test_uploads_are_asked_for_in_memory_and_limited(address: str, users: tuple[User, User]) -> None:
    """No open file of the process while 30 MB arrive; ids that nobody was given, and what is too much, are refused."""
    victim, other = users
    for tab, refused in ((victim._session, 403), (other._session, 404), ("nobody", 403)):
        assert send_slowly(other, f"/_stcore/upload_file/{tab}/never") == refused
    served = Served()
    served.at(address)
    assert served.clock is not None
    process, seen = ~(served.clock >> 3), set()

    def look() -> None:
        time.sleep(0.005)
        for file in Path(f"/proc/{process}/fd").iterdir():
            with suppress(OSError):
                seen.add(str(file.readlink()))

    look()
    before = set(seen)
    first, second, third = (item.upload_url for item in other.ask_for_uploads("a.csv", "b.csv", "c.csv"))
    assert send_slowly(other, first, look) == 204
    assert before and not [file for file in seen - before if file.startswith(tempfile.gettempdir())]
    assert send_slowly(other, first) == 404
    assert send_slowly(other, second) == 204
    assert send_slowly(other, third) == 413
    held = other._http.get(f"{address}/diptych/held").json()
    assert held["uploads"] >= 2 * PIECES * MEGABYTE
    assert held["bytes"] > 0


def test_a_file_and_a_tab_are_its_browsers(address: str, users: tuple[User, User]) -> None:
    """Who reads their addresses in a log gets neither; their own browser does."""
    victim, other = users
    button = next(e.download_button for e in victim.elements.values() if "Prepared" in e.download_button.label)
    back = BackMsg()
    back.backend_operation_request.request_id = "1"
    back.backend_operation_request.session_id = victim._session
    back.backend_operation_request.deferred_file.file_id = button.deferred_file_id
    response = victim.ask(back, "backend_operation_response").backend_operation_response
    file = f"{address}{response.deferred_file.url}"
    assert b"user1_group" in victim._http.get(file).content
    assert other._http.get(file).status_code == requests.get(file, timeout=60).status_code == 403

    def taken_up(who: str, token: str) -> bool:
        protocols = [Subprotocol(word) for word in ("streamlit", token, victim._session)]
        with suppress(WebSocketException):
            where, origin = f"ws{address[4:]}/_stcore/stream", Origin(address)
            with connect(where, origin=origin, subprotocols=protocols, additional_headers={"Cookie": who}):
                pass
            return True
        return False

    victim._socket.close()
    time.sleep(1)  # until the server knows
    assert not taken_up(cookies(other), other._xsrf)
    assert not taken_up(f"_streamlit_xsrf={other._xsrf}", other._xsrf)
    assert taken_up(cookies(victim), victim._xsrf)


def test_what_leads_elsewhere(address: str, users: tuple[User, User]) -> None:
    """Foreign hosts and origins, addresses that climb, what the server says of itself: nothing."""
    _, other = users
    netloc = urlsplit(address).netloc

    def answer(path: str, **headers: str) -> tuple[int, bytes]:
        line = http.client.HTTPConnection(netloc, timeout=60)
        line.putrequest("GET", path, skip_host="Host" in headers)
        for name, value in headers.items():
            line.putheader(name, value)
        line.endheaders()
        response = line.getresponse()
        content = response.read()
        line.close()
        return response.status, content

    known = cookies(other)
    for host in ("evil.example", f"localhost.evil.example:{netloc[-4:]}", ""):
        assert answer("/", Host=host, Cookie=known)[0] == 421
    for origin in ("http://evil.example", "null", "http://localhost:1"):
        assert answer("/", Origin=origin, Cookie=known)[0] == 421
    climbs = ("/%2e%2e/%2e%2e/etc/passwd", "/../launcher.py", "/..%2flauncher.py", "//etc/passwd")
    for place in ("/diptych", "/media", "/component", "/_stcore/bidi-components", "/static"):
        for climb in climbs:
            status, content = answer(f"{place}{climb}", Cookie=known)
            assert status in (400, 403, 404) or b'<div id="root">' in content, (place, climb)
    for path in ("/diptych/held", "/_stcore/metrics", "/_stcore/host-config"):
        for cookie in ("", f"diptych-{netloc.split(':')[1]}={'A' * 43}"):
            assert answer(path, Cookie=cookie)[0] == 403
