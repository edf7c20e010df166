"""A network as one SVG, for notebooks and documents: nothing to click, nothing loaded.

Colour and dash of a kind of arc say the same thing twice, so no meaning rests on colour alone.
"""

from __future__ import annotations

import html
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.graphs.drawing.labels import LETTER, LINE_HEIGHT, Box, box_sizes, label, text_width
from engine.graphs.drawing.layers import HEIGHT
from engine.graphs.drawing.layout import Point, layout
from engine.lazy import nx
from engine.notebook import LINE, notebook_bundle

MARGIN = 8.0
_SIGN = 6.5
"""Radius of the disc that carries a sign."""
_ALONG = (0.42, 0.5, 0.34, 0.58, 0.66, 0.27, 0.74, 0.2, 0.8)
"""Where on a line its sign may stand, the best place first: a little before the middle, where fewer lines cross."""
INK, MUTED, RIM, PAPER, DIFFERS = "#1C2733", "#5B6770", "#7D8993", "#fff", "#DD8432"
"""Of letters, of arcs that are nothing special, of the rims of boxes, inside these, and inside of what differs."""


@dataclass(frozen=True)
class ArcStyle:
    """Colour and dash of one kind of arc, what a legend calls it, and the sign on a line that is no sure link.

    `words` may name `{a}` and `{b}`, the titles of the two networks that are compared.
    """

    colour: str
    dash: tuple[int, ...]
    words: str
    sign: str = ""


HEADLESS = "a line without a head: its direction is not known"
"""What a legend says where some lines have heads and some have none."""
STYLES: dict[str, ArcStyle] = {
    "same": ArcStyle(MUTED, (), "in both"),
    "only_a": ArcStyle("#00507F", (9, 5), "only in {a}"),
    "only_b": ArcStyle("#2C7A6B", (2, 4), "only in {b}"),
    "reversed": ArcStyle("#8E3A76", (11, 4, 2, 4), "runs the other way in the other network"),
    "neither": ArcStyle("#7A6A00", (3, 7), "in neither of the two"),
    "unclear": ArcStyle("#6B7780", (6, 6), "?  not clear whether in both", "?"),
    "kept": ArcStyle(MUTED, (), "in both: not shown to fall away for this patient"),
    "dropped": ArcStyle("#C02B2B", (9, 6), "does not apply to this patient"),
    "added": ArcStyle("#00805A", (2, 4), "only for this patient"),
    "turned": ArcStyle("#8E3A76", (11, 4, 2, 4), "turned round for this patient"),
    "linked": ArcStyle("#4D6A80", (), "a link"),
    "only with others held fixed": ArcStyle("#4D6A80", (3, 4), "*  only with others held fixed, not overall", "*"),
    "may come from the cut": ArcStyle("#7B8B98", (4, 4), "?  a link that may come from the cut of numbers", "?"),
    "positive": ArcStyle("#17557E", (), "+  one rises with the other"),
    "negative": ArcStyle("#A3195B", (9, 5), "−  one falls as the other rises"),
    "unsure": ArcStyle("#87919A", (2, 4), "?  its sign is not clear", "?"),
    "differs": ArcStyle(DIFFERS, (), "a difference beyond chance"),
    "differs_undrawn": ArcStyle(DIFFERS, (8, 5), "a difference beyond chance, in neither network"),
    "unseen": ArcStyle("#87919A", (1, 6), "no difference beyond chance"),
    "shared": ArcStyle(MUTED, (), "in {a} as well"),
    "beside": ArcStyle("#00805A", (2, 4), "not in {a}"),
    "more_neither": ArcStyle(MUTED, (), "no clear difference in size"),
    "more_a": ArcStyle("#00507F", (9, 5), "shifts more in {a}"),
    "more_b": ArcStyle("#2C7A6B", (2, 4), "shifts more in {b}"),
    "turns": ArcStyle("#8E3A76", (11, 4, 2, 4), "turns its direction between {a} and {b}"),
    "more_unknown": ArcStyle("#6B7780", (6, 6), "?  size of the shift not known", "?"),
    "plain": ArcStyle(MUTED, (), "an arc"),
}
"""Status of an arc -> its style, in the order in which legends name them. The hues are those of Okabe and Ito's
palette, darkened where thin lines need contrast on white; of two sides one is darker, for copies in grey."""


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


