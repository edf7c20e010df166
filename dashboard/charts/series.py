"""A few series as small multiples: a row a subject, a column a variable, nothing drawn over a gap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from dashboard.text import chart, visible
from dashboard.theme import CATEGORICAL, INK, LINE, MUTED, PAPER, PRIMARY

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

MOST_SUBJECTS, MOST_VARIABLES = 6, 3
MOST_STEPS = 400
"""Steps of a series that are drawn; more would be finer than the screen."""
FEW_STEPS = 30
"""Steps up to which each has a dot of its own."""
MOST_STEP_TICKS = 6
"""Of a few steps each has its tick, none lies between two."""
MOST_TICKS = 3
"""Levels or numbers that a small chart has room to name; of more levels, the first and the last are named."""
_TINY = 1e-200
_STRIP, _BETWEEN, _TOP, _BELOW = 36, 20, 44, 46
"""Pixels: height of a chart, from one to the next, above the first, below the last."""
_GAP = 0.06
"""Share of the width between two charts; twice that where levels are named there."""
_AXIS = {"gridcolor": LINE, "zeroline": False, "tickfont": {"size": 11}, "fixedrange": True}
_ABOVE = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "showarrow": False}


@dataclass(frozen=True, eq=False)
class Strip:
    """One subject's series as it is drawn.

    Attributes
    ----------
    name : of the subject (user text)
    level : of the class, -1 without one
    words : the class in words, "" without one
    rows : of the data set, by step
    steps : the number of each, from 1 up
    """

    name: str
    level: int
    words: str
    rows: np.ndarray
    steps: np.ndarray


def strips(data: Dataset, outcome: str | None = None) -> list[Strip]:
    """The subjects to draw: equally many of each class, those first that come first in the table."""
    result = data.steps
    if result is None:
        return []
    present, at = np.unique(result.subject, return_index=True)
    order = np.argsort(at)
    present, at = present[order], at[order]
    rows_of = np.bincount(result.subject[result.subject >= 0], minlength=len(result.subjects))
    usable = (present >= 0) & (rows_of[present] > 1)
    present, at = present[usable], at[usable]
    labels = np.full(len(present), -1) if outcome not in data.names else data.column(outcome)[at].astype(np.int64)
    return [_strip(data, int(present[i]), int(labels[i]), outcome) for i in _some_of_each(labels)]


def _some_of_each(labels: np.ndarray) -> list[int]:
    """Places of at most six, taken in turn from every class, by class."""
    rank = np.empty(len(labels), dtype=np.int64)
    for level in np.unique(labels):
        members = labels == level
        rank[members] = np.arange(int(members.sum()))
    first = np.lexsort((np.arange(len(labels)), labels, rank))[:MOST_SUBJECTS]
    return sorted(first.tolist(), key=lambda i: (labels[i], i))


def _strip(data: Dataset, subject: int, level: int, outcome: str | None) -> Strip:
    result = data.steps
    if result is None:
        raise ValueError("no series")
    rows = np.flatnonzero(result.subject == subject)
    rows = rows[np.argsort(result.step[rows], kind="stable")]
    words = ""
    if outcome is not None and level >= 0:
        item = (data.column(outcome)[rows] == level).all()
        words = data.levels[outcome][level] if item else f"several of {visible(outcome)}"
    rows = rows[result.step[rows] < MOST_STEPS]
    return Strip(result.subjects[subject], level, words, rows, result.step[rows] + 1)


def lively(data: Dataset, subjects: Sequence[Strip], outcome: str | None = None) -> list[str]:
    """The variables to begin with: up to three that change inside the subjects shown, those with numbers first."""
    names = [name for name in data.names if name != outcome]
    names.sort(key=lambda name: name not in data.numbers)
    result: list[str] = []
    for name in names:
        if len(result) < MOST_VARIABLES and any(
            np.ptp(data.column(name)[item.rows].astype(int)) > 0 for item in subjects
        ):
            result.append(name)
    return result or names[:MOST_VARIABLES]


def series_figure(data: Dataset, subjects: Sequence[Strip], variables: Sequence[str]) -> go.Figure:
    """Small charts with the same scales: numbers as lines, levels as steps, a break where a step is missing."""
    height = len(subjects) * (_STRIP + _BETWEEN) - _BETWEEN
    last = max(int(entry.steps.max(initial=1)) for entry in subjects)
    grid = _Grid(len(subjects), len(variables), _GAP if all(name in data.numbers for name in variables) else 2 * _GAP)
    lines: list[dict[str, Any]] = []
    layout: dict[str, Any] = {
        "height": height + _TOP + _BELOW,
        "margin": {"l": 8, "r": 8, "t": _TOP, "b": _BELOW},
        "plot_bgcolor": PAPER,
        "showlegend": False,
        "font": {"color": INK, "size": 12},
        "hoverlabel": {"bgcolor": PAPER, "bordercolor": MUTED},
        "annotations": [*_subject_titles(subjects, height), *_variable_titles(variables, grid, height)],
    }
    for column, name in enumerate(variables):
        numbers = _numbers(data, name)
        scale = _levels_axis(data.levels[name]) if numbers is None else _numbers_axis(numbers, subjects)
        for row, item in enumerate(subjects):
            values = (data.column(name) if numbers is None else numbers)[item.rows].astype(float)
            at = grid.number(row, column)
            lines.append(
                _line(data, name, item, values, last, numbers is None) | {"xaxis": f"x{at}", "yaxis": f"y{at}"}
            )
            layout[f"yaxis{at}"] = _AXIS | scale | {"domain": grid.down(row), "anchor": f"x{at}", "automargin": True}
            foot = _foot(subjects) if row == len(subjects) - 1 else {"showticklabels": False}
            ticks: dict[str, Any] = {"nticks": MOST_STEP_TICKS} if last > MOST_STEP_TICKS else {"dtick": 1}
            layout[f"xaxis{at}"] = _AXIS | foot | {"range": [0.5, last + 0.5], "showgrid": False} | ticks
            layout[f"xaxis{at}"] |= {"domain": grid.across(column), "anchor": f"y{at}"}
    return go.Figure(lines, layout)


@dataclass(frozen=True)
class _Grid:
    """Where the charts stand, in shares of the picture."""

    rows: int
    columns: int
    gap: float

    def number(self, row: int, column: int) -> int | str:
        """Of the chart's axes; Plotly leaves the first without one."""
        return row * self.columns + column + 1 if row or column else ""

    def across(self, column: int) -> list[float]:
        """From left to right."""
        wide = (1 - self.gap * (self.columns - 1)) / self.columns
        left = column * (wide + self.gap)
        return [left, min(1.0, left + wide)]

    def down(self, row: int) -> list[float]:
        """From below to above."""
        height = self.rows * (_STRIP + _BETWEEN) - _BETWEEN
        top = height - row * (_STRIP + _BETWEEN)
        return [max(0.0, (top - _STRIP) / height), top / height]


