"""Printed figures against ours, ours by size, and the runs behind a cell, as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from dashboard.text import chart
from dashboard.theme import CATEGORICAL, GROUP_B, INK, MUTED, PRIMARY
from engine.charts.frame import large_axis
from engine.evaluation.papers import largest, of_cell

if TYPE_CHECKING:
    import pandas as pd

    from engine.evaluation.papers import PaperResults

QUANTITIES = {
    "chi-squared": "AUC of chi-squared, each variable alone",
    "contrast sets": "AUC of contrast sets",
    "mutual information": "AUC of mutual information with the group",
    "KL divergence": "AUC of Kullback-Leibler divergence between the groups",
    "Hotelling": "AUC of Hotelling's T-squared, each variable alone",
    "Kolmogorov-Smirnov": "AUC of Kolmogorov-Smirnov, each variable alone",
    "p, odds": "p of odds against lasso (DeLong)",
    "edges": "number of links found",
    "fdr": "false links among those found (FDR)",
    "recall": "true links found (recall)",
    "f": "F: precision and recall in one",
    "false": "number of false links",
    "missed": "number of missed links",
    "seconds": "seconds of CPU",
    "distance": "edges to add, delete and turn in all",
    "added": "edges added",
    "deleted": "edges deleted",
    "reversed": "edges reversed",
    "accuracy": "accuracy on new series",
}
_GIVEN = {
    "common": "one set of parents for both",
    "order": "order of the original given",
    "order of both": "order of both given",
}
_RATES = {"P": "precision", "R": "recall", "F": "F"}
_WHERE = {"IS": "at variables in context", "other": "elsewhere", "overall": "everywhere"}


def quantity_words(quantity: str) -> str:
    """A quantity as one says it; one that is not known here as it is called."""
    parts = quantity.split()
    if len(parts) == 3 and parts[1] in _RATES and parts[2] in _WHERE:
        return f"{parts[0]}: {_RATES[parts[1]]} {_WHERE[parts[2]]}"
    if quantity in QUANTITIES:
        return QUANTITIES[quantity]
    if quantity.startswith("p, "):
        return f"p of {quantity[3:]}" + ("" if " against " in quantity else " against lasso")
    score, *given = quantity.split(", ")
    if score in ("odds", "lasso"):
        return ", ".join([f"AUC of the {score}", *(_GIVEN.get(item, item) for item in given)])
    return quantity


def value_words(value: object) -> str:
    """A key's value on the screen: thousands apart, a dash for none."""
    if value is None or value != value:
        return "–"
    if isinstance(value, str):
        return value
    return f"{value:,.6g}" if isinstance(value, float) else f"{value:,}"


def digits_of(cells: pd.DataFrame) -> int:
    """Digits after the point that fit figures of this size."""
    top = largest(cells, ["printed", "ours"])
    return 3 if top <= 2 or top != top else 2 if top < 100 else 1


def number_words(value: float, digits: int, signed: bool = False) -> str:
    """A number with so many digits, an en dash where there is none."""
    if value != value:
        return "–"
    text = f"{value:z.{digits}f}"  # z: no "-0.00"
    return f"+{text}" if signed and value > 0 and float(text) else text


FONT, HEIGHT = 15, 470
SIGNS = ("circle", "square", "triangle-up", "cross", "star", "triangle-down", "hexagon", "x")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
MOST_RUNS = 24
"""Runs up to which each has a line of its own."""


def agreement_figure(by: str, cells: pd.DataFrame, picked: int) -> go.Figure:
    """Printed across, ours upwards; on the dotted diagonal they are equal. A point's customdata is its cell's label."""
    known = cells[cells["printed"].notna() & cells["ours"].notna()]
    low, high = _range(known[["printed", "ours"]])
    figure = go.Figure()
    figure.add_scatter(
        x=[low, high],
        y=[low, high],
        mode="lines",
        line={"color": MUTED, "width": 2, "dash": "dot"},
        hoverinfo="skip",
        showlegend=False,
    )
    for number, (title, here) in enumerate(_by(known, by)):
        figure.add_scatter(
            x=list(here["printed"]),
            y=list(here["ours"]),
            mode="markers",
            name=chart(title),
            marker={
                "symbol": SIGNS[number % len(SIGNS)],
                "color": CATEGORICAL[number % len(CATEGORICAL)],
                "size": 11,
                "opacity": 0.85,
                "line": {"color": "white", "width": 1},
            },
            unselected={"marker": {"opacity": 0.85}},
            customdata=list(here.index),
            hovertext=_hover(here, cells),
            hoverinfo="text",
        )
    if picked in known.index:
        _ring(figure, known.at[picked, "printed"], known.at[picked, "ours"])
    _frame(figure, "printed", "ours")
    figure.update_xaxes(range=[low, high])
    figure.update_yaxes(range=[low, high])
    return figure


