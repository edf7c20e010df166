"""The chart of a comparison: a row a link, the estimates of both groups as numbers and on one axis, their difference on
another; links of several scales are drawn to see sign and doubt, and their axes have no numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from engine import words
from engine.comparison.scales import MIXED, SCALES, Scale, on_axis
from engine.data.units import name_without_unit, unit_in
from engine.graphs.dag import each_edge
from engine.graphs.drawing.svg import STYLES, Line
from engine.lazy import go, nx, pd
from engine.telling.charts.colours import (
    DIFFERENT,
    DIFFERENT_PALE,
    GROUP_COLOURS,
    GROUP_MARKS,
    INK,
    LINE,
    MUTED,
    PALE,
    PAPER,
)
from engine.telling.charts.frame import empty_figure
from engine.telling.charts.labels import distinct, escape, shorten, without_beginnings
from engine.telling.charts.network_layout import SCREEN, plan_networks
from engine.telling.charts.networks import networks_figure
from engine.telling.comparison.wording import evidence, order_of, shown_up, verdict_text
from engine.telling.drawing import drawn_kinds

ROW = 18
"""Pixels of a row, so low that a dozen are seen below the networks on a small screen."""
APART = 0.18
"""Of a row, between its middle and either group's estimate."""
_NAME, _IN_COLUMN, _IN_HEAD = 30, 8, 11
"""Letters of a link, of a group above its column, and of one above the column of differences."""
_RATIOS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100)
_FINE_RATIOS = (0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2)
_CORRELATIONS = (-3, -2, -1.5, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1, 1.5, 2, 3)
_WIDEST = math.log(150)
_ESTIMATES = (0.315, 0.41)
"""Where the numbers of both groups end."""
_TESTED = (0.92, 1.0)
"""Where the difference and p end."""


def links_figure(
    rows: pd.DataFrame, scale: Scale, groups: tuple[int, int], selected: tuple[str, str] | None = None
) -> go.Figure:
    """Both estimates and the difference of every link that is given, in this order."""
    labels = (str(rows["group_a"].iloc[0]), str(rows["group_b"].iloc[0])) if len(rows) else ("A", "B")
    chart = empty_figure(ROW * max(len(rows), 1) + 56, l=10, r=8, t=34, b=22)
    names = [[row.source, row.target] for row in rows.itertuples()]
    for letter, place, side in (("a", groups[0], -1), ("b", groups[1], 1)):
        _add_estimates(chart, rows, letter, place, side * APART, names, scale)
    _add_differences(chart, rows, names, scale)
    _add_frames(chart, rows, selected)
    _add_columns(chart, rows)
    _lay_out(chart, rows, scale, labels, groups)
    return chart


def _add_estimates(
    chart: go.Figure, rows: pd.DataFrame, letter: str, place: int, shift: float, names: list[Any], scale: Scale
) -> None:
    """The estimates of one group with their intervals; pale where the interval holds 0."""
    colour, mark = GROUP_COLOURS[place], GROUP_MARKS[place]
    for pale in (False, True):
        chosen = [i for i, row in enumerate(rows.itertuples()) if _holds_zero(row, letter) == pale]
        if chosen:
            part = rows.iloc[chosen]
            ends = on_axis(part, scale, [letter, f"{letter}_low", f"{letter}_high"]).clip(-_WIDEST, _WIDEST)
            value, low, high = (ends[name] for name in ends)
            label = escape(part[f"group_{letter}"].iloc[0])
            chart.add_scatter(
                x=value,
                y=[i + shift for i in chosen],
                mode="markers",
                name=label,
                opacity=PALE if pale else 1.0,
                marker={"symbol": mark, "size": 7, "color": colour, "line": {"width": 1.5, "color": colour}},
                error_x=_whiskers(value, low, high, colour, 1 if pale else 2),
                customdata=[names[i] for i in chosen],
                hovertext=[_estimate_words(row, letter) for row in part.itertuples()],
                hoverinfo="text",
                cliponaxis=True,
            )


def _holds_zero(row: Any, letter: str) -> bool:
    low, high = getattr(row, f"{letter}_low"), getattr(row, f"{letter}_high")
    return bool(low <= 0 <= high)


def _add_differences(chart: go.Figure, rows: pd.DataFrame, names: list[Any], scale: Scale) -> None:
    """The differences with their intervals: filled where one is beyond chance."""
    called = [bool(what) for what in rows["what"]]
    bounds = on_axis(rows, scale, ["difference", "low", "high"]).clip(-_WIDEST, _WIDEST)
    value, low, high = (bounds[name] for name in bounds)
    for differs in (False, True):
        chosen = [i for i, item in enumerate(called) if item == differs]
        if chosen:
            ends = [part.iloc[chosen] for part in (value, low, high)]
            chart.add_scatter(
                x=ends[0],
                y=chosen,
                xaxis="x2",
                mode="markers",
                name="difference",
                marker={
                    "symbol": "diamond",
                    "size": 11 if differs else 7,
                    "color": DIFFERENT if differs else PAPER,
                    "line": {"width": 1.5, "color": INK if differs else MUTED},
                },
                error_x=_whiskers(ends[0], ends[1], ends[2], INK if differs else MUTED, 2 if differs else 1.5),
                customdata=[names[i] for i in chosen],
                hovertext=[_difference_words(rows.iloc[i]) for i in chosen],
                hoverinfo="text",
            )


