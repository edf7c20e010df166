"""The ranked odds of a group comparison: a bar a variable, and the same content as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from dashboard.text import chart, visible
from dashboard.theme import INK, LINE, MUTED
from engine.words import probability

if TYPE_CHECKING:
    import pandas as pd

DIFFERENT, SAME, DISPUTED = "#E8A15F", "#7FADCB", "#D5DBE1"
VERDICTS = {
    "different": ("different", DIFFERENT, ""),
    "same": ("same", SAME, ""),
    "no evidence": ("no evidence", "#FFFFFF", "."),
    "depends on the structure": ("depends on structure", DISPUTED, "/"),
}
PARENTS_DIFFER, FEW_ROWS = "≠", "†"
MARKS = (
    "A colour needs both ways of comparing to agree. Black tick: the variable on its own. "
    + f"{PARENTS_DIFFER} its parents differ between the networks · {FEW_ROWS} decided by a context with under 10 rows"
)


def ranking_figure(ranking: pd.DataFrame, picked: str | None = None) -> go.Figure:
    """Horizontal bars of log10 odds, strongest first; each point's customdata is the variable's place in `ranking`.

    Parameters
    ----------
    ranking : as `GroupDifferenceResult.ranking()` gives it, or its first rows
    picked : the variable in the spotlight
    """
    names = list(ranking.index)
    values = ranking["log10_odds"].to_numpy()
    limit = _limit(values)
    figure = go.Figure()
    for verdict, (words, colour, pattern) in VERDICTS.items():
        rows = [i for i, name in enumerate(names) if ranking.at[name, "verdict"] == verdict]
        figure.add_bar(
            x=[max(-limit, min(limit, values[i])) for i in rows],
            y=rows,
            orientation="h",
            name=words,
            customdata=rows,
            marker={
                "color": colour,
                "line": {
                    "color": [INK if names[i] == picked else MUTED for i in rows],
                    "width": [2.5 if names[i] == picked else 1 for i in rows],
                },
                "pattern": {"shape": pattern, "fgcolor": MUTED, "solidity": 0.25},
            },
            text=[_value(values[i], limit) for i in rows],
            textposition="outside",
            cliponaxis=False,
            hovertext=[_hover(ranking.iloc[i]) for i in rows],
            hoverinfo="text",
            showlegend=bool(rows),
        )
    alone = ranking["marginal_log10_odds"].clip(-limit, limit)
    figure.add_scatter(
        x=list(alone),
        y=list(range(len(names))),
        mode="markers",
        name="on its own",
        marker={"symbol": "line-ns", "size": 12, "line": {"width": 2, "color": INK}},
        customdata=list(range(len(names))),
        hovertext=[f"On its own: {value:+.1f}" for value in ranking["marginal_log10_odds"]],
        hoverinfo="text",
    )
    figure.add_scatter(
        x=list(ranking["prior_log10_odds"].clip(-limit, limit)),
        y=list(range(len(names))),
        mode="markers",
        name="prior",
        marker={"symbol": "circle-open", "size": 7, "color": MUTED},
        hovertext=[f"Prior: {value:+.2f}" for value in ranking["prior_log10_odds"]],
        hoverinfo="text",
        customdata=list(range(len(names))),
    )
    figure.add_vline(x=0, line={"color": INK, "width": 1})
    room = 0.2 * limit
    figure.update_layout(
        height=110 + 26 * max(len(names), 3),
        margin={"l": 10, "r": 10, "t": 10, "b": 40},
        legend={"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0, "font": {"size": 12}},
        bargap=0.3,
        plot_bgcolor="white",
        font={"color": INK, "size": 13},
    )
    lowest = min(float(values.min(initial=0)), float(alone.min()) if len(alone) else 0.0, 0.0)
    figure.update_xaxes(
        title="log10 of the odds for a difference (0 is even, 2 is 100 to 1)",
        range=[max(lowest, -limit) - room, limit + room],
        gridcolor=LINE,
        zeroline=False,
    )
    figure.update_yaxes(
        tickfont={"color": INK},
        tickvals=list(range(len(names))),
        ticktext=[_label(name, ranking.loc[name]) for name in names],
        range=[len(names) - 0.4, -0.6],
        showgrid=False,
    )
    return figure


def _limit(values) -> float:  # type: ignore[no-untyped-def]
    """Length of the longest bar: the largest value, unless it dwarfs the others; bars are capped, values never."""
    sizes = sorted(abs(float(value)) for value in values)
    if not sizes:
        return 1.0
    middle = sizes[len(sizes) // 2]
    return max(1.0, min(sizes[-1], 10 * max(middle, 1.0)))


def _value(value: float, limit: float) -> str:
    return f"{value:+.1f}" + (" ▸" if value > limit else " ◂" if value < -limit else "")


def _label(name: str, row: pd.Series) -> str:
    marks = (PARENTS_DIFFER if row["parents_differ"] else "") + (FEW_ROWS if row["few_rows"] else "")
    return chart(name, 26) + (f" {marks}" if marks else "")


def _hover(row: pd.Series) -> str:
    return (
        f"<b>{chart(row.name, 60)}</b><br>P(different) {probability(row['p_different'])}"
        f"<br>log10 odds: published {row['log10_published']:+.2f}, common {row['log10_common']:+.2f}"
        f"<br>contexts with rows: {row['contexts_with_rows']:.0f} of {row['contexts']:.0f}"
    )


def ranking_display(ranking: pd.DataFrame) -> pd.DataFrame:
    """The ranking with headings that a reader understands, for the screen and for downloads."""
    return ranking.reset_index()[
        [
            "variable",
            "verdict",
            "log10_odds",
            "p_different",
            "log10_published",
            "log10_common",
            "marginal_log10_odds",
            "prior_log10_odds",
            "largest_share_difference",
            "tipping_prior",
            "contexts_with_rows",
            "contexts",
            "parents_differ",
            "few_rows",
        ]
    ].rename(
        columns={
            "log10_odds": "log10 odds",
            "p_different": "P(different)",
            "log10_published": "published",
            "log10_common": "common",
            "marginal_log10_odds": "on its own",
            "prior_log10_odds": "prior",
            "largest_share_difference": "largest share difference",
            "tipping_prior": "tipping prior",
            "contexts_with_rows": "contexts with rows",
            "parents_differ": "parents differ",
            "few_rows": "few rows",
        }
    )


def alt_text(ranking: pd.DataFrame) -> str:
    """The chart for someone who does not see it."""
    top = "; ".join(f"{visible(name)} {value:+.1f}" for name, value in ranking["log10_odds"].head(5).items())
    return f"Bars of log10 odds for a difference, {len(ranking)} variables. Strongest: {top}."
