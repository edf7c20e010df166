"""The figures of class networks: how subjects are classified, what acting gains, tables of a family, gains of links."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from engine.lazy import go, pd, subplots
from engine.measures.curves import place_above, place_for
from engine.methods.discriminative.evaluation import Evaluation
from engine.methods.discriminative.evidence import DiscriminativeEvidence
from engine.telling.charts.colours import (
    CATEGORICAL,
    DIVERGING,
    GROUP_A,
    GROUP_B,
    INK,
    LINE,
    MUTED,
    PANEL,
    PAPER,
    SEQUENTIAL,
)
from engine.telling.charts.curves import Items, Line, curve_figure
from engine.telling.charts.frame import ABOVE, colour_scale, lay_out, numbered_bars, percent_ticks
from engine.telling.charts.labels import WHOLE, difference_name, distinct, escape, lines, row_height, without_beginnings
from engine.telling.discriminative.families import family_tables
from engine.words import NO_BREAK, in_percent, shown_difference, with_minus, with_sign

SHAPES = ("circle", "square", "diamond", "triangle-up", "cross", "x")
BRIEF, LEVEL = 5, 24
"""Letters of levels that stand flat below a heat map, and of one that does not; an interval has room."""
FLAT, WIDE = 4, 33
"""Levels whose names stand flat below a heat map, in two lines; letters of a line for all of them."""
MOST_PUSHES = 14
"""Families that are drawn; the others are summed."""


def points_figure(
    evaluation: Evaluation, training: np.ndarray, contrast: int, picked: str | None, boundary: np.ndarray
) -> go.Figure:
    """Difference of the two log-likelihoods against their mean; held out filled, learned from hollow."""
    figure = go.Figure()
    out = evaluation.likelihoods.mean(axis=0)[:, contrast]
    for code, name in enumerate(evaluation.classes):
        members = np.flatnonzero(evaluation.labels == code)
        colour, shape = CATEGORICAL[code % len(CATEGORICAL)], SHAPES[code % len(SHAPES)]
        for values, hollow in ((training[:, contrast], True), (out, False)):
            gap = values[members, 1] - values[members, 0]
            middle = values[members].mean(axis=1)
            figure.add_scatter(
                x=middle.tolist(),
                y=gap.tolist(),
                mode="markers",
                name=f"{escape(name, 24)}, {'learned from' if hollow else 'held out'}",
                customdata=members.tolist(),
                marker={
                    "symbol": f"{shape}-open" if hollow else shape,
                    "size": 8 if hollow else 11,
                    "color": colour,
                    "opacity": 0.55 if hollow else 1,
                    "line": {
                        "width": [3 if evaluation.ids[i] == picked and not hollow else 1 for i in members],
                        "color": [INK if evaluation.ids[i] == picked and not hollow else colour for i in members],
                    },
                },
                hovertext=[
                    f"{escape(evaluation.ids[i], WHOLE)}: {escape(name, WHOLE)}"
                    + (
                        ""
                        if hollow
                        else f", classified as {escape(evaluation.classes[evaluation.predicted[i]], WHOLE)}"
                    )
                    for i in members
                ],
                hoverinfo="text",
            )
    _boundary(figure, np.concatenate([out, training[:, contrast]]).mean(axis=1), boundary)
    lay_out(figure, 430, margin={"b": 50}, legend=ABOVE)
    return figure


def _boundary(figure: go.Figure, middle: np.ndarray, boundary: np.ndarray) -> None:
    """Where c1 + c2 l(own) + c3 l(others) is 0, in the picture's own axes."""
    slope = boundary[1] - boundary[2]
    if abs(slope) < 1e-12:
        return
    ends = np.array([middle.min(), middle.max()])
    height = -2 * (boundary[0] + (boundary[1] + boundary[2]) * ends) / slope
    figure.add_scatter(
        x=ends.tolist(),
        y=height.tolist(),
        mode="lines",
        name="boundary of the networks above",
        line={"color": INK, "width": 2, "dash": "dot"},
        hoverinfo="skip",
    )


def name_axes(figure: go.Figure, others: str, own: str, *, series: bool) -> go.Figure:
    """Say what the axes are, with the networks' names."""
    figure.update_xaxes(
        title=f"mean of both log-likelihoods{' (a step)' if series else ''}", gridcolor=LINE, zeroline=False
    )
    figure.update_yaxes(
        title=f"log-likelihood by {escape(own, 18)} less by {escape(others, 18)}", gridcolor=LINE, zeroline=False
    )
    return figure


