"""The server and every process that it begins reach no other machine, whatever is asked of them."""

from __future__ import annotations

import http.client
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browser.heard import outside

pytestmark = pytest.mark.browser

TABLE = b"sex;pain\n" + b"f;none\nm;mild\nf;severe\nm;none\n" * 10


def handshake(address: str, origin: str) -> int:
    """A socket asked for by a page of this origin; the answer's status."""
    place = urlsplit(address)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=10)
    head = {
        "Host": place.netloc,
        "Origin": origin,
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Protocol": "streamlit",
    }
    connection.request("GET", "/_stcore/stream", headers=head)
    status = connection.getresponse().status
    connection.close()
    return status


def test_the_hook_hears() -> None:
    """A foreign address in the list is found, in each of the ways there are to reach one."""
    lines = ["socket.connect tuple 8.8.8.8", "socket.getaddrinfo str example.org", "urllib.Request str http://a.b"]
    assert outside([*lines, "socket.connect str /tmp/x", "socket.getaddrinfo str localhost"]) == lines


def test_nothing_is_asked_of_another_machine(open_page: Callable[[str], Any], app_address: str, heard: Path) -> None:
    """An upload, an analysis, and handshakes that are refused: no address but this machine's.

    `test_privacy` asks it of every page, and `app_address` of all that tests do there, until the server has ended.
    """
    port = urlsplit(app_address).port
    foreign = ("http://evil.example", f"http://evil.example:{port}", "null", "http://127.0.0.1:1")
    assert [handshake(app_address, one) for one in foreign] == [403] * len(foreign)
    page = open_page(f"{app_address}/data")
    page.locator("input[type=file]").first.set_input_files({"name": "t.csv", "mimeType": "text/csv", "buffer": TABLE})
    page.get_by_text("40 rows").first.wait_for()
    page.get_by_role("link", name="Associations").first.click()
    page.get_by_role("button", name="Find the links").first.click()
    page.get_by_text("Results so far").wait_for()
    assert handshake(app_address, foreign[0]) == 403
    page.wait_for_timeout(2500)  # a round of the look at tabs that have gone
    lines = heard.read_text(encoding="utf-8").splitlines()
    assert sum(line.startswith("began ") for line in lines) >= 2, "not every process was listened to"
    assert outside(lines) == []
