"""The charts of associations: what each link is worth, messages in parts, and the mosaic of one group."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import sub
from typing import Any

from engine.lazy import go, pd
from engine.methods import frames
from engine.methods.log_linear.edge_tables import residuals, steps
from engine.methods.log_linear.evidence import LogLinearEvidence
from engine.methods.log_linear.pair_evidence import in_order
from engine.telling.charts.colours import CATEGORICAL, DIVERGING, INK, LINE, MUTED
from engine.telling.charts.frame import ABOVE, lay_out, layout_of, name_rows, numbered_bars, percent_ticks
from engine.telling.charts.labels import (
    WHOLE,
    apart,
    escape,
    lines,
    narrowest,
    pair_label,
    row_height,
    short,
    visible,
    without_beginnings,
)
from engine.words import in_percent, with_sign

NAMED = 40
"""Links whose rows have names."""


def link_worths(result: LogLinearEvidence) -> pd.DataFrame:
    """The links in the order of the links' table: what each is worth, as part of the strongest, and when it was taken.

    Returns
    -------
    pandas.DataFrame: a, b, worth (NaN where a link cannot go alone), step (0 for a link given beforehand), taken
    (what it saved then, in words)
    """
    taken = {frozenset((row["a"], row["b"])): row for _, row in steps(result).iterrows()}
    bits = [result.edge_values[pair].evidence_bits for pair in in_order(result)]
    most = max((abs(saved) for saved in bits if math.isfinite(saved)), default=0.0) or 1.0
    rows = []
    for pair, saved in zip(in_order(result), bits, strict=True):
        row = taken.get(frozenset(pair))
        rows.append((*pair, saved / most, *((0, "") if row is None else (int(row["step"]), _step_words(row)))))
    return frames.data_frame(rows, columns=["a", "b", "worth", "step", "taken"])


def worth_figure(links: pd.DataFrame, at: int) -> go.Figure:
    """A bar a link of `link_worths`, how much worse the finished model fits without it; steps after this are pale."""
    positions, named = list(range(1, len(links) + 1)), len(links) <= NAMED
    worths = [None if math.isnan(worth) else worth for worth in links["worth"]]
    figure = numbered_bars(
        [worth or 0.0 for worth in worths],
        positions,
        [_worth_words(worth) for worth in worths] if named else [],
        marker={"color": CATEGORICAL[0], "opacity": [1.0 if step <= at else 0.3 for step in links["step"]]},
        hovertext=[f"{escape(row.a, WHOLE)} – {escape(row.b, WHOLE)}{row.taken}" for row in links.itertuples()],
        hoverinfo="text",
    )
    labels = []
    if named:
        labels = [f"{pair_label(row.a, row.b)} ({_when(row.step)})" for row in links.itertuples()]
    lay_out(
        figure,
        80 + row_height(labels, 22, 34) * max(len(links), 4) if named else 520,
        margin={"t": 6, "b": 56},
        bargap=0.25,
    )
    low = min([0.0, *links["worth"].dropna()])
    figure.update_xaxes(
        title="worse fit without the link,<br>in % of the strongest link",
        gridcolor=LINE,
        range=[1.2 * low, 1.25],
        zeroline=True,
        zerolinecolor=MUTED,
        tickangle=0,
        **percent_ticks(1.0, 4),
    )
    figure.update_yaxes(range=[len(links) + 0.6, 0.4], showgrid=False)
    if named:
        return figure.update_yaxes(tickvals=positions, ticktext=labels, tickfont={"color": INK, "size": 12})
    return figure.update_yaxes(title="links, the strongest first")


def _worth_words(worth: float | None) -> str:
    """A link's part of what the strongest is worth; one worth little is not worth nothing."""
    if worth is None:
        return "cannot go alone"
    return f"under {in_percent(0.01)}" if 0 < worth < 0.005 else in_percent(worth)


def _when(step: int) -> str:
    """The step at which a link was taken; 0 is before the first."""
    return f"step {step}" if step else "given"


