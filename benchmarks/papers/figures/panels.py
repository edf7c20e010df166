"""What a figure of a paper consists of, and how its cells are picked out of the stored results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from benchmarks.papers.results import PaperResults


@dataclass(frozen=True)
class Series:
    """Points under one name, joined by a line where `joined`; `spread` is half of an error bar."""

    name: str
    x: Sequence[float | str]
    y: Sequence[float]
    joined: bool = False
    spread: Sequence[float] | None = None


@dataclass(frozen=True)
class Panel:
    """One of the pictures that stand side by side on equal axes."""

    title: str
    series: Sequence[Series]


@dataclass(frozen=True)
class PaperFigure:
    """A paper's figure beside ours.

    Attributes
    ----------
    paper : its authors and year, and where it has the figure
    title : what is drawn
    across, upwards : names of the axes
    panels : the paper's first
    source : where the paper's numbers are from
    claimed, outcome, lesson : what the paper claims, what came out here, what that teaches: a sentence or two each
    limits : of the axis upwards
    diagonal : whether to draw the line of equal values
    logarithmic : whether the axis across is
    """

    paper: str
    title: str
    across: str
    upwards: str
    panels: Sequence[Panel]
    source: str
    claimed: str
    outcome: str
    lesson: str
    limits: tuple[float, float] = (0.0, 1.0)
    diagonal: bool = False
    logarithmic: bool = False


def cells_where(results: PaperResults, quantity: str, **keys: object) -> pd.DataFrame:
    """The compared cells of a quantity whose keys have these values, in stored order."""
    cells = results.compared[results.compared["quantity"] == quantity]
    for key, value in keys.items():
        cells = cells[cells[key] == value]
    return cells


def line_of(name: str, cells: pd.DataFrame, along: str, column: str) -> Series:
    """Cells with a number in a column as a joined series along a key."""
    known = cells[cells[column].notna()].sort_values(along, kind="stable")
    return Series(name, list(known[along]), list(known[column]), joined=True)


def points_of(name: str, cells: pd.DataFrame, along: str, column: str) -> Series:
    """The same as points that no line joins."""
    line = line_of(name, cells, along, column)
    return Series(name, line.x, line.y)


def value_of(cells: pd.DataFrame, column: str) -> float:
    """The number in a column of the first cell; not a number where there is no cell."""
    return float(cells[column].iloc[0]) if len(cells) else float("nan")


def number_text(value: float, digits: int = 2) -> str:
    """A number in a sentence, without the zero before the point; a dash where there is none."""
    if value != value:
        return "–"
    return f"{value:.{digits}f}".removeprefix("0") if 0 <= value < 1 else f"{value:.{digits}f}"


def with_points(series: Sequence[Series]) -> list[Series]:
    """The series that have any points."""
    return [item for item in series if len(item.x)]
