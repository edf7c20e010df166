"""The third walk of docs/architecture.md: a click becomes a job, and the job an answer."""

from __future__ import annotations

import pickle
from io import BytesIO

import pytest
from streamlit.testing.v1 import AppTest

import engine
import sample_data
from dashboard.jobs import process
from dashboard.pages import METHOD_PAGES
from dashboard.session.session import Session
from engine import execution
from engine.worker.channel import Channel
from tests.floor.tree import ROOT
from tests.test_walks import assert_walked


def from_a_click_to_a_job() -> None:
    """Open the page with a table, press its button, wait for the answer; its process does here what it does there."""
    slug, data = "group_difference", sample_data.dataset("two_hospitals")
    session = Session(dataset=data, source="two_hospitals.csv")
    session.begin(slug, {"group": "hospital"}, run=False)
    at = AppTest.from_file(str(ROOT / "dashboard" / "app_pages" / f"{slug}.py"), default_timeout=120)
    at.session_state["diptych"] = session
    (button,) = (button for button in at.run().sidebar.button if button.label == METHOD_PAGES[slug].action)
    button.click().run()
    (analysis,) = session.analyses
    assert analysis.job.wait(120)
    assert analysis.job.result.headline().startswith("early_antibiotics differs")
    session.job_queue.close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Channel, "follow", lambda *_: None)  # a program that is gone ends its processes, here this one
        process.call(
            pickle.dumps((engine.LogLinear().run, (process.tiny_table(),))),
            {"threads": 1, "arrays": 0},
            Channel(BytesIO(), lambda _: None),
        )
        execution.follow(None)


def test_a_click_passes_the_files_that_are_named() -> None:
    """A file that was moved or is no longer needed shows here."""
    assert_walked(3, 9, from_a_click_to_a_job)
