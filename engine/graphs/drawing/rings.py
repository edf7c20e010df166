"""Items as rings on a plane: how much of each is explained, which scale it is of, and signed links between them.

One drawing for the screen and for a paper: an SVG whose letters do not cover lines' ends. A link's sign is said by
colour and dash, its size by its width; a scale by colour and shape.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.graphs.drawing.clearing import Boxes, eased
from engine.graphs.drawing.courses import Course, course, pieces, towards
from engine.graphs.drawing.labels import LETTER, text_width, wrapped, wrapped_apart
from engine.graphs.drawing.layers import Shape, crosses
from engine.graphs.drawing.layout import Point, layout, push_apart
from engine.graphs.drawing.svg import INK, STYLES
from engine.lazy import nx

FONT = 12.0
"""Pixels of a letter."""
RADIUS, STROKE = 11.5, 4.5
_RIM = RADIUS + STROKE / 2
_HEIGHT = 2 * _RIM + FONT + 8
"""Pixels of a ring with its label below."""
_MARGIN, _GAP = 10.0, 5.0
_TRACK, PAPER = "#D5DBE1", "#FFFFFF"
SCALE_COLOURS = ("#2C7A6B", "#17557E", "#8A4B08", "#7A3B8F")
"""Of up to four scales; shapes say the same: circle, square, triangle, diamond."""
SHAPES, NO_SCALE = ("circle", "square", "triangle", "diamond"), "#5B6770"
_GREY = {"positive": INK, "negative": "#5B6770"}
_PALE, _VEIL = 0.55, 0.6
"""How opaque a pale link is, and the paper behind a label."""
_HEAD, _HEAD_HALF = 9.5, 4.4
"""Pixels of an arrow head: how long, and half as wide."""
_SIZES = (1.0, 1.07, 1.14, 1.21, 1.28, 1.35, 1.42, 1.5)
_LARGER_FOR_LINES = 1.14
"""Times the room that is asked for: the first at which no label covers anything, and up to which no link runs through
one either."""
_AROUND, _CHOICES = 16, 4
"""Places around a ring for its label, near and a little farther; how often each label chooses one."""
_FARTHER = np.concatenate([np.arange(4), *(5 + 45 * away + 0.5 * np.arange(_AROUND) for away in range(3))])
"""What each place costs by itself: those farther away leave open whose label it is."""
_BETWEEN = 5.0
"""Pixels between two labels, one above the other, within which they seem to be one."""
_NEAR = 6.0
"""Pixels from another ring within which a label seems to be that one's."""
_BESIDE_LINE = np.array([-2.0, -2.0, 2.0, 2.0])
"""Pixels around a label within which a line, which has a width, seems to run through it."""
_PASSING = _RIM + 5
"""Pixels from a ring's middle at which a line seems to pass it."""
_UNSEEN, _CLEAR = 0.05, 6.0
"""What a line counts that is not seen at first, and one that is clear, beside a pale one."""
_SHOWN = 450.0
"""Pixels across that a small screen shows whole, with letters that can be read."""
_OVERLAP, _ASTRAY, _LINE, _BEYOND = 500.0, 300.0, 20.0, 0.8
"""What it costs that a label covers anything, stands nearer to another ring, that a pale line runs through it, and each
pixel by which it makes a picture wider that a small screen does not show whole."""
LABEL, _CLOSE = 15, 66.0
"""Letters of a line of a label, of which there are two at most; pixels of one that keep others away."""
_MOST_LINES, _FEW = 4, 20
"""Lines of a label that has them already, since it would read like another; rings up to which others have three."""


@dataclass(frozen=True)
class Ring:
    """One item.

    Attributes
    ----------
    name : of the variable
    label : what stands beside it; in its own lines where it has some
    share : of its variance that is explained, 0 to 1; below 0 where it is not known
    scale : number of its scale, None where it has none
    words : its tooltip
    """

    name: str
    label: str
    share: float
    scale: int | None = None
    words: str = ""


