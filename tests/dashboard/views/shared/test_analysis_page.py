"""What every method's page says before a long run, and that all of them stand on a wide network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

import dashboard
import engine
import sample_data
from dashboard.jobs.job_queue import MOST_OPENED, JobQueue
from dashboard.jobs.runner import JobRunner, Scheduler
from dashboard.pages import method_page
from dashboard.session.session import Session
from engine.methods.cost import Cost
from engine.methods.registry import METHODS
from tests.contract.brings import WITH_PAGE
from tests.dashboard.app_pages.running import finished

PAGES = Path(dashboard.__file__).parent / "app_pages"
SAMPLES = {"ordinal": "symptoms", "discriminative": "cough_and_smoke"}
BEGIN: dict[str, dict[str, Any]] = {"group_difference": {"group": "sex"}, "ordinal": {"approach": "bge"}}


def opened(slug: str, *, run: bool) -> AppTest:
    """The page of a method over a sample table."""
    data = sample_data.dataset(SAMPLES.get(slug, "cough_and_smoke"))
    at = AppTest.from_file(str(PAGES / f"{slug}.py"), default_timeout=60)
    session = Session(dataset=data, source="table.csv")
    session.begin(slug, BEGIN.get(slug, {}), run=run)
    at.session_state["diptych"] = session
    return finished(at.run())


def said(at: AppTest) -> str:
    return "\n".join(str(one.value) for one in [*at.markdown, *at.caption, *at.info]).replace("\\", "")


@pytest.mark.parametrize("slug", WITH_PAGE)
def test_a_long_run_is_told_beforehand(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time, memory and a remedy, in one sentence; of a quick one there is not a word."""
    assert "if that is too much" not in said(opened(slug, run=False))
    monkeypatch.setattr(METHODS[slug], "cost", lambda *_: Cost(3 * 3600.0, 2e9, "take a walk"))
    words = "will take about 3 hours on one core and 2 GB of memory; if that is too much, take a walk."
    assert words in said(opened(slug, run=False))


def test_why_the_open_table_is_not_used_stands_alone() -> None:
    """One that the method refuses, and one that no method can use yet: no example that could be taken for theirs."""
    data = sample_data.dataset("health_survey")
    for session, words in (
        (Session(dataset=data, source="table.csv"), engine.Ordinal.unfit(data)),
        (Session(table=data.to_frame(), source="table.csv"), "'table.csv' is open, but cannot be used yet"),
    ):
        at = AppTest.from_file(str(PAGES.parent / "app.py"), default_timeout=60).switch_page("app_pages/ordinal.py")
        at.session_state["diptych"] = session
        assert words in said(at.run())
        assert not [one.label for one in at.button if "example" in one.label]
        assert [str(one.value) for one in at.title] == [engine.Ordinal.question]


def test_rows_that_are_not_used_and_subjects_stand_in_the_head() -> None:
    """'20 of 60 rows', below the sentence a warning where most were dropped; subjects, whose rows count together."""
    rng = np.random.default_rng(3)
    gaps = pd.DataFrame({name: rng.choice(["low", "high"], 60).astype(object) for name in "abc"})
    gaps.loc[20:32, "a"] = gaps.loc[33:45, "b"] = gaps.loc[46:, "c"] = None
    who = pd.DataFrame({name: np.repeat(rng.choice(["low", "high"], 30), 4) for name in "abc"})
    who["clinic"] = np.repeat([f"c{number}" for number in range(30)], 4)
    for data, words, warned in (
        (engine.Dataset.from_frame(gaps, missing="drop"), ["20 of 60 rows"], True),
        (
            engine.Dataset.from_frame(who, roles={"clinic": "subject"}),
            ["30 clinics, 120 rows", "count together"],
            False,
        ),
    ):
        at = AppTest.from_file(str(PAGES / "log_linear.py"), default_timeout=60)
        session = Session(dataset=data, source="table.csv")
        session.begin("log_linear", {}, run=True)
        at.session_state["diptych"] = session
        at = finished(at.run())
        for item in words:
            assert item in said(at), said(at)[:600]
        order = [item.type for item in at.main if item.type in ("title", "warning")]
        assert any("40 lack a value" in str(item.value) for item in at.warning) == warned
        assert order == ["title", "warning"][: 1 + warned]


@pytest.mark.parametrize("slug", WITH_PAGE)
def test_one_column_is_refused_before_the_press(slug: str) -> None:
    """By every method, in the place of the button that would run it."""
    data = sample_data.dataset("cough_and_smoke").select(["cough"])
    at = AppTest.from_file(str(PAGES.parent / "app.py"), default_timeout=60).switch_page(f"app_pages/{slug}.py")
    at.session_state["diptych"] = Session(dataset=data, source="table.csv")
    at.run()
    assert METHODS[slug].unfit(data) and METHODS[slug].unfit(data) in said(at)
    assert method_page(slug).action not in [one.label for one in at.button]


