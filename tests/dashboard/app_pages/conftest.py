"""Pages under test: what runs by itself in the background runs only where a test is about it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from dashboard.views.group_difference import resampling, result

FEW = 3
"""Tables with shuffled labels in place of 200; how many there are proves nothing here."""


@pytest.fixture(autouse=True)
def nothing_in_the_background(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No shuffles, but for tests that ask for `shuffles`: they would draw every page twice."""
    if "shuffles" not in request.fixturenames:
        monkeypatch.setattr(result, "shuffled", lambda *_: None)


@pytest.fixture
def shuffles(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The background as it is, with few shuffles."""
    monkeypatch.setattr(resampling, "SHUFFLES", FEW)
    yield
