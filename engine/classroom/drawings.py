"""The pictures of lessons as SVG: networks with open and blocked paths, bars of shares, intervals, curves."""

from __future__ import annotations

import html
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.classroom.exercise import Drawing
from engine.graphs.drawing.interval_plot import Measured, axis_ticks, draw_intervals
from engine.graphs.drawing.labels import boxes
from engine.graphs.drawing.layout import layout
from engine.graphs.drawing.svg import ArcStyle, Line, draw_network, frame
from engine.lazy import nx
from engine.telling.charts.colours import GROUP_COLOURS, INK, LINE, MUTED
from engine.words import in_percent, with_minus

Arc = tuple[str, str]
OPEN = ArcStyle(GROUP_COLOURS[0], (), "open")
QUIET = ArcStyle("#6B7883", (), "an arrow")
BLOCKED = ArcStyle("#6B7883", (6, 5), "blocked")
IDENT = "lesson"
"""What ids in a picture begin with."""
WIDTH = 360
"""Pixels: what a picture beside a text has on a small screen, so that letters stay large."""
SCALE, AIR = 1.15, 26
"""How much larger than its own size a small network is drawn, and pixels more between its rows."""
_FONT = "font-family='Source Sans Pro,Helvetica Neue,Arial,Liberation Sans,sans-serif'"
_ROW, _BAR, _HEAD = 44, 18, 22


def network_drawing(
    arcs: Iterable[Arc],
    alternative: str,
    *,
    opened: Collection[Arc] = (),
    blocked: Collection[Arc] = (),
    turned: Collection[Arc] = (),
    known: Mapping[str, str] | None = None,
    names: Iterable[str] = (),
) -> Drawing:
    """A network; an open path is thick, a blocked one dashed.

    Parameters
    ----------
    arcs : (from, to)
    alternative : the picture in words
    opened, blocked : arcs of a path, in either direction
    turned : arcs drawn without a head, since their direction is not known
    known : variable -> level that is known, which stands in its box
    names : variables to lay out before others, which may have no arc

    Returns
    -------
    the drawing
    """
    graph = nx.DiGraph()
    graph.add_nodes_from(names)
    graph.add_edges_from(arcs)
    texts = {name: f"{name} = {level}" for name, level in (known or {}).items()}
    drawn = boxes(graph.nodes, texts)
    height = max(box.height for box in drawn.values())
    positions = layout([graph], sizes={name: box.width for name, box in drawn.items()}, height=height + AIR, room=WIDTH)
    lines = []
    for source, target in graph.edges:
        here = {(source, target), (target, source)}
        style, width = (OPEN, 4.0) if here & set(opened) else (BLOCKED, 2.0) if here & set(blocked) else (QUIET, 1.7)
        lines.append(Line(source, target, not here & set(turned), style, width))
    width = min(SCALE * frame(positions, drawn).width, 1.2 * WIDTH)
    return Drawing(draw_network(lines, positions, drawn, ident=IDENT, width=width), alternative)


@dataclass(frozen=True)
class Bar:
    """One share: what it is of, its size, the count behind it, and the side that it belongs to."""

    label: str
    share: float
    note: str
    side: int = 0


def count_bars(labels: Sequence[str], counts: Iterable[Iterable[int]]) -> list[Bar]:
    """A bar for each label: the share of those with the outcome, and the count behind it.

    Parameters
    ----------
    labels : from the top on; each is a side of its own
    counts : of each label, how many without the outcome, and how many with it

    Examples
    --------
    >>> count_bars(["North"], [[30, 10]])
    [Bar(label='North', share=0.25, note='10 of 40', side=0)]
    """
    return [
        Bar(label, int(yes) / (int(no) + int(yes)), f"{int(yes):,} of {int(no) + int(yes):,}", side)
        for side, (label, (no, yes)) in enumerate(zip(labels, counts, strict=True))
    ]


def bars_drawing(panels: Mapping[str, Sequence[Bar]], alternative: str) -> Drawing:
    """Horizontal bars from 0 to 100 %, in panels one below the other.

    Parameters
    ----------
    panels : title -> bars; "" for no title
    alternative : the picture in words

    Returns
    -------
    the drawing
    """
    every = [bar for bars in panels.values() for bar in bars]
    room = WIDTH - 16 - 50 - 7.2 * max(len(bar.note) for bar in every)
    parts, y = [], 4.0
    for title, bars in panels.items():
        if title:
            parts.append(f"<text x='8' y='{y + 15:.0f}' font-weight='600'>{html.escape(title)}</text>")
            y += _HEAD
        for bar in bars:
            parts.append(
                f"<text x='8' y='{y + 14:.0f}'>{html.escape(bar.label)}</text>"
                f"<rect x='8' y='{y + 19:.0f}' width='{room:.0f}' height='{_BAR}' fill='none' stroke='{LINE}'/>"
                f"<rect x='8' y='{y + 19:.0f}' width='{room * bar.share:.1f}' height='{_BAR}' "
                f"fill='{GROUP_COLOURS[bar.side]}'/>"
                f"<text x='{room + 16:.0f}' y='{y + 33:.0f}'><tspan font-weight='600'>{in_percent(bar.share)}"
                f"</tspan><tspan dx='6' fill='{MUTED}'>{html.escape(bar.note)}</tspan></text>"
            )
            y += _ROW
        y += 8
    return _drawing(parts, y, alternative)