def pushes_figure(row: pd.Series, classes: tuple[str, str]) -> go.Figure:
    """The parts of a score, start and families, the largest first; the rest summed."""
    names = [name.removeprefix("push ") for name in row.index if str(name).startswith("push ")]
    values = np.array([float(row[f"push {name}"]) for name in names])
    order = np.argsort(-np.abs(values), kind="stable")
    largest, rest = order[:MOST_PUSHES], order[MOST_PUSHES:]
    labels = [lines(names[i], 24) for i in largest] + ([f"{len(rest)} more"] if len(rest) else []) + ["start", "score"]
    sizes = [*values[largest].tolist(), *([float(values[rest].sum())] if len(rest) else []), float(row["start"])]
    sizes.append(float(row["score"]))
    ends = [escape(class_, 20) for class_ in classes]
    figure = numbered_bars(
        sizes,
        list(range(len(labels))),
        ["0" if abs(value) < 1e-9 else with_minus(f"{value:+.3g}") for value in sizes],
        marker={
            "color": [GROUP_B if value > 0 else GROUP_A for value in sizes],
            "pattern": {"shape": ["" if value > 0 else "/" for value in sizes], "fgcolor": PAPER, "solidity": 0.2},
            "line": {"width": [0] * (len(sizes) - 1) + [2], "color": INK},
        },
        hoverinfo="skip",
    )
    reach = 1.8 * max(map(abs, sizes), default=1.0) or 1.0  # room for the numbers where the column is narrow
    lay_out(figure, 90 + row_height(labels, 28, 34) * len(labels), margin={"b": 44})
    below: dict[str, Any] = {"y": 0, "yref": "paper", "yanchor": "top", "yshift": -22, "showarrow": False}
    figure.add_annotation(text=f"◂ {ends[0]}", x=0, xref="paper", xanchor="left", **below)
    figure.add_annotation(text=f"{ends[1]} ▸", x=1, xref="paper", xanchor="right", **below)
    figure.update_xaxes(range=[-reach, reach], gridcolor=LINE, fixedrange=True)
    figure.update_xaxes(zeroline=True, zerolinecolor=INK)
    figure.update_yaxes(
        tickvals=list(range(len(labels))), ticktext=labels, autorange="reversed", showgrid=False, automargin=True
    )
    return figure


def benefit_figure(table: pd.DataFrame, case: str) -> go.Figure:
    """Net benefit by the probability from which one acts: by the method, for everybody, for nobody."""
    figure = go.Figure()
    looks = (("method", "by the networks", GROUP_A, "solid"), ("everybody", "acting on everybody", GROUP_B, "dash"))
    for column, words, colour, dash in looks:
        figure.add_scatter(
            x=table["threshold"],
            y=table[column],
            mode="lines",
            name=words,
            line={"color": colour, "dash": dash, "width": 3},
        )
    figure.add_hline(y=0, line={"color": MUTED, "width": 2, "dash": "dot"}, annotation_text="acting on nobody")
    top = float(table[["method", "everybody"]].to_numpy().max())
    lay_out(figure, 340, margin={"b": 50}, legend=ABOVE | {"font": {"size": 13}})
    title = f"probability of {escape(case, 24)} from which one acts"
    figure.update_xaxes(title=title, **percent_ticks(float(table["threshold"].max())), gridcolor=LINE, zeroline=False)
    figure.update_yaxes(title="net benefit", range=[-0.3 * max(top, 0.05), 1.1 * max(top, 0.05)], gridcolor=LINE)
    return figure


MOST_ROWS = 24
"""Configurations that are drawn; more stand in the table."""
MOST_STACKED = 6
"""Configurations up to which three heat maps may stand one below another."""
BETWEEN = 76
"""Pixels between two of them there, for levels and a title."""