@dataclass(frozen=True)
class RingLink:
    """One link.

    Attributes
    ----------
    source, target : names
    value : partial correlation
    directed : an arrow to the target
    pale : whether it may be 0, or does not return
    words : its tooltip
    status : a key of `STYLES`; that of its sign where it is empty
    width : pixels; by its value where it is 0
    """

    source: str
    target: str
    value: float
    directed: bool = False
    pale: bool = False
    words: str = ""
    status: str = ""
    width: float = 0.0


class _Area(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float


def place_by_springs(
    rings: Sequence[Ring],
    links: Sequence[RingLink],
    room: float,
    height: float,
    others: Sequence[RingLink] = (),
) -> dict[str, Point]:
    """Where rings stand so that strongly linked ones are near (Kamada & Kawai 1989), no label covering anything.

    Parameters
    ----------
    rings, links : what is drawn; pale links pull nothing
    room, height : pixels that the picture may be wide and high; a crowd gets somewhat more
    others : links that are drawn on the same places and pull nothing
    """
    graph = nx.Graph()
    graph.add_nodes_from(ring.name for ring in rings)
    for link in links:
        if not link.pale:
            graph.add_edge(link.source, link.target, length=1.5 - abs(link.value))
    if len(rings) < 2:
        return {ring.name: (0.0, 0.0) for ring in rings}
    length = {name: dict(near) for name, near in nx.all_pairs_dijkstra_path_length(graph, weight="length")}
    farthest = max(max(near.values()) for near in length.values())
    apart = max(0.6 * farthest, 2.0)  # of what is not connected
    away = {a: {b: length[a].get(b, apart) for b in graph} for a in graph}
    start = nx.circular_layout(graph)
    places = nx.kamada_kawai_layout(graph, dist=away, pos=start)
    at = np.array([places[ring.name] for ring in rings])
    at = _turned_to_fit(at, room / height)
    widths = np.array([_width(ring) for ring in rings])
    room_of_middles = np.array([room - widths.max(), height - _HEIGHT])
    number = {ring.name: k for k, ring in enumerate(rings)}
    lines = [(number[link.source], number[link.target]) for link in (*links, *others)]
    x, y = (_spanning(at) * room_of_middles).T
    x, y = push_apart(x, y, widths, _HEIGHT, _GAP)
    x, y = Boxes(x, y, widths, _HEIGHT, lines, Shape(room / height, room), gap=(_GAP, _GAP)).cleared()
    at = _spanning(np.column_stack([x, y]))

    def judged(found: Mapping[str, Point]) -> tuple[tuple[int, ...], list[str]]:
        """What is bad in a picture, links before the others; and the rings, those whose labels are crossed first."""
        labels = [_LabelPlaces(rings, drawn, found) for drawn in (links, others)]
        concerned = dict.fromkeys([name for one in labels for name in one.crossed])
        bad = max(one.covering for one in labels), *(len(one.crossed) for one in labels)
        return bad, list(dict.fromkeys([*concerned, *found]))

    best: tuple[tuple[int, ...], dict[str, Point]] | None = None
    for larger in _SIZES:
        x, y = (at * larger * room_of_middles).T
        x, y = push_apart(x, y, widths, _HEIGHT, _GAP)
        found = {ring.name: (float(x[k]), float(y[k])) for k, ring in enumerate(rings)}
        bad, _ = judged(found)
        if best is None or bad < best[0]:
            best = bad, found
        if not bad[0] and (not any(bad[1:]) or larger >= _LARGER_FOR_LINES):
            break
    return eased(best[1], judged, _HEIGHT) if best is not None else {}


def _spanning(at: np.ndarray) -> np.ndarray:
    """The places stretched from 0 to 1 either way."""
    return np.asarray((at - at.min(axis=0)) / np.maximum(np.ptp(at, axis=0), 1e-9))


def _turned_to_fit(at: np.ndarray, aspect: float) -> np.ndarray:
    """The places turned so that their longest way lies along the picture's."""
    at = at - at.mean(axis=0)
    _, _, axes = np.linalg.svd(at, full_matrices=False)
    turned = at @ (axes.T if aspect >= 1 else axes[::-1].T)
    return np.asarray(turned * np.sign(turned[np.abs(turned).argmax(axis=0), [0, 1]]))  # so that equal ones look alike


def place_in_layers(rings: Sequence[Ring], links: Sequence[RingLink], room: float) -> dict[str, Point]:
    """Where rings stand in layers, arrows pointing down.

    Parameters
    ----------
    rings, links : what is drawn
    room : pixels that the picture may be wide
    """
    graph = nx.DiGraph()
    graph.add_nodes_from(ring.name for ring in rings)
    for link in links:
        graph.add_edge(link.source, link.target)
        if not link.directed:
            graph.add_edge(link.target, link.source)
    return layout([graph], sizes={ring.name: _width(ring) for ring in rings}, height=_HEIGHT, room=room)


def place_in_circle(rings: Sequence[Ring], room: float, height: float) -> dict[str, Point]:
    """Where rings stand on an ellipse, scale by scale from the top on.

    Parameters
    ----------
    rings : what is drawn
    room, height : pixels that the picture may be wide and high
    """
    order = sorted(rings, key=lambda ring: (ring.scale is None, ring.scale or 0))
    widest = max(map(_width, rings), default=0.0)
    beside = _RIM + _GAP + max((_label_size(ring.label)[0] for ring in rings), default=0.0)
    across = min((room - widest) / 2 - _RIM, _LARGER_FOR_LINES * room / 2 - beside)
    down = (height - _HEIGHT) / 2
    turns = np.linspace(-math.pi / 2, 1.5 * math.pi, 721)
    x, y = across * np.cos(turns), down * np.sin(turns)
    way = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))])  # neighbours are equally far apart
    at = way[-1] * np.arange(len(order)) / max(len(order), 1)
    places = zip(np.interp(at, way, x).tolist(), np.interp(at, way, y).tolist(), strict=True)
    return {ring.name: place for ring, place in zip(order, places, strict=True)}


