"""Places for the variables of a directed graph: arcs run down, rows are short, boxes do not touch.

After Sugiyama, Tagawa & Toda (1981): break cycles, layers by longest path, order by barycentres, then places.
Two things differ, because three networks of dense data share one picture: a layer wider than the picture
wraps into staggered rows, and short layers share a row, each a little lower than the one before.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.lazy import nx

HEIGHT = 40.0
"""Pixels a box is high: two lines of text."""
ACROSS, STAGGER, DOWN = 18.0, 14.0, 34.0
"""Free pixels between boxes of a row, between rows of one layer, and between layers."""
STEP = 22.0
"""Pixels a layer stands below the one that it shares a row with."""
THIRD, HALF, WHOLE = 405.0, 620.0, 725.0
"""Widths of picture that a third and a half of a page, and all of a narrow one, show with letters one can read."""
ASPECT = 1.4
"""Width over height of the picture wanted where it is small."""
FLAT, STEEP, LEAST_ASPECT = 0.9, 0.65, 0.5
"""Width over height from which on a third and a half of a page will do, and the least one."""
FLATTEST = 2.2
"""The most, on a screen that must show all at once."""
SPREAD = 1.3
"""How much more room a picture takes than its boxes, each with its gaps."""
_SWEEPS = 6
"""Down and up again while rows are ordered; twice as many while variables find their places."""

Arcs = list[tuple[int, int]]


@dataclass(frozen=True)
class Shape:
    """The wanted shape of a picture: width over height, and how wide a row may always be."""

    aspect: float = ASPECT
    room: float = HALF

    def cost(self, width: float, height: float) -> float:
        """Scale that a picture of this size has to be drawn at; one wider than its place smaller still."""
        return max(width / self.aspect, height) * max(1.0, width / self.room)


def shape_for(widths: Sequence[float], taller: float = 1.0, given: float | None = None) -> Shape:
    """The shape that shows these boxes with letters one can read: no wider than a page, and high instead.

    Where a width is given the picture takes what it needs of it, as a screen that must show all at once. Heights will
    be multiplied by `taller`, so the shape is wanted so much flatter.
    """
    area = taller * SPREAD * sum(width + ACROSS for width in widths) * (HEIGHT + DOWN)
    if given is not None:
        return Shape(taller * max(ASPECT, min(FLATTEST, given**2 / max(area, 1.0))), given)
    room = THIRD if area * FLAT <= THIRD**2 else HALF if area * STEEP <= HALF**2 else WHOLE
    return Shape(taller * max(LEAST_ASPECT, min(ASPECT, room**2 / max(area, 1.0))), room)


@dataclass(frozen=True)
class RowLayout:
    """Which variables stand in which row, left to right, and how high each variable stands."""

    rows: list[list[int]]
    y: list[float]
    width: float
    height: float


def without_cycles(n: int, arcs: Sequence[tuple[int, int]]) -> Arcs:
    """The arcs, each turned if it would close a circle with those before it; every pair once."""
    below = [0] * n  # bit set of what can be reached from each variable
    retained: dict[tuple[int, int], None] = {}
    for source, target in arcs:
        if source == target or (source, target) in retained or (target, source) in retained:
            continue
        if below[target] >> source & 1:
            source, target = target, source
        retained[source, target] = None
        gained = below[target] | 1 << target
        if gained & ~below[source]:
            for i in range(n):
                if i == source or below[i] >> source & 1:
                    below[i] |= gained
    return list(retained)


def layers(n: int, arcs: Arcs) -> list[list[int]]:
    """Longest-path layers; a variable with more children than parents is drawn down towards its children."""
    graph = nx.DiGraph()
    graph.update(nodes=range(n), edges=arcs)
    generations = list(nx.topological_generations(graph))
    level = {i: depth for depth, generation in enumerate(generations) for i in generation}
    for i in itertools.chain.from_iterable(reversed(generations)):
        if graph.out_degree(i) > graph.in_degree(i):
            level[i] = min(level[j] for j in graph.successors(i)) - 1
    result: list[list[int]] = [[] for _ in generations]
    for i in range(n):
        result[level[i]].append(i)
    return [layer for layer in result if layer]


def rows_within(layered: list[list[int]], widths: Sequence[float], limit: float, share: int) -> RowLayout:
    """Layers as rows no wider than `limit`: wide ones wrap, and up to `share` short ones stand in one row."""
    rows: list[list[int]] = []
    y = [0.0] * len(widths)
    top, i, width = 0.0, 0, 0.0
    while i < len(layered):
        band, needed = [layered[i]], _width(layered[i], widths)
        while len(band) < share and i + len(band) < len(layered):
            more = _width(layered[i + len(band)], widths) + ACROSS
            if needed + more > limit:
                break
            band.append(layered[i + len(band)])
            needed += more
        i += len(band)
        wraps = max(1, math.ceil(needed / limit)) if len(band) == 1 else 1
        for depth, layer in enumerate(band):
            for place, variable in enumerate(layer):
                y[variable] = top + depth * STEP + (place % wraps) * (HEIGHT + STAGGER)
        for k in range(wraps):
            rows.append([v for layer in band for v in layer][k::wraps])
            width = max(width, _width(rows[-1], widths))
        top += HEIGHT + DOWN + (len(band) - 1) * STEP + (wraps - 1) * (HEIGHT + STAGGER)
    return RowLayout(rows, y, width, max(0.0, top - DOWN))


def _width(row: list[int], widths: Sequence[float]) -> float:
    return sum(widths[v] for v in row) + ACROSS * (len(row) - 1)


def best_rows(layered: list[list[int]], arcs: Arcs, widths: Sequence[float], shape: Shape) -> RowLayout:
    """The rows that are drawn largest in a panel of the wanted shape.

    Arcs between variables of one row are harder to follow, so they count against sharing, as wrapping does a
    little.
    """
    widest = max(widths)
    best, least = None, math.inf
    for share in (1, 2, 3, 4) if shape.aspect <= ASPECT else (1, 2, 3, 4, 6):
        for factor in np.geomspace(1.0, 12.0, 24):
            result = rows_within(layered, widths, max(widest * factor, shape.room), share)
            where = {v: k for k, row in enumerate(result.rows) for v in row}
            sideways = sum(where[a] == where[b] for a, b in arcs) / max(1, len(arcs))
            wrapped = max(0, len(result.rows) - len(layered)) / len(layered)
            size = shape.cost(result.width, result.height) * (1 + 0.6 * sideways + 0.3 * wrapped)
            if size < least - 1e-9:
                best, least = result, size
    assert best is not None  # noqa: S101  (widths are finite)
    return best


def order_layers(layered: list[list[int]], arcs: Arcs) -> list[list[int]]:
    """The layers with each one ordered by the mean place of its neighbours above, then below, and so on."""
    near: dict[int, list[int]] = {}
    for a, b in arcs:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    rows = [list(layer) for layer in layered]
    level = {v: k for k, row in enumerate(rows) for v in row}
    place: dict[int, float] = {}
    for row in rows:
        _number(row, place)
    for sweep in range(_SWEEPS):
        down = sweep % 2 == 0
        for k in range(len(rows)) if down else reversed(range(len(rows))):
            key = {}
            for v in rows[k]:
                seen = [u for u in near.get(v, ()) if (level[u] < k if down else level[u] > k)]
                weight = [1.0 / abs(level[u] - k) for u in seen]
                total = sum(w * place[u] for w, u in zip(weight, seen, strict=True))
                key[v] = total / sum(weight) if seen else place[v]
            rows[k].sort(key=lambda v: (key[v], v))
            _number(rows[k], place)
    return rows


def _number(row: list[int], place: dict[int, float]) -> None:
    for k, v in enumerate(row):
        place[v] = (k + 0.5) / len(row)


def spread(rows: list[list[int]], arcs: Arcs, widths: Sequence[float]) -> np.ndarray:
    """(n,) x of every variable: rows keep order and gaps, variables move towards their neighbours' mean."""
    n = len(widths)
    x = np.zeros(n)
    for row in rows:
        left = -_width(row, widths) / 2
        for v in row:
            x[v] = left + widths[v] / 2
            left += widths[v] + ACROSS
    half = max((_width(row, widths) for row in rows), default=0.0) / 2
    adjacency = np.zeros((n, n))
    for a, b in arcs:
        adjacency[a, b] = adjacency[b, a] = 1.0
    degree = np.maximum(adjacency.sum(axis=1), 1.0)
    for step in range(2 * _SWEEPS):
        for row in rows if step % 2 == 0 else reversed(rows):
            wanted = adjacency[row] @ x / degree[row]
            lone = adjacency[row].sum(axis=1) == 0
            x[row] = _keep_gaps(np.where(lone, x[row], wanted), [widths[v] for v in row], half)
    return x


