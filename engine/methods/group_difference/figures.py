"""The figures of a group comparison: one level of one variable in every context, and all variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from engine.charts.colours import DIFFERENT, GROUP_A, GROUP_B, INK, LINE, MUTED, PANEL, PAPER
from engine.charts.frame import lay_out, name_rows, whiskers
from engine.charts.labels import distinct, escape
from engine.lazy import go, pd
from engine.methods.group_difference.evidence import FEW_ROWS
from engine.methods.group_difference.verdicts import ALL_ROWS, Verdict
from engine.methods.group_difference.wording import order_words
from engine.words import in_percent, with_sign, with_unit

if TYPE_CHECKING:
    from engine.methods.group_difference.result import GroupDifferenceResult


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
    notes: list[dict[str, Any]] = []
    for place, (label, colour) in enumerate(zip(labels, (GROUP_A, GROUP_B), strict=True)):
        notes += _add_share_bar(figure, place * 1.12, label, colour, at.loc[(decides, label)])
    rows = [2.9 + _ROW * i for i in range(len(others))]
    for label, colour, symbol in zip(labels, (GROUP_A, GROUP_B), ("circle", "square-open"), strict=True):
        drawn = [(y, at.loc[(context, label)]) for y, context in zip(rows, others, strict=True)]
        drawn = [(y, row) for y, row in drawn if row["n"]]
        figure.add_scatter(
            x=[row["share"] for _, row in drawn],
            y=[y for y, _ in drawn],
            mode="markers",
            name=escape(label, 20),
            marker={
                "symbol": [
                    f"{symbol}-open" if row["n"] < FEW_ROWS and symbol == "circle" else symbol for _, row in drawn
                ],
                "size": 10,
                "color": colour,
                "line": {"width": 2, "color": colour},
            },
            hovertext=[
                f"{escape(label, 30)}: {in_percent(row['share'])}, {int(row['count']):,} of {int(row['n']):,}"
                for _, row in drawn
            ],
            hoverinfo="text",
        )
    notes += _counts(rows, others, labels, at)
    short_names = distinct([_values(context, parents) for context in others], 24)
    bottom = rows[-1] + 0.5 if rows else 2.2
    lay_out(
        figure,
        round(40 * bottom) + 26,
        annotations=notes,  # all at once: one by one Plotly looks at all of them again each time
        shapes=[_line_at(x, rows[0] - 0.4, bottom) for x in (0, 0.5, 1)] if rows else [],
        barmode="overlay",
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
    figure.update_yaxes(
        tickvals=[0, 1.12, *rows],
        ticktext=[*(f"<b>{escape(label, 16)}</b>" for label in labels), *(escape(text, 24) for text in short_names)],
        tickfont={"color": INK, "size": 12},
        range=[bottom, -0.55],
        showgrid=False,
        zeroline=False,
    )
    return figure


def _line_at(x: float, y0: float, y1: float) -> dict[str, Any]:
    """A pale vertical line below what is drawn."""
    line = {"color": LINE, "width": 1}
    return {"type": "line", "xref": "x", "x0": x, "x1": x, "y0": y0, "y1": y1, "line": line, "layer": "below"}


def _add_share_bar(figure: go.Figure, y: float, label: str, colour: str, row: pd.Series) -> list[dict[str, Any]]:
    """A bar of one group on its track; the notes of its share inside and of its counts beside."""
    track = {"orientation": "h", "width": 0.95, "hoverinfo": "skip", "y": [y]}
    share = float(row["share"]) if row["n"] else 0.0
    figure.add_bar(x=[1.0], marker={"color": PANEL, "line": {"width": 0}}, **track)
    inside = share >= INSIDE
    figure.add_bar(x=[share], name=escape(label, 20), marker={"color": colour, "line": {"width": 0}}, **track)
    few = "<br>fewer than 10" if row["n"] < FEW_ROWS else ""
    return [
        {
            "x": share,
            "y": y,
            "text": f"<b>{in_percent(share)}</b>",
            "showarrow": False,
            "xanchor": "right" if inside else "left",
            "xshift": -6 if inside else 6,
            "font": {"size": 16, "color": PAPER if inside else INK},
        },
        {
            "x": 1.0,
            "xref": "paper",
            "y": y,
            "text": f"{int(row['count']):,} of {int(row['n']):,}{few}",
            "showarrow": False,
            "xanchor": "right",
            "font": {"size": 12, "color": INK},
        },
    ]


def _counts(
    rows: Sequence[float], contexts: Sequence[str], labels: Sequence[str], at: pd.DataFrame
) -> list[dict[str, Any]]:
    """Notes of how many rows each group has in each context, at the right end; with a word where they are few."""
    text = {"showarrow": False, "xanchor": "right", "x": 1.0, "xref": "paper"}
    notes: list[dict[str, Any]] = []
    if rows:
        heads = ", ".join(escape(label, 10) for label in labels)
        notes.append({"y": rows[0] - 0.66, "text": f"n: {heads}", "font": {"size": 11, "color": MUTED}, **text})
    for y, context in zip(rows, contexts, strict=True):
        n = [int(at.loc[(context, label)]["n"]) for label in labels]
        few = min(n) < FEW_ROWS
        words = ", ".join(f"{number:,}" for number in n) + (" few" if few else "")
        notes.append({"y": y, "text": words, "font": {"size": 12, "color": INK if few else MUTED}, **text})
    return notes


def _values(context: str, parents: Sequence[str]) -> str:
    """The values of a context without the names of the variables."""
    if context == ALL_ROWS:
        return "all rows"
    for name in parents:
        context = context.replace(f"{name} = ", "", 1)
    return context


def shares_of(result: GroupDifferenceResult, name: str, level: str) -> pd.DataFrame:
    """Share, count and n of a level in each context and group; over all rows too."""
    within = result.distributions(name)
    alone = result.distributions(name, "marginal").assign(context=ALL_ROWS)
    every = pd.concat([within, alone] if len(result.differences(name)) > 1 else [alone], ignore_index=True)
    every["n"] = every.groupby(["context", "group"])["count"].transform("sum")
    shares = every.loc[every["level"] == level, ["context", "group", "count", "n"]]
    return shares.assign(share=shares["count"] / shares["n"].where(shares["n"] > 0))


MOST_VARIABLES = 40
"""Variables that the ranking shows, those of most evidence first."""


def ranking_figure(variables: pd.DataFrame, order: str) -> go.Figure:
    """The difference of every variable given its parents, with its interval; orange where it differs.

    Parameters
    ----------
    variables : of `GroupDifferenceResult.variables`
    order : which group is subtracted from which
    """
    rows = variables[variables["effect"].notna()].head(MOST_VARIABLES)
    differs = [verdict in (Verdict.DIFFERS, Verdict.PROBABLY) for verdict in rows["verdict"]]
    value, low, high = (100 * rows[name].to_numpy(dtype=float) for name in ("effect", "low", "high"))
    places = list(range(len(rows)))
    figure = go.Figure()
    figure.add_scatter(
        x=value.tolist(),
        y=places,
        mode="markers",
        marker={
            "size": 11,
            "symbol": "diamond",
            "color": [DIFFERENT if item else PAPER for item in differs],
            "line": {"width": 1.5, "color": [INK if item else MUTED for item in differs]},
        },
        error_x=whiskers(value, low, high, MUTED, 1.5),
        hovertext=[
            f"{escape(name, 60)}: {escape(row['verdict'], 30)}<br>{with_unit(with_sign(100 * row['effect']))} "
            f"({with_sign(100 * row['low'])} to {with_sign(100 * row['high'])})"
            for name, row in rows.iterrows()
        ],
        hoverinfo="text",
    )
    lay_out(figure, 90 + 24 * max(len(rows), 2), margin={"b": 44}, showlegend=False)
    figure.add_vline(x=0, line={"color": INK, "width": 1})
    title = f"{escape(order, 60)}, percentage points"
    figure.update_xaxes(title=title, gridcolor=LINE, zeroline=False)
    name_rows(figure, [escape(name, 30) for name in distinct(list(rows.index), 30)], showgrid=False, automargin=True)
    return figure


def figure_makers(result: GroupDifferenceResult) -> dict[str, Callable[[], go.Figure]]:
    """Name -> what draws it: all variables, and the one of most evidence in every context."""
    return {
        "ranking": lambda: ranking_figure(result.variables(), order_words(result)),
        "contexts": partial(_contexts, result, str(result.variables().index[0])),
    }


def _contexts(result: GroupDifferenceResult, name: str) -> go.Figure:
    """The level of a variable that decides, in every context."""
    place = result.where(name)
    level = place.level if place is not None else result.levels[name][-1]
    return reading_figure(result.differences(name, level), shares_of(result, name, level), result.labels, result.names)