def _numbers(data: Dataset, name: str) -> np.ndarray | None:
    """(n,) numbers behind a variable, None where it has none, or they are days."""
    rules = data.made_by.columns if data.made_by is not None else ()
    if name not in data.numbers or any(rule.name == name and rule.sort == "date" for rule in rules):
        return None
    column: np.ndarray = data.numbers[name].column
    return column


def _line(data: Dataset, name: str, strip: Strip, values: np.ndarray, last: int, levels: bool) -> dict[str, Any]:
    """One series, broken where steps are missing; a step that stands alone is a dot."""
    breaks = np.flatnonzero(np.diff(strip.steps) > 1) + 1
    x = np.insert(strip.steps.astype(float), breaks, np.nan)
    y = np.insert(values, breaks, np.nan)
    there = np.concatenate([[False], np.isfinite(y), [False]])
    alone = there[1:-1] & ~there[:-2] & ~there[2:]
    colour = PRIMARY if strip.level < 0 else CATEGORICAL[strip.level % len(CATEGORICAL)]
    who = chart(strip.name, 24) + (f" ({chart(strip.words, 24)})" if strip.words else "")
    sentences = [chart(data.levels[name][int(v)], 40) if levels and v == v else f"{v:.4g}" for v in y.tolist()]
    return {
        "type": "scatter",
        "x": x.tolist(),
        "y": [v if v == v else None for v in y.tolist()],
        "mode": "lines+markers",
        "line": {"color": colour, "width": 1.4, "shape": "hv" if levels else "linear"},
        "marker": {"color": colour, "size": [5 if last <= FEW_STEPS or dot else 0 for dot in alone.tolist()]},
        "connectgaps": False,
        "hovertext": [f"{who}, step {at:.0f}: {sentence}" for at, sentence in zip(x.tolist(), sentences, strict=True)],
        "hoverinfo": "text",
    }


