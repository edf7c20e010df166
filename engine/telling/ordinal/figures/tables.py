"""The charts of ordinal networks: heat maps over variables, cuts of hidden values, other penalties and approaches."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine.lazy import go, pd, subplots
from engine.telling.charts.colours import DIVERGING, GROUP_A, GROUP_B, INK, LINE, MUTED, PANEL, SEQUENTIAL
from engine.telling.charts.frame import colour_scale, lay_out, percent_ticks, whiskers
from engine.telling.charts.labels import distinct, escape
from engine.words import in_percent, signed, with_sign

NUMBERED = 14
"""Variables up to which every cell carries its number."""
_LETTERS = 28


def fixed_order(names: Sequence[str], scales: Mapping[str, str]) -> list[str]:
    """By scale, then by column: the same in every picture, whatever was found."""
    of = list(dict.fromkeys(scales.get(name, "") for name in names))
    return sorted(names, key=lambda name: (of.index(scales.get(name, "")), list(names).index(name)))


def shares_figure(
    counts: np.ndarray, runs: int, names: Sequence[str], order: Sequence[str], breaks: Sequence[int]
) -> go.Figure:
    """From the row to the column: the share of the drawn tables' networks with that arrow."""
    at = [list(names).index(name) for name in order]
    values = np.asarray(counts, dtype=float)[np.ix_(at, at)] / runs
    np.fill_diagonal(values, np.nan)
    words = [
        [
            ""
            if i == j
            else f"{escape(a, 40)} → {escape(b, 40)}<br>{in_percent(values[i, j])}; with its reverse "
            f"{in_percent(values[i, j] + values[j, i])}"
            for j, b in enumerate(order)
        ]
        for i, a in enumerate(order)
    ]
    texts = [["" if not value >= 0.005 else f"{100 * value:.0f}" for value in row] for row in values]
    figure = _square(values, order, words, texts, {"colorscale": colour_scale(SEQUENTIAL), "zmin": 0, "zmax": 1})
    _separate(figure, len(order), breaks)
    figure.update_xaxes(title_text="to", title_standoff=8)
    figure.update_yaxes(title_text="from", title_standoff=4)
    return figure


