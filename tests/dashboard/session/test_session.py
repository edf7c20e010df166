"""One user's session: positions stay, a new table starts afresh."""

from __future__ import annotations

from dataclasses import dataclass, fields
from types import SimpleNamespace
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import pytest
from streamlit.testing.v1 import AppTest

import engine
import sample_data
from dashboard.jobs.job_queue import method_key
from dashboard.session import session as module
from dashboard.session.cards import Card
from dashboard.session.session import Analysis, Session
from dashboard.session.work import Work
from tests.dashboard.jobs import slow_work

DATA = sample_data.dataset("cough_and_smoke")
RESULT = engine.LogLinear(criterion="bic").run(DATA)
PATIENT = engine.InstanceSpecific().run(DATA, 3)


def test_positions_stay_as_the_user_left_them() -> None:
    """The first proposal holds, drags are kept, another proposal does not move anything."""
    held = Session()
    assert not held.layouts.has(["a", "b"])
    held.layouts.of(["a", "b"], {"a": (0, 0), "b": (1, 1)})
    held.layouts.move(["b", "a"], {"a": (5, 6), "stranger": (1, 1)})
    assert held.layouts.of(["b", "a"], {"a": (9, 9), "b": (9, 9)}) == {"a": (5, 6), "b": (1, 1)}


def test_a_new_table_takes_all_with_it() -> None:
    """Loading a table forgets choices, layouts and running work of the one before."""
    held = Session()
    job = held.job_queue.start("sleep", slow_work.sleep, 60)
    held.choices["page"] = {"x": 1}
    held.layouts.of(["a"], {"a": (0, 0)})
    held.load(pd.DataFrame({"a": [1]}), "a.csv")
    assert (held.source, held.dataset, held.choices, held.layouts.has(["a"])) == ("a.csv", None, {}, False)
    assert job.state == "cancelled"


def test_two_sessions_are_two() -> None:
    """What one browser tab keeps, another does not see."""

    def page() -> None:
        import streamlit as st

        from dashboard.session.session import session

        st.text(session().source or "empty")
        session().source = "mine"

    one, two = AppTest.from_function(page).run(), AppTest.from_function(page)
    assert one.run().text[0].value == "mine"
    assert two.run().text[0].value == "empty"


def test_at_the_end_choices_hold_no_table_any_more() -> None:
    """Whoever still holds them: a callback of a widget may; and what is a plain value is let alone."""
    work = Work(content=b"the file", labels={"a": "A"}, used=None)
    held = Session()
    held.choices = {"data": {"work": work, "view": "columns"}}
    held.write_notes("mine")
    held.end()
    assert (work.content, work.labels, held.choices, held.notes) == (None, {}, {}, "")


def test_a_new_table_clears_the_spotlight() -> None:
    """The variable that was looked at may not exist in the new table."""
    held = Session()
    held.picked["page"] = "age"
    held.load(pd.DataFrame({"a": [1]}), "a.csv")
    assert not held.picked


def test_a_layout_keeps_its_own_names_only() -> None:
    """Proposals for other variables are not taken in, now or when something is moved."""
    held = Session()
    proposed = {"a": (0.0, 0.0), "b": (1.0, 1.0), "stranger": (2.0, 2.0)}
    assert held.layouts.of(["a", "b"], proposed) == {"a": (0.0, 0.0), "b": (1.0, 1.0)}
    held.layouts.move(["a", "b"], {"stranger": (3.0, 3.0), "a": (4.0, 4.0)})
    assert held.layouts.of(["a", "b"], proposed) == {"a": (4.0, 4.0), "b": (1.0, 1.0)}


@dataclass
class Saved:
    """What a page keeps that a reload comes back to and a file holds."""

    SLUG = "saved"
    OUTLASTS_TABLE = True
    is_resumable: bool = False

    def to_plain(self) -> list[bool]:
        return [self.is_resumable]


@dataclass
class Resumed:
    """The same, but no file holds it; it goes with the table."""

    is_resumable: bool = False


class Plain:
    """Any other state of a page: nobody comes back to it."""


