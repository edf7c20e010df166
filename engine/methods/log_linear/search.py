"""Forward selection over decomposable graphs: the best edge that keeps the graph chordal, one after another.

Only pairs whose status can have changed are looked at again after a step (see `engine.graphs.chordal.Addition`), so the
cost of a run is that of its counts: all pairs once, then a few tables of three to six variables a step.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.execution import Progress, silent
from engine.graphs.chordal import DecomposableGraph, Edge
from engine.graphs.dag import bits
from engine.methods.log_linear.counts import Counts, Margin
from engine.methods.log_linear.criteria import Criterion, Moment
from engine.methods.storing import storable

_BLOCK = 64  # rows of the matrix of pairs that are ranked in one go: bounds the memory

MOST_CLIQUE_KL = 5
"""Largest clique of "kl" where none is set: it has no other stop."""


@storable
@dataclass(frozen=True, eq=False)
class Step:
    """One accepted (or refused) edge.

    Attributes
    ----------
    a, b : positions, a < b;  separator : of the two at entry, as a bit set
    margin : natural log by which it was worth taking under the criterion
    edges : how many there were before
    table : the counts of the separator's variables, a and b
    joint : whether it came as one of two edges at once
    """

    a: int
    b: int
    separator: int
    margin: float
    edges: int
    table: Margin
    joint: bool = False


class Search:
    """Candidates of one table under one criterion, kept up to date while edges come.

    `rank[a, b]` (symmetric) is the criterion's rank of an edge that may come, -inf for all others; the separator of one
    that may come is what a and b have as common neighbours. `top[a]` is the largest rank in row a and `at[a]` where it
    stands; `n_candidates` counts the edges that may come. A criterion that is not local keeps `information` as well.
    """

    def __init__(
        self,
        counts: Counts,
        criterion: Criterion,
        graph: DecomposableGraph,
        forbidden: Sequence[Edge] = (),
        max_clique: int | None = None,
        progress: Progress = silent,
    ) -> None:
        self.counts, self.criterion, self.graph = counts, criterion, graph
        self.max_clique = max_clique
        self.n = len(counts.names)
        self.pairs = self.n * (self.n - 1) // 2
        self.spent, self.steps = 0.0, list[Step]()
        self._settled = set[Edge]()
        self.tolerance = max(1e-9, 1e-14 * float(np.abs(criterion.weights[-1])))
        self.barred = {pair for a, b in forbidden for pair in ((a, b), (b, a))}
        progress(0.0, "counting all pairs")
        self._begin()

    def _begin(self) -> None:
        """Rank all pairs; the matrix of their information becomes that of their ranks, block by block."""
        information = self.counts.all_pairs(self.criterion.weights)
        levels = self.counts.arity - 1.0
        if self.criterion.local:
            self.information, self.rank = np.zeros((0, 0)), information
            for first in range(0, self.n, _BLOCK):
                rows = slice(first, first + _BLOCK)
                self.rank[rows] = self.criterion.rank(information[rows], levels[rows, None] * levels)
        else:
            self.information, self.rank = information, np.full((self.n, self.n), -np.inf)
        np.fill_diagonal(self.rank, -np.inf)
        for pair in self.barred:
            self.rank[pair] = -np.inf
        still = np.flatnonzero(self.counts.arity < 2)
        self.rank[still] = self.rank[:, still] = -np.inf
        if not self.criterion.local:
            for a in range(self.n):
                self._again_row(a, 0)
        self.n_candidates = int(np.count_nonzero(self.rank > -np.inf)) // 2
        self._enter_graph()
        self.at = self.rank.argmax(axis=1) if self.n else np.zeros(0, np.int64)
        self.top = self.rank.max(axis=1, initial=-np.inf)

    def _enter_graph(self) -> None:
        """Strike what the graph at hand has or rules out, and rank what needs a separator in it."""
        left = (1 << self.n) - 1 if self.graph.n_edges else 0
        while left:
            whole = self.graph.component((left & -left).bit_length() - 1)
            left &= ~whole
            inside = list(bits(whole))
            if len(inside) > 1:
                self.n_candidates -= int((self.rank[np.ix_(inside, inside)] > -np.inf).sum()) // 2
                self.rank[np.ix_(inside, inside)] = -np.inf
                again = [(a, b) for i, a in enumerate(inside) for b in inside[i + 1 :]]
                self._rank_again([pair for pair in again if self.graph.separator(*pair) is not None])

    # -- steps --------------------------------------------------------------------------------------------------------

    def moment(self) -> Moment:
        """Where the search stands."""
        return Moment(len(self.steps) + 1, self.n_candidates, self.pairs, self.graph.n_edges, self.spent)

    def best(self) -> tuple[int, int] | None:
        """The candidate of largest rank, once that is settled; of equals the pair first in alphabetical order."""
        while (pair := self._largest()) is not None and self._settle(*pair):
            pass
        return pair

    def _settle(self, a: int, b: int) -> bool:
        """Work a candidate's rank out with all care, once; whether that changed it."""
        if (a, b) in self._settled:
            return False
        self._settled.add((a, b))
        rank = self.criterion.settled(a, b, self.graph.neighbours[a] & self.graph.neighbours[b])
        if rank is None:
            return False
        self.rank[a, b] = self.rank[b, a] = rank
        self._look_again(np.array([a, b]))
        return True

    def _look_again(self, rows: np.ndarray) -> None:
        """The largest rank of some rows and where it stands."""
        self.at[rows] = self.rank[rows].argmax(axis=1)
        self.top[rows] = self.rank[rows, self.at[rows]]

    def _largest(self) -> tuple[int, int] | None:
        """The candidate of largest rank as they stand; within the tolerance the pair first in alphabetical order."""
        largest = self.top.max(initial=-np.inf)
        if largest == -np.inf:
            return None
        a = int(np.argmax(self.top >= largest - self.tolerance))
        b = int(np.argmax(self.rank[a] >= largest - self.tolerance))
        return (a, b) if a < b else (b, a)

    def run(self, together: Callable[[], bool] | None = None, progress: Progress = silent) -> None:
        """Add edges while they pay; `together` is tried where no single one does, and says whether it added some."""
        while True:
            if (pair := self.best()) is not None:
                moment = self.moment()
                rank = float(self.rank[pair])
                margin = self.criterion.margin(rank, moment)
                if margin > self.tolerance:
                    self.spent += self.criterion.spend(rank, moment)
                    self.add(*pair, margin)
                    progress(self._fraction(), f"{self.graph.n_edges} edges")
                    continue
            if together is None or not together():
                return
            progress(self._fraction(), f"{self.graph.n_edges} edges, two at once")

    def _fraction(self) -> float:
        return self.graph.n_edges / (self.graph.n_edges + self.n + 1)

    def add(self, a: int, b: int, margin: float, joint: bool = False) -> None:
        """Add one edge and bring the candidates up to date."""
        edges = self.graph.n_edges
        separator = self.graph.separator(a, b)
        if separator is None:
            raise ValueError("this edge would leave a cycle without a chord")
        table = self.counts.margin((*bits(separator), a, b))
        self.steps.append(Step(a, b, separator, margin, edges, table, joint))
        change = self.graph.add(a, b)
        side_a, side_b = np.array(list(bits(change.side_a))), np.array(list(bits(change.side_b)))
        self.n_candidates -= int((self.rank[np.ix_(side_a, side_b)] > -np.inf).sum())
        self.rank[np.ix_(side_a, side_b)] = -np.inf
        self.rank[np.ix_(side_b, side_a)] = -np.inf
        struck = np.zeros(self.n, dtype=bool)
        struck[side_b] = True
        stale = side_a[struck[self.at[side_a]]]
        struck[side_b], struck[side_a] = False, True
        stale = np.concatenate([stale, side_b[struck[self.at[side_b]]]])
        touched = self._rank_again(list(change.again))
        if not self.criterion.local:  # S+a or S+b may have ceased to be a clique of its own
            for x in (*bits(separator), a, b):
                self._again_row(x, None)
                touched |= set(range(self.n))
        rows = np.union1d(stale, np.array(sorted(touched), dtype=np.int64)).astype(np.int64)
        if len(rows):
            self._look_again(rows)

    def _rank_again(self, pairs: Sequence[Edge]) -> set[int]:
        """Rank candidates that have a separator inside a component; the rows this touches."""
        groups: dict[tuple[int, int], list[int]] = {}
        touched = set()
        for a, b in pairs:
            separator = self.graph.neighbours[a] & self.graph.neighbours[b]
            if (a, b) in self.barred or self.counts.arity[a] < 2 or self.counts.arity[b] < 2:
                continue
            if self.max_clique is None or separator.bit_count() + 2 <= self.max_clique:
                groups.setdefault((a, separator), []).append(b)
        for (a, separator), others in groups.items():
            given = list(bits(separator))
            information = self.counts.information(a, others, given, self.criterion.weights)
            costs = np.array([self.criterion.cost(self.graph, a, b, separator) for b in others])
            ranks = self.criterion.rank(information, costs)
            for b, one, value in zip(others, information.tolist(), ranks.tolist(), strict=True):
                self.n_candidates += self.rank[a, b] == -np.inf
                self.rank[a, b] = self.rank[b, a] = value
                self._settled.discard((min(a, b), max(a, b)))
                if not self.criterion.local:
                    self.information[a, b] = self.information[b, a] = one
                touched |= {a, b}
        return touched

    def _again_row(self, a: int, separator: int | None) -> None:
        """Rank a variable's candidates anew where their cost hangs on the rest of the graph."""
        for b in range(self.n):
            wanted = self.rank[a, b] > -np.inf if separator is None else b != a and (a, b) not in self.barred
            if wanted and min(self.counts.arity[a], self.counts.arity[b]) > 1:
                given = self.graph.neighbours[a] & self.graph.neighbours[b]
                cost = self.criterion.cost(self.graph, a, b, given)
                value = self.criterion.rank(self.information[a, b], np.asarray(cost))
                self.rank[a, b] = self.rank[b, a] = float(value)

    def refused(self, most: int) -> list[Step]:
        """The best candidates that were not taken, best first; ties in alphabetical order."""
        largest = np.array([self.rank[a, a + 1 :].max(initial=-np.inf) for a in range(self.n)])
        rows = np.sort(np.argsort(-_rounded(largest), kind="stable")[:most])  # the best pairs lie in no more rows
        pairs = [
            (a, a + 1 + i) for a in rows.tolist() for i in np.flatnonzero(self.rank[a, a + 1 :] > -np.inf).tolist()
        ]
        ranks = np.array([self.rank[pair] for pair in pairs])
        for place in np.argsort(-_rounded(ranks), kind="stable")[:most].tolist():
            self._settle(*pairs[place])
            ranks[place] = self.rank[pairs[place]]
        found = []
        for place in np.argsort(-_rounded(ranks), kind="stable")[:most].tolist():
            a, b = pairs[place]
            separator = self.graph.neighbours[a] & self.graph.neighbours[b]
            table = self.counts.margin((*bits(separator), a, b))
            margin = self.criterion.margin(float(ranks[place]), self.moment())
            found.append(Step(a, b, separator, margin, self.graph.n_edges, table))
        return found


def _rounded(ranks: np.ndarray) -> np.ndarray:
    """Ranks that can be sorted: what differs by the order of summation only is a tie."""
    return np.round(ranks, 6)
