"""Charts of one patient: the distribution the evidence is about, the prediction, and the strength by variable."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from dashboard.charts.frame import lay_out
from dashboard.text import chart, short
from dashboard.theme import GROUP_B, INK, LINE, MUTED, PRIMARY, SEQUENTIAL

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 5
MOST_TERMS = 12
SIMILAR = "similar cases"
PATTERNS = ("", "/", ".", "\\", "x", "-")


def distributions_figure(distributions: pd.DataFrame) -> go.Figure:
    """Bars a level: the cases like the patient, then the population rows they replace, with 95 % intervals."""
    figure = go.Figure()
    for number, who in enumerate(drawn_rows(distributions)):
        rows = distributions[distributions["who"] == who]
        similar = who == SIMILAR
        total = int(rows["rows"].iloc[0])
        fill = PRIMARY if similar else SEQUENTIAL[min(1 + number, 4)]
        figure.add_bar(
            x=[chart(level, 24) for level in rows["level"]],
            y=rows["share"].tolist(),
            name=f"{chart(who, 60)} ({total:,})",
            marker={
                "color": fill,
                "line": {"color": INK, "width": 1},
                "pattern": _pattern(PATTERNS[number % len(PATTERNS)], fill),
            },
            error_y={
                "type": "data",
                "array": (rows["high"] - rows["share"]).tolist(),
                "arrayminus": (rows["share"] - rows["low"]).tolist(),
                "color": INK,
                "thickness": 1.2,
                "width": 4,
            },
            hovertext=[
                f"{chart(who, 80)}<br>{chart(row.level, 40)}: {row.count_:,} of {total:,}"
                f"<br>{row.share:.1%} (95 % interval {row.low:.1%} to {row.high:.1%})"
                for row in rows.rename(columns={"count": "count_"}).itertuples()
            ],
            hoverinfo="text",
        )
    _frame(figure, 330)
    figure.update_layout(legend={"orientation": "h", "y": -0.12, "yanchor": "top", "x": 0}, bargap=0.25)
    figure.update_yaxes(range=[0, 1], tickformat=".0%", gridcolor=LINE)
    figure.update_xaxes(type="category", tickfont={"color": INK})
    return figure


def drawn_rows(distributions: pd.DataFrame) -> list[str]:
    """The similar cases and the largest population rows, in their order."""
    sizes = distributions.groupby("who", sort=False)["rows"].first()
    others = [who for who in sizes.index if who != SIMILAR]
    largest = set(sorted(others, key=lambda who: -int(sizes[who]))[:MOST_ROWS])
    return [who for who in sizes.index if who == SIMILAR or who in largest]


def prediction_figure(prediction: pd.DataFrame, observed: str | None) -> go.Figure:
    """Probability of every level of the target under both networks; the value observed is marked by a diamond."""
    figure = go.Figure()
    ticks = [chart(level, 24) + (" ◆" if level == observed else "") for level in prediction.index]
    for column, name, colour, shape in (
        ("population", "the population's network", SEQUENTIAL[3], "/"),
        ("instance", "this patient's network", PRIMARY, ""),
    ):
        figure.add_bar(
            y=ticks,
            x=prediction[column].tolist(),
            orientation="h",
            name=name,
            marker={
                "color": colour,
                "line": {"color": INK, "width": 1},
                "pattern": _pattern(shape, colour),
            },
            text=[f"{value:.1%}" for value in prediction[column]],
            textposition="outside",
            cliponaxis=False,
            hoverinfo="x+name",
        )
    _frame(figure, 110 + 58 * len(prediction))
    figure.update_layout(legend={"orientation": "h", "y": -0.14, "yanchor": "top", "x": 0, "traceorder": "reversed"})
    figure.update_xaxes(range=[0, 1.12], tickformat=".0%", tickvals=[0, 0.25, 0.5, 0.75, 1], gridcolor=LINE)
    figure.update_yaxes(type="category", autorange="reversed", tickfont={"color": INK, "size": 14})
    return figure


def strength_figure(terms: pd.Series) -> go.Figure:
    """The log-likelihood ratio as a bar a variable, largest first; the bars add up to it."""
    values = strongest(terms)
    figure = go.Figure(
        go.Bar(
            y=[chart(name, 30) for name in values],
            x=list(values.values()),
            orientation="h",
            marker={
                "color": [PRIMARY if value >= 0 else GROUP_B for value in values.values()],
                "line": {"color": INK, "width": 1},
            },
            text=[f"{value:+.2f}" for value in values.values()],
            textposition="outside",
            cliponaxis=False,
            hoverinfo="x+y",
        )
    )
    _frame(figure, 80 + 34 * max(len(values), 2))
    low, high = min([0.0, *values.values()]), max([0.0, *values.values()])
    room = 0.2 * (high - low or 1.0)
    figure.add_vline(x=0, line={"color": INK, "width": 1})
    figure.update_xaxes(title="natural log of the likelihood ratio", range=[low - room, high + room], gridcolor=LINE)
    figure.update_yaxes(type="category", autorange="reversed", tickfont={"color": INK})
    return figure


def strongest(terms: pd.Series) -> dict[str, float]:
    """The terms that are not 0, largest first; those beyond the first dozen summed."""
    some = terms[terms != 0]
    some = some.reindex(some.abs().sort_values(ascending=False, kind="stable").index)
    values = {str(name): float(value) for name, value in some.head(MOST_TERMS).items()}
    if len(some) > MOST_TERMS:
        values[f"{len(some) - MOST_TERMS} other variables"] = float(some.iloc[MOST_TERMS:].sum())
    return values


def distributions_words(distributions: pd.DataFrame, variable: str) -> str:
    """The chart for someone who does not see it."""
    first = distributions[distributions["who"] == distributions["who"].iloc[0]]
    shares = "; ".join(f"{short(row.level, 30)} {row.share:.0%}" for row in first.itertuples())
    rows = len(drawn_rows(distributions))
    return f"Shares of the levels of {short(variable, 60)} in {rows} sets of rows; first of them: {shares}."


def _pattern(shape: str, fill: str) -> dict[str, object]:
    return {"shape": shape, "bgcolor": fill, "fgcolor": MUTED, "solidity": 0.15}


def _frame(figure: go.Figure, height: int) -> None:
    lay_out(figure, height, margin={"b": 30}, barmode="group")
