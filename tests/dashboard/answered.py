"""One job answers all tests of a process that ask for the same of the same table.

What a job computes depends on nothing but what it is given, so its answer may be handed on: the page draws at once,
where it would wait for a process and draw again. Tests about waiting, cancelling and queues ask for `answered_anew`.
"""

from __future__ import annotations

import pickle
from hashlib import blake2b
from typing import Any

import pytest

from dashboard.jobs.runner import Job, JobRunner
from dashboard.views.compare import invitation
from dashboard.views.instance_specific import running as patients
from dashboard.views.shared import analysis_page

_ANSWERED: dict[bytes, Job] = {}


@pytest.fixture(autouse=True)
def answered_once(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """For modules whose tests open pages with answers."""
    if "answered_anew" in request.fixturenames:
        return
    submit = JobRunner.submit

    def answered(self: JobRunner, key: Any, function: Any, args: tuple[Any, ...] = (), **more: Any) -> Job:
        asked = blake2b(pickle.dumps((function, args), pickle.HIGHEST_PROTOCOL)).digest()
        known = _ANSWERED.get(asked)
        if known is None or known.state != "done":
            known = _ANSWERED[asked] = submit(self, key, function, args, **more)
            return known
        job = Job(key, None, self, state="done", fraction=1.0, result=known.result, **more)
        job.started, job.ended = known.started, known.ended
        job.finished.set()
        return job

    monkeypatch.setattr(JobRunner, "submit", answered)


@pytest.fixture
def answered_anew() -> None:
    """Every job of this test has a process of its own."""


@pytest.fixture
def on_a_press(monkeypatch: pytest.MonkeyPatch) -> None:
    """No page answers without a press, as where a run is long."""
    monkeypatch.setattr(analysis_page, "CHANGED_AT_ONCE", -1.0)
    for page in (analysis_page, patients, invitation):
        monkeypatch.setattr(page, "AT_ONCE", -1.0)
