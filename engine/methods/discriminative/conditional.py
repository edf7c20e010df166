"""Structures by conditional likelihood (CCL), which no sum over families gives: greedy moves over both networks.

CCL is the product over points of P(own class's network) / (sum of both). The paper adds a link to one network at a time
("single"), which is why its CCL fails where the difference is small; the same link to both at once ("paired") does not.
What each family says of each point is computed once and kept, so that a move costs sums and no counting.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.methods.discriminative.counted import Counted
from engine.scores.discriminative import log_parameters
from engine.scores.local import GAIN
from engine.search.constraints import Constraints

Parents = tuple[tuple[int, ...], ...]


def log_ccl(own: np.ndarray, others: np.ndarray, side: np.ndarray) -> float:
    """Natural log of CCL: the sum over points of log P(own network) - log(sum of both), classes equally likely."""
    gap = np.where(side == 1, own - others, others - own)[side >= 0]
    return -float(np.logaddexp(0.0, -gap).sum())


def conditional_structures(
    counted: Counted, side: np.ndarray, eps: float, limits: Sequence[int], known: Constraints, *, paired: bool
) -> tuple[Parents, Parents]:
    """The parents in the network of the others and in that of the class."""
    state = _State(counted, side, eps, limits, known)
    while state.step(paired=paired):
        pass
    return state.parents[0], state.parents[1]


class _State:
    """Both networks on their way, and what every addition would change at every training point."""

    def __init__(
        self, counted: Counted, side: np.ndarray, eps: float, limits: Sequence[int], known: Constraints
    ) -> None:
        self.counted, self.side, self.eps, self.limits, self.known = counted, side, eps, limits, known
        self.inside = np.flatnonzero(side >= 0)
        self.sign = np.where(side[self.inside] == 1, 1.0, -1.0)
        p = counted.slices.n_variables
        self.parents: list[Parents] = [tuple(known.required), tuple(known.required)]
        self.now = np.zeros((2, len(self.inside), p))
        self.change = np.zeros((2, p, p, len(self.inside)))  # network, child, parent added, point
        self.both: np.ndarray | None = None  # what a link to both networks changes
        self.open = np.zeros((2, p, p), dtype=bool)
        for net in (0, 1):
            if counted.slices.plain or any(known.required) or min(limits) < 1:
                for child in range(p):
                    self._refresh(net, child)
            else:
                self._begin(net)

    def _begin(self, net: int) -> None:
        """The same as `_refresh` of every child of a series, all pairs at once."""
        starts = self.counted.slices.starts[:-1]
        counts = self.counted.pairs(self.side)[net]
        alone = counts[: self.counted.slices.arity[0]].sum(axis=0)
        theta = log_parameters(counts, np.zeros_like(counts), "ml", self.eps, starts)
        without = log_parameters(alone, np.zeros_like(alone), "ml", self.eps, starts)
        tables = self.counted.by_point.reshape(-1, *counts.shape)
        for at, point in enumerate(self.inside.tolist()):  # one after the other stays inside the cache
            by_row = np.add.reduceat(tables[point] * theta, starts, axis=1)
            none = tables[point, : self.counted.slices.arity[0]].sum(axis=0) * without
            self.now[net, at] = np.add.reduceat(none, starts)
            self.change[net, :, :, at] = np.add.reduceat(by_row, starts, axis=0).T
        self.change[net] -= self.now[net].T[:, None]
        self.open[net] = self.known.allowed

    def _refresh(self, net: int, child: int) -> None:
        """What a child's family says now, and with any one parent more."""
        parents = self.parents[net][child]
        self.now[net, :, child] = self._says(net, child, parents)
        self.open[net, child] = False
        if len(parents) >= self.limits[child]:
            return
        for x in np.flatnonzero(self.known.allowed[child]).tolist():
            if x not in parents and not (self.counted.slices.plain and self._leads(net, child, x)):
                self.open[net, child, x] = True
                more = self._says(net, child, tuple(sorted((*parents, x))))
                self.change[net, child, x] = more - self.now[net, :, child]

    def _says(self, net: int, child: int, parents: tuple[int, ...]) -> np.ndarray:
        """(training points,) log-likelihood of a family with the parameters of its own side."""
        counts = self.counted.family(child, parents, self.side)[net]
        theta = log_parameters(counts, np.zeros_like(counts), "ml", self.eps)
        return self.counted.log_likelihood(child, parents, theta)[self.inside]

    def _leads(self, net: int, start: int, end: int) -> bool:
        """Whether a directed path runs from `start` to `end`, so that an arc back would close a circle."""
        above, stack = set(), [end]
        while stack:
            node = stack.pop()
            if node == start:
                return True
            if node not in above:
                above.add(node)
                stack += self.parents[net][node]
        return False

    def step(self, *, paired: bool) -> bool:
        """Make the best move, if one raises CCL."""
        gap = self.sign * (self.now[1] - self.now[0]).sum(axis=1)
        value = -float(np.logaddexp(0.0, -gap).sum())
        if paired:
            if self.both is None:
                self.both = self.change[1] - self.change[0]
            result = self._after(gap, self.both, self.open[0] & self.open[1])[None]
        else:
            result = np.stack(
                [self._after(gap, -self.change[0], self.open[0]), self._after(gap, self.change[1], self.open[1])]
            )
        at = np.unravel_index(int(result.argmax()), result.shape)
        if not result[at] > value + GAIN * max(1.0, abs(value)):
            return False
        child, x = int(at[1]), int(at[2])
        for net in (0, 1) if paired else (int(at[0]),):
            families = list(self.parents[net])
            families[child] = tuple(sorted((*families[child], x)))
            self.parents[net] = tuple(families)
            self._refresh(net, child)
            if self.both is not None:
                self.both[child] = self.change[1, child] - self.change[0, child]
            if self.counted.slices.plain:
                self._close(net)
        return True

    def _after(self, gap: np.ndarray, change: np.ndarray, allowed: np.ndarray) -> np.ndarray:
        """(p, p) log CCL after each move; -inf where it may not be made."""
        result = np.full(allowed.shape, -np.inf)
        result[allowed] = -np.logaddexp(0.0, -(gap + self.sign * change[allowed])).sum(axis=-1)
        return result

    def _close(self, net: int) -> None:
        """Moves that would now close a circle are made no more."""
        for child, x in np.argwhere(self.open[net]).tolist():
            if self._leads(net, child, x):
                self.open[net, child, x] = False
