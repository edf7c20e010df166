"""The log says who did what on which table, and nothing that a table, a file or a link says."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.server import launcher
from dashboard.server import log as logs
from dashboard.server.browsers import Access
from dashboard.server.faults import report
from dashboard.server.guard import Guard, UploadGate
from dashboard.server.log import MOST_REFUSALS, Log, Subject, log_action, open_log, short_id
from dashboard.server.memory import Memory, memory, remember
from dashboard.server.proxy import Proxy
from dashboard.session.session import Session
from dashboard.views.shared import downloads, foot
from dashboard.views.shared.downloads import logged
from engine import LogLinear

MARK = "Zebra"
"""Stands in everything that a user gives, and in every key."""
TAB = "tab"


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    """A log, and a memory that knows a browser."""
    before = memory()
    remember(Memory())
    open_log(Log(tmp_path / "log.jsonl", lambda: TAB))
    yield tmp_path / "log.jsonl"
    open_log(None)
    remember(before)


def lines(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def table() -> bytes:
    """Names, labels and levels all with the mark."""
    levels = [f"{MARK} no", f"<b>{MARK}</b>", f'{MARK}", "user": "x']
    rows = "".join(f"{levels[i % 2]};{levels[(i // 2) % 2]};{levels[i % 3].replace(';', ',')}\n" for i in range(60))
    return f"{MARK} a;{MARK} b;={MARK}\n{rows}".replace('"', "'").encode()


def in_page(function: Any, state: Session, **given: Any) -> None:
    """Call this as a page would, in a session."""
    at = AppTest.from_function(function, default_timeout=60)
    at.session_state["diptych"], at.session_state["given"] = state, given
    at.run()
    assert not at.exception


def read_file() -> None:
    import streamlit as st

    from dashboard.views.data import source

    source.read(*st.session_state["given"]["file"])


def test_a_session_of_marks_leaves_none_in_the_log(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uploads, runs, what was cancelled or failed, saved, exported, refused, forgotten, faults: each has its line."""
    state = Session()
    memory().begin(MARK, TAB, state)
    in_page(read_file, state, file=(f"{MARK}.csv", table()))
    data = state.dataset
    assert data is not None and f"{MARK} a" in data.names
    done = state.ask(LogLinear(), data).job
    assert done is not None and done.wait(60)
    stopped = state.job_queue.start(f"{MARK} key", LogLinear(criterion="bic").run, data)
    stopped.cancel()
    assert stopped.wait(60)
    failed = state.job_queue.start((MARK,), LogLinear(joint=True).run, f"{MARK} is no data set")
    assert failed.wait(60)
    monkeypatch.setattr(downloads, "session", lambda: state)
    assert logged("export", "csv", MARK.encode())() == MARK.encode()
    assert logged("save", f"{MARK} of a careless caller", lambda: MARK)() == MARK
    in_page(read_file, state, file=(f"{MARK}.pdf", f"%PDF-1.4 {MARK}".encode()))
    sentence = report(ValueError(MARK))
    for name in ("forget_last", "drop_all_values", "sign_out"):
        monkeypatch.setattr(foot, name, lambda *_: None)
    monkeypatch.setattr(foot, "session", lambda: state)
    monkeypatch.setattr(foot, "this_tab", lambda: TAB)
    monkeypatch.setattr(foot, "this_browser", lambda: MARK)
    foot.forget()
    assert MARK.lower() not in file.read_text().lower()
    found = lines(file)
    actions = [(line["action"], line.get("kind", "")) for line in found]
    assert actions == [
        ("upload", "file"),
        ("run", "LogLinear.run"),
        ("cancel", "LogLinear.run"),
        ("failure", "LogLinear.run"),
        ("export", "csv"),
        ("save", ""),
        ("refusal", "file"),
        ("fault", actions[7][1]),
        ("forget", "button"),
    ]
    assert f"(fault {actions[7][1]})" in sentence
    assert {line["user"] for line in found} == {short_id(MARK)}
    tables = [line for line in found if "table" in line]
    assert {line["action"] for line in tables} == {"upload", "run", "cancel", "export", "save", "forget"}
    assert {(line["table"], line["n"], line["p"]) for line in tables} == {
        (data.fingerprint, len(data), len(data.names))
    }
    assert found[1]["seconds"] > 0
    assert all(set(line) <= {"time", "user", "action", "kind", "table", "n", "p", "seconds"} for line in found)


