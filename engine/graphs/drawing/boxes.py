"""Names in boxes of a document: never cut where it can be helped, in as many lines as it takes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from engine.graphs.drawing.labels import LETTER, LINE, box_width, wrapped

LINE_HEIGHT, FRAME = 1.15 * LETTER, 12.0
"""Pixels of a line, and what a box adds above and below."""
MANY = (25, 40)
"""Names from which on a box has three lines, and two: all boxes are as high as the highest, and the page is finite."""


@dataclass(frozen=True)
class Box:
    """The lines of one box, and how large it is."""

    lines: tuple[str, ...]
    width: float
    height: float


def boxes(names: Iterable[str]) -> dict[str, Box]:
    """Name -> its box; all are equally high, since rows of boxes are.

    Parameters
    ----------
    names : of the variables

    Returns
    -------
    the boxes

    Examples
    --------
    >>> boxes(["systolic_pressure_morning"])["systolic_pressure_morning"].lines
    ('systolic_', 'pressure_morning')
    """
    every = list(names)
    most = 4 - sum(len(every) > many for many in MANY)
    lines = {name: tuple(wrapped(" ".join(name.split()) or "(no name)", LINE, most).split("\n")) for name in every}
    height = max(map(len, lines.values()), default=1) * LINE_HEIGHT + FRAME
    return {name: Box(line, box_width("\n".join(line)), height) for name, line in lines.items()}