def approach_shares_figure(
    shares: Mapping[str, np.ndarray], names: Sequence[str], order: Sequence[str], breaks: Sequence[int]
) -> go.Figure:
    """Heat maps of several approaches beside each other, items in one order: the share of networks with each arrow."""
    at, many = [list(names).index(name) for name in order], len(order)
    columns = min(2, len(shares))
    rows = -(-len(shares) // columns)
    figure = subplots.make_subplots(
        rows, columns, subplot_titles=list(shares), horizontal_spacing=0.16, vertical_spacing=0.22
    )
    labels = [escape(name, _LETTERS) for name in distinct(list(order), _LETTERS)]
    for number, (title, own) in enumerate(shares.items()):
        values = np.array(own, dtype=float)[np.ix_(at, at)]
        np.fill_diagonal(values, np.nan)
        words = [
            [
                "" if i == j else f"{title}: {escape(a, 40)} → {escape(b, 40)}<br>{in_percent(values[i, j])}"
                for j, b in enumerate(order)
            ]
            for i, a in enumerate(order)
        ]
        row, column = number // columns + 1, number % columns + 1
        cells = {"z": values, "hovertext": words, "hoverinfo": "text", "xgap": 1, "ygap": 1, "coloraxis": "coloraxis"}
        figure.add_trace(go.Heatmap(**cells), row, column)
        for place in breaks:
            figure.add_hline(place - 0.5, line={"color": INK, "width": 1}, row=row, col=column)
            figure.add_vline(place - 0.5, line={"color": INK, "width": 1}, row=row, col=column)
    side = 13 if many <= 30 else 8
    lay_out(figure, rows * (140 + side * max(many, 8)), size=12, margin={"t": 30}, plot_bgcolor=PANEL)
    colours = {"thickness": 12, "outlinewidth": 0, **percent_ticks(1.0)}
    figure.update_layout(coloraxis={"colorscale": colour_scale(SEQUENTIAL), "cmin": 0, "cmax": 1, "colorbar": colours})
    ticks = {"tickvals": list(range(many)), "ticktext": labels, "showgrid": False, "zeroline": False}
    ticks |= {"tickfont": {"size": 9, "color": INK}, "automargin": True}
    figure.update_xaxes(tickangle=-60, **ticks)
    figure.update_yaxes(autorange="reversed", **ticks)
    return figure


def correlation_figure(
    values: np.ndarray, order: Sequence[str], breaks: Sequence[int], reach: float = 1.0
) -> go.Figure:
    """Correlations of the hidden values, or differences of two of them."""
    off_diagonal = np.array(values, dtype=float)
    np.fill_diagonal(off_diagonal, np.nan)
    words = [
        [
            "" if i == j else f"{escape(a, 40)}, {escape(b, 40)}: {signed(off_diagonal[i, j])}"
            for j, b in enumerate(order)
        ]
        for i, a in enumerate(order)
    ]
    texts = [["" if value != value else with_sign(100 * value) for value in row] for row in off_diagonal]
    figure = _square(
        off_diagonal, order, words, texts, {"colorscale": colour_scale(DIVERGING), "zmin": -reach, "zmax": reach}
    )
    _separate(figure, len(order), breaks)
    return figure


def correlation_values(which: str, start: pd.DataFrame, fitted: pd.DataFrame, order: Sequence[str]) -> np.ndarray:
    """One of the matrices in this order: "start", "fitted", or their "difference"."""
    names = list(order)
    first, last = (item.loc[names, names].to_numpy(dtype=float) for item in (start, fitted))
    result: np.ndarray = {"start": first, "fitted": last}.get(which, last - first)
    return result


def largest_gap(values: np.ndarray, least: float = 0.1) -> float:
    """The size of the largest entry off the diagonal, for a scale of colours; `least` where all are smaller."""
    off = np.array(values, dtype=float)
    np.fill_diagonal(off, 0.0)
    return max(least, float(np.nanmax(np.abs(off), initial=0.0)))


def _square(values: np.ndarray, order: Sequence[str], words: Any, texts: Any, scale: Mapping[str, Any]) -> go.Figure:
    many = len(order)
    side = 30 if many <= NUMBERED else 20 if many <= 30 else 13
    figure = go.Figure(
        go.Heatmap(
            z=values,
            x=list(range(many)),
            y=list(range(many)),
            text=texts if many <= NUMBERED else None,
            texttemplate="%{text}" if many <= NUMBERED else None,
            textfont={"size": 11},
            hovertext=words,
            hoverinfo="text",
            xgap=1,
            ygap=1,
            colorbar={"thickness": 12, "outlinewidth": 0, **_ticks(scale["zmin"], scale["zmax"])},
            **scale,
        )
    )
    lay_out(figure, 150 + side * max(many, 6), size=12, margin={}, plot_bgcolor=PANEL)
    labels = [escape(name, _LETTERS) for name in distinct(list(order), _LETTERS)]
    ticks = {
        "tickvals": list(range(many)),
        "ticktext": labels,
        "showgrid": False,
        "zeroline": False,
        "tickfont": {"size": 11 if many <= 30 else 9, "color": INK},
        "automargin": True,
    }
    figure.update_xaxes(tickangle=-60, **ticks)
    figure.update_yaxes(autorange="reversed", **ticks)
    return figure


def _ticks(lowest: float, highest: float) -> dict[str, Any]:
    """How the numbers beside the colours are written: shares in percent, small differences with two places."""
    if lowest == 0:
        return percent_ticks(highest)
    return {"tickformat": "+.1f" if lowest < -0.5 else "+.2f"}


def _separate(figure: go.Figure, many: int, breaks: Sequence[int]) -> None:
    for at in breaks:
        for line in ({"x0": at - 0.5, "x1": at - 0.5, "y0": -0.5, "y1": many - 0.5},
                     {"y0": at - 0.5, "y1": at - 0.5, "x0": -0.5, "x1": many - 0.5}):  # fmt: skip
            figure.add_shape(type="line", line={"color": INK, "width": 1.5}, **line)


REACH = 3.2


def thresholds_figure(cuts: Sequence[float], shares: Sequence[float], levels: Sequence[str]) -> go.Figure:
    """The normal curve, an area a level with the level's name and share on it."""
    figure = go.Figure()
    edges = [-REACH, *(min(max(float(cut), -REACH), REACH) for cut in cuts), REACH]
    for i, (level, share) in enumerate(zip(levels, shares, strict=True)):
        x = np.linspace(edges[i], edges[i + 1], 60)
        tone = SEQUENTIAL[2 + round(5 * i / max(len(levels) - 1, 1))]
        figure.add_scatter(
            x=[x[0], *x, x[-1]],
            y=[0, *_density(x), 0],
            mode="lines",
            line={"width": 0},
            fill="toself",
            fillcolor=tone,
            hoverinfo="text",
            text=f"{escape(level, 40)}: {in_percent(share, 1)}",
            showlegend=False,
        )
        figure.add_annotation(
            x=(edges[i] + edges[i + 1]) / 2,
            y=-0.03 - 0.075 * (i % 2),
            yanchor="top",
            text=f"{escape(level, 14)}<br><b>{in_percent(share)}</b>",
            showarrow=False,
            font={"size": 12, "color": INK},
        )
    x = np.linspace(-REACH, REACH, 200)
    figure.add_scatter(x=x, y=_density(x), mode="lines", line={"color": INK, "width": 1.5}, hoverinfo="skip")
    for cut in cuts:
        if abs(cut) < REACH:
            figure.add_shape(
                type="line", x0=cut, x1=cut, y0=0, y1=_density(np.array([cut]))[0] + 0.03, line={"color": INK}
            )
            figure.add_annotation(
                x=cut,
                y=_density(np.array([cut]))[0] + 0.03,
                yanchor="bottom",
                text=signed(cut),
                showarrow=False,
                font={"size": 11, "color": MUTED},
            )
    lay_out(figure, 320, margin={"b": 40}, showlegend=False)
    figure.update_xaxes(
        title="latent value, in standard deviations", range=[-REACH, REACH], gridcolor=LINE, zeroline=False,
        fixedrange=True,
    )  # fmt: skip
    figure.update_yaxes(visible=False, range=[-0.21, 0.47], fixedrange=True)
    return figure


def thresholds_alt(cuts: Sequence[float], shares: Sequence[float], levels: Sequence[str]) -> str:
    """The same in words."""
    each = ", ".join(f"{level} {in_percent(share)}" for level, share in zip(levels, shares, strict=True))
    return f"A normal curve cut at {', '.join(f'{signed(cut)}' for cut in cuts)}; {each}."


def _density(x: np.ndarray) -> list[float]:
    return [math.exp(-0.5 * value * value) / math.sqrt(2 * math.pi) for value in x.tolist()]


FONT = 14


def cutting_figure(table: pd.DataFrame, words: Mapping[str, str]) -> go.Figure:
    """Two bars an approach: links found right, and wrong ones; large, for the last row of a room."""
    figure = subplots.make_subplots(
        rows=1,
        cols=2,
        shared_yaxes=True,
        horizontal_spacing=0.06,
        subplot_titles=("right, of the links there are", "wrong links, per link there is"),
    )
    names = [escape(words.get(item, item), 40) for item in table["approach"]]
    for place, (column, colour, least) in enumerate((("found", GROUP_A, 1.0), ("wrong", GROUP_B, 0.5))):
        values = table[column]
        top = max(least, float(table[f"{column}_high"].max(skipna=True)))
        figure.add_bar(
            x=list(values),
            y=names,
            orientation="h",
            width=0.6,
            marker={"color": colour},
            error_x=whiskers(values, table[f"{column}_low"], table[f"{column}_high"], INK, 1.5),
            hoverinfo="skip",
            row=1,
            col=place + 1,
        )
        figure.add_scatter(
            x=[1.29 * top] * len(names),
            y=names,
            mode="text",
            text=[f"<b>{in_percent(value)}</b>" for value in values],
            textposition="middle left",
            textfont={"size": FONT, "color": INK},
            hoverinfo="skip",
            row=1,
            col=place + 1,
        )
        figure.update_xaxes(range=[0, 1.3 * top], **percent_ticks(top, 4), row=1, col=place + 1)
    lay_out(figure, 80 + 40 * len(table), size=FONT, margin={"t": 34, "b": 30}, showlegend=False)
    figure.update_annotations(font={"size": FONT, "color": INK})
    figure.update_xaxes(gridcolor=LINE, zeroline=False, fixedrange=True)
    figure.update_yaxes(showgrid=False, fixedrange=True, automargin=True)
    figure.update_yaxes(autorange="reversed", row=1, col=1)
    return figure


def path_figure(table: pd.DataFrame, chosen: float, setting: str) -> go.Figure:
    """Up to three curves one below the other over the same values, the chosen one marked."""
    held_out = bool(table["log_loss"].notna().any())
    rows = [("links", "links", GROUP_A), ("distance", "distance to the network shown", MUTED)]
    figure = subplots.make_subplots(
        rows=2 + held_out,
        cols=1,
        shared_xaxes=True,
        vertical_spacing=0.09,
        subplot_titles=[words for _, words, _ in rows]
        + ["loss on rows held out, nats a row (lower is better)"] * held_out,
    )
    for place, (column, words, colour) in enumerate(rows):
        figure.add_scatter(
            x=table["penalty"],
            y=table[column],
            mode="lines+markers+text",
            text=[f"{value:.0f}" if value == round(value) else f"{value:.1f}" for value in table[column]],
            textposition="top right",
            line={"color": colour, "width": 2},
            marker={"size": 8},
            hovertemplate=f"%{{x:g}}: %{{y:g}} {words}<extra></extra>",
            row=place + 1,
            col=1,
        )
    if held_out:
        figure.add_scatter(
            x=table["penalty"],
            y=table["log_loss"],
            mode="lines+markers",
            line={"color": GROUP_B, "width": 2},
            marker={"size": 8, "symbol": "diamond"},
            error_y=whiskers(table["log_loss"], table["low"], table["high"], MUTED, 1.2),
            hovertemplate="%{x:g}: %{y:.3f}<extra></extra>",
            row=3,
            col=1,
        )
    for row in range(1, 3 + held_out):
        figure.add_vline(x=chosen, line={"color": INK, "width": 1.5, "dash": "dot"}, row=row, col=1)
    figure.update_annotations(x=0, xanchor="left", font={"size": 13, "color": INK})
    lay_out(figure, 90 + 150 * (2 + held_out), size=12, margin={"r": 14, "t": 30, "b": 46}, showlegend=False)
    ticks = [float(value) for value in table["penalty"]]
    logarithmic = min(ticks, default=0.0) > 0
    figure.update_xaxes(
        type="log" if logarithmic else "linear", tickvals=ticks, ticktext=[f"{value:g}" for value in ticks],
        gridcolor=LINE, zeroline=False, fixedrange=True,
    )  # fmt: skip
    figure.update_xaxes(title=f"{setting}; dotted: the one chosen", row=2 + held_out, col=1)
    figure.update_yaxes(gridcolor=LINE, zeroline=False, fixedrange=True, nticks=4)
    for row, (column, *_) in enumerate(rows):
        top = float(table[column].max())
        figure.update_yaxes(range=[-0.08 * max(top, 1), 1.35 * max(top, 1)], row=row + 1, col=1)
    return figure


def losses_figure(table: pd.DataFrame, words: Mapping[str, str]) -> go.Figure:
    """A dot an approach with its interval; to the right of 0 it predicts worse than the first."""
    first, rest = table["approach"].iloc[0], table.iloc[1:]
    figure = go.Figure(
        go.Scatter(
            x=list(rest["difference"]),
            y=list(range(len(rest))),
            mode="markers",
            marker={"size": 11, "color": GROUP_A},
            error_x=whiskers(rest["difference"], rest["low"], rest["high"], MUTED, 1.5),
            hoverinfo="skip",
        )
    )
    figure.add_vline(x=0, line={"color": INK, "width": 2, "dash": "dot"})
    ends = [abs(float(item)) for column in ("low", "high", "difference") for item in rest[column] if item == item]
    reach = 1.15 * max(ends, default=1.0) or 1.0
    lay_out(figure, 110 + 52 * len(rest), margin={"t": 20, "b": 50})
    title = f"◂ predicts better      than {escape(words.get(first, first), 40)}      predicts worse ▸"
    figure.update_xaxes(title=title, range=[-reach, reach], gridcolor=LINE, zeroline=False, fixedrange=True)
    figure.update_yaxes(
        tickvals=list(range(len(rest))),
        ticktext=[escape(words.get(entry, entry), 40) for entry in rest["approach"]],
        range=[len(rest) - 0.4, -0.7],
        showgrid=False,
        fixedrange=True,
        automargin=True,
    )
    return figure
