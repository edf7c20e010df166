"""Colours by their meaning, the layout of a chart, and text out of a file as Plotly may show it."""

from __future__ import annotations

import html
from typing import Any

from engine.lazy import go

INK, MUTED, LINE, PAPER = "#1C2733", "#56626B", "#D5DBE1", "#FFFFFF"
GROUP_COLOURS = ("#17557E", "#2C7A6B", "#8E3A76", "#7A6A00", "#4D6A80", "#A3195B")
"""Of the groups of a comparison, in their order."""
GROUP_MARKS = ("circle", "square-open", "diamond-open", "triangle-up-open", "cross-open", "x-open")
DIFFERS, DIFFERS_PALE = "#DD8432", "#FCF0E3"
"""What differs, and the row it stands in; nothing else has this colour."""
PALE = 0.45
"""Opacity of an estimate whose interval holds 0."""


def text(value: object, most: int = 60) -> str:
    """A name or level out of a file: shortened, and with nothing in it that a chart would take for markup.

    Examples
    --------
    >>> from engine.charts.frame import text
    >>> text("<b>age</b>"), text("a very long name", 8)
    ('&lt;b&gt;age&lt;/b&gt;', 'a very …')
    """
    plain = "".join(item if item.isprintable() else " " for item in str(value))
    short = plain if len(plain) <= most else f"{plain[: most - 1]}…"
    return html.escape(short, quote=False).replace("$", "&#36;")


def figure(height: int, **margins: int) -> go.Figure:
    """An empty chart with the letters and margins of all."""
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
