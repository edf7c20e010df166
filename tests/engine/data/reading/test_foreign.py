"""A reader may die of what it reads, sleep, swell or lie: the program that asked hears a sentence."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from engine.data.reading import foreign
from engine.data.reading.foreign import READERS, last_read, read_foreign
from engine.data.reading.limits import MEGABYTE, Limits
from engine.data.reading.read import read_table
from engine.errors import Cancelled, DataError
from engine.worker import host

JOBS = "tests.engine.data.reading.foreign_jobs:"
ROOT = Path(__file__).parents[4]
SMALL = b"a,b\nx,1\ny,2\n"
OWN = 250 * MEGABYTE
"""More than the libraries take with which a reader begins."""


def do(job: str, data: bytes = b"", limits: Limits | None = None, **options: Any) -> Any:
    """Run a job of the tests; what it says."""
    return read_foreign(JOBS + job, data, options, limits or Limits())[1]


@pytest.mark.parametrize(
    ("job", "limits", "words"),
    [
        ("swell", Limits(memory_bytes=200 * MEGABYTE), ("workbook takes more than the 200 MB", "CSV")),
        ("abort", Limits(), ("workbook takes more than the 2,000 MB", "CSV")),
        ("spin", Limits(seconds=1), ("workbook takes more than 1 seconds", "CSV")),
        ("crash", Limits(), ("SPSS file ended its reader", "damaged", "CSV")),
        ("odd", Limits(), ("ZeroDivisionError", "CSV")),
    ],
)
def test_every_death_is_a_sentence(job: str, limits: Limits, words: tuple[str, ...]) -> None:
    """Memory, time, a crash and the unforeseen, each with its remedy; the next read is none the worse."""
    with pytest.raises(DataError) as caught:
        do(job, limits=limits)
    assert all(one in str(caught.value) for one in words)
    assert len(read_table(SMALL)) == 2


def test_memory_is_bounded_by_the_system() -> None:
    """The peak of a reader that swells stays within what it may take, and is told."""
    with pytest.raises(DataError):
        do("swell", limits=Limits(memory_bytes=300 * MEGABYTE))
    used = last_read()
    assert used is not None and 200 * MEGABYTE < used.peak_bytes < 300 * MEGABYTE + OWN


def test_a_reader_that_sleeps_is_ended_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """No processor is used, so only the clock can tell."""
    monkeypatch.setattr(foreign, "PATIENCE", -5)
    with pytest.raises(DataError, match="takes more than 1 seconds"):
        do("sleep", limits=Limits(seconds=1), seconds=600)


def test_a_refusal_arrives_with_its_place() -> None:
    """Text, column and row."""
    with pytest.raises(DataError, match=r"^It is so\.$") as caught:
        do("refuse")
    assert (caught.value.column, caught.value.row) == ("dose", 7)


@pytest.mark.parametrize("letter", "pkfced?")
@pytest.mark.parametrize("said", [b"", b"[]", b"{}", b"{", b"\xff" * 50, pickle.dumps(print), b'{"facts": 3}'])
def test_what_a_reader_says_is_never_run(letter: str, said: bytes) -> None:
    """A reader under the control of a file may say anything; it ends in a sentence or in nothing."""
    try:
        do("lie", said, letter=letter)
    except DataError as error:
        assert str(error).endswith(".")


def test_a_message_longer_than_memory_is_not_awaited() -> None:
    """Its length is looked at before room is made."""
    with pytest.raises(DataError, match="takes more than"):
        do("claim")


def test_readers_are_children_of_one_resident_process_with_one_thread() -> None:
    """One process is kept, which forks; a fork is safe only from one thread, and has nothing of ours open."""
    secret = os.open(os.devnull, os.O_RDONLY)
    os.set_inheritable(secret, True)
    first, second = do("echo"), do("echo")
    os.close(secret)
    assert first["parent"] == second["parent"] and first["pid"] != second["pid"]
    assert len(list(Path(f"/proc/{first['parent']}/task").iterdir())) == 1
    assert first["open"] <= 6


def test_reads_at_the_same_time_run_at_the_same_time() -> None:
    """Four sleepers are not four times as long in line: all live at one moment."""
    meeting = threading.Barrier(4)
    alive: list[set[str]] = []

    def one(_: int) -> int:
        def seen(fraction: float) -> None:
            if not met:
                met.append(1)
                meeting.wait(20)
                alive.append(set())

        met: list[int] = []
        return int(read_foreign(JOBS + "sleep", b"", {"seconds": 0.5}, Limits(), seen)[1]["pid"])

    with ThreadPoolExecutor(4) as pool:
        pids = list(pool.map(one, range(4)))
    assert len(set(pids)) == 4 and len(alive) == 4


def test_progress_is_told_and_stops_the_work() -> None:
    """Fractions never fall; what the callback raises goes on, even of a sort that reading raises itself."""
    told: list[float] = []
    read_foreign(JOBS + "steps", b"", {}, Limits(), told.append)
    assert told == sorted(told) and told[-1] == 1.0 and len({*told}) >= 3
    for kind in (Cancelled, ValueError, OSError, KeyError, DataError):

        def stop(fraction: float, kind: type[Exception] = kind) -> None:
            raise kind("enough")

        with pytest.raises(kind, match="enough"):
            read_foreign(JOBS + "sleep", b"", {}, Limits(), stop)


def test_a_cancelled_reader_is_gone() -> None:
    """The process does not go on working for nobody."""

    def stop(fraction: float) -> None:
        raise Cancelled

    before = do("echo")["parent"]
    with pytest.raises(Cancelled):
        read_foreign(JOBS + "sleep", b"", {}, Limits(), stop)
    assert gone(lambda: not children(before))


def test_a_table_tells_how_far_it_is() -> None:
    """Text by its bytes."""
    told: list[float] = []
    read_table(b'a,b\n"x\ny",1\n' + b"x,1\ny,2\n" * 60_000, progress=told.append)
    assert told == sorted(told) and told[-1] == 1.0 and any(0 < one < 1 for one in told)


def test_the_resident_process_is_started_again() -> None:
    """Somebody ends it; the next read does not notice."""
    before = do("echo")["parent"]
    os.kill(before, signal.SIGKILL)
    assert len(read_table(SMALL)) == 2
    assert do("echo")["parent"] != before


def test_a_resident_process_that_cannot_start_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no fault of the file, and is not said to be one."""
    READERS.stop()
    with monkeypatch.context() as broken, pytest.raises(DataError, match="cannot be started"):
        broken.setattr(host, "_HOST", "raise SystemExit")
        read_table(SMALL)
    READERS.stop()
    assert len(read_table(SMALL)) == 2