def tables_figure(table: pd.DataFrame, own: str, other: str, child: str) -> go.Figure:
    """Three heat maps: the class's shares, the other's, and the difference in percentage points.

    Of a variable with more than two levels the difference comes first, and they stand one below another where few
    configurations leave room for that, so that a narrow column has them whole.
    """
    given = list(table.columns[: list(table.columns).index(child)])
    levels = list(dict.fromkeys(table[child]))
    rows = table[given].drop_duplicates() if given else None
    labels = ["all"] if rows is None else [", ".join(map(str, row)) for row in rows.to_numpy()]
    shape = (len(labels), len(levels))
    stacked, one = is_stacked(table, child), 42 * min(len(labels), MOST_ROWS)
    order = [2, 0, 1] if len(levels) > 2 else [0, 1, 2]
    room = 48 if stacked else 20
    most, across = (22, 32) if stacked else (14, 18)
    brief = distinct((own, other), most)
    gap_title = f"{difference_name(*(escape(name, most) for name in brief))}, pp"
    if sum(map(len, brief)) > across:
        gap_title = gap_title.replace(f"−{NO_BREAK}", "−<br>", 1)
    titles = escape(own, room), escape(other, room), gap_title
    places = [(place + 1, 1) if stacked else (1, place + 1) for place in map(order.index, range(3))]
    figure = subplots.make_subplots(
        rows=3 if stacked else 1,
        cols=1 if stacked else 3,
        subplot_titles=[titles[number] for number in order],
        shared_yaxes=not stacked,
        horizontal_spacing=0.04,
        vertical_spacing=BETWEEN / (3 * one + 2 * BETWEEN),
    )
    for number, name in enumerate((own, other)):
        share = table[f"share {name}"].to_numpy().reshape(shape)[:MOST_ROWS]
        many = table[f"count {name}"].to_numpy().reshape(shape)[:MOST_ROWS]
        words = [[_percent(s, n) for s, n in zip(*item, strict=True)] for item in zip(share, many, strict=True)]
        scale = {"colorscale": colour_scale(SEQUENTIAL), "zmin": 0, "zmax": 1}
        _add(figure, places[number], 100 * share / 100, words, levels, labels, scale)
    gap = _gaps(table, own, other).reshape(shape)[:MOST_ROWS]
    reach = float(max(10.0, np.nanmax(np.abs(gap), initial=0.0)))
    words = [["" if np.isnan(value) else with_sign(value) if value else "0" for value in row] for row in gap]
    _add(
        figure,
        places[2],
        gap,
        words,
        levels,
        labels,
        {"colorscale": colour_scale(DIVERGING), "zmin": -reach, "zmax": reach},
    )
    lay_out(
        figure,
        94 + 3 * one + 2 * BETWEEN if stacked else one + 140,
        margin={"t": 48 if "<br>" in gap_title else 34, "b": 60},
    )
    figure.update_annotations(font={"size": 13, "color": INK})
    figure.update_xaxes(  # levels called "0" and "1" are names, not numbers
        type="category",
        tickfont={"size": 11, "color": INK},
        showgrid=False,
        fixedrange=True,
        tickangle=0 if (stacked and len(levels) <= FLAT) or max(map(len, levels)) <= BRIEF else -35,
    )
    figure.update_yaxes(
        autorange="reversed", tickfont={"size": 12, "color": INK}, showgrid=False, fixedrange=True, automargin=True
    )
    below, beside = ({"row": 3}, {"row": 2}) if stacked else ({"col": 2}, {"col": 1})
    figure.update_xaxes(title_text=lines(child, 44), title_font={"size": 12}, **below)
    if given:
        figure.update_yaxes(title_text=escape(", ".join(given), 40), title_font={"size": 12}, **beside)
    return figure


def is_stacked(table: pd.DataFrame, child: str) -> bool:
    """True where the heat maps of a family stand one below another."""
    return table[child].nunique() > 2 and configurations(table, child) <= MOST_STACKED


def configurations(table: pd.DataFrame, child: str) -> int:
    """The number of combinations of parents' values in the table."""
    return len(table) // max(table[child].nunique(), 1)


def tables_alt(table: pd.DataFrame, own: str, other: str) -> str:
    """The largest differences in words."""
    gaps = sorted(filter(math.isfinite, _gaps(table, own, other)), key=abs, reverse=True)
    sentences = [f"{with_sign(gap)} percentage points" for gap in gaps[:3]]
    return f"Shares of {own} and of {other}; the largest differences: {', '.join(sentences)}."


def _gaps(table: pd.DataFrame, own: str, other: str) -> np.ndarray:
    """The class's shares less the other's as a reader gets them from both; NaN where either has no row."""
    shares = zip(table[f"share {own}"], table[f"share {other}"], strict=True)
    return np.array([math.nan if a != a or b != b else shown_difference(a, b) for a, b in shares])


def _percent(share: float, many: int) -> str:
    return (
        f"none<br>{many:,}"
        if np.isnan(share)
        else f"{in_percent(share)}<br><span style='font-size:10px'>{many:,}</span>"
    )


def _add(
    figure: go.Figure,
    place: tuple[int, int],
    values: np.ndarray,
    words: list[list[str]],
    levels: list[str],
    labels: list[str],
    scale: dict[str, Any],
) -> None:
    across = WIDE // len(levels) if len(levels) <= FLAT else 0
    brief = without_beginnings(levels, 2 * across or LEVEL)
    shown = [lines(level, across) if across else escape(level, LEVEL) for level in brief]
    figure.add_heatmap(
        z=values,
        x=shown if len(set(shown)) == len(levels) else levels,
        y=list(range(min(len(labels), MOST_ROWS))),
        text=words,
        texttemplate="%{text}",
        textfont={"size": 12},
        showscale=False,
        xgap=2,
        ygap=2,
        hoverinfo="skip",
        row=place[0],
        col=place[1],
        **scale,
    )
    figure.update_yaxes(
        tickvals=list(range(min(len(labels), MOST_ROWS))),
        ticktext=[lines(label, 20) for label in labels[:MOST_ROWS]],
        row=place[0],
        col=place[1],
    )