def _step_words(row: pd.Series) -> str:
    """What a link saved when it was taken, for the hover."""
    given = f", given {escape(', '.join(row['separator']), WHOLE)}" if row["separator"] else ""
    return (
        f"<br>step {int(row['step'])}{given}<br>saved {row['saving_bits']:,.1f} bits then: "
        f"data {with_sign(row['data_bits'], 1)}, parameters {with_sign(row['parameter_bits'], 1)}, "
        f"graph {with_sign(row['graph_bits'], 1)}<br>message then {row['total_bits']:,.1f} bits"
        f"<br>G {row['G']:,.1f} on {row['df']:,.0f} df, log10 p {row['log10_p']:,.1f}"
    )


def worth_alt(links: pd.DataFrame, most: int = 30) -> str:
    """The bars in words, each with the step at which its link was taken."""
    sentences = [
        f"{short(row.a, 30)} - {short(row.b, 30)} ({_when(row.step)}) "
        f"{_worth_words(None if math.isnan(row.worth) else row.worth)}"
        for row in links.head(most).itertuples()
    ]
    return "; ".join(sentences) + ("; and so on" if len(links) > most else "")


PARTS = (("data", CATEGORICAL[0], ""), ("parameters", CATEGORICAL[1], "/"), ("graph", CATEGORICAL[3], "x"))


def message_figure(table: pd.DataFrame, titles: Sequence[str]) -> go.Figure:
    """Message lengths as stacked bars: `table` has a row a model and the columns data, parameters, graph, total."""
    figure = go.Figure()
    for part, colour, pattern in PARTS:
        figure.add_bar(
            x=[float(value) for value in table[part]],
            y=list(range(len(table))),
            orientation="h",
            name=part,
            marker={
                "color": colour,
                "pattern": {"shape": pattern, "fillmode": "overlay", "fgcolor": "#FFFFFF", "size": 6},
            },
            hovertext=[f"{part}: {value:,.1f} bits" for value in table[part]],
            hoverinfo="text",
        )
    longest = float(table["total"].iloc[0])
    for place, total in enumerate(table["total"]):
        less = f" ({longest - total:,.0f} shorter)" if place and total < longest else ""
        figure.add_annotation(
            x=float(total), y=place, text=f"{total:,.0f}{less}", showarrow=False, xanchor="left", xshift=4
        )
    lay_out(
        figure,
        100 + 42 * len(table),
        margin={"b": 40},
        barmode="stack",
        bargap=0.35,
        legend=ABOVE | {"traceorder": "normal"},
    )
    figure.update_xaxes(title="bits", gridcolor=LINE, range=[0, float(table["total"].max()) * 1.25 or 1.0])
    name_rows(figure, [escape(title, 24) for title in titles], showgrid=False, tickfont={"color": INK})
    return figure


MOST_TILES = 600
_LABEL_ROWS = 3
_LEVEL, _UPRIGHT = 14, 26
"""Characters of a line of a level's name, and of one that stands upright under a column in one line."""
_PIXELS = 330
"""About how wide the picture is, to tell which labels find room."""
_HIGH, _LEGEND_ROW = 300, 22
"""Pixels of the tiles' height, whatever stands below, and of a row of the legend."""
_LINE_SHARE, _LINE_ACROSS = 15 / _HIGH, 15 / 120  # of a line of a label; of one upright, on a small screen
_LEAD = 12
"""Pixels between labels that have no room beside their tiles, and the tiles, which lines join."""


@dataclass(frozen=True)
class Shade:
    """One step of the scale of adjusted residuals, at 2 and 4 each way: fill, pattern and sign say the same."""

    words: str
    colour: str
    pattern: str
    sign: str


SHADES = (
    Shade("++ far more", DIVERGING[7], "", " ++"),
    Shade("+ more", DIVERGING[5], "", " +"),
    Shade("about as many", "#FFFFFF", "", ""),
    Shade("− fewer", DIVERGING[4], "/", " −"),
    Shade("−\u2009− far fewer", DIVERGING[3], "/", " −\u2009−"),
)
_AS_EXPECTED = 2
_AGAINST = "Rows, compared with no link:"


@dataclass(frozen=True)
class Tile:
    """One cell: where it stands in the unit square, and its row in the table of residuals."""

    left: float
    right: float
    low: float
    high: float
    row: int


