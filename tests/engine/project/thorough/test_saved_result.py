"""The same question asked again, of every kind of answer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine
from tests.engine.project.test_saved_result import HOSPITALS, MADE, SYMPTOMS, compared, made, trial


@pytest.mark.parametrize("kind", MADE)
def test_asked_of_other_rows_it_is_what_the_method_says_of_these(kind: str) -> None:
    """Of the first half of the rows; a patient by known values."""
    data = {"OrdinalResult": SYMPTOMS, "ArmsResult": trial()}.get(kind, HOSPITALS)
    half = data.rows(np.arange(0, data.n_rows, 2))
    result = made(kind)
    found = result.rerun(half)
    row = {name: HOSPITALS.levels[name][HOSPITALS.column(name)[3]] for name in HOSPITALS.names}
    wanted: Any
    if kind == "InstanceSpecificResult":
        wanted = result.method.run(half, row, target="severity")
    elif kind == "CohortResult":
        wanted = result.method.run_cohort(half, HOSPITALS.rows(np.arange(20)).to_frame()).with_clusters(2)
    elif kind == "ComparisonResult":
        wanted = compared(half)
    else:
        wanted = result.method.run(half)
    assert found == wanted
    assert found.fingerprint == half.fingerprint


def test_a_cohort_of_all_rows_is_one_of_all_rows_again() -> None:
    """Not of the rows of the old table."""
    data = HOSPITALS.rows(np.arange(100))
    other = HOSPITALS.rows(np.arange(100, 150))
    assert engine.InstanceSpecific().run_cohort(data).rerun(other) == engine.InstanceSpecific().run_cohort(other)


@pytest.mark.parametrize("kind", MADE)
def test_asked_again_of_the_same_data_it_says_the_same(kind: str) -> None:
    """An equal answer, through `SavedResult` too, whatever other columns the data have."""
    result = made(kind)
    data = {"OrdinalResult": SYMPTOMS, "ArmsResult": trial()}.get(kind, HOSPITALS)
    assert result.rerun(data) == result
    kept = engine.SavedResult(result, title="mine", key="k").rerun(data, source="new.csv")
    assert kept.result == result
    assert (kept.title, kept.key, kept.source) == ("mine", "k", "new.csv")
    assert set(result.asks_of()) == set(data.names)
