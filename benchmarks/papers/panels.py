"""The figure of a paper beside ours: panels on equal axes, one legend, the same sign and colour for a name in all."""

from __future__ import annotations

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from benchmarks.papers.figures import PaperFigure, Series
from dashboard.text import chart
from dashboard.theme import CATEGORICAL, INK, MUTED
from engine.telling.charts.frame import ABOVE, large_axis, lay_out

FONT, HEIGHT = 14, 330
SIGNS = ("circle", "square", "triangle-up", "cross", "star", "triangle-down", "hexagon", "x")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


def panels_figure(paper: PaperFigure) -> go.Figure:
    """All panels of a figure, side by side."""
    titles = [chart(panel.title, 60) for panel in paper.panels]
    figure = make_subplots(rows=1, cols=len(titles), subplot_titles=titles, shared_yaxes=True, horizontal_spacing=0.035)
    names = list(dict.fromkeys(series.name for panel in paper.panels for series in panel.series))
    for column, panel in enumerate(paper.panels, start=1):
        if paper.diagonal:
            ends = list(paper.limits)
            line = {"color": MUTED, "width": 2, "dash": "dot"}
            diagonal = go.Scatter(x=ends, y=ends, mode="lines", line=line, hoverinfo="skip", showlegend=False)
            figure.add_trace(diagonal, row=1, col=column)
        for series in panel.series:
            figure.add_trace(_points(series, names.index(series.name), paper), row=1, col=column)
    for name in names:  # one entry of the legend each, whichever panel has it first
        for trace in [trace for trace in figure.data if trace.legendgroup == name][1:]:
            trace.showlegend = False
    lay_out(figure, HEIGHT, size=FONT, margin={"l": 62, "t": 56, "b": 48}, dragmode=False)
    figure.update_layout(legend={**ABOVE, "y": 1.1, "font": {"size": FONT, "color": INK}})
    figure.update_layout(legend={"itemclick": False, "itemdoubleclick": False})
    figure.update_annotations(font={"size": FONT, "color": INK})
    figure.update_xaxes(title_text=chart(paper.across, 60), fixedrange=True, **large_axis(FONT))
    figure.update_yaxes(range=list(paper.limits), fixedrange=True, **large_axis(FONT))
    figure.update_yaxes(title_text=chart(paper.upwards, 60), col=1)
    if paper.diagonal:
        figure.update_xaxes(range=list(paper.limits))
    elif paper.logarithmic:
        figure.update_xaxes(type="log", dtick=1, tickformat=",")
    elif any(isinstance(x, str) for panel in paper.panels for series in panel.series for x in series.x):
        figure.update_xaxes(type="category")
        figure.update_layout(scattermode="group", scattergap=0.5)
    if len(titles) > 1:
        figure.update_xaxes(matches="x")
    return figure


def figure_alt(paper: PaperFigure) -> str:
    """What a reader of the screen hears in place of the picture."""
    return f"{paper.paper}: {paper.title}. {'; '.join(panel.title for panel in paper.panels)}. {paper.outcome}"


def _points(series: Series, place: int, paper: PaperFigure) -> go.Scatter:
    colour = CATEGORICAL[place % len(CATEGORICAL)]
    return go.Scatter(
        x=list(series.x),
        y=list(series.y),
        mode="lines+markers" if series.joined else "markers",
        name=chart(series.name),
        legendgroup=series.name,
        marker={
            "symbol": SIGNS[place % len(SIGNS)],
            "color": colour,
            "size": 9,
            "line": {"color": "white", "width": 1},
        },
        line={"color": colour, "width": 2.5, "dash": DASHES[place % len(DASHES)]},
        error_y=None if series.spread is None else {"array": list(series.spread), "thickness": 1.5, "width": 4},
        hovertemplate=f"{chart(series.name)}<br>{chart(paper.across)}: %{{x}}<br>{chart(paper.upwards)}: %{{y:.3f}}"
        "<extra></extra>",
    )
