"""Fewer crossings, and fewer arcs behind boxes: exchange variables of a row as long as that helps."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from engine.graphs.drawing.layers import ACROSS, HEIGHT, Arcs

BEHIND, LENGTH = 3.0, 1 / 150
"""What an arc that runs behind a box costs, and a pixel of length, in crossings."""
OVERHANG = 8.0
"""Pixels a variable may slide beyond a picture that fills its room, on either side."""


def untangle(
    rows: list[list[int]], x: np.ndarray, y: np.ndarray, arcs: Arcs, widths: Sequence[float], budget: int
) -> None:
    """Exchange, in place, near variables of a row while the picture gets better; at most `budget` trials.

    Arcs are straight lines between the middles of boxes.
    """
    picture = _Picture(x, y, np.array(arcs, dtype=np.int64).reshape(-1, 2), np.asarray(widths))
    improved = True
    while improved and budget > 0:
        improved = False
        for row in rows:
            for i in range(len(row)):
                for j in range(i + 1, min(i + 4, len(row))):
                    if budget <= 0:
                        return
                    budget -= 1
                    improved |= _exchange(picture, row, i, j)


def nudge(
    rows: list[list[int]],
    x: np.ndarray,
    y: np.ndarray,
    arcs: Arcs,
    widths: Sequence[float],
    budget: int,
    room: float,
) -> None:
    """Slide, in place, variables within the free room of their rows where that takes arcs from behind
    boxes; `room` is how wide the picture may be."""
    picture = _Picture(x, y, np.array(arcs, dtype=np.int64).reshape(-1, 2), np.asarray(widths))
    low, high = float((x - picture.widths / 2).min()), float((x + picture.widths / 2).max())
    spare = max(OVERHANG, (room - (high - low)) / 2)
    low, high = low - spare, high + spare
    for row in rows:
        for k, v in enumerate(row):
            left = x[row[k - 1]] + widths[row[k - 1]] / 2 + ACROSS if k else low
            right = x[row[k + 1]] - widths[row[k + 1]] / 2 - ACROSS if k + 1 < len(row) else high
            least, stay = picture.cost([v]), float(x[v])
            best = stay
            for place in stay + np.array([-30.0, 30.0, -60.0, 60.0, -90.0, 90.0, -120.0, 120.0]):
                if budget <= 0 or least == 0 or not left <= place - widths[v] / 2 <= right - widths[v]:
                    continue
                budget -= 1
                x[v] = place
                cost = picture.cost([v])
                if cost < least - 0.5:
                    best, least = float(place), cost
            x[v] = best


def _exchange(picture: _Picture, row: list[int], i: int, j: int) -> bool:
    """Try one exchange; undo it unless the picture gets better."""
    part = row[i : j + 1]
    cost, old = picture.cost(part), picture.x[part]
    width = picture.widths
    gaps = [picture.x[b] - picture.x[a] - (width[a] + width[b]) / 2 for a, b in pairwise(part)]
    left = picture.x[part[0]] - width[part[0]] / 2
    swapped = [part[-1], *part[1:-1], part[0]]
    for variable, gap in zip(swapped, [*gaps, 0.0], strict=True):
        picture.x[variable] = left + width[variable] / 2
        left += width[variable] + gap
    if picture.cost(part) < cost - 1e-6:
        row[i : j + 1] = swapped
        return True
    picture.x[part] = old
    return False


class _Picture:
    """Boxes and straight arcs; `cost` counts what the arcs at some variables and their boxes disturb."""

    def __init__(self, x: np.ndarray, y: np.ndarray, arcs: np.ndarray, widths: np.ndarray) -> None:
        self.x, self.y, self.arcs, self.widths = x, y, arcs, widths
        self.incident = [np.flatnonzero((arcs == v).any(axis=1)) for v in range(len(x))]

    def cost(self, variables: list[int]) -> float:
        mine = np.unique(np.concatenate([self.incident[v] for v in variables]))
        everything = np.arange(len(self.arcs))
        length = np.hypot(*(self._end(mine, 0) - self._end(mine, 1)))
        return float(
            self._crossings(mine)
            + BEHIND * self._behind(mine, np.arange(len(self.x)))
            + BEHIND * self._behind(np.setdiff1d(everything, mine), np.array(variables))
            + LENGTH * length.sum()
        )

    def _end(self, arcs: np.ndarray, which: int) -> np.ndarray:
        """(2, arcs) x and y of the tails (0) or heads (1)."""
        ends = self.arcs[arcs, which]
        return np.array([self.x[ends], self.y[ends]])

    def _crossings(self, mine: np.ndarray) -> int:
        everything = np.arange(len(self.arcs))
        a, b = self._end(mine, 0)[:, :, None], self._end(mine, 1)[:, :, None]
        c, d = self._end(everything, 0)[:, None, :], self._end(everything, 1)[:, None, :]
        crosses = _side(a, b, c) * _side(a, b, d) < 0
        crosses &= _side(c, d, a) * _side(c, d, b) < 0
        return int(crosses.sum())  # arcs that share an end have a side of zero, up to rounding

    def _behind(self, arcs: np.ndarray, boxes: np.ndarray) -> int:
        """How many times one of the arcs runs through one of the boxes (clipping by slabs)."""
        (ax, ay), (bx, by) = self._end(arcs, 0)[:, :, None], self._end(arcs, 1)[:, :, None]
        dx, dy = bx - ax, by - ay
        dx, dy = np.where(dx == 0, 1e-9, dx), np.where(dy == 0, 1e-9, dy)
        half_x, half_y = self.widths[boxes] / 2 - 3, HEIGHT / 2 - 3
        to_x, to_y = (self.x[boxes] - ax) / dx, (self.y[boxes] - ay) / dy
        slack_x, slack_y = np.abs(half_x / dx), np.abs(half_y / dy)
        enter = np.maximum(np.maximum(to_x - slack_x, to_y - slack_y), 0.0)
        leave = np.minimum(np.minimum(to_x + slack_x, to_y + slack_y), 1.0)
        own = (self.arcs[arcs, 0][:, None] == boxes) | (self.arcs[arcs, 1][:, None] == boxes)
        return int(((enter < leave) & ~own).sum())


def _side(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Which side of the line from a to b the point c lies on."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
