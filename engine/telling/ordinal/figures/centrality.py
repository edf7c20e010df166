"""How central variables are, with intervals; and what is left of the order with fewer rows."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.graphs.drawing.rings import NO_SCALE, SCALE_COLOURS, scale_style
from engine.lazy import go, pd
from engine.telling.charts.colours import INK, LINE, MUTED
from engine.telling.charts.frame import lay_out, percent_ticks, whiskers
from engine.telling.charts.labels import distinct, escape
from engine.words import signed

_SYMBOLS = {"circle": "circle", "square": "square", "triangle": "triangle-up", "diamond": "diamond"}
_LETTERS = 28


def centrality_figure(
    table: pd.DataFrame, measure: str, scales: Sequence[str], bold: Collection[str], height: int
) -> go.Figure:
    """One measure, the largest first; marks as in the network, a thin line for its 95 % interval.

    Parameters
    ----------
    table : `PartialNetwork.centrality_table`, its `label` beside the names
    measure : a column of it
    scales : as the network numbers them
    bold : variables that are looked at
    height : pixels
    """
    table = table.sort_values(measure, kind="stable", ascending=False, ignore_index=True)
    figure = go.Figure()
    places = list(range(len(table)))
    kinds = (
        [scales.index(scale) if scale in scales else -1 for scale in table["scale"]] if scales else [-1] * len(table)
    )
    values, low, high = (table[f"{measure}{end}"].to_numpy() for end in ("", "_low", "_high"))
    words = [
        f"{escape(row.variable, 60)}<br>{signed(value)} (95 % interval {signed(a)} to {signed(b)})"
        for row, value, a, b in zip(table.itertuples(), values, low, high, strict=True)
    ]
    for kind in sorted(set(kinds)):
        own = [place for place in places if kinds[place] == kind]
        colour, shape = scale_style(kind) if kind >= 0 else (NO_SCALE, "circle")
        figure.add_scatter(
            x=values[own],
            y=own,
            mode="markers",
            marker={"color": colour, "size": 9, "symbol": _SYMBOLS[shape]},
            error_x=whiskers(values[own], low[own], high[own], colour, 2),
            text=[words[place] for place in own],
            hoverinfo="text",
            showlegend=False,
        )
    lay_out(figure, height, size=12, margin={"t": 4, "b": 28, "r": 8})
    labels = distinct(list(table["label"]), _LETTERS)
    figure.update_yaxes(
        tickvals=places,
        ticktext=[
            f"<b>{escape(label, _LETTERS)}</b>" if name in bold else escape(label, _LETTERS)
            for name, label in zip(table["variable"], labels, strict=True)
        ],
        range=[len(table) - 0.4, -0.6],
        showgrid=False,
        zeroline=False,
        tickfont={"size": 12, "color": INK},
    )
    figure.update_xaxes(gridcolor=LINE, zeroline=True, zerolinecolor=MUTED, nticks=5, rangemode="tozero")
    return figure


def case_dropping_figure(table: pd.DataFrame, labels: dict[str, str]) -> go.Figure:
    """Correlation with the values of all rows by the share of rows that was dropped, a line a measure.

    Parameters
    ----------
    table : `CaseDropping.frame`
    labels : measure -> what its line is called
    """
    figure = go.Figure()
    dashes = ("solid", "dash", "dot", "dashdot", "longdash")
    for number, (name, own) in enumerate(table.groupby("measure", sort=False)):
        figure.add_scatter(
            x=own["dropped"],
            y=own["correlation"],
            mode="lines+markers",
            name=labels[str(name)],
            line={"color": INK if number % 2 else SCALE_COLOURS[1], "dash": dashes[number % len(dashes)]},
            marker={"size": 6},
        )
    figure.add_hline(y=0.7, line={"color": MUTED, "dash": "dot"}, annotation_text="correlation .7")
    lay_out(figure, 300, size=12, margin={"t": 8, "b": 40}, legend={"orientation": "h", "y": -0.25})
    figure.update_xaxes(title_text="rows dropped", **percent_ticks(0.8))
    figure.update_yaxes(title_text="correlation", range=[-0.3, 1.05], gridcolor=LINE)
    return figure
