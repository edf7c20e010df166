"""A network under one's hands, as a component: bars set and clear values, X and Y are chosen, arrows are drawn."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from dashboard.network.component import item_at, loaded
from dashboard.network.panel import screen_style
from dashboard.session.labels import full_name, shown_names
from dashboard.text import short, visible
from engine.graphs.dag import to_networkx
from engine.graphs.drawing.layout import layout
from engine.models.drawing import LONGEST_NAME
from engine.models.effects import is_binary
from engine.telling.charts.labels import apart

if TYPE_CHECKING:
    from dashboard.session.caches import Point
    from engine.models.network import Network

WIDTH, WIDE, BESIDE = 140.0, 172.0, 28.0
"""Pixels of a box, of one with long names in it, and of the room beside it."""
_LONG_NAME, _LONG_LEVEL, _LETTERS = 15, 10, 20
"""Letters of a variable's name and of a level's beyond which a box is wide, and of a name in a wide one."""
_HEAD, _ROW, _FOOT, _BAR = 27.0, 18.0, 7.0, 62.0
"""Pixels of a box's name, of a level's row, below these, and of a box with one bar."""
MOST_LEVELS = 6
"""Levels of a box; of more, the most probable."""
ROOM, HEIGHT = 640.0, 400.0
"""Pixels that a picture may be wide, and that one of few rows is high."""
FARTHEST = 1e5
"""Pixels from the middle within which every box stands."""
_FAR_APART = 3000.0
_ROUNDED = 4.0
"""Pixels that rounding may move a box by."""
_ARROW, _QUIET = "#9AA5AF", "#7E8A95"
_FILL = "#E9EEF2"
_KNOWN = "#5B6770"

Arrow = tuple[Hashable, Hashable]
Kind = Literal["set", "end", "add", "link", "unlink", "remove", "move", "rename"]


@dataclass(frozen=True)
class WorkshopEvent:
    """A click or a key that changed the picture.

    Attributes
    ----------
    kind : set or clear a level, choose an end, add, link, unlink, remove, move or rename a variable
    node, other : the variables; of a link its source and its target
    level : that was set; None where it was cleared
    point : where it was added or moved to
    name : new name of a variable
    """

    kind: Kind
    node: str = ""
    other: str = ""
    level: str | None = None
    point: Point = (0.0, 0.0)
    name: str = ""


@dataclass(frozen=True)
class Marks:
    """The parts of the picture that stand out.

    Attributes
    ----------
    ends : variable -> "X" or "Y"
    open_arrows, blocked_arrows : (source, target) on a path between the two that is open, and on one that is not
    opening : colliders that open a path
    certain : known variables whose other levels cannot occur
    cut : arrows that setting variables takes away; None where variables are seen rather than set
    """

    ends: Mapping[str, str] = field(default_factory=dict)
    open_arrows: Collection[Arrow] = ()
    blocked_arrows: Collection[Arrow] = ()
    opening: Collection[Hashable] = ()
    certain: Collection[Hashable] = ()
    cut: Collection[Arrow] | None = None


def place_network(network: Network, known: Mapping[str, Point] | None = None) -> dict[str, Point]:
    """Where the boxes stand: those that are known where they are, the rest in layers with room for their arrows.

    Of two known ones that cover each other the later moves.
    """
    if not network.names:
        return {}
    graph = to_networkx(network.parents, network.names)
    high = max(box_height(levels) for levels in network.levels)
    pairs = zip(network.names, network.levels, strict=True)
    beside = 0.0 if known else BESIDE
    places = layout([graph], known, {name: box_width(name, levels) + beside for name, levels in pairs}, high, ROOM)
    if known:  # rows are whole numbers of pixels; who did not have to move is not moved by that
        moved = {name for name in known if name in places and math.dist(known[name], places[name]) > _ROUNDED}
        return {name: at if name in moved else known.get(name, at) for name, at in places.items()}
    rows = sorted({round(y) for _, y in places.values()})
    span = rows[-1] - rows[0]
    stretch = max(1.0, (HEIGHT - high) / span) if span else 1.0
    return {name: (x, y * stretch) for name, (x, y) in places.items()}


def spread(network: Network, places: Mapping[str, Point]) -> dict[str, Point]:
    """Places of another program, moved apart as far as boxes need it that must not overlap; none where two are one."""
    points = np.array([places[name] for name in network.names]) if places else np.zeros((0, 2))
    pairs = zip(network.names, network.levels, strict=True)
    sizes = np.array([(box_width(name, levels) + BESIDE, box_height(levels) + BESIDE) for name, levels in pairs])
    a, b = np.triu_indices(len(points), 1)
    with np.errstate(divide="ignore"):
        needed = ((sizes[a] + sizes[b]) / 2 / np.abs(points[a] - points[b])).min(axis=1)
    points = points * max(1.0, needed.max(initial=0.0)) if len(points) else points
    points -= points.mean(axis=0) if len(points) else 0
    if not (np.abs(points) < _FAR_APART).all():
        return {}
    return dict(zip(network.names, [(x, y) for x, y in points.tolist()], strict=False))


def _box_name(name: str) -> str:
    return shown_names().get(name, name)


def box_width(name: str, levels: tuple[str, ...]) -> float:
    """Pixels of the box of a variable."""
    long_level = not is_binary(levels) and max(map(len, levels)) > _LONG_LEVEL
    return WIDE if len(_box_name(name)) > _LONG_NAME or long_level else WIDTH


def box_height(levels: tuple[str, ...]) -> float:
    """Pixels of the box of a variable with these levels."""
    return _BAR if is_binary(levels) else _HEAD + _ROW * min(len(levels), MOST_LEVELS) + _FOOT


def show_network(
    network: Network,
    positions: Mapping[str, Point],
    posterior: Mapping[str, np.ndarray],
    before: Mapping[str, np.ndarray],
    evidence: Mapping[str, str],
    marks: Marks,
    *,
    key: str,
    on_event: Callable[[], None],
    note: str = "",
) -> None:
    """Draw it; what is done to it is read by `read_event` in the callback.

    Parameters
    ----------
    network : what is drawn
    positions : where the middle of each box stands
    posterior, before : name -> (levels,) probabilities with and without what is known, or where it is set and seen
    evidence : name -> level of what is known, or set
    marks : what stands out
    key : of this place on the page
    on_event : called after something was done, before the page is drawn
    note : below the picture
    """
    data = network_data(network, positions, posterior, before, evidence, marks, note)
    _component()(key=key, data=data, on_event_change=on_event, height="content")


def network_data(
    network: Network,
    positions: Mapping[str, Point],
    posterior: Mapping[str, np.ndarray],
    before: Mapping[str, np.ndarray],
    evidence: Mapping[str, str],
    marks: Marks,
    note: str = "",
) -> dict[str, Any]:
    """All that the component needs, as plain JSON values."""
    heights = [box_height(levels) for levels in network.levels]
    widths = [box_width(name, levels) for name, levels in zip(network.names, network.levels, strict=True)]
    points = [positions[name] for name in network.names]
    labels = apart({name: _box_name(name) for name in network.names}, _LETTERS)
    nodes = [
        {
            "name": labels[name],
            "words": visible(full_name(name)),
            "own": visible(name),
            "at": [x, y],
            "width": wide,
            "height": high,
            "binary": is_binary(levels),
            "known": levels.index(evidence[name]) if name in evidence else None,
            "end": marks.ends.get(name, ""),
            "opening": name in marks.opening,
            "certain": name in marks.certain,
            "levels": _levels(
                levels, posterior[name], before[name], evidence.get(name), _LONG_LEVEL if wide == WIDTH else 16
            ),
        }
        for name, levels, (x, y), high, wide in zip(network.names, network.levels, points, heights, widths, strict=True)
    ]
    return {
        "nodes": nodes,
        "arcs": [
            {"from": parent, "to": child, "status": _status((network.names[parent], network.names[child]), marks)}
            for child, family in enumerate(network.parents)
            for parent in family
        ],
        "longest": LONGEST_NAME,
        "doing": marks.cut is not None,
        "note": note,
        "file": "diptych-workshop",
        "style": screen_style(arrow=_ARROW, quiet=_QUIET, fill=_FILL, known=_KNOWN),
    }


def _status(arrow: tuple[str, str], marks: Marks) -> str:
    if arrow in (marks.cut or ()):
        return "cut"
    return "open" if arrow in marks.open_arrows else "blocked" if arrow in marks.blocked_arrows else "plain"


def _levels(
    levels: tuple[str, ...], p: np.ndarray, before: np.ndarray, known: str | None, letters: int
) -> list[dict[str, Any]]:
    """All levels of few; of many the most probable, the known one among them, in their own order."""
    codes = list(range(len(levels)))
    if len(codes) > MOST_LEVELS:
        wanted = sorted(codes, key=lambda code: (levels[code] != known, -p[code]))[:MOST_LEVELS]
        codes = sorted(wanted)
    return [
        {
            "code": code,
            "name": short(visible(levels[code]) or "(empty)", letters),
            "words": visible(levels[code]) or "(empty)",
            "p": round(float(p[code]), 6),
            "before": round(float(before[code]), 6),
        }
        for code in codes
    ]


def read_event(raw: Any, network: Network) -> WorkshopEvent | None:
    """The component's answer with names in it; whatever does not fit is nothing.

    Parameters
    ----------
    raw : what the component said
    network : what is drawn
    """
    if not isinstance(raw, Mapping):
        return None
    kind, names = raw.get("kind"), network.names
    node, other = item_at(names, raw.get("node")), item_at(names, raw.get("other"))
    x, y = raw.get("x"), raw.get("y")
    numbers = all(isinstance(v, int | float) and math.isfinite(v) and abs(v) < FARTHEST for v in (x, y))
    point = (float(x), float(y)) if numbers else None  # type: ignore[arg-type]
    text = raw.get("name")
    name = visible(text)[:LONGEST_NAME] if isinstance(text, str) else ""
    match kind:
        case "set" if node is not None:
            levels = network.levels[names.index(node)]
            level = item_at(levels, raw.get("level"))
            return WorkshopEvent("set", node, level=level) if level is not None or raw.get("level") is None else None
        case "end" | "remove" if node is not None:
            return WorkshopEvent(kind, node)
        case "link" | "unlink" if node is not None and other is not None and node != other:
            return WorkshopEvent(kind, node, other)
        case "add" if point is not None and name:
            return WorkshopEvent("add", point=point, name=name)
        case "move" if point is not None and node is not None:
            return WorkshopEvent("move", node, point=point)
        case "rename" if node is not None and name:
            return WorkshopEvent("rename", node, name=name)
    return None


@cache
def _component() -> Any:
    return loaded("diptych_workshop", "workshop.js", "workshop.css")
