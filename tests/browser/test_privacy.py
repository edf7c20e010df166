"""Nothing leaves this computer, on any page."""

from __future__ import annotations

import http.client
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.browser.conftest import STREAMLIT, Watch, server

pytestmark = pytest.mark.browser


def test_every_answer_carries_the_headers(app_address: str) -> None:
    """Page, script and refusal alike; a foreign host name gets no page."""
    place = urlsplit(app_address)
    for path, host, wanted in (
        ("/", place.netloc, 200),
        ("/diptych/network.js", place.netloc, 200),
        ("/", "evil.example", 421),
    ):
        connection = http.client.HTTPConnection(place.hostname or "", place.port)
        connection.request("GET", path, headers={"Host": host})
        answer = connection.getresponse()
        assert answer.status == wanted
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        connection.close()


def test_streamlit_alone_shows_the_way_to_our_command(open_page: Callable[[str], Any], watch: Watch) -> None:
    """Started by `streamlit run` there is one sentence, and even that asks for nothing outside."""
    with server(STREAMLIT) as address:
        page = open_page(address)
        page.get_by_text("Please start Diptych with its own command, diptych").wait_for()
        page.wait_for_timeout(500)
        assert page.locator("h1").count() == 0
        assert watch.outside() == []
        page.context.close()
