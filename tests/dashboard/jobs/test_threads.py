"""The processors of the machine, divided among the jobs that run."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from dashboard.jobs import process
from dashboard.jobs.runner import Job, JobRunner
from engine import execution
from tests.dashboard.jobs import slow_work
from tests.dashboard.jobs.test_runner import until

Made = Callable[..., JobRunner]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[Made]:
    """A way to make runners that are closed at the end; nothing from outside bounds the threads."""
    monkeypatch.delenv("DIPTYCH_THREADS", raising=False)
    runners: list[JobRunner] = []

    def make(**settings: Any) -> JobRunner:
        runners.append(JobRunner(**settings))
        return runners[-1]

    yield make
    for runner in runners:
        runner.close()


def say(*jobs: Job) -> list[str]:
    return [job.words for job in jobs]


def test_a_job_that_is_alone_has_all_and_gives_way(made: Made) -> None:
    """Five processors: 5, then 3 and 2, then 2, 2 and 1, and back when the others end; jobs see it while they run."""
    runner = made(limit=3, cores=5)
    jobs = [runner.submit(0, slow_work.tell_threads)]
    until(lambda: say(*jobs) == ["5"])
    jobs.append(runner.submit(1, slow_work.tell_threads))
    until(lambda: say(*jobs) == ["3", "2"])
    jobs.append(runner.submit(2, slow_work.tell_threads))
    until(lambda: say(*jobs) == ["2", "2", "1"])
    waiting = runner.submit(3, slow_work.add, (1, 2))
    assert waiting.state == "queued"
    assert waiting.threads == 1
    waiting.cancel()
    jobs[0].cancel()
    until(lambda: say(*jobs[1:]) == ["3", "2"])
    jobs[2].cancel()
    until(lambda: say(jobs[1]) == ["5"])


def test_what_nobody_asked_for_gets_what_is_left_over_last(made: Made) -> None:
    """Of three processors, the older job has one where nobody pressed a button for it."""
    runner = made(limit=2, cores=3)
    quiet = runner.submit(0, slow_work.tell_threads, quiet=True)
    until(lambda: say(quiet) == ["3"])
    asked = runner.submit(1, slow_work.tell_threads)
    until(lambda: say(quiet, asked) == ["1", "2"])


def test_every_job_has_at_least_one(made: Made) -> None:
    """More jobs than processors."""
    runner = made(limit=2, cores=1)
    jobs = [runner.submit(number, slow_work.tell_threads) for number in range(2)]
    until(lambda: say(*jobs) == ["1", "1"])


def test_the_variable_bounds_what_is_divided(made: Made, monkeypatch: pytest.MonkeyPatch) -> None:
    """DIPTYCH_THREADS is how many processors all jobs have together; without it, those of the machine."""
    assert made(limit=1).cores == execution.cores()
    monkeypatch.setenv("DIPTYCH_THREADS", "3")
    assert made(limit=1).cores == 3


def test_warming_up_begins_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Jobs are forked from the process that warms up, so whatever it tries has one thread."""
    seen: list[int] = []

    class Tried:
        def propose(self, data: Any) -> Tried:
            return self

        def first_asked(self, data: Any) -> tuple[()]:
            return ()

        def run(self, data: Any) -> None:
            seen.append(execution.threads())

    monkeypatch.setattr(process, "METHODS", {"tried": Tried()})
    with execution.using(8):
        process.warm()
    assert seen == [1]
