"""The search as a waterfall: what every link saved, what it cost, and the message it left; and messages in parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from dashboard.charts.frame import ABOVE, lay_out
from dashboard.text import chart, short
from dashboard.theme import CATEGORICAL, INK, LINE, MUTED

if TYPE_CHECKING:
    import pandas as pd

SAVED, COST = CATEGORICAL[0], "#FFFFFF"
NAMED = 40
"""Steps that are drawn as rows with names; more become columns with numbers."""


def waterfall_figure(steps: pd.DataFrame, at: int) -> go.Figure:
    """A bar a step, from the bits saved before to those saved after it; the cost of parameters and graph is behind."""
    rows = len(steps) <= NAMED
    after = [float(value) for value in steps["saving_bits"].cumsum()]
    starts = [0.0, *after[:-1]]
    positions = list(range(1, len(steps) + 1))
    figure = go.Figure()
    hover = [_hover(row) for _, row in steps.iterrows()]
    gain = [max(float(value), 0.0) for value in -steps["parameter_bits"]]
    graph = [max(float(value), 0.0) for value in -steps["graph_bits"]]
    ends = [item + cost for item, cost in zip(after, gain, strict=True)]
    parts = (
        ("saved", SAVED, "", starts, list(steps["saving_bits"])),
        ("cost of parameters", COST, "/", after, gain),
        ("cost of the graph", COST, ".", ends, graph),
    )
    for name, colour, pattern, base, length in parts:
        along = {"x": length, "y": positions} if rows else {"x": positions, "y": length}
        figure.add_bar(
            **along,
            base=base,
            orientation="h" if rows else "v",
            name=name,
            marker={
                "color": colour,
                "opacity": [1.0 if step <= at else 0.3 for step in positions],
                "line": {"color": MUTED, "width": 0 if not pattern else 1 if rows else 0.5},
                "pattern": {"shape": pattern, "fgcolor": MUTED, "solidity": 0.25, "size": 6},
            },
            hovertext=hover,
            hoverinfo="text",
        )
    lay_out(
        figure,
        110 + 22 * max(len(steps), 4) if rows else 420,
        margin={"b": 40},
        barmode="overlay",
        bargap=0.25,
        legend=ABOVE,
    )
    bits, order = (figure.update_xaxes, figure.update_yaxes) if rows else (figure.update_yaxes, figure.update_xaxes)
    bits(title="bits saved so far", gridcolor=LINE, zeroline=True, zerolinecolor=MUTED)
    if rows:
        order(
            tickvals=positions,
            ticktext=[f"{chart(row['a'], 13)} - {chart(row['b'], 13)}" for _, row in steps.iterrows()],
            tickfont={"color": INK, "size": 12},
            range=[len(steps) + 0.6, 0.4],
            showgrid=False,
        )
        savings = [
            {
                "x": end + gain[place - 1] + graph[place - 1],
                "y": place,
                "text": f"{saving:,.0f}" if saving >= 10 else f"{saving:,.1f}",
                "showarrow": False,
                "xanchor": "left",
                "xshift": 4,
                "font": {"size": 11, "color": MUTED if place > at else INK},
            }
            for place, end, saving in zip(positions, after, steps["saving_bits"], strict=True)
        ]
        figure.update_layout(annotations=savings)  # at once: Plotly checks all of them again for each that is added
        top = max((end_value + two for end_value, two in zip(ends, graph, strict=True)), default=1.0)
        bits(range=[min(0.0, *starts, *after) if after else 0.0, top * 1.12 or 1.0])
    else:
        order(title="step", showgrid=False)
        if 0 < at < len(steps):
            figure.add_vline(x=at + 0.5, line={"color": INK, "width": 1, "dash": "dot"})
    return figure


def _hover(row: pd.Series) -> str:
    given = chart(", ".join(row["separator"]), 60)
    return (
        f"{int(row['step'])}: {chart(row['a'], 30)} - {chart(row['b'], 30)}{f', given {given}' if given else ''}"
        f"<br>saves {row['saving_bits']:,.1f} bits: data {row['data_bits']:+,.1f}, parameters "
        f"{row['parameter_bits']:+,.1f}, graph {row['graph_bits']:+,.1f}<br>message now {row['total_bits']:,.1f} bits"
        f"<br>G {row['G']:,.1f} on {row['df']:,.0f} df, log10 p {row['log10_p']:,.1f}"
    )


def waterfall_alt(steps: pd.DataFrame, most: int = 30) -> str:
    """The steps in words."""
    sentences = [
        f"{int(row['step'])}. {short(row['a'], 30)} - {short(row['b'], 30)} saves {row['saving_bits']:,.1f} bits"
        for _, row in steps.head(most).iterrows()
    ]
    return "; ".join(sentences) + ("; and so on" if len(steps) > most else "")


PARTS = (("data", CATEGORICAL[0], ""), ("parameters", CATEGORICAL[1], "/"), ("graph", CATEGORICAL[3], "x"))


def message_figure(table: pd.DataFrame, titles: Sequence[str]) -> go.Figure:
    """Message lengths as stacked bars: `table` has a row a model and the columns data, parameters, graph, total."""
    figure = go.Figure()
    for part, colour, pattern in PARTS:
        figure.add_bar(
            x=[float(value) for value in table[part]],
            y=list(range(len(table))),
            orientation="h",
            name=part,
            marker={
                "color": colour,
                "pattern": {"shape": pattern, "fillmode": "overlay", "fgcolor": "#FFFFFF", "size": 6},
            },
            hovertext=[f"{part}: {value:,.1f} bits" for value in table[part]],
            hoverinfo="text",
        )
    longest = float(table["total"].iloc[0])
    for place, total in enumerate(table["total"]):
        less = f" ({longest - total:,.0f} shorter)" if place and total < longest else ""
        figure.add_annotation(
            x=float(total), y=place, text=f"{total:,.0f}{less}", showarrow=False, xanchor="left", xshift=4
        )
    lay_out(
        figure,
        100 + 42 * len(table),
        margin={"b": 40},
        barmode="stack",
        bargap=0.35,
        legend=ABOVE | {"traceorder": "normal"},
    )
    figure.update_xaxes(title="bits", gridcolor=LINE, range=[0, float(table["total"].max()) * 1.25 or 1.0])
    figure.update_yaxes(
        tickvals=list(range(len(table))),
        ticktext=[chart(title, 24) for title in titles],
        range=[len(table) - 0.4, -0.6],
        showgrid=False,
        tickfont={"color": INK},
    )
    return figure