@dataclass(frozen=True)
class Column:
    """A span along the bottom edge that stands for one level of a variable."""

    depth: int
    left: float
    right: float
    level: str


def shade(adjusted: float) -> Shade:
    """The step of the scale of an adjusted residual."""
    for limit, shade in zip((4.0, 2.0, -2.0, -4.0), SHADES, strict=False):
        if adjusted > limit:
            return shade
    return SHADES[4] if adjusted <= -4.0 else SHADES[_AS_EXPECTED]


def tiles(table: pd.DataFrame, names: Sequence[str], count: str) -> tuple[list[Tile], list[Column]]:
    """Columns as wide as the rows that share the levels of all variables but the last, split by the last.

    `table` has one row a cell; `count` is its column of observed counts. Where the last two variables are independent
    given the others, neighbouring columns are split alike.
    """
    total = max(int(table[count].sum()), 1)
    result: list[Tile] = []
    spans: list[Column] = []

    def across(rows: pd.DataFrame, depth: int, left: float, width: float) -> None:
        if depth == len(names) - 1:
            _stack(result, rows, left, width, count)
            return
        levels = list(dict.fromkeys(rows[names[depth]]))
        gap = 0.02 * width / max(len(levels), 1) if depth else 0.012
        free, own = width - gap * (len(levels) - 1), max(int(rows[count].sum()), 1)
        for level in levels:
            part = rows[rows[names[depth]] == level]
            wide = free * int(part[count].sum()) / own
            spans.append(Column(depth, left, left + wide, str(level)))
            across(part, depth + 1, left, wide)
            left += wide + gap

    if total:
        across(table, 0, 0.0, 1.0)
    return result, spans


def _stack(result: list[Tile], rows: pd.DataFrame, left: float, width: float, count: str) -> None:
    """The tiles of a column as high as their shares; one of few rows as high as its number needs, of none a line."""
    heights = rows[count] / max(int(rows[count].sum()), 1)
    heights = heights.clip(lower=min(1.6 * _LINE_SHARE, 1 / (3 * len(rows)))).where(rows[count] > 0, 0.0)
    low = 0.0
    for row, height in (heights / (heights.sum() or 1.0)).items():
        high = low + float(height)
        result.append(Tile(left, left + width, low, high, int(row)))
        low = high


