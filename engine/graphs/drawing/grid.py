"""Places of few variables on a grid: rows and columns in line, few links crossing or behind a box, short links.

A local search: two variables exchange their places as long as that helps, from where several of them were shuffled.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from engine.graphs.drawing.clearing import CLEAR
from engine.graphs.drawing.layers import ACROSS, DOWN, Arcs, Shape, crosses, crossing

MOST = 24
"""Variables up to which links are shorter and clearer on a grid than between places of springs."""
BESIDE = 44.0
"""Free pixels between two columns, where there is room; else down to `ACROSS`."""
BEHIND, LENGTH, LARGER, SHIFTED = 8.0, 0.6, 12.0, 2.0
"""What it costs, in crossings, that a link runs behind a box, that it is a row or a column long, that the picture is
twice as large as need be, and that every second row is shifted by half a column."""
LARGEST = 1.5
"""How much larger than need be a picture may be."""
TRIALS = 192
"""Descents, over the number of variables."""
AT_ONCE = 10000
"""Lookups of what links cost in one go."""
KICKED = 3
"""Exchanges by chance before a descent."""


def place_on_grid(arcs: Arcs, widths: np.ndarray, height: float, shape: Shape) -> tuple[np.ndarray, np.ndarray]:
    """Places of some boxes in rows and columns of one size, chosen with their number for few crossings.

    Parameters
    ----------
    arcs : pairs of positions, without direction
    widths, height : of the boxes in pixels
    shape : what the picture should look like, and how wide it may be

    Returns
    -------
    (n,) x and (n,) y of the middles
    """
    n, widest, ends = len(widths), float(widths.max()), np.array(arcs, dtype=np.int64).reshape(-1, 2)
    half, choices = np.array([widest, height]) / 2, []
    for columns, shift in itertools.product(range(1, n + 1), (0.0, 0.5)):
        rows, broad = math.ceil(n / columns), columns + shift - 1
        step = widest + float(np.clip((shape.room - widest) / broad - widest if broad else BESIDE, ACROSS, BESIDE))
        wide = widest + broad * step
        cost = shape.cost(wide, rows * (height + DOWN) - DOWN)
        choices.append((cost, wide > shape.room, shift, _slots(columns, rows, shift), step))
    least = min(size for size, *_ in choices)
    choices = [choice for choice in choices if choice[0] <= LARGEST * least]
    none_fits = all(too_wide for _, too_wide, *_ in choices)
    best, places = math.inf, np.zeros((n, 2))
    for size, too_wide, shift, slots, step in choices:
        extra = LARGER * (size / least - 1) + SHIFTED * (shift > 0)
        if too_wide <= none_fits and extra < best:
            steps = np.array([step, height + DOWN])
            cost, found = _Grid(slots, half / steps, CLEAR / steps, ends, n).search()
            if cost + extra < best:
                best, places = cost + extra, slots[found] * steps
    order = np.arange(n) - (n - 1) / 2  # mirrored, so that the first variables stand at the left of the top
    x, y = (np.where(order @ place < 0, place.max() - place, place) for place in places.T)
    return x, y


def _slots(columns: int, rows: int, shift: float) -> np.ndarray:
    """(slots, 2) column and row of every place, every second row shifted."""
    row, column = np.divmod(np.arange(columns * rows), columns)
    return np.column_stack([column + shift * (row % 2), row]).astype(float)


class _Grid:
    """Places in columns and rows, and what links between any two of them cost: known before anything stands there."""

    def __init__(self, slots: np.ndarray, half: np.ndarray, clear: np.ndarray, arcs: np.ndarray, n: int) -> None:
        self.arcs, self.n, many = arcs, n, len(slots)
        first, second = np.triu_indices(len(arcs), 1)
        apart = (arcs[first][:, :, None] != arcs[second][:, None, :]).all(axis=(1, 2))
        self.pairs = first[apart], second[apart]  # of links that may cross
        a, b = np.triu_indices(many, 1)
        lines = np.hstack([slots[a], slots[b]])
        self.line = np.zeros((many, many), dtype=np.int64)  # number of the line between two places
        self.line[a, b] = self.line[b, a] = np.arange(len(a))
        self.crossing = crossing(lines, lines)
        behind = crosses(np.hstack([slots - half - clear, slots + half + clear]), lines).T
        behind[np.arange(len(a)), a] = behind[np.arange(len(a)), b] = False
        self.behind, self.length = behind, LENGTH * np.hypot(*(slots[a] - slots[b]).T)
        self.alone = self.length + BEHIND * behind.sum(axis=1)
        own, other = np.triu_indices(n, 1, many)
        self.exchanged = np.repeat(np.arange(many)[None], len(own), axis=0)  # (k, places) after each exchange
        self.exchanged[np.arange(len(own)), own], self.exchanged[np.arange(len(own)), other] = other, own
        # few exchanges help, so those of several variables are weighed in one go, as far as that is quicker
        self.starts = np.searchsorted(own, np.arange(n + 1))
        most = self.starts[:n] + AT_ONCE // (len(self.pairs[0]) + len(arcs) * (1 + many - n))
        self.after = np.maximum(np.searchsorted(self.starts, most, "right") - 1, np.arange(1, n + 1)).tolist()

    def costs(self, at: np.ndarray) -> np.ndarray:
        """(k,) what each of k assignments costs, (k, places): those of the variables, then those that stay free."""
        lines = self.line[at[:, self.arcs[:, 0]], at[:, self.arcs[:, 1]]]
        cost = self.alone[lines].sum(axis=1)
        both = lines[:, self.pairs[0]] * len(self.crossing) + lines[:, self.pairs[1]]
        cost += self.crossing.ravel().take(both).sum(axis=1)
        if at.shape[1] > self.n:
            cost -= BEHIND * self.behind[lines[:, :, None], at[:, None, self.n :]].sum(axis=(1, 2))
        return np.asarray(cost)

    def search(self) -> tuple[float, np.ndarray]:
        """The least cost that was met, and the place of every variable."""
        random = np.random.default_rng(0)
        best, found = self._descend(random.permutation(len(self.line)))
        for _ in range(TRIALS // self.n):
            at = found.copy()
            for pair in random.integers(len(at), size=(KICKED, 2)):
                at[pair] = at[pair[::-1]]
            cost, at = self._descend(at)
            if cost < best:
                best, found = cost, at
        return best, found[: self.n]

    def _descend(self, at: np.ndarray) -> tuple[float, np.ndarray]:
        """Exchange each variable with the one, or the free place, where that helps most, until nothing does."""
        cost, v, quiet = float(self.costs(at[None])[0]), 0, 0
        while quiet < self.n:
            after = self.after[v]
            exchanged = self.exchanged[self.starts[v] : self.starts[after]]
            costs = self.costs(at[exchanged])
            better = np.flatnonzero(costs < cost - 1e-6)
            if better.size:
                moved = int(np.searchsorted(self.starts, self.starts[v] + better[0], "right")) - 1
                own = slice(*(self.starts[moved : moved + 2] - self.starts[v]))
                best = own.start + int(costs[own].argmin())
                at, cost, quiet, after = at[exchanged[best]], float(costs[best]), 0, moved + 1
            else:
                quiet += after - v
            v = after % self.n
        return cost, at