def _whiskers(value: pd.Series, low: pd.Series, high: pd.Series, colour: str, thickness: float) -> dict[str, Any]:
    """The interval of every estimate, as Plotly takes it."""
    ends = {"array": high - value, "arrayminus": value - low}
    return ends | {"color": colour, "thickness": thickness, "width": 0}


def _write(chart: go.Figure, words: str, x: float, y: float, anchor: str, **more: Any) -> None:
    """Text at a share of the chart's width and at a row."""
    given = {"yref": "y", "font": {"size": 12, "color": INK}} | more
    chart.add_annotation(xref="paper", x=x, y=y, text=words, xanchor=anchor, showarrow=False, **given)


def _add_frames(chart: go.Figure, rows: pd.DataFrame, selected: tuple[str, str] | None) -> None:
    """A tinted row where a link differs, a frame around the one that is selected."""
    for place, row in enumerate(rows.itertuples()):
        chosen = selected is not None and {row.source, row.target} == set(selected)
        if row.what or chosen:
            chart.add_shape(
                type="rect",
                xref="paper",
                yref="y",
                x0=-0.0,
                x1=1.0,
                y0=place - 0.48,
                y1=place + 0.48,
                layer="below",
                fillcolor=DIFFERENT_PALE if row.what else "rgba(0,0,0,0)",
                line={"width": 1.5 if chosen else 0, "color": INK},
            )


def _add_columns(chart: go.Figure, rows: pd.DataFrame) -> None:
    """Both estimates before the axes, the difference and p behind them; odds ratios named among others."""
    mixed = rows["scale"].nunique() > 1
    for place, row in enumerate(rows.itertuples()):
        bold = ("<b>", "</b>") if row.what else ("", "")
        scale = SCALES[row.scale]
        unit = f"OR{words.NO_BREAK}" if mixed and scale.ratios else ""
        sizes = (scale.text(row.a), scale.text(row.b), scale.difference_text(row.difference))
        cells = (*(f"{unit}{size}" for size in sizes), words.fraction(row.p))
        for x, cell in zip((*_ESTIMATES, *_TESTED), cells, strict=True):
            _write(chart, f"{bold[0]}{escape(cell)}{bold[1]}", x, place, "right")


def _lay_out(
    chart: go.Figure, rows: pd.DataFrame, scale: Scale, labels: tuple[str, str], groups: tuple[int, int]
) -> None:
    """Axes, heads and grid."""
    order = order_of(scale, *map(escape, distinct(labels, _IN_HEAD)))
    heads = (
        (0.0, "left", "Link" if scale.name == MIXED else f"Link: {scale.short}"),
        *(
            (x, "right", f"{_sign(place)} {escape(label)}")
            for x, label, place in zip(_ESTIMATES, without_beginnings(labels, _IN_COLUMN), groups, strict=True)
        ),
        (0.54, "center", "95 % intervals"),
        *zip(_TESTED, ["right"] * 2, (order, "p (corr.)"), strict=True),
    )
    for x, anchor, head in heads:
        _write(chart, head, x, 1.0, anchor, yref="paper", yshift=25, font={"size": 12, "color": MUTED})
    ends = on_axis(rows, scale, ["a_low", "a_high", "b_low", "b_high"]).clip(-_WIDEST, _WIDEST)
    bounds = on_axis(rows, scale, ["low", "high"]).clip(-_WIDEST, _WIDEST)
    axis: dict[str, Any] = {
        "showgrid": True,
        "gridcolor": LINE,
        "zeroline": True,
        "zerolinecolor": MUTED,
        "zerolinewidth": 1.2,
    }
    chart.update_layout(
        xaxis=axis | {"domain": [0.42, 0.67]} | _ticks(ends, scale),
        xaxis2=axis | {"domain": [0.685, 0.825], "anchor": "y"} | _ticks(bounds, scale, few=True),
        yaxis={
            "range": [max(len(rows), 1) - 0.5, -0.5],
            "tickvals": list(range(len(rows))),
            "ticktext": [""] * len(rows),
            "showgrid": False,
            "zeroline": False,
        },
    )
    for place, row in enumerate(rows.itertuples()):
        bold = ("<b>", "</b>") if row.what else ("", "")
        label, hover = f"{bold[0]}{_link_text(row)}{bold[1]}", escape(f"{row.source} - {row.target}", 200)
        _write(chart, label, 0.0, place, "left", xshift=6, hovertext=hover)


def _sign(place: int) -> str:
    """The mark of a group in its colour."""
    return f"<span style='color:{GROUP_COLOURS[place]}'>{'●□◇△✚✕'[place]}</span>"


