"""What greedy searches do with a DAG on its way, in two ways that find the same: readably in NumPy, and compiled.

`walk` chooses.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import numpy as np

from engine.counting.walk_state import ADD, REMOVE, REVERSE
from engine.execution import Progress, silent
from engine.scores.local import BoundScore, ClimbingScore
from engine.search.compiled_walk import CompiledWalk
from engine.search.constraints import Constraints
from engine.search.moves import DeltaTable, Move, Parents


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
        self.table = DeltaTable(score, constraints, start, progress)

    @property
    def tolerance(self) -> float:
        """What counts as equal."""
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

    def grow(self, progress: Progress) -> None:
        """Add the best arc until none gains."""
        self._all(ADD, progress)

    def shrink(self, progress: Progress) -> None:
        """Take the best arc away until none gains."""
        self._all(REMOVE, progress)

    def _all(self, kind: int, progress: Progress) -> None:
        steps = 0
        while True:
            gain, parent, child = self.table.best(kind)
            if gain <= self.tolerance:
                break
            self.table.apply((kind, parent, child))
            steps += 1
            # the number of arcs to come is not known; this nears 1 without passing it
            progress(steps / (steps + self._score.n_variables), f"{_WORDS[kind]}: {steps}")

    def climb(self, progress: Progress) -> tuple[float, Parents]:
        """Climb, then walk on while the tabu allowance lasts; the best total and DAG met."""
        table = self.table
        best = (table.total, table.key())
        recent: deque[tuple[int, int]] = deque(maxlen=self._tabu)
        idle, steps = 0, 0
        while True:
            gain, move = (-np.inf, None) if idle else _best_move(table, (), best[0])
            if gain <= table.tolerance:  # not on the way to a new record: what was changed lately rests
                gain, move = _best_move(table, recent, best[0])
            if move is None or (gain <= table.tolerance and idle >= self._tabu):
                break
            table.apply(move)
            recent.append(move[1:])
            steps += 1
            if table.total > best[0] + table.tolerance:
                best, idle = (table.total, table.key()), 0
            else:
                idle += 1
                if idle > self._tabu:
                    break
            progress(steps / (steps + table.score.n_variables), f"changing arcs: {steps}")
        return best


Walk = ReadableWalk | CompiledWalk
"""A DAG on its way, and the ways it can go."""

_WORDS = {ADD: "adding arcs", REMOVE: "removing arcs"}


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
