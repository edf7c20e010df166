"""Heat maps of class networks: the tables of a family in two classes, and of many variables how much links gain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dashboard.charts.frame import colour_scale, lay_out
from dashboard.text import chart, distinct
from dashboard.theme import DIVERGING, INK, SEQUENTIAL

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 24
"""Configurations that are drawn; more stand in the table."""


def tables_figure(table: pd.DataFrame, own: str, other: str, child: str) -> go.Figure:
    """Three heat maps: the class's shares, the other's, and the difference in points."""
    given = list(table.columns[: list(table.columns).index(child)])
    levels = list(dict.fromkeys(table[child]))
    rows = table[given].drop_duplicates() if given else None
    labels = ["all"] if rows is None else [", ".join(map(str, row)) for row in rows.to_numpy()]
    shape = (len(labels), len(levels))
    figure = make_subplots(
        rows=1,
        cols=3,
        subplot_titles=(chart(own, 22), chart(other, 22), "difference, in points"),
        shared_yaxes=True,
        horizontal_spacing=0.04,
    )
    for place, name in enumerate((own, other)):
        share = table[f"share {name}"].to_numpy().reshape(shape)[:MOST_ROWS]
        many = table[f"count {name}"].to_numpy().reshape(shape)[:MOST_ROWS]
        words = [[_percent(s, n) for s, n in zip(*item, strict=True)] for item in zip(share, many, strict=True)]
        scale = {"colorscale": colour_scale(SEQUENTIAL), "zmin": 0, "zmax": 1}
        _add(figure, place + 1, 100 * share / 100, words, levels, labels, scale)
    gap = 100 * table["difference"].to_numpy().reshape(shape)[:MOST_ROWS]
    reach = float(max(10.0, np.nanmax(np.abs(gap), initial=0.0)))
    words = [["" if np.isnan(value) else f"{value:+.0f}" for value in row] for row in gap]
    _add(figure, 3, gap, words, levels, labels, {"colorscale": colour_scale(DIVERGING), "zmin": -reach, "zmax": reach})
    lay_out(figure, 110 + 42 * min(len(labels), MOST_ROWS) + 30, margin={"t": 34, "b": 60})
    figure.update_annotations(font={"size": 13, "color": INK})
    figure.update_xaxes(  # levels called "0" and "1" are names, not numbers
        type="category", tickfont={"size": 11, "color": INK}, showgrid=False, fixedrange=True, tickangle=-35
    )
    figure.update_yaxes(
        autorange="reversed", tickfont={"size": 12, "color": INK}, showgrid=False, fixedrange=True, automargin=True
    )
    figure.update_xaxes(title_text=chart(child, 40), title_font={"size": 12}, col=2)
    if given:
        figure.update_yaxes(title_text=chart(", ".join(given), 40), title_font={"size": 12}, col=1)
    return figure


def configurations(table: pd.DataFrame, child: str) -> int:
    """How many combinations of parents' values the table has."""
    return len(table) // max(table[child].nunique(), 1)


def alt_text(table: pd.DataFrame, own: str, other: str) -> str:
    """The largest differences in words."""
    gap = table["difference"].abs().sort_values(ascending=False).index[:3]
    sentences = [
        f"{100 * table.at[i, 'difference']:+.0f} points"
        for i in gap
        if table.at[i, "difference"] == table.at[i, "difference"]
    ]
    return f"Shares of {own} and of {other}; the largest differences: {', '.join(sentences)}."


def _percent(share: float, many: int) -> str:
    return f"none<br>{many:,}" if np.isnan(share) else f"{share:.0%}<br><span style='font-size:10px'>{many:,}</span>"


def _add(
    figure: go.Figure,
    column: int,
    values: np.ndarray,
    words: list[list[str]],
    levels: list[str],
    labels: list[str],
    scale: dict[str, Any],
) -> None:
    figure.add_heatmap(
        z=values,
        x=[chart(level, 12) for level in levels]
        if len({chart(level, 12) for level in levels}) == len(levels)
        else levels,
        y=list(range(min(len(labels), MOST_ROWS))),
        text=words,
        texttemplate="%{text}",
        textfont={"size": 12},
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
        row=1,
        col=column,
        **scale,
    )
    figure.update_yaxes(
        tickvals=list(range(min(len(labels), MOST_ROWS))),
        ticktext=[chart(label, 20) for label in labels[:MOST_ROWS]],
        row=1,
        col=column,
    )


MOST = 40
"""Links that are drawn, the largest gain first."""


def links_figure(ranked: pd.DataFrame) -> go.Figure:
    """A row a parent, a column a child; the number is the gain, of the network where it is largest."""
    best: dict[tuple[str, str], tuple[float, str]] = {}
    for row in ranked.head(MOST).itertuples():
        for parent in row.parents:
            best.setdefault((parent, row.child), (float(row.gain), str(row.network)))
    parents = list(dict.fromkeys(parent for parent, _ in best))
    children = list(dict.fromkeys(child for _, child in best))
    values = np.full((len(parents), len(children)), np.nan)
    words = np.full(values.shape, "", dtype=object)
    for (parent, child), (gain, network) in best.items():
        at = parents.index(parent), children.index(child)
        values[at] = gain
        words[at] = f"{chart(parent, 40)} → {chart(child, 40)}<br>{gain:+.1f}, network of {chart(network, 30)}"
    figure = go.Figure(
        go.Heatmap(
            z=values,
            x=list(range(len(children))),
            y=list(range(len(parents))),
            text=[["" if value != value else f"{value:.0f}" for value in row] for row in values],
            texttemplate="%{text}",
            textfont={"size": 11},
            hovertext=words,
            hoverinfo="text",
            colorscale=colour_scale(SEQUENTIAL),
            showscale=False,
            xgap=1,
            ygap=1,
        )
    )
    figure.update_layout(
        height=140 + 22 * max(len(parents), 3),
        margin={"l": 10, "r": 10, "t": 10, "b": 90},
        font={"color": INK, "size": 12},
        plot_bgcolor="#F4F6F8",
    )
    figure.update_xaxes(
        tickvals=list(range(len(children))), ticktext=_names(children), tickangle=-50, showgrid=False, zeroline=False
    )
    figure.update_yaxes(
        tickvals=list(range(len(parents))),
        ticktext=_names(parents),
        autorange="reversed",
        showgrid=False,
        zeroline=False,
        automargin=True,
    )
    return figure


def _names(names: list[str]) -> list[str]:
    return [chart(name, 22) for name in distinct(names, 22)]