def _keep_gaps(wanted: np.ndarray, widths: list[float], half: float) -> np.ndarray:
    """The places nearest to the wishes (least squares), in the given order, gaps kept, within the picture.

    With the gaps taken off this is isotonic regression.
    """
    from scipy.optimize import isotonic_regression

    shift = np.array([0.0, *np.cumsum([(a + b) / 2 + ACROSS for a, b in itertools.pairwise(widths)])])
    base = isotonic_regression(wanted - shift).x
    low, high = -half + widths[0] / 2, half - widths[-1] / 2 - shift[-1]
    return np.clip(base, low, max(low, high)) + shift


def crosses(areas: np.ndarray, lines: np.ndarray) -> np.ndarray:
    """(areas, lines) whether a line runs through an area (Liang and Barsky's clipping).

    Areas are (left, top, right, bottom), lines (x, y, x, y) from end to end.
    """
    low, high = np.zeros((len(areas), len(lines))), np.ones((len(areas), len(lines)))
    for k in (0, 1):
        step = lines[None, :, k + 2] - lines[None, :, k]
        with np.errstate(divide="ignore", invalid="ignore"):
            one, other = ((areas[:, end, None] - lines[None, :, k]) / step for end in (k, k + 2))
        inside = (areas[:, k, None] <= lines[None, :, k]) & (lines[None, :, k] <= areas[:, k + 2, None])
        still = np.broadcast_to(step == 0, low.shape)
        low = np.maximum(low, np.where(still, np.where(inside, 0.0, 2.0), np.minimum(one, other)))
        high = np.minimum(high, np.where(still, 1.0, np.maximum(one, other)))
    return np.asarray(low < high)


def crossing(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """(some, others) whether two lines cross between their ends; lines with a common end do not."""
    a, b, c, d = some[:, None, :2], some[:, None, 2:], others[None, :, :2], others[None, :, 2:]
    return np.asarray((_side(a, b, c) * _side(a, b, d) < -1e-6) & (_side(c, d, a) * _side(c, d, b) < -1e-6))


def _side(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """Which side of the line from a to b the point c lies on."""
    along, to = b - a, c - a
    return np.asarray(along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0])
