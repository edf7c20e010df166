"""A network as one SVG for a document: its kinds of arcs by colour and dash, signs, widths, and a text alternative."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.graphs.drawing.arcs import INK, ArcStyle
from engine.graphs.drawing.boxes import LINE_HEIGHT, Box
from engine.graphs.drawing.labels import LETTER, text_width
from engine.graphs.drawing.layout import Point

MARGIN = 8.0
_SIGN = 6.5
"""Radius of the disc that carries a sign."""
_ALONG = (0.42, 0.5, 0.34, 0.58, 0.66, 0.27, 0.74, 0.2, 0.8)
"""Where on a line its sign may stand, the best place first: a little before the middle, where fewer lines cross."""


@dataclass(frozen=True)
class Line:
    """One edge as it is drawn: kind, width in pixels, and a sign beside its middle where it has one."""

    source: str
    target: str
    directed: bool
    style: ArcStyle
    width: float = 1.6
    sign: str = ""


class Frame(NamedTuple):
    """The part of the plane that a picture shows."""

    left: float
    top: float
    width: float
    height: float


def frame(places: Mapping[str, Point], boxes: Mapping[str, Box]) -> Frame:
    """What holds all boxes, with a margin.

    Parameters
    ----------
    places : name -> middle of its box
    boxes : name -> its box

    Returns
    -------
    the frame
    """
    left = min(x - boxes[name].width / 2 for name, (x, _) in places.items()) - MARGIN
    right = max(x + boxes[name].width / 2 for name, (x, _) in places.items()) + MARGIN
    top = min(y - boxes[name].height / 2 for name, (_, y) in places.items()) - MARGIN
    bottom = max(y + boxes[name].height / 2 for name, (_, y) in places.items()) + MARGIN
    return Frame(left, top, right - left, bottom - top)


def visible(source: str, target: str, places: Mapping[str, Point], boxes: Mapping[str, Box]) -> float:
    """Pixels of the line between two boxes that neither of them covers.

    Parameters
    ----------
    source, target : names of the boxes
    places, boxes : name -> the middle of its box, and the box

    Returns
    -------
    the length; 0 where they touch
    """
    (x, y), (u, v) = places[source], places[target]
    (a, b), (c, d) = _rim((x, y), (u, v), boxes[source]), _rim((u, v), (x, y), boxes[target])
    ahead = (c - a) * (u - x) + (d - b) * (v - y) > 0  # else the rims have passed one another
    return math.hypot(c - a, d - b) if ahead else 0.0


def panel_svg(
    lines: Sequence[Line],
    places: Mapping[str, Point],
    boxes: Mapping[str, Box],
    *,
    ident: str,
    title: str,
    description: str,
    width: float,
) -> str:
    """The network as an SVG element.

    Parameters
    ----------
    lines : its edges, each once
    places, boxes : name -> the middle of its box, and the box
    ident : what the ids in it begin with; no other element of the document may use it
    title, description : its text alternative
    width : of the picture in pixels

    Returns
    -------
    the element as text, every name escaped

    Examples
    --------
    >>> from engine.graphs.drawing.arcs import STYLES
    >>> from engine.graphs.drawing.boxes import boxes
    >>> line, places = Line("age", "cough", True, STYLES["only_a"]), {"age": (0.0, 0.0), "cough": (0.0, 80.0)}
    >>> found = dict(ident="n", title="North", description="One arc.", width=300)
    >>> panel_svg([line], places, boxes(places), **found).count("stroke-dasharray='9 5'")
    1
    """
    view = frame(places, boxes)
    colours = list(dict.fromkeys(line.style.colour for line in lines if line.directed))
    heads = "".join(
        f"<marker id='{ident}-{k}' viewBox='0 0 8 8' refX='7.5' refY='4' markerWidth='9' markerHeight='9' "
        f"markerUnits='userSpaceOnUse' orient='auto'><path d='M0 0.5 8 4 0 7.5z' fill='{colour}'/></marker>"
        for k, colour in enumerate(colours)
    )
    head = {colour: f" marker-end='url(#{ident}-{k})'" for k, colour in enumerate(colours)}
    drawn = [_line(line_value, places, boxes, head) for line_value in lines]
    signs = _signs(lines, places, boxes)
    return "".join(
        [
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='{view.left:.0f} {view.top:.0f} {view.width:.0f} "
            f"{view.height:.0f}' width='{width:.0f}' height='{width * view.height / view.width:.0f}' role='img' "
            f"aria-labelledby='{ident}-t {ident}-d' font-size='{LETTER:g}'>",
            f"<title id='{ident}-t'>{html.escape(title)}</title><desc id='{ident}-d'>{html.escape(description)}</desc>",
            f"<defs>{heads}</defs>" if heads else "",
            *drawn,
            *(_box(name, place, boxes[name]) for name, place in places.items()),
            *signs,
            "</svg>",
        ]
    )


def _line(line: Line, places: Mapping[str, Point], boxes: Mapping[str, Box], head: Mapping[str, str]) -> str:
    (x, y), (u, v) = _ends(line, places, boxes)
    dash = f" stroke-dasharray='{' '.join(map(str, line.style.dash))}'" if line.style.dash else ""
    end = head[line.style.colour] if line.directed else ""
    return (
        f"<line x1='{x:.1f}' y1='{y:.1f}' x2='{u:.1f}' y2='{v:.1f}' stroke='{line.style.colour}' "
        f"stroke-width='{line.width:.1f}'{dash}{end}/>"
    )


def _ends(line: Line, places: Mapping[str, Point], boxes: Mapping[str, Box]) -> tuple[Point, Point]:
    source, target = places[line.source], places[line.target]
    return _rim(source, target, boxes[line.source]), _rim(target, source, boxes[line.target])


def _signs(lines: Sequence[Line], places: Mapping[str, Point], boxes: Mapping[str, Box]) -> list[str]:
    """A disc with the sign on each line that has one, where it covers neither a name nor another disc."""
    taken: list[Point] = []
    result = []
    for line in lines:
        if not line.sign:
            continue
        (x, y), (u, v) = _ends(line, places, boxes)
        spots = [(x + share * (u - x), y + share * (v - y)) for share in _ALONG]
        a, b = max(spots, key=lambda spot: min(_room(spot, places, boxes, taken), 2.0))
        taken.append((a, b))
        result.append(
            f"<circle cx='{a:.1f}' cy='{b:.1f}' r='{_SIGN:g}' fill='#fff' stroke='{line.style.colour}'/>"
            f"<text x='{a:.1f}' y='{b + 4.5:.1f}' text-anchor='middle' fill='{line.style.colour}'>"
            f"{html.escape(line.sign)}</text>"
        )
    return result


def _room(spot: Point, places: Mapping[str, Point], boxes: Mapping[str, Box], taken: Sequence[Point]) -> float:
    """Pixels free around a disc; below 0 where it covers something."""
    x, y = spot
    free = [math.hypot(x - a, y - b) - 2 * _SIGN for a, b in taken]
    for name, (a, b) in places.items():
        across, down = abs(x - a) - boxes[name].width / 2, abs(y - b) - boxes[name].height / 2
        free.append(max(across, down) - _SIGN)
    return min(free)


def _box(name: str, place: Point, box: Box) -> str:
    x, y = place
    result = [
        f"<rect x='{x - box.width / 2:.1f}' y='{y - box.height / 2:.1f}' width='{box.width:.1f}' "
        f"height='{box.height:.1f}' rx='4' fill='#fff' stroke='#7D8993'/>"
    ]
    for line, text in enumerate(box.lines):
        down = y + LETTER * 0.35 + LINE_HEIGHT * (line - (len(box.lines) - 1) / 2)
        squeezed = ""
        if text_width(text) > box.width - 6:  # wide letters, such as Chinese ones, are pressed into the box
            squeezed = f" textLength='{box.width - 10:.0f}' lengthAdjust='spacingAndGlyphs'"
        result.append(
            f"<text x='{x:.1f}' y='{down:.1f}' text-anchor='middle' fill='{INK}'{squeezed}>{html.escape(text)}</text>"
        )
    return f"<g>{''.join(result)}</g>"


def _rim(box: Point, towards: Point, size: Box) -> Point:
    """Where the line from the middle of a box to another point leaves the box."""
    dx, dy = towards[0] - box[0], towards[1] - box[1]
    if not dx and not dy:
        return box
    share = min(
        size.width / 2 / abs(dx) if dx else math.inf,
        size.height / 2 / abs(dy) if dy else math.inf,
        1.0,
    )
    return box[0] + dx * share, box[1] + dy * share
