"""What another penalty or approach would give: links, distance to the network shown, loss on rows held out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from dashboard.charts.frame import lay_out
from dashboard.text import chart
from dashboard.theme import GROUP_A, GROUP_B, INK, LINE, MUTED

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd


def path_figure(table: pd.DataFrame, chosen: float, setting: str) -> go.Figure:
    """Up to three curves one below the other over the same values, the chosen one marked."""
    held_out = bool(table["log_loss"].notna().any())
    rows = [("links", "links", GROUP_A), ("distance", "distance to the network shown", MUTED)]
    figure = make_subplots(
        rows=2 + held_out,
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.09,
        subplot_titles=[words for _, words, _ in rows]
        + ["loss on rows held out, nats a row (lower is better)"] * held_out,
    )
    for place, (column, words, colour) in enumerate(rows):
        figure.add_scatter(
            x=table["penalty"],
            y=table[column],
            mode="lines+markers+text",
            text=[f"{value:.0f}" if value == round(value) else f"{value:.1f}" for value in table[column]],
            textposition="top right",
            line={"color": colour, "width": 2},
            marker={"size": 8},
            hovertemplate=f"%{{x:g}}: %{{y:g}} {words}<extra></extra>",
            row=place + 1,
            col=1,
        )
    if held_out:
        figure.add_scatter(
            x=table["penalty"],
            y=table["log_loss"],
            mode="lines+markers",
            line={"color": GROUP_B, "width": 2},
            marker={"size": 8, "symbol": "diamond"},
            error_y={
                "type": "data",
                "symmetric": False,
                "array": list(table["high"] - table["log_loss"]),
                "arrayminus": list(table["log_loss"] - table["low"]),
                "color": MUTED,
                "thickness": 1.2,
            },
            hovertemplate="%{x:g}: %{y:.3f}<extra></extra>",
            row=3,
            col=1,
        )
    for row in range(1, 3 + held_out):
        figure.add_vline(x=chosen, line={"color": INK, "width": 1.5, "dash": "dot"}, row=row, col=1)
    figure.update_annotations(x=0, xanchor="left", font={"size": 13, "color": INK})
    lay_out(figure, 90 + 150 * (2 + held_out), size=12, margin={"r": 14, "t": 30, "b": 46}, showlegend=False)
    ticks = [float(value) for value in table["penalty"]]
    logarithmic = min(ticks, default=0.0) > 0
    figure.update_xaxes(
        type="log" if logarithmic else "linear", tickvals=ticks, ticktext=[f"{value:g}" for value in ticks],
        gridcolor=LINE, zeroline=False, fixedrange=True,
    )  # fmt: skip
    figure.update_xaxes(title=f"{setting}; dotted: the one chosen", row=2 + held_out, col=1)
    figure.update_yaxes(gridcolor=LINE, zeroline=False, fixedrange=True, nticks=4)
    for row, (column, *_) in enumerate(rows):
        top = float(table[column].max())
        figure.update_yaxes(range=[-0.08 * max(top, 1), 1.35 * max(top, 1)], row=row + 1, col=1)
    return figure


def losses_figure(table: pd.DataFrame, words: Mapping[str, str]) -> go.Figure:
    """A dot an approach with its interval; to the right of 0 it predicts worse than the first."""
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
    lay_out(figure, 110 + 52 * len(rest), margin={"t": 20, "b": 50})
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