def by_size_figure(results: PaperResults, cells: pd.DataFrame, picked: int) -> go.Figure:
    """Ours along the rows (or another key), a line for each kind, beside the open cell; printed figures as diamonds."""
    along, by = results.along, results.by
    others = [key for key in results.keys if key not in (along, by)]
    cell = cells.loc[picked]
    here = (of_cell(cells, cell, others) if others else cells).sort_values(along, kind="stable")
    figure = go.Figure()
    for number, (title, item) in enumerate(_by(here, by)):
        colour = CATEGORICAL[number % len(CATEGORICAL)]
        figure.add_scatter(
            x=list(item[along]),
            y=list(item["ours"]),
            mode="lines+markers",
            name=chart(title),
            line={"color": colour, "width": 3, "dash": DASHES[number % len(DASHES)]},
            marker={"symbol": SIGNS[number % len(SIGNS)], "size": 10},
            unselected={"marker": {"opacity": 1}},
            customdata=list(item.index),
            hovertext=_hover(item, cells),
            hoverinfo="text",
        )
        printed = item[item["printed"].notna()]
        if len(printed):
            figure.add_scatter(
                x=list(printed[along]),
                y=list(printed["printed"]),
                mode="markers",
                name=f"{chart(title)}, printed",
                marker={"symbol": "diamond-open", "color": colour, "size": 15, "line": {"width": 3}},
                customdata=list(printed.index),
                hovertext=_hover(printed, cells),
                hoverinfo="text",
            )
    if cell[along] == cell[along]:
        _ring(figure, cell[along], cell["ours"])
    fixed = ", ".join(value_words(cell[key]) for key in others)
    _frame(figure, chart(f"{along} ({fixed})" if fixed else along, 60), chart(quantity_words(cell["quantity"]), 60))
    if along == "rows":
        figure.update_xaxes(type="log", tickvals=sorted(set(here[along])), tickformat=",")
    return figure


def runs_figure(values: pd.DataFrame, cell: pd.Series) -> go.Figure:
    """Every run's value as a dot, their mean as a line, the printed value with its spread as a band."""
    figure = go.Figure()
    rows = list(range(len(values))) if len(values) <= MOST_RUNS else [i % MOST_RUNS for i in range(len(values))]
    printed, spread = float(cell["printed"]), float(cell["printed_spread"])
    if printed == printed:
        if spread == spread:
            figure.add_vrect(x0=printed - spread, x1=printed + spread, fillcolor=GROUP_B, opacity=0.15, line_width=0)
        _mark(figure, printed, GROUP_B, "dash", "printed", rows)
    _mark(figure, float(cell["ours"]), PRIMARY, "solid", "our mean", rows)
    figure.add_scatter(
        x=list(values["value"]),
        y=rows,
        mode="markers",
        marker={"size": 12, "color": PRIMARY, "line": {"color": "white", "width": 1}},
        hovertext=[chart(f"{run}: {value:.4g}") for run, value in zip(values["run"], values["value"], strict=True)],
        hoverinfo="text",
        name="a run",
    )
    _frame(figure, chart(quantity_words(str(cell["quantity"])), 70), "")
    named = len(values) <= MOST_RUNS
    figure.update_yaxes(
        tickvals=rows if named else [],
        ticktext=[chart(run, 20) for run in values["run"]] if named else [],
        autorange="reversed",
    )
    figure.update_layout(height=170 + 22 * min(len(values), MOST_RUNS))
    return figure


def _mark(figure: go.Figure, x: float, colour: str, dash: str, title: str, rows: Sequence[int]) -> None:
    """A line from top to bottom that has a place in the legend."""
    figure.add_scatter(
        x=[x, x],
        y=[-0.8, max(rows, default=0) + 0.8],
        mode="lines",
        line={"color": colour, "width": 4, "dash": dash},
        name=title,
        hoverinfo="skip",
    )


def _by(cells: pd.DataFrame, key: str) -> list[tuple[str, pd.DataFrame]]:
    """(value in words, its lines), in order of first appearance."""
    words = cells[key].map(value_words)
    return [(str(text), cells[words == text]) for text in dict.fromkeys(words)]


def _hover(here: pd.DataFrame, cells: pd.DataFrame) -> list[str]:
    digits = digits_of(cells)
    names = [name for name in here if name not in _FIGURES]
    return [
        chart(", ".join(value_words(row[name]) for name in names), 90)
        + f"<br>printed {number_words(row['printed'], digits)}, ours {number_words(row['ours'], digits)}, "
        + f"difference {number_words(row['difference'], digits, signed=True)}"
        for _, row in here.iterrows()
    ]


_FIGURES = ("quantity", "printed", "printed_spread", "ours", "ours_spread", "difference")


def _ring(figure: go.Figure, x: Any, y: Any) -> None:
    """Round the point whose run is open."""
    figure.add_scatter(
        x=[x],
        y=[y],
        mode="markers",
        marker={"symbol": "circle-open", "size": 24, "color": INK, "line": {"width": 3}},
        hoverinfo="skip",
        name="open below",
    )


def _range(values: pd.DataFrame) -> tuple[float, float]:
    low, high = float(values.min().min()), float(values.max().max())
    room = 0.06 * (high - low) or 0.05
    return low - room, high + room


def _frame(figure: go.Figure, across: str, upwards: str) -> None:
    figure.update_xaxes(title_text=across, fixedrange=True, **large_axis(FONT))
    figure.update_yaxes(title_text=upwards, fixedrange=True, **large_axis(FONT))
    figure.update_layout(
        height=HEIGHT,
        margin={"l": 70, "r": 12, "t": 40, "b": 60},
        legend={
            "orientation": "h",
            "y": 1.0,
            "yanchor": "bottom",
            "x": 0,
            "font": {"size": FONT - 1, "color": INK},
            "itemclick": False,
            "itemdoubleclick": False,
        },
        hoverlabel={"font": {"size": FONT}},
        clickmode="event+select",
        dragmode=False,
    )
