"""How often each link comes back when the rows are drawn again: dots with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from dashboard.text import chart
from dashboard.theme import CATEGORICAL, INK, LINE, MUTED

if TYPE_CHECKING:
    import pandas as pd


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
    figure.update_layout(
        height=110 + 22 * max(len(table), 4),
        margin={"l": 10, "r": 10, "t": 10, "b": 40},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0, "font": {"size": 12}},
        plot_bgcolor="white",
        font={"color": INK, "size": 13},
    )
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