MOST_LINKS = 40
"""Links that are drawn, the largest gain first."""


def links_figure(ranked: pd.DataFrame) -> go.Figure:
    """A row a parent, a column a child; the number is the gain, of the network where it is largest."""
    best: dict[tuple[str, str], tuple[float, str]] = {}
    for row in ranked.head(MOST_LINKS).itertuples():
        for parent in row.parents:
            best.setdefault((parent, row.child), (float(row.gain), str(row.network)))
    parents = list(dict.fromkeys(parent for parent, _ in best))
    children = list(dict.fromkeys(child for _, child in best))
    values = np.full((len(parents), len(children)), np.nan)
    words = np.full(values.shape, "", dtype=object)
    for (parent, child), (gain, network) in best.items():
        at = parents.index(parent), children.index(child)
        values[at] = gain
        words[at] = (
            f"{escape(parent, WHOLE)} → {escape(child, WHOLE)}<br>{with_sign(gain, 1)}, network of "
            f"{escape(network, WHOLE)}"
        )
    figure = go.Figure(
        go.Heatmap(
            z=values,
            x=list(range(len(children))),
            y=list(range(len(parents))),
            text=[["" if value != value else f"{value:.0f}" for value in row] for row in values],
            texttemplate="%{text}",
            textfont={"size": 11},
            hovertext=words,
            hoverinfo="text",
            colorscale=colour_scale(SEQUENTIAL),
            showscale=False,
            xgap=1,
            ygap=1,
        )
    )
    lay_out(figure, 140 + 22 * max(len(parents), 3), size=12, margin={"b": 90}, plot_bgcolor=PANEL)
    figure.update_xaxes(
        tickvals=list(range(len(children))), ticktext=_names(children), tickangle=-50, showgrid=False, zeroline=False
    )
    figure.update_yaxes(
        tickvals=list(range(len(parents))),
        ticktext=_names(parents),
        autorange="reversed",
        showgrid=False,
        zeroline=False,
        automargin=True,
    )
    return figure


def _names(names: list[str]) -> list[str]:
    return [escape(name, 22) for name in distinct(names, 22)]


def figure_makers(result: DiscriminativeEvidence) -> dict[str, Callable[[], go.Figure]]:
    """Name -> what draws it: the held-out curve of the case, its subjects, and the family that gains most."""
    evaluation, ranked = result.held_out, result.ranked
    linked = ranked[ranked["parents"].map(len) > 0]
    makers: dict[str, Callable[[], go.Figure]] = {
        "roc": partial(_held_out_curve, evaluation),
        "scatter": partial(_subjects, result),
    }
    if evaluation.has_probabilities:
        makers["benefit"] = lambda: benefit_figure(evaluation.net_benefit(), evaluation.classes[1])
    if len(ranked):
        makers["family"] = partial(_family, result, ranked.iloc[0])
    if len(linked):
        makers["links"] = partial(links_figure, linked)
    return makers


def _held_out_curve(evaluation: Evaluation) -> go.Figure:
    """The held-out score of the class looked for, with the threshold that classifies marked."""
    of = evaluation.case
    usual = 0.0 if len(evaluation.classes) == 2 else None
    line = Line(
        "held-out score",
        evaluation.score(of),
        evaluation.truth(of),
        own=usual,
        clusters=evaluation.clusters,
    )
    others = next(name for name in evaluation.classes if name != of) if len(evaluation.classes) == 2 else "other"
    items = Items(evaluation.noun, f"{evaluation.noun}s", of, others)
    place = place_above(line.curve, usual) if usual is not None else place_for(line.curve, line.curve.cases)
    return curve_figure([line], items, 0, place)


def _subjects(result: DiscriminativeEvidence) -> go.Figure:
    """Every subject by both log-likelihoods, of the class looked for where there are more than two."""
    evaluation = result.held_out
    contrast = 0 if len(evaluation.classes) == 2 else evaluation.code(evaluation.case)
    own, others = result.titles_of(contrast, 1)
    figure = points_figure(evaluation, result.likelihoods, contrast, None, result.learned[contrast].boundary)
    return name_axes(figure, others, own, series=result.series)


def _family(result: DiscriminativeEvidence, row: pd.Series) -> go.Figure:
    """The tables of one family in both classes."""
    return tables_figure(*family_tables(result, row), result.later(row["child"]))
