"""The figures of a group comparison: a number's two distributions, one level in every context, and all variables."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from engine.errors import DataError
from engine.lazy import go, pd
from engine.methods.group_difference.effects import FEW_ROWS
from engine.methods.group_difference.evidence import GroupDifferenceEvidence
from engine.methods.group_difference.numbers.described import NumberSummary
from engine.methods.group_difference.verdicts import ALL_ROWS, CALLED
from engine.telling.charts.colours import (
    DIFFERENT,
    DIFFERENT_PALE,
    GROUP_COLOURS,
    INK,
    LINE,
    MUTED,
    PANEL,
    PAPER,
)
from engine.telling.charts.frame import ABOVE, lay_out, layout_of, name_rows, note, whiskers
from engine.telling.charts.labels import distinct, escape, without_beginnings
from engine.telling.group_difference import gap, tables
from engine.telling.group_difference.forms import form_of, written
from engine.telling.group_difference.one_variable import order_words
from engine.words import in_percent, with_sign, with_unit

GROUP_A, GROUP_B = GROUP_COLOURS[:2]
MOST_CONTEXTS = 9
"""Contexts beside the one that decides that are drawn; all of them stand in the table."""
SHARES = 0.68
"""Part of the chart's width that shows shares; the counts stand right of it."""
LEVEL = 18
"""Letters of a level beside its row."""
INSIDE = 0.5
"""Share from which its number stands in the bar."""
_QUIET: dict[str, Any] = {"showgrid": False, "zeroline": False}
_TICKS, _NAMES = {"color": MUTED, "size": 12}, {"color": INK, "size": 12}
_ROW = 0.62
"""Height of a row of a context, a bar of a group being 1."""