def interval_drawing(rows: Mapping[str, tuple[float, float, float]], title: str, alternative: str) -> Drawing:
    """Estimates with their intervals on one axis of percentage points, 0 marked.

    Parameters
    ----------
    rows : label -> estimate, lower and upper end, as differences of shares
    title : of the axis
    alternative : the picture in words

    Returns
    -------
    the drawing
    """
    values, low, high = zip(*([100 * end for end in row] for row in rows.values()), strict=True)
    measured = Measured(title, values, low, high)
    svg = draw_intervals(list(rows), [None] * len(rows), [measured], ident=IDENT, title=alternative, scale=1.6)
    return Drawing(svg, alternative)


def curve_drawing(
    labels: Sequence[str], curves: Mapping[str, Sequence[float]], axis: str, alternative: str, *, lowest: bool = False
) -> Drawing:
    """Curves over a few labelled places, the first solid with dots, the second dashed with squares.

    Parameters
    ----------
    labels : of the places, from left to right
    curves : name -> a number for each place
    axis : what the places are
    alternative : the picture in words
    lowest : whether the lowest point of the last curve is marked

    Returns
    -------
    the drawing
    """
    every = [value for curve in curves.values() for value in curve]
    low, high = min(0.0, *every) * 1.08, max(every) * 1.08
    ticks = axis_ticks(low, high)
    top, bottom, left, right = 34.0, 214.0, 44.0, WIDTH - 8.0
    step = (right - left - 30) / max(len(labels) - 1, 1)

    def point(place: int, value: float) -> tuple[float, float]:
        return left + 15 + place * step, bottom - (value - low) / (high - low) * (bottom - top)

    parts = []
    for tick in ticks:
        _, y = point(0, tick)
        parts.append(
            f"<line x1='{left}' x2='{right}' y1='{y:.1f}' y2='{y:.1f}' stroke='{LINE}'/><text x='{left - 8}' "
            f"y='{y + 4:.1f}' text-anchor='end' fill='{MUTED}'>{with_minus(f'{tick:g}')}</text>"
        )
    for place, label in enumerate(labels):
        x, _ = point(place, low)
        parts.append(f"<text x='{x:.1f}' y='{bottom + 18}' text-anchor='middle'>{html.escape(label)}</text>")
    parts.append(
        f"<text x='{(left + right) / 2}' y='{bottom + 38}' text-anchor='middle' fill='{MUTED}'>"
        f"{html.escape(axis)}</text>"
    )
    for number, (name, curve) in enumerate(curves.items()):
        parts += _curve([point(place, value) for place, value in enumerate(curve)], number)
        x = left + number * 150
        parts.append(f"{_mark(x + 6, 14, number)}<text x='{x + 18}' y='19'>{html.escape(name)}</text>")
    if lowest:
        last = list(curves.values())[-1]
        x, y = point(min(range(len(last)), key=lambda place: last[place]), min(last))
        parts.append(f"<circle cx='{x:.1f}' cy='{y:.1f}' r='9' fill='none' stroke='{INK}' stroke-width='1.6'/>")
    return _drawing(parts, bottom + 46, alternative)


def _curve(points: Sequence[tuple[float, float]], number: int) -> list[str]:
    """A line through points, each with its mark."""
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dash = " stroke-dasharray='7 4'" if number else ""
    line = f"<polyline points='{path}' fill='none' stroke='{GROUP_COLOURS[number]}' stroke-width='2'{dash}/>"
    return [line, *(_mark(x, y, number) for x, y in points)]


def _mark(x: float, y: float, number: int) -> str:
    """A filled circle for the first curve, a square for the second."""
    colour = GROUP_COLOURS[number]
    if number:
        return f"<rect x='{x - 4:.1f}' y='{y - 4:.1f}' width='8' height='8' fill='{colour}'/>"
    return f"<circle cx='{x:.1f}' cy='{y:.1f}' r='4.5' fill='{colour}'/>"


def _drawing(parts: Iterable[str], height: float, alternative: str) -> Drawing:
    svg = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {height:.0f}' width='{WIDTH}' "
        f"height='{height:.0f}' role='img' {_FONT} font-size='14' fill='{INK}'>{''.join(parts)}</svg>"
    )
    return Drawing(svg, alternative)