def test_settings_that_take_longer_say_so_beside_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before they are pressed, as before the first run."""
    at = opened("log_linear", run=True)
    monkeypatch.setattr(engine.LogLinear, "cost", lambda *_: Cost(90.0, 0.0, "wait"))
    assert "too much" not in said(at.run())
    at.selectbox(key="log_linear.criterion").set_value("bic").run()
    assert "The settings have changed" in said(at)
    assert "about 1\u00a0min 30\u00a0s on one core; if that is too much, wait." in said(at)


def test_an_answer_without_a_page_of_its_own_is_cut_too() -> None:
    """By its own sections, as a saved answer is shown: 13 pairs of equal columns are 26 variables."""

    def page() -> None:
        import numpy as np

        import engine
        from dashboard.views.shared.sections import show_sections

        columns = np.repeat(np.random.default_rng(0).integers(0, 2, (13, 200)), 2, axis=0).astype(np.uint8)
        data = engine.Dataset.from_codes(columns, [2] * 26, [f"x{i}" for i in range(26)])
        show_sections(engine.LogLinear(criterion="bic").run(data), None)

    at = AppTest.from_function(page, default_timeout=60)
    at.session_state["diptych"] = Session()
    at.run()
    assert not at.exception
    assert "Drawn: 20 of 26" in said(at)


def test_a_stopped_run_can_be_started_from_the_page() -> None:
    """On a phone the settings, and the button among them, are out of sight."""
    at = opened("log_linear", run=True)
    session: Session = at.session_state["diptych"]
    analysis = session.answered("log_linear")
    assert analysis is not None and analysis.job is not None
    analysis.job.state = "cancelled"
    button = next(one for one in at.run().button if one.key == "log_linear.run.first")
    assert "Stopped." in said(at) and button.label == method_page("log_linear").action
    assert button.key not in [one.key for one in finished(button.click().run()).button]


def test_a_guess_is_said_only_while_the_form_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once another column is the class, a sentence on the one that was guessed would be read as the choice."""
    at = opened("discriminative", run=False)
    assert "Column guessed: " in said(at)
    other = next(one for one in at.button if one.label.startswith("By "))
    at = finished(other.click().run())
    assert "Column guessed: " not in said(at)
    assert at.session_state["diptych"].page("discriminative").method.target == other.label.removeprefix("By ")
    monkeypatch.setitem(BEGIN, "discriminative", {"target": "smoke"})
    assert "Column guessed: " not in said(opened("discriminative", run=False))


@pytest.mark.parametrize("slug", [slug for slug in WITH_PAGE if slug != "instance_specific"])
def test_a_page_answers_without_a_press_where_that_is_quick(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long one, one that was stopped, and one more than a server computes for idle pages wait for their button."""
    at = opened(slug, run=False)
    session: Session = at.session_state["diptych"]
    analysis = session.answered(slug)
    assert analysis is not None and analysis.job is not None and analysis.job.opened
    monkeypatch.setattr(METHODS[slug], "cost", lambda *_: Cost(10.1))
    slow = opened(slug, run=False)
    assert not slow.session_state["diptych"].analyses
    assert f"{slug}.run.first" in [one.key for one in slow.button]
    monkeypatch.setattr(METHODS[slug], "cost", lambda *_: Cost(1.0))
    monkeypatch.setattr(JobRunner, "opened", property(lambda _: MOST_OPENED))
    assert not opened(slug, run=False).session_state["diptych"].analyses


def test_what_its_reader_stops_is_not_begun_again_and_what_another_page_stops_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the same settings; and other settings run at once only where that takes three seconds at most."""
    held, data = Session(), sample_data.dataset("cough_and_smoke")
    held.job_queue = JobQueue(JobRunner(limit=1))
    held.job_queue.runner._scheduler.limit = 0  # whatever is asked waits
    monkeypatch.setattr(Scheduler, "_lane_open", lambda *_: False)
    method = engine.LogLinear()
    held.go("log_linear")
    assert held.begins_at_once(method, data, 10.0)
    job = held.ask(method, data, opened=True).job
    assert job is not None and not held.begins_at_once(method, data, 10.0)
    held.go("ordinal")
    assert job.state == "cancelled" and held.begins_at_once(method, data, 10.0)
    job = held.ask(method, data, opened=True).job
    assert job is not None
    job.cancel()
    assert not held.begins_at_once(method, data, 10.0)
    assert held.begins_at_once(engine.LogLinear(criterion="bic"), data, 3.0)
    monkeypatch.setattr(engine.LogLinear, "cost", lambda *_: Cost(3.1))
    assert not held.begins_at_once(engine.LogLinear(criterion="bic"), data, 3.0)
