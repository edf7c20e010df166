"""How jobs end, and what is asked for again: cancel, close, crash, and bars that only rise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from dashboard.jobs.job_queue import JobQueue, default_limit, method_key
from dashboard.jobs.runner import Budget, JobRunner
from engine.data.dataset import Dataset
from tests.dashboard.jobs import slow_work
from tests.dashboard.jobs.test_runner import started


@pytest.fixture
def runner() -> Iterator[JobRunner]:
    runner = JobRunner(limit=1)
    yield runner
    runner.close()


def test_waiting_for_a_queued_job_ends_with_its_cancel(runner: JobRunner) -> None:
    """A job that never began is over as soon as it is cancelled, and whoever waits goes on."""
    first = runner.submit("sleep", slow_work.sleep, (60,))
    waiting = runner.submit("sum", slow_work.add, (1, 2))
    assert not waiting.wait(0.05)
    waiting.cancel()
    assert waiting.wait(5)
    assert (waiting.state, waiting.active, waiting.started, waiting.result) == ("cancelled", False, None, None)
    assert waiting.ended is not None
    first.cancel()


def test_cancelled_work_is_computed_when_it_is_asked_for_again(runner: JobRunner) -> None:
    """Run after Cancel starts anew: another job of the same key, which ends well."""
    job_queue = JobQueue(runner)
    stopped = job_queue.start("work", slow_work.sleep, 60)
    started(stopped)
    stopped.cancel()
    again = job_queue.start("work", slow_work.add, 2, 2)
    assert again is not stopped
    assert again.wait(20)
    assert (again.state, again.result) == ("done", 4)
    assert job_queue.get("work") is again


def test_what_is_asked_for_again_is_kept_longest(runner: JobRunner) -> None:
    """Of two results that are kept the one that was not looked at again goes first."""
    job_queue = JobQueue(runner, remembered=2)
    for number in (0, 1):
        assert job_queue.start(number, slow_work.add, number, 0).wait(20)
    kept = job_queue.start(0, slow_work.add, 0, 0)
    assert job_queue.start(2, slow_work.add, 2, 0).wait(20)
    assert (job_queue.get(0), job_queue.get(1)) == (kept, None)


def test_running_work_is_never_forgotten(runner: JobRunner) -> None:
    """A session that keeps one result keeps what still runs or waits beside it."""
    job_queue = JobQueue(runner, remembered=1)
    first = job_queue.start("first", slow_work.sleep, 60)
    second = job_queue.start("second", slow_work.sleep, 60)
    assert (job_queue.get("first"), job_queue.get("second")) == (first, second)
    job_queue.close()
    assert first.wait(5)
    assert second.wait(5)
    assert job_queue.get("first") is None


@dataclass(frozen=True)
class One:
    """A method."""

    def __repr__(self) -> str:
        return "Method()"


@dataclass(frozen=True)
class Two:
    """Another method whose settings read the same."""

    def __repr__(self) -> str:
        return "Method()"


def test_two_methods_never_share_a_result() -> None:
    """Equal settings of two kinds of method are two pieces of work."""
    data = Dataset.from_codes(np.array([[0, 1]]), [["a", "b"]], ["x"])
    assert method_key(One(), data) == method_key(One(), data)
    assert method_key(One(), data) != method_key(Two(), data)


def test_a_killed_process_speaks_of_memory(runner: JobRunner) -> None:
    """SIGKILL is what the system sends when memory runs out; another signal is named, an exit code is not."""
    said = {}
    for work in (slow_work.kill_itself, slow_work.segfault, slow_work.leave):
        job = runner.submit(work.__name__, work)
        assert job.wait(20)
        assert job.state == "failed"
        said[work.__name__] = str(job.error)
    assert "ended unexpectedly (it was killed from outside)" in said["kill_itself"]  # nobody knows by whom, or why
    assert "(signal 11)" in said["segfault"]
    for name in ("segfault", "leave"):
        assert "memory was full" not in said[name]
    assert "signal" not in said["leave"]


def test_the_end_of_the_server_starts_nothing(runner: JobRunner, tmp_path: Path) -> None:
    """Closing stops what runs and drops what waits; nothing of the queue takes the free place."""
    running = runner.submit("sleep", slow_work.sleep, (60,))
    waiting = [runner.submit(n, slow_work.leave_a_mark, (str(tmp_path / str(n)),)) for n in range(3)]
    started(running)
    runner.close()
    for job in (running, *waiting):
        assert job.wait(5)
        assert job.state == "cancelled"
    assert [job.started for job in waiting] == [None] * 3
    assert not list(tmp_path.iterdir())


def test_places_are_counted(runner: JobRunner) -> None:
    """With two places two jobs run side by side and the third waits; elapsed time stands still at the end."""
    two = JobRunner(limit=2)
    jobs = [two.submit(number, slow_work.sleep, (60,)) for number in range(3)]
    assert [job.state for job in jobs] == ["running", "running", "queued"]
    assert jobs[2].elapsed == 0.0
    two.close()
    assert all(job.wait(5) for job in jobs)
    assert jobs[0].elapsed == jobs[0].elapsed > 0


@pytest.mark.parametrize(("cores", "limit"), [(None, 1), (1, 1), (2, 1), (8, 7)])
def test_one_core_is_left_to_the_server(monkeypatch: pytest.MonkeyPatch, cores: int | None, limit: int) -> None:
    """All cores but one, and one place at least; where the number is not known, one."""
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    assert default_limit() == limit


def test_a_job_does_not_draw_the_page_again(runner: JobRunner) -> None:
    """Streamlit puts the page in place of the main module: a job never imports it, for it has a main of its own."""
    job = runner.submit("main", slow_work.main_file)
    assert job.wait(20)
    assert (job.state, job.result) == ("done", "")


def test_equal_results_have_equal_keys_over_settings() -> None:
    """A key has the data, the method and every setting in it."""
    data = Dataset.from_codes(np.array([[0, 1]]), [["a", "b"]], ["x"])
    assert method_key(One(), data)[0] == data.fingerprint


@pytest.mark.parametrize("most", [0, 1_000_000])
def test_what_a_job_with_a_budget_may_write(runner: JobRunner, tmp_path: Path, most: int) -> None:
    """No file, unless its budget says so."""
    job = runner.submit("write", slow_work.write_file, (str(tmp_path / "rows"),), budget=Budget(10**9, 10, most))
    assert job.wait(60)
    assert (job.state, job.result) == (("done", 10_000) if most else ("failed", None))
