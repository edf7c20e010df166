"""Which variables differ between two groups, by P(differs) and verdict; and one of them in every context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.charts.frame import lay_out
from dashboard.text import chart, distinct, short
from dashboard.theme import ALIKE as ALIKE_FILL
from dashboard.theme import DIFFERENT, GROUP_A, GROUP_B, INK, LINE, MUTED, PANEL, PAPER, dark, is_dark
from engine.methods.group_difference.evidence import FEW_ROWS
from engine.methods.group_difference.verdicts import (
    ALL_ROWS,
    EVERYWHERE,
    Alone,
    Verdict,
    interval_is_wider,
    verdict_words,
)
from engine.words import in_percent, with_sign

if TYPE_CHECKING:
    from engine.methods.group_difference.result import GroupDifferenceResult


@dataclass(frozen=True)
class VerdictStyle:
    """How one verdict is drawn: colour and sign say the same thing twice."""

    sign: str
    colour: str


VERDICT_STYLES = {
    Verdict.DIFFERS: VerdictStyle("▲", DIFFERENT),
    Verdict.PROBABLY: VerdictStyle("△", "#F7D9B8"),
    Verdict.CANNOT_TELL: VerdictStyle("?", PAPER),
    Verdict.ALIKE: VerdictStyle("=", ALIKE_FILL),
    Verdict.NOT_SEEN: VerdictStyle("○", PAPER),
    Verdict.ONE_LEVEL: VerdictStyle("·", PANEL),
}
TAGS = {Verdict.DIFFERS: "orange", Verdict.PROBABLY: "orange", Verdict.ALIKE: "blue"}
"""Verdict -> the colour of its tag among those of Streamlit; grey for the others."""
SELECTED = "#FCF3EA"
HIGHEST = 0.999
"""The largest probability that the table shows: none is 1."""


def outcome_words(row: pd.Series, margin: float) -> str:
    """What is said of a variable in a few words: its verdict, and what it shows on its own where that is another."""
    alike = row["verdict"] == Verdict.ALIKE
    text = f"equivalent {margin_words(margin)}" if alike else verdict_words(row["verdict"], margin)
    if row["alone"] == Alone.THROUGH_OTHERS:
        return f"{text}; marginally it differs"
    if interval_is_wider(row, margin):
        return f"{text} (P(larger) {brief(row['p_over_margin'])})"
    needed = row["rows_needed"]
    return text if needed != needed else f"{text} (needs {needed:,.0f} rows a group)"


def margin_words(margin: float) -> str:
    """The margin of *equivalent*: "±10 pp"."""
    return f"±{100 * margin:g} pp"


DIFFERENCES = ("given parents, pp", "marginally, pp")
"""Columns of the table of variables that Streamlit would write with a hyphen for a minus."""


def brief(p: float) -> str:
    """A probability in two decimals that never claims certainty; empty where there is none."""
    if p != p:
        return ""
    return "> 0.99" if p > 0.995 else "< 0.01" if p < 0.005 else f"{p:.2f}"


def variables_display(variables: pd.DataFrame, margin: float) -> pd.DataFrame:
    """The variables as the page's table has them: verdict, P, where, both differences with intervals."""
    shown = variables["verdict"].isin([Verdict.DIFFERS, Verdict.PROBABLY, Verdict.CANNOT_TELL])
    rows = [row for _, row in variables.iterrows()]
    return pd.DataFrame(
        {
            "variable": list(variables.index),
            "level": list(variables["level"]),
            "verdict": [f"{VERDICT_STYLES[Verdict(row['verdict'])].sign} {outcome_words(row, margin)}" for row in rows],
            "P(differs)": variables["probability"].clip(upper=HIGHEST).to_numpy(),
            "where": [_where(row) if there else "" for row, there in zip(rows, shown, strict=True)],
            "given parents, pp": 100 * variables["effect"].to_numpy(),
            "given parents, 95 %": [_interval(row) for row in rows],
            "marginally, pp": 100 * variables["effect_alone"].to_numpy(),
            "marginally, 95 %": [_interval(row, "", "_alone") for row in rows],
            "p, corrected": variables["p_alone"].to_numpy(),
            "likeliest parents": list(variables["parents"]),
        }
    )


def _where(row: pd.Series) -> str:
    """The difference in the context that decides, which comes first since a long context is cut, and the level."""
    if not row["where"]:
        return ""
    level = "" if row["where_level"] == row["level"] else f' "{row["where_level"]}"'
    effect = f"{with_sign(100 * row['where_effect'])} ({_interval(row, 'where_')}){' †' if row['few_rows'] else ''}"
    context = "in all rows" if row["where"] == EVERYWHERE else f"where {row['where']}"
    return f"{effect}{level} {context}"


