"""A large file read beside the page: progress, the table, a refusal, an end by hand."""

from __future__ import annotations

import threading
import time
from typing import Any

import pandas as pd
import pytest

from dashboard.jobs import reading as module
from dashboard.jobs.reading import Reading
from engine.errors import DataError

CSV = b"a,b\n" + b"".join(b"%d,%d\n" % (i, i % 7) for i in range(2000))


def test_it_becomes_a_table() -> None:
    """What `read_table` would give, with the arguments that were given."""
    one = Reading("some.csv", CSV, {"missing": ["3"]})
    assert one.wait(60)
    assert (one.state, one.error, one.fraction) == ("done", "", 1.0)
    assert one.table is not None
    assert one.table.shape == (2000, 2)
    assert one.table["b"].isna().sum() == sum(i % 7 == 3 for i in range(2000))


def test_a_refusal_is_a_sentence() -> None:
    """What the reader refuses is told as it says it."""
    one = Reading("bad.csv", b"a,b\n1,2\n1,2,3\n", {})
    assert one.wait(60)
    assert one.state == "failed"
    assert one.table is None
    assert "bad.csv" in one.error or "line" in one.error.lower()


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """A reader that says it is at half, waits to be let on, and says it again."""
    on = threading.Event()

    def read(content: bytes, *, name: str, progress: Any) -> pd.DataFrame:
        progress(0.5)
        assert on.wait(60)
        progress(0.25)
        return pd.DataFrame({"a": [1]})

    monkeypatch.setattr(module, "read_table", read)
    return on


def test_it_can_be_stopped(slow: threading.Event) -> None:
    """Where it reports next it ends, without a table; so it does when its session ends."""
    one, other = Reading("a.csv", b"", {}), Reading("b.csv", b"", {})
    assert one.active
    one.cancel()
    other.let_go()
    slow.set()
    assert one.wait(60)
    assert other.wait(60)
    assert (one.state, one.table, other.state) == ("cancelled", None, "cancelled")


def test_progress_never_goes_back(slow: threading.Event) -> None:
    """It stays where it was."""
    one = Reading("a.csv", b"", {})
    assert one.seconds_left is None
    slow.set()
    assert one.wait(60)
    assert one.fraction == 0.5


def test_time_left_is_that_of_its_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """At their pace while it is read; none once it has ended."""
    read, on = threading.Event(), threading.Event()

    def slowly(content: bytes, *, name: str, progress: Any) -> pd.DataFrame:
        for step in range(6):
            progress(step / 10)
            time.sleep(0.3)
        read.set()
        assert on.wait(60)
        return pd.DataFrame({"a": [1]})

    monkeypatch.setattr(module, "read_table", slowly)
    one = Reading("a.csv", b"", {})
    assert read.wait(60)
    assert one.seconds_left == pytest.approx(1.2, abs=0.25)
    on.set()
    assert one.wait(60)
    assert one.seconds_left is None


@pytest.mark.parametrize(("fault", "words"), [(DataError("No."), "No."), (KeyError("x"), "Something went wrong")])
def test_whatever_happens_it_ends(monkeypatch: pytest.MonkeyPatch, fault: Exception, words: str) -> None:
    """A page that waits for it is never left waiting."""

    def read(*_: object, **__: object) -> pd.DataFrame:
        raise fault

    monkeypatch.setattr(module, "read_table", read)
    one = Reading("a.csv", b"", {})
    assert one.wait(60)
    assert one.state == "failed"
    assert one.error.startswith(words)
