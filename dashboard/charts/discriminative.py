"""The chart of a lesson on class networks: how many new series each method classifies correctly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from dashboard.theme import CATEGORICAL, INK, LINE, MUTED, PAPER
from engine.telling.charts.frame import lay_out, percent_ticks, whiskers
from engine.words import in_percent

if TYPE_CHECKING:
    from engine.evaluation.lessons.discriminative import Lesson, Switching

FONT = 16


def lesson_figure(lesson: Lesson | Switching, tested: str = "series") -> go.Figure:
    """A bar a method with the interval of its mean, and chance as a line; large, for the last row of a room."""
    names = list(lesson.accuracies)
    means, lows, highs = zip(*(lesson.interval(name) for name in names), strict=True)
    figure = go.Figure(
        go.Bar(
            x=means,
            y=names,
            orientation="h",
            width=0.6,
            marker={"color": CATEGORICAL[0]},
            error_x=whiskers(means, lows, highs, INK, 2),
            text=[f" {in_percent(mean)}" for mean in means],
            textposition="inside",
            insidetextanchor="start",
            textfont={"size": FONT, "color": PAPER},
            hoverinfo="skip",
        )
    )
    figure.add_vline(
        x=0.5,
        line={"color": MUTED, "width": 2, "dash": "dot"},
        annotation_text="chance",
        annotation_yanchor="bottom",
        annotation_font={"size": FONT, "color": MUTED},
    )
    lay_out(figure, 90 + 46 * len(names), size=FONT, margin={"r": 30, "t": 30, "b": 50}, showlegend=False)
    title = f"new {tested} classified correctly"
    figure.update_xaxes(
        title=title, range=[0, 1.02], **percent_ticks(), gridcolor=LINE, zeroline=False, fixedrange=True
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, fixedrange=True, automargin=True)
    return figure
