"""The lesson on cutting: how much of a drawn network every approach still finds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dashboard.text import chart
from dashboard.theme import GROUP_A, GROUP_B, INK, LINE, PAPER

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

FONT = 14


def cutting_figure(table: pd.DataFrame, words: Mapping[str, str]) -> go.Figure:
    """Two bars an approach: links found right, and wrong ones; large, for the last row of a room.

    Parameters
    ----------
    table : approach, found, found_low, found_high, wrong, wrong_low, wrong_high
    words : approach -> what it is called
    """
    figure = make_subplots(
        rows=1,
        cols=2,
        shared_yaxes=True,
        horizontal_spacing=0.06,
        subplot_titles=("right, of the links there are", "wrong links, per link there is"),
    )
    names = [chart(words.get(item, item), 40) for item in table["approach"]]
    for place, (column, colour, least) in enumerate((("found", GROUP_A, 1.0), ("wrong", GROUP_B, 0.5))):
        values = table[column]
        top = max(least, float(table[f"{column}_high"].max(skipna=True)))
        figure.add_bar(
            x=list(values),
            y=names,
            orientation="h",
            width=0.6,
            marker={"color": colour},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": list(table[f"{column}_high"] - values),
                "arrayminus": list(values - table[f"{column}_low"]),
                "color": INK,
                "thickness": 1.5,
            },
            hoverinfo="skip",
            row=1,
            col=place + 1,
        )
        figure.add_scatter(
            x=[1.29 * top] * len(names),
            y=names,
            mode="text",
            text=[f"<b>{value:.0%}</b>" for value in values],
            textposition="middle left",
            textfont={"size": FONT, "color": INK},
            hoverinfo="skip",
            row=1,
            col=place + 1,
        )
        figure.update_xaxes(range=[0, 1.3 * top], row=1, col=place + 1)
    figure.update_layout(
        height=80 + 40 * len(table),
        margin={"l": 10, "r": 10, "t": 34, "b": 30},
        plot_bgcolor=PAPER,
        font={"color": INK, "size": FONT},
        showlegend=False,
    )
    figure.update_annotations(font={"size": FONT, "color": INK})
    figure.update_xaxes(tickformat=".0%", nticks=5, gridcolor=LINE, zeroline=False, fixedrange=True)
    figure.update_yaxes(showgrid=False, fixedrange=True, automargin=True)
    figure.update_yaxes(autorange="reversed", row=1, col=1)
    return figure
