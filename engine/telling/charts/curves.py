"""How well scores meet the truth: ROC and precision-recall curves, and areas under them in words."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.lazy import go
from engine.measures.bootstrap import area_interval
from engine.measures.curves import Auc, Curve, Rate, auc, called_at, curve, rates, rates_together
from engine.telling.charts.colours import GROUP_B, INK, MUTED, PAPER, PRIMARY
from engine.telling.charts.frame import large_axis, percent_ticks
from engine.telling.charts.labels import escape

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

SIDE = 540
ABOVE = 50
"""Room for a legend that stands above the picture."""
COLOURS, DASHES, SIGNS = (PRIMARY, GROUP_B), ("solid", "dash"), ("circle", "square")
FONT = 16
MOST_LETTERS = 24
"""Of a class's name beside an axis."""
FEW_POINTS = 30
"""Points up to which each has a sign of its own."""


@dataclass(frozen=True)
class Items:
    """What is scored, in words: "variables" that are "changed" (the cases) or "unchanged" (the others)."""

    one: str = "variable"
    many: str = "variables"
    case: str = "changed"
    other: str = "unchanged"


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
    meaning : what the score is, a sentence or two
    whole : what a cluster is, in the plural ("patients")
    """

    name: str
    scores: ArrayLike
    truth: ArrayLike
    unit: str = ""
    own: float | None = None
    clusters: Sequence[Hashable] | np.ndarray | None = None
    interval: tuple[float, float] | None = None
    meaning: str = ""
    whole: str = "clusters"

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
        if self.interval is None and self.clusters is not None:
            return area_interval(self.scores, self.truth, self.clusters)
        return self.interval or (self.auc.low, self.auc.high)

    def rates(self, place: int) -> tuple[list[Rate], str]:
        """Sensitivity and so on at a threshold's place, and how their intervals were found."""
        if self.clusters is None:
            return rates(called_at(self.curve, place)), "Jeffreys'"
        said = np.asarray(self.scores, dtype=float) >= self.curve.thresholds[place]
        return rates_together(said, self.truth, self.clusters), f"Jeffreys', whole {self.whole} kept together"


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
        name=f"{escape(line.name, 34)}<br>{area}",
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
    case, other = escape(items.case, MOST_LETTERS), escape(items.other, MOST_LETTERS)
    result = f"sensitivity ({case} {items.many} called)"
    wrong = f"1 − specificity ({other} {items.many} called)"
    axis = large_axis(FONT) | percent_ticks() | {"range": [-0.03, 1.03], "fixedrange": True}
    figure.update_xaxes(title_text=result if recall else wrong, **axis)
    figure.update_yaxes(title_text=f"precision ({items.many} called that are {case})" if recall else result)
    figure.update_yaxes(**axis)
    inside: dict[str, Any] = {"x": 0.985, "xanchor": "right", "y": 0.03, "yanchor": "bottom"}
    above: dict[str, Any] = {"x": 0, "xanchor": "left", "y": 1.01, "yanchor": "bottom", "orientation": "h"}
    figure.update_layout(
        width=SIDE,
        plot_bgcolor=PAPER,
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


def area(value: float) -> str:
    """An area under a curve, to more digits where two would say 1."""
    return f"{value:.2f}" if not 0.995 <= value < 1 else f"{value:.4f}" if value >= 0.9995 else f"{value:.3f}"


def with_interval(value: float, low: float, high: float) -> str:
    """ "0.92 (0.80 to 0.98)"; the area alone where the interval is no number, or has no width and so tells nothing."""
    return f"{area(value)} ({area(low)} to {area(high)})" if low < high else area(value)
