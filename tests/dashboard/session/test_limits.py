"""What one user may take of a server that others share, each with a sentence; nothing of it on one's own computer."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress

import pandas as pd
import pytest

from dashboard.jobs.job_queue import JobQueue
from dashboard.jobs.runner import JobRunner
from dashboard.jobs.spending import HOUR, Spending
from dashboard.server.limits import UserLimits
from dashboard.server.log import Subject
from dashboard.server.memory import Memory, memory, remember
from dashboard.server.uploads import MOST_OF_A_USER, Uploads
from dashboard.session import large_tables
from dashboard.session.budget import refuse_more_tables
from dashboard.session.session import Session
from dashboard.views.shared import downloads
from engine import Cancelled, DataError
from tests.dashboard.jobs import slow_work


@pytest.fixture
def shared() -> Iterator[Memory]:
    """A server that others share, on which a user may have two tables, two jobs and a minute."""
    before, known = memory(), Memory(600.0)
    known.limits = UserLimits(sessions=2, jobs=2, cpu_seconds=60)
    yield remember(known)
    remember(before)


def begun(known: Memory, tab: str, user: str = "", browser: str = "b") -> Session:
    """A tab with a table."""
    state = Session()
    known.begin(browser, tab, state, user)
    state.load(pd.DataFrame({"a": [1, 2]}), "a.csv")
    return state


def test_who_answers_for_a_tab(shared: Memory) -> None:
    """The user that the proxy named, in every browser; else the browser; on one's own computer each tab."""
    begun(shared, "one", "ada", "b1")
    begun(shared, "two", "ada", "b2")
    begun(shared, "three", browser="b3")
    assert [shared.owner(tab) for tab in ("one", "two", "three", "none")] == ["ada", "ada", "b3", "none"]
    shared.limits = None
    assert shared.owner("one") == "one"


def test_tables_of_a_user(shared: Memory) -> None:
    """The third one is refused, but not for another user, nor in place of one that is open."""
    first, second = begun(shared, "one", "ada"), begun(shared, "two", "ada")
    third = Session()
    shared.begin("b", "three", third, "ada")
    with pytest.raises(DataError, match="You have 2 tables open in other tabs, which is the limit"):
        refuse_more_tables(third, shared)
    refuse_more_tables(first, shared)
    other = Session()
    shared.begin("b", "four", other, "eve")
    refuse_more_tables(other, shared)
    second.end()
    refuse_more_tables(third, shared)


def test_files_of_a_user(shared: Memory) -> None:
    """Those of all tabs count together; those of others do not."""
    begun(shared, "one", "ada")
    begun(shared, "two", "ada")
    begun(shared, "three", "eve")
    uploads = Uploads(lambda: {"one": MOST_OF_A_USER - 10}, owner=shared.owner)
    for tab in ("two", "three"):
        uploads.issue(tab, ["file", "more"])
    refused = uploads.begin("two", "file", 11)
    assert refused is not None
    assert (refused[0], "Your files take too much memory together" in refused[1]) == (413, True)
    assert uploads.begin("three", "file", 11) is None
    assert uploads.begin("two", "file", 6) is None
    assert uploads.begin("two", "more", 6) is not None
    uploads.end("two", "file")
    assert uploads.begin("two", "more", 6) is None


def test_jobs_of_a_user(shared: Memory) -> None:
    """Sessions of one user count together; what is refused is a failed job, and may be asked for again."""
    runner = JobRunner(limit=1)
    mine, also_mine, other = (JobQueue(runner) for _ in range(3))
    mine.owner = also_mine.owner = "ada"
    running, waiting = mine.start(1, slow_work.sleep, 60), also_mine.start(2, slow_work.add, 1, 2)
    refused = mine.start(3, slow_work.add, 1, 2)
    assert (refused.state, refused.active) == ("failed", False)
    assert (refused.error or "").startswith("You have 2 analyses running or waiting, which is the limit.")
    assert mine.get(3) is refused
    assert other.start(3, slow_work.add, 1, 2).state != "failed"
    running.cancel()
    assert waiting.wait(20)
    again = mine.start(3, slow_work.add, 1, 2)
    assert again.wait(20)
    assert again.result == 3
    runner.close()


def test_what_is_refused_ends_nothing_that_runs(shared: Memory) -> None:
    """Another run in the same place is withdrawn for one that begins, not for one that does not."""
    shared.limits = UserLimits(jobs=1)
    runner = JobRunner(limit=1)
    mine = JobQueue(runner)
    running = mine.start(1, slow_work.sleep, 60, place="page")
    assert mine.start(2, slow_work.add, 1, 2, place="page").state == "failed"
    assert running.active
    shared.limits = UserLimits(jobs=2)
    begun = mine.start(2, slow_work.add, 1, 2, place="page")
    assert not running.active
    assert begun.wait(20)
    runner.close()


