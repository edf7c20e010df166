"""Of many variables: how much the links between them gain, as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go

from dashboard.text import chart, distinct
from dashboard.theme import INK, SEQUENTIAL

if TYPE_CHECKING:
    import pandas as pd

MOST = 40
"""Links that are drawn, the largest gain first."""


def links_figure(ranked: pd.DataFrame) -> go.Figure:
    """A row a parent, a column a child; the number is the gain, of the network where it is largest.

    Parameters
    ----------
    ranked : families with parents, the largest gain first
    """
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
            colorscale=[[i / (len(SEQUENTIAL) - 1), colour] for i, colour in enumerate(SEQUENTIAL)],
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
