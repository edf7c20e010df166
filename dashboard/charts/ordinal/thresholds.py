"""Where the hidden normal value of one variable is cut, and how many rows fall between the cuts."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from dashboard.text import chart
from dashboard.theme import INK, LINE, MUTED, PAPER, SEQUENTIAL

REACH = 3.2
NARROW = 0.02
"""Share of the rows below which an area has no room for words in it."""


def thresholds_figure(cuts: Sequence[float], shares: Sequence[float], levels: Sequence[str]) -> go.Figure:
    """The normal curve, an area a level with the level's name and share on it.

    Parameters
    ----------
    cuts : (L - 1,) rising
    shares : (L,) of the rows
    levels : (L,) from low to high
    """
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
    figure.update_layout(
        height=320,
        margin={"l": 10, "r": 10, "t": 10, "b": 40},
        plot_bgcolor=PAPER,
        font={"color": INK, "size": 13},
        showlegend=False,
    )
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
