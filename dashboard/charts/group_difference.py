"""Which variables differ between two groups, by P(differs) and verdict; and one of them in every context."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dashboard.charts.frame import lay_out, name_rows
from dashboard.text import chart, distinct, short, visible
from dashboard.theme import ALIKE as ALIKE_FILL
from dashboard.theme import CATEGORICAL, DIFFERENT, INK, LINE, MUTED, PANEL, PAPER, SEQUENTIAL, contrast
from engine.methods.group_difference.evidence import FEW_ROWS
from engine.methods.group_difference.verdicts import EVEN, SURE, Alone, Verdict, verdict_words
from engine.words import p_value


@dataclass(frozen=True)
class VerdictStyle:
    """How one verdict is drawn: colour, pattern and sign say the same thing three times."""

    sign: str
    colour: str
    pattern: str


VERDICT_STYLES = {
    Verdict.DIFFERS: VerdictStyle("▲", DIFFERENT, ""),
    Verdict.PROBABLY: VerdictStyle("△", "#F7D9B8", "/"),
    Verdict.CANNOT_TELL: VerdictStyle("?", PAPER, "."),
    Verdict.ALIKE: VerdictStyle("=", ALIKE_FILL, ""),
    Verdict.NOT_SEEN: VerdictStyle("○", PAPER, ""),
    Verdict.ONE_LEVEL: VerdictStyle("·", PANEL, ""),
}
LONGEST = 46
NUMBERS = 1.16
"""Where the numbers end, in a column beside the bars."""
SORTS = ("What differs first", "P(differs)", "On its own", "Size of the difference", "Name")
MARKS = (
    f"Bar: P(differs), {{over}}; lines at {EVEN:g} (probably differs) and {SURE:g} (differs). "
    f"† the context that decides has fewer than {FEW_ROWS} rows in a group."
)
"""How to read the chart; `over` says what P(differs) is taken over."""


def outcome_words(row: pd.Series, margin: float) -> str:
    """What is said of a variable in a few words: its verdict, and what it shows on its own where that is another."""
    text = verdict_words(row["verdict"], margin)
    if row["alone"] == Alone.THROUGH_OTHERS:
        return f"{text}; on its own it differs"
    needed = row["rows_needed"]
    return text if needed != needed else f"{text} (needs {needed:,.0f} rows a group)"


def brief(p: float) -> str:
    """A probability in two decimals that never claims certainty; empty where there is none."""
    if p != p:
        return ""
    return "> 0.99" if p > 0.995 else "< 0.01" if p < 0.005 else f"{p:.2f}"


def in_order(variables: pd.DataFrame, by: str) -> pd.DataFrame:
    """The variables in one of the orders of `SORTS`; what has no number comes last."""
    if by == "Name":
        return variables.sort_index()
    keys = {  # p-values and probabilities tie; the next one decides then
        "P(differs)": [-variables["probability"], -variables["log10_bayes_factor"]],
        "On its own": [variables["p_alone"], -variables["effect_alone"].abs()],
        "Size of the difference": [-variables["effect"].abs()],
    }
    if by not in keys:
        return variables
    keyed = pd.concat(keys[by], axis=1, keys=range(len(keys[by])))
    return variables.loc[keyed.sort_values(list(keyed), kind="stable").index]


def differences_figure(
    variables: pd.DataFrame, margin: float, labels: Sequence[str], picked: str | None = None
) -> go.Figure:
    """A bar for every variable; each point's customdata is the variable's place in `variables`."""
    names = list(variables.index)
    positions = list(range(len(names)))
    p = [float(variable) if variable == variable else 0.0 for variable in variables["probability"]]
    tips = [_hover(variables.iloc[i], margin, labels) for i in positions]
    figure = go.Figure()
    figure.add_bar(  # from 0 to 1, so that a variable of hardly any P can be pointed at too
        x=[1.0] * len(names),
        y=positions,
        orientation="h",
        width=0.5,
        name="",
        marker={
            "color": PANEL,
            "line": {
                "color": [INK if name == picked else LINE for name in names],
                "width": [2 if name == picked else 1 for name in names],
            },
        },
        customdata=positions,
        hovertext=tips,
        hoverinfo="text",
    )
    for verdict, style in VERDICT_STYLES.items():
        rows = [i for i in positions if variables["verdict"].iloc[i] == verdict]
        figure.add_bar(
            x=[p[i] for i in rows],
            y=rows,
            orientation="h",
            width=0.5,
            name=str(verdict),
            customdata=rows,
            marker={
                "color": style.colour,
                "line": {"color": MUTED, "width": 1},
                "pattern": {
                    "shape": style.pattern,
                    "bgcolor": style.colour,
                    "fgcolor": MUTED,
                    "size": 6,
                    "solidity": 0.15,
                },
            },
            hovertext=[tips[i] for i in rows],
            hoverinfo="text",
        )
        figure.add_scatter(  # the sign, on the bar's end: bars of hardly any P have no colour to see
            x=[p[i] for i in rows],
            y=rows,
            mode="markers+text",
            name=str(verdict),
            text=[style.sign] * len(rows),
            textfont={"size": 12, "color": INK},
            marker={"symbol": "circle", "size": 19, "color": style.colour, "line": {"width": 1.2, "color": INK}},
            cliponaxis=False,
            customdata=rows,
            hovertext=[tips[i] for i in rows],
            hoverinfo="text",
        )
    figure.add_scatter(
        x=[NUMBERS] * len(names),
        y=positions,
        mode="text",
        text=[chart(brief(float(p_differs))) for p_differs in variables["probability"]],
        textposition="middle left",
        cliponaxis=False,
        hoverinfo="skip",
        customdata=positions,
    )
    for limit in (EVEN, SURE):
        figure.add_vline(x=limit, line={"color": INK, "width": 1, "dash": "dot"})
    lay_out(
        figure,
        70 + 38 * max(len(names), 3),
        margin={"r": 16, "t": 4, "b": 44},
        barmode="overlay",
        showlegend=False,  # each row says in words what its colour means
        hoverlabel={"bgcolor": PAPER, "bordercolor": MUTED, "font": {"color": INK}, "align": "left"},
    )
    figure.update_xaxes(
        title="P(differs)",
        range=[-0.04, NUMBERS],
        tickvals=[0, EVEN, SURE],
        ticktext=["0", f"{EVEN:g}", f"{SURE:g}"],
        showgrid=False,
        zeroline=False,
    )
    labels_of_rows = [_label(name, variables.loc[name], margin) for name in names]
    name_rows(figure, labels_of_rows, tickfont={"color": INK}, showgrid=False, zeroline=False)
    return figure


def _label(name: str, row: pd.Series, margin: float) -> str:
    """The name, and in a smaller second line what is said of it."""
    mark = " †" if row["few_rows"] else ""
    text = chart(outcome_words(row, margin), LONGEST)
    return f"{chart(name, 28)}{mark}<br><span style='font-size:11px;color:{MUTED}'>{text}</span>"


def _hover(row: pd.Series, margin: float, labels: Sequence[str]) -> str:
    first, second = (chart(label, 20) for label in labels)
    lines = [f"<b>{chart(row.name, 60)}</b>: {chart(outcome_words(row, margin), 90)}"]
    if row["probability"] == row["probability"]:
        lines.append(f"P(differs) {chart(brief(row['probability']))}")
    if row["where_effect"] == row["where_effect"]:
        lines.append(f"most: {chart(row['where'], 90)}")
        lines.append(f"{chart(row['where_level'], 30)} there: {_pp(row, 'where_')}, {second} minus {first}")
        lines.append(f"{chart(row['level'], 30)} within contexts: {_pp(row)}")
    if row["effect_alone"] == row["effect_alone"]:
        lines.append(f"on its own: {_pp(row, '', '_alone')}, {chart(p_value(row['p_alone'], corrected=True))}")
    return "<br>".join(lines)


def _pp(row: pd.Series, prefix: str = "", after: str = "") -> str:
    """A difference in percentage points with its interval."""
    effect, low, high = (100 * row[f"{prefix}{name}{after}"] for name in ("effect", "low", "high"))
    return f"{effect:+.0f} percentage points (95 %: {low:+.0f} to {high:+.0f})"


_DIFFERENCES = {
    "difference there": ("where_level", "where_effect", "where_low", "where_high"),
    "within contexts": ("level", "effect", "low", "high"),
    "on its own": ("", "effect_alone", "low_alone", "high_alone"),
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


def variables_display(variables: pd.DataFrame, margin: float) -> pd.DataFrame:
    """The variables with headings that a reader understands, for the screen and for downloads.

    Differences are in percentage points, each with its interval of 95 %.
    """
    columns: dict[str, object] = {
        "variable": list(variables.index),
        "verdict": [verdict_words(variable, margin) for variable in variables["verdict"]],
        "P(differs)": variables["probability"].to_numpy(),
        "where": list(variables["where"]),
    }
    for title, (level, effect, low, high) in _DIFFERENCES.items():
        if level:
            columns["level there" if title == "difference there" else "level"] = list(variables[level])
        else:
            columns["on its own: verdict"] = list(variables["alone"])
        columns[f"{title}, pp"] = 100 * variables[effect].to_numpy()
        columns[f"{title}, 95 %"] = [
            "" if a != a else f"{100 * a:+.0f} to {100 * b:+.0f}"
            for a, b in zip(variables[low], variables[high], strict=True)
        ]
    columns["on its own: p, corrected"] = variables["p_alone"].to_numpy()
    columns["rows a group needed"] = variables["rows_needed"].to_numpy()
    columns["likeliest parents"] = list(variables["parents"])
    return pd.DataFrame(columns)


def odds_display(ranking: pd.DataFrame) -> pd.DataFrame:
    """The published odds under the prior on screen, strongest first."""
    more = [name for name in ranking.columns if name.startswith("share as high")]
    return ranking.reset_index()[["variable", *_ODDS, *more]].rename(columns=_ODDS)


def differences_alt(variables: pd.DataFrame, margin: float) -> str:
    """The chart for someone who does not see it."""
    top = "; ".join(
        f"{visible(name)} {brief(row['probability'])}, {visible(outcome_words(row, margin))}"
        for name, row in variables.head(5).iterrows()
    )
    return f"P(differs) of each of {len(variables)} variables, from 0 to 1. First: {top}."


def difference_words(level: str, row: Any) -> str:
    """How much the groups differ in one context, of a row of `GroupDifferenceResult.differences`."""
    if math.isnan(row.difference):
        return "no rows in one of the groups"
    few = f"; under {FEW_ROWS} rows" if row.few_rows else ""
    interval = f"(95 %: {100 * row.low:+.0f} to {100 * row.high:+.0f})"
    return f'"{short(level, 12)}": {100 * row.difference:+.0f} percentage points {interval}{few}'


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


def contexts_alt(distributions: pd.DataFrame, variable: str) -> str:
    """The chart for someone who does not see it."""
    contexts = distributions["context"].nunique()
    return f"Shares of the levels of {short(variable, 60)} in both groups, in {contexts} context(s), as paired bars."