def _numbers_axis(numbers: np.ndarray, subjects: Sequence[Strip]) -> dict[str, Any]:
    """The same scale for every subject, with two or three round numbers beside it."""
    seen = np.concatenate([numbers[item.rows] for item in subjects]) if subjects else np.zeros(0)
    seen = seen[np.isfinite(seen)]
    if not len(seen):
        return {"visible": False}
    low, high = float(seen.min()), float(seen.max())
    half = high / 2 - low / 2
    if not half:
        return {"range": [low - 1, low + 1], "tickvals": [low], "ticktext": [f"{low:.4g}"]}
    if not _TINY < half < 1 / _TINY:
        return {"nticks": 3}
    size = 10.0 ** np.floor(np.log10(half))
    size *= 5 if half >= 5 * size else 2 if half >= 2 * size else 1
    ticks = size * np.arange(np.ceil(low / size), np.floor(high / size) + 1)
    ticks = ticks[:: 2 if len(ticks) > MOST_TICKS else 1]
    return {
        "range": [low - half / 6, high + half / 6],
        "tickvals": ticks.tolist(),
        "ticktext": [f"{tick:.4g}" for tick in ticks],
    }


def _levels_axis(levels: Sequence[str]) -> dict[str, Any]:
    """Names of the levels at their places; of many only the first and the last."""
    named = range(len(levels)) if len(levels) <= MOST_TICKS else (0, len(levels) - 1)
    return {
        "range": [-0.4, len(levels) - 0.6],
        "tickvals": list(named),
        "ticktext": [chart(levels[i], 12) for i in named],
    }


def _foot(subjects: Sequence[Strip]) -> dict[str, Any]:
    """The axis below the last row of charts."""
    cut = any(item.steps.max(initial=0) >= MOST_STEPS for item in subjects)
    words = f"step (the first {MOST_STEPS})" if cut else "step"
    title = {"text": words, "font": {"size": 12, "color": MUTED}, "standoff": 6}
    return {"title": title, "showline": True, "linecolor": LINE}


def _subject_titles(subjects: Sequence[Strip], height: int) -> list[dict[str, Any]]:
    """Whose row of charts it is, and of what class, above it in words."""
    return [
        {
            "text": f"<b>{chart(item.name, 24)}</b>" + (f" · {chart(item.words, 30)}" if item.words else ""),
            "x": 0,
            "xanchor": "left",
            "y": 1 - row * (_STRIP + _BETWEEN) / height,
            "font": {"size": 12, "color": INK},
        }
        | _ABOVE
        for row, item in enumerate(subjects)
    ]


def _variable_titles(variables: Sequence[str], grid: _Grid, height: int) -> list[dict[str, Any]]:
    """The variable above its column of charts."""
    return [
        {
            "text": f"<b>{chart(name, 28)}</b>",
            "x": sum(grid.across(column)) / 2,
            "xanchor": "center",
            "y": 1 + _BETWEEN / height,
            "font": {"size": 13, "color": INK},
        }
        | _ABOVE
        for column, name in enumerate(variables)
    ]


def series_alt(subjects: Sequence[Strip], variables: Sequence[str]) -> str:
    """The picture for someone who does not see it."""
    people = ", ".join(f"{visible(item.name)}{f' ({visible(item.words)})' if item.words else ''}" for item in subjects)
    return f"Step by step for {people}: {', '.join(map(visible, variables))}. Lines break where a step is missing."
