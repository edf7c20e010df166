"""A network whose boxes show how probable each level is, as a component; a click sets what is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np

from dashboard.network.component import item_at, loaded, nothing
from dashboard.network.panel import screen_style
from dashboard.session.labels import full_name, shown_names
from dashboard.text import visible
from dashboard.theme import ARCS, DIFFERENT, dark, is_dark
from engine.graphs.drawing.layers import crosses
from engine.graphs.drawing.layout import layout
from engine.graphs.drawing.svg import HEADLESS
from engine.telling.charts.labels import apart, without_beginnings

if TYPE_CHECKING:
    import networkx as nx

    from dashboard.session.caches import Point


WIDTH = 178.0
"""Pixels of a box: a level's name, its bar, its share."""
_PASS, _BELOW = 6.0, 28.0
"""Free pixels beside a box for a link that passes, and below it for an arrow with a mark."""
_ROOMS, _MOST_TRIED = (900.0, 850.0, 800.0, 700.0), 14
"""Widths of picture that are tried, and boxes up to which they are."""
_ROOM, _BEHIND = 800.0, 60.0
"""Width that a small screen has for a picture, and the pixels of height that a link behind a box is worth."""
_HEAD, _LEVEL = 9.0, 15.0
LEVEL_LETTERS = 16
"""Of a level's name."""
KNOWN_LETTERS = 21
"""Of a level's name where one is known, which has its share beside it but no bar."""
UNEXPECTED = "▲ unexpected given the others (corrected p below .05)"
"""What the legend says of a box with that mark."""
_LINE = 17.0
"""Pixels of a line of a name."""
MOST_LEVELS, MOST_LETTERS = 6, 27
"""Levels of a box, of more the most probable; letters of a line of its name, which has two where one is too short."""
_MARGIN, _EDGE = 8.0, 1.0
"""Pixels beside the boxes, and above and below them, where a small screen has none to spare."""


@dataclass(frozen=True)
class Belief:
    """A variable in the picture.

    Attributes
    ----------
    name, levels : of the variable
    p : (levels,) probabilities given what is known of the others; None where they could not be worked out
    everybody : (levels,) shares of all rows
    known : the level that is known, None where it is not
    said : what stands beside that level
    outcome : whether it is what is predicted
    unexpected : whether its value is, given the others
    """

    name: str
    levels: tuple[str, ...]
    p: np.ndarray | None
    everybody: np.ndarray
    known: str | None = None
    said: str = ""
    outcome: bool = False
    unexpected: bool = False


@dataclass(frozen=True)
class BeliefArc:
    """A link of two of them; `mark` is a sign on it, "" where it is as for everybody; `directed`: it has a head."""

    source: str
    target: str
    mark: str = ""
    directed: bool = True


def box_height(levels: int, lines: int = 1) -> float:
    """Pixels of a box with so many levels, and lines of a name."""
    return _HEAD + _LINE * lines + _LEVEL * min(levels, MOST_LEVELS)


def _lines(names: Iterable[str]) -> int:
    """Lines that the longest of their labels takes, two at most."""
    shown = shown_names(2 * MOST_LETTERS)
    return 1 + any(len(shown.get(name, name)) > MOST_LETTERS for name in names)


def belief_positions(dag: nx.DiGraph, levels: Mapping[str, int]) -> dict[str, Point]:
    """The middle of each box, in the lowest of some pictures whose links run free of boxes.

    Parameters
    ----------
    dag : the network that is drawn
    levels : variable -> how many levels it has
    """
    heights = {name: box_height(levels[name], _lines(dag)) for name in dag}
    sizes = dict.fromkeys(dag, WIDTH + _PASS)
    options = list(product(sorted({min(heights.values()), max(heights.values())}), _ROOMS))
    tried = [
        _close_rows(layout([dag], sizes=sizes, height=height, room=room), heights)
        for height, room in (options if len(dag) <= _MOST_TRIED else [(max(heights.values()), _ROOM)])
    ]
    return min(tried, key=lambda positions: _cost(positions, heights, dag))


def _close_rows(positions: Mapping[str, Point], heights: Mapping[str, float]) -> dict[str, Point]:
    """The places with rows as near to each other as boxes of these heights allow, and no nearer."""
    share = 0.0
    for a, b in combinations(positions, 2):
        (x, y), (other_x, other_y) = positions[a], positions[b]
        if y != other_y and abs(x - other_x) < WIDTH + _PASS:
            share = max(share, ((heights[a] + heights[b]) / 2 + _BELOW) / abs(y - other_y))
    return {name: (x, y * (share or 1.0)) for name, (x, y) in positions.items()}


def _cost(positions: Mapping[str, Point], heights: Mapping[str, float], dag: nx.DiGraph) -> float:
    """Height of a picture, more where it is wider than a small screen, and for each link that runs behind a box."""
    boxes = np.array(
        [
            (x - WIDTH / 2, y - heights[name] / 2, x + WIDTH / 2, y + heights[name] / 2)
            for name, (x, y) in positions.items()
        ]
    )
    wide, high = boxes[:, 2].max() - boxes[:, 0].min(), boxes[:, 3].max() - boxes[:, 1].min()
    behind = 0
    if dag.size():
        lines = np.array([(*positions[a], *positions[b]) for a, b in dag.edges])
        behind = int(crosses(boxes, lines).sum()) - 2 * dag.size()  # each runs behind both of its ends
    return float(high * max(1.0, wide / _ROOM) ** 3 + _BEHIND * behind)


