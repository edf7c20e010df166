"""Candidates as lists: pairs of different components sorted once, pairs of one component in a heap.

A pair of different components has no separator, so its rank stays what it was at the start until the two components
meet; from then on the few of its kind that may still come have a separator and a rank of their own. That makes a step
cost what it changes, not what there is. Ranks too small ever to be taken (`Criterion.floor`) need not be given at all.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence

import numpy as np

from engine.graphs.chordal import Edge
from engine.graphs.dag import bits
from engine.methods.log_linear.ranking.candidates import Best, Candidates

_LOOK = 64  # pairs of the sorted list that are looked at in one go


class KeptCandidates(Candidates):
    """Ranks of the pairs that matter.

    Parameters
    ----------
    usable : (p,) whether a variable can have edges at all
    barred : pairs that may never come, either way round
    components : bit sets of the graph's components that have more than one variable
    low, high, ranks : pairs of different components and their ranks; none that is barred or not usable
    tolerance : as `Candidates` says
    """

    def __init__(
        self,
        usable: np.ndarray,
        barred: Iterable[Edge],
        components: Sequence[int],
        low: np.ndarray,
        high: np.ndarray,
        ranks: np.ndarray,
        tolerance: float,
    ) -> None:
        n, self.tolerance = len(usable), tolerance
        order = np.argsort(-ranks, kind="stable")
        self._falling, self._low, self._high = -ranks[order], low[order], high[order]
        self._first = 0  # of the sorted list, that may still come
        self._moved = set[Edge]()  # pairs whose rank in the list does not hold any more
        self._beside: list[dict[int, float]] = [{} for _ in range(n)]
        self._heap: list[tuple[float, int, int]] = []
        self._barred: list[set[int]] = [set() for _ in range(n)]
        for a, b in barred:
            if usable[a] and usable[b]:
                self._barred[a].add(b)
                self._barred[b].add(a)
        self._usable = usable
        self._component = np.arange(n)  # the number of each variable's component
        self._members = {i: [i] for i in range(n)}
        self._size = dict(enumerate(usable.astype(int).tolist()))  # usable ones of a component
        many = int(usable.sum())
        self.count = many * (many - 1) // 2 - sum(map(len, self._barred)) // 2
        for mask in components:
            first, *others = bits(mask)
            for x in others:
                self._meet(int(self._component[first]), int(self._component[x]))

    # -- components ---------------------------------------------------------------------------------------------------

    def _meet(self, one: int, other: int) -> None:
        """Two components become one: no pair across may come without a separator any more."""
        if len(self._members[one]) < len(self._members[other]):
            one, other = other, one
        moving = self._members.pop(other)
        barred = sum(int(self._component[y]) == one for x in moving for y in self._barred[x])
        self.count -= self._size[one] * self._size[other] - barred
        self._component[moving] = one
        self._members[one] += moving
        self._size[one] += self._size.pop(other)

    # -- what a search asks -------------------------------------------------------------------------------------------

    def best(self) -> Best | None:
        """See `Candidates`."""
        self._advance()
        free = -self._falling[self._first] if self._first < len(self._falling) else -np.inf
        while self._heap and not self._holds(self._heap[0]):
            heapq.heappop(self._heap)
        largest = max(float(free), -self._heap[0][0] if self._heap else -np.inf)
        if largest == -np.inf:
            return None
        limit = largest - self.tolerance
        equal = self._free_from(limit) if free >= limit else []
        taken = []
        while self._heap and -self._heap[0][0] >= limit:
            one = heapq.heappop(self._heap)
            if self._holds(one):
                taken.append(one)
        for one in taken:
            heapq.heappush(self._heap, one)
        return min([*equal, *((a, b, -falling) for falling, a, b in taken)])

    def _advance(self) -> None:
        """To the first pair of the sorted list that may still come."""
        while self._first < len(self._falling):
            good = self._come(self._first, self._first + _LOOK)
            step = int(good.argmax())
            if good[step]:
                self._first += step
                return
            self._first += len(good)

    def _come(self, first: int, last: int) -> np.ndarray:
        """Which pairs of a part of the sorted list may still come with the rank that they have there."""
        low, high = self._low[first:last], self._high[first:last]
        good = self._component[low] != self._component[high]
        if self._moved:
            pairs = zip(low.tolist(), high.tolist(), strict=True)
            good &= np.array([pair not in self._moved for pair in pairs], dtype=bool)
        return np.asarray(good)

    def _free_from(self, limit: float) -> list[Best]:
        """The pair first in alphabetical order of those in the sorted list with a rank of at least `limit`."""
        end = int(np.searchsorted(self._falling, -limit, side="right"))
        good = self._first + np.flatnonzero(self._come(self._first, end))
        low, high = self._low[good], self._high[good]
        first = np.lexsort((high, low))[0]
        return [(int(low[first]), int(high[first]), float(-self._falling[good[first]]))]

    def _holds(self, one: tuple[float, int, int]) -> bool:
        falling, a, b = one
        return self._beside[a].get(b) == -falling

    def value(self, a: int, b: int) -> float:
        """See `Candidates`."""
        if b in self._beside[a]:
            return self._beside[a][b]
        if self._component[a] == self._component[b]:
            return -np.inf
        pair = np.flatnonzero((self._low == min(a, b)) & (self._high == max(a, b)))
        return float(-self._falling[pair[0]]) if len(pair) else -np.inf

    def place(self, a: int, b: int, rank: float) -> None:
        """See `Candidates`."""
        a, b = (a, b) if a < b else (b, a)
        if b not in self._beside[a]:
            if self._component[a] == self._component[b]:
                self.count += 1
            else:
                self._moved.add((a, b))
        self._beside[a][b] = self._beside[b][a] = rank
        heapq.heappush(self._heap, (-rank, a, b))

    def strike(self, side_a: int, side_b: int) -> None:
        """See `Candidates`; the two are whole components, or lie in one."""
        one, other = (int(self._component[(side & -side).bit_length() - 1]) for side in (side_a, side_b))
        small, large = (side_a, side_b) if side_a.bit_count() < side_b.bit_count() else (side_b, side_a)
        gone = 0
        for x in bits(small):
            if self._beside[x]:
                for y in [y for y in self._beside[x] if large >> y & 1]:
                    del self._beside[x][y], self._beside[y][x]
                    gone += 1
        if one == other:
            self.count -= gone
        else:
            self._meet(one, other)

    def beside(self, a: int) -> Iterable[int]:
        """See `Candidates`."""
        return self._beside[a]

    def listed(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """See `Candidates`."""
        good = self._first + np.flatnonzero(self._come(self._first, len(self._falling)))
        inside = [(a, b, rank) for a, own in enumerate(self._beside) for b, rank in own.items() if a < b]
        a, b, ranks = (np.array(column) for column in zip(*inside, strict=True)) if inside else np.zeros((3, 0))
        return (
            np.concatenate([self._low[good], a.astype(np.int64)]),
            np.concatenate([self._high[good], b.astype(np.int64)]),
            np.concatenate([-self._falling[good], ranks]),
        )
