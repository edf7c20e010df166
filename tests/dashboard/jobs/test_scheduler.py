"""Sessions take turns, and short work does not wait for the long work of others."""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from dashboard.jobs.job_queue import JobQueue
from dashboard.jobs.runner import LANE_SECONDS, MOST_IN_LANE, Job, JobRunner, Scheduler
from tests.dashboard.jobs import slow_work


@pytest.fixture
def runner() -> Iterator[JobRunner]:
    runner = JobRunner(limit=1)
    yield runner
    runner.close()


def waiting(name: str, owner: str, quiet: bool = False) -> Job:
    """A job as far as turns look at it."""
    return cast(Job, SimpleNamespace(name=name, owner=owner, quiet=quiet, lane=False, elapsed=0.0))


def served(turns: Scheduler, *jobs: Job) -> str:
    """The names of these jobs in the order they begin, each ended before the next begins."""
    for job in jobs:
        turns.add(job)
    names = []
    while (job := turns.next([])) is not None:
        names.append(cast(Any, job).name)
    return " ".join(names)


def test_sessions_take_turns() -> None:
    """A session with many jobs does not go before another's first and second."""
    jobs = [waiting(f"a{i}", "a") for i in range(3)] + [waiting(f"b{i}", "b") for i in range(2)]
    assert served(Scheduler(1), *jobs) == "a0 b0 a1 b1 a2"


def test_what_was_pressed_goes_first() -> None:
    """Of one session's work that which nobody pressed a button for waits; the others' pressed work goes before it."""
    jobs = [waiting("quiet", "a", quiet=True), waiting("pressed", "a"), waiting("other", "b")]
    assert served(Scheduler(1), *jobs) == "pressed other quiet"


def test_the_lane_is_for_sessions_with_nothing_running() -> None:
    """Beside a full house a newcomer's job begins; neither a second one of a busy session nor a quiet one does."""
    turns, long = Scheduler(1), waiting("long", "a")
    turns.add(long)
    running = [turns.next([])]
    for job in (waiting("more", "a"), waiting("quiet", "b", quiet=True)):
        turns.add(job)
    assert turns.next(running) is None  # type: ignore[arg-type]
    turns.add(waiting("short", "b"))
    found = turns.next(running)  # type: ignore[arg-type]
    assert cast(Any, found).name == "short"
    assert cast(Any, found).lane


def test_a_long_job_leaves_the_lane() -> None:
    """The next newcomer begins when the one in the lane is no longer young, up to a number of processes."""
    turns = Scheduler(1)
    running: list[Any] = [waiting("long", "a")]
    for number in range(MOST_IN_LANE + 2):
        turns.add(waiting("new", f"b{number}"))
        if number < MOST_IN_LANE:
            assert turns.next(running[:1] + [one for one in running[1:] if one.elapsed]) is not None
            young: Any = SimpleNamespace(name="new", owner=f"b{number}", quiet=False, lane=True, elapsed=0.0)
            turns.add(waiting("next", "c"))
            assert turns.next([*running, young]) is None
            turns.drop(turns.waiting[-1])
            young.elapsed = LANE_SECONDS
            running.append(young)
    assert turns.next(running) is None


def test_five_long_runs_do_not_delay_anothers_short_one(runner: JobRunner) -> None:
    """One session queues five long runs; another's short run has its answer, while the long one still runs."""
    busy, other, third = JobQueue(runner), JobQueue(runner), JobQueue(runner)
    long = [busy.start(("long", number), slow_work.sleep, 60) for number in range(5)]
    assert long[0].wait(0) is False
    warm = third.start("warm", slow_work.add, 0, 0)  # the first process of a run of the tests is slow to begin
    assert warm.wait(20)
    begin = time.monotonic()
    short = other.start("short", slow_work.add, 2, 3)
    assert short.wait(20)
    assert short.result == 5
    assert short.started is not None
    assert short.started - begin <= 2.0
    assert [one.state for one in long] == ["running", *["queued"] * 4]


def test_a_new_request_withdraws_the_one_before(runner: JobRunner) -> None:
    """What still runs for a place of the pages ends when something else is asked for there; the same again does not."""
    job_queue = JobQueue(runner)
    first = job_queue.start("one", slow_work.sleep, 60, place="page")
    assert job_queue.start("one", slow_work.sleep, 60, place="page") is first
    assert first.active
    elsewhere = job_queue.start("two", slow_work.sleep, 60, place="other page")
    job_queue.start("three", slow_work.sleep, 60, place="page")
    assert first.state == "cancelled"
    assert elsewhere.active
    job_queue.close()
