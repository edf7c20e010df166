"""One variable in both groups: paired stacked bars for every context, with counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from dashboard.charts.frame import lay_out
from dashboard.text import chart, distinct, short
from dashboard.theme import CATEGORICAL, INK, MUTED, PAPER, SEQUENTIAL, contrast

if TYPE_CHECKING:
    import pandas as pd

MOST_CONTEXTS = 6
_DISTINCT = (0, 5, 4, 2, 6)
"""Colours of a kind in an order in which neighbours differ in grey as well, none of them the orange of a difference;
more levels get a scale."""
STEP = 3.1
"""From one context to the next: two bars, and two lines of text above them."""


def contexts_figure(
    distributions: pd.DataFrame, levels: tuple[str, ...], ordered: bool, notes: Mapping[str, str]
) -> go.Figure:
    """Paired horizontal bars, one pair a context, strongest difference first; segment width is the share observed."""
    contexts = list(dict.fromkeys(distributions["context"]))[:MOST_CONTEXTS]
    groups = list(dict.fromkeys(distributions["group"]))
    place = {(context, group): STEP * i + j for i, context in enumerate(contexts) for j, group in enumerate(groups)}
    drawn = distributions[distributions["context"].isin(contexts)]
    totals = drawn.groupby(["context", "group"], sort=False)["count"].sum()
    figure = go.Figure()
    for number, (level, colour) in enumerate(zip(levels, _colours(len(levels), ordered), strict=True)):
        rows = drawn[drawn["level"] == level]
        n = [int(totals[context, group]) for context, group in zip(rows["context"], rows["group"], strict=True)]
        shares = [count / total if total else 0.0 for count, total in zip(rows["count"], n, strict=True)]
        figure.add_bar(
            x=shares,
            y=[place[key] for key in zip(rows["context"], rows["group"], strict=True)],
            orientation="h",
            width=0.9,
            name=chart(level, 30),
            marker={"color": colour, "line": {"color": "white", "width": 1}},
            text=[_inside(share, count) for share, count in zip(shares, rows["count"], strict=True)],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"color": _text_colour(colour), "size": 12},
            hovertext=[
                f"{chart(row.group, 30)}, {chart(row.context, 80)}<br>{chart(level, 40)}: {row.count_:,} of {total:,}"
                f"<br>posterior {row.share:.1%} (95 % interval {row.low:.1%} to {row.high:.1%})"
                for row, total in zip(rows.rename(columns={"count": "count_"}).itertuples(), n, strict=True)
            ],
            hoverinfo="text",
            legendrank=number,
        )
    above = {"x": 0, "xref": "x", "xshift": -44, "yref": "y", "showarrow": False, "xanchor": "left", "align": "left"}
    lines = [
        above
        | {
            "y": STEP * i - 1.02,
            "text": f"{chart(brief, 56)}<br><span style='color:{MUTED}'>{chart(notes.get(item, ''), 74)}</span>",
            "hovertext": chart(item, 300),
            "font": {"size": 12, "color": INK},
        }
        for i, (item, brief) in enumerate(zip(contexts, distinct(contexts, 56), strict=True))
    ]
    lay_out(
        figure,
        90 + 104 * len(contexts),
        margin={"t": 6, "b": 30},
        annotations=lines,
        barmode="stack",
        uniformtext={"minsize": 10, "mode": "hide"},
        legend={"orientation": "h", "y": -0.02, "yanchor": "top", "x": 0, "traceorder": "normal"},
    )
    figure.update_xaxes(range=[0, 1], visible=False)
    figure.update_yaxes(
        tickfont={"color": INK},
        tickvals=list(place.values()),
        ticktext=[f"{chart(group, 16)} (n = {int(totals[context, group]):,})" for context, group in place],
        range=[STEP * len(contexts) - 0.9, -1.6],
        showgrid=False,
        zeroline=False,
    )
    return figure


def _inside(share: float, count: int) -> str:
    """What fits into a segment: share and count, the share alone, or nothing."""
    if share >= 0.17:
        return f"{share:.0%}  ({count:,})"
    return f"{share:.0%}" if share >= 0.07 else ""


def _colours(count: int, ordered: bool) -> list[str]:
    if ordered or count > len(_DISTINCT):
        steps = [1 + round(i * (len(SEQUENTIAL) - 3) / max(count - 1, 1)) for i in range(count)]
        return [SEQUENTIAL[step] for step in steps]
    return [CATEGORICAL[place] for place in _DISTINCT[:count]]


def _text_colour(fill: str) -> str:
    return max((INK, PAPER), key=lambda ink: contrast(ink, fill))


def contexts_display(contexts: pd.DataFrame) -> pd.DataFrame:
    """The contexts table with headings for the screen."""
    return contexts.rename(
        columns={
            "log_bayes_factor": "ln Bayes factor",
            "part": "part of the evidence (log10)",
            "posterior_different": "P(different)",
            "few_rows": "few rows",
        }
    )


def alt_text(distributions: pd.DataFrame, variable: str) -> str:
    """The chart for someone who does not see it."""
    contexts = distributions["context"].nunique()
    return f"Shares of the levels of {short(variable, 60)} in both groups, in {contexts} context(s), as paired bars."