def show_beliefs(
    beliefs: Sequence[Belief],
    arcs: Sequence[BeliefArc],
    positions: Mapping[str, Point],
    *,
    key: str,
    words: str = "",
) -> tuple[str, str | None] | None:
    """Draw them; (variable, level) that was set by a click, level None where it was cleared; None without a click.

    Parameters
    ----------
    beliefs, arcs : what to draw
    positions : where the middle of each box stands
    key : of this place on the page
    words : what the legend says of arcs with a mark
    """
    data = beliefs_data(beliefs, arcs, positions, words)
    result = _component()(key=key, data=data, on_set_change=nothing, height="content")
    return read_click(getattr(result, "set", None), beliefs)


def beliefs_data(
    beliefs: Sequence[Belief], arcs: Sequence[BeliefArc], positions: Mapping[str, Point], words: str = ""
) -> dict[str, Any]:
    """All the component is told, as plain JSON values."""
    shade = dark if is_dark() else str
    lines = _lines(item.name for item in beliefs)
    boxes = {item.name: (*positions[item.name], box_height(len(item.levels), lines)) for item in beliefs}
    left = min(x for x, _, _ in boxes.values()) - WIDTH / 2 - _MARGIN
    top = min(y - height / 2 for _, y, height in boxes.values()) - _EDGE
    width = max(x for x, _, _ in boxes.values()) + WIDTH / 2 + _MARGIN - left
    height = max(y + high / 2 for _, y, high in boxes.values()) + _EDGE - top
    numbers = {item.name: number for number, item in enumerate(beliefs)}
    shown = shown_names(MOST_LETTERS * lines)
    labels = apart({item.name: shown.get(item.name, item.name) for item in beliefs}, MOST_LETTERS * lines)
    plain, marked = ARCS["same"], DIFFERENT
    legend: list[dict[str, Any]] = []
    if any(item.known is None for item in beliefs):
        legend += [{"words": "▮ P of each level, in %, given the known values"}, {"words": "❘ share of all rows"}]
    if any(item.known is not None for item in beliefs):
        legend.append({"words": "\N{LOCK} value known; %: how probable it, or a number's range, is given the others"})
    legend += [{"words": UNEXPECTED}] if any(item.unexpected for item in beliefs) else []
    if not all(arc.directed for arc in arcs):
        no_head = {"kind": "arc", "colour": shade(plain.colour), "dash": [], "directed": False, "width": 1.6}
        legend.append(no_head | {"words": HEADLESS})
    if any(arc.mark for arc in arcs):
        legend.append(
            {"kind": "arc", "colour": shade(marked), "dash": [7, 4], "directed": True, "width": 2.5, "words": words}
        )
    return {
        "nodes": [_node(item, labels[item.name], boxes[item.name], left, top) for item in beliefs],
        "arcs": [
            {
                "from": numbers[arc.source],
                "to": numbers[arc.target],
                "colour": shade(marked if arc.mark else plain.colour),
                "dash": [7, 4] if arc.mark else [],
                "width": 2.4 if arc.mark else 1.6,
                "mark": arc.mark,
                "directed": arc.directed,
            }
            for arc in arcs
        ],
        "width": round(width),
        "height": round(height),
        "legend": legend,
        "style": screen_style(different=DIFFERENT),
    }


def _node(item: Belief, label: str, box: tuple[float, float, float], left: float, top: float) -> dict[str, Any]:
    x, y, height = box
    names = without_beginnings(item.levels, LEVEL_LETTERS if item.known is None else KNOWN_LETTERS)  # no bar beside it
    return {
        "name": label,
        "words": visible(full_name(item.name)),
        "x": round(x - WIDTH / 2 - left, 1),
        "y": round(y - height / 2 - top, 1),
        "width": WIDTH,
        "height": height,
        "known": None if item.known is None else item.levels.index(item.known),
        "said": item.said,
        "outcome": item.outcome,
        "unexpected": item.unexpected,
        "levels": [
            {
                "code": code,
                "name": names[code],
                "words": visible(item.levels[code]) or "(empty)",
                "p": None if item.p is None else float(item.p[code]),
                "everybody": float(item.everybody[code]),
            }
            for code in _shown_levels(item)
        ],
    }


def _shown_levels(item: Belief) -> list[int]:
    """All of few; of many the most probable, the known one among them, in their own order."""
    codes = range(len(item.levels))
    if len(item.levels) <= MOST_LEVELS:
        return list(codes)
    shares = item.everybody if item.p is None else item.p
    known = None if item.known is None else item.levels.index(item.known)
    return sorted(sorted(codes, key=lambda code: (code != known, -shares[code]))[:MOST_LEVELS])


def read_click(raw: Any, beliefs: Sequence[Belief]) -> tuple[str, str | None] | None:
    """The component's answer with names in it; whatever does not fit is nothing."""
    if not isinstance(raw, Mapping):
        return None
    item = item_at(beliefs, raw.get("node"))
    if item is None or raw.get("level") is None:
        return None if item is None else (item.name, None)
    level = item_at(item.levels, raw["level"])
    return None if level is None else (item.name, level)


@cache
def _component() -> Any:
    return loaded("diptych_beliefs", "beliefs.js", "beliefs.css")
