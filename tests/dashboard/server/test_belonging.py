"""What an address names, a tab or a file to save, is opened by the browser that it was made for, and by no other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit.runtime

from dashboard.server.log import Log, open_log
from dashboard.server.memory import Memory, memory, remember
from dashboard.session import private_parts
from dashboard.session.private_parts import watch_media
from tests.dashboard.server.test_cookie import answered


class Work:
    """As much of a session as is looked at."""

    has_work, is_resumable, touched, locked = True, True, 0.0, None


@pytest.fixture
def keys() -> Iterator[dict[str, str]]:
    """The cookies of the browser whose tab is "mine", of another one, of a browser that brings none."""
    before, server = memory(), remember(Memory())
    mine, other, bare = (server.browsers.hand_over("", "").key for _ in range(3))
    server.begin(server.browsers.name_of(mine), "mine", Work())  # type: ignore[arg-type]
    server.begin("", "nobodys", Work())  # type: ignore[arg-type]
    server.begin("", "bare", Work(), holder=server.browsers.name_of(bare))  # type: ignore[arg-type]
    yield {"mine": f"diptych-8501={mine}", "other": f"diptych-8501={other}", "bare": f"diptych-8501={bare}", "": ""}
    remember(before)


@pytest.mark.parametrize(
    ("tab", "who", "taken"),
    [
        ("mine", "mine", True),
        ("mine", "other", False),
        ("mine", "", False),
        ("bare", "bare", True),
        ("bare", "other", False),
        ("nobodys", "other", False),
        ("let-go", "other", True),
        ("", "", True),
    ],
)
def test_a_tab_is_taken_up_by_its_browser(keys: dict[str, str], tab: str, who: str, taken: bool) -> None:
    """Its id stands in the address of each upload, so logs of proxies have it; a lost connection names it."""
    protocol = {"sec-websocket-protocol": f"streamlit, token, {tab}"}
    sent = answered(kind="websocket", path="/_stcore/stream", cookie=keys[who], **protocol)
    assert (sent[0]["type"] != "websocket.close") == taken


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS"])
def test_an_upload_is_of_the_tab_that_asked_for_it(keys: dict[str, str], method: str, tmp_path: Path) -> None:
    """Its address alone, which any log may hold, lets nobody replace or delete a table; who tries is in the log."""
    open_log(Log(tmp_path / "log"))
    for tab, allowed in {"mine": "mine", "bare": "bare", "nobodys": None, "let-go": None}.items():
        for who in keys:
            (start, *_) = answered(method, path=f"/_stcore/upload_file/{tab}/file", cookie=keys[who])
            assert (start["status"] == 200) == (who == allowed), (tab, who)
    open_log(None)
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    assert [(line["action"], line["kind"]) for line in lines] == [("refusal", "tab")] * 14


class Files:
    """As much of Streamlit's runtime as makes files to show and to save."""

    def __init__(self) -> None:
        self.media_file_mgr = self
        self._deferred_callables = {"asked": {"session_id": "mine"}, "free": {"session_id": "nobodys"}}

    def execute_deferred(self, file_id: str) -> str:
        return f"/media/{file_id}-made.csv"

    def add(self, content: bytes) -> str:
        return f"/media/{content.decode()}.png"


def test_a_file_is_of_who_asked_for_it(keys: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """With any ending; where two ask for equal ones both have it; what no tab asked for is nobody's."""
    files: Any = Files()
    monkeypatch.setattr(streamlit.runtime, "get_instance", lambda: files)
    watch_media(memory().note_media)
    assert files.execute_deferred("asked") == "/media/asked-made.csv"
    files.execute_deferred("free")
    monkeypatch.setattr(private_parts, "this_tab", lambda: "bare")
    files.add(b"shown")

    def status(file: str, who: str) -> int:
        return int(answered(path=f"/media/{file}", cookie=keys[who])[0]["status"])

    for file in ("asked-made.csv", "asked-made", "asked-made.html"):
        assert [status(file, who) for who in keys] == [200, 403, 403, 403], file
    assert [status("shown.png", who) for who in keys] == [403, 403, 200, 403]
    assert status("free-made.csv", "other") == status("icon.svg", "") == 403
    memory().begin(memory().browsers.name_of(keys["other"].split("=")[1]), "asked-too", Work())  # type: ignore[arg-type]
    memory().note_media("asked-made", "asked-too")
    assert [status("asked-made.csv", who) for who in keys] == [200, 200, 403, 403]
