"""A large table is looked at by a process that may die: with the same results, within a budget, without a copy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from dashboard.jobs.runner import Budget, Payload
from dashboard.session import large_tables
from dashboard.session.large_tables import Unanswered, ask_table, is_large
from dashboard.session.work import Work
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
