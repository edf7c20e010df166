"""A score that is a table of made-up figures, and every search written out the slow way over names.

Whole numbers make many ties, so the rules that decide them show; the searches themselves see a score like any other.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

import engine

Arc = tuple[str, str]
Graph = dict[str, frozenset[str]]
"""Child -> its parents."""
CLOSE = 1e-6
"""Far above the rounding that is put on, far below one."""


@dataclass(frozen=True)
class MadeUp:
    """A decomposable score of drawn figures: 0 to `most`, less `cost` a parent, each shifted by at most `rounding`."""

    seed: int
    most: int = 3
    rounding: float = 0.0
    cost: int = 0
    equivalent: ClassVar[bool] = True

    def bind(self, data: engine.Dataset) -> BoundMadeUp:
        return BoundMadeUp(self, data.names)

    def family(self, data: engine.Dataset, child: str, parents: Iterable[str]) -> float:
        """Each family's figure hangs on its names alone."""
        everyone, group = sorted(data.names), list(parents)
        mask = sum(1 << everyone.index(name) for name in group)
        figures = np.random.default_rng([self.seed, everyone.index(child), mask])
        figure = float(figures.integers(0, self.most + 1)) - self.cost * len(group)
        return figure + self.rounding * float(figures.uniform(-1, 1))


class BoundMadeUp:
    """The same by position, as searches ask."""

    def __init__(self, score: MadeUp, names: tuple[str, ...]) -> None:
        self.score, self.names, self.n_variables = score, names, len(names)
        self.data = nameless(names)
        self.known: dict[tuple[int, tuple[int, ...]], float] = {}

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        key = child, tuple(sorted(parents))
        if key not in self.known:
            self.known[key] = self.score.family(self.data, self.names[child], [self.names[x] for x in parents])
        return self.known[key]

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        scores = np.full(self.n_variables, -np.inf)
        for x in range(self.n_variables):
            if x != child and x not in parents and (among is None or among[x]):
                scores[x] = self.local(child, (*parents, x))
        return scores


def nameless(names: Iterable[str]) -> engine.Dataset:
    """Two rows of nothing, for the names alone."""
    listed = list(names)
    return engine.Dataset.from_codes(np.zeros((len(listed), 2), dtype=np.uint8), [2] * len(listed), listed)


class World:
    """The rules of one search: names in order, what is allowed, required and at most."""

    def __init__(
        self,
        score: MadeUp,
        names: Iterable[str],
        forbidden: Iterable[Arc] = (),
        required: Iterable[Arc] = (),
        max_parents: int | None = None,
    ) -> None:
        self.names = sorted(names)
        self.bound = BoundMadeUp(score, tuple(self.names))
        self.forbidden, self.required = set(forbidden), set(required)
        self.most = len(self.names) - 1 if max_parents is None else max_parents

    def local(self, child: str, parents: Iterable[str]) -> float:
        return self.bound.local(self.names.index(child), tuple(sorted(self.names.index(x) for x in parents)))

    def total(self, graph: Graph) -> float:
        return sum(self.local(child, group) for child, group in graph.items())

    def start(self) -> Graph:
        return {child: frozenset(a for a, b in self.required if b == child) for child in self.names}

    def fits(self, graph: Graph) -> bool:
        arcs = {(x, child) for child, group in graph.items() for x in group}
        small = all(len(group) <= self.most for group in graph.values())
        return small and not arcs & self.forbidden and arcs >= self.required and acyclic(graph)

    def after(self, graph: Graph, what: str, x: str, child: str) -> Graph | None:
        """The graph after one change, None where there is nothing to change or a rule is against it."""
        there = x in graph[child]
        if there == (what == "add"):
            return None
        changed = dict(graph)
        changed[child] = graph[child] | {x} if what == "add" else graph[child] - {x}
        if what == "reverse":
            changed[x] = graph[x] | {child}
        return changed if self.fits(changed) else None

    def moves(self, graph: Graph, what: str) -> list[tuple[float, str, str]]:
        """Every change of one kind with what it gains, by parent, then child."""
        found = []
        for x, child in itertools.permutations(self.names, 2):
            changed = self.after(graph, what, x, child)
            if changed is not None:
                found.append((self.total(changed) - self.total(graph), x, child))
        return found


def acyclic(graph: Graph) -> bool:
    """Whether childless variables can be taken away until none is left."""
    left = set(graph)
    while left:
        ends = {one for one in left if not any(one in graph[child] for child in left)}
        if not ends:
            return False
        left -= ends
    return True


