"""Where the variables of a result's networks stand, and how large a picture of them is on an A4 page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.graphs.drawing.boxes import Box, boxes
from engine.graphs.drawing.labels import LETTER
from engine.graphs.drawing.layout import Point, layout
from engine.graphs.drawing.panel import MARGIN, Frame, frame, visible

if TYPE_CHECKING:
    import networkx as nx

UPRIGHT, LYING = 657.0, 986.0
"""Pixels between the margins of an A4 page, upright and lying."""
TALL, LOW = 800.0, 520.0
"""Pixels of height that a picture may take on either."""
LEAST_LETTERS = 11.0
"""Pixels of a letter's body on paper."""
GAP = 16.0
MOST_BESIDE, MOST_TRIED = 3, 100
"""Pictures in a row, and variables up to which a better shape is looked for."""
_TRIES = tuple((across, down) for across in (0.97, 0.88, 0.78, 0.66) for down in (0.97, 0.9, 0.82, 0.74))
"""How much further than the page asks for a picture is pressed, both ways: boxes that would touch move apart again."""
_HIGHEST = TALL * LETTER / LEAST_LETTERS
LEAST_PRESS, LEAST_LINE = 0.62, 14.0
"""How far a picture may be pressed together only to stand beside others; pixels of a line that must be seen then."""


@dataclass(frozen=True)
class FigureLayout:
    """How the networks of one result are drawn.

    Attributes
    ----------
    places, boxes : name -> middle of its box, and the box
    width : of one picture in pixels
    beside : pictures in a row
    lying : they need a page that lies on its side
    small : the letters are smaller than they should be, even so
    """

    places: Mapping[str, Point]
    boxes: Mapping[str, Box]
    width: float
    beside: int
    lying: bool = False
    small: bool = False


def lay_out(
    graphs: Sequence[nx.Graph], given: Sequence[Mapping[str, Point]] = (), others: Sequence[nx.Graph] = ()
) -> FigureLayout:
    """One place for every variable in all the networks, and a size at which names can be read on paper.

    Parameters
    ----------
    graphs : the networks of one result, over the same variables
    given : places from elsewhere; the first that has all the variables is taken
    others : networks of other results over the same variables, which shall look alike

    Returns
    -------
    the plan
    """
    names = list(dict.fromkeys(name for graph in graphs for name in graph.nodes))
    result = boxes(names)
    sizes = {name: box.width for name, box in result.items()}
    height = next(iter(result.values())).height if result else 0.0
    known = next((item for item in given if all(name in item for name in names)), None)
    before = None if known is None else {name: known[name] for name in names}
    drawn = [*graphs, *others]
    places = layout(drawn, before, sizes, height)
    if before is None and 0 < len(places) <= MOST_TRIED:
        places = _fitting(drawn, places, result, min(MOST_BESIDE, len(graphs)))
    return _sized(places, result, len(graphs))


def _fitting(
    graphs: Sequence[nx.Graph], places: dict[str, Point], result: Mapping[str, Box], beside: int
) -> dict[str, Point]:
    """The same places pressed together one way and pulled apart the other, so that letters can be larger.

    Sideways, and only a little, where more pictures then share a row; either way, as much as it takes, where one alone
    would have to be drawn too small.
    """
    now, widest = frame(places, result), max(box.width for box in result.values())
    for number in range(beside, 1, -1):
        most = _room(number) * LETTER / LEAST_LETTERS
        press = (most - widest - 2 * MARGIN) / max(now.width - widest, 1.0)
        if now.width <= most and now.height <= _HIGHEST:
            return places
        if press < LEAST_PRESS:
            continue
        tries = [(press * share, pull) for share in (0.98, 0.9, 0.82) for pull in (1.15, 1.35, 1.6)]
        if (tried := _stretched(graphs, places, result, tries, most, _HIGHEST / 2)) is not None:
            return tried
    most = UPRIGHT * LETTER / LEAST_LETTERS
    if now.width <= most and now.height <= _HIGHEST:
        return places
    across, down = (most - widest) / max(now.width - widest, 1.0), _HIGHEST / now.height
    tries = [(across * a, down * b) for a, b in _TRIES]
    if (tried := _stretched(graphs, places, result, tries, most, _HIGHEST)) is not None:
        return tried
    every = [places, *(_pressed(graphs, places, result, try_value) for try_value in tries)]
    return max(every, key=lambda item: _scale(frame(item, result)))


def _stretched(
    graphs: Sequence[nx.Graph],
    places: Mapping[str, Point],
    result: Mapping[str, Box],
    tries: Sequence[tuple[float, float]],
    width: float,
    height: float,
) -> dict[str, Point] | None:
    """The first of the places, stretched by each of the factors, that stay within a width and a height."""
    for factors in tries:
        tried = _pressed(graphs, places, result, factors)
        view = frame(tried, result)
        shown = all(visible(a, b, tried, result) >= LEAST_LINE for graph in graphs for a, b in graph.edges)
        if view.width <= width and view.height <= height and shown:
            return tried
    return None


def _pressed(
    graphs: Sequence[nx.Graph], places: Mapping[str, Point], result: Mapping[str, Box], factors: tuple[float, float]
) -> dict[str, Point]:
    across, down = factors
    wish = {name: (x * across, y * down) for name, (x, y) in places.items()}
    return layout(graphs, wish, {name: box.width for name, box in result.items()}, next(iter(result.values())).height)


def _scale(view: Frame) -> float:
    """How large a picture may be drawn on an upright page."""
    return min(1.0, UPRIGHT / view.width, TALL / view.height)


def _room(beside: int) -> float:
    """Pixels for each of so many pictures in a row."""
    return (UPRIGHT - GAP * (beside - 1)) / beside - 2


def _sized(places: Mapping[str, Point], result: Mapping[str, Box], number: int) -> FigureLayout:
    if not places:
        return FigureLayout(places, result, 1.0, 1)
    view = frame(places, result)
    least = LEAST_LETTERS / LETTER  # the smallest a picture may be drawn
    for beside in range(min(MOST_BESIDE, number), 0, -1):
        scale = min(1.0, _room(beside) / view.width, TALL / view.height)
        if scale >= least:
            return FigureLayout(places, result, scale * view.width, beside)
    upright = _scale(view)
    lying = min(LYING / view.width, LOW / view.height)
    if lying > upright:
        return FigureLayout(places, result, min(1.0, lying) * view.width, 1, lying=True, small=lying < least)
    return FigureLayout(places, result, upright * view.width, 1, small=upright < least)
