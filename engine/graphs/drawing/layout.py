"""One picture for several networks over the same variables: a place for every variable, once for all."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from engine.graphs.drawing.clearing import Boxes
from engine.graphs.drawing.grid import MOST, place_on_grid
from engine.graphs.drawing.layers import (
    ACROSS,
    DOWN,
    HEIGHT,
    STAGGER,
    STEP,
    Arcs,
    Shape,
    best_rows,
    crosses,
    layers,
    order_layers,
    shape_for,
    spread,
    without_cycles,
)
from engine.lazy import nx

WIDTH = 128.0
"""Width of a box whose size is not given."""

ROUNDS = 160
"""Of pushing boxes apart."""

NEAR = 6.0
"""Free pixels between two boxes under which one of them moves."""

MOST_IN_GAPS = 4
"""Variables without an arc that may stand between others; more of them stand together."""
MOST_COLUMNS = 40
"""Of the grid of variables without an arc."""
BEHIND, LENGTH = 3.0, 1 / 150
"""What an arc that runs behind a box costs, and a pixel of length, in crossings."""
WIDER = 1.25
"""Times its room that a picture takes where a line must run behind a box otherwise."""
OVERHANG = 8.0
"""Pixels a variable may slide beyond a picture that fills its room, on either side."""

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

    Directed graphs, and a single link, are drawn in layers of the union of their arcs (an arc that closes a circle in
    it points up), those without a single direction on a grid, or in rows where they are large; variables without any
    edge stand in free room, or in a grid. Boxes never overlap, and equal arguments give equal places.

    Parameters
    ----------
    graphs : networks over the same variables; arcs that more of them have, and earlier ones, shape the
        picture first
    previous : places to keep, of all or some variables; one moves only if its box would cover another, and of two
        the later one here
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
    place = {name: i for i, name in enumerate(names)}
    retained = {place[name]: at for name, at in earlier.items() if name in place}
    arcs = _union(graphs, names)
    if len(retained) < len(names):
        shape = shape_for(widths.tolist(), taller, room)
        directed, linked = any(map(_has_direction, graphs)), sorted({end for arc in arcs for end in arc})
        on_grid = not directed and 2 < len(linked) <= MOST
        if on_grid:
            own = [(linked.index(a), linked.index(b)) for a, b in arcs]
            row = min(height / taller, HEIGHT)
            parts, blocks = [linked], [place_on_grid(own, widths[linked], row, shape)]
        else:
            parts, blocks = _in_parts(arcs, widths, shape, directed=directed)
        x, y = _with_lone(parts, blocks, arcs, widths, shape)
        if retained:
            x, y = _join(retained, x, y, arcs)
        elif not on_grid:
            lines = without_cycles(len(names), arcs)
            high = max(height / taller, HEIGHT)
            gap = ACROSS, HEIGHT + STAGGER - high
            x, y = Boxes(x, y, widths, high, lines, shape, gap=gap, directed=directed).cleared()
    else:
        x, y = np.array([retained[i] for i in range(len(names))], dtype=float).T
    order = [*retained, *(i for i in range(len(names)) if i not in retained)]
    positions = _separate(np.round(x), np.round(y), widths, order)
    return {name: (positions[i][0], round(positions[i][1] * taller, 9)) for i, name in enumerate(names)}


def clear_layout(
    graphs: Sequence[nx.Graph], *, sizes: Mapping[str, float], height: float, room: float | None
) -> dict[str, Point]:
    """A layout in somewhat more than its room where a line runs behind a box within it, and beyond none does.

    Parameters
    ----------
    graphs, sizes, height, room : as those of `layout`
    """
    places = layout(graphs, sizes=sizes, height=height, room=room)
    if room is None or not runs_behind(places, graphs, sizes, height):
        return places
    wider = layout(graphs, sizes=sizes, height=height, room=WIDER * room)
    return places if runs_behind(wider, graphs, sizes, height) else wider


def _taller(height: float) -> float:
    """Factor by which rows stand further apart for boxes of this height: they grow into some of the room between."""
    return max(1.0, height / (HEIGHT + NEAR))


def runs_behind(
    positions: Mapping[str, Point], graphs: Sequence[nx.Graph], sizes: Mapping[str, float], height: float = HEIGHT
) -> bool:
    """True where a straight line between two boxes runs behind a third.

    Parameters
    ----------
    positions : name -> middle of its box
    graphs : networks between them
    sizes : name -> width of its box; `WIDTH` where none is given
    height : of every box
    """
    for name, (x, y) in positions.items():
        ends = [(*positions[a], *positions[b]) for graph in graphs for a, b in graph.edges if name not in (a, b)]
        half = sizes.get(name, WIDTH) / 2
        box = np.array([[x - half, y - height / 2, x + half, y + height / 2]])
        if ends and crosses(box, np.array(ends)).any():
            return True
    return False


def remove_overlaps(
    positions: Mapping[str, Point], sizes: Mapping[str, float], height: float = HEIGHT
) -> dict[str, Point]:
    """Push boxes that have grown apart where they would cover one another; else as they were.

    Parameters
    ----------
    positions : name -> middle of its box
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
    x, y = push_apart(x, y, widths, HEIGHT, STAGGER / 2)
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