def _link_text(row: Any) -> str:
    """The two names in a row's width, with the levels where it is of some only; of long names what parts them."""
    ends = [
        f"{name} = {up}" if (up := shown_up(level)) else name
        for name, level in ((row.source, row.source_up), (row.target, row.target_up))
    ]
    levels = f" ({row.levels})" if row.levels else ""
    brief = [name_without_unit(end, unit_in(end)) for end in ends]
    for shown in (ends, brief):
        if len(whole := f"{' – '.join(shown)}{levels}") <= _NAME:
            return escape(whole, _NAME)
    both = "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], zip(*ends, strict=False)))
    both = re.sub(r"[^\s_-]*$", "", both)
    if len(both) > 3 and sum(map(len, ends)) > _NAME:
        ends = [f"…{end.removeprefix(both)}" for end in ends]
    room = _NAME - 3
    half = max(room // 2, room - min(map(len, ends)))
    a, b = (escape(shorten(end, half if len(end) > room // 2 else room // 2), _NAME) for end in ends)
    return f"{a} – {b}"


def _ticks(ends: pd.DataFrame, scale: Scale, *, few: bool = False) -> dict[str, Any]:
    """Range and ticks of an axis: of odds ratios the ratios themselves, by their logarithms."""
    low, high = (float(ends.min().min()), float(ends.max().max())) if len(ends) else (-1.0, 1.0)
    low, high = min(low, 0.0), max(high, 0.0)
    room = 0.06 * max(high - low, 0.2)
    low, high = low - room, high + room
    if scale.name == MIXED:  # the numbers stand beside: one axis for several kinds of them would say another
        return {"range": [low, high], "tickvals": [0], "ticktext": ["no difference" if few else "no link"]}
    if not scale.ratios:
        wide = high - low > 1.3
        step = 1.0 if few and wide else 0.5 if few or wide else 0.25  # a narrow axis would set more on their side
        values = [
            correlation
            for correlation in _CORRELATIONS
            if low <= correlation <= high and (correlation / step).is_integer()
        ]
        return {"range": [low, high], "tickvals": values, "ticktext": [words.signed(value) for value in values]}
    ratios = [ratio for ratio in _RATIOS if low <= math.log(ratio) <= high]
    if len(ratios) < 3:
        ratios = [ratio_value for ratio_value in _FINE_RATIOS if low <= math.log(ratio_value) <= high]
    keep = 4 if few else 7
    while len(ratios) > keep:
        ratios = [ratio for place, ratio in enumerate(ratios) if (place - ratios.index(1)) % 2 == 0]
    return {
        "range": [low, high],
        "tickvals": [math.log(ratio) for ratio in ratios],
        "ticktext": [f"{ratio:g}" for ratio in ratios],
    }


def _estimate_words(row: Any, letter: str) -> str:
    value, low, high = (getattr(row, f"{letter}{end}") for end in ("", "_low", "_high"))
    group, scale = escape(getattr(row, f"group_{letter}"), 40), SCALES[row.scale]
    return f"<b>{_link_text(row)}</b><br>{group}: {scale.short} {scale.interval(value, low, high)}"


def _difference_words(row: pd.Series) -> str:
    scale = SCALES[row["scale"]]
    sizes = [scale.difference_text(row[name]) for name in ("difference", "low", "high")]
    order = escape(order_of(scale, *distinct((row["group_a"], row["group_b"]), 20)), 60)
    sentence = f"{order} = {sizes[0]} ({sizes[1]} to {sizes[2]}), {evidence(row)}"
    said = escape(f"{verdict_text(row)}{f', {row.what}' if row.what else ''}")
    return f"<b>{_link_text(row)}</b><br>{said}: {sentence}, {words.p_value(row['p'], corrected=True)}"


def chosen_rows(
    links: pd.DataFrame,
    groups: Sequence[str],
    drawn_links: Sequence[tuple[str, str]] | None,
    drawn: frozenset[frozenset[str]],
) -> pd.DataFrame:
    """The rows of a chart: those asked for in their order, else the links that are drawn, least p first."""
    rows = links[(links["group_a"] == groups[0]) & (links["group_b"] == groups[1])]
    keys = [frozenset((row.source, row.target)) for row in rows.itertuples()]
    if drawn_links is None:
        return rows[[key in drawn for key in keys]]
    place = {frozenset(link): i for i, link in enumerate(drawn_links)}
    order = sorted((place[key], i) for i, key in enumerate(keys) if key in place)
    return rows.iloc[[i for _, i in order]]


def structure_figure(
    pair: Sequence[nx.Graph], labels: Sequence[str], difference: nx.DiGraph, names: Sequence[str]
) -> go.Figure:
    """Two networks over these variables, and what is in both or in one of them, on one layout."""
    inside = [nx.DiGraph(graph).subgraph(names) for graph in pair]
    lines = {
        label: [Line(a, b, directed, STYLES["linked"]) for a, b, directed, _ in each_edge(graph)]
        for label, graph in zip(labels, inside, strict=False)
    }
    lines["Difference"] = [
        Line(a, b, directed, STYLES.get(str(about.get("status", "same")), STYLES["same"]))
        for a, b, directed, about in each_edge(difference)
    ]
    return networks_figure(lines, plan_networks([*inside, difference], across=SCREEN), drawn_kinds(lines))
