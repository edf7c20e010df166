"""One picture for several networks over the same variables: a place for every variable, once for all."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.graphs.drawing.crossings import nudge, untangle
from engine.graphs.drawing.layers import (
    ACROSS,
    DOWN,
    HEIGHT,
    STAGGER,
    STEP,
    Arcs,
    Shape,
    best_rows,
    layers,
    order_layers,
    shape_for,
    spread,
    without_cycles,
)

if TYPE_CHECKING:
    import networkx as nx

WIDTH = 128.0
"""Width of a box whose size is not given."""

ROUNDS = 160
"""Of pushing boxes apart."""
LOOSE = 1.3
"""How much larger a free picture may be than one in rows, which is harder to follow."""

NEAR = 6.0
"""Free pixels between two boxes under which one of them moves."""

Point = tuple[float, float]
_Block = tuple[np.ndarray, np.ndarray]  # x and y of the middles of some boxes


def layout(
    graphs: Sequence[nx.Graph],
    previous: Mapping[str, Point] | None = None,
    sizes: Mapping[str, float] | None = None,
    height: float = HEIGHT,
    room: float | None = None,
) -> dict[str, Point]:
    """One place for every variable, shared by all the graphs, so that they can be compared at a glance.

    Directed graphs are drawn in layers of the union of their arcs (an arc that closes a circle in the union
    points up), undirected ones by forces; variables without any edge stand in a grid below. Boxes never
    overlap, and equal arguments give equal places.

    Parameters
    ----------
    graphs : networks over the same variables; arcs that more of them have, and earlier ones, shape the
        picture first
    previous : places to keep, of all or some variables; one moves only if its box would cover another
    sizes : name -> width of its box; `WIDTH` where none is given. `labels.box_sizes` knows those of boxes that show
        the names
    height : of every box; taller ones make the whole picture taller
    room : width that the picture may take and hardly exceeds; without it what a page, or half of one, can show

    Returns
    -------
    name -> (x, y) of the middle of its box, y downwards, in the unit of the sizes; in the order of the first graph

    Examples
    --------
    >>> import networkx as nx
    >>> engine.graphs.layout([nx.DiGraph([("age", "cough")])])
    {'age': (0.0, -37.0), 'cough': (0.0, 37.0)}
    """
    names = list(dict.fromkeys(node for graph in graphs for node in graph.nodes))
    widths = np.array([(sizes or {}).get(name, WIDTH) for name in names], dtype=float)
    if not names:
        return {}
    taller = _taller(height)
    earlier = {name: (x, y / taller) for name, (x, y) in (previous or {}).items()}
    retained = {i: earlier[name] for i, name in enumerate(names) if name in earlier}
    arcs = _union(graphs, names)
    if len(retained) < len(names):
        shape = shape_for(widths.tolist(), taller, room)
        x, y = _fresh(arcs, widths, shape, directed=any(graph.is_directed() for graph in graphs))
        if retained:
            x, y = _join(retained, x, y, arcs)
    else:
        x, y = np.array([retained[i] for i in range(len(names))], dtype=float).T
    order = [*retained, *(i for i in range(len(names)) if i not in retained)]
    positions = _separate(np.round(x), np.round(y), widths, order)
    return {name: (positions[i][0], round(positions[i][1] * taller, 9)) for i, name in enumerate(names)}


def _taller(height: float) -> float:
    """How much further apart rows stand for boxes of this height: they grow into some of the room between them."""
    return max(1.0, height / (HEIGHT + NEAR))


def parted(positions: Mapping[str, Point], sizes: Mapping[str, float], height: float = HEIGHT) -> dict[str, Point]:
    """Places of boxes that have grown, pushed apart where they would cover one another; else as they were.

    Parameters
    ----------
    places : name -> middle of its box
    sizes : name -> width of its box now; `WIDTH` where none is given
    height : of every box now
    """
    names, taller = list(positions), _taller(height)
    widths = np.array([sizes.get(name, WIDTH) for name in names], dtype=float)
    at = np.array([positions[name] for name in names], dtype=float).reshape(-1, 2)
    x, y = at[:, 0], at[:, 1] / taller
    near = np.abs(x[:, None] - x) < (widths[:, None] + widths) / 2
    if not np.triu(near & (np.abs(y[:, None] - y) < height / taller - 1e-6), 1).any():
        return dict(positions)
    x, y = _pushed(x, y, widths, STAGGER / 2)
    pushed = _separate(np.round(x), np.round(y), widths, range(len(names)))
    return {name: (pushed[i][0], round(pushed[i][1] * taller, 9)) for i, name in enumerate(names)}


def _union(graphs: Sequence[nx.Graph], names: list[str]) -> Arcs:
    """The arcs of all graphs: those of most graphs first, undirected edges last and from low to high."""
    place = {name: i for i, name in enumerate(names)}
    result: Counter[tuple[int, int]] = Counter()
    loose: Counter[tuple[int, int]] = Counter()
    for graph in graphs:
        for a, b in graph.edges:
            if graph.is_directed() and not graph.has_edge(b, a):
                result[place[a], place[b]] += 1
            elif a != b:
                loose[min(place[a], place[b]), max(place[a], place[b])] += 1
    return [arc for many in (result, loose) for arc in sorted(many, key=lambda arc: (-many[arc], arc))]


def _fresh(arcs: Arcs, widths: np.ndarray, shape: Shape, directed: bool) -> _Block:
    """Places of all variables: each connected part by itself, side by side, lone variables below."""
    import networkx as nx

    skeleton = nx.Graph(arcs)
    parts = [sorted(part) for part in nx.connected_components(skeleton)]
    parts.sort(key=lambda part: (-len(part), part))
    blocks = []
    for part in parts:
        inside = {v: k for k, v in enumerate(part)}
        own = [(inside[a], inside[b]) for a, b in arcs if a in inside and b in inside]
        blocks.append((_layered if directed else _forces)(own, widths[part], shape))
    lone = [i for i in range(len(widths)) if i not in skeleton]
    x, y = np.zeros(len(widths)), np.zeros(len(widths))
    right, bottom = _shelves(parts, blocks, widths, x, y, shape)
    if lone:
        x[lone], y[lone] = _grid(widths[lone], right, shape)
        y[lone] += bottom
    left, right = (x - widths / 2).min(), (x + widths / 2).max()
    return x - (left + right) / 2, y - (y.min() + y.max()) / 2


def _layered(arcs: Arcs, widths: np.ndarray, shape: Shape) -> _Block:
    n = len(widths)
    arcs = without_cycles(n, arcs)
    wide = widths.tolist()
    result = best_rows(order_layers(layers(n, arcs), arcs), arcs, wide, shape)
    return _in_places(order_layers(result.rows, arcs), np.array(result.y), arcs, wide, shape, 9000 // n)


def _in_places(
    rows: list[list[int]], y: np.ndarray, arcs: Arcs, widths: list[float], shape: Shape, nudges: int
) -> _Block:
    """Places of the variables of some rows, those of one row exchanged and slid as long as that helps."""
    x = spread(rows, arcs, widths)
    untangle(rows, x, y, arcs, widths, budget=6000 // len(widths))
    x = spread(rows, arcs, widths)
    nudge(rows, x, y, arcs, widths, budget=nudges, room=shape.room)
    return x, y


def _forces(edges: Arcs, widths: np.ndarray, shape: Shape) -> _Block:
    """Spring places, scaled to the room the boxes need, then pushed apart along the shorter way."""
    n = len(widths)
    import networkx as nx

    graph = nx.Graph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(edges)
    positions = nx.spring_layout(graph, seed=1, iterations=60)
    x, y = np.array([positions[i] for i in range(n)], dtype=float).T
    x, y = (x - x.min()) / max(float(np.ptp(x)), 1e-9), (y - y.min()) / max(float(np.ptp(y)), 1e-9)
    across = math.sqrt(shape.aspect * 1.8 * float(((widths + ACROSS) * (HEIGHT + ACROSS)).sum()))
    free = _pushed(x * across, y * across / shape.aspect, widths, ACROSS)
    rows = _in_rows(edges, x, y, widths, shape)
    return free if _cost(free, widths, shape) <= LOOSE * _cost(rows, widths, shape) else rows


def _in_rows(edges: Arcs, x: np.ndarray, y: np.ndarray, widths: np.ndarray, shape: Shape) -> _Block:
    """Spring places in rows no wider than the picture may be: up to down and left to right as the springs have it."""
    rows: list[list[int]] = [[]]
    most = max(1, math.ceil(float((widths + ACROSS).sum()) / shape.room))
    even = 1.02 * float((widths + ACROSS).sum()) / most
    for i in np.argsort(y, kind="stable").tolist():
        if rows[-1] and float((widths[[*rows[-1], i]] + ACROSS).sum()) > max(even, 2 * ACROSS):
            rows.append([])
        rows[-1].append(i)
    rows = [sorted(row, key=lambda i: (x[i], i)) for row in rows]
    level = np.zeros(len(widths))
    for depth, row in enumerate(rows):
        level[row] = depth * (HEIGHT + DOWN) + STEP / 2 * (np.arange(len(row)) % 2)
    return _in_places(rows, level, edges, widths.tolist(), shape, 6000 // len(widths))


def _cost(block: _Block, widths: np.ndarray, shape: Shape) -> float:
    x, y = block
    return shape.cost(float((x + widths / 2).max() - (x - widths / 2).min()), float(np.ptp(y)) + HEIGHT)


def _pushed(x: np.ndarray, y: np.ndarray, widths: np.ndarray, gap: float) -> _Block:
    """The places with boxes pushed apart, each pair along the shorter way, until nearly all have their gap."""
    n = len(widths)
    need_x, need_y = (widths[:, None] + widths) / 2 + gap, HEIGHT + gap
    for _ in range(ROUNDS):
        dx, dy = x[:, None] - x, y[:, None] - y
        over_x, over_y = need_x - np.abs(dx), need_y - np.abs(dy)
        touching = (over_x > 0.5) & (over_y > 0.5) & ~np.eye(n, dtype=bool)
        if not touching.any():
            break
        sideways = over_x < over_y
        earlier = np.arange(n)[:, None] < np.arange(n)  # whoever stands exactly on another goes by position
        x = x + _push(touching & sideways, over_x, dx, earlier)
        y = y + _push(touching & ~sideways, over_y, dy, earlier)
    return x, y


def _push(which: np.ndarray, over: np.ndarray, gap: np.ndarray, earlier: np.ndarray) -> np.ndarray:
    way = np.where(gap == 0, np.where(earlier, -1.0, 1.0), np.sign(gap))
    crowd = np.sqrt(np.maximum(which.sum(axis=1), 1))  # whom many push would be thrown far beyond all of them
    return np.asarray(np.where(which, way * over, 0.0).sum(axis=1) / crowd * 0.5)


def _shelves(
    parts: list[list[int]], blocks: list[_Block], widths: np.ndarray, x: np.ndarray, y: np.ndarray, shape: Shape
) -> tuple[float, float]:
    """Put the blocks into x and y, side by side in shelves; returns the width and height used."""
    sizes = []
    for part, (bx, by) in zip(parts, blocks, strict=True):
        bx -= (bx - widths[part] / 2).min()
        by -= by.min()
        sizes.append((float((bx + widths[part] / 2).max()), float(by.max()) + HEIGHT))
    gap = 2 * ACROSS
    choices = [_fill(sizes, limit, gap) for limit in np.cumsum([w + gap for w, _ in sizes])]
    corners, right, bottom = min(choices, key=lambda choice: shape.cost(*choice[1:]), default=([], 0.0, 0.0))
    for part, (bx, by), (left, top) in zip(parts, blocks, corners, strict=True):
        x[part], y[part] = bx + left, by + top + HEIGHT / 2
    return right, bottom + gap if bottom else 0.0


def _fill(sizes: list[Point], limit: float, gap: float) -> tuple[list[Point], float, float]:
    """Top left corners of the blocks on shelves up to `limit` wide, and the room that takes."""
    corners, left, top, shelf, right = [], 0.0, 0.0, 0.0, 0.0
    for width, height in sizes:
        if left and left + width > limit:
            left, top, shelf = 0.0, top + shelf + gap, 0.0
        corners.append((left, top))
        left, shelf, right = left + width + gap, max(shelf, height), max(right, left + width)
    return corners, right, top + shelf


def _grid(widths: np.ndarray, room: float, shape: Shape) -> _Block:
    """Rows and columns within `room`, or within what makes the grid itself well shaped if that is wider."""
    n = len(widths)
    room = max(room, math.sqrt(shape.aspect * n * float(widths.mean() + ACROSS) * (HEIGHT + STAGGER)))
    for columns in range(n, 0, -1):
        wide = [float(widths[k::columns].max()) for k in range(columns)]
        if columns == 1 or sum(wide) + ACROSS * (columns - 1) <= room:
            break
    left = np.concatenate([[0.0], np.cumsum(np.array(wide) + ACROSS)[:-1]])
    column, row = np.arange(n) % columns, np.arange(n) // columns
    return left[column] + np.array(wide)[column] / 2, HEIGHT / 2 + row * (HEIGHT + STAGGER)


def _join(retained: Mapping[int, Point], x: np.ndarray, y: np.ndarray, arcs: Arcs) -> _Block:
    """Kept places, and a wish for the others: below the middle of their kept neighbours, else at the
    bottom."""
    near: dict[int, list[Point]] = {}
    for a, b in arcs:
        for item, other in ((a, b), (b, a)):
            if other in retained:
                near.setdefault(item, []).append(retained[other])
    bottom = max(py for _, py in retained.values())
    for i in range(len(x)):
        if i in retained:
            x[i], y[i] = retained[i]
        elif i in near:
            x[i], y[i] = np.mean(near[i], axis=0)
            y[i] += HEIGHT + STAGGER
        else:
            y[i] = bottom + HEIGHT + STAGGER
    return x, y


def _separate(x: np.ndarray, y: np.ndarray, widths: np.ndarray, order: Iterable[int]) -> dict[int, Point]:
    """The places with overlaps undone: in order, a box that covers an earlier one goes to the nearest free
    spot."""
    step_x, step_y = np.meshgrid(np.arange(-30, 31) * 16.0, np.arange(-20, 21) * 18.0)
    spots = np.array([step_x.ravel(), step_y.ravel()]).T
    spots = spots[np.lexsort((spots[:, 0], spots[:, 1], np.hypot(spots[:, 0], 1.5 * spots[:, 1])))]
    done: list[int] = []
    for i in order:
        if done and _covers(x[i : i + 1], y[i : i + 1], i, x, y, widths, done, NEAR)[0]:
            reach = 1.0
            while True:
                tx, ty = x[i] + spots[:, 0] * reach, y[i] + spots[:, 1] * reach
                free = np.flatnonzero(~_covers(tx, ty, i, x, y, widths, done, STAGGER))
                if free.size:
                    x[i], y[i] = tx[free[0]], ty[free[0]]
                    break
                reach *= 2.0
        done.append(i)
    return {i: (float(x[i]), float(y[i])) for i in range(len(x))}


def _covers(
    tx: np.ndarray,
    ty: np.ndarray,
    i: int,
    x: np.ndarray,
    y: np.ndarray,
    widths: np.ndarray,
    done: list[int],
    gap: float,
) -> np.ndarray:
    """For each trial place of box i whether it comes nearer than `gap` to one of the boxes that are done."""
    near_x = np.abs(tx[:, None] - x[done]) < (widths[i] + widths[done]) / 2 + gap
    near_y = np.abs(ty[:, None] - y[done]) < HEIGHT + gap
    return np.asarray((near_x & near_y).any(axis=1))
