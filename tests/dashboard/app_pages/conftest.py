"""Pages under test: what runs by itself in the background runs only where a test is about it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.views.group_difference import resampling
from dashboard.views.group_difference import result as groups
from dashboard.views.instance_specific import cohort
from dashboard.views.instance_specific import result as patients
from tests.dashboard.answered import answered_anew, answered_once, on_a_press
from tests.dashboard.app_pages import hostile_tables
from tests.searched import searched_once

__all__ = ["answered_anew", "answered_once", "on_a_press", "searched_once"]

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


@pytest.fixture(scope="module")
def busy() -> AppTest:
    """A data page that gets one hostile file after the other, as from a stubborn user."""
    return AppTest.from_file(hostile_tables.data_page.APP, default_timeout=60).switch_page("app_pages/data.py").run()


@pytest.fixture(scope="module")
def views() -> dict[str, AppTest]:
    """Both ways of bringing a truth of one's own, a true network brought."""
    evaluate = hostile_tables.evaluate
    found = {kind: evaluate.opened(kind) for kind in (evaluate.LABELS, evaluate.NETWORKS)}
    evaluate.bring(found[evaluate.NETWORKS], "truth", "source,target\nx,good\na,b\n=1,yes\nno,a\n")
    return found