def mosaic_figure(table: pd.DataFrame, names: Sequence[str]) -> go.Figure:
    """The picture of a table of residuals; its last five columns are those of `LogLinearResult.residuals`."""
    observed, expected, pearson, adjusted, _ = table.columns[-5:]
    cells, spans = tiles(table, names, observed)
    bars = []
    for step in SHADES:
        mine = [cell for cell in cells if shade(float(table.at[cell.row, adjusted])) is step]
        bar = go.Bar(
            x=[(cell.left + cell.right) / 2 for cell in mine],
            width=[cell.right - cell.left for cell in mine],
            base=[cell.low for cell in mine],
            y=[cell.high - cell.low for cell in mine],
            name=step.words,
            marker={
                "color": step.colour,
                "line": {"color": "#7A8791", "width": 1},
                "pattern": {
                    "shape": step.pattern,
                    "fillmode": "overlay",
                    "fgcolor": "#1B4A69",
                    "solidity": 0.2,
                    "size": 7,
                },
            },
            text=[f"{int(table.at[cell.row, observed]):,}{step.sign}" for cell in mine],
            textposition="inside",
            insidetextanchor="middle",
            textangle=0,
            textfont={"color": INK},
            hovertext=[_tile_words(table.loc[cell.row], names, observed, expected, pearson, adjusted) for cell in mine],
            hoverinfo="text",
            showlegend=bool(mine),
        )
        bars.append(bar)
    labels, below = _labels(spans, names)
    for cell in (one for one in cells if one.high == one.low and _room(one) >= 3):
        labels.append(
            {
                "x": (cell.left + cell.right) / 2,
                "y": cell.low,
                "yanchor": "bottom" if cell.low == 0 or cell.low > 0.99 else "middle",
                "text": f"0{shade(float(table.at[cell.row, adjusted])).sign}",
                "hovertext": _tile_words(table.loc[cell.row], names, observed, expected, pearson, adjusted),
                "showarrow": False,
                "bgcolor": "#FFFFFF",
                "bordercolor": "#7A8791",
                "borderpad": 1,
                "font": {"size": 11, "color": INK},
            }
        )
    last = names[-1]
    first_column = [cell for cell in cells if cell.left == cells[0].left and cell.right > cell.left] if cells else []
    below_picture = {"orientation": "h", "y": -0.03 - below, "yanchor": "top", "x": -0.12, "font": {"size": 12}}
    most = max(1, min(3, int(1 / (_LINE_SHARE * max(len(first_column), 1)))))  # lines of a label that find room
    levels = without_beginnings([table.at[cell.row, last] for cell in first_column], _UPRIGHT)
    ticks = [lines(level, 15, most) for level in levels]
    title, lift = lines(last, 38), 20 if any(cell.low > 0.99 for cell in cells) else 4
    top = lift + 4 + 18 * (title.count("<br>") + 1)
    under = round(_HIGH * (0.03 + below)) + _LEGEND_ROW * (1 - -sum(bool(bar.showlegend) for bar in bars) // 2)
    middles = [(cell.low + cell.high) / 2 for cell in first_column]
    places = _ticks_apart(middles, [text.count("<br>") + 1 for text in ticks])
    moved = max(map(abs, map(sub, middles, places)), default=0.0) > _LINE_SHARE / 2
    lead = {"type": "line", "xref": "paper", "xsizemode": "pixel", "xanchor": 0, "x0": -_LEAD, "x1": -1}
    labels.append(
        {"x": -0.12, "xref": "paper", "xanchor": "left", "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": lift}
        | {"text": title, "align": "left", "showarrow": False, "font": {"size": 13, "color": MUTED}}
    )
    layout = layout_of(
        top + _HIGH + under,
        shapes=[
            lead | {"y0": place, "y1": middle, "line": {"color": MUTED, "width": 1}}
            for middle, place in zip(middles, places, strict=True)
            if moved
        ],
        margin={"t": top, "b": under},
        annotations=labels,
        barmode="overlay",
        bargap=0,
        uniformtext={"minsize": 10, "mode": "hide"},
        legend=below_picture | {"traceorder": "normal", "entrywidth": 90, "title": {"text": _AGAINST, "side": "top"}},
        xaxis={"range": [-0.005, 1.005], "showgrid": False, "zeroline": False, "showticklabels": False},
        yaxis={
            "tickvals": places,
            "ticktext": ticks,
            "ticks": "outside",
            "ticklen": _LEAD if moved else 0,
            "tickcolor": "rgba(0,0,0,0)",
            "range": [-0.005, 1.005],
            "showgrid": False,
            "zeroline": False,
            "linecolor": LINE,
        },
    )
    return go.Figure(bars, layout)


def _ticks_apart(middles: Sequence[float], rows: Sequence[int], line: float = _LINE_SHARE) -> list[float]:
    """Where labels of so many lines stand beside their tiles, moved where they would lie on one another."""
    line = min(line, 1 / max(sum(rows), 1))
    spare = (1 / line - sum(rows)) / max(len(rows), 1)  # of which half a line parts two labels
    heights, places = [line * (many + min(max(spare, 0.0), 0.5)) for many in rows], list(middles)
    for k in range(1, len(places)):
        places[k] = max(places[k], places[k - 1] + (heights[k] + heights[k - 1]) / 2)
    for k in reversed(range(len(places))):
        above = 1.0 - heights[k] / 2 if k == len(places) - 1 else places[k + 1] - (heights[k] + heights[k + 1]) / 2
        places[k] = min(places[k], above)
    return places


def _labels(spans: Sequence[Column], names: Sequence[str]) -> tuple[list[dict[str, Any]], float]:
    """Levels under their columns, in two lines or upright where they want room, and their variable's name under them.

    The second value says how far down they reach, as a share of the picture's height. A level that finds no room is
    left to the hover. As one list, since Plotly checks all annotations again for each that is added.
    """
    labels: list[dict[str, Any]] = []
    inner = len(names) - 2
    bottom = 0.0
    for depth in range(inner, max(inner - _LABEL_ROWS, -1), -1):
        own = [span for span in spans if span.depth == depth and span.right > span.left]
        turned = depth == inner and any(_room(span) < min(narrowest(span.level), _LEVEL) for span in own)
        if turned:
            row = _upright([span for span in own if _room(span) >= 1.6])
        else:
            shown = [span for span in own if _room(span) >= max(min(narrowest(span.level), 3), 1)]
            row = [((span.left + span.right) / 2, lines(span.level, max(int(_room(span)), 2))) for span in shown]
        under = {"y": -bottom - 0.012, "yref": "paper", "yanchor": "top", "showarrow": False}
        ink = {"font": {"size": 12, "color": INK if depth == inner else MUTED}, "textangle": -90 if turned else 0}
        labels += [under | ink | {"x": x, "xref": "x", "text": text} for x, text in row]
        longest = max((len(line) for _, text in row for line in text.split("<br>")), default=1)
        bottom += 0.03 + 0.021 * longest if turned else row_height([text for _, text in row], 6, 11) / 100
        name = lines(names[depth], 38)
        centred = {"x": 0.5, "xref": "paper", "y": -bottom - 0.012, "font": {"size": 13, "color": MUTED}}
        labels.append(under | centred | {"text": name})
        bottom += row_height([name], 8, 13) / 100
    return labels, bottom


def _upright(spans: Sequence[Column]) -> list[tuple[float, str]]:
    """Where upright labels stand and what they say: two lines under a wide column, else one, like no other."""
    levels = [span.level for span in spans]
    brief = apart(dict(zip(levels, without_beginnings(levels, _UPRIGHT), strict=True)), _UPRIGHT)
    rows = [1 + (span.right - span.left >= 2 * _LINE_ACROSS) for span in spans]
    places = _ticks_apart([(span.left + span.right) / 2 for span in spans], rows, _LINE_ACROSS)
    said = [
        lines(brief[span.level], _UPRIGHT, 1) if row < 2 else lines(brief[span.level], _LEVEL)
        for span, row in zip(spans, rows, strict=True)
    ]
    return list(zip(places, said, strict=True))


def _room(span: Column | Tile) -> float:
    """Characters that fit side by side in a column."""
    return (span.right - span.left) * _PIXELS / 7.5


def _tile_words(row: pd.Series, names: Sequence[str], observed: str, expected: str, pearson: str, adjusted: str) -> str:
    levels = "<br>".join(f"{escape(name, WHOLE)}: {escape(row[name], WHOLE)}" for name in names)
    return (
        f"{levels}<br>observed {int(row[observed]):,}, expected {row[expected]:,.1f}"
        f"<br>adjusted residual {with_sign(row[adjusted], 1)}, Pearson {with_sign(row[pearson], 1)}"
    )


def mosaic_alt(table: pd.DataFrame, names: Sequence[str], most: int = 12) -> str:
    """The cells farthest from what was expected, in words."""
    observed, expected, _, adjusted, _ = table.columns[-5:]
    order = table[adjusted].abs().sort_values(ascending=False).index[:most]
    return "; ".join(
        f"{', '.join(visible(table.at[row, name]) for name in names)}: observed {int(table.at[row, observed])}, "
        f"expected {table.at[row, expected]:.1f}"
        for row in order
    )


def figure_makers(result: LogLinearEvidence) -> dict[str, Callable[[], go.Figure]]:
    """Name -> what draws it: what links are worth, the message in parts, the largest group less its strongest link."""
    makers: dict[str, Callable[[], go.Figure]] = {}
    if result.accepted:
        makers["savings"] = lambda: worth_figure(link_worths(result), len(result.accepted))
    makers["message"] = lambda: message_figure(result.message.reset_index(drop=True), ["no links", "the model found"])
    if result.linked_cliques:
        makers["mosaic"] = partial(_group, result)
    return makers


def _group(result: LogLinearEvidence) -> go.Figure:
    """The cells of the largest group against what they would be without its strongest link."""
    clique = result.linked_cliques[0]
    without = next(pair for pair in result.edge_values if set(pair) <= set(clique))
    order = [*(name for name in clique if name not in without), *without]
    return mosaic_figure(residuals(result, clique, without), order)
