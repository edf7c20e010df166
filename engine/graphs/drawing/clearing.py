"""Boxes moved so that no line between two of them runs behind a third, where it would seem to end.

A descent: each box in turn goes where its own lines and those of others disturb least, and some are thrown elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

import numpy as np

from engine.graphs.drawing.layers import STEP, Arcs, Shape, crosses, crossing

CLEAR = 5.0
"""Free pixels between a line and a box that it passes."""
MOST = 40
"""Boxes up to which they are moved; pictures of more of them are looked at in parts."""
BEHIND, CROSSED, LENGTH, UP, FLAT, LARGER = 6.0, 1.0, 1 / 150, 50.0, 0.8, 25.0
"""What it costs that a line runs behind a box, crosses another, is a pixel long, points up, hardly points down, and
that the picture is twice as large."""
APART = 24.0
"""Pixels between two places of a row that are tried."""
MOST_ROWS = 14
"""Heights of boxes beyond which they stand in no rows."""
SWEEPS, AGAIN, KICKS = 8, 3, 240
"""How often every box is asked, and those concerned after a kick; kicks, over the number of boxes."""

MOVES = [(far * x, far * y) for far in (20, 40, 60) for x in (1, 0, -1) for y in (1, 0, -1) if x or y]
"""Pixels that something is moved where it disturbs."""
MOST_MOVES = 16_000
"""Moves that are tried, times the square of how many may be moved: a picture of more is judged more slowly."""


def eased(
    places: dict[str, tuple[float, float]],
    judged: Callable[[Mapping[str, tuple[float, float]]], tuple[tuple[int, ...], list[str]]],
    apart: float,
) -> dict[str, tuple[float, float]]:
    """The places with a few moved a little, one after the other, as long as that makes the picture better.

    Parameters
    ----------
    places : name -> its middle
    judged : what is bad in a picture, the worst first, and the names that may mend it
    apart : pixels that middles are apart at least
    """
    at = np.array(list(places.values()))
    low, high = at.min(axis=0), at.max(axis=0)
    bad, concerned = judged(places)
    tried: set[tuple[str, float, float]] = set()
    moves = [(name, move) for name in concerned for move in MOVES]
    while moves and any(bad) and len(tried) < MOST_MOVES // len(places) ** 2:
        name, move = moves.pop(0)
        x, y = np.clip(np.add(places[name], move), low, high).tolist()
        others = (other for key, other in places.items() if key != name)
        if (name, x, y) in tried or min(math.dist((x, y), other) for other in others) < apart:
            continue
        tried.add((name, x, y))
        moved = {**places, name: (x, y)}
        now, concerned = judged(moved)
        if now < bad:
            places, bad = moved, now
            moves = [(name, move) for name in concerned for move in MOVES]
    return places


class Boxes:
    """Boxes with lines between their middles, and what a place costs.

    Parameters
    ----------
    x, y : (n,) middles of the boxes
    widths, height : of the boxes
    arcs : the lines, without circles
    shape : what the picture should look like
    gap : free pixels beside and below a box that moves
    directed : whether lines have heads, which point down
    """

    def __init__(
        self,
        x: np.ndarray,
        y: np.ndarray,
        widths: np.ndarray,
        height: float,
        arcs: Arcs,
        shape: Shape,
        *,
        gap: tuple[float, float],
        directed: bool = False,
    ) -> None:
        half = np.column_stack([widths, np.full(len(x), height)]) / 2
        self.at, self.half, self.gap = np.column_stack([x, y]).astype(float), half, gap
        self.arcs = np.array(arcs, dtype=np.int64).reshape(-1, 2)
        self.shape, self.directed = shape, directed
        low, high = float((x - half[:, 0]).min()), float((x + half[:, 0]).max())
        spare = max(0.0, (shape.room - (high - low)) / 2)
        self.low, self.high = low - spare, high + spare
        rows = np.unique(self.at[:, 1])
        if len(rows) > MOST_ROWS:  # placed by springs
            rows = np.arange(rows[0], rows[-1], 2 * half[0, 1])
        self.rows = np.unique([*rows, *(rows[1:] + rows[:-1]) / 2, rows[-1] + 2 * half[0, 1] + gap[1]])
        self.first_size = float(self._size(self.at[None])[0])

    def cleared(self) -> tuple[np.ndarray, np.ndarray]:
        """The places of boxes that hide no line where that can be had; as they were where none is hidden."""
        n = len(self.at)
        random = np.random.default_rng(0)
        if 2 < n <= MOST and self.concerned():
            self.descend(range(n), SWEEPS)
            for _ in range(KICKS // n):
                concerned = self.concerned()
                if not concerned:
                    break
                self.kick(concerned, random)
        return self.at[:, 0], self.at[:, 1]

    def descend(self, order: Iterable[int], sweeps: int) -> None:
        """Move each box to its best place, until none moves or all were asked so many times."""
        moved, order = True, list(order)
        while moved and sweeps > 0:
            moved, sweeps = False, sweeps - 1
            for v in order:
                places = np.vstack([self.at[v], self._free_places(v)])
                costs = self._costs(v, places)
                best = int(np.argmin(costs))
                if costs[best] < costs[0] - 1e-6:
                    self.at[v], moved = places[best], True

    def kick(self, concerned: list[int], random: np.random.Generator) -> None:
        """Throw a box that is concerned elsewhere and let the others follow; undone unless that is better."""
        before, cost = self.at.copy(), self._total()
        kicked = int(random.choice(concerned))
        places = self._free_places(kicked)
        if len(places):
            self.at[kicked] = places[random.integers(len(places))]
            self.descend([*(v for v in range(len(self.at)) if v != kicked), kicked], AGAIN)
        if self._total() > cost - 1e-6:
            self.at = before

    def concerned(self) -> list[int]:
        """The boxes that hide a line, and the ends of these lines."""
        boxes, lines = np.nonzero(self._hidden())
        return np.unique([*boxes, *self.arcs[lines].ravel()]).tolist()

    def _hidden(self) -> np.ndarray:
        """(n, arcs) whether a line runs behind a box."""
        result = crosses(self._areas(self.at, self.half), self._lines(self.arcs))
        for end in (0, 1):
            result[self.arcs[:, end], np.arange(len(self.arcs))] = False
        return result

    def _areas(self, at: np.ndarray, half: np.ndarray) -> np.ndarray:
        return np.concatenate([at - half - CLEAR, at + half + CLEAR], axis=1)

    def _lines(self, arcs: np.ndarray) -> np.ndarray:
        return self.at[arcs].reshape(-1, 4)

    def _size(self, at: np.ndarray) -> np.ndarray:
        """(k,) how small each of k pictures, (k, n, 2), has to be drawn."""
        width, height = ((at + self.half).max(axis=1) - (at - self.half).min(axis=1)).T
        return np.asarray(np.maximum(width / self.shape.aspect, height) * np.maximum(1.0, width / self.shape.room))

    def _free_places(self, v: int) -> np.ndarray:
        """(k, 2) where a box covers no other."""
        across = np.arange(self.low + self.half[v, 0], self.high - self.half[v, 0] + 1e-6, APART)
        places = np.stack(np.meshgrid(across, self.rows), axis=-1).reshape(-1, 2)
        others = np.arange(len(self.at)) != v
        free = np.abs(places[:, None] - self.at[others]) - self.half[v] - self.half[others]
        return np.asarray(places[~(free < self.gap).all(axis=-1).any(axis=1)])

    def _costs(self, v: int, places: np.ndarray) -> np.ndarray:
        """(k,) what the picture costs with a box at each of these places, as far as that depends on the box."""
        k, mine = len(places), (self.arcs == v).any(axis=1)
        near = self.arcs[mine].sum(axis=1) - v
        own = np.concatenate([np.repeat(places, len(near), axis=0), np.tile(self.at[near], (k, 1))], axis=1)
        lines = self._lines(self.arcs[~mine])
        behind = crosses(self._areas(self.at, self.half), own).reshape(len(self.at), k, len(near))
        behind[v] = False
        behind[near, :, np.arange(len(near))] = False
        over = crosses(self._areas(places, self.half[v]), lines).sum(axis=1)
        pictures = np.repeat(self.at[None], k, axis=0)
        pictures[:, v] = places
        result = BEHIND * (behind.sum(axis=(0, 2)) + over)
        result = result + CROSSED * crossing(own, lines).reshape(k, -1).sum(axis=1)
        result = result + LENGTH * np.hypot(*(own[:, :2] - own[:, 2:]).T).reshape(k, -1).sum(axis=1)
        down = np.where(self.arcs[mine, 0] == v, 1.0, -1.0) * (self.at[near, 1] - places[:, 1:])
        return np.asarray(result + LARGER * self._size(pictures) / self.first_size + self._steepness(down))

    def _steepness(self, down: np.ndarray) -> np.ndarray:
        """(...) what it costs that heads of lines stand so many pixels below their tails, (..., arcs)."""
        if not self.directed:
            return np.zeros(down.shape[:-1])
        return np.asarray(UP * (down < 0).sum(axis=-1) + FLAT * (down < STEP).sum(axis=-1))

    def _total(self) -> float:
        lines = self._lines(self.arcs)
        result = BEHIND * self._hidden().sum() + CROSSED * crossing(lines, lines).sum() / 2
        result += LENGTH * np.hypot(*(lines[:, :2] - lines[:, 2:]).T).sum()
        result += LARGER * self._size(self.at[None])[0] / self.first_size
        return float(result + self._steepness(lines[:, 3] - lines[:, 1]))
