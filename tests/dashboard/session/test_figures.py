"""Figures that are kept for the next run of a page."""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go

from dashboard.session.caches import MOST, Figures
from dashboard.session.session import Session

built: list[object] = []


def bars(table: pd.DataFrame, title: str = "") -> go.Figure:
    """A figure, counted."""
    built.append(title)
    return go.Figure(go.Bar(x=table["x"], y=table["y"]), {"title": {"text": title}})


def table(last: int = 3) -> pd.DataFrame:
    """A new one at each call, as pages compute them."""
    return pd.DataFrame({"x": ["a", "b"], "y": [1, last]})


def test_the_same_content_is_the_same_figure_and_any_other_another() -> None:
    """Equal tables that were computed twice; another cell, another option."""
    kept = Figures()
    first = kept.of(bars, table(), "A")
    built.clear()
    assert kept.of(bars, table(), "A") is first
    assert not built
    assert kept.of(bars, table(4), "A") is not first
    assert kept.of(bars, table(), "B") is not first


def test_the_number_kept_has_a_limit_and_what_was_drawn_last_stays() -> None:
    """The one that nobody has drawn for longest goes."""
    kept = Figures()
    first = kept.of(bars, table(), "first")
    for number in range(MOST - 1):
        kept.of(bars, table(), str(number))
        assert kept.of(bars, table(), "first") is first
    kept.of(bars, table(), "one more")
    assert len(kept) == MOST
    built.clear()
    assert kept.of(bars, table(), "first") is first
    kept.of(bars, table(), "0")
    assert built == ["0"]


def test_they_are_gone_with_the_table() -> None:
    """They hold names of its columns and levels."""
    held = Session()
    held.figures.of(bars, table())
    held.load(table(), "b.csv")
    assert not len(held.figures)
    held.figures.of(bars, table())
    held.end()
    assert not len(held.figures)