def draw_rings(
    rings: Sequence[Ring],
    links: Sequence[RingLink],
    positions: Mapping[str, Point],
    *,
    ident: str,
    title: str,
    scales: Sequence[str] = (),
    grey: bool = False,
    legend: bool = False,
    least: float = 0.0,
    pale: str = "not clear",
) -> str:
    """The picture as an SVG element, every name escaped; ids in it begin with `ident`.

    Parameters
    ----------
    rings, links : what is drawn
    positions : name -> middle of the ring
    ident : begins ids
    title : the text alternative
    scales : what the scales are called, for the legend
    grey : in shades of grey, which dashes and shapes tell apart
    legend : whether a line below says what is what
    least : size from which lines are seen at first; labels give way to smaller ones less
    pale : what the legend says of pale links

    Examples
    --------
    >>> rings = [Ring("a", "a", 0.4), Ring("b", "b", 0.2)]
    >>> places = {"a": (0.0, 0.0), "b": (90.0, 0.0)}
    >>> draw_rings(rings, [RingLink("a", "b", -0.4)], places, ident="r", title="two").count("stroke-dasharray='9 5'")
    1
    """
    found = _LabelPlaces(rings, links, positions, least)
    labels = found.areas
    areas = [*labels.values(), *(_disc(positions[ring.name]) for ring in rings)]
    left, top = (min(area[k] for area in areas) - _MARGIN for k in (0, 1))
    right, bottom = (max(area[k] for area in areas) + _MARGIN for k in (2, 3))
    entries = _legend(rings, links, scales, grey, pale) if legend else []
    rows = legend_rows(entries, left, right)
    bottom += (_MARGIN + (FONT + 8) * (1 + max(row for _, row, _ in rows))) if rows else 0.0
    thin = any(link.directed for link in links)
    by_size = sorted(zip(links, found.courses, strict=True), key=lambda pair: abs(pair[0].value))
    number = {ring.name: place for place, ring in enumerate(rings)}
    return "".join(
        [
            f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='{left:.0f} {top:.0f} {right - left:.0f} "
            f"{bottom - top:.0f}' width='{right - left:.0f}' height='{bottom - top:.0f}' role='img' "
            f"aria-labelledby='{ident}-t' font-family='sans-serif' font-size='{FONT:g}'>",
            f"<title id='{ident}-t'>{html.escape(title)}</title>",
            *(_link(link, way, number, grey, thin=thin) for link, way in by_size),
            *(_ring(ring, positions[ring.name], labels[ring.name], number[ring.name], grey) for ring in rings),
            *(entry.replace("@", f"translate({x:.1f} {bottom - _MARGIN - (FONT + 8) * (rows[-1][1] - row):.1f})")
              for x, row, entry in rows),
            "</svg>",
        ]
    )  # fmt: skip