def reading_figure(
    differences: pd.DataFrame, shares: pd.DataFrame, labels: Sequence[str], parents: Sequence[str]
) -> go.Figure:
    """One level of one variable in both groups: two bars in the context that decides, a dumbbell in each other one.

    Parameters
    ----------
    differences : of `GroupDifferenceResult.differences`, the context that decides first
    shares : share and count of the level, a row for each context and group; of a scale in one context also those of
        all its levels, by their names in place of a context
    labels : the groups
    parents : the variables that make the contexts
    """
    decides, *others = list(differences["context"])
    levels = list(dict.fromkeys(shares["context"])) if not others else []
    others = others or [level for level in levels if level != decides]
    others = others[: MOST_CONTEXTS + 1] if len(others) <= MOST_CONTEXTS + 1 else [*others[:MOST_CONTEXTS], others[-1]]
    at = shares.set_index(["context", "group"])
    traces: list[Any] = []
    notes: list[dict[str, Any]] = []
    for place, (label, colour) in enumerate(zip(labels, (GROUP_A, GROUP_B), strict=True)):
        bars, beside = _share_bar(place * 1.12, label, colour, at.loc[(decides, label)])
        traces, notes = traces + bars, notes + beside
    rows = [2.9 + _ROW * i for i in range(len(others))]
    for label, colour, symbol in zip(labels, (GROUP_A, GROUP_B), ("circle", "square-open"), strict=True):
        drawn = [(y, at.loc[(context, label)]) for y, context in zip(rows, others, strict=True)]
        drawn = [(y, row) for y, row in drawn if row["n"]]
        points = go.Scatter(
            x=[row["share"] for _, row in drawn],
            y=[y for y, _ in drawn],
            mode="markers",
            name=escape(label, 20),
            marker={
                "symbol": ["circle-open" if symbol == "circle" and row["n"] < FEW_ROWS else symbol for _, row in drawn],
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
        traces.append(points)
    told = "count" if levels else "n"
    counts = [[int(at.loc[(context, label)][told]) for label in labels] for context in others]
    notes += _counts(rows, 0.66, labels, counts, 0 if levels else FEW_ROWS)
    values = [_values(context, parents) for context in others]
    short_names = without_beginnings(values, LEVEL) if levels else distinct(values, 24)
    bottom = rows[-1] + 0.5 if rows else 2.2
    layout = layout_of(
        round(40 * bottom) + 26,
        annotations=notes,
        shapes=[_line_at(x, rows[0] - 0.4, bottom) for x in (0, 0.5, 1)] if rows else [],
        barmode="overlay",
        margin={"l": 8, "r": 8, "t": 2, "b": 24},
        showlegend=False,
        hoverlabel={"bgcolor": PAPER, "bordercolor": MUTED, "font": {"color": INK}, "align": "left"},
        xaxis={
            "range": [0, 1],
            "domain": [0, SHARES],
            "tickvals": [0, 0.5, 1] if rows else [],
            "ticktext": ["0", "50", "100 %"],
            **_QUIET,
            "tickfont": _TICKS,
        },
        yaxis={
            "tickvals": [0, 1.12, *rows],
            "ticktext": [f"<b>{escape(label, 16)}</b>" for label in labels]
            + [escape(text, 24) for text in short_names],
            "tickfont": _NAMES,
            "range": [bottom, -0.55],
            **_QUIET,
        },
    )
    return go.Figure(traces, layout)


def _line_at(x: float, y0: float, y1: float) -> dict[str, Any]:
    """A pale vertical line below what is drawn."""
    line = {"color": LINE, "width": 1}
    return {"type": "line", "xref": "x", "x0": x, "x1": x, "y0": y0, "y1": y1, "line": line, "layer": "below"}


def _share_bar(y: float, label: str, colour: str, row: pd.Series) -> tuple[list[go.Bar], list[dict[str, Any]]]:
    """A bar of one group on its track; the notes of its share inside and of its counts beside."""
    track = {"orientation": "h", "width": 0.95, "hoverinfo": "skip", "y": [y]}
    share = float(row["share"]) if row["n"] else 0.0
    inside = share >= INSIDE
    bars = [
        go.Bar(x=[1.0], marker={"color": PANEL, "line": {"width": 0}}, **track),
        go.Bar(x=[share], name=escape(label, 20), marker={"color": colour, "line": {"width": 0}}, **track),
    ]
    few = "<br>fewer than 10" if row["n"] < FEW_ROWS else ""
    edge = {"xanchor": "right", "xshift": -6} if inside else {"xanchor": "left", "xshift": 6}
    return bars, [
        note(share, y, f"<b>{in_percent(share)}</b>", 16, PAPER if inside else INK, **edge),
        _at_right(y, f"{int(row['count']):,} of {int(row['n']):,}{few}"),
    ]


def _at_right(y: float, text: str, size: int = 12, colour: str = INK) -> dict[str, Any]:
    return note(1.0, y, text, size, colour, xref="paper", xanchor="right")


def _counts(
    rows: Sequence[float], above: float, labels: Sequence[str], counts: Sequence[Sequence[int]], least: int = FEW_ROWS
) -> list[dict[str, Any]]:
    """Notes of how many rows each group has in each context, at the right end; with a word where they are below
    `least`."""
    heads = ", ".join(escape(label, 10) for label in labels)
    notes = [_at_right(rows[0] - above, f"n: {heads}", 11, MUTED)] if len(rows) else []
    for y, n in zip(rows, counts, strict=True):
        few = min(n) < least
        text = ", ".join(f"{number:,}" for number in n) + (" few" if few else "")
        notes.append(_at_right(y, text, colour=INK if few else MUTED))
    return notes


def _values(context: str, parents: Sequence[str]) -> str:
    """The values of a context without the names of the variables."""
    if context == ALL_ROWS:
        return "all rows"
    for name in parents:
        context = context.replace(f"{name} = ", "", 1)
    return context


def shares_of(result: GroupDifferenceEvidence, name: str, level: str) -> pd.DataFrame:
    """Share, count and n of a level in each context and group; over all rows too, there of every level of several."""
    within = tables.distributions(result, name)
    alone = tables.distributions(result, name, "marginal").assign(context=ALL_ROWS)
    every = pd.concat([within, alone] if len(tables.differences(result, name)) > 1 else [alone], ignore_index=True)
    every["n"] = every.groupby(["context", "group"])["count"].transform("sum")
    shares = every.loc[every["level"] == level, ["context", "group", "count", "n"]]
    if len(within) == len(alone) and ALL_ROWS not in result.levels[name] and len(result.levels[name]) > 2:
        by_level = every.assign(context=every["level"])[list(shares.columns)]
        shares = pd.concat([shares, by_level], ignore_index=True)
    return shares.assign(share=shares["count"] / shares["n"].where(shares["n"] > 0))


SMOOTH = 12
"""Bins with rows from which a distribution is drawn as a density; of fewer as the outline of its histogram."""
MOST_SEGMENTS = 3
"""Ranges of a scale that are shaded, the widest gaps of the shares first."""
_SEGMENT_INK = "#7A4312"
_FILLS = ("rgba(23,85,126,0.16)", "rgba(44,122,107,0.16)")
"""Of the area below each group's line."""


def distribution_figure(result: GroupDifferenceEvidence, variable: str) -> go.Figure:
    """Both distributions of a number on one axis: medians as lines; ranges that differ shaded with both shares, where
    medians do not tell what differs.

    Parameters
    ----------
    result : of which `number(variable)` is there
    variable : one of those compared

    Returns
    -------
    plotly.graph_objects.Figure

    Raises
    ------
    DataError : the variable was not compared, or has no values that are numbers
    """
    result.index(variable)
    summary = result.numbers.get(variable)
    if summary is None:
        raise DataError(f"The values of {variable!r} are not at hand, or it is no number.", column=variable)
    place = tables.segments_place(result, variable)
    return draw_distributions(summary, shaded(result, variable), result.labels, place)


def shaded(result: GroupDifferenceEvidence, variable: str) -> pd.DataFrame:
    """The ranges that differ of a number that does otherwise than by being higher or lower, as the medians tell it."""
    i = result.index(variable)
    form, segments = form_of(result, i), tables.segments(result, variable)
    if form is None or form.kind in ("higher", "lower") or result.verdicts.at[variable, "verdict"] not in CALLED:
        return segments.iloc[:0]
    return segments


def draw_distributions(
    summary: NumberSummary, segments: pd.DataFrame, labels: Sequence[str], place: str = ""
) -> go.Figure:
    """The figure of `distribution_figure`, from what it shows.

    Parameters
    ----------
    summary : of the number
    segments : low, high, share_first and share_second of the ranges that differ
    labels : the groups
    place : the context that those shares are of; "" where they are of all rows
    """
    figure = go.Figure()
    low, high = float(summary.edges[0]), float(summary.edges[-1])
    curves = [_density(summary, g) for g in (0, 1)]
    top = max(float(y.max(initial=0.0)) for _, y in curves) or 1.0
    shapes: list[dict[str, Any]] = []
    notes: list[dict[str, Any]] = []
    for g, (x, y) in enumerate(curves):
        q1, median, q3 = written(summary, list(summary.quartiles[g]))
        line = {"color": GROUP_COLOURS[g], "width": 2, "dash": ("solid", "5px,3px")[g]}
        about = f"{'median ' if g == 0 else ''}{median} ({'IQR ' if g == 0 else ''}{q1} to {q3})"
        figure.add_scatter(
            x=x.tolist(),
            y=(y / top).tolist(),
            mode="lines",
            line=line | {"shape": "linear" if _is_smooth(summary) else "hv"},
            fill="tozeroy",
            fillcolor=_FILLS[g],
            name=f"{escape(labels[g], 20)}, {about}",
            hoverinfo="skip",
        )
        middle = float(summary.quartiles[g][1])
        height = float(np.interp(middle, x, y / top)) if len(x) else 0.0
        ends = {"x0": middle, "x1": middle, "y0": 0, "y1": max(height, 0.08)}
        shapes.append({"type": "line", **ends, "line": line})
    strongest = (segments["share_second"] - segments["share_first"]).abs().sort_values(ascending=False)
    chosen = segments.loc[strongest.index[:MOST_SEGMENTS]].sort_values("low")
    for number, row in enumerate(chosen.itertuples(index=False)):
        x0, x1 = max(float(row.low), low), min(float(row.high), high)
        box = {"x0": x0, "x1": x1, "y0": 0, "y1": 1, "yref": "paper", "layer": "below", "line": {"width": 0}}
        shapes.append({"type": "rect", "fillcolor": DIFFERENT_PALE, **box})
        centre = (x0 + x1) / 2
        third = (centre - low) / ((high - low) or 1.0)
        several = len(chosen) > 1
        edge = 0.2 if several else 0.3
        where = f"{segment_words(row, summary)}: "
        side = "left" if third < edge else "right" if third > 1 - edge else "center"
        of = f" where {escape(place, 24)}" if place else ""
        text = f"{where}{in_percent(row.share_second)} v {in_percent(row.share_first)}{of}"
        above = 1.24 - 0.2 * (number % 2) if several else 1.15
        notes.append(
            note(
                {"left": x0, "right": x1}.get(side, centre),
                above,
                text,
                11 if several else 12,
                _SEGMENT_INK,
                xanchor=side,
            )
        )
    if (most := float(summary.ends[:, 1].max())) > high:
        notes.append(_at_right(-0.12, f"up to {most:,.4g} →", 11, MUTED) | {"yref": "paper", "yanchor": "top"})
    lay_out(
        figure,
        250,
        annotations=notes,
        shapes=shapes,
        margin={"l": 8, "r": 8, "t": 24, "b": 40},
        legend=ABOVE | {"itemclick": False, "itemdoubleclick": False},
        showlegend=True,
    )
    figure.update_xaxes(
        range=[low, high],
        title={
            "text": escape(summary.unit, 20),
            "font": {"size": 12, "color": MUTED},
            "standoff": 4,
        },
        tickfont=_TICKS,
        **_QUIET,
    )
    figure.update_yaxes(visible=False, range=[0, 1.3])
    figure.add_hline(y=0, line={"color": MUTED, "width": 1})
    return figure


def _is_smooth(summary: NumberSummary) -> bool:
    """True where a density shows no more than the rows do: many bins with rows, and twenty rows a group."""
    rows = summary.counts.sum(axis=1)
    return bool((summary.counts.sum(axis=0) > 0).sum() >= SMOOTH and rows.min() >= 20)


def _density(summary: NumberSummary, g: int) -> tuple[np.ndarray, np.ndarray]:
    """Where one group's line runs: its density, folded back at the ends of the values, or its histogram's outline."""
    edges, counts = np.asarray(summary.edges, dtype=float), np.asarray(summary.counts[g], dtype=float)
    widths, total = np.diff(edges), counts.sum()
    if not total:
        return edges, np.zeros(len(edges))
    if not _is_smooth(summary):
        height = counts / widths / total
        return np.append(edges[:1], edges), np.concatenate([[0.0], height, [0.0]])
    from scipy.stats import gaussian_kde

    drawn = counts.copy()  # rows beyond the axis lie in its outer bins, where they would be a hump that is none
    if summary.ends[:, 0].min() < edges[0]:
        drawn[0] = min(drawn[0], drawn[1])
    if summary.ends[:, 1].max() > edges[-1]:
        drawn[-1] = min(drawn[-1], drawn[-2])
    centres = (edges[:-1] + edges[1:]) / 2
    q1, _, q3 = summary.quartiles[g]
    mean = np.average(centres, weights=drawn)
    deviation = math.sqrt(np.average((centres - mean) ** 2, weights=drawn)) or 1.0
    spread = min(deviation, (q3 - q1) / 1.349 or deviation)
    width = max(0.9 * spread * total**-0.2, 0.6 * float(np.median(widths)))  # Silverman's, no finer than the bins
    kernel = gaussian_kde(centres, weights=drawn)
    kernel.set_bandwidth(width * kernel.factor / math.sqrt(kernel.covariance.item()))
    x = np.linspace(edges[0], edges[-1], 161)
    y = kernel(x) + kernel(2 * edges[0] - x) + kernel(2 * edges[-1] - x)
    return x, y * drawn.sum() / total


def segment_words(row: Any, summary: NumberSummary) -> str:
    """A range of a scale in words: 'from 2.7', 'up to 3.0', '7.2 to 9.1'."""
    low, high = written(summary, [row.low, row.high])
    if row.high >= float(summary.ends[:, 1].max()):
        return f"from {low}"
    return f"up to {high}" if row.low <= float(summary.ends[:, 0].min()) else f"{low} to {high}"


def contexts_figure(contexts: pd.DataFrame, labels: Sequence[str], parents: Sequence[str], unit: str = "") -> go.Figure:
    """Median and quartiles of both groups in each context: a circle and a square, with the rows at the right.

    Parameters
    ----------
    contexts : of `GroupDifferenceResult.contexts_in_units`
    labels : the groups
    parents : the variables that make the contexts
    unit : of the number

    Returns
    -------
    plotly.graph_objects.Figure
    """
    rows = contexts.head(MOST_CONTEXTS)
    places = np.arange(len(rows), dtype=float)
    figure = go.Figure()
    for g, (label, end) in enumerate(zip(labels, ("first", "second"), strict=True)):
        n = rows[f"n_{end}"].to_numpy()
        median, q1, q3 = (rows[f"{name}_{end}"].to_numpy(dtype=float) for name in ("median", "q1", "q3"))
        few = n < FEW_ROWS
        colour, symbol = GROUP_COLOURS[g], ("circle", "square")[g]
        figure.add_scatter(
            x=median.tolist(),
            y=(places + (0.17 if g else -0.17)).tolist(),
            mode="markers",
            name=escape(label, 20),
            marker={
                "symbol": symbol,
                "size": 10,
                "color": [PAPER if hollow or g else colour for hollow in few],
                "line": {"width": 2, "color": colour},
            },
            error_x=whiskers(median, q1, q3, colour, 2.5) | {"width": 0},
            hovertext=[
                f"{escape(label, 30)}: median {m:.4g} (IQR {a:.4g} to {b:.4g}), n = {k:,}"
                for m, a, b, k in zip(median, q1, q3, n, strict=True)
            ],
            hoverinfo="text",
        )
    notes = _counts(places.tolist(), 0.75, labels, rows[["n_first", "n_second"]].to_numpy().tolist())
    lay_out(
        figure,
        28 * len(rows) + 46,
        annotations=notes,
        margin={"l": 8, "r": 8, "t": 2, "b": 24},
        showlegend=False,
    )
    figure.update_xaxes(
        domain=[0, 0.76],
        nticks=5,
        gridcolor=LINE,
        zeroline=False,
        tickfont=_TICKS,
        ticksuffix=f" {escape(unit, 12)}" if unit else "",
        showticksuffix="last",
    )
    short_names = distinct([_values(context, parents) for context in rows["context"]], 24)
    name_rows(figure, [escape(text, 24) for text in short_names], **_QUIET, tickfont=_NAMES)
    figure.update_yaxes(range=[len(rows) - 0.4, -0.95])
    return figure


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
    differs = [verdict in CALLED for verdict in rows["verdict"]]
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
            "color": [DIFFERENT if called else PAPER for called in differs],
            "line": {"width": 1.5, "color": [INK if called else MUTED for called in differs]},
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


def figure_makers(result: GroupDifferenceEvidence) -> dict[str, Callable[[], go.Figure]]:
    """Name -> what draws it: all variables, and the one of most evidence in every context."""
    return {
        "ranking": lambda: ranking_figure(result.verdicts, order_words(result)),
        "contexts": partial(_contexts, result, str(result.verdicts.index[0])),
        **gap.figure_makers([result]),
    }


def _contexts(result: GroupDifferenceEvidence, name: str) -> go.Figure:
    """The two distributions of a number; else the level of a variable that decides, in every context."""
    if name in result.numbers:
        return distribution_figure(result, name)
    place = result.places[result.names.index(name)]
    level = place.level if place is not None else result.levels[name][-1]
    return reading_figure(
        tables.differences(result, name, level), shares_of(result, name, level), result.labels, result.names
    )