def test_a_session_is_come_back_to_for_its_work_or_for_that_of_a_page() -> None:
    """A table, a card, or what a page keeps; the last of the three is no work that another table would replace."""
    held = Session()
    held.state(Saved)
    held.state(Plain)
    assert (held.has_table, held.has_work, held.is_resumable, held.replaceable) == (False, False, False, True)
    held.state(Resumed).is_resumable = True
    assert (held.has_work, held.is_resumable, held.replaceable, held.saved_states()) == (False, True, False, {})
    held.state(Saved).is_resumable = True
    assert held.saved_states() == {"saved": [True]}
    held.load(None, "")
    assert (held.state(Saved).is_resumable, held.state(Resumed).is_resumable) == (True, False)
    held.end()
    assert (held.is_resumable, held.replaceable) == (False, True)
    for part in ({"table": pd.DataFrame({"a": [1]})}, {"dataset": DATA}):
        held = Session(**part)  # type: ignore[arg-type]
        assert (held.has_table, held.has_work, held.is_resumable, held.replaceable) == (True, True, True, False)
    held = Session()
    held.cards.add(Card("a", RESULT))
    assert (held.has_table, held.has_work, held.is_resumable, held.replaceable) == (False, True, True, False)
    held.cards.saved = held.cards.version
    assert held.replaceable


def test_what_a_session_holds_is_counted() -> None:
    """One table, every answer, the jobs that run, and bytes."""
    held = Session(dataset=DATA)
    held.keep(Analysis(RESULT.method, "a", answer=RESULT))
    held.cards.add(Card("b", RESULT))
    job = held.job_queue.start("sleep", slow_work.sleep, 60)
    counts = held.counts()
    assert (counts["tables"], counts["results"], counts["jobs"]) == (1, 3, 1)
    held.end()
    assert held.counts() == {"tables": 0, "results": 0, "jobs": 0, "bytes": 0}
    assert job.state == "cancelled"


def test_a_table_of_which_only_the_codes_are_held_is_opened_like_any_other() -> None:
    held = Session(table=pd.DataFrame({"a": [1]}), choices={"page": {"x": 1}})
    held.load_coded(DATA, "far.parquet")
    assert (held.table, held.source, held.dataset, held.choices) == (None, "far.parquet", DATA, {})


def test_a_page_that_nobody_used_is_locked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """After so many seconds, until it is unlocked; how long it is locked counts from the first time."""
    clock = [1000.0]
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    held = Session(touched=1000.0)
    clock[0] = 1060.0
    assert (held.idle, held.lock_after(61.0), held.locked) == (60.0, False, None)
    assert (held.lock_after(60.0), held.locked) == (True, 1060.0)
    clock[0] = 1100.0
    assert (held.lock_after(60.0), held.lock_after(10**6), held.locked) == (True, True, 1060.0)
    held.unlock()
    assert (held.locked, held.idle, held.lock_after(60.0)) == (None, 0.0, False)
    clock[0] = 1130.0
    held.go("page")
    assert (held.place, held.idle) == ("page", 0.0)


def test_forms_of_a_new_tab_begin_with_what_ran_last() -> None:
    """Of every page that was asked; one that was not begins as it is told to."""
    held = Session()
    held.begin("group_difference", {"group": "sex"})
    held.page("log_linear").method = RESULT.method
    held.resume()
    assert held.page("log_linear").settings["criterion"] == "bic"
    assert set(held.page("log_linear").settings) == {item.name for item in fields(RESULT.method)}
    assert held.page("group_difference").settings == {"group": "sex"}


def test_pictures_go_with_their_page_and_cards_have_their_table_once_it_is_open() -> None:
    """Which is looked at once for the same table and the same cards."""
    held = Session()
    held.pictures["a"] = (go.Figure(), None)
    held.go("page")
    assert held.pictures == {}
    first = held.cards.add(Card("a", RESULT))
    held.give_data()
    held.dataset = DATA
    held.give_data()
    assert first.data is DATA
    first.data = None
    held.give_data()
    assert first.data is None
    second = held.cards.add(Card("b", RESULT))
    held.give_data()
    assert (first.data, second.data) == (DATA, DATA)


