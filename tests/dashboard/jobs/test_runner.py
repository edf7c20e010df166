"""Jobs: progress, cancel, crashes, the queue, remembered results."""

from __future__ import annotations

import gc
import logging
import os
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from dashboard.jobs.job_queue import JobQueue, method_key
from dashboard.jobs.runner import Job, JobRunner
from engine.data.dataset import Dataset
from engine.errors import SettingsError
from tests.dashboard.jobs import slow_work


@pytest.fixture
def runner() -> Iterator[JobRunner]:
    runner = JobRunner(limit=1)
    yield runner
    runner.close()


def until(condition: object, seconds: float = 15.0) -> None:
    end = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.01)


def dead(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    try:  # a zombie holds no core; its new parent will collect it
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def started(job: Job) -> int:
    until(lambda: job.words != "")
    return job.pid


def test_result_comes_back(runner: JobRunner) -> None:
    """A job returns what its function returns and ends at a full bar."""
    job = runner.submit("sum", slow_work.add, (2, 3))
    assert job.wait(20)
    assert (job.state, job.result, job.fraction, job.error) == ("done", 5, 1.0, None)


@pytest.mark.parametrize("at", [0.0, 0.99])
def test_cancel_frees_the_core_within_two_seconds(runner: JobRunner, at: float) -> None:
    """Cancelled at 0 % or at 99 %, the process is gone and the state stays cancelled."""
    job = runner.submit("sleep", slow_work.sleep_at, (60, at))
    pid = started(job)
    begin = time.monotonic()
    job.cancel()
    until(lambda: dead(pid), 2.0)
    assert time.monotonic() - begin < 2.0
    assert job.wait(2)
    assert job.state == "cancelled"
    assert job.result is None


def test_cancel_stops_work_that_is_deaf(runner: JobRunner) -> None:
    """Work that ignores the polite signal is killed all the same."""
    job = runner.submit("spin", slow_work.spin)
    pid = started(job)
    job.cancel()
    until(lambda: dead(pid), 2.0)


def test_cancel_before_the_process_is_up(runner: JobRunner) -> None:
    """A cancel in the moment of starting leaves nothing running and frees the place in the queue."""
    job = runner.submit("silent", slow_work.stay_silent)
    job.cancel()
    assert job.wait(5)
    following = runner.submit("sum", slow_work.add, (1, 1))
    assert following.wait(20)
    assert (job.state, following.result) == ("cancelled", 2)


def test_cancel_stops_the_workers_of_a_job(runner: JobRunner, tmp_path: Path) -> None:
    """Processes that a job has started end with it."""
    job = runner.submit("children", slow_work.with_children, (str(tmp_path),))
    started(job)
    children = [int(pid) for pid in (tmp_path / "ids").read_text().split()]
    job.cancel()
    until(lambda: all(dead(pid) for pid in children), 2.0)


@pytest.mark.parametrize("function", [slow_work.leave, slow_work.segfault])
def test_crash_is_a_message(runner: JobRunner, function: object) -> None:
    """A process that dies leaves a sentence, and the next job runs."""
    job = runner.submit("crash", function)  # type: ignore[arg-type]
    assert job.wait(20)
    assert job.state == "failed"
    assert "ended unexpectedly" in str(job.error)
    following = runner.submit("sum", slow_work.add, (1, 1))
    assert following.wait(20)
    assert following.result == 2


def test_error_for_the_user_is_shown_as_it_is(runner: JobRunner) -> None:
    """The sentence of a DataError reaches the page unchanged."""
    job = runner.submit("refuse", slow_work.refuse)
    assert job.wait(20)
    assert job.error == "Column 'arm' has one level only; choose another."


def test_fault_hides_values(runner: JobRunner, caplog: pytest.LogCaptureFixture) -> None:
    """A fault gives the user an id and the log a place; its message, which may quote a cell, goes nowhere."""
    with caplog.at_level(logging.ERROR, "diptych"):
        job = runner.submit("break", slow_work.break_down)
        assert job.wait(20)
    assert "12345" not in str(job.error) + caplog.text
    number = str(job.error).split("fault ")[1].split(")")[0]
    assert number in caplog.text
    assert "break_down" in caplog.text
    assert "ValueError" in caplog.text


def test_result_that_cannot_travel_is_a_fault(runner: JobRunner) -> None:
    """A result that cannot be pickled ends as a message instead of a hanging job."""
    job = runner.submit("lambda", slow_work.not_picklable)
    assert job.wait(20)
    assert job.state == "failed"


def test_queue_shows_positions_and_moves_up(runner: JobRunner) -> None:
    """One place: the second and third job wait in order, and each moves up when one ends."""
    first = runner.submit(1, slow_work.sleep, (60,))
    second = runner.submit(2, slow_work.sleep, (60,))
    third = runner.submit(3, slow_work.add, (4, 5))
    assert [job.queue_position for job in (first, second, third)] == [None, 1, 2]
    second.cancel()
    assert (second.state, third.queue_position) == ("cancelled", 1)
    first.cancel()
    assert third.wait(20)
    assert third.result == 9


def test_time_left_follows_the_pace(runner: JobRunner) -> None:
    """Half done in steps of 0.1 s leaves as much; nothing is said while there are too few, and of a job that ended."""
    job = runner.submit("jump", slow_work.jump, ([step / 30 for step in range(16)],))
    started(job)
    assert job.seconds_left is None
    until(lambda: job.words == "mark 15")
    assert job.seconds_left == pytest.approx(1.5, rel=0.3)
    job.cancel()
    assert job.seconds_left is None


def test_desk_computes_equal_work_once(runner: JobRunner) -> None:
    """The same key gives the same job while it runs and after it is done; a failed one is tried again."""
    job_queue = JobQueue(runner)
    one = job_queue.start("sum", slow_work.add, 1, 2)
    assert job_queue.start("sum", slow_work.add, 1, 2) is one
    assert one.wait(20)
    assert job_queue.start("sum", slow_work.add, 1, 2) is one
    bad = job_queue.start("bad", slow_work.refuse)
    assert bad.wait(20)
    assert job_queue.start("bad", slow_work.refuse) is not bad


def test_desk_forgets_the_oldest(runner: JobRunner) -> None:
    """A session keeps a bounded number of results."""
    job_queue = JobQueue(runner, remembered=2)
    for number in range(4):
        assert job_queue.start(number, slow_work.add, number, 0).wait(20)
    assert [job_queue.get(number) is not None for number in range(4)] == [False, False, True, True]


def test_two_sessions_do_not_share(runner: JobRunner) -> None:
    """The same key in two sessions gives two jobs; closing one leaves the other."""
    one, two = JobQueue(runner), JobQueue(runner)
    first = one.start("sum", slow_work.add, 1, 1)
    second = two.start("sum", slow_work.add, 2, 2)
    assert first.wait(20)
    one.close()
    assert second.wait(20)
    assert (second.result, one.get("sum"), two.get("sum")) == (4, None, second)


def test_jobs_end_with_their_session(runner: JobRunner) -> None:
    """A session that is dropped takes its running work along."""
    job_queue = JobQueue(runner)
    job = job_queue.start("sleep", slow_work.sleep, 60)
    pid = started(job)
    del job_queue
    gc.collect()
    until(lambda: dead(pid), 2.0)
    assert job.state == "cancelled"


def test_limit_must_be_positive() -> None:
    """No place for any job is a wrong setting."""
    with pytest.raises(SettingsError, match="from 1 up"):
        JobRunner(limit=0)


@dataclass(frozen=True)
class Method:
    penalty: float = 1.0


def test_method_key_tells_data_and_settings_apart() -> None:
    """Equal data and settings share a key; another setting, code or level order does not."""
    codes = np.array([[0, 1, 1]])
    data = Dataset.from_codes(codes, [["a", "b"]], ["x"])
    twin = Dataset.from_codes(codes.copy(), [["a", "b"]], ["x"])
    turned = Dataset.from_codes(codes, [["b", "a"]], ["x"])
    key = method_key(Method(), data)
    assert key == method_key(Method(1.0), twin)
    assert key not in (method_key(Method(2.0), data), method_key(Method(), turned))


def test_a_session_may_end_in_a_thread_that_starts(runner: JobRunner, monkeypatch: pytest.MonkeyPatch) -> None:
    """Memory is collected in any thread: whoever waits for a thread to start holds up nobody who cancels."""
    other, start, free = runner.submit("other", slow_work.add, (1, 1)), threading.Thread.start, []
    assert other.wait(60)

    def cancelling(thread: threading.Thread) -> None:
        canceller = threading.Thread(target=other.cancel)
        start(canceller)
        canceller.join(5)
        free.append(not canceller.is_alive())
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", cancelling)
    job = runner.submit("next", slow_work.add, (1, 1))
    monkeypatch.undo()
    assert job.wait(60)
    assert free
    assert all(free)
