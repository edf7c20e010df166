"""Trials in which nothing was to be found, and areas of many runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from dashboard.text import chart
from dashboard.theme import GROUP_B, INK, MUTED, PRIMARY
from engine.telling.charts.curves import area
from engine.telling.charts.frame import large_axis

if TYPE_CHECKING:
    from engine.evaluation.trials.outcome import Outcome
    from engine.evaluation.trials.repeat import Repeated

FONT = 16
MOST_ALARMS = 60


def alarms_figure(outcome: Outcome) -> go.Figure:
    """The highest scores of items none of which is a case: those called are filled diamonds."""
    score = outcome.scores[0]
    order = [i for i in np.argsort(-score.values, kind="stable").tolist() if np.isfinite(score.values[i])][:MOST_ALARMS]
    figure = go.Figure()
    for called, name, symbol, colour in (
        (True, "called: a false positive", "diamond", GROUP_B),
        (False, "true negative", "circle-open", PRIMARY),
    ):
        positions = [place for place, i in enumerate(order) if outcome.called[i] == called]
        figure.add_scatter(
            x=[place + 1 for place in positions],
            y=[float(score.values[order[place]]) for place in positions],
            mode="markers",
            name=name,
            marker={"symbol": symbol, "size": 13, "color": colour, "line": {"width": 2}},
            hovertext=[chart(outcome.labels[order[place]]) for place in positions],
            hoverinfo="text+y",
            showlegend=True,
        )
    if score.usual is not None:
        figure.add_hline(y=score.usual, line={"color": INK, "width": 2, "dash": "dot"})
    _frame_trial(figure, f"{outcome.trial.items.many}, highest score first", f"{score.name} ({score.unit})", 360)
    return figure


def runs_figure(repeated: Repeated) -> go.Figure:
    """The area of every run as a dot, run by run, and the mean of each score as a line."""
    figure = go.Figure()
    seeds = [run.trial.seed for run in repeated.runs]
    styles = ((PRIMARY, "circle", "solid"), (GROUP_B, "square-open", "dash"))
    for number, score in enumerate(repeated.scores):
        colour, symbol, dash = styles[number]
        mean = repeated.mean(number)
        figure.add_scatter(
            x=[seeds[0] - 0.5, seeds[-1] + 0.5],
            y=[mean.value] * 2,
            mode="lines",
            line={"color": colour, "width": 3, "dash": dash},
            hoverinfo="skip",
            showlegend=False,
        )
        figure.add_scatter(
            x=seeds,
            y=repeated.areas[:, number].tolist(),
            mode="markers",
            name=f"{chart(score.name)}, mean {area(mean.value)}",
            marker={"symbol": symbol, "size": 13, "color": colour, "line": {"width": 2, "color": colour}},
            hovertemplate="seed %{x}: AUC %{y:.2f}<extra></extra>",
        )
    figure.add_hline(y=0.5, line={"color": MUTED, "width": 2, "dash": "dot"})
    figure.add_annotation(
        x=0, xref="paper", xanchor="left", y=0.5, yshift=-12, text="chance", showarrow=False,
        font={"size": FONT, "color": MUTED},
    )  # fmt: skip
    _frame_trial(figure, "run, by its seed", "AUC", 400)
    low = float(np.nanmin(repeated.areas))
    figure.update_yaxes(range=[min(0.42, low - 0.05), 1.04])
    figure.update_xaxes(range=[seeds[0] - 0.8, seeds[-1] + 0.8])
    return figure


def _frame_trial(figure: go.Figure, across: str, up: str, height: int) -> None:
    figure.update_layout(
        height=height,
        margin={"l": 70, "r": 20, "t": 10, "b": 60},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"size": FONT, "color": INK}},
        hoverlabel={"font": {"size": FONT}},
    )
    figure.update_xaxes(title_text=chart(across, 80), **large_axis(FONT))
    figure.update_yaxes(title_text=chart(up, 60), **large_axis(FONT))
