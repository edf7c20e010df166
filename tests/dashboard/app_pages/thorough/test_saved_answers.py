"""A saved answer is opened on its page and shown as it was, and one that does not belong there is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

import dashboard
import engine
import sample_data
from dashboard.jobs.job_queue import JobQueue
from dashboard.session.session import Session
from dashboard.text import plain, unbroken
from engine.project.file import to_bytes

PAGES = Path(dashboard.__file__).parent / "app_pages"
DATA = sample_data.dataset("cough_and_smoke")

ANSWERS: dict[str, Callable[[], Any]] = {
    "group_difference": lambda: engine.GroupDifference(group="sex").run(DATA),
    "instance_specific": lambda: engine.InstanceSpecific().run(DATA, 5, target="cough"),
    "cohort": lambda: engine.InstanceSpecific().run_cohort(DATA, range(40)),
    "log_linear": lambda: engine.LogLinear(criterion="bic").run(DATA),
}


def opened(slug: str, content: bytes, data: engine.Dataset = DATA) -> AppTest:
    """The method's page with a table, and a file dropped on it."""
    at = AppTest.from_file(str(PAGES / f"{slug}.py"), default_timeout=60)
    session = Session()
    session.dataset, session.source = data, "table.csv"
    at.session_state["diptych"] = session
    at.run()
    at.file_uploader(key=f"{slug}.saved").set_value(("answer.diptych", content, "application/zip")).run()
    assert not at.exception
    return at


def said(at: AppTest) -> str:
    """All that the page says."""
    return "\n".join(str(one.value) for one in [*at.title, *at.markdown, *at.caption, *at.info, *at.error]).replace(
        "\\", ""
    )


@pytest.mark.parametrize("name", ANSWERS)
def test_the_page_shows_a_loaded_answer_without_computing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Headline and networks are those of the file; no job is started."""
    monkeypatch.setattr(JobQueue, "start", lambda *_: pytest.fail("something was computed"))
    result = ANSWERS[name]()
    at = opened(result.slug, to_bytes(result))
    assert unbroken(plain(result.headline())).replace("\\", "") in said(at)
    assert "A saved result" in said(at)
    assert not at.error


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (lambda: b"PK nonsense", "no file of Diptych"),
        (lambda: to_bytes(ANSWERS["log_linear"]()), "another method"),
        (lambda: to_bytes(engine.GroupDifference(group="sex").run(DATA.select(DATA.names[:6]))), "another table"),
    ],
)
def test_a_file_that_does_not_belong_here_gets_a_sentence(content: Callable[[], bytes], words: str) -> None:
    """The page stays as it was, its button too."""
    at = opened("group_difference", content())
    assert words in " ".join(one.value for one in at.error).replace("\\", "")
    assert [one for one in at.button if one.label == "Compare the groups"]


pytestmark = pytest.mark.usefixtures("on_a_press")
