"""What an address names, a tab or a file to save, is opened by the browser that it was made for, and by no other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import streamlit.runtime

from dashboard.server.memory import Memory, memory, remember
from dashboard.session.private_parts import watch_downloads
from tests.dashboard.server.test_cookie import answered


class Work:
    """As much of a session as is looked at."""

    has_work, is_resumable, touched, locked = True, True, 0.0, None


@pytest.fixture
def keys() -> Iterator[dict[str, str]]:
    """The cookies of the browser whose tab is "mine", of another one, of a browser that brings none."""
    before, server = memory(), remember(Memory())
    mine, other = (server.browsers.hand_over("", "").key for _ in range(2))
    server.begin(server.browsers.name_of(mine), "mine", Work())  # type: ignore[arg-type]
    server.begin("", "nobodys", Work())  # type: ignore[arg-type]
    yield {"mine": f"diptych-8501={mine}", "other": f"diptych-8501={other}", "": ""}
    remember(before)


@pytest.mark.parametrize(
    ("tab", "who", "taken"),
    [
        ("mine", "mine", True),
        ("mine", "other", False),
        ("mine", "", False),
        ("nobodys", "other", True),
        ("let-go", "other", True),
        ("", "", True),
    ],
)
def test_a_tab_is_taken_up_by_its_browser(keys: dict[str, str], tab: str, who: str, taken: bool) -> None:
    """Its id stands in the address of each upload, so logs of proxies have it; a lost connection names it."""
    protocol = {"sec-websocket-protocol": f"streamlit, token, {tab}"}
    sent = answered(kind="websocket", path="/_stcore/stream", cookie=keys[who], **protocol)
    assert (sent[0]["type"] != "websocket.close") == taken


class Files:
    """As much of Streamlit's runtime as makes files to save."""

    def __init__(self) -> None:
        self.media_file_mgr = self
        self._deferred_callables = {"asked": {"session_id": "mine"}, "free": {"session_id": "nobodys"}}

    def execute_deferred(self, file_id: str) -> str:
        return f"/media/{file_id}-made.csv"


def test_a_file_to_save_is_of_who_asked_for_it(keys: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """With any ending; where two ask for equal ones both have it; what no tab asked for is the page's own."""
    files: Any = Files()
    monkeypatch.setattr(streamlit.runtime, "get_instance", lambda: files)
    watch_downloads(memory().note_download)
    assert files.execute_deferred("asked") == "/media/asked-made.csv"
    files.execute_deferred("free")

    def status(file: str, who: str) -> int:
        return int(answered(path=f"/media/{file}", cookie=keys[who])[0]["status"])

    for file in ("asked-made.csv", "asked-made", "asked-made.html"):
        assert [status(file, who) for who in keys] == [200, 403, 403], file
    assert status("free-made.csv", "other") == status("icon.svg", "") == 200
    memory().begin(memory().browsers.name_of(keys["other"].split("=")[1]), "asked-too", Work())  # type: ignore[arg-type]
    memory().note_download("asked-made", "asked-too")
    assert [status("asked-made.csv", who) for who in keys] == [200, 200, 403]
