"""Jobs of the dashboard's tests start as those of its users do: from a process that has the engine loaded."""

from __future__ import annotations

from multiprocessing import forkserver

import pytest

from dashboard.jobs import runner
from tests.dashboard.jobs import slow_work


@pytest.fixture(scope="session", autouse=True)
def warm_jobs() -> None:
    """A fork server that has loaded the engine and its kernels, which the first job waits for."""
    first = runner.JobRunner(limit=1)
    if first._context.get_start_method() == "forkserver":
        forkserver._forkserver._stop()  # type: ignore[attr-defined]  # one that other tests began has nothing loaded
        runner._start_fork_server()
    assert first.submit("first", slow_work.add, (1, 1)).wait(300)