def test_a_fork_of_the_program_has_a_resident_process_of_its_own() -> None:
    """Two programs on one line would take each other's answers."""
    ours = do("echo")["parent"]
    heard, said = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(said, str(do("echo")["parent"]).encode())
            READERS.stop()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert int(os.read(heard, 20)) not in (0, ours)
    os.close(heard)
    os.close(said)
    assert do("echo")["parent"] == ours


PROGRAM = """
import os, sys
print("once", flush=True)
import engine
table = engine.read_table(b"a,b\\nx,1\\ny,2\\n")
from engine.data.reading.foreign import READERS
print(len(table), READERS.process.pid, flush=True)
os.kill(os.getpid(), 9)
"""


def test_a_script_without_a_main_guard_runs_once_and_leaves_nothing(tmp_path: Path) -> None:
    """The script is not imported again by its readers; when it is killed, they end."""
    script = tmp_path / "script.py"
    script.write_text(PROGRAM)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=environment, check=False)
    lines = done.stdout.split("\n")
    assert lines[0] == "once" and lines[1].startswith("2 ") and done.stdout.count("once") == 1
    pid = int(lines[1].split()[1])
    assert gone(lambda: not alive(pid))


def test_importing_starts_nothing() -> None:
    """No process before the first read."""
    code = (
        "import engine, engine.data.reading.read as r; from engine.data.reading.foreign import READERS;"
        "print(READERS.process)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout == "None\n"


def test_a_system_without_forks_reads_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh process for each read gives the same table, the same sentences and the same deaths."""
    usual = read_table(SMALL)
    monkeypatch.setattr(READERS, "forks", False)
    pd.testing.assert_frame_equal(read_table(SMALL), usual)
    with pytest.raises(DataError, match="SPSS file ended its reader"):
        do("crash")
    monkeypatch.setattr(foreign, "PATIENCE", -4)
    with pytest.raises(DataError, match="takes more than 1 seconds"):
        do("sleep", limits=Limits(seconds=1), seconds=600)


def test_a_reader_writes_no_file(tmp_path: Path) -> None:
    """Nothing of a table is written to a disk, by mistake or by a file's will."""
    path = tmp_path / "x"
    with pytest.raises(DataError):
        do("write", path=str(path))
    assert path.stat().st_size == 0


def gone(reached: Any) -> bool:
    """Whether it comes about within ten seconds."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        if reached():
            return True
        time.sleep(0.02)
    return False


def alive(pid: int) -> bool:
    """Whether a process runs (one that waits to be buried does not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def children(pid: int) -> str:
    """The processes that a process has started."""
    return Path(f"/proc/{pid}/task/{pid}/children").read_text()


def test_a_reader_that_was_killed_is_said_to_be_so() -> None:
    """By whom and why nobody knows, so no cause is named; what a reader says of its memory is."""
    killed = foreign.of_death(host.Ending(code=-signal.SIGKILL), "text table", Limits())
    assert str(killed).startswith("The process that read this text table was killed from outside. Try again.")
    assert "2,000 MB" in str(
        foreign.of_death(host.Ending(code=-signal.SIGABRT, words="bad_alloc"), "text table", Limits())
    )
