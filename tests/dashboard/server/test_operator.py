"""An operator learns which servers run and ends one, without the network."""

from __future__ import annotations

import json
import os
import socket
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from multiprocessing.connection import Client, Listener
from pathlib import Path

import pytest

from dashboard.server import launcher, operator
from dashboard.server.operator import NONE_RUNS, folder, listening

COUNTS = {"sessions": 2, "tables": 1, "results": 0, "jobs": 1, "bytes": 3_000_000, "uploads": 145_728}


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with a short name: that of a socket has at most a hundred letters."""
    with tempfile.TemporaryDirectory(prefix="d") as place:
        monkeypatch.setenv("XDG_STATE_HOME", place)
        yield Path(place)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The command's exit code and words."""
    with pytest.raises(SystemExit) as left:
        launcher.main(arguments)
    out, err = capsys.readouterr()
    return int(left.value.code or 0), (out + err).strip()


def test_without_a_server_there_is_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "status") == run(capsys, "stop") == (1, NONE_RUNS)
    assert run(capsys, "stop", "--port", "7") == (1, "No Diptych of this user runs on port 7.")


def test_a_server_says_what_it_holds(capsys: pytest.CaptureFixture[str]) -> None:
    """Port, path, since when, sessions, jobs, bytes; and nothing once it has ended."""
    with listening({"port": 8501, "base": "/ward"}, lambda: COUNTS, lambda: None):
        code, words = run(capsys, "status")
        assert run(capsys, "status", "--port", "8502")[0] == 1
    assert code == 0
    assert words.startswith("Port 8501, path /ward: since 20")
    assert words.endswith(f", 2 sessions, 1 job, 3.1 MB (process {os.getpid()}).")
    assert list(folder().iterdir()) == []
    assert run(capsys, "status") == (1, NONE_RUNS)


def test_only_its_user_reads_the_secret() -> None:
    """The folder is closed, the note too; and who has another secret gets no answer."""
    ended: list[int] = []
    with listening({"port": 1, "base": ""}, lambda: COUNTS, lambda: ended.append(1)):
        (note,) = folder().glob("*.json")
        assert oct(note.stat().st_mode)[-3:] == "600"
        assert oct(note.parent.stat().st_mode)[-3:] == "700"
        forged = note.with_name("0.json")
        forged.write_text(json.dumps(json.loads(note.read_text()) | {"secret": "0"}))
        assert operator._ask(forged, "stop") is None
        with Client(json.loads(note.read_text())["place"]) as noise:
            noise.send_bytes(b"noise")
        assert operator._ask(note, "status") is not None  # it goes on listening
    assert not ended


def test_what_killed_servers_left_goes(capsys: pytest.CaptureFixture[str]) -> None:
    """A note nobody answers, one that is no note, a socket without a listener."""
    folder().mkdir(parents=True)
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(str(folder() / "1.socket"))
    dead.close()
    (folder() / "1.json").write_text(json.dumps({"place": str(folder() / "1.socket"), "secret": "00"}))
    (folder() / "2.json").write_text("no note")
    assert run(capsys, "status") == (1, NONE_RUNS)
    assert list(folder().iterdir()) == []


def test_which_of_several_is_stopped_has_to_be_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was asked to stop and does not is said to run on."""
    monkeypatch.setattr(operator, "PATIENCE", 0.2)
    ended: list[int] = []
    with ExitStack() as stack:
        for port in (8502, 8501):
            with monkeypatch.context() as patch:
                patch.setattr(os, "getpid", lambda port=port: port)
                stack.enter_context(
                    listening({"port": port, "base": ""}, lambda: COUNTS, lambda port=port: ended.append(port))
                )
        assert run(capsys, "stop") == (1, "2 servers run, on the ports 8501, 8502; choose one with --port.")
        assert ended == []
        assert run(capsys, "stop", "--port", "8502") == (1, "The server on port 8502 has not ended after 0 seconds.")
        assert ended == [8502]


def test_a_folder_that_cannot_be_written_stops_no_server(
    state: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    (state / "diptych").touch()
    with listening({"port": 1, "base": ""}, lambda: COUNTS, lambda: None):
        assert "will not find this server" in caplog.text
    assert run(capsys, "status") == (1, NONE_RUNS)


def test_a_server_that_hangs_is_not_forgotten(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for it for ever, and it is found once it answers."""
    monkeypatch.setattr(operator, "ANSWER", 0.1)
    folder().mkdir(parents=True)
    note, place = folder() / "1.json", str(folder() / "1.socket")
    note.write_text(json.dumps({"place": place, "secret": "00"}))
    with Listener(place):
        assert run(capsys, "status") == (1, "A Diptych of this user does not answer now: process 1.")
    assert note.exists()


def test_a_server_that_fails_once_answers_the_next_time(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever asked meanwhile takes it for silent, not for gone."""
    counts = iter([None, COUNTS])

    def count() -> dict[str, int]:
        result = next(counts)
        if result is None:
            raise RuntimeError("not now")
        return result

    with listening({"port": 1, "base": ""}, count, lambda: None):
        assert run(capsys, "status")[1].startswith("A Diptych of this user does not answer now")
        assert run(capsys, "status")[0] == 0