def _has_direction(graph: nx.Graph) -> bool:
    """True where an arc runs one way only."""
    return graph.is_directed() and any(not graph.has_edge(b, a) for a, b in graph.edges)


def _in_parts(arcs: Arcs, widths: np.ndarray, shape: Shape, *, directed: bool) -> tuple[list[list[int]], list[_Block]]:
    """The connected parts, the largest first, and places of each by itself."""
    parts = [sorted(part) for part in nx.connected_components(nx.Graph(arcs))]
    parts.sort(key=lambda part: (-len(part), part))
    blocks = []
    for part in parts:
        inside = {v: k for k, v in enumerate(part)}
        own = [(inside[a], inside[b]) for a, b in arcs if a in inside and b in inside]
        upright = directed or len(part) == 2  # the number of a single link has its room beside the line
        blocks.append((_layered if upright else _in_rows)(own, widths[part], shape))
    return parts, blocks


def _with_lone(parts: list[list[int]], blocks: list[_Block], arcs: Arcs, widths: np.ndarray, shape: Shape) -> _Block:
    """Places of all variables: the parts side by side, then the lone variables."""
    lone = sorted(set(range(len(widths))).difference(*parts))
    x, y = np.zeros(len(widths)), np.zeros(len(widths))
    right, bottom = _shelves(parts, blocks, widths, x, y, shape)
    if lone and not _fill_gaps(lone, arcs, widths, x, y):
        x[lone], y[lone] = _grid(widths[lone], right, bottom, shape)
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
    picture = _Picture(rows, y, arcs, np.array(widths))
    picture.x = spread(rows, arcs, widths)
    picture.untangle(6000 // len(widths))
    picture.x = spread(rows, arcs, widths)
    picture.nudge(nudges, shape.room)
    return picture.x, y


def _in_rows(edges: Arcs, widths: np.ndarray, shape: Shape) -> _Block:
    """Spring places in rows no wider than the picture may be: up to down and left to right as the springs have it."""
    graph = nx.Graph()
    graph.update(nodes=range(len(widths)), edges=edges)
    positions = nx.spring_layout(graph, seed=1, iterations=60)
    x, y = np.array([positions[i] for i in range(len(widths))], dtype=float).T
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


def push_apart(
    x: np.ndarray, y: np.ndarray, widths: np.ndarray, height: float, gap: float
) -> tuple[np.ndarray, np.ndarray]:
    """The places with boxes pushed apart, each pair along the shorter way, until nearly all have their gap.

    Parameters
    ----------
    x, y : (n,) middles of the boxes
    widths, height : of the boxes
    gap : pixels between two
    """
    n = len(widths)
    need_x, need_y = (widths[:, None] + widths) / 2 + gap, height + gap
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


def _fill_gaps(lone: list[int], arcs: Arcs, widths: np.ndarray, x: np.ndarray, y: np.ndarray) -> bool:
    """Put a few lone variables into x and y where rows have free room, at the right first; whether all found some."""
    done = [i for i in range(len(x)) if i not in lone]
    if not done or len(lone) > MOST_IN_GAPS:
        return False
    lines = np.array([(x[a], y[a], x[b], y[b]) for a, b in arcs])
    rows, right = np.unique(y[done]), float((x + widths / 2)[done].max())
    for i in lone:
        half = np.array([widths[i] / 2, HEIGHT / 2])
        middles = np.arange(right - half[0], half[0], -ACROSS)
        spots = np.array([(middle, row) for row in rows for middle in middles]).reshape(-1, 2)
        near_x = np.abs(spots[:, :1] - x[done]) < half[0] + widths[done] / 2 + ACROSS
        near_y = np.abs(spots[:, 1:] - y[done]) < HEIGHT + STAGGER
        through = crosses(np.hstack([spots - half - NEAR, spots + half + NEAR]), lines).any(axis=1)
        free = np.flatnonzero(~(near_x & near_y).any(axis=1) & ~through)
        if not free.size:
            return False
        x[i], y[i] = spots[free[0]]
        done.append(i)
    return True


def _grid(widths: np.ndarray, right: float, bottom: float, shape: Shape) -> _Block:
    """Rows and columns below what fills so much, or at its right within the room, whichever is the better shape."""
    n, gap, row_height = len(widths), 2 * ACROSS, HEIGHT + STAGGER
    choices = []
    for columns in range(1, min(n, MOST_COLUMNS) + 1):
        width = sum(_columns(widths, columns)) + ACROSS * (columns - 1)
        high = math.ceil(n / columns) * row_height
        choices.append((shape.cost(max(right, width), bottom + high), False, columns))
        if right and right + gap + width <= shape.room:
            choices.append((shape.cost(right + gap + width, max(bottom - gap, high)), True, columns))
    _, beside, columns = min(choices)
    wide = np.array(_columns(widths, columns))
    left = np.concatenate([[0.0], np.cumsum(wide + ACROSS)[:-1]]) + (right + gap if beside else 0.0)
    column, row = np.arange(n) % columns, np.arange(n) // columns
    return left[column] + wide[column] / 2, (0.0 if beside else bottom) + HEIGHT / 2 + row * row_height


def _columns(widths: np.ndarray, columns: int) -> list[float]:
    """Width of each column of a grid."""
    return [float(widths[k::columns].max()) for k in range(columns)]


def _join(retained: Mapping[int, Point], x: np.ndarray, y: np.ndarray, arcs: Arcs) -> _Block:
    """Kept places, and a wish for the others: below the middle of their kept neighbours, else at the
    bottom."""
    near: dict[int, list[Point]] = {}
    for a, b in arcs:
        for node, neighbour in ((a, b), (b, a)):
            if neighbour in retained:
                near.setdefault(node, []).append(retained[neighbour])
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

    def covers(i: int, tx: np.ndarray, ty: np.ndarray, gap: float) -> np.ndarray:
        """For each trial place of box i whether it comes nearer than `gap` to one of the boxes that are done."""
        near_x = np.abs(tx[:, None] - x[done]) < (widths[i] + widths[done]) / 2 + gap
        near_y = np.abs(ty[:, None] - y[done]) < HEIGHT + gap
        return np.asarray((near_x & near_y).any(axis=1))

    for i in order:
        if done and covers(i, x[i : i + 1], y[i : i + 1], NEAR)[0]:
            reach = 1.0
            while True:
                tx, ty = x[i] + spots[:, 0] * reach, y[i] + spots[:, 1] * reach
                free = np.flatnonzero(~covers(i, tx, ty, STAGGER))
                if free.size:
                    x[i], y[i] = tx[free[0]], ty[free[0]]
                    break
                reach *= 2.0
        done.append(i)
    return {i: (float(x[i]), float(y[i])) for i in range(len(x))}


class _Picture:
    """Boxes in rows and straight arcs between their middles; `cost` counts what the arcs at some boxes disturb.

    Fewer crossings, and fewer arcs behind boxes: variables of a row are exchanged and slid as long as that helps.
    """

    def __init__(self, rows: list[list[int]], y: np.ndarray, arcs: Arcs, widths: np.ndarray) -> None:
        self.rows, self.y, self.widths = rows, y, widths
        self.x = np.zeros(len(y))
        self.arcs = np.array(arcs, dtype=np.int64).reshape(-1, 2)
        self.incident = [np.flatnonzero((self.arcs == v).any(axis=1)) for v in range(len(y))]

    def untangle(self, budget: int) -> None:
        """Exchange near variables of a row while the picture gets better; at most `budget` trials."""
        improved = True
        while improved and budget > 0:
            improved = False
            for row in self.rows:
                for i in range(len(row)):
                    for j in range(i + 1, min(i + 4, len(row))):
                        if budget <= 0:
                            return
                        budget -= 1
                        improved |= self._exchange(row, i, j)

    def nudge(self, budget: int, room: float) -> None:
        """Slide variables within the free room of their rows where that takes arcs from behind boxes.

        `room` is how wide the picture may be.
        """
        x, widths = self.x, self.widths
        low, high = float((x - widths / 2).min()), float((x + widths / 2).max())
        spare = max(OVERHANG, (room - (high - low)) / 2)
        low, high = low - spare, high + spare
        for row in self.rows:
            for k, v in enumerate(row):
                left = x[row[k - 1]] + widths[row[k - 1]] / 2 + ACROSS if k else low
                right = x[row[k + 1]] - widths[row[k + 1]] / 2 - ACROSS if k + 1 < len(row) else high
                least, stay = self.cost([v]), float(x[v])
                best = stay
                for place in stay + np.array([-30.0, 30.0, -60.0, 60.0, -90.0, 90.0, -120.0, 120.0]):
                    if budget <= 0 or least == 0 or not left <= place - widths[v] / 2 <= right - widths[v]:
                        continue
                    budget -= 1
                    x[v] = place
                    cost = self.cost([v])
                    if cost < least - 0.5:
                        best, least = float(place), cost
                x[v] = best

    def _exchange(self, row: list[int], i: int, j: int) -> bool:
        """Try one exchange; undo it unless the picture gets better."""
        part, x, widths = row[i : j + 1], self.x, self.widths
        cost, old = self.cost(part), x[part]
        gaps = [x[b] - x[a] - (widths[a] + widths[b]) / 2 for a, b in pairwise(part)]
        left = x[part[0]] - widths[part[0]] / 2
        swapped = [part[-1], *part[1:-1], part[0]]
        for variable, gap in zip(swapped, [*gaps, 0.0], strict=True):
            x[variable] = left + widths[variable] / 2
            left += widths[variable] + gap
        if self.cost(part) < cost - 1e-6:
            row[i : j + 1] = swapped
            return True
        x[part] = old
        return False

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
        """Count how often one of the arcs runs through one of the boxes (clipping by slabs)."""
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
