"""A DAG on its way: what every single arc change would gain, refreshed only for the children that changed.

Greedy searches share this table (thick thinning, hill climbing). Variables are positions; ties go to the lowest, which
`engine.learn` makes the first name in alphabetical order.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine.execution import Progress, silent
from engine.scores.local import GAIN, BoundScore
from engine.search.constraints import Constraints

ADD, REMOVE, REVERSE = 0, 1, 2
Move = tuple[int, int, int]
"""What to do, parent, child (before the move)."""


class DeltaTable:
    """The current parents of each variable and the gain of every addition, removal and reversal.

    Attributes
    ----------
    parents : per child a sorted tuple of positions
    add : (p, p) `add[child, x]` gain of x -> child; -inf where x is in the family, not allowed, or the family is full
    remove : (p, p) `remove[child, x]` gain of taking x -> child away; -inf where there is no such arc or it is required
    """

    def __init__(
        self,
        score: BoundScore,
        constraints: Constraints,
        start: tuple[tuple[int, ...], ...] | None = None,
        progress: Progress = silent,
    ) -> None:
        p = score.n_variables
        self.score = score
        self.constraints = constraints
        self.parents = list(start if start is not None else constraints.required)
        self.add = np.full((p, p), -np.inf)
        self.remove = np.full((p, p), -np.inf)
        self.local = np.zeros(p)
        for child in range(p):
            progress(child / p, f"weighing single arcs: variable {child + 1} of {p}")
            self._refresh(child)
        self._close()
        largest = max(1.0, float(np.abs(self.local).max(initial=0.0)))
        self.tolerance = GAIN * largest

    @property
    def total(self) -> float:
        return float(self.local.sum())

    def key(self) -> tuple[tuple[int, ...], ...]:
        return tuple(self.parents)

    def apply(self, move: Move) -> None:
        """Make a move and refresh what it touched."""
        what, x, child = move
        if what == ADD:
            self.parents[child] = tuple(sorted((*self.parents[child], x)))
            self._extend(x, child)
        else:
            self.parents[child] = tuple(y for y in self.parents[child] if y != x)
            if what == REVERSE:
                self.parents[x] = tuple(sorted((*self.parents[x], child)))
                self._refresh(x)
            self._close()
        self._refresh(child)

    def best(self, what: int, banned: Iterable[tuple[int, int]] = (), record: float = np.inf) -> tuple[float, int, int]:
        """The largest gain of this kind of move that keeps the graph acyclic, its parent and its child.

        Arcs between `banned` pairs count only where they gain more than `record`. Among gains within the tolerance the
        lowest parent wins, then the lowest child; (-inf, -1, -1) where no move is left.
        """
        if what == ADD:
            gains = np.where(self.above.T, -np.inf, self.add)
        else:
            gains = self.remove.copy() if what == REMOVE else self.remove + self.add.T
        for x, y in banned:
            for place in ((x, y), (y, x)):
                if gains[place] <= record:
                    gains[place] = -np.inf
        while True:
            gain, parent, child = first_best(gains, self.tolerance)
            if what != REVERSE or parent < 0 or self._reversible(parent, child):
                return gain, parent, child
            gains[child, parent] = -np.inf

    def _reversible(self, x: int, child: int) -> bool:
        """Whether no other directed path runs from x to child."""
        return not any(self.above[z, x] for z in self.parents[child])

    def _refresh(self, child: int) -> None:
        group = self.parents[child]
        self.local[child] = base = self.score.local(child, group)
        self.remove[child] = -np.inf
        for x in group:
            if x not in self.constraints.required[child]:
                rest = tuple(y for y in group if y != x)
                self.remove[child, x] = self.score.local(child, rest) - base
        if len(group) < self.constraints.max_parents:
            gains = self.score.additions(child, group) - base
            self.add[child] = np.where(self.constraints.allowed[child], gains, -np.inf)
        else:
            self.add[child] = -np.inf

    def _extend(self, x: int, child: int) -> None:
        """Bring the ancestors up to date after adding x -> child."""
        gained = self.above[x].copy()
        gained[x] = True
        below = self.above[:, child].copy()
        below[child] = True
        self.above[below] |= gained

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


def first_best(gains: np.ndarray, tolerance: float) -> tuple[float, int, int]:
    """The largest gain and its (parent, child); among gains within `tolerance`, the lowest parent, then child."""
    best = gains.max(initial=-np.inf)
    if best == -np.inf:
        return best, -1, -1
    parent, child = divmod(int(np.argmax(best - tolerance <= gains.T)), len(gains))
    return float(gains[child, parent]), parent, child
