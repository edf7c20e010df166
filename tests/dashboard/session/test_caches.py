"""What is worked out once: what follows from a table alone, which goes with the table, and figures."""

from __future__ import annotations

import gc
import weakref

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

import engine
from dashboard.session import caches
from dashboard.session.caches import MOST, Figures, Layouts, cached
from dashboard.session.session import Session
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


# -- figures --------------------------------------------------------------------------------------------------------

built: list[object] = []


def bars(table: pd.DataFrame, title: str = "") -> go.Figure:
    """A figure, counted."""
    built.append(title)
    return go.Figure(go.Bar(x=table["x"], y=table["y"]), {"title": {"text": title}})


def frame(last: int = 3) -> pd.DataFrame:
    """A new one at each call, as pages compute them."""
    return pd.DataFrame({"x": ["a", "b"], "y": [1, last]})


def test_the_same_content_is_the_same_figure_and_any_other_another() -> None:
    """Equal tables that were computed twice; another cell, another option."""
    kept = Figures()
    first = kept.of(bars, frame(), "A")
    built.clear()
    assert kept.of(bars, frame(), "A") is first
    assert not built
    assert kept.of(bars, frame(4), "A") is not first
    assert kept.of(bars, frame(), "B") is not first


def test_the_number_kept_has_a_limit_and_what_was_drawn_last_stays() -> None:
    """The one that nobody has drawn for longest goes."""
    kept = Figures()
    first = kept.of(bars, frame(), "first")
    for number in range(MOST - 1):
        kept.of(bars, frame(), str(number))
        assert kept.of(bars, frame(), "first") is first
    kept.of(bars, frame(), "one more")
    assert len(kept) == MOST
    built.clear()
    assert kept.of(bars, frame(), "first") is first
    kept.of(bars, frame(), "0")
    assert built == ["0"]


def test_figures_are_gone_with_the_table() -> None:
    """They hold names of its columns and levels."""
    held = Session()
    held.figures.of(bars, frame())
    held.load(frame(), "b.csv")
    assert not len(held.figures)
    held.figures.of(bars, frame())
    held.end()
    assert not len(held.figures)


def test_a_method_of_another_class_and_another_name_are_other_questions() -> None:
    """Named arguments in any order are one."""
    data = table()
    asked.clear()

    def named(data: engine.Dataset, *, a: int, b: int) -> tuple[int, int]:
        asked.append(data)
        return a, b

    assert [cached(data, named, a=1, b=2), cached(data, named, b=2, a=1), cached(data, named, a=2, b=1)] == [
        (1, 2), (1, 2), (2, 1),
    ]  # fmt: skip
    assert len(asked) == 2


def test_layouts_are_saved_the_latest_first_and_taken_as_they_were() -> None:
    layouts = Layouts()
    layouts.put({"a": (1.0, 2.0)})
    layouts.put({"b": (3.0, 4.0)})
    saved = layouts.all()
    assert saved == [{"b": (3.0, 4.0)}, {"a": (1.0, 2.0)}]
    saved[0]["b"] = (9.0, 9.0)
    assert layouts.of(["b"], {"b": (5.0, 5.0)}) == {"b": (3.0, 4.0)}
    layouts.move(["c"], {"c": (1.0, 1.0)})
    assert not layouts.has(["c"])
    layouts.clear()
    assert layouts.all() == []
