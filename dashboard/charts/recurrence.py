"""How often links come back: in drawn tables, with other seeds, and how many a threshold leaves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from dashboard.charts.frame import ABOVE, lay_out
from dashboard.text import chart
from dashboard.theme import CATEGORICAL, GROUP_A, GROUP_B, INK, LINE, MUTED

if TYPE_CHECKING:
    import pandas as pd


def recurrence_figure(table: pd.DataFrame) -> go.Figure:
    """A row a link: dots with intervals for drawn tables, diamonds for seeds; hollow where the network lacks it."""
    figure = go.Figure()
    for inside, name, symbol in ((True, "drawn tables", "circle"), (False, "not in the network", "circle-open")):
        rows = [i for i, item in enumerate(table["inside"]) if bool(item) is inside and _known(table["share"].iloc[i])]
        share = table["share"].iloc[rows]
        figure.add_scatter(
            x=list(share),
            y=rows,
            mode="markers",
            name=name,
            marker={"symbol": symbol, "size": 10, "color": GROUP_A if inside else MUTED, "line": {"width": 2}},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": list(table["high"].iloc[rows] - share),
                "arrayminus": list(share - table["low"].iloc[rows]),
                "color": MUTED,
                "thickness": 1.2,
            },
            hovertemplate="%{x:.0%} of the drawn tables<extra></extra>",
            showlegend=bool(rows),
        )
    rows = [i for i, value in enumerate(table["seeds"]) if _known(value)]
    figure.add_scatter(
        x=list(table["seeds"].iloc[rows]),
        y=rows,
        mode="markers",
        name="other seeds, same rows",
        marker={"symbol": "diamond-open", "size": 10, "color": GROUP_B, "line": {"width": 2}},
        hovertemplate="%{x:.0%} of the seeds<extra></extra>",
        showlegend=bool(rows),
    )
    lay_out(
        figure,
        120 + 22 * max(len(table), 4),
        margin={"r": 14, "t": 30, "b": 40},
        legend=ABOVE | {"xref": "container", "yref": "container"},
    )
    figure.update_xaxes(
        title="share of networks", tickformat=".0%", range=[-0.03, 1.04], gridcolor=LINE, zeroline=False
    )
    marks = {"->": "→", "--": "–"}
    figure.update_yaxes(
        tickvals=list(range(len(table))),
        ticktext=[
            f"{chart(row['source'], 20)} {marks.get(row['mark'], '–')} {chart(row['target'], 20)}"
            for _, row in table.iterrows()
        ],
        range=[len(table) - 0.4, -0.6],
        gridcolor="#EEF1F4",
        tickfont={"color": INK, "size": 12},
        automargin=True,
    )
    return figure


def _known(value: float) -> bool:
    return bool(value == value)


def threshold_figure(shares: pd.Series, usual: float, chosen: float) -> go.Figure:
    """How many links a threshold leaves, with the L1 rule's and the chosen one marked."""
    knots = [0.0, *sorted({float(share) for share in shares}), 1.0]
    left = [int((shares > knot).sum()) for knot in knots]
    figure = go.Figure(
        go.Scatter(
            x=knots,
            y=left,
            mode="lines",
            line={"shape": "hv", "color": GROUP_A, "width": 2},
            fill="tozeroy",
            fillcolor="rgba(0,114,178,0.10)",
            hovertemplate="above %{x:.0%}: %{y} links<extra></extra>",
        )
    )
    figure.add_vline(
        x=usual,
        line={"color": INK, "width": 2, "dash": "dot"},
        annotation={"text": f"L1 rule: {usual:.0%}", "font": {"size": 12, "color": INK}},
        annotation_position="top right" if usual < 0.75 else "top left",
    )
    if abs(chosen - usual) > 0.004:
        figure.add_vline(
            x=chosen,
            line={"color": GROUP_B, "width": 2},
            annotation={"text": f"chosen: {chosen:.0%}", "font": {"size": 12, "color": GROUP_B}},
            annotation_position="bottom right" if chosen < 0.75 else "bottom left",
        )
    lay_out(figure, 130, size=12, margin={"l": 7, "r": 7, "t": 24}, showlegend=False)
    figure.update_xaxes(range=[0, 1], tickformat=".0%", showgrid=False, zeroline=False, fixedrange=True)
    figure.update_yaxes(
        rangemode="tozero",
        gridcolor=LINE,
        zeroline=False,
        fixedrange=True,
        nticks=3,
        side="right",
        ticklabelposition="inside top",
    )
    return figure


def stability_figure(table: pd.DataFrame) -> go.Figure:
    """Shares as dots with intervals; links outside the model are open."""
    figure = go.Figure()
    for inside, name, symbol in ((True, "in the model", "circle"), (False, "not in the model", "circle-open")):
        rows = [i for i, item in enumerate(table["in_model"]) if bool(item) is inside]
        share = table["share"].iloc[rows]
        figure.add_scatter(
            x=list(share),
            y=rows,
            mode="markers",
            name=name,
            marker={"symbol": symbol, "size": 10, "color": CATEGORICAL[0] if inside else MUTED, "line": {"width": 2}},
            error_x={
                "type": "data",
                "symmetric": False,
                "array": list(table["high"].iloc[rows] - share),
                "arrayminus": list(share - table["low"].iloc[rows]),
                "color": MUTED,
                "thickness": 1.2,
            },
            hovertemplate="%{x:.0%}<extra></extra>",
            showlegend=bool(rows),
        )
    lay_out(figure, 110 + 22 * max(len(table), 4), margin={"b": 40}, legend=ABOVE)
    figure.update_xaxes(
        title="share of drawings with this link", tickformat=".0%", range=[-0.02, 1.03], gridcolor=LINE, zeroline=False
    )
    figure.update_yaxes(
        tickvals=list(range(len(table))),
        ticktext=[f"{chart(row['a'], 16)} - {chart(row['b'], 16)}" for _, row in table.iterrows()],
        range=[len(table) - 0.4, -0.6],
        gridcolor="#EEF1F4",
        tickfont={"color": INK, "size": 12},
    )
    return figure
