"""How class networks tell subjects: each by both networks, what a family adds, what acting gains, and a lesson."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from dashboard.charts.frame import ABOVE, lay_out
from dashboard.text import chart
from dashboard.theme import CATEGORICAL, GROUP_A, GROUP_B, INK, LINE, MUTED, PAPER

if TYPE_CHECKING:
    import pandas as pd

    from engine.evaluation.lessons.discriminative import Lesson
    from engine.methods.discriminative.evaluation import Evaluation

SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "x")
MOST_PUSHES = 14
"""Families that are drawn; the others are summed."""


def points_figure(
    evaluation: Evaluation, training: np.ndarray, contrast: int, picked: str | None, boundary: np.ndarray
) -> go.Figure:
    """Difference of the two log-likelihoods against their mean; held out filled, learned from hollow."""
    figure = go.Figure()
    out = evaluation.likelihoods.mean(axis=0)[:, contrast]
    for code, name in enumerate(evaluation.classes):
        members = np.flatnonzero(evaluation.labels == code)
        colour, shape = CATEGORICAL[code % len(CATEGORICAL)], SHAPES[code % len(SHAPES)]
        for values, hollow in ((training[:, contrast], True), (out, False)):
            gap = values[members, 1] - values[members, 0]
            middle = values[members].mean(axis=1)
            figure.add_scatter(
                x=middle.tolist(),
                y=gap.tolist(),
                mode="markers",
                name=f"{chart(name, 24)}, {'learned from' if hollow else 'held out'}",
                customdata=members.tolist(),
                marker={
                    "symbol": f"{shape}-open" if hollow else shape,
                    "size": 8 if hollow else 11,
                    "color": colour,
                    "opacity": 0.55 if hollow else 1,
                    "line": {
                        "width": [3 if evaluation.ids[i] == picked and not hollow else 1 for i in members],
                        "color": [INK if evaluation.ids[i] == picked and not hollow else colour for i in members],
                    },
                },
                hovertext=[
                    f"{chart(evaluation.ids[i], 40)}: {chart(name, 30)}"
                    + ("" if hollow else f", told {chart(evaluation.classes[evaluation.predicted[i]], 30)}")
                    for i in members
                ],
                hoverinfo="text",
            )
    _boundary(figure, np.concatenate([out, training[:, contrast]]).mean(axis=1), boundary)
    lay_out(figure, 430, margin={"b": 50}, legend=ABOVE)
    return figure


def _boundary(figure: go.Figure, middle: np.ndarray, boundary: np.ndarray) -> None:
    """Where c1 + c2 l(own) + c3 l(others) is 0, in the picture's own axes."""
    slope = boundary[1] - boundary[2]
    if abs(slope) < 1e-12:
        return
    ends = np.array([middle.min(), middle.max()])
    height = -2 * (boundary[0] + (boundary[1] + boundary[2]) * ends) / slope
    figure.add_scatter(
        x=ends.tolist(),
        y=height.tolist(),
        mode="lines",
        name="boundary of the networks above",
        line={"color": INK, "width": 2, "dash": "dot"},
        hoverinfo="skip",
    )


def name_axes(figure: go.Figure, others: str, own: str, *, series: bool) -> go.Figure:
    """Say what the axes are, with the networks' names."""
    figure.update_xaxes(
        title=f"mean of both log-likelihoods{' (a step)' if series else ''}", gridcolor=LINE, zeroline=False
    )
    figure.update_yaxes(title=f"{chart(own, 18)} less {chart(others, 18)}", gridcolor=LINE, zeroline=False)
    return figure


def pushes_figure(row: pd.Series, classes: tuple[str, str]) -> go.Figure:
    """What the start and every family add to a score, the largest first; the rest summed."""
    names = [name.removeprefix("push ") for name in row.index if str(name).startswith("push ")]
    values = np.array([float(row[f"push {name}"]) for name in names])
    order = np.argsort(-np.abs(values), kind="stable")
    largest, rest = order[:MOST_PUSHES], order[MOST_PUSHES:]
    labels = [chart(names[i], 28) for i in largest] + ([f"{len(rest)} more"] if len(rest) else []) + ["start", "score"]
    sizes = [*values[largest].tolist(), *([float(values[rest].sum())] if len(rest) else []), float(row["start"])]
    sizes.append(float(row["score"]))
    ends = [chart(class_, 24) for class_ in classes]
    figure = go.Figure(
        go.Bar(
            x=sizes,
            y=list(range(len(labels))),
            orientation="h",
            marker={
                "color": [GROUP_B if value > 0 else GROUP_A for value in sizes],
                "pattern": {"shape": ["" if value > 0 else "/" for value in sizes], "fgcolor": PAPER, "solidity": 0.2},
                "line": {"width": [0] * (len(sizes) - 1) + [2], "color": INK},
            },
            text=["0" if abs(value) < 1e-9 else f"{value:+.3g}" for value in sizes],
            textposition="outside",
            cliponaxis=False,
            hoverinfo="skip",
        )
    )
    reach = 1.3 * max(map(abs, sizes), default=1.0) or 1.0
    lay_out(figure, 90 + 28 * len(labels), margin={"b": 44})
    figure.update_xaxes(
        title=f"◂ speaks for {ends[0]}      speaks for {ends[1]} ▸",
        range=[-reach, reach],
        gridcolor=LINE,
        zeroline=True,
    )
    figure.update_xaxes(zerolinecolor=INK, fixedrange=True)
    figure.update_yaxes(
        tickvals=list(range(len(labels))), ticktext=labels, autorange="reversed", showgrid=False, automargin=True
    )
    return figure


def benefit_figure(table: pd.DataFrame, case: str) -> go.Figure:
    """Net benefit by the probability from which one acts: by the method, for everybody, for nobody."""
    figure = go.Figure()
    looks = (("method", "by the networks", GROUP_A, "solid"), ("everybody", "acting on everybody", GROUP_B, "dash"))
    for column, words, colour, dash in looks:
        figure.add_scatter(
            x=table["threshold"],
            y=table[column],
            mode="lines",
            name=words,
            line={"color": colour, "dash": dash, "width": 3},
        )
    figure.add_hline(y=0, line={"color": MUTED, "width": 2, "dash": "dot"}, annotation_text="acting on nobody")
    top = float(table[["method", "everybody"]].to_numpy().max())
    lay_out(figure, 340, margin={"b": 50}, legend=ABOVE | {"font": {"size": 13}})
    title = f"probability of {chart(case, 24)} from which one acts"
    figure.update_xaxes(title=title, tickformat=".0%", gridcolor=LINE, zeroline=False)
    figure.update_yaxes(title="net benefit", range=[-0.3 * max(top, 0.05), 1.1 * max(top, 0.05)], gridcolor=LINE)
    return figure


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
    lay_out(figure, 90 + 46 * len(names), size=FONT, margin={"r": 30, "t": 30, "b": 50}, showlegend=False)
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
