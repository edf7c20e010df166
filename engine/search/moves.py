"""A DAG on its way: what every single arc change would gain, refreshed only for the children that changed.

Greedy searches (thick thinning, hill climbing) share this table where `engine.counting.climber` does not serve: for
scores that are not Dirichlet's, rows that are far away or very many, and until kernels are compiled. Variables are
positions; ties go to the lowest, which `engine.learn` makes the first name in alphabetical order.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from engine.counting.walk_state import ADD, REMOVE, REVERSE
from engine.execution import Progress, silent
from engine.scores.local import GAIN, BoundScore, Family, Weighed, weigh
from engine.search.constraints import Constraints

Parents = tuple[tuple[int, ...], ...]
Move = tuple[int, int, int]
"""What to do, parent, child (before the move)."""
NO_MOVE = (-np.inf, -1, -1)


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
            progress(child / p, f"weighing single arcs: variable {child + 1} of {p}")
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
        kind, x, child = move
        p = len(self.parents)
        if kind == ADD:
            self._arcs[child * p + x] = None
            self.parents[child] = tuple(sorted((*self.parents[child], x)))
            self._extend(x, child)
        else:
            del self._arcs[child * p + x]
            self.parents[child] = tuple(y for y in self.parents[child] if y != x)
            if kind == REVERSE:
                self._arcs[x * p + child] = None
                self.parents[x] = tuple(sorted((*self.parents[x], child)))
            self._close()
        touched = (x, child) if kind == REVERSE else (child,)
        for y, gains in zip(touched, weigh(self.score, map(self._family, touched)), strict=True):
            self._note(y, gains)

    def best(self, kind: int, banned: Iterable[tuple[int, int]] = (), record: float = np.inf) -> tuple[float, int, int]:
        """The largest gain of this kind of move that keeps the graph acyclic, its parent and its child.

        Arcs between `banned` pairs count only where they gain more than `record`. Among gains within the tolerance
        the lowest parent wins, then the lowest child; (-inf, -1, -1) where no move is left.
        """
        if kind == ADD:
            return self._best_addition({place for x, y in banned for place in ((x, y), (y, x))}, record)
        p = len(self.parents)
        arcs = np.fromiter(self._arcs, np.int64, len(self._arcs))
        turned = arcs % p * p + arcs // p  # parent * p + child: the order in which ties are decided
        gains = self.remove.ravel()[arcs]
        if kind == REVERSE:
            gains = gains + self.add.ravel()[turned]
        rest = {place for x, y in banned for place in (x * p + y, y * p + x)}.intersection(self._arcs)
        if rest:
            gains[[gain <= record and arc in rest for arc, gain in zip(self._arcs, gains, strict=True)]] = -np.inf
        while (gain := gains.max(initial=-np.inf)) > -np.inf:
            ties = np.flatnonzero(gains >= gain - self.tolerance)
            place = ties[np.argmin(turned[ties])]
            x, child = divmod(int(turned[place]), p)
            if kind == REMOVE or self._reversible(x, child):
                return float(gains[place]), x, child
            gains[place] = -np.inf
        return NO_MOVE

    def _best_addition(self, banned: set[tuple[int, int]], record: float) -> tuple[float, int, int]:
        restored = {place: value for place in banned if -np.inf < (value := self.legal[place]) <= record}
        if restored:
            rows = list({child for child, _ in restored})
            known = self.best_addition[rows]
            for place in restored:
                self.legal[place] = -np.inf
            self.best_addition[rows] = self.legal[rows].max(axis=1)
        gain = self.best_addition.max(initial=-np.inf)
        result = NO_MOVE
        if gain > -np.inf:
            close = np.flatnonzero(self.best_addition >= gain - self.tolerance)
            firsts = np.argmax(self.legal[close] >= gain - self.tolerance, axis=1)
            parent, child = min(zip(firsts.tolist(), close.tolist(), strict=True))
            result = float(self.legal[child, parent]), parent, child
        if restored:
            for place, value in restored.items():
                self.legal[place] = value
            self.best_addition[rows] = known
        return result

    def _reversible(self, x: int, child: int) -> bool:
        """Whether no other directed path runs from x to child."""
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
