"""Where hidden normal values are cut into levels, and what cutting costs the search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dashboard.charts.frame import lay_out
from dashboard.text import chart
from dashboard.theme import GROUP_A, GROUP_B, INK, LINE, MUTED, SEQUENTIAL

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

REACH = 3.2
NARROW = 0.02
"""Share of the rows below which an area has no room for words in it."""


def thresholds_figure(cuts: Sequence[float], shares: Sequence[float], levels: Sequence[str]) -> go.Figure:
    """The normal curve, an area a level with the level's name and share on it."""
    figure = go.Figure()
    edges = [-REACH, *(min(max(float(cut), -REACH), REACH) for cut in cuts), REACH]
    for i, (level, share) in enumerate(zip(levels, shares, strict=True)):
        x = np.linspace(edges[i], edges[i + 1], 60)
        tone = SEQUENTIAL[2 + round(5 * i / max(len(levels) - 1, 1))]
        figure.add_scatter(
            x=[x[0], *x, x[-1]],
            y=[0, *_density(x), 0],
            mode="lines",
            line={"width": 0},
            fill="toself",
            fillcolor=tone,
            hoverinfo="text",
            text=f"{chart(level, 40)}: {share:.1%}",
            showlegend=False,
        )
        figure.add_annotation(
            x=(edges[i] + edges[i + 1]) / 2,
            y=-0.03 - 0.075 * (i % 2),
            yanchor="top",
            text=f"{chart(level, 14)}<br><b>{share:.0%}</b>",
            showarrow=False,
            font={"size": 12, "color": INK},
        )
    x = np.linspace(-REACH, REACH, 200)
    figure.add_scatter(x=x, y=_density(x), mode="lines", line={"color": INK, "width": 1.5}, hoverinfo="skip")
    for cut in cuts:
        if abs(cut) < REACH:
            figure.add_shape(
                type="line", x0=cut, x1=cut, y0=0, y1=_density(np.array([cut]))[0] + 0.03, line={"color": INK}
            )
            figure.add_annotation(
                x=cut,
                y=_density(np.array([cut]))[0] + 0.03,
                yanchor="bottom",
                text=f"{cut:+.2f}",
                showarrow=False,
                font={"size": 11, "color": MUTED},
            )
    lay_out(figure, 320, margin={"b": 40}, showlegend=False)
    figure.update_xaxes(
        title="hidden value, in standard deviations", range=[-REACH, REACH], gridcolor=LINE, zeroline=False,
        fixedrange=True,
    )  # fmt: skip
    figure.update_yaxes(visible=False, range=[-0.21, 0.47], fixedrange=True)
    return figure


def alt_text(cuts: Sequence[float], shares: Sequence[float], levels: Sequence[str]) -> str:
    """The same in words."""
    each = ", ".join(f"{level} {share:.0%}" for level, share in zip(levels, shares, strict=True))
    return f"A normal curve cut at {', '.join(f'{cut:+.2f}' for cut in cuts)}; {each}."


def _density(x: np.ndarray) -> list[float]:
    return [math.exp(-0.5 * value * value) / math.sqrt(2 * math.pi) for value in x.tolist()]


FONT = 14


def cutting_figure(table: pd.DataFrame, words: Mapping[str, str]) -> go.Figure:
    """Two bars an approach: links found right, and wrong ones; large, for the last row of a room."""
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
    lay_out(figure, 80 + 40 * len(table), size=FONT, margin={"t": 34, "b": 30}, showlegend=False)
    figure.update_annotations(font={"size": FONT, "color": INK})
    figure.update_xaxes(tickformat=".0%", nticks=5, gridcolor=LINE, zeroline=False, fixedrange=True)
    figure.update_yaxes(showgrid=False, fixedrange=True, automargin=True)
    figure.update_yaxes(autorange="reversed", row=1, col=1)
    return figure