def first_of_best(moves: list[tuple[float, str, str]]) -> tuple[float, str, str] | None:
    """The first of those that gain most, but for rounding."""
    most = max((move[0] for move in moves), default=0.0)
    return next((move for move in moves if move[0] >= most - CLOSE), None)


def slow_thick_thinning(world: World) -> Graph:
    """Add the best arc until none gains, then take the best away until none gains."""
    graph = world.start()
    for what in ("add", "remove"):
        while (move := first_of_best(world.moves(graph, what))) is not None and move[0] > CLOSE:
            changed = world.after(graph, what, *move[1:])
            assert changed is not None
            graph = changed
    return graph


def slow_exact(world: World) -> Graph:
    """Of all DAGs that fit and score most: the lowest variable without children, then its lowest set of parents."""
    families = [
        [frozenset(group) for size in range(world.most + 1) for group in itertools.combinations(others, size)]
        for child in world.names
        for others in [[x for x in world.names if x != child]]
    ]
    graphs = [dict(zip(world.names, choice, strict=True)) for choice in itertools.product(*families)]
    graphs = [graph for graph in graphs if world.fits(graph)]
    best = max(map(world.total, graphs))
    graphs = [graph for graph in graphs if world.total(graph) >= best - CLOSE]
    found: Graph = {}
    while len(found) < len(world.names):
        left = [name for name in world.names if name not in found]
        sink = next(one for one in left if any(all(one not in graph[child] for child in left) for graph in graphs))
        graphs = [graph for graph in graphs if all(sink not in graph[child] for child in left)]
        lowest = min((graph[sink] for graph in graphs), key=lambda group: _mask(world, group))
        graphs = [graph for graph in graphs if graph[sink] == lowest]
        found[sink] = lowest
    return found


def _mask(world: World, group: frozenset[str]) -> int:
    return sum(1 << world.names.index(name) for name in group)


def slow_hill_climbing(world: World, tabu: int, restarts: int, seed: int) -> Graph:
    """Climb and walk on; then shake, climb again and keep what is better; what was not is shaken from the best anew."""
    generator = np.random.default_rng(seed)
    graph, best = _slow_climb(world, world.start(), tabu)
    for _ in range(restarts):
        graph = _slow_shake(world, graph, generator)
        graph, found = _slow_climb(world, graph, tabu)
        if found[0] > best[0] + CLOSE:
            best = found
        else:
            graph = best[1]
    return best[1]


def _slow_climb(world: World, graph: Graph, tabu: int) -> tuple[Graph, tuple[float, Graph]]:
    """Where the walk ended, and the best total and DAG on its way."""
    best = world.total(graph), graph
    recent: list[Arc] = []
    idle = 0
    while True:
        move = _slow_best(world, graph, [], best[0]) if not idle else None
        if move is None or move[0] <= CLOSE:
            move = _slow_best(world, graph, recent[-tabu:] if tabu else [], best[0])
        if move is None or (move[0] <= CLOSE and idle >= tabu):
            return graph, best
        changed = world.after(graph, *move[1:])
        assert changed is not None
        graph = changed
        recent.append(move[2:])
        if world.total(graph) > best[0] + CLOSE:
            best, idle = (world.total(graph), graph), 0
        else:
            idle += 1
            if idle > tabu:
                return graph, best


def _slow_best(world: World, graph: Graph, recent: list[Arc], record: float) -> tuple[float, str, str, str] | None:
    """Additions before removals before reversals; what was touched lately only for a new record."""
    short = record - world.total(graph)
    best: tuple[float, str, str, str] | None = None
    for what in ("add", "remove", "reverse"):
        moves = [
            (gain, x, child)
            for gain, x, child in world.moves(graph, what)
            if ((x, child) not in recent and (child, x) not in recent) or gain > short + CLOSE
        ]
        move = first_of_best(moves)
        if move is not None and (best is None or move[0] > best[0] + CLOSE):
            best = move[0], what, *move[1:]
    return best


def _slow_shake(world: World, graph: Graph, generator: np.random.Generator) -> Graph:
    """A quarter of the variables, but at least three, random changes; by child, then parent."""
    for _ in range(max(3, len(world.names) // 4)):
        places = {what: sorted((child, x) for _, x, child in world.moves(graph, what)) for what in ("add", "remove")}
        what = "remove" if generator.random() < 0.5 and places["remove"] else "add"
        if places[what]:
            child, x = places[what][generator.integers(len(places[what]))]
            changed = world.after(graph, what, x, child)
            assert changed is not None
            graph = changed
    return graph