class FakeQueue:
    """As much of a session's jobs as is asked."""

    def __init__(self, **jobs: Any) -> None:
        self.jobs: dict[Any, Any] = jobs
        self.begun: list[Any] = []

    def get(self, key: Any) -> Any:
        return self.jobs.get(key)

    def start(self, key: Any, *work: Any, **where: Any) -> Any:
        self.begun.append((key, work, where))
        return SimpleNamespace(key=key, active=True, result=None, state="running")


@pytest.mark.parametrize(
    ("earlier", "begins"),
    [
        ({"state": "done", "ended": 1.0, "active": False}, False),
        ({"state": "failed", "ended": 1.0, "active": False}, False),
        ({"state": "failed", "ended": None, "active": False}, True),  # a limit stopped it before it began
        ({"state": "cancelled", "ended": 1.0, "active": False}, False),  # by its reader
        ({"state": "running", "ended": None, "active": True}, False),
    ],
)
def test_what_begins_by_itself_is_begun_where_it_has_not_ended(earlier: dict[str, Any], begins: bool) -> None:
    held, job = Session(), SimpleNamespace(**earlier)
    held.job_queue = queue = FakeQueue(key=job)  # type: ignore[assignment]
    found = held.quietly("key", len, (1, 2))
    assert (found is job) != begins
    assert queue.begun == ([("key", (len, (1, 2)), {"quiet": True})] if begins else [])


def test_a_question_asked_again_has_a_key_of_its_own_where_no_page_would_ask_it() -> None:
    """As a press would give it, else with the number of the card: two patients are two answers."""
    held = Session(dataset=DATA)
    with pytest.raises(ValueError, match="no table"):
        Session().rerun_card(Card("a", RESULT))
    held.job_queue = queue = FakeQueue()  # type: ignore[assignment]
    pressed, looked_at = held.cards.add(Card("a", RESULT)), held.cards.add(Card("b", RESULT, pressed=False))
    patient = held.cards.add(Card("c", PATIENT, arguments={"instance": 3}))
    keys = [held.rerun_card(card) for card in (pressed, looked_at, patient)]
    assert keys == [
        method_key(RESULT.method, DATA),
        ("again", *method_key(RESULT.method, DATA), 2),
        ("again", *method_key(PATIENT.method, DATA), 3),
    ]
    assert [(work[1], where["place"]) for _, work, where in queue.begun] == [
        (DATA, "log_linear.again.1"),
        (DATA, "log_linear.again.2"),
        (DATA, "instance_specific.again.3"),
    ]
    asked = held.analyses[-1]
    assert (asked.method, asked.key, asked.arguments, asked.data) == (PATIENT.method, keys[-1], {"instance": 3}, DATA)
    assert [item.key for item in held.analyses] == keys


def test_a_group_is_asked_beside_the_page_and_the_whole_in_its_place() -> None:
    """The page then shows the whole, no longer a card that it was showing."""
    held = Session(dataset=DATA)
    held.job_queue = queue = FakeQueue()  # type: ignore[assignment]
    page = held.page("log_linear")
    page.opened = 7
    group = held.ask_group(RESULT.method, DATA, "sex = f")
    assert (page.method, page.opened, group.group, group.data) == (None, 7, "sex = f", DATA)
    held.ask(RESULT.method, DATA)
    assert (page.method, page.opened) == (RESULT.method, None)
    key = method_key(RESULT.method, DATA)
    assert [(name, where["place"]) for name, _, where in queue.begun] == [
        (key, "log_linear.sex = f"),
        (key, "log_linear"),
    ]
    assert len(held.analyses) == 1


def test_a_page_asks_streamlit_for_its_session_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """And is given another when the tab is let show another; what is gone is not held by the thread that drew it."""

    class Run:
        pass

    run, first, second = Run(), Session(), Session()
    monkeypatch.setattr(module, "this_run", lambda: run)
    module.set_session(first)
    assert module.session() is first
    with monkeypatch.context() as patch:
        patch.setattr(module.st, "session_state", {})
        assert module.session() is first
    module.set_session(second)
    assert module.session() is second
    run = Run()
    with monkeypatch.context() as patch:
        patch.setattr(module.st, "session_state", {"diptych": first})
        assert module.session() is first
    module._drawn.__dict__.clear()
