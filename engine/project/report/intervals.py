"""The chart of a table: its first rows as estimates with their intervals, or as lines from 0, on one axis."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import count
from typing import Any

import numpy as np
from markupsafe import Markup

from engine import words
from engine.lazy import pd
from engine.project.report.markup import render
from engine.project.report.tables import format_value
from engine.telling.charts.colours import DIFFERENT, INK, LINE, MUTED, PAPER
from engine.telling.charts.labels import name_of, wrap_lines
from engine.telling.spoken import level_words
from engine.telling.tables import EVERYWHERE, TableDescription

MOST_ROWS, FEWEST_ROWS = 12, 2
HEAD, FOOT, LINE_OF_NAME, LINE_OF_PLACE, BETWEEN = 6, 26, 15, 13, 8
WIDTH, LEFT, RIGHT = 657, 302, 502
"""Pixels of the whole, and where the axis begins and ends."""
MOST_TICKS = 5
_STEPS = (1, 2, 5)
"""Of which a power of ten makes the distance of two ticks."""
_NAME, _PLACE = 44, 52
"""Letters of a line of a name, and of one that says where it was measured; each may have two."""


def intervals_figure(
    table: pd.DataFrame, about: TableDescription, title: str, most: int = MOST_ROWS, where: str = "the table"
) -> Markup | str:
    """The first rows of a table that have an estimate; "" where its description asks for none, or too few have one."""
    if not about.chart or about.chart not in table:
        return ""
    drawn_of = ((row, _estimate(row, about)) for row in table.to_dict("records"))
    known = ((row, place, numbers if np.isfinite(numbers).all() else []) for row, (place, numbers) in drawn_of)
    rows = [of for of in known if of[2] or _no_share_shows(of[0], about)][:most]
    if len(rows) < FEWEST_ROWS:
        return ""
    every = [0.0, *(number for _, _, numbers in rows for number in numbers)]
    ticks = _ticks(min(every), max(every))
    column = about.column(about.chart)

    def across(value: float) -> float:
        return round(LEFT + (RIGHT - LEFT) * (value - ticks[0]) / (ticks[-1] - ticks[0]), 1)

    more = len(table) - len(rows)
    others = words.count(more, "more variable" if about.keys == ("variable",) else "more row")
    numbered = any(pd.notna(row[name]) for row, *_ in rows for name in about.instead)
    drawn, end = [], float(HEAD)
    for row, place, numbers in rows:
        value, *ends = [format_value(number, column.kind) for number in numbers] or [""]
        on_axis = [numbers[0], *(numbers[1:] or [0.0, *numbers])] if numbers else []
        places = dict(zip(("x", "low", "high"), map(across, on_axis), strict=False))
        label = _label(row, about, place)
        drawn.append(
            label
            | _mark(row, about, numbers)
            | places
            | {"text": f"{value} ({' to '.join(ends)})" if ends else value, "y": end + label["height"] / 2}
        )
        end += label["height"]
    return render(
        "intervals.html",
        rows=drawn,
        ticks=[(across(value), format_value(value, column.kind)) for value in ticks],
        zero=across(0.0),
        size={"head": HEAD, "width": WIDTH, "end": end, "height": end + FOOT},
        colours={"ink": INK, "muted": MUTED, "line": LINE},
        title=title,
        header=column.header,
        numbered=numbered,
        more=f"{others} in {where}." if more else "",
        differs=any(item["differs"] for item in drawn),
        uncorrected=any(not item["differs"] and not item["low"] <= across(0.0) <= item["high"] for item in drawn),
        ends=about.chart in about.ends,
    )


def _estimate(row: Mapping[str, Any], about: TableDescription) -> tuple[str, list[float]]:
    """Where what is drawn of a row was measured, "" for everywhere; and the estimate with the ends of its interval."""
    place = str(row.get(about.place) or "").removeprefix(EVERYWHERE)
    inside = bool(about.within) and str(row[about.keys[0]]) in about.inside and np.isfinite(row[about.within])
    name = about.within if inside else about.chart
    numbers = [float(row[column]) for column in (name, *about.ends.get(name, ()))]
    return "" if about.within and not inside else place, numbers


def _label(row: Mapping[str, Any], about: TableDescription, place: str) -> dict[str, Any]:
    """What the row is about, the level that its estimate is of, and where it was measured."""
    between = " → " if row.get("mark") == "->" else " – "
    texts = [key for key in about.keys if about.column(key).kind == "text" and key != "mark"]
    names = list(dict.fromkeys(name_of(row[key]) for key in texts))
    if about.level and row[about.level]:
        names[0] = name_of(str(level_words(names[0], str(row[about.level]))))
    name = between.join(names)
    verdict = _verdict(row, about)
    more = verdict if _differs(row, about) and verdict not in about.differing else ""
    if _no_share_shows(row, about) and row.get("first"):
        more = f"{verdict}: {row['second']} v {row['first']}"
    place = "; ".join(filter(None, [more, place]))
    named, placed = wrap_lines(name, _NAME), wrap_lines(name_of(place), _PLACE) if place else []
    high = [LINE_OF_NAME * len(named), LINE_OF_PLACE * len(placed)]
    top = 0.85 * LINE_OF_NAME - sum(high) / 2
    lines = [(top + LINE_OF_NAME * number, text, True) for number, text in enumerate(named)]
    lines += [(top + high[0] + LINE_OF_PLACE * number, text, False) for number, text in enumerate(placed)]
    return {"name": name, "lines": lines, "height": sum(high) + BETWEEN}


def _differs(row: Mapping[str, Any], about: TableDescription) -> bool:
    """True where the verdict of a row is that it differs."""
    return bool(about.differing) and _verdict(row, about).startswith(about.differing)


def _no_share_shows(row: Mapping[str, Any], about: TableDescription) -> bool:
    """True of what differs otherwise than in an estimate: in its spread, which is told in words."""
    return _differs(row, about) and _verdict(row, about) not in about.differing and pd.isna(row[about.chart])


def _verdict(row: Mapping[str, Any], about: TableDescription) -> str:
    """The verdict of a row, "" of a table without."""
    return next((str(row[name]) for name, column in about.columns.items() if column.kind == "verdict"), "")


def _mark(row: Mapping[str, Any], about: TableDescription, numbers: list[float]) -> dict[str, Any]:
    """Orange where the verdict is that it differs; hollow where the interval holds 0, or the verdict is another."""
    differs = _differs(row, about)
    filled = differs if about.differing else len(numbers) == 1 or not numbers[1] <= 0.0 <= numbers[2]
    fill = DIFFERENT if differs else INK if filled else PAPER
    return {"differs": differs, "fill": fill, "stroke": INK if filled else MUTED}


def _ticks(low: float, high: float) -> list[float]:
    """Round numbers from below the least to above the largest, 0 among them."""
    steps = (item * 10.0**power for power in count(-2) for item in _STEPS)
    step = next(step for step in steps if math.ceil(high / step) - math.floor(low / step) < MOST_TICKS)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [step * place for place in range(first, max(last, first + 1) + 1)]
