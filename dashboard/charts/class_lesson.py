"""How many series every method tells at one difference of the classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from dashboard.theme import CATEGORICAL, INK, LINE, MUTED, PAPER

if TYPE_CHECKING:
    from engine.evaluation.lessons.discriminative import Lesson

FONT = 16


def lesson_figure(lesson: Lesson) -> go.Figure:
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
            error_x={
                "type": "data",
                "symmetric": False,
                "array": [high - mean for mean, high in zip(means, highs, strict=True)],
                "arrayminus": [mean - low for mean, low in zip(means, lows, strict=True)],
                "color": INK,
                "thickness": 2,
            },
            text=[f" {mean:.0%}" for mean in means],
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
        annotation_font={"size": FONT, "color": MUTED},
    )
    figure.update_layout(
        height=90 + 46 * len(names),
        margin={"l": 10, "r": 30, "t": 30, "b": 50},
        plot_bgcolor=PAPER,
        font={"color": INK, "size": FONT},
        showlegend=False,
    )
    figure.update_xaxes(
        title="new series rightly told",
        range=[0, 1.02],
        tickformat=".0%",
        gridcolor=LINE,
        zeroline=False,
        fixedrange=True,
    )
    figure.update_yaxes(autorange="reversed", showgrid=False, fixedrange=True, automargin=True)
    return figure