def test_a_large_table_that_a_limit_refused_is_looked_at_once_it_may_be(
    shared: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence says to try again, and that then works."""
    monkeypatch.setattr(large_tables, "LARGE_CELLS", 1)
    table = pd.DataFrame({"a": [1, 2]})
    shared.limits = UserLimits(jobs=0)
    with pytest.raises(DataError, match="which is the limit"):
        large_tables.ask_table("Preparing", len, table)
    shared.limits = None
    assert large_tables.ask_table("Preparing", len, table) == 2


def test_seconds_of_a_processor(shared: Memory) -> None:
    """What jobs took counts for an hour, cancelled ones included; then no other begins."""
    runner = JobRunner(limit=1)
    mine = JobQueue(runner)
    mine.owner = "ada"
    spinning = mine.start(1, slow_work.spin)
    while not spinning.fraction:
        spinning.wait(0.02)
    while runner.spent("ada") < 0.4:
        spinning.wait(0.02)
    spinning.cancel()
    while runner.active("ada"):
        spinning.wait(0.02)
    assert 0.01 < runner.spending.of("ada") < 30  # a loaded machine gave it less than the clock says
    runner.spending.add("ada", 60)
    refused = mine.start(2, slow_work.add, 1, 2)
    assert "have taken the 1\u00a0min" in (refused.error or "")
    assert "Try again in" in (refused.error or "")
    shared.limits = None
    assert mine.start(2, slow_work.add, 1, 2).wait(20)
    runner.close()


def test_what_was_taken_is_forgotten_after_an_hour() -> None:
    """Each by itself, and users with nothing left too."""
    now = [0.0]
    spending = Spending(lambda: now[0])
    spending.add("ada", 5)
    now[0] = 100.0
    spending.add("ada", 7)
    spending.add("eve", 1)
    assert (spending.of("ada"), spending.of("eve"), spending.of("bob")) == (12, 1, 0)
    assert spending.free_in("ada") == HOUR - 100
    now[0] = HOUR
    assert spending.of("ada") == 7
    now[0] = HOUR + 100
    spending.add("bob", 1)
    assert set(spending._spent) == {"bob"}
    assert spending.free_in("ada") == 0


def test_what_a_reader_costs_counts(shared: Memory) -> None:
    """A table that is read, one that is refused and one that is stopped: then no more is read for this user."""
    runner = JobRunner(limit=1)
    mine, other = JobQueue(runner), JobQueue(runner)
    content, spent = b"a,b\n" + b"1,2\n" * 300_000, 0.0

    def stop(fraction: float) -> None:
        raise Cancelled("stopped")

    for given, options, error in (
        (content, {}, None),
        (content + b'"1,2', {"encoding": "utf-16"}, DataError),
        (content, {"progress": stop}, Cancelled),
    ):
        with suppress(*([error] if error else [])):
            mine.read_table(given, name="t.csv", **options)
            assert error is None
        assert runner.spent(mine.owner) > spent
        spent = runner.spent(mine.owner)
    shared.limits = UserLimits(cpu_seconds=spent / 2)
    with pytest.raises(DataError, match="Your tables and analyses have taken"):
        mine.read_table(content, name="t.csv")
    assert len(other.read_table(content, name="t.csv")) == 300_000
    runner.close()


def test_what_is_read_and_made_counts(shared: Memory) -> None:
    """A file that is read here, and one that is made to be saved; once all is spent neither is begun."""
    shared.limits = UserLimits(cpu_seconds=0.2)
    runner = JobRunner(limit=1)
    mine, state = JobQueue(runner), Session()
    mine.owner = state.job_queue.owner = "ada"

    def work() -> bytes:
        end = time.thread_time() + 0.25
        while time.thread_time() < end:
            pass
        return b"made"

    with mine.counted():
        work()
    assert runner.spent("ada") >= 0.25
    with pytest.raises(DataError, match="of a processor that each user has"), mine.counted():
        raise AssertionError("it was begun")
    mine.owner = "eve"
    subject = Subject()
    assert downloads._logged("export", "csv", work, subject, mine) == b"made"
    assert runner.spent("eve") >= 0.25
    with pytest.raises(DataError, match="of a processor that each user has"):
        downloads._logged("export", "csv", work, subject, mine)
    runner.close()