def test_refusals_of_the_server_have_their_kind_and_no_key(file: Path) -> None:
    """A foreign host, another origin, no link, a page that was never opened, an upload nobody asked for."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError("it was let in")

    async def send(message: Any) -> None:
        return None

    async def receive() -> dict[str, Any]:
        return {}

    def ask(where: Any, path: str, method: str = "GET", **headers: str) -> None:
        given = [(name.encode(), value.encode()) for name, value in ({"host": "localhost"} | headers).items()]
        scope = {"type": "http", "method": method, "scheme": "http", "path": path, "headers": given}
        asyncio.run(where(scope, receive, send))

    free, locked = Guard(app), Guard(app, access=Access(1, token=MARK))
    behind = Guard(app, access=Access(1, proxy=Proxy("x-user", "the secret of the proxy")))
    ask(free, f"/{MARK}", host=f"{MARK}.example")
    ask(free, f"/{MARK}", origin=f"http://{MARK}.example")
    ask(locked, f"/{MARK}", cookie=f"diptych-1={MARK}")
    ask(free, "/diptych/held", cookie=f"diptych-0={MARK}")
    ask(behind, f"/{MARK}", **{"x-diptych-proxy-secret": MARK, "x-user": MARK})
    memory().begin(MARK, MARK, Session())
    upload = f"/_stcore/upload_file/{MARK}/{MARK}"
    ask(UploadGate(app), upload, "PUT", **{"content-length": "3"})
    ask(UploadGate(app), upload, "PUT")
    assert MARK not in file.read_text()
    found = [(line["action"], line["kind"], line.get("user", "")) for line in lines(file)]
    mine = short_id(MARK)
    assert found == [
        *(("refusal", kind, "") for kind in ("host", "origin", "link", "browser", "proxy")),
        *[("refusal", "upload", mine)] * 2,
    ]


def test_what_is_no_word_of_ours_has_no_way_in(file: Path) -> None:
    """Even where a caller hands over text of a table."""
    log_action("run", f"{MARK} is a name", Subject("", f"{MARK} is no digest", 3, 2), 0.0)
    (line,) = lines(file)
    assert {name: line[name] for name in line if name != "time"} == {"action": "run", "n": 3, "p": 2, "seconds": 0.0}


def test_whoever_is_refused_fills_no_disk(tmp_path: Path) -> None:
    """A hundred lines a minute; the next minute says how many there were beyond."""
    now = 0.0
    log = Log(tmp_path / "log", clock=lambda: now)
    for _ in range(MOST_REFUSALS + 7):
        log.write("refusal", "host", Subject(), None)
    log.write("run", "x", Subject(), None)
    now = 61.0
    log.write("refusal", "host", Subject(), None)
    log.write("refusal", "host", Subject(), None)
    found = lines(tmp_path / "log")
    assert [line["action"] for line in found] == ["refusal"] * MOST_REFUSALS + ["run", "refusal", "refusal"]
    assert [line.get("left_out") for line in found[-2:]] == [7, None]


def test_the_file_is_its_users_alone_and_may_be_moved_away(tmp_path: Path) -> None:
    """As programs that rotate logs do it; and where it cannot be written, work goes on."""
    file, old = tmp_path / "log", tmp_path / "log.1"
    log = Log(file)
    assert oct(file.stat().st_mode)[-3:] == "600"
    log.write("run", "a", Subject(), None)
    file.rename(old)
    log.write("run", "b", Subject(), None)
    assert [lines(one)[0]["kind"] for one in (old, file)] == ["a", "b"]
    file.unlink()
    file.mkdir()
    log.write("run", "c", Subject(), None)


def test_a_log_that_cannot_be_written_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        launcher.main(["--log", str(tmp_path / "nowhere" / "log")])
    assert left.value.code == 2
    assert capsys.readouterr().err == "The log file 'log' cannot be written.\n"


def test_without_a_log_nothing_is_looked_up() -> None:
    assert logs.subject_of(object()) == Subject()
    log_action("run", "x")


def test_who_signed_in_is_called_as_the_proxy_says(file: Path) -> None:
    memory().begin("browser", TAB, Session(), user="anna")
    log_action("export", "csv")
    assert lines(file)[0]["user"] == "anna"
