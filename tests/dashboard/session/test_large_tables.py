"""A large table is looked at by a process that may die: with the same results, within a budget, without a copy."""

from __future__ import annotations

import gc
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from dashboard.jobs.runner import Budget, Payload
from dashboard.session import large_tables
from dashboard.session.large_tables import Unanswered, ask_table, is_large
from dashboard.session.session import Session
from dashboard.session.work import Work
from engine import Recipe
from engine.data.reading.limits import Limits
from engine.errors import DataError
from tests.dashboard.app_pages.test_data import data, said, with_file, work
from tests.dashboard.jobs import slow_work

TABLE = pd.DataFrame(
    {
        "id": [f"p{number:03}" for number in range(120)],
        "pain": ["none", "mild", "severe"] * 40,
        "dose": [1.5, 2.0, -99.0, 4.0] * 30,
        "sick": ["no", "yes", "yes", None] * 30,
    }
)


def look(table: pd.DataFrame) -> tuple[Any, ...]:
    """What the page makes of a table."""
    current = Work()
    proposals = current.proposals(table)
    data = ask_table("Preparing", current.recipe(proposals).apply, table)
    return proposals, current.decisions(table), data.fingerprint, data.report, data.levels


def test_the_process_finds_what_the_page_would(monkeypatch: pytest.MonkeyPatch) -> None:
    """Proposals, decisions, codes and report of a table that counts as large are those of a small one."""
    here = look(TABLE.copy())
    assert len(here[1]) > 0
    monkeypatch.setattr(large_tables, "LARGE_CELLS", 1)
    assert look(TABLE.copy()) == here


def test_what_is_large() -> None:
    """Many cells, or few with much text; levels of categories count once."""
    assert not is_large(TABLE)
    assert is_large(pd.DataFrame(np.zeros((1_000_000, 2), np.int8)))
    assert is_large(pd.DataFrame({"x": ["a" * 600_000, "b" * 600_000]}, dtype="str"))
    assert not is_large(pd.DataFrame({"x": pd.Series(["a" * 9_000] * 1_000).astype("category")}))


@pytest.mark.parametrize(
    ("function", "why"),
    [("take_memory", "took more"), ("take_time", "took longer"), ("die", "was killed")],
)
def test_a_process_that_ends_is_a_sentence(monkeypatch: pytest.MonkeyPatch, function: str, why: str) -> None:
    """It is begun anew only when something else is asked."""
    monkeypatch.setattr(large_tables, "LARGE_CELLS", 1)
    monkeypatch.setattr(large_tables, "BUDGET", Budget(500_000_000, 1))
    table = TABLE.copy()
    for _ in range(2):
        with pytest.raises(Unanswered, match=rf"its process ended unexpectedly \(it {why}"):
            ask_table("Looking", getattr(slow_work, function), table)


def test_the_page_says_it_and_keeps_the_data_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """A choice that its process dies of: the sentence is shown and the data set from before stays."""
    app = with_file("some.csv", TABLE.to_csv(index=False).encode())
    before = data(app)
    work(app).choose("kinds", "dose", "nominal")
    monkeypatch.setattr(large_tables, "LARGE_CELLS", 1)
    monkeypatch.setattr(large_tables, "call", slow_work.die)
    large_tables._KNOWN.clear()
    app.run()
    assert data(app) is before
    assert len(app.warning) == 1  # what there is to decide is not known either
    assert r"its process ended unexpectedly \(it was killed from outside\)" in said(app)


def test_arrays_are_handed_over_as_they_lie_in_memory() -> None:
    """Large ones without a copy; what is small goes with the rest."""
    values = np.arange(100_000)
    payload = Payload.of(len, (pd.DataFrame({"x": values}, copy=False), np.arange(10)))
    assert len(payload.pickled) < 5_000
    (array,) = payload.arrays
    assert np.shares_memory(np.frombuffer(array, np.uint8), values)


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> Session:
    """A session to which every table is a large one."""
    held = Session()
    monkeypatch.setattr(large_tables, "session", lambda: held)
    monkeypatch.setattr(large_tables, "LARGE_CELLS", 1)
    return held


