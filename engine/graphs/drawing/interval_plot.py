"""Several measures of the same items with their intervals, side by side, marks as in the picture of rings."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.graphs.drawing.labels import LETTER, text_width
from engine.graphs.drawing.rings import FONT, legend_rows, scale_ink, scale_mark
from engine.graphs.drawing.svg import INK, MUTED
from engine.words import with_minus

_ROW, _PANEL, _GAP, _MARGIN = 18.0, 170.0, 24.0, 10.0
_LETTERS = 28
_GRID = "#D5DBE1"
_TICKS = 5


@dataclass(frozen=True)
class Measured:
    """One measure of all items.

    Attributes
    ----------
    title : what it is called
    values, low, high : of each item, in their order
    """

    title: str
    values: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


def draw_intervals(
    labels: Sequence[str],
    kinds: Sequence[int | None],
    measures: Sequence[Measured],
    *,
    ident: str,
    title: str,
    scales: Sequence[str] = (),
    grey: bool = False,
    scale: float = 1.0,
) -> str:
    """The picture as an SVG element, every name escaped; ids in it begin with `ident`.

    Parameters
    ----------
    labels : of the items, from the top on
    kinds : number of the scale of each item, None where it has none
    measures : a panel each
    ident : begins ids
    title : the text alternative
    scales : what the scales are called, for the legend
    grey : in shades of grey, which shapes tell apart
    scale : how many times as large it is shown

    Examples
    --------
    >>> strength = Measured("Strength", [0.5], [0.2], [0.8])
    >>> draw_intervals(["a"], [None], [strength], ident="c", title="Centrality").count("<circle")
    1
    """
    names = [label if len(label) <= _LETTERS else f"{label[: _LETTERS - 1].rstrip()}…" for label in labels]
    side = _MARGIN + max((text_width(name) * FONT / LETTER for name in names), default=0.0) + 10
    head, foot = _MARGIN + FONT + 8, 26.0
    bottom = head + _ROW * len(names)
    right = side + len(measures) * _PANEL + (len(measures) - 1) * _GAP + _MARGIN
    entries = legend_rows([(scale_mark(9, 0, place, grey), name) for place, name in enumerate(scales)], 0.0, right)
    high = bottom + foot + ((1 + entries[-1][1]) * (FONT + 8) + _MARGIN if entries else 0.0)
    parts = [
        f"<text x='{side - 10:.1f}' y='{head + _ROW * (place + 0.5) + 4:.1f}' text-anchor='end'>"
        f"{html.escape(name)}</text>"
        for place, name in enumerate(names)
    ]
    for number, measure in enumerate(measures):
        parts.append(_panel(measure, kinds, side + number * (_PANEL + _GAP), head, grey))
    for x, row, markup in entries:
        parts.append(markup.replace("@", f"translate({x:.1f} {bottom + foot + 14 + row * (FONT + 8):.1f})"))
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {right:.0f} {high:.0f}' "
        f"width='{scale * right:.0f}' height='{scale * high:.0f}' role='img' aria-labelledby='{ident}-t' "
        f"font-family='sans-serif' font-size='{FONT:g}' "
        f"fill='{INK}'><title id='{ident}-t'>{html.escape(title)}</title>{''.join(parts)}</svg>"
    )


def _panel(measure: Measured, kinds: Sequence[int | None], left: float, top: float, grey: bool) -> str:
    """Title, grid, and a mark with its interval in each row."""
    ticks = axis_ticks(min(0.0, *measure.low), max(0.0, *measure.high))
    least, most = min(ticks[0], *measure.low), max(ticks[-1], *measure.high)
    bottom = top + _ROW * len(kinds)

    def across(value: float) -> float:
        return left + 6 + (value - least) / (most - least) * (_PANEL - 12)

    middle = left + _PANEL / 2
    parts = [f"<text x='{middle:.1f}' y='{top - 8:.1f}' text-anchor='middle'>{html.escape(measure.title)}</text>"]
    for tick in ticks:
        ink = MUTED if tick == 0 else _GRID
        parts.append(
            f"<line x1='{across(tick):.1f}' y1='{top:.1f}' x2='{across(tick):.1f}' y2='{bottom:.1f}' stroke='{ink}'/>"
            f"<text x='{across(tick):.1f}' y='{bottom + 16:.1f}' text-anchor='middle' fill='{MUTED}'>"
            f"{with_minus(f'{tick:g}')}</text>"
        )
    for row, (kind, value, low, high) in enumerate(zip(kinds, measure.values, measure.low, measure.high, strict=True)):
        y = top + _ROW * (row + 0.5)
        parts.append(
            f"<line x1='{across(low):.1f}' y1='{y:.1f}' x2='{across(high):.1f}' y2='{y:.1f}' "
            f"stroke='{scale_ink(kind, grey)}' stroke-width='2'/>{scale_mark(across(value), y, kind, grey)}"
        )
    return "".join(parts)


def axis_ticks(low: float, high: float) -> list[float]:
    """Round numbers of one step that lie within the ends, at most six of them; 0 alone where both ends are 0.

    Parameters
    ----------
    low, high : the ends of the axis, 0 between them

    Examples
    --------
    >>> axis_ticks(-0.3, 1.2)
    [0.0, 0.5, 1.0]
    """
    span = high - low
    if span <= 0:
        return [0.0]
    size = 10.0 ** math.floor(math.log10(span / _TICKS))
    step = next(size * factor for factor in (1, 2, 5, 10) if span / (size * factor) <= _TICKS)
    return [round(step * k, 10) for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]
