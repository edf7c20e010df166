"""How well scores meet the truth: ROC and precision-recall, alarms where nothing was, areas of many runs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from dashboard.text import chart
from dashboard.theme import GROUP_B, INK, MUTED, PRIMARY
from engine.charts.frame import large_axis, percent_ticks
from engine.evaluation.trials.outcome import Items, area, with_interval
from engine.measures.bootstrap import area_interval
from engine.measures.curves import Auc, Curve, auc, curve

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from engine.evaluation.trials.outcome import Outcome
    from engine.evaluation.trials.repeat import Repeated

__all__ = ["Items", "Line", "corners", "curve_figure"]

SIDE = 540
ABOVE = 50
"""Room for a legend that stands above the picture."""
COLOURS, DASHES, SIGNS = (PRIMARY, GROUP_B), ("solid", "dash"), ("circle", "square")
FONT = 16
FEW_POINTS = 30
"""Points up to which each has a sign of its own."""


@dataclass(frozen=True, eq=False)
class Line:
    """A score of items whose truth is known.

    Attributes
    ----------
    name : what the score is called
    scores : (n,) the larger the more likely a case
    truth : (n,) true for cases
    unit : what the numbers are ("log10 odds"), for the threshold in words
    own : the threshold above which one would call an item with it, if there is a usual one
    clusters : (n,) what belongs together and is drawn again together; None where each item stands by itself
    interval : of the area, where it was found before; else that of `clusters`, or DeLong's
    """

    name: str
    scores: ArrayLike
    truth: ArrayLike
    unit: str = ""
    own: float | None = None
    clusters: Sequence[Hashable] | np.ndarray | None = None
    interval: tuple[float, float] | None = None

    @cached_property
    def curve(self) -> Curve:
        """What happens at every threshold; `DataError` without cases or others."""
        return curve(self.scores, self.truth)

    @cached_property
    def auc(self) -> Auc:
        """The area with DeLong's interval."""
        return auc(self.scores, self.truth)

    @cached_property
    def limits(self) -> tuple[float, float]:
        """The interval shown: that given, that of whole clusters drawn again, else DeLong's."""
        return self.interval or area_interval(self.scores, self.truth, self.clusters)


def curve_figure(lines: Sequence[Line], items: Items, picked: int, place: int, recall: bool = False) -> go.Figure:
    """The curves, what chance would give, and the operating point as a large ring."""
    figure = go.Figure()
    _ignorant(figure, lines[0].curve, recall)
    for number, line in enumerate(lines):
        _add_line(figure, line, items, number, recall)
    x, y = _axes(lines[picked].curve, recall)
    figure.add_scatter(
        x=[x[place]],
        y=[y[place]],
        mode="markers",
        marker={"size": 20, "color": "rgba(255,255,255,0.6)", "line": {"color": INK, "width": 4}},
        hoverinfo="skip",
        showlegend=False,
        name="operating point",
    )
    _frame(figure, items, recall)
    return figure


def _axes(curve: Curve, recall: bool) -> tuple[Any, Any]:
    if recall:
        return curve.sensitivity, curve.precision
    return curve.false_positive_rate, curve.sensitivity


def _add_line(figure: go.Figure, line: Line, items: Items, number: int, recall: bool) -> None:
    result = line.curve
    x, y = _axes(result, recall)
    points = range(1, len(x)) if recall else corners(result)  # precision of nothing called is no number
    few = len(points) <= FEW_POINTS
    area = (
        f"average precision {result.average_precision:.2f}"
        if recall
        else f"AUC {with_interval(line.auc.value, *line.limits)}"
    )
    figure.add_scatter(
        x=[x[i] for i in points],
        y=[y[i] for i in points],
        mode="lines+markers" if few else "lines",
        line={"color": COLOURS[number], "dash": DASHES[number], "width": 5},
        marker={"symbol": SIGNS[number], "size": 9},
        name=f"{chart(line.name, 34)}<br>{area}",
        hovertext=[
            f"{int(result.called_cases[i] + result.called_others[i])} called: {int(result.called_cases[i])} of "
            f"{result.cases:,} {items.case}, {int(result.called_others[i]):,} of {result.others:,} {items.other}"
            for i in points
        ],
        hoverinfo="text",
    )


def corners(curve: Curve) -> list[int]:
    """The points where the ROC turns; those on a straight line between two others add nothing to the picture."""
    cases, others = curve.called_cases, curve.called_others
    last = len(cases) - 1
    return [
        i
        for i in range(last + 1)
        if i in (0, last)
        or (cases[i] - cases[i - 1]) * (others[i + 1] - others[i])
        != (cases[i + 1] - cases[i]) * (others[i] - others[i - 1])
    ]


def _ignorant(figure: go.Figure, curve: Curve, recall: bool) -> None:
    share = curve.cases / (curve.cases + curve.others)
    figure.add_scatter(
        x=[0, 1],
        y=[share, share] if recall else [0, 1],
        mode="lines",
        line={"color": MUTED, "width": 2, "dash": "dot"},
        hoverinfo="skip",
        showlegend=False,
    )
    where = {"x": 0.5, "y": share, "yshift": -14} if recall else {"x": 0.34, "y": 0.34, "yshift": -16, "xshift": 14}
    figure.add_annotation(
        text="chance",
        showarrow=False,
        textangle=0 if recall else -45,
        font={"size": FONT, "color": MUTED},
        **where,
    )


def _frame(figure: go.Figure, items: Items, recall: bool) -> None:
    result = f"share of the {items.case} {items.many} that are found"
    wrong = f"share of the {items.other} ones called by mistake"
    axis = large_axis(FONT) | percent_ticks() | {"range": [-0.03, 1.03], "fixedrange": True}
    figure.update_xaxes(title_text=chart(result if recall else wrong, 70), **axis)
    figure.update_yaxes(title_text=chart(f"share of the called ones that are {items.case}" if recall else result, 70))
    figure.update_yaxes(**axis)
    inside: dict[str, Any] = {"x": 0.985, "xanchor": "right", "y": 0.03, "yanchor": "bottom"}
    above: dict[str, Any] = {"x": 0, "xanchor": "left", "y": 1.01, "yanchor": "bottom", "orientation": "h"}
    figure.update_layout(
        width=SIDE,
        height=SIDE + (ABOVE if recall else 0),
        margin={"l": 80, "r": 12, "t": 12 + (ABOVE if recall else 0), "b": 70},
        legend={
            **(above if recall else inside),  # a ROC leaves its lower right free, precision no corner
            "font": {"size": FONT, "color": INK},
            "bgcolor": "rgba(255,255,255,0.85)",
            "itemclick": False,
            "itemdoubleclick": False,
        },
        hoverlabel={"font": {"size": FONT}},
    )


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
