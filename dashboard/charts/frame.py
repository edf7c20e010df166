"""What the charts of the dashboard have in common: paper, letters, margins, and a legend above."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboard.theme import INK, PAPER

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

ABOVE = {"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0, "font": {"size": 12}}
"""A legend above the chart, in lines from the left."""


def lay_out(figure: go.Figure, height: float, *, size: int = 13, margin: dict[str, int], **layout: Any) -> go.Figure:
    """Height, paper and letters, and what else a chart asks for; a margin that is not named is 10 pixels."""
    sides = {"l": 10, "r": 10, "t": 10, "b": 10} | margin
    font = {"color": INK, "size": size}
    return figure.update_layout(height=height, margin=sides, plot_bgcolor=PAPER, font=font, **layout)


def colour_scale(colours: Sequence[str]) -> list[list[Any]]:
    """Colours as Plotly wants them: each with its place from 0 to 1."""
    return [[place / (len(colours) - 1), colour] for place, colour in enumerate(colours)]
