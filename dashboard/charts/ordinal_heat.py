"""Square heat maps over the variables in one fixed order: shares of arrows, and correlations of hidden values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go

from dashboard.charts.frame import colour_scale
from dashboard.text import chart, distinct
from dashboard.theme import DIVERGING, INK, SEQUENTIAL

if TYPE_CHECKING:
    import pandas as pd

NUMBERED = 14
"""Variables up to which every cell carries its number."""
_LETTERS = 22


def fixed_order(names: Sequence[str], scales: Mapping[str, str]) -> list[str]:
    """By scale, then by column: the same in every picture, whatever was found."""
    of = list(dict.fromkeys(scales.get(name, "") for name in names))
    return sorted(names, key=lambda name: (of.index(scales.get(name, "")), list(names).index(name)))


def shares_figure(
    counts: np.ndarray, runs: int, names: Sequence[str], order: Sequence[str], breaks: Sequence[int]
) -> go.Figure:
    """From the row to the column: the share of the drawn tables' networks with that arrow."""
    at = [list(names).index(name) for name in order]
    values = np.asarray(counts, dtype=float)[np.ix_(at, at)] / runs
    np.fill_diagonal(values, np.nan)
    words = [
        [
            ""
            if i == j
            else f"{chart(a, 40)} → {chart(b, 40)}<br>{values[i, j]:.0%}; with its reverse "
            f"{values[i, j] + values[j, i]:.0%}"
            for j, b in enumerate(order)
        ]
        for i, a in enumerate(order)
    ]
    texts = [["" if not value >= 0.005 else f"{100 * value:.0f}" for value in row] for row in values]
    figure = _square(values, order, words, texts, {"colorscale": colour_scale(SEQUENTIAL), "zmin": 0, "zmax": 1})
    _separate(figure, len(order), breaks)
    figure.update_xaxes(title_text="to", title_standoff=8)
    figure.update_yaxes(title_text="from", title_standoff=4)
    return figure


def correlation_figure(
    values: np.ndarray, order: Sequence[str], breaks: Sequence[int], reach: float = 1.0
) -> go.Figure:
    """Correlations of the hidden values, or differences of two of them."""
    off_diagonal = np.array(values, dtype=float)
    np.fill_diagonal(off_diagonal, np.nan)
    words = [
        ["" if i == j else f"{chart(a, 40)}, {chart(b, 40)}: {off_diagonal[i, j]:+.2f}" for j, b in enumerate(order)]
        for i, a in enumerate(order)
    ]
    texts = [["" if value != value else f"{100 * value:+.0f}" for value in row] for row in off_diagonal]
    figure = _square(
        off_diagonal, order, words, texts, {"colorscale": colour_scale(DIVERGING), "zmin": -reach, "zmax": reach}
    )
    _separate(figure, len(order), breaks)
    return figure


def correlation_values(which: str, start: pd.DataFrame, fitted: pd.DataFrame, order: Sequence[str]) -> np.ndarray:
    """One of the matrices in this order: "start", "fitted", or their "difference"."""
    names = list(order)
    first, last = (item.loc[names, names].to_numpy(dtype=float) for item in (start, fitted))
    result: np.ndarray = {"start": first, "fitted": last}.get(which, last - first)
    return result


def largest_gap(values: np.ndarray, least: float = 0.1) -> float:
    """The size of the largest entry off the diagonal, for a scale of colours; `least` where all are smaller."""
    off = np.array(values, dtype=float)
    np.fill_diagonal(off, 0.0)
    return max(least, float(np.nanmax(np.abs(off), initial=0.0)))


def _square(values: np.ndarray, order: Sequence[str], words: Any, texts: Any, scale: Mapping[str, Any]) -> go.Figure:
    many = len(order)
    side = 30 if many <= NUMBERED else 20 if many <= 30 else 13
    figure = go.Figure(
        go.Heatmap(
            z=values,
            x=list(range(many)),
            y=list(range(many)),
            text=texts if many <= NUMBERED else None,
            texttemplate="%{text}" if many <= NUMBERED else None,
            textfont={"size": 11},
            hovertext=words,
            hoverinfo="text",
            xgap=1,
            ygap=1,
            colorbar={"thickness": 12, "outlinewidth": 0, "tickformat": _ticks(scale["zmin"])},
            **scale,
        )
    )
    figure.update_layout(
        height=150 + side * max(many, 6),
        margin={"l": 10, "r": 10, "t": 10, "b": 10},
        font={"color": INK, "size": 12},
        plot_bgcolor="#F4F6F8",
    )
    labels = [chart(name, _LETTERS) for name in distinct(list(order), _LETTERS)]
    ticks = {
        "tickvals": list(range(many)),
        "ticktext": labels,
        "showgrid": False,
        "zeroline": False,
        "tickfont": {"size": 11 if many <= 30 else 9, "color": INK},
        "automargin": True,
    }
    figure.update_xaxes(tickangle=-60, **ticks)
    figure.update_yaxes(autorange="reversed", **ticks)
    return figure


def _ticks(lowest: float) -> str:
    """How the numbers beside the colours are written: shares in percent, small differences with two places."""
    return ".0%" if lowest == 0 else "+.1f" if lowest < -0.5 else "+.2f"


def _separate(figure: go.Figure, many: int, breaks: Sequence[int]) -> None:
    for at in breaks:
        for line in ({"x0": at - 0.5, "x1": at - 0.5, "y0": -0.5, "y1": many - 0.5},
                     {"y0": at - 0.5, "y1": at - 0.5, "x0": -0.5, "x1": many - 0.5}):  # fmt: skip
            figure.add_shape(type="line", line={"color": INK, "width": 1.5}, **line)
