"""Uploads: refused before a byte is read, where nobody asked for them or they do not fit; and never on the disk."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import streamlit.runtime
from starlette.formparsers import MultiPartParser
from starlette.requests import Request

from dashboard.server import memory
from dashboard.server.guard import UploadGate
from dashboard.server.memory import Memory
from dashboard.server.uploads import MOST_IDS, MOST_OF_A_USER, Uploads
from dashboard.session import private_parts
from dashboard.session.private_parts import keep_uploads_in_memory, stored_uploads, watch_uploads

MEGABYTE = 1024 * 1024


class Held:
    """Files as Streamlit holds them."""

    def __init__(self) -> None:
        self.sizes: dict[str, int] = {}

    def __call__(self) -> dict[str, int]:
        return self.sizes


@pytest.fixture
def held() -> Held:
    return Held()


@pytest.fixture
def server(held: Held) -> Iterator[Memory]:
    """A server that may hold a gigabyte."""
    before = memory.memory()
    yield memory.remember(Memory(most=1000 * MEGABYTE, uploaded=held))
    memory.remember(before)


def put(tab: str, file: str, length: object, held: Held, method: str = "PUT") -> tuple[int, int]:
    """The status of an upload, and how often its body was asked for."""
    sent: list[Any] = []
    reads = 0

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        held.sizes[tab] = held.sizes.get(tab, 0) + int(length)  # type: ignore[call-overload]
        await send({"type": "http.response.start", "status": 204, "headers": []})

    async def receive() -> dict[str, Any]:
        nonlocal reads
        reads += 1
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    headers = [] if length is None else [(b"content-length", str(length).encode())]
    scope = {"type": "http", "method": method, "path": f"/_stcore/upload_file/{tab}/{file}", "headers": headers}
    asyncio.run(UploadGate(app)(scope, receive, send))
    return sent[0]["status"], reads


def test_ids_that_were_never_given_out_are_refused_unread(server: Memory, held: Held) -> None:
    """Of another tab, of nobody, and one that had its file already."""
    server.uploads.issue("tab", ["one", "two"])
    for tab, file in (("tab", "three"), ("other", "one"), ("nobody", "nothing")):
        assert put(tab, file, 10, held) == (404, 0)
    assert put("tab", "one", 10, held) == (204, 1)
    assert put("tab", "one", 10, held) == (404, 0)
    server._let_go("tab")
    assert put("tab", "two", 10, held) == (404, 0)


def test_a_length_has_to_be_said(server: Memory, held: Held) -> None:
    """In pieces without one nobody knows what comes."""
    server.uploads.issue("tab", ["one"])
    for length in (None, "", "x", "-5", "1e3"):
        assert put("tab", "one", length, held) == (411, 0)
    assert put("tab", "one", 10, held, "DELETE") == (204, 1)


def test_seven_uploads_of_150_mb(server: Memory, held: Held) -> None:
    """Two fit in a tab, and no more into the whole server than it may hold, each counted twice while it arrives."""
    ids = [str(number) for number in range(7)]
    server.uploads.issue("tab", ids)
    statuses = [put("tab", file, 150 * MEGABYTE, held) for file in ids]
    assert statuses == [(204, 1)] * 2 + [(413, 0)] * 5
    for tab in ("second", "third", "fourth", "fifth"):
        server.uploads.issue(tab, ["file"])
    statuses = [put(tab, "file", 150 * MEGABYTE, held) for tab in ("second", "third", "fourth", "fifth")]
    assert statuses == [(204, 1)] * 3 + [(413, 0)]
    assert server.uploads.total == 750 * MEGABYTE
    held.sizes.clear()
    assert put("fifth", "file", 150 * MEGABYTE, held) == (204, 1)


def test_what_is_still_arriving_counts() -> None:
    """Side by side they take what they would take one after the other; what ends early leaves its place."""
    uploads = Uploads(most=1000)
    uploads.issue("tab", "abcd")
    assert uploads.begin("tab", "a", 300) is None
    assert uploads.begin("tab", "b", 300) is not None
    assert uploads.begin("tab", "b", 200) is None
    uploads.end("tab", "a")
    assert uploads.begin("tab", "c", 300) is None
    assert Uploads(everything=lambda: 900, most=1000).begin("tab", "a", 1) is not None
    alone = Uploads()
    alone.issue("tab", "ab")
    assert alone.begin("tab", "a", MOST_OF_A_USER) is None
    assert alone.begin("tab", "b", 1) is not None
    alone.issue("tab", map(str, range(MOST_IDS)))
    assert len(alone._ids["tab"]) == MOST_IDS


class Files:
    """As much of Streamlit's runtime as knows of files."""

    def __init__(self) -> None:
        self.uploaded_file_mgr = self
        self.file_storage = {"tab": {"one": self, "two": self}, "empty": {}}
        self.data = b"12345"
        self.file_id = "id"

    def get_upload_urls(self, session_id: str, file_names: list[str]) -> list[Files]:
        return [self for _ in file_names]


def test_streamlit_says_which_ids_it_gives_and_what_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    files, uploads = Files(), Uploads()
    assert stored_uploads() == {}
    monkeypatch.setattr(streamlit.runtime, "exists", lambda: True)
    monkeypatch.setattr(streamlit.runtime, "get_instance", lambda: files)
    assert stored_uploads() == {"tab": 10, "empty": 0}
    watch_uploads(uploads)
    assert files.get_upload_urls("tab", ["a.csv"]) == [files]
    assert uploads.begin("tab", "id", 1) is None


def test_a_large_upload_never_comes_on_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """30 MB as a browser sends them: no file of the temporary folder is open while they arrive, nor afterwards."""
    monkeypatch.setattr(MultiPartParser, "spool_max_size", MEGABYTE)
    assert arriving_files()
    keep_uploads_in_memory()
    assert arriving_files() == set()
    assert MultiPartParser.spool_max_size > private_parts.MOST_MEGABYTES * MEGABYTE


def arriving_files() -> set[str]:
    """The temporary files that are open while an upload of 30 MB arrives."""
    before, seen, left = temporary_files(), set(), 30
    start = b'--x\r\nContent-Disposition: form-data; name="f"; filename="a.csv"\r\n\r\n'

    async def receive() -> dict[str, Any]:
        nonlocal left
        seen.update(temporary_files() - before)
        left -= 1
        body = (start if left == 29 else b"") + b"1" * MEGABYTE if left >= 0 else b"\r\n--x--\r\n"
        return {"type": "http.request", "body": body, "more_body": left >= 0}

    async def sent() -> None:
        headers = [(b"content-type", b"multipart/form-data; boundary=x")]
        async with Request({"type": "http", "method": "PUT", "headers": headers}, receive).form() as form:
            seen.update(temporary_files() - before)
            assert len(await form["f"].read()) == 30 * MEGABYTE  # type: ignore[union-attr]

    asyncio.run(sent())
    return seen


def temporary_files() -> set[str]:
    """Open files of this process in the temporary folder, those without a name too."""
    names = set()
    for number in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the one that lists them is closed by now
            names.add(f"{number.name} {number.readlink()}")
    return {name for name in names if tempfile.gettempdir() in name}