def frame(positions: Mapping[str, Point], boxes: Mapping[str, Box]) -> Frame:
    """The view that holds all boxes, with a margin; `places` are their middles."""
    left = min(x - boxes[name].width / 2 for name, (x, _) in positions.items()) - MARGIN
    right = max(x + boxes[name].width / 2 for name, (x, _) in positions.items()) + MARGIN
    top = min(y - boxes[name].height / 2 for name, (_, y) in positions.items()) - MARGIN
    bottom = max(y + boxes[name].height / 2 for name, (_, y) in positions.items()) + MARGIN
    return Frame(left, top, right - left, bottom - top)


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
    sizes = box_sizes(places or graph.nodes)
    places = places or layout([graph], sizes=sizes)
    if not places:
        return "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='1'></svg>"
    boxes = {name: Box(tuple(label(name).split("\n")), size, HEIGHT) for name, size in sizes.items()}
    lines = []
    for source, target in graph.edges:
        both = graph.is_directed() and graph.has_edge(target, source)
        if not both or source <= target:  # an edge without a direction is drawn once
            lines.append(Line(source, target, graph.is_directed() and not both, STYLES["plain"]))
    width_at_most = min(width, frame(places, boxes).width)
    return draw_network(lines, places, boxes, ident="network", width=width_at_most)


def graph_bundle(graph: nx.Graph, text: str) -> dict[str, str]:
    """A network for a notebook: a line of text and the picture, in a frame that asks nothing of any host.

    Examples
    --------
    >>> import networkx as nx
    >>> graph_bundle(nx.DiGraph([("age", "cough")]), "one arc")["text/plain"]
    'one arc'
    """
    places = layout([graph], sizes=box_sizes(graph.nodes))
    heights = [y for _, y in places.values()] or [0.0]
    markup = f"<p>{html.escape(text)}</p><div><figure>{to_svg(graph, places)}</figure></div>"
    return notebook_bundle(text, markup, max(heights) - min(heights) + 2 * HEIGHT + LINE)


def draw_network(
    lines: Sequence[Line],
    positions: Mapping[str, Point],
    boxes: Mapping[str, Box],
    *,
    ident: str,
    width: float,
    title: str = "",
    description: str = "",
    differing: Collection[str] = (),
) -> str:
    """The network as an SVG element, every name escaped; ids in it begin with `ident`; what differs is marked.

    With a title and a description, its text alternative, it takes the font of its document; without it has its own.

    Examples
    --------
    >>> from engine.graphs.drawing.labels import boxes
    >>> line, places = Line("age", "cough", True, STYLES["only_a"]), {"age": (0.0, 0.0), "cough": (0.0, 80.0)}
    >>> draw_network([line], places, boxes(places), ident="n", width=300).count("stroke-dasharray='9 5'")
    1
    """
    view = frame(positions, boxes)
    colours = list(dict.fromkeys(line.style.colour for line in lines if line.directed))
    heads = "".join(
        f"<marker id='{ident}-{k}' viewBox='0 0 8 8' refX='7.5' refY='4' markerWidth='9' markerHeight='9' "
        f"markerUnits='userSpaceOnUse' orient='auto'><path d='M0 0.5 8 4 0 7.5z' fill='{colour}'/></marker>"
        for k, colour in enumerate(colours)
    )
    head = {colour: f" marker-end='url(#{ident}-{k})'" for k, colour in enumerate(colours)}
    about, words = "font-family='sans-serif'", ""
    if title:
        about = f"aria-labelledby='{ident}-t {ident}-d'"
        words = f"<title id='{ident}-t'>{html.escape(title)}</title>"
        words += f"<desc id='{ident}-d'>{html.escape(description)}</desc>"
    return "".join(
        [
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='{view.left:.0f} {view.top:.0f} {view.width:.0f} "
            f"{view.height:.0f}' width='{width:.0f}' height='{width * view.height / view.width:.0f}' role='img' "
            f"{about} font-size='{LETTER:g}'>{words}",
            f"<defs>{heads}</defs>" if heads else "",
            *(_line(line, positions, boxes, head) for line in lines),
            *(_box(name, place, boxes[name], name in differing) for name, place in positions.items()),
            *_signs(lines, positions, boxes),
            "</svg>",
        ]
    )


