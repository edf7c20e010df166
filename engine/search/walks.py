"""What greedy searches do with a DAG on its way, in two ways that find the same: readably in NumPy, and compiled.

`walk` chooses. The readable way serves scores that are not Dirichlet's, rows that are far away or very many, and until
kernels are compiled. Variables are positions; ties go to the lowest, which `engine.learn` makes the first name in
alphabetical order.
"""

from __future__ import annotations

import importlib
from collections import deque
from collections.abc import Iterable

import numpy as np

from engine.counting.walk_state import (
    ADD,
    CLIMB,
    GROW,
    REMOVE,
    REQUIRED,
    REVERSE,
    SHRINK,
    Rows,
    new_state,
    set_parents,
)
from engine.execution import Progress, silent
from engine.scores.local import GAIN, BoundScore, ClimbingScore, Family, Weighed, weigh
from engine.search.constraints import Constraints

Parents = tuple[tuple[int, ...], ...]
Move = tuple[int, int, int]
"""What to do, parent, child (before the move)."""
NO_MOVE = (-np.inf, -1, -1)
_BUDGET = 50_000_000
"""Rows times variables after which a kernel comes back to let others speak: some 20 milliseconds."""
_MODE_WORDS = {CLIMB: "changing links", GROW: "adding links", SHRINK: "removing links"}


def walk(
    score: BoundScore,
    constraints: Constraints,
    start: Parents | None = None,
    progress: Progress = silent,
    tabu: int = 0,
) -> Walk:
    """A walk that begins at a DAG, or at the required arcs alone; with `tabu`, see `hill_climbing`."""
    rows = score.climbing_rows() if isinstance(score, ClimbingScore) else None
    if rows is None:
        return ReadableWalk(score, constraints, start, progress, tabu)
    return CompiledWalk(rows, constraints, start, progress, tabu)


class ReadableWalk:
    """A walk over a `DeltaTable`, a step of Python each."""

    def __init__(
        self, score: BoundScore, constraints: Constraints, start: Parents | None, progress: Progress, tabu: int
    ) -> None:
        self._score, self._constraints, self._tabu = score, constraints, tabu
        self.resting: tuple[tuple[int, int], ...] = ()
        """Pairs changed lately that the next move may touch only for a total above `record`."""
        self.record = -np.inf
        self.table = DeltaTable(score, constraints, start, progress)

    @property
    def tolerance(self) -> float:
        """The difference up to which scores count as equal."""
        return self.table.tolerance

    def key(self) -> Parents:
        """The parents of every variable."""
        return self.table.key()

    def restart(self, parents: Parents) -> None:
        """Stand at another DAG, as if begun there."""
        self.table = DeltaTable(self._score, self._constraints, parents)

    def apply(self, move: Move) -> None:
        """Make a move."""
        self.table.apply(move)

    def draw_move(self, kind: int, generator: np.random.Generator) -> Move | None:
        """A move of one kind that is allowed, drawn from all; None where there is none, and then nothing is drawn."""
        pairs = np.argwhere(np.isfinite(self.table.remove if kind == REMOVE else self.table.legal))
        if not len(pairs):
            return None
        child, parent = pairs[generator.integers(len(pairs))]
        return kind, int(parent), int(child)

    def run(self, mode: int, progress: Progress) -> None:
        """Add the best arc (`GROW`), or take it away (`SHRINK`), until none gains."""
        steps, kind = 0, ADD if mode == GROW else REMOVE
        while True:
            gain, parent, child = self.table.best(kind)
            if gain <= self.tolerance:
                break
            self.apply((kind, parent, child))
            steps += 1
            # the number of arcs to come is not known; this nears 1 without passing it
            progress(steps / (steps + self._score.n_variables), f"{_MODE_WORDS[mode]}: {steps}")

    def climb(self, progress: Progress) -> tuple[float, Parents]:
        """Climb, then walk on while the tabu allowance lasts; the best total and DAG met."""
        table = self.table
        best = (table.total, table.key())
        recent: deque[tuple[int, int]] = deque(maxlen=self._tabu)
        idle, steps = 0, 0
        while True:
            self.resting, self.record = (), best[0]
            gain, move = (-np.inf, None) if idle else _best_move(table, (), best[0])
            if gain <= table.tolerance:  # not on the way to a new record: what was changed lately rests
                self.resting = tuple(recent)
                gain, move = _best_move(table, recent, best[0])
            if move is None or (gain <= table.tolerance and idle >= self._tabu):
                break
            self.apply(move)
            recent.append(move[1:])
            steps += 1
            if table.total > best[0] + table.tolerance:
                best, idle = (table.total, table.key()), 0
            else:
                idle += 1
                if idle > self._tabu:
                    break
            progress(steps / (steps + table.score.n_variables), f"{_MODE_WORDS[CLIMB]}: {steps}")
        return best