class FakeQueue:
    """As much of a session's jobs as is asked: each ends at once in the way that is said."""

    def __init__(self, **ended: Any) -> None:
        self.ended, self.jobs, self.begun = ended, {}, []  # type: ignore[var-annotated]

    def start(self, key: Any, *work: Any, **where: Any) -> Any:
        self.begun.append((work, where))
        usual = {"state": "failed", "result": None, "error": "", "refused": False, "ended": 1.0, "column": None}
        self.jobs[key] = SimpleNamespace(**{**usual, **self.ended}, wait=lambda *_: True)
        return self.jobs[key]

    def get(self, key: Any) -> Any:
        return self.jobs.get(key)

    def forget(self, key: Any) -> None:
        del self.jobs[key]


def test_what_a_process_found_is_handed_over_and_not_held(state: Session) -> None:
    """For each table, question and argument one of its own, within the budget of reading."""
    state.job_queue = queue = FakeQueue(state="done", result=7)  # type: ignore[assignment]
    first, second = TABLE.copy(), TABLE.copy()
    for table, more in ((first, ()), (second, ()), (first, ({"a": 1},)), (first, ({"a": 2},)), (first, (Recipe(),))):
        assert ask_table("Looking", slow_work.add, table, *more) == 7
    assert queue.jobs == {}
    assert queue.begun[3] == (
        (large_tables.call, slow_work.add, first, ({"a": 2},)),
        {"place": "table.Looking", "budget": large_tables.BUDGET},
    )
    assert (large_tables.BUDGET.memory_bytes, large_tables.BUDGET.seconds) == (Limits().memory_bytes, Limits().seconds)


def test_other_questions_have_other_keys(state: Session) -> None:
    """What was answered for one is no answer for another; nor for the same function of another recipe."""
    state.job_queue = queue = FakeQueue(error="no")  # type: ignore[assignment]
    table = TABLE.copy()
    one, other = (Recipe(bins={"dose": bins}) for bins in (3, 4))
    for function, more in (
        (slow_work.add, ()), (slow_work.add, (1,)), (slow_work.add, (2,)), (slow_work.sleep, ()),
        (one.apply, ()), (other.apply, ()),
    ):  # fmt: skip
        for _ in range(2):
            with pytest.raises(Unanswered):
                ask_table("Looking", function, table, *more)
    assert len(queue.jobs) == len(queue.begun) == 6
    with pytest.raises(Unanswered):
        ask_table("Looking", slow_work.add, TABLE.copy())
    assert len(queue.jobs) == 7


@pytest.mark.parametrize(
    ("ended", "opening", "stays"),
    [
        ({"error": "it died"}, False, True),
        ({"error": "it died"}, True, False),
        ({"error": "wait", "ended": None}, False, False),
        ({"error": "no", "refused": True, "column": "dose"}, False, False),
        ({"state": "cancelled"}, False, True),
    ],
)
def test_a_process_without_an_answer_is_asked_anew_only_where_that_may_help(
    state: Session, ended: dict[str, Any], opening: bool, stays: bool
) -> None:
    """When its table is opened anew, a limit stopped it, or it says no to a choice; else not while a page is drawn."""
    state.job_queue, state.opening = FakeQueue(**ended), opening  # type: ignore[assignment]
    with pytest.raises(DataError) as raised:
        ask_table("Looking", slow_work.add, TABLE)
    assert bool(state.job_queue.jobs) == stays  # type: ignore[attr-defined]
    assert isinstance(raised.value, Unanswered) != bool(ended.get("refused"))
    assert str(raised.value) == (ended.get("error") or large_tables.STOPPED)
    assert raised.value.column == ended.get("column")


def test_while_a_table_is_opened_is_said_also_of_one_within_another(state: Session) -> None:
    with large_tables.opening():
        with large_tables.opening():
            assert state.opening
        assert state.opening
    assert not state.opening


def test_a_table_that_is_gone_is_known_no_more() -> None:
    """Its place in memory may be that of the next one, which has another number."""
    table = TABLE.copy()
    number, place = large_tables._known(table)[0], id(table)
    assert large_tables._known(table)[0] == number
    assert large_tables._known(TABLE)[0] != number
    del table
    gc.collect()
    assert place not in large_tables._KNOWN
