"""Networks as one Plotly figure: boxes, lines and heads where the picture of the report has them, and a legend."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine.graphs.drawing.labels import LETTER
from engine.graphs.drawing.layout import Point
from engine.graphs.drawing.svg import ArcStyle, Line, frame, line_ends, sign_places
from engine.lazy import go
from engine.telling.charts.colours import BORDER, DIFFERENT, INK, PAPER
from engine.telling.charts.frame import empty_figure
from engine.telling.charts.labels import escape, name_of
from engine.telling.charts.network_layout import GAP, FigureLayout
from engine.words import count

HEAD, FOOT = 30.0, 22.0
"""Pixels above a network for its title, and of a row of the legend."""
TIP, HALF = 9.0, 3.5
"""Pixels of an arrow head: how long, and half as wide."""
PER_LEGEND_ROW = 3
Path = tuple[list[float | None], list[float | None]]


def networks_figure(
    lines: Mapping[str, Sequence[Line]],
    plan: FigureLayout,
    kinds: Sequence[tuple[ArcStyle, str]],
    differing: Collection[str] = (),
) -> go.Figure:
    """One or several networks on one layout.

    Parameters
    ----------
    lines : title -> its links
    plan : where the variables stand, and how large a picture is
    kinds : kinds of lines and what the legend calls them
    differing : variables whose boxes are marked
    """
    if not plan.positions:
        return empty_figure(80)
    view = frame(plan.positions, plan.boxes)
    scale = plan.width / view.width
    per_row = min(plan.per_row, max(len(lines), 1))
    across, down = view.width + GAP / scale, view.height + (GAP + HEAD) / scale
    wide = per_row * across - GAP / scale
    high = -(-len(lines) // per_row) * down
    legend = FOOT * (1 + (len(kinds) - 1) // PER_LEGEND_ROW) if kinds else 0.0
    figure = empty_figure(round(high * scale + legend) + 16, l=8, r=8, t=8, b=round(legend) + 8)
    titles: list[dict[str, Any]] = []
    for number, (title, own) in enumerate(lines.items()):
        row, column = divmod(number, per_row)
        shift = (column * across - view.left, row * down + HEAD / scale - view.top)
        positions = {name: (x + shift[0], y + shift[1]) for name, (x, y) in plan.positions.items()}
        _add_lines(figure, own, positions, plan, scale)
        _add_boxes(figure, positions, plan, differing)
        _add_names(figure, positions, plan, scale, differing)
        titles.append(_title(title, own, (shift[0] + view.left, row * down)))
    for style, words in kinds:
        _add_legend(figure, style, words)
    figure.update_layout(
        width=round(wide * scale) + 16,
        annotations=titles,
        showlegend=bool(kinds),
        hovermode="closest",
        legend={"orientation": "h", "x": 0, "y": 0, "yanchor": "top", "font": {"size": 12}, "itemclick": False,
                "itemdoubleclick": False},
    )  # fmt: skip
    hidden = {"visible": False, "fixedrange": True}
    figure.update_xaxes(range=[0, wide], **hidden)
    return figure.update_yaxes(range=[high, 0], **hidden)


def _add_lines(
    figure: go.Figure, lines: Sequence[Line], positions: Mapping[str, Point], plan: FigureLayout, scale: float
) -> None:
    """Lines by kind and width, heads by colour, signs, and words where the pointer meets the middle of a line."""
    strokes: dict[tuple[ArcStyle, float], Path] = {}
    heads: dict[str, Path] = {}
    middles: list[tuple[Point, str]] = []
    for line in lines:
        start, end = line_ends(line, positions, plan.boxes)
        _extend(strokes.setdefault((line.style, round(line.width, 1)), ([], [])), [start, end])
        if line.directed:
            _extend(heads.setdefault(line.style.colour, ([], [])), _head(start, end, scale))
        words = f"{name_of(line.source)} {'→' if line.directed else '—'} {name_of(line.target)}"
        middles.append((((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), escape(words, 120)))
    for (style, width), (x, y) in strokes.items():
        dash = ",".join(f"{length}px" for length in style.dash) or "solid"
        look = {"color": style.colour, "width": width, "dash": dash}
        figure.add_scatter(x=x, y=y, mode="lines", line=look, hoverinfo="skip", showlegend=False)
    for colour, (x, y) in heads.items():
        figure.add_scatter(
            x=x, y=y, mode="lines", line={"width": 0}, fill="toself", fillcolor=colour, hoverinfo="skip",
            showlegend=False,
        )  # fmt: skip
    figure.add_scatter(
        x=[x for (x, _), _ in middles],
        y=[y for (_, y), _ in middles],
        mode="markers",
        marker={"size": 14, "opacity": 0},
        hovertext=[words for _, words in middles],
        hoverinfo="text",
        showlegend=False,
    )
    signed = sign_places(lines, positions, plan.boxes)
    if signed:
        figure.add_scatter(
            x=[x for _, (x, _) in signed],
            y=[y for _, (_, y) in signed],
            mode="markers+text",
            marker={
                "size": 13,
                "color": PAPER,
                "line": {"width": 1, "color": [line.style.colour for line, _ in signed]},
            },
            text=[line.sign for line, _ in signed],
            textfont={"size": 12, "color": [line.style.colour for line, _ in signed]},
            hoverinfo="skip",
            showlegend=False,
        )


def _extend(path: Path, points: Sequence[Point]) -> None:
    """Another piece of a path that is drawn as one trace."""
    for axis, values in enumerate(path):
        values.extend([*(point[axis] for point in points), None])


def _head(start: Point, end: Point, scale: float) -> list[Point]:
    """The three corners of an arrow head at the end of a line."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    length = math.hypot(dx, dy) or 1.0
    ux, uy = dx / length / scale, dy / length / scale
    back = (end[0] - TIP * ux, end[1] - TIP * uy)
    return [end, (back[0] - HALF * uy, back[1] + HALF * ux), (back[0] + HALF * uy, back[1] - HALF * ux), end]


