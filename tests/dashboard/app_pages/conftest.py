"""Pages under test: what runs by itself in the background runs only where a test is about it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dashboard.views.group_difference import resampling
from dashboard.views.group_difference import result as groups
from dashboard.views.instance_specific import cohort
from dashboard.views.instance_specific import result as patients
from tests.dashboard.answered import answered_anew, answered_once
from tests.searched import searched_once

__all__ = ["answered_anew", "answered_once", "searched_once"]

FEW = 3
"""Tables with shuffled labels or without contexts in place of 20: how many proves nothing here."""


@pytest.fixture(autouse=True)
def nothing_in_the_background(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing by itself, but for tests that ask for `background`: it would draw every page twice."""
    if "background" not in request.fixturenames:
        monkeypatch.setattr(groups, "show_background", lambda *_: None)
        monkeypatch.setattr(cohort, "in_background", lambda *_: None)
        monkeypatch.setattr(patients, "support_of", lambda *_: None)


@pytest.fixture
def background(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The background as it is, with few tables."""
    monkeypatch.setattr(resampling, "SHUFFLES", FEW)
    monkeypatch.setattr(cohort, "TABLES", FEW)
    yield
