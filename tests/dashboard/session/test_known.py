"""What follows from a table alone is worked out once, and goes with the table."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pytest

import engine
from dashboard.session import caches
from dashboard.session.caches import cached
from engine.errors import DataError

asked: list[object] = []


def table() -> engine.Dataset:
    return engine.Dataset.from_codes(np.array([[0, 1], [1, 0]]), [3, 3], ["a", "b"])


def rows(data: engine.Dataset, plus: int = 0, *, times: int = 1) -> int:
    asked.append(data)
    return (data.n_rows + plus) * times


def refusing(data: engine.Dataset) -> None:
    asked.append(data)
    raise DataError("no")


def test_it_is_asked_once_for_each_table_and_question() -> None:
    """Another table, another argument: asked again."""
    data, other = table(), table()
    asked.clear()
    assert [cached(data, rows), cached(data, rows), cached(data, rows, 1), cached(data, rows, times=2)] == [2, 2, 3, 4]
    assert cached(other, rows) == 2
    assert len(asked) == 4


def test_methods_of_classes_are_told_apart() -> None:
    """`unfit` of one method is not that of another."""
    data = table()
    assert cached(data, engine.LogLinear.unfit) == ""
    assert "no order" in cached(data, engine.Ordinal.unfit)


def test_a_refusal_is_not_remembered() -> None:
    """It is raised each time."""
    data = table()
    asked.clear()
    for _ in range(2):
        with pytest.raises(DataError):
            cached(data, refusing)
    assert len(asked) == 2


def test_nothing_is_kept_of_a_table_that_is_gone() -> None:
    """Nor does what is kept hold the table."""
    data = table()
    cached(data, rows)
    asked.clear()
    gone = weakref.ref(data)
    assert data in caches._KNOWN
    del data
    gc.collect()
    assert gone() is None