def _add_boxes(
    figure: go.Figure, positions: Mapping[str, Point], plan: FigureLayout, differing: Collection[str]
) -> None:
    """Boxes over the lines that pass below them; those that differ are filled."""
    for differs, fill, rim in ((False, PAPER, BORDER), (True, DIFFERENT, INK)):
        path: Path = ([], [])
        for name, (x, y) in positions.items():
            if (name in differing) == differs:
                right, low = plan.boxes[name].width / 2, plan.boxes[name].height / 2
                corners = ((-right, -low), (right, -low), (right, low), (-right, low), (-right, -low))
                _extend(path, [(x + u, y + v) for u, v in corners])
        if path[0]:
            look = {"line": {"width": 1, "color": rim}, "fill": "toself", "fillcolor": fill}
            figure.add_scatter(x=path[0], y=path[1], mode="lines", hoverinfo="skip", showlegend=False, **look)


def _add_names(
    figure: go.Figure, positions: Mapping[str, Point], plan: FigureLayout, scale: float, differing: Collection[str]
) -> None:
    """Names in their boxes; the pointer meets the whole name."""
    figure.add_scatter(
        x=[x for x, _ in positions.values()],
        y=[y for _, y in positions.values()],
        mode="text",
        text=[
            "<br>".join(escape(line, 40) for line in plan.boxes[name].lines) + (" ▲" if name in differing else "")
            for name in positions
        ],
        textfont={"size": max(8.0, scale * LETTER * 0.95), "color": INK},
        hovertext=[escape(name_of(name), 200) for name in positions],
        hoverinfo="text",
        showlegend=False,
    )


def _title(title: str, lines: Sequence[Line], corner: Point) -> dict[str, Any]:
    return {
        "x": corner[0],
        "y": corner[1],
        "text": f"<b>{escape(name_of(title), 60)}</b> · {count(len(lines), 'link')}",
        "showarrow": False,
        "xanchor": "left",
        "yanchor": "top",
        "font": {"size": 13, "color": INK},
    }


def _add_legend(figure: go.Figure, style: ArcStyle, words: str) -> None:
    """A line of this kind in the legend alone."""
    dash = ",".join(f"{length}px" for length in style.dash) or "solid"
    look = {"color": style.colour, "width": 2, "dash": dash}
    figure.add_scatter(x=[None], y=[None], mode="lines", line=look, name=escape(words, 60))
