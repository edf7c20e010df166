"""What all charts have in common: paper, letters, margins, a legend above; and larger, for a room."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.lazy import go
from engine.telling.charts.colours import INK, LINE, MUTED, PAPER
from engine.words import in_percent

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

ABOVE = {"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0, "font": {"size": 12}}
"""A legend above the chart, in lines from the left."""


def lay_out(figure: go.Figure, height: float, *, size: int = 13, margin: dict[str, int], **layout: Any) -> go.Figure:
    """Height, paper and letters, and what else a chart asks for; a margin that is not named is 10 pixels."""
    return figure.update_layout(**layout_of(height, size=size, margin=margin, **layout))


def layout_of(height: float, *, size: int = 13, margin: dict[str, int], **layout: Any) -> dict[str, Any]:
    """`lay_out` for a figure that is made with all of its layout: Plotly takes five times as long to change one."""
    sides = {"l": 10, "r": 10, "t": 10, "b": 10} | margin
    return {"height": height, "margin": sides, "font": {"color": INK, "size": size}, "plot_bgcolor": PAPER} | layout


def large_axis(size: int) -> dict[str, Any]:
    """An axis for the last row of a room: letters of this size, its title a little larger."""
    return {
        "tickfont": {"size": size, "color": INK},
        "title_font": {"size": size + 1, "color": INK},
        "gridcolor": LINE,
        "zeroline": False,
    }


def percent_ticks(top: float = 1.0, most: int = 6) -> dict[str, Any]:
    """Ticks of an axis of shares from 0 up to a largest one, round and few, written as every share is."""
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5) if top < (most - 1e-9) * step or step == 0.5)
    places = [number * step for number in range(int(top / step + 1e-9) + 1)]
    return {"tickvals": places, "ticktext": [in_percent(place) for place in places]}


def name_rows(figure: go.Figure, labels: Sequence[str], **axis: Any) -> None:
    """Rows from the top down, each with its label."""
    figure.update_yaxes(**named_rows(labels), **axis)


def named_rows(labels: Sequence[str]) -> dict[str, Any]:
    """`name_rows` as the axis of a figure that is made with all of its layout."""
    rows = len(labels)
    return {"tickvals": list(range(rows)), "ticktext": labels, "range": [rows - 0.4, -0.6]}


def numbered_bars(lengths: Sequence[float], rows: Sequence[Any], numbers: Sequence[str], **bar: Any) -> go.Figure:
    """Horizontal bars, each with its number at its end."""
    bars = go.Bar(x=lengths, y=rows, orientation="h", text=numbers, textposition="outside", cliponaxis=False, **bar)
    return go.Figure(bars)


def whiskers(values: ArrayLike, low: ArrayLike, high: ArrayLike, colour: str, thickness: float) -> dict[str, Any]:
    """Intervals as Plotly takes them: how far the ends are from the values."""
    import numpy as np

    return {
        "type": "data",
        "array": np.subtract(high, values).tolist(),
        "arrayminus": np.subtract(values, low).tolist(),
        "color": colour,
        "thickness": thickness,
    }


def colour_scale(colours: Sequence[str]) -> list[list[Any]]:
    """Colours as Plotly wants them: each with its place from 0 to 1."""
    return [[place / (len(colours) - 1), colour] for place, colour in enumerate(colours)]


TIMES = 1.4
USUAL = 12
"""Pixels of letters where a figure says nothing."""
_IN_MARKUP = re.compile(r"(?<=<span style='font-size:)\d+(?=px;)")
"""A size in a label's own markup; a name cannot hold it, since its signs are escaped."""


def enlarged(figure: go.Figure) -> go.Figure:
    """The figure with letters, height and margins larger; what is drawn in it stays."""
    figure_data = figure.to_plotly_json()
    layout = _larger(figure_data["layout"], "")
    layout["font"] = {"size": TIMES * USUAL} | layout.get("font", {})
    if "height" in layout:
        layout["height"] *= TIMES
    layout["margin"] = {side: size if side == "autoexpand" else TIMES * size for side, size in _margin(layout).items()}
    return go.Figure({"data": _larger(figure_data["data"], ""), "layout": layout})


def _margin(layout: Mapping[str, Any]) -> Mapping[str, Any]:
    margin: Mapping[str, Any] = layout.get("margin") or {}
    return margin


def _larger(value: Any, key: str) -> Any:
    if isinstance(value, Mapping):
        font = "font" in key
        return {
            name: item if name == "template" else _size(item) if font and name == "size" else _larger(item, name)
            for name, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [_larger(entry, key) for entry in value]
    if isinstance(value, str):
        return _IN_MARKUP.sub(lambda result: f"{TIMES * int(result.group()):.0f}", value)
    return value


def _size(value: Any) -> Any:
    return [_size(item) for item in value] if isinstance(value, list | tuple) else TIMES * value


def empty_figure(height: int, **margins: int) -> go.Figure:
    """A chart with nothing in it yet, with the letters and margins of all."""
    margin: dict[str, Any] = {"l": 10, "r": 16, "t": 8, "b": 40} | margins
    return go.Figure(
        layout={
            "height": height,
            "margin": margin,
            "showlegend": False,
            "plot_bgcolor": PAPER,
            "paper_bgcolor": PAPER,
            "font": {"color": INK, "size": 13},
            "hoverlabel": {"bgcolor": PAPER, "bordercolor": MUTED, "font": {"color": INK}, "align": "left"},
        }
    )


def note(x: float, y: float, text: str, size: int = 12, colour: str = INK, **more: Any) -> dict[str, Any]:
    """A text in a figure, without an arrow."""
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": {"size": size, "color": colour}, **more}
