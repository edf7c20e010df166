"""Jobs that begin by themselves: begun once, ended when the page is left, left alone when the user has stopped them."""

from __future__ import annotations

from dashboard.jobs.job_queue import JobQueue
from dashboard.jobs.runner import JobRunner
from dashboard.session.session import Session
from tests.dashboard.jobs import slow_work


def made() -> Session:
    """A session with a runner of its own."""
    held = Session(job_queue=JobQueue(JobRunner(limit=1)))
    held.go("here")
    return held


def test_it_is_begun_once_and_ends_with_the_page() -> None:
    """Asked for again it is the same job; another page cancels it, and coming back begins it anew."""
    held = made()
    job = held.quietly("work", slow_work.sleep, 600.0)
    assert held.quietly("work", slow_work.sleep, 600.0) is job
    held.go("here")
    assert job.active
    held.go("elsewhere")
    assert job.wait(20)
    assert job.state == "cancelled"
    held.go("here")
    again = held.quietly("work", slow_work.sleep, 600.0)
    assert again is not job
    again.cancel()
    assert again.wait(20)
    assert held.quietly("work", slow_work.sleep, 600.0) is again, "what the user stopped is not begun again"
    held.job_queue.close()


def test_another_of_its_kind_takes_its_place() -> None:
    """Other settings are on screen: the old one ends; one of another kind goes on."""
    held = made()
    first = held.quietly(("sleep", 1), slow_work.sleep, 600.0)
    beside = held.quietly(("other", 1), slow_work.sleep, 600.0)
    held.quietly(("sleep", 2), slow_work.sleep, 600.0)
    assert first.wait(20)
    assert first.state == "cancelled"
    assert beside.active
    held.job_queue.close()


def test_what_is_done_is_not_computed_again() -> None:
    """A result stays when the page is left."""
    held = made()
    job = held.quietly("sum", slow_work.add, 1, 2)
    assert job.wait(60)
    held.go("elsewhere")
    held.go("here")
    assert held.quietly("sum", slow_work.add, 1, 2) is job
    assert job.result == 3
    assert held.job_queue.get("sum") is job
    held.job_queue.close()