def _width(ring: Ring) -> float:
    """Pixels that a ring takes beside others; its label may stand at a side, where there is more room."""
    return max(2 * _RIM, min(_label_size(ring.label)[0], _CLOSE)) + 8


def _label_size(label: str) -> tuple[float, float]:
    """Pixels that a label is wide and high."""
    rows = _rows(label)
    return max(text_width(row) for row in rows) * FONT / LETTER, FONT * (1.1 * len(rows) - 0.1)


def labels_apart(labels: Iterable[str]) -> dict[str, str]:
    """Label -> its lines beside a ring, one more where there are few; no two read alike."""
    texts = {label: " ".join(label.split()) or "(no name)" for label in labels}
    rows = wrapped_apart(dict.fromkeys(texts.values()), LABEL, 3 if len(texts) <= _FEW else 2)
    return {label: rows[text] for label, text in texts.items()}


def _rows(label: str) -> list[str]:
    if "\n" in label:
        return [" ".join(row.split()) for row in label.split("\n")][:_MOST_LINES]
    return wrapped(" ".join(label.split()) or "(no name)", LABEL, 2).split("\n")


class _LabelPlaces:
    """Where labels stand beside their rings: nearer to no other ring; they cover no ring, no head, no other label.

    They cover as few lines as can be. The longest choose first; then all choose again a few times, the others being
    where they are.
    """

    def __init__(
        self,
        rings: Sequence[Ring],
        links: Sequence[RingLink],
        positions: Mapping[str, Point],
        least: float = 0.0,
    ) -> None:
        places = [np.array(_sides(positions[ring.name], *_label_size(ring.label))) for ring in rings]
        discs = np.array([_disc(positions[ring.name]) for ring in rings]).reshape(-1, 4)
        middles = np.array([positions[ring.name] for ring in rings]).reshape(-1, 2)
        self.courses = [
            course(positions[link.source], positions[link.target], others, _PASSING)
            for link in links
            for others in ([at for name, at in positions.items() if name not in (link.source, link.target)],)
        ]
        drawn = [pair for pair in zip(links, self.courses, strict=True) if math.dist(pair[1][0], pair[1][2]) > 2 * _RIM]
        heads = np.array([_head(way) for link, way in drawn if link.directed]).reshape(-1, 3, 2)
        boxes = np.concatenate([heads.min(axis=1) - 1, heads.max(axis=1) + 1], axis=1)
        lines = pieces([way for _, way in drawn])
        unseen = np.array([abs(link.value) < least for link, _ in drawn], dtype=bool)
        weights = np.where(unseen, _UNSEEN, [_CLEAR if link.directed or not link.pale else 1.0 for link, _ in drawn])
        left, right = middles[:, 0].min(initial=np.inf), middles[:, 0].max(initial=-np.inf)
        half = max((right - left) / 2 + max(map(_width, rings), default=0.0) / 2, _SHOWN / 2 - _MARGIN)
        costs = []
        for k, own in enumerate(places):
            through = crosses(own + _BESIDE_LINE, lines.reshape(-1, 4))
            taken = np.concatenate([np.delete(discs, k, axis=0), boxes])
            near = _covers(own + np.array([-_NEAR, -_NEAR, _NEAR, _NEAR]), np.delete(discs, k, axis=0))
            to_edge = _distances(own, middles)
            to_middle = _distances((own[:, [0, 1, 0, 1]] + own[:, [2, 3, 2, 3]]) / 2, middles)
            beyond = np.maximum(np.abs(own[:, [0, 2]] - (left + right) / 2) - half, 0).sum(axis=1)
            costs.append(
                _FARTHER
                + _BEYOND * beyond
                + _LINE * (near > 0).sum(axis=1)
                + _ASTRAY * (to_edge.min(axis=1) < to_edge[:, k])
                + _LINE * (to_middle.min(axis=1) < to_middle[:, k])
                + _covers(own, taken).sum(axis=1)
                + _LINE * through.reshape(len(own), *lines.shape[:2]).any(axis=2) @ weights
            )
        order = sorted(range(len(rings)), key=lambda k: -_label_size(rings[k].label)[0])
        chosen: dict[int, int] = {}
        totals: dict[int, float] = {}
        for _ in range(_CHOICES):
            for k in order:
                labels = np.array([places[other][side] for other, side in chosen.items() if other != k]).reshape(-1, 4)
                close = _covers(places[k], labels + np.array([0, -_BETWEEN, 0, _BETWEEN])) > 0
                total = costs[k] + _covers(places[k], labels).sum(axis=1) + _LINE * close.sum(axis=1)
                chosen[k] = int(np.argmin(total))
                totals[k] = float(total[chosen[k]])
        self.areas = {ring.name: _Area(*map(float, places[k][chosen[k]])) for k, ring in enumerate(rings)}
        self.covering = sum(total >= _OVERLAP for total in totals.values())
        self.crossed = [rings[k].name for k, total in totals.items() if total >= 3 * _LINE]


