"""Where the variables of several networks stand in one figure, and at what size its letters can be read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.graphs.drawing.labels import LETTER, Box, boxes
from engine.graphs.drawing.layout import Point, layout
from engine.graphs.drawing.svg import frame
from engine.lazy import nx

UPRIGHT, LYING, SCREEN = 657.0, 986.0, 980.0
"""Pixels between the margins of an A4 page, upright and lying; and about those of a notebook."""
TALL, LOW = 800.0, 520.0
"""Pixels of height that a picture may take on either."""
HALF = 400.0
"""Pixels of height at which two of several pictures stand on an upright page, with their heading."""
LEAST_LETTERS = 11.0
"""Pixels of a letter's body on paper."""
GAP = 16.0
MOST_PER_ROW, MOST_TRIED = 3, 100
"""Pictures in a row, and variables up to which a better shape is looked for."""
_SHARES = (1.0, 0.8, 0.6, 0.45)
"""Shares of a page's width that a picture is laid out for where its letters would be too small."""


@dataclass(frozen=True)
class FigureLayout:
    """How the networks of one result are drawn.

    Attributes
    ----------
    positions, boxes : name -> middle of its box, and the box
    width : of one picture in pixels
    per_row : pictures in a row
    lying : they need a page that lies on its side
    small : the letters are smaller than they should be, even so
    """

    positions: Mapping[str, Point]
    boxes: Mapping[str, Box]
    width: float
    per_row: int
    lying: bool = False
    small: bool = False


def plan_networks(
    graphs: Sequence[nx.Graph],
    given: Sequence[Mapping[str, Point]] = (),
    others: Sequence[nx.Graph] = (),
    labels: Mapping[str, str] | None = None,
    across: float = UPRIGHT,
) -> FigureLayout:
    """One place for every variable in all the networks, and a size at which names or labels can be read.

    `across` is how wide a row of pictures may be in pixels: as a page upright, or as a screen.
    """
    names = list(dict.fromkeys(name for graph in graphs for name in graph.nodes))
    result = boxes(names, labels)
    if not names:
        return FigureLayout({}, result, 1.0, 1)
    sizes, height = {name: box.width for name, box in result.items()}, result[names[0]].height
    known = next(({name: item[name] for name in names} for item in given if all(name in item for name in names)), None)
    rooms: list[float | None] = [None]
    if known is None and len(names) <= MOST_TRIED:
        rooms += [share * UPRIGHT * LETTER / LEAST_LETTERS for share in _SHARES]
    plans: list[FigureLayout] = []
    for room in rooms:
        plans.append(_sized(layout([*graphs, *others], known, sizes, height, room), result, len(graphs), across))
        if not (plans[-1].small or plans[-1].lying):
            break
    return max(
        plans, key=lambda plan: (not plan.small, not plan.lying, plan.width / frame(plan.positions, result).width)
    )


def _sized(positions: Mapping[str, Point], result: Mapping[str, Box], number: int, across: float) -> FigureLayout:
    view = frame(positions, result)
    least = LEAST_LETTERS / LETTER  # the smallest a picture may be drawn
    for per_row in range(min(MOST_PER_ROW, number), 0, -1):
        room = (across - GAP * (per_row - 1)) / per_row - 2
        scale = min(1.0, room / view.width, TALL / view.height)
        if scale >= least:
            if per_row == 1 < number and across == UPRIGHT and least <= HALF / view.height:
                scale = min(scale, HALF / view.height)
            return FigureLayout(positions, result, scale * view.width, per_row)
    upright = min(1.0, UPRIGHT / view.width, TALL / view.height)
    lying = min(LYING / view.width, LOW / view.height)
    if lying > upright:
        return FigureLayout(positions, result, min(1.0, lying) * view.width, 1, lying=True, small=lying < least)
    return FigureLayout(positions, result, upright * view.width, 1, small=upright < least)
