"""A network as one small SVG, for notebooks and reports: nothing to click, nothing loaded."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.graphs.drawing.labels import box_sizes, label
from engine.graphs.drawing.layout import Point, layout

if TYPE_CHECKING:
    import networkx as nx

HALF = 17.0
"""Half the height of a box in pixels."""


def to_svg(graph: nx.Graph, places: Mapping[str, Point] | None = None, width: int = 420) -> str:
    """The network as an SVG element.

    Parameters
    ----------
    graph : a networkx graph
    places : name -> middle of its box; laid out anew where None
    width : of the picture in pixels at most; it is drawn smaller, never larger

    Returns
    -------
    the element as text, names escaped

    Examples
    --------
    >>> import networkx as nx
    >>> picture = engine.graphs.to_svg(nx.DiGraph([("age", "cough")]))
    >>> picture.count("<rect"), picture.count("<line")
    (2, 1)
    """
    places = places or layout([graph], sizes=box_sizes(graph.nodes))
    if not places:
        return "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'></svg>"
    halves = {name: size / 2 for name, size in box_sizes(places).items()}
    left = min(x - halves[name] for name, (x, _) in places.items()) - 6
    right = max(x + halves[name] for name, (x, _) in places.items()) + 6
    top, bottom = min(y for _, y in places.values()) - HALF - 6, max(y for _, y in places.values()) + HALF + 6
    across, down = right - left, bottom - top
    lines = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='{left:.0f} {top:.0f} {across:.0f} {down:.0f}' "
        f"width='{min(width, across):.0f}' role='img' font-family='sans-serif' font-size='12'>",
        "<defs><marker id='to' viewBox='0 0 8 8' refX='8' refY='4' markerWidth='7' markerHeight='7' orient='auto'>"
        "<path d='M0 0 8 4 0 8z'/></marker></defs>",
    ]
    for source, target in graph.edges:
        if graph.is_directed() and graph.has_edge(target, source) and source > target:
            continue  # an edge without a direction, drawn once
        arrow = graph.is_directed() and not graph.has_edge(target, source)
        (x, y), (u, v) = places[source], _rim(places[target], places[source], halves[target])
        end = " marker-end='url(#to)'" if arrow else ""
        lines.append(f"<line x1='{x:.0f}' y1='{y:.0f}' x2='{u:.0f}' y2='{v:.0f}' stroke='#555'{end}/>")
    for name, (x, y) in places.items():
        half = halves[name]
        lines.append(
            f"<rect x='{x - half:.0f}' y='{y - HALF:.0f}' width='{2 * half:.0f}' height='{2 * HALF:.0f}' rx='4' "
            "fill='#fff' stroke='#8a96a0'/>"
        )
        words = label(name).split("\n")
        for line, text in enumerate(words):
            height = y + 4 + 14 * (line - (len(words) - 1) / 2)
            lines.append(f"<text x='{x:.0f}' y='{height:.0f}' text-anchor='middle'>{html.escape(text)}</text>")
    return "".join([*lines, "</svg>"])


def _rim(box: Point, towards: Point, half: float) -> Point:
    """Where the line from the middle of a box to another point leaves the box."""
    dx, dy = towards[0] - box[0], towards[1] - box[1]
    if not dx and not dy:
        return box
    share = min(half / abs(dx) if dx else math.inf, HALF / abs(dy) if dy else math.inf, 1.0)
    return box[0] + dx * share, box[1] + dy * share