def _disc(at: Point) -> _Area:
    return _Area(at[0] - _RIM, at[1] - _RIM, at[0] + _RIM, at[1] + _RIM)


def _sides(at: Point, wide: float, high: float) -> list[_Area]:
    """Where a label may stand: below, above, right and left of its ring, then around it, near and a little farther."""
    (x, y), reach = at, _RIM + 3
    result = [(x - wide / 2, y + reach - 1), (x - wide / 2, y - reach - high)]
    result += [(x + _RIM + _GAP, y - high / 2), (x - _RIM - _GAP - wide, y - high / 2)]
    for away in (reach, reach + 7, reach + 14):
        for k in range(_AROUND):
            turn = 2 * math.pi * (k + 0.5) / _AROUND
            u, v = math.cos(turn), math.sin(turn)
            # the middle of a label whose side touches the circle there
            result.append((x + away * u + wide / 2 * (_side(u) - 1), y + away * v + high / 2 * (_side(v) - 1)))
    return [_Area(left, top, left + wide, top + high) for left, top in result]


def _side(share: float) -> float:
    """-1, 0 or 1 in steps that are smooth enough: where along its own side a label touches its ring."""
    return max(-1.0, min(1.0, 1.8 * share))


def _covers(areas: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(areas, others) what it costs that two have pixels in common; the least overlap costs more than a few lines."""
    a, b = areas[:, None, :], others[None, :, :]
    across = np.minimum(a[..., 2], b[..., 2]) - np.maximum(a[..., 0], b[..., 0])
    down = np.minimum(a[..., 3], b[..., 3]) - np.maximum(a[..., 1], b[..., 1])
    return np.where((across > 0) & (down > 0), _OVERLAP + 10 * across * down, 0.0)


def _distances(areas: np.ndarray, points: np.ndarray) -> np.ndarray:
    """(areas, points) pixels from the nearest place of an area to a point."""
    low, high = areas[:, None, :2] - points, points - areas[:, None, 2:]
    return np.asarray(np.hypot(*np.moveaxis(np.maximum(np.maximum(low, high), 0), -1, 0)))


def _sign(link: RingLink) -> str:
    return link.status or ("negative" if link.value < 0 else "positive")


def _ink(sign: str, grey: bool) -> str:
    return _GREY.get(sign, NO_SCALE) if grey else STYLES[sign].colour


def _link(link: RingLink, way: Course, number: Mapping[str, int], grey: bool, *, thin: bool) -> str:
    a, aside, b = way
    length = math.dist(a, b)
    if length <= 2 * _RIM:
        return ""
    short = min(_HEAD, length - 2 * _RIM) if link.directed else 0.0
    rim, neck = towards(a, aside, _RIM), towards(b, aside, _RIM + 1 + short)
    ink, sign = _ink(_sign(link), grey), _sign(link)
    width = link.width or (0.8 + 4 * abs(link.value) if thin else 0.5 + 10 * abs(link.value))
    pale = f" stroke-opacity='{_PALE}'" if link.pale else ""
    head = ""
    if link.directed:  # a shape of its own: not every reader of SVG knows markers
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in _head(way))
        head = f"<polygon points='{points}' fill='{ink}'{pale.replace('stroke', 'fill')}/>"
    kind = f"{sign} pale" if link.pale else sign
    drawn = f"d='M{rim[0]:.1f} {rim[1]:.1f}Q{aside[0]:.1f} {aside[1]:.1f} {neck[0]:.1f} {neck[1]:.1f}' fill='none'"
    return (
        f"<g class='rings-link' data-a='{number[link.source]}' data-b='{number[link.target]}' "
        f"data-size='{abs(link.value):.3f}' data-kind='{kind}'><title>{html.escape(link.words)}</title>"
        f"<path {drawn} stroke='none' stroke-width='{max(width, 12):.1f}' pointer-events='stroke'/>"
        f"<path {drawn} stroke='{ink}' stroke-width='{width:.1f}'{_dash(sign)}{pale}/>{head}</g>"
    )


def _head(way: Course) -> tuple[Point, Point, Point]:
    """The tip of an arrow and the two corners behind it."""
    start, aside, end = way
    tip = towards(end, aside, _RIM + 1)
    u, v = towards(end, aside, _RIM + 1 + min(_HEAD, math.dist(start, end) - 2 * _RIM))
    long = math.dist(tip, (u, v)) or 1.0
    x, y = _HEAD_HALF * (tip[0] - u) / long, _HEAD_HALF * (tip[1] - v) / long
    return tip, (u + y, v - x), (u - y, v + x)


def _ring(ring: Ring, at: Point, area: _Area, number: int, grey: bool) -> str:
    x, y = at
    middle, rows = (area.left + area.right) / 2, _rows(ring.label)
    texts = "".join(
        f"<tspan x='{middle:.1f}' y='{area.bottom - 2.5 - 1.1 * FONT * (len(rows) - 1 - row):.1f}'>"
        f"{html.escape(text)}</tspan>"
        for row, text in enumerate(rows)
    )
    return (
        f"<g class='rings-node' data-node='{number}'><title>{html.escape(ring.words)}</title>"
        f"<rect x='{area.left:.1f}' y='{area.top:.1f}' width='{area.right - area.left:.1f}' "
        f"height='{area.bottom - area.top:.1f}' fill='{PAPER}' fill-opacity='{_VEIL}'/>"
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{_RIM:g}' fill='{PAPER}'/>"
        f"{_share(x, y, ring.share)}{scale_mark(x, y, ring.scale, grey)}"
        f"<text text-anchor='middle' fill='{INK}'>{texts}</text></g>"
    )


def _share(x: float, y: float, share: float) -> str:
    """The ring: a track, and from the top on the part that is explained."""
    track = (
        f"<circle cx='{x:.1f}' cy='{y:.1f}' r='{RADIUS:g}' fill='none' stroke='{_TRACK}' stroke-width='{STROKE:g}'/>"
    )
    if share <= 0:
        return track
    turn = 2 * math.pi * min(share, 0.9999)
    u, v = x + RADIUS * math.sin(turn), y - RADIUS * math.cos(turn)
    return (
        f"{track}<path d='M{x:.1f} {y - RADIUS:.1f}A{RADIUS:g} {RADIUS:g} 0 {int(share > 0.5)} 1 {u:.1f} {v:.1f}' "
        f"fill='none' stroke='{INK}' stroke-width='{STROKE:g}'/>"
    )


def scale_style(scale: int) -> tuple[str, str]:
    """Colour and shape of a scale; sixteen are told apart.

    Parameters
    ----------
    scale : its number
    """
    many = len(SHAPES)
    return SCALE_COLOURS[scale % many], SHAPES[(scale + scale // many) % many]


def scale_ink(scale: int | None, grey: bool) -> str:
    """Colour of a scale.

    Parameters
    ----------
    scale : its number, None for none
    grey : in grey
    """
    return NO_SCALE if grey or scale is None else scale_style(scale)[0]


def scale_mark(x: float, y: float, scale: int | None, grey: bool) -> str:
    """The shape of a scale, in its colour.

    Parameters
    ----------
    x, y : its middle
    scale : its number, None for none
    grey : in grey
    """
    fill, shape = scale_ink(scale, grey), SHAPES[0] if scale is None else scale_style(scale)[1]
    match shape:
        case "circle":
            return f"<circle cx='{x:.1f}' cy='{y:.1f}' r='6' fill='{fill}'/>"
        case "square":
            return f"<rect x='{x - 5.25:.1f}' y='{y - 5.25:.1f}' width='10.5' height='10.5' fill='{fill}'/>"
        case "triangle":
            return f"<path d='M{x:.1f} {y - 6.5:.1f}l6 10.5h-12z' fill='{fill}'/>"
        case _:
            return f"<path d='M{x:.1f} {y - 7:.1f}l7 7l-7 7l-7 -7z' fill='{fill}'/>"


def _legend(
    rings: Sequence[Ring], links: Sequence[RingLink], scales: Sequence[str], grey: bool, pale: str
) -> list[tuple[str, str]]:
    """Sign and words of everything that the picture has; last what it may lose where lines are left out."""
    result = [(scale_mark(9, 0, place, grey), words) for place, words in enumerate(scales)]
    if any(ring.share >= 0 for ring in rings):
        result.append(
            (f"<g transform='translate(2 0) scale(.55)'>{_share(14, 0, 0.35)}</g>", "explained by all others")
        )
    if links:
        result.append((f"<path d='M-4 -4h24v1h-24zM-4 1h24v4h-24z' fill='{INK}'/>", "wider: larger"))
    signs = [sign for sign in ("positive", "negative") if any(_sign(link) == sign for link in links)]
    result += [(_stroke(sign, grey, 0, 3, f"data-explains='{sign}'"), sign) for sign in signs]
    if weak := [link for link in links if link.pale]:
        width, both = min(link.width for link in weak) or 3, [sign for sign in signs if sign in map(_sign, weak)]
        look = f"data-explains='pale' stroke-opacity='{_PALE}'"
        lines = (_stroke(sign, grey, 6 * place - 3 * (len(both) - 1), width, look) for place, sign in enumerate(both))
        result.append(("".join(lines), pale))
    return result


def _stroke(sign: str, grey: bool, y: float, width: float, more: str) -> str:
    """A piece of a link of this sign, as the legend has it."""
    look = f"{more} stroke='{_ink(sign, grey)}' stroke-width='{width:g}'{_dash(sign)}"
    return f"<line x1='-4' y1='{y:g}' x2='20' y2='{y:g}' {look}/>"


def _dash(sign: str) -> str:
    return f" stroke-dasharray='{' '.join(map(str, STYLES[sign].dash))}'" if STYLES[sign].dash else ""


def legend_rows(entries: Sequence[tuple[str, str]], left: float, right: float) -> list[tuple[float, int, str]]:
    """Where each entry begins, its row, and its markup with "@" for where that is.

    Parameters
    ----------
    entries : sign and words of each
    left, right : pixels between which they stand
    """
    result: list[tuple[float, int, str]] = []
    x, row = left + _MARGIN, 0
    for sign, words in entries:
        wide = 26 + text_width(words) * FONT / LETTER + 16
        if x > left + _MARGIN and x + wide > right:
            x, row = left + _MARGIN, row + 1
        text = f"<text x='26' y='4.5' fill='{INK}'>{html.escape(words)}</text>"
        result.append((x, row, f"<g transform='@'>{sign}{text}</g>"))
        x += wide
    return result
