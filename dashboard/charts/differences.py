"""Which variables differ between two groups: a row a variable, on its own and beyond its parents; and as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from dashboard.text import chart, visible
from dashboard.theme import ALIKE as ALIKE_FILL
from dashboard.theme import DIFFERENT, INK, LINE, MUTED, PAPER
from engine.methods.group_difference.verdicts import ALIKE, CANNOT_TELL, DIFFERS, DISPUTED, EXPLAINED, ONE_LEVEL, WITHIN
from engine.words import percent

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Look:
    """How one outcome is drawn: colour and pattern say the same thing twice; `sign` is for boxes of a network."""

    words: str
    sign: str
    colour: str
    pattern: str


LOOKS = {
    DIFFERS: Look("differs", "▲", DIFFERENT, ""),
    EXPLAINED: Look("differs, explained by its parents", "△", "#F7E7D6", "/"),
    WITHIN: Look("differs only within some contexts", "▲", "#F2C79B", "x"),
    ALIKE: Look("alike", "=", ALIKE_FILL, ""),
    DISPUTED: Look("networks disagree", "?", PAPER, "\\"),
    CANNOT_TELL: Look("no difference seen, cannot tell", "?", PAPER, ""),
    ONE_LEVEL: Look("one level", "·", PAPER, "."),
}
BAND = "#DDE2E7"
LONGEST = 44
SORTS = ("What differs first", "Beyond its parents", "On its own", "Size of the difference", "Name")
MARKS = (
    "Bar: evidence that it differs beyond its parents, as powers of ten (1 is 10 to 1). Grey behind it: what 95 of 100 "
    "shuffled tables stay below. "
    "Dot: on its own, filled where shuffled tables rarely show as much. † decided by a context with under 10 rows."
)


def outcome(row: pd.Series) -> str:
    """The key in `LOOKS` of a row of `variables`."""
    begins = (EXPLAINED, WITHIN, DISPUTED)
    return next((one for one in begins if row["class"].startswith(one)), str(row["verdict"]))


def outcome_words(row: pd.Series, margin: float) -> str:
    """What is said of a variable in a few words."""
    if outcome(row) == ALIKE:
        return f"alike within {100 * margin:.3g} points"
    if outcome(row) == CANNOT_TELL:
        needed = "" if row["rows_needed"] != row["rows_needed"] else f" ({row['rows_needed']:,.0f} rows a group)"
        return f"cannot tell{needed}"
    return str(row["class"])


def in_order(variables: pd.DataFrame, by: str) -> pd.DataFrame:
    """The variables in one of the orders of `SORTS`."""
    if by == "Name":
        return variables.sort_index()
    columns = {
        "Beyond its parents": "log10_bf_beyond",
        "On its own": "log10_bf_alone",
        "Size of the difference": "size",
    }
    if by not in columns:
        return variables
    sizes = variables.assign(size=variables["effect"].abs())
    return variables.loc[sizes.sort_values(columns[by], ascending=False, kind="stable").index]


def differences_figure(variables: pd.DataFrame, margin: float, level: float, picked: str | None = None) -> go.Figure:
    """A bar, a dot and a band for every variable; each point's customdata is the variable's place in `variables`.

    Parameters
    ----------
    variables : as `GroupDifferenceResult.variables()` gives them, or some of its rows
    margin, level : of the settings
    picked : the variable in the spotlight
    """
    names = list(variables.index)
    values, alone = variables["log10_bf_beyond"].to_numpy(), variables["log10_bf_alone"].to_numpy()
    limit = _limit([*values, *alone])
    lowest = min(0.0, float(values.min(initial=0)), float(alone.min(initial=0)))
    left = max(lowest, -limit) - 0.14 * limit
    figure = go.Figure()
    figure.add_bar(
        x=[min(float(top), limit) - left for top in variables["log10_bf_shuffled"]],
        base=left,
        y=list(range(len(names))),
        orientation="h",
        width=0.92,
        name="shuffled tables",
        marker={"color": BAND, "line": {"width": 0}},
        customdata=list(range(len(names))),
        hoverinfo="skip",
    )
    kinds = [outcome(variables.iloc[i]) for i in range(len(names))]
    for kind, look in LOOKS.items():
        rows = [i for i, one in enumerate(kinds) if one == kind]
        figure.add_bar(
            x=[max(-limit, min(limit, values[i])) for i in rows],
            y=rows,
            orientation="h",
            width=0.5,
            name=look.words,
            customdata=rows,
            marker={
                "color": look.colour,
                "line": {
                    "color": [INK if names[i] == picked else MUTED for i in rows],
                    "width": [2.5 if names[i] == picked else 1 for i in rows],
                },
                "pattern": {"shape": look.pattern, "fgcolor": MUTED, "solidity": 0.25},
            },
            hovertext=[_hover(variables.iloc[i], margin) for i in rows],
            hoverinfo="text",
        )
    seen = (variables["chance_alone"] <= level) & (variables["log10_bf_alone"] > 0)
    figure.add_scatter(
        x=[max(-limit, min(limit, value)) for value in alone],
        y=list(range(len(names))),
        mode="markers",
        name="on its own",
        marker={
            "symbol": "circle",
            "size": 9,
            "color": [INK if one else PAPER for one in seen],
            "line": {"width": 1.5, "color": INK},
        },
        customdata=list(range(len(names))),
        hovertext=[_hover(variables.iloc[i], margin) for i in range(len(names))],
        hoverinfo="text",
    )
    figure.add_scatter(  # the bars' numbers, in a column: beside a dot one would be read as the dot's
        x=[1.08 * limit] * len(names),
        y=list(range(len(names))),
        mode="text",
        text=[_value(value, limit) for value in values],
        textposition="middle right",
        cliponaxis=False,
        hoverinfo="skip",
        customdata=list(range(len(names))),
    )
    figure.add_vline(x=0, line={"color": INK, "width": 1})
    figure.update_layout(
        barmode="overlay",
        height=70 + 38 * max(len(names), 3),
        margin={"l": 10, "r": 16, "t": 4, "b": 44},
        showlegend=False,  # each row says in words what its colour means
        plot_bgcolor="white",
        font={"color": INK, "size": 13},
    )
    figure.update_xaxes(
        title="log10 Bayes factor",
        range=[left, limit * 1.36],
        gridcolor=LINE,
        zeroline=False,
    )
    figure.update_yaxes(
        tickfont={"color": INK},
        tickvals=list(range(len(names))),
        ticktext=[_label(name, variables.loc[name], margin) for name in names],
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


def _label(name: str, row: pd.Series, margin: float) -> str:
    """The name, and in a smaller second line what is said of it."""
    mark = " †" if row["few_rows"] else ""
    said = chart(outcome_words(row, margin), LONGEST)
    return f"{chart(name, 28)}{mark}<br><span style='font-size:11px;color:{MUTED}'>{said}</span>"


def _hover(row: pd.Series, margin: float) -> str:
    low, high = 100 * row["low"], 100 * row["high"]
    size = "" if low != low else f"<br>{100 * row['effect']:+.0f} points of {chart(row['level'], 30)}"
    return (
        f"<b>{chart(row.name, 60)}</b>: {chart(outcome_words(row, margin), 90)}"
        f"<br>log10 Bayes factor beyond its parents {row['log10_bf_beyond']:+.2f}, "
        f"chance {percent(row['chance_beyond'])}"
        f"<br>on its own {row['log10_bf_alone']:+.2f}, chance {percent(row['chance_alone'])}"
        + (f"{size} (95 %: {low:+.0f} to {high:+.0f})" if size else "")
        + f"<br>contexts with rows: {row['contexts_with_rows']:.0f} of {row['contexts']:.0f}"
    )


_HEADINGS = {
    "verdict": "verdict",
    "class": "class",
    "log10_bf_beyond": "beyond parents: log10 Bayes factor",
    "chance_beyond": "beyond parents: chance",
    "log10_bf_alone": "on its own: log10 Bayes factor",
    "chance_alone": "on its own: chance",
    "level": "level",
    "effect": "effect",
    "low": "low",
    "high": "high",
    "effect_alone": "effect on its own",
    "low_alone": "low on its own",
    "high_alone": "high on its own",
    "rows_needed": "rows a group needed",
    "p_over_margin": "P(over the margin)",
    "contexts_with_rows": "contexts with rows",
    "contexts": "contexts",
    "few_rows": "few rows",
}
_ODDS = {
    "log10_odds": "log10 odds",
    "p_different": "P(different)",
    "prior_log10_odds": "prior",
    "log10_published": "published",
    "log10_common": "common parents",
    "marginal_log10_odds": "without parents",
    "tipping_prior": "tipping prior",
    "parents_differ": "parents differ",
}


def variables_display(variables: pd.DataFrame) -> pd.DataFrame:
    """The variables with headings that a reader understands, for the screen and for downloads."""
    return variables.reset_index()[["variable", *_HEADINGS]].rename(columns=_HEADINGS)


def odds_display(ranking: pd.DataFrame) -> pd.DataFrame:
    """The published odds under the prior on screen, strongest first."""
    more = [name for name in ranking.columns if name.startswith("share as high")]
    return ranking.reset_index()[["variable", *_ODDS, *more]].rename(columns=_ODDS)


def alt_text(variables: pd.DataFrame) -> str:
    """The chart for someone who does not see it."""
    top = "; ".join(
        f"{visible(name)} {row['log10_bf_beyond']:+.1f}, {row['class']}" for name, row in variables.head(5).iterrows()
    )
    many = f"{len(variables)} variables"
    return f"Evidence that each of {many} differs, log10 Bayes factors beyond its parents. First: {top}."
