"""A walk over DAGs whose steps are compiled; Python tells how far it is, and draws."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import numpy as np

from engine.counting.walk_state import (
    ADD,
    CLIMB,
    GROW,
    REQUIRED,
    SHRINK,
    Rows,
    new_state,
    set_parents,
)
from engine.execution import Progress
from engine.scores.local import GAIN
from engine.search.constraints import Constraints

if TYPE_CHECKING:
    from engine.search.walks import Move, Parents

_BUDGET = 50_000_000
"""Rows times variables after which a kernel comes back to let others speak: some 20 milliseconds."""
_WORDS = {CLIMB: "changing arcs", GROW: "adding arcs", SHRINK: "removing arcs"}


class CompiledWalk:
    """A walk over a `State`."""

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
            progress(first / p, f"weighing single arcs: variable {first + 1} of {p}")
            self._state.stale[:] = 0
            self._state.stale[first : first + self._steps] = 1
            self._climber.make_moves(self._state, rows, CLIMB, 0)
        self._settle()

    @property
    def tolerance(self) -> float:
        """What counts as equal."""
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
        self._run(CLIMB, progress)
        return float(state.now["record"][0]), _parents(state.record_sizes, state.record_parents)

    def grow(self, progress: Progress) -> None:
        """Add the best arc until none gains."""
        self._run(GROW, progress)

    def shrink(self, progress: Progress) -> None:
        """Take the best arc away until none gains."""
        self._run(SHRINK, progress)

    def _run(self, mode: int, progress: Progress) -> None:
        begun, p = int(self._state.now["steps"][0]), len(self._state.local)
        more = True
        while more:
            more = self._climber.make_moves(self._state, self._rows, mode, self._steps)
            if steps := int(self._state.now["steps"][0]) - begun:
                # the number of arcs to come is not known; this nears 1 without passing it
                progress(steps / (steps + p), f"{_WORDS[mode]}: {steps}")

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
