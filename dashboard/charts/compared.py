"""The chart of a comparison as a page shows it: a press anywhere in a row chooses its link."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dashboard.text import chart
from engine.telling.comparison.figures import ROW

if TYPE_CHECKING:
    import plotly.graph_objects as go

ACROSS = 16
"""Places to press in each part of a row."""
NAMES, FIGURES = (0.0, 0.285), (0.865, 1.0)
"""Shares of a row beside the two axes: the names of its link, and its figures."""


def choosable(figure: go.Figure, links: Sequence[tuple[str, str]]) -> go.Figure:
    """The same chart with something to press in every row, and nothing that is dimmed or moved by a press."""
    figure.update_traces(selected={"marker": {"opacity": 1}}, unselected={"marker": {"opacity": 1}})
    traces = len(figure.data)
    blank = {"range": (0.0, 1.0), "anchor": "y", "visible": False}
    figure.update_layout(xaxis3=blank | {"domain": NAMES}, xaxis4=blank | {"domain": FIGURES})
    for axis in ("x", "x2", "x3", "x4"):
        _add_press_points(figure, axis, links)
    figure.data = (*figure.data[traces:], *figure.data[:traces])  # below the estimates, whose own words are met first
    figure.update_layout(dragmode=False, hovermode="closest", clickmode="event+select")
    figure.update_xaxes(fixedrange=True)
    figure.update_yaxes(fixedrange=True)
    figure.for_each_annotation(lambda item: item.update(captureevents=False, hovertext=None))
    return figure


def _add_press_points(figure: go.Figure, axis: str, links: Sequence[tuple[str, str]]) -> None:
    """Places to press all along one axis; over the names the whole names can be read."""
    low, high = figure.layout[f"xaxis{axis[1:]}"].range
    positions = [low + (high - low) * place / (ACROSS - 1) for place in range(ACROSS)]
    nothing = {"marker": {"opacity": 0}}
    figure.add_scatter(
        x=[place for _ in links for place in positions],
        y=[row for row, _ in enumerate(links) for _ in positions],
        xaxis=axis,
        mode="markers",
        marker={"size": ROW, "symbol": "square", "opacity": 0},
        selected=nothing,
        unselected=nothing,
        customdata=[list(link) for link in links for _ in positions],
        hovertext=[chart(f"{source} – {target}", 160) for source, target in links for _ in positions],
        hoverinfo="text" if axis == "x3" else "none",
        name="row",
    )


def chosen_link(event: object) -> tuple[str, str] | None:
    """The link of a press, out of what the browser says; None where it says none."""
    selection = getattr(event, "selection", None) or (event.get("selection") if isinstance(event, dict) else None)
    points = selection.get("points") if selection else None
    custom = points[0].get("customdata") if points else None
    names = [custom[key] for key in sorted(custom)] if isinstance(custom, dict) else custom
    if not isinstance(names, list | tuple) or len(names) != 2:
        return None
    return str(names[0]), str(names[1])
