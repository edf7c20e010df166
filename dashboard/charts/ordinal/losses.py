"""Losses of several approaches on the same rows held out, as differences to the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from dashboard.text import chart
from dashboard.theme import GROUP_A, INK, LINE, MUTED, PAPER

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd


def losses_figure(table: pd.DataFrame, words: Mapping[str, str]) -> go.Figure:
    """A dot an approach with its interval; to the right of 0 it predicts worse than the first.

    Parameters
    ----------
    table : approach, difference, low, high; the first row is what the others are compared with
    words : approach -> what it is called
    """
    first, rest = table["approach"].iloc[0], table.iloc[1:]
    figure = go.Figure(
        go.Scatter(
            x=list(rest["difference"]),
            y=list(range(len(rest))),
            mode="markers",
            marker={"size": 11, "color": GROUP_A},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": list(rest["high"] - rest["difference"]),
                "arrayminus": list(rest["difference"] - rest["low"]),
                "color": MUTED,
                "thickness": 1.5,
            },
            hoverinfo="skip",
        )
    )
    figure.add_vline(x=0, line={"color": INK, "width": 2, "dash": "dot"})
    ends = [abs(float(item)) for column in ("low", "high", "difference") for item in rest[column] if item == item]
    reach = 1.15 * max(ends, default=1.0) or 1.0
    figure.update_layout(
        height=110 + 52 * len(rest),
        margin={"l": 10, "r": 10, "t": 20, "b": 50},
        plot_bgcolor=PAPER,
        font={"color": INK, "size": 13},
    )
    title = f"◂ predicts better      than {chart(words.get(first, first), 40)}      predicts worse ▸"
    figure.update_xaxes(title=title, range=[-reach, reach], gridcolor=LINE, zeroline=False, fixedrange=True)
    figure.update_yaxes(
        tickvals=list(range(len(rest))),
        ticktext=[chart(words.get(entry, entry), 40) for entry in rest["approach"]],
        range=[len(rest) - 0.4, -0.7],
        showgrid=False,
        fixedrange=True,
        automargin=True,
    )
    return figure