def _interval(row: pd.Series, prefix: str = "", after: str = "") -> str:
    """'+30 to +57'; empty where there is none."""
    low, high = (100 * row[f"{prefix}{name}{after}"] for name in ("low", "high"))
    return "" if low != low else f"{with_sign(low)} to {with_sign(high)}"


def tinted(display: pd.DataFrame, variables: pd.DataFrame, picked: str | None) -> Any:
    """The table with verdicts on their colours and the selected row tinted, as pandas styles it."""
    shade = dark if is_dark() else str

    def colours(row: pd.Series) -> list[str]:
        name = variables.index[row.name]
        style = VERDICT_STYLES[Verdict(variables.at[name, "verdict"])]
        back = f"background-color: {shade(SELECTED)}" if name == picked else ""
        verdict = f"background-color: {shade(style.colour)}" if style.colour != PAPER else back
        return [verdict if column == "verdict" else back for column in display.columns]

    return display.style.apply(colours, axis=1).format(dict.fromkeys(DIFFERENCES, with_sign), na_rep="")


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


def odds_display(ranking: pd.DataFrame) -> pd.DataFrame:
    """The published odds under the prior on screen, strongest first."""
    more = [name for name in ranking.columns if name.startswith("share of permutations")]
    return ranking.reset_index()[["variable", *_ODDS, *more]].rename(columns=_ODDS)


MOST_CONTEXTS = 9
"""Contexts beside the one that decides that are drawn; all of them stand in the table."""
SHARES = 0.68
"""Part of the chart's width that shows shares; the counts stand right of it."""
INSIDE = 0.35
"""Share from which its number stands in the bar."""
_ROW = 0.62
"""Height of a row of a context, a bar of a group being 1."""


def reading_figure(
    differences: pd.DataFrame, shares: pd.DataFrame, labels: Sequence[str], parents: Sequence[str]
) -> go.Figure:
    """One level of one variable in both groups: two bars in the context that decides, a dumbbell in each other one.

    Parameters
    ----------
    differences : of `GroupDifferenceResult.differences`, the context that decides first
    shares : share and count of the level, a row for each context and group
    labels : the groups
    parents : the variables that make the contexts
    """
    decides, *others = list(differences["context"])
    others = others[: MOST_CONTEXTS + 1] if len(others) <= MOST_CONTEXTS + 1 else [*others[:MOST_CONTEXTS], others[-1]]
    at = shares.set_index(["context", "group"])
    figure = go.Figure()
    for place, (label, colour) in enumerate(zip(labels, (GROUP_A, GROUP_B), strict=True)):
        _add_share_bar(figure, place * 1.12, label, colour, at.loc[(decides, label)])
    rows = [2.9 + _ROW * i for i in range(len(others))]
    for label, colour, symbol in zip(labels, (GROUP_A, GROUP_B), ("circle", "square-open"), strict=True):
        drawn = [(y, at.loc[(context, label)]) for y, context in zip(rows, others, strict=True)]
        drawn = [(y, row) for y, row in drawn if row["n"]]
        figure.add_scatter(
            x=[row["share"] for _, row in drawn],
            y=[y for y, _ in drawn],
            mode="markers",
            name=chart(label, 20),
            marker={
                "symbol": [
                    f"{symbol}-open" if row["n"] < FEW_ROWS and symbol == "circle" else symbol for _, row in drawn
                ],
                "size": 10,
                "color": colour,
                "line": {"width": 2, "color": colour},
            },
            hovertext=[
                f"{chart(label, 30)}: {in_percent(row['share'])}, {int(row['count']):,} of {int(row['n']):,}"
                for _, row in drawn
            ],
            hoverinfo="text",
        )
    _add_counts(figure, rows, others, labels, at)
    short_names = distinct([_values(context, parents) for context in others], 24)
    bottom = rows[-1] + 0.5 if rows else 2.2
    lay_out(
        figure,
        round(40 * bottom) + 26,
        margin={"l": 8, "r": 8, "t": 2, "b": 24},
        showlegend=False,
        hoverlabel={"bgcolor": PAPER, "bordercolor": MUTED, "font": {"color": INK}, "align": "left"},
    )
    figure.update_xaxes(
        range=[0, 1],
        domain=[0, SHARES],
        tickvals=[0, 0.5, 1] if rows else [],
        ticktext=["0", "50", "100 %"],
        showgrid=False,
        zeroline=False,
        tickfont={"color": MUTED, "size": 12},
    )
    for x in (0, 0.5, 1) if rows else ():
        figure.add_shape(
            type="line",
            xref="x",
            x0=x,
            x1=x,
            y0=rows[0] - 0.4,
            y1=bottom,
            line={"color": LINE, "width": 1},
            layer="below",
        )
    figure.update_yaxes(
        tickvals=[0, 1.12, *rows],
        ticktext=[*(f"<b>{chart(label, 16)}</b>" for label in labels), *(chart(text, 24) for text in short_names)],
        tickfont={"color": INK, "size": 12},
        range=[bottom, -0.55],
        showgrid=False,
        zeroline=False,
    )
    return figure