def _line(line: Line, positions: Mapping[str, Point], boxes: Mapping[str, Box], head: Mapping[str, str]) -> str:
    (x, y), (u, v) = line_ends(line, positions, boxes)
    dash = f" stroke-dasharray='{' '.join(map(str, line.style.dash))}'" if line.style.dash else ""
    end = head[line.style.colour] if line.directed else ""
    return (
        f"<line x1='{x:.1f}' y1='{y:.1f}' x2='{u:.1f}' y2='{v:.1f}' stroke='{line.style.colour}' "
        f"stroke-width='{line.width:.1f}'{dash}{end}/>"
    )


def line_ends(line: Line, positions: Mapping[str, Point], boxes: Mapping[str, Box]) -> tuple[Point, Point]:
    """Where a line leaves the box of its source, and where it meets that of its target."""
    source, target = positions[line.source], positions[line.target]
    return _rim(source, target, boxes[line.source]), _rim(target, source, boxes[line.target])


def sign_places(
    lines: Sequence[Line], positions: Mapping[str, Point], boxes: Mapping[str, Box]
) -> list[tuple[Line, Point]]:
    """Each line that has a sign, and where on it the sign covers neither a name nor another sign."""
    result: list[tuple[Line, Point]] = []
    for line in lines:
        if line.sign:
            (x, y), (u, v) = line_ends(line, positions, boxes)
            spots = [(x + share * (u - x), y + share * (v - y)) for share in _ALONG]
            taken = [place for _, place in result]
            rooms = [min(_room(spot, positions, boxes, taken), 2.0) for spot in spots]
            result.append((line, spots[rooms.index(max(rooms))]))
    return result


def _signs(lines: Sequence[Line], positions: Mapping[str, Point], boxes: Mapping[str, Box]) -> list[str]:
    """A disc with the sign on each line that has one."""
    return [
        f"<circle cx='{a:.1f}' cy='{b:.1f}' r='{_SIGN:g}' fill='{PAPER}' stroke='{line.style.colour}'/>"
        f"<text x='{a:.1f}' y='{b + 4.5:.1f}' text-anchor='middle' fill='{line.style.colour}'>"
        f"{html.escape(line.sign)}</text>"
        for line, (a, b) in sign_places(lines, positions, boxes)
    ]


def _room(spot: Point, positions: Mapping[str, Point], boxes: Mapping[str, Box], taken: Sequence[Point]) -> float:
    """Pixels free around a disc; below 0 where it covers something."""
    x, y = spot
    free = [math.hypot(x - a, y - b) - 2 * _SIGN for a, b in taken]
    for name, (a, b) in positions.items():
        across, down = abs(x - a) - boxes[name].width / 2, abs(y - b) - boxes[name].height / 2
        free.append(max(across, down) - _SIGN)
    return min(free)


def _box(name: str, place: Point, box: Box, differs: bool) -> str:
    x, y = place
    fill, rim = (DIFFERS, INK) if differs else (PAPER, RIM)
    result = [
        f"<rect x='{x - box.width / 2:.1f}' y='{y - box.height / 2:.1f}' width='{box.width:.1f}' "
        f"height='{box.height:.1f}' rx='4' fill='{fill}' stroke='{rim}'/>"
    ]
    if differs:
        corner = f"{x + box.width / 2 - 11:.1f} {y - box.height / 2 + 9:.1f}"
        result.append(f"<path d='M{corner}l3.5 -6l3.5 6z' fill='{INK}'/>")
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
