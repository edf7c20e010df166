"""What the fixtures of these tests put in place of Streamlit's waiting and of repeated jobs does what that did."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.jobs.runner import JobRunner
from tests.dashboard.answered import answered_anew, answered_once
from tests.dashboard.jobs import slow_work

__all__ = ["answered_anew", "answered_once"]


def slow() -> None:
    import time

    import streamlit as st

    for _ in range(100):
        time.sleep(0.05)
        st.text("still at it")


def wrong() -> None:
    raise ValueError("meant to fail")


def test_a_page_that_takes_too_long_is_stopped_and_told() -> None:
    """In Streamlit's own words."""
    with pytest.raises(RuntimeError, match=r"AppTest script run timed out after 0\.3\(s\)"):
        AppTest.from_function(slow).run(timeout=0.3)


def test_a_page_that_fails_shows_why() -> None:
    """As a page under test always does."""
    assert AppTest.from_function(wrong).run().exception[0].message == "meant to fail"


def test_a_job_is_answered_once_and_another_one_by_itself() -> None:
    """The same work of the same things has the answer that is there; what differs in anything is done."""
    runner = JobRunner(limit=1)
    first = runner.submit("a", slow_work.add, (2, 3))
    assert first.wait(60)
    again, other = runner.submit("b", slow_work.add, (2, 3)), runner.submit("c", slow_work.add, (2, 4))
    assert (again.key, again.state, again.result, again.pid) == ("b", "done", 5, 0)
    assert other.wait(60)
    assert other.result == 6
    assert other.pid


def test_a_job_that_is_asked_anew_runs(answered_anew: None) -> None:
    """Twice the same, twice a process."""
    runner = JobRunner(limit=1)
    for _ in range(2):
        job = runner.submit("a", slow_work.add, (2, 3))
        assert job.wait(60)
        assert job.pid