class CompiledWalk:
    """A walk over a `State` whose steps are compiled; Python tells how far it is, and draws."""

    def __init__(
        self, rows: Rows, constraints: Constraints, start: Parents | None, progress: Progress, tabu: int
    ) -> None:
        self._climber = importlib.import_module("engine.counting.climber")  # numba is heavy: not before it is wanted
        self._rows = rows
        begin = start if start is not None else constraints.required
        self._state = new_state(begin, constraints.allowed, constraints.required, constraints.max_parents, tabu)
        p, n = rows.codes.shape
        self._steps = max(1, _BUDGET // (p * n))
        for first in range(0, p, self._steps):
            progress(first / p, f"scoring single links: variable {first + 1} of {p}")
            self._state.stale[:] = 0
            self._state.stale[first : first + self._steps] = 1
            self._climber.make_moves(self._state, rows, CLIMB, 0)
        self._settle()

    @property
    def tolerance(self) -> float:
        """The difference up to which scores count as equal."""
        return float(self._state.now["tolerance"][0])

    def _settle(self) -> None:
        state = self._state
        self._climber.find_paths(state.below, state.add, state.best, state.best_parent, state.sizes, state.parents)
        state.now["tolerance"] = GAIN * np.abs(state.local).max(initial=1.0)

    def key(self) -> Parents:
        """The parents of every variable."""
        return _parents(self._state.sizes, self._state.parents)

    def climb(self, progress: Progress) -> tuple[float, Parents]:
        """Climb, then walk on while the tabu allowance lasts; the best total and DAG met."""
        state = self._state
        state.now["record"], state.now["idle"], state.now["begun"] = -np.inf, 0, state.now["steps"]
        self.run(CLIMB, progress)
        return float(state.now["record"][0]), _parents(state.record_sizes, state.record_parents)

    def run(self, mode: int, progress: Progress) -> None:
        """Add the best arc (`GROW`), or take it away (`SHRINK`), until none gains; or climb."""
        begun, p = int(self._state.now["steps"][0]), len(self._state.local)
        more = True
        while more:
            more = self._climber.make_moves(self._state, self._rows, mode, self._steps)
            if steps := int(self._state.now["steps"][0]) - begun:
                # the number of arcs to come is not known; this nears 1 without passing it
                progress(steps / (steps + p), f"{_MODE_WORDS[mode]}: {steps}")

    def apply(self, move: Move) -> None:
        """Make a move."""
        self._climber.change_arc(self._state, CLIMB, *move)
        self._climber.make_moves(self._state, self._rows, CLIMB, 0)

    def restart(self, parents: Parents) -> None:
        """Stand at another DAG, as if begun there."""
        changed = [child for child, group in enumerate(self.key()) if group != parents[child]]
        for child in changed:
            set_parents(self._state, child, parents[child])
        self._climber.make_moves(self._state, self._rows, CLIMB, 0)
        self._settle()

    def draw_move(self, kind: int, generator: np.random.Generator) -> Move | None:
        """A move of one kind that is allowed, drawn from all; None where there is none, and then nothing is drawn."""
        state, p = self._state, len(self._state.local)
        if kind == ADD:
            below = np.unpackbits(state.below.astype("<u8").view(np.uint8), axis=1, count=p, bitorder="little")
            open_ = np.isfinite(state.add) & (below == 0)
        else:
            open_ = np.zeros((p, p), dtype=bool)
            for child, group in enumerate(self.key()):
                open_[child, list(group)] = True
            open_ &= state.rules & REQUIRED == 0
        pairs = np.flatnonzero(open_)
        if not len(pairs):
            return None
        child, parent = divmod(int(pairs[generator.integers(len(pairs))]), p)
        return kind, parent, child


def _parents(sizes: np.ndarray, parents: np.ndarray) -> Parents:
    return tuple(tuple(sorted(group[:size])) for size, group in zip(sizes.tolist(), parents.tolist(), strict=True))


Walk = ReadableWalk | CompiledWalk
"""A DAG on its way, and the ways it can go."""


def _best_move(table: DeltaTable, recent: Iterable[tuple[int, int]], record: float) -> tuple[float, Move | None]:
    """The move that gains most, additions before removals before reversals among equals.

    A recent arc may be touched again only for a new record, so a climb itself is never held back.
    """
    short = record - table.total + table.tolerance
    best: tuple[float, Move | None] = (-np.inf, None)
    for kind in (ADD, REMOVE, REVERSE):
        gain, parent, child = table.best(kind, recent, short)
        if parent >= 0 and gain > best[0] + table.tolerance:
            best = gain, (kind, parent, child)
    return best


class DeltaTable:
    """The current parents of each variable and the gain of every addition, removal and reversal.

    Attributes
    ----------
    parents : per child a sorted tuple of positions
    local : (p,) score of every family
    add : (p, p) `add[child, x]` gain of x -> child; -inf where x is in the family, not allowed, or the family is full
    remove : (p, p) `remove[child, x]` gain of taking x -> child away; -inf where there is no such arc or it is required
    above : (p, p) bool `above[child, x]`, a directed path runs from x to child
    legal : `add` with -inf where the arc would close a circle
    best_addition : (p,) the largest value in each row of `legal`, so that a step looks at few rows
    """

    def __init__(
        self,
        score: BoundScore,
        constraints: Constraints,
        start: Parents | None = None,
        progress: Progress = silent,
    ) -> None:
        p = score.n_variables
        self.score = score
        self.constraints = constraints
        self.parents = list(start if start is not None else constraints.required)
        self.add = np.full((p, p), -np.inf)
        self.legal = self.add.copy()
        self.remove = np.full((p, p), -np.inf)
        self.local = np.zeros(p)
        self.above = np.zeros((p, p), dtype=bool)
        self.best_addition = np.full(p, -np.inf)
        self._arcs = {child * p + x: None for child, group in enumerate(self.parents) for x in group}  # an ordered set
        for child, gains in enumerate(weigh(score, map(self._family, range(p)))):
            progress(child / p, f"scoring single links: variable {child + 1} of {p}")
            self._note(child, gains)
        self._close()
        largest = max(1.0, float(np.abs(self.local).max(initial=0.0)))
        self.tolerance = GAIN * largest

    @property
    def total(self) -> float:
        return float(self.local.cumsum()[-1]) if len(self.local) else 0.0  # in the order in which a kernel adds

    def key(self) -> Parents:
        return tuple(self.parents)

    def apply(self, move: Move) -> None:
        """Make a move and refresh what it touched."""
        what, x, child = move
        p = len(self.parents)
        if what == ADD:
            self._arcs[child * p + x] = None
            self.parents[child] = tuple(sorted((*self.parents[child], x)))
            self._extend(x, child)
        else:
            del self._arcs[child * p + x]
            self.parents[child] = tuple(y for y in self.parents[child] if y != x)
            if what == REVERSE:
                self._arcs[x * p + child] = None
                self.parents[x] = tuple(sorted((*self.parents[x], child)))
            self._close()
        touched = (x, child) if what == REVERSE else (child,)
        for y, gains in zip(touched, weigh(self.score, map(self._family, touched)), strict=True):
            self._note(y, gains)

    def best(self, what: int, banned: Iterable[tuple[int, int]] = (), record: float = np.inf) -> tuple[float, int, int]:
        """The largest gain of this kind of move that keeps the graph acyclic, its parent and its child.

        Arcs between `banned` pairs count only where they gain more than `record`. Among gains within the tolerance
        the lowest parent wins, then the lowest child; (-inf, -1, -1) where no move is left.
        """
        if what == ADD:
            return self._best_addition({place for x, y in banned for place in ((x, y), (y, x))}, record)
        if not self._arcs:
            return NO_MOVE
        p = len(self.parents)
        arcs = np.fromiter(self._arcs, np.int64, len(self._arcs))
        turned = arcs % p * p + arcs // p  # parent * p + child: the order in which ties are decided
        gains = self.remove.ravel()[arcs]
        if what == REVERSE:
            gains = gains + self.add.ravel()[turned]
        rest = {place for x, y in banned for place in (x * p + y, y * p + x)}.intersection(self._arcs)
        if rest:
            gains[[gain <= record and arc in rest for arc, gain in zip(self._arcs, gains, strict=True)]] = -np.inf
        while (gain := gains.max(initial=-np.inf)) > -np.inf:
            ties = np.flatnonzero(gains >= gain - self.tolerance)
            place = ties[np.argmin(turned[ties])]
            x, child = divmod(int(turned[place]), p)
            if what == REMOVE or self._reversible(x, child):
                return float(gains[place]), x, child
            gains[place] = -np.inf
        return NO_MOVE

    def _best_addition(self, banned: set[tuple[int, int]], record: float) -> tuple[float, int, int]:
        held = {place: value for place in banned if -np.inf < (value := self.legal[place]) <= record}
        if held:
            rows = list({child for child, _ in held})
            known = self.best_addition[rows]
            for place in held:
                self.legal[place] = -np.inf
            self.best_addition[rows] = self.legal[rows].max(axis=1)
        gain = self.best_addition.max(initial=-np.inf)
        result = NO_MOVE
        if gain > -np.inf:
            close = np.flatnonzero(self.best_addition >= gain - self.tolerance)
            firsts = np.argmax(self.legal[close] >= gain - self.tolerance, axis=1)
            parent, child = min(zip(firsts.tolist(), close.tolist(), strict=True))
            result = float(self.legal[child, parent]), parent, child
        if held:
            for place, value in held.items():
                self.legal[place] = value
            self.best_addition[rows] = known
        return result

    def _reversible(self, x: int, child: int) -> bool:
        """True where no other directed path runs from x to child."""
        return not any(self.above[z, x] for z in self.parents[child])

    def _family(self, child: int) -> Family:
        group = self.parents[child]
        among = self.constraints.allowed[child] if len(group) < self.constraints.max_parents else None
        return Family(child, group, self.constraints.required[child], among)

    def _note(self, child: int, gains: Weighed) -> None:
        """Write what a child's family is worth and what its changes gain."""
        self.local[child], self.add[child], self.remove[child] = gains.local, gains.additions, -np.inf
        self.remove[child, list(self.parents[child])] = gains.removals
        self.legal[child] = np.where(self.above[:, child], -np.inf, self.add[child])
        self.best_addition[child] = self.legal[child].max()

    def _extend(self, x: int, child: int) -> None:
        """Bring the ancestors up to date after adding x -> child."""
        gained = self.above[x].copy()
        gained[x] = True
        below = self.above[:, child].copy()
        below[child] = True
        self.above[below] |= gained
        over, under = np.flatnonzero(gained), np.flatnonzero(below)
        self.legal[over[:, None], under] = -np.inf  # an arc from any of these down to those would now close a circle
        self.best_addition[over] = self.legal[over].max(axis=1)

    def _close(self) -> None:
        """Work the ancestors out anew: `above[y, x]` says that a directed path runs from x to y."""
        p = len(self.parents)
        self.above = np.zeros((p, p), dtype=bool)
        children: list[list[int]] = [[] for _ in range(p)]
        for child, group in enumerate(self.parents):
            for x in group:
                children[x].append(child)
        waiting = [len(group) for group in self.parents]
        ready = [child for child in range(p) if not waiting[child]]
        while ready:  # parents before children, so that a parent's own ancestors are complete
            x = ready.pop()
            for child in children[x]:
                self.above[child] |= self.above[x]
                self.above[child, x] = True
                waiting[child] -= 1
                if not waiting[child]:
                    ready.append(child)
        self.legal = np.where(self.above.T, -np.inf, self.add)
        self.best_addition = self.legal.max(axis=1, initial=-np.inf)
