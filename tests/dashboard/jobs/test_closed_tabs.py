"""Jobs of tabs that are gone are stopped; those of tabs that come back are not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dashboard.jobs import closed_tabs as leavers
from dashboard.jobs.desk import Desk
from dashboard.jobs.runner import JobRunner
from tests.dashboard.jobs import slow_work


@pytest.fixture
def desk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(leavers, "_thread", object())  # the rounds are made by hand here
    runner = JobRunner(limit=1)
    yield Desk(runner)
    runner.close()
    leavers._watched.clear()
    leavers._absent_since.clear()


def test_jobs_end_when_patience_does(desk: Desk) -> None:
    """A tab that stays away longer than the patience loses its jobs, not earlier."""
    job = desk.start("sleep", slow_work.sleep, 60)
    leavers.watch("tab", desk)
    leavers.look(frozenset({"tab"}), 0.0, 10.0)
    leavers.look(frozenset(), 5.0, 10.0)
    leavers.look(frozenset(), 15.0, 10.0)
    assert job.active
    leavers.look(frozenset(), 15.1, 10.0)
    assert job.state == "cancelled"


def test_a_tab_that_comes_back_keeps_its_jobs(desk: Desk) -> None:
    """Absence counts anew after every return."""
    job = desk.start("sleep", slow_work.sleep, 60)
    leavers.watch("tab", desk)
    for now, active in ((0.0, ()), (9.0, ()), (10.0, ("tab",)), (11.0, ()), (20.0, ())):
        leavers.look(frozenset(active), now, 10.0)
    assert job.active
