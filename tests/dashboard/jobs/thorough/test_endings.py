"""How jobs end, and what is asked for again: cancel, close, crash, and bars that only rise."""

from __future__ import annotations

import pytest

from dashboard.jobs.runner import JobRunner
from tests.dashboard.jobs import slow_work
from tests.dashboard.jobs.test_endings import runner
from tests.dashboard.jobs.test_runner import until

__all__ = ["runner"]


@pytest.mark.parametrize(("marks", "shown"), [([0.6, 0.2], 0.6), ([0.4, 7.0], 1.0), ([0.2, 0.5], 0.5), ([-1.0], 0.0)])
def test_a_bar_only_rises_and_ends_at_one(runner: JobRunner, marks: list[float], shown: float) -> None:
    """Progress that runs back is held, progress past the end is the end; its words are told all the same."""
    job = runner.submit("jump", slow_work.jump, (marks,))
    until(lambda: job.words == f"mark {len(marks) - 1}")
    assert job.fraction == shown
    job.cancel()