def _add_share_bar(figure: go.Figure, y: float, label: str, colour: str, row: pd.Series) -> None:
    """A bar of one group on its track, the share inside and the counts beside."""
    track = {"orientation": "h", "width": 0.95, "hoverinfo": "skip", "y": [y]}
    share = float(row["share"]) if row["n"] else 0.0
    figure.add_bar(x=[1.0], marker={"color": PANEL, "line": {"width": 0}}, **track)
    inside = share >= INSIDE
    figure.add_bar(x=[share], name=chart(label, 20), marker={"color": colour, "line": {"width": 0}}, **track)
    figure.add_annotation(
        x=share,
        y=y,
        text=f"<b>{in_percent(share)}</b>",
        showarrow=False,
        xanchor="right" if inside else "left",
        xshift=-6 if inside else 6,
        font={"size": 16, "color": PAPER if inside else INK},
    )
    few = "<br>fewer than 10" if row["n"] < FEW_ROWS else ""
    figure.add_annotation(
        x=1.0,
        xref="paper",
        y=y,
        text=f"{int(row['count']):,} of {int(row['n']):,}{few}",
        showarrow=False,
        xanchor="right",
        font={"size": 12, "color": INK},
    )
    figure.update_layout(barmode="overlay")


def _add_counts(
    figure: go.Figure, rows: Sequence[float], contexts: Sequence[str], labels: Sequence[str], at: pd.DataFrame
) -> None:
    """How many rows each group has in each context, at the right end; a word where they are few."""
    text = {"showarrow": False, "xanchor": "right", "x": 1.0, "xref": "paper"}
    if rows:
        heads = ", ".join(chart(label, 10) for label in labels)
        figure.add_annotation(y=rows[0] - 0.66, text=f"n: {heads}", font={"size": 11, "color": MUTED}, **text)
    for y, context in zip(rows, contexts, strict=True):
        n = [int(at.loc[(context, label)]["n"]) for label in labels]
        few = min(n) < FEW_ROWS
        words = ", ".join(f"{number:,}" for number in n) + (" few" if few else "")
        figure.add_annotation(y=y, text=words, font={"size": 12, "color": INK if few else MUTED}, **text)


def _values(context: str, parents: Sequence[str]) -> str:
    """The values of a context without the names of the variables."""
    if context == ALL_ROWS:
        return "all rows"
    for name in parents:
        context = context.replace(f"{name} = ", "", 1)
    return context


def difference_words(row: pd.Series) -> str:
    """A difference of a share with its interval, second group minus first."""
    if row["difference"] != row["difference"]:
        return "no rows in one of the groups"
    low, high = 100 * row["low"], 100 * row["high"]
    return f"{with_sign(100 * row['difference'])} pp (95 % interval {with_sign(low)} to {with_sign(high)})"


def interval_note(row: pd.Series, verdict: str) -> str:
    """Why the interval may leave 0 out where the verdict says no difference; "" where they say the same."""
    if verdict in (Verdict.DIFFERS, Verdict.PROBABLY) or not row["low"] * row["high"] > 0:
        return ""
    return (
        "The interval is of this context, not corrected; the verdict's P weighs all contexts and networks with a "
        "prior. Both can be right."
    )


def shares_of(result: GroupDifferenceResult, name: str, level: str) -> pd.DataFrame:
    """Share, count and n of a level in each context and group; over all rows too."""
    within = result.distributions(name)
    alone = result.distributions(name, "marginal").assign(context=ALL_ROWS)
    every = pd.concat([within, alone] if len(result.differences(name)) > 1 else [alone], ignore_index=True)
    every["n"] = every.groupby(["context", "group"])["count"].transform("sum")
    shares = every.loc[every["level"] == level, ["context", "group", "count", "n"]]
    return shares.assign(share=shares["count"] / shares["n"].where(shares["n"] > 0))


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


def reading_alt(name: str, level: str, contexts: int) -> str:
    """The chart for someone who does not see it."""
    return f"Share of {short(level, 30)} of {short(name, 60)} in both groups, in {contexts} contexts."
