"""Forward selection over decomposable graphs: the best edge that keeps the graph chordal, one after another.

Only pairs whose status can have changed are looked at again after a step (see `engine.graphs.chordal.Addition`), so the
cost of a run is that of its counts: all pairs once, then a few tables of three to six variables a step, together.
What was counted to rank an edge is kept until it comes, so that its table is not counted again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.errors import DataError
from engine.execution import Progress, silent
from engine.graphs.chordal import DecomposableGraph, Edge
from engine.graphs.dag import bits
from engine.methods.log_linear.counts import Asked, Counts, Margin, Told, margin_of
from engine.methods.log_linear.criteria import MANY_PAIRS, Criterion, Moment
from engine.methods.log_linear.ranking.candidates import Candidates
from engine.methods.log_linear.ranking.kept import KeptCandidates
from engine.methods.log_linear.ranking.matrix import MatrixCandidates
from engine.methods.storing import storable

_MOST_KEPT = 4096  # cells of a table that is kept until its edge comes
_NEAR = 1e-6  # ranks that lie nearer are told apart by the order of summation only

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

    The separator of an edge that may come is what its ends have as common neighbours. A criterion that is not local
    keeps `information` of all pairs as well.

    Parameters
    ----------
    counts, criterion : the table, and what ranks an edge
    graph : to start from; it is changed
    forbidden : pairs that may not come
    max_clique : most variables that may hang together whole
    progress : told how far it is
    everything : whether ranks are kept that are too small ever to be taken
    """

    def __init__(
        self,
        counts: Counts,
        criterion: Criterion,
        graph: DecomposableGraph,
        forbidden: Sequence[Edge] = (),
        max_clique: int | None = None,
        progress: Progress = silent,
        everything: bool = False,
    ) -> None:
        self.counts, self.criterion, self.graph = counts, criterion, graph
        self.max_clique = max_clique
        self.n = len(counts.names)
        self.pairs = self.n * (self.n - 1) // 2
        self.spent, self.steps = 0.0, list[Step]()
        self._settled = set[Edge]()
        self._tables: dict[Edge, tuple[int, np.ndarray]] = {}
        self._most_tables = 1000
        self.tolerance = max(1e-9, 1e-14 * abs(float(criterion.weights[-1])))
        self.barred = {pair for a, b in forbidden for pair in ((a, b), (b, a))}
        self._usable = counts.arity > 1
        wide = self.pairs > MANY_PAIRS and graph.n_edges < self.pairs // 4
        self._most_edges = self.pairs // 2 - 1 if wide else max(self.pairs - 1, 0)
        self._floor = -np.inf if everything else criterion.floor(self.pairs, self._most_edges)
        progress(0.0, "counting all pairs")
        self.candidates: Candidates = self._listed() if criterion.local else self._matrix()

    # -- all pairs at the start ---------------------------------------------------------------------------------------

    def _listed(self) -> Candidates:
        """Pairs of different components in a list, those of one component ranked given their separators."""
        components = self._components()
        found = list(self._without_separator(self._floor, self._component_of(components)))
        low, high, ranks = (
            (np.concatenate(column) for column in zip(*found, strict=True)) if found else np.zeros((3, 0))
        )
        self.candidates = KeptCandidates(
            self._usable, self.barred, components, low.astype(np.int32), high.astype(np.int32), ranks, self.tolerance
        )
        self._rank_again(self._nearby())
        return self.candidates

    def _without_separator(
        self, floor: float, component: np.ndarray
    ) -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
        """Low ends, high ends and ranks above a floor of the pairs of different components, some at a time."""
        place = self.counts.place
        levels, usable = self.counts.data.arity - 1.0, self._usable[place]
        barred = np.array([a * self.n + b for a, b in self.barred if a < b], dtype=np.int64)
        for first, block in self.counts.pairs.blocks(self.criterion.weights):
            rows = np.arange(first, first + len(block))
            ranks = self.criterion.rank(block, levels[rows, None] * levels)
            good = (np.arange(self.n) > rows[:, None]) & usable[rows, None] & usable & (ranks > floor)
            i, j = np.nonzero(good)
            a, b = place[rows[i]], place[j]
            low, high, ranks = np.minimum(a, b), np.maximum(a, b), ranks[i, j]
            apart = component[low] != component[high]
            if len(barred):
                apart &= ~np.isin(low * self.n + high, barred)
            yield low[apart], high[apart], ranks[apart]

    def _components(self) -> list[int]:
        """The components with edges, as bit sets."""
        found, left = [], (1 << self.n) - 1 if self.graph.n_edges else 0
        while left:
            whole = self.graph.component((left & -left).bit_length() - 1)
            left &= ~whole
            if whole.bit_count() > 1:
                found.append(whole)
        return found

    def _component_of(self, components: Sequence[int]) -> np.ndarray:
        """(p,) a number for each variable, the same in one component."""
        found = np.arange(self.n)
        for mask in components:
            found[list(bits(mask))] = (mask & -mask).bit_length() - 1
        return found

    def _nearby(self) -> list[Edge]:
        """The pairs of one component that an edge may join: two steps apart, as only those can have a separator."""
        found = []
        for a in range(self.n) if self.graph.n_edges else ():
            near, reached = self.graph.neighbours[a], 0
            for x in bits(near):
                reached |= self.graph.neighbours[x]
            later = reached & ~near & -(2 << a)
            found += [(a, b) for b in bits(later) if self.graph.separator(a, b) is not None]
        return found

    def _matrix(self) -> Candidates:
        """All pairs in a matrix, each ranked by itself."""
        self.information = self.counts.all_pairs(self.criterion.weights)
        self.candidates = MatrixCandidates(np.full((self.n, self.n), -np.inf), self.tolerance)
        inside = self._components()
        for a in range(self.n):
            for b in range(a + 1, self.n):
                apart = not any(mask >> a & mask >> b & 1 for mask in inside)
                if apart and (a, b) not in self.barred and self._usable[a] and self._usable[b]:
                    self._rank_by_cost(b, a)
        self._rank_again(self._nearby())
        return self.candidates

    @property
    def rank(self) -> np.ndarray:
        """(p, p) symmetric: the rank of every edge that may come and whose rank is kept, -inf for all others."""
        found = np.full((self.n, self.n), -np.inf)
        a, b, ranks = self.candidates.listed()
        found[a, b] = found[b, a] = ranks
        return found

    # -- steps --------------------------------------------------------------------------------------------------------

    @property
    def n_candidates(self) -> int:
        """How many edges may come."""
        return self.candidates.count

    def moment(self) -> Moment:
        """Where the search stands."""
        return Moment(len(self.steps) + 1, self.n_candidates, self.pairs, self.graph.n_edges, self.spent)

    def best(self) -> tuple[int, int] | None:
        """The candidate of largest rank, once that is settled; of equals the pair first in alphabetical order."""
        found = self._best()
        return None if found is None else found[:2]

    def _best(self) -> tuple[int, int, float] | None:
        while (found := self.candidates.best()) is not None and self._settle(*found[:2]):
            pass
        return found

    def _settle(self, a: int, b: int) -> bool:
        """Work a candidate's rank out with all care, once; whether that changed it."""
        if (a, b) in self._settled:
            return False
        self._settled.add((a, b))
        rank = self.criterion.settled(a, b, self.graph.neighbours[a] & self.graph.neighbours[b])
        if rank is None:
            return False
        self.candidates.place(a, b, rank)
        return True

    def run(self, together: Callable[[], bool] | None = None, progress: Progress = silent) -> None:
        """Add edges while they pay; `together` is tried where no single one does, and says whether it added some."""
        while True:
            if (best := self._best()) is not None:
                a, b, rank = best
                moment = self.moment()
                margin = self.criterion.margin(rank, moment)
                if margin > self.tolerance:
                    self.spent += self.criterion.spend(rank, moment)
                    self.add(a, b, margin)
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
        if edges > self._most_edges:
            raise DataError(f"More than half of all pairs of {self.n:,} variables would be linked; choose fewer.")
        change = self.graph.add(a, b)
        a, b = (a, b) if a < b else (b, a)
        (table,) = self._tables_of([(a, b)], [change.separator])
        self._tables.pop((a, b), None)
        self.steps.append(Step(a, b, change.separator, margin, edges, table, joint))
        self.candidates.strike(change.side_a, change.side_b)
        self._rank_again(change.again)
        if not self.criterion.local:  # S+a or S+b may have ceased to be a clique of its own
            for x in (*bits(change.separator), a, b):
                for y in self.candidates.beside(x):
                    self._rank_by_cost(x, y)
        if len(self._tables) > self._most_tables:
            self._tables = {pair: one for pair, one in self._tables.items() if self.candidates.value(*pair) > -np.inf}
            self._most_tables = 2 * len(self._tables) + 1000

    def _tables_of(self, pairs: Sequence[Edge], separators: Sequence[int]) -> list[Margin]:
        """The counts of edges with their separators, kept from when they were ranked, else counted, together."""
        groups = [(*bits(separator), a, b) for (a, b), separator in zip(pairs, separators, strict=True)]
        kept = [
            None if (one := self._tables.get(pair)) is None or one[0] != separator else one[1]
            for pair, separator in zip(pairs, separators, strict=True)
        ]
        missing = [group for group, table in zip(groups, kept, strict=True) if table is None]
        counted = iter(self.counts.many_margins(missing))
        return [
            next(counted) if table is None else margin_of(group, table.reshape(self.counts.arity[list(group)]))
            for group, table in zip(groups, kept, strict=True)
        ]

    def _rank_again(self, pairs: Sequence[Edge]) -> None:
        """Rank candidates that have a separator inside a component; all are counted together."""
        groups: dict[tuple[int, int], list[int]] = {}
        for a, b in pairs:
            separator = self.graph.neighbours[a] & self.graph.neighbours[b]
            if (a, b) in self.barred or not self._usable[a] or not self._usable[b]:
                continue
            if self.max_clique is None or separator.bit_count() + 2 <= self.max_clique:
                groups.setdefault((a, separator), []).append(b)
        asked = [Asked(a, others, list(bits(separator))) for (a, separator), others in groups.items()]
        told = self.counts.many_informations(asked, self.criterion.weights)
        for (a, separator), (_, others, _), one in zip(groups, asked, told, strict=True):
            costs = self.criterion.costs(self.graph, a, others, separator)
            ranks = self.criterion.rank(one.information, costs).tolist()
            for m, (b, rank) in enumerate(zip(others, ranks, strict=True)):
                self.candidates.place(a, b, rank)
                self._settled.discard((min(a, b), max(a, b)))
                if not self.criterion.local:
                    self.information[a, b] = self.information[b, a] = one.information[m]
                if rank > self._floor:
                    self._keep(a, b, separator, one, m)

    def _keep(self, a: int, b: int, separator: int, told: Told, m: int) -> None:
        """Keep what the m-th edge was ranked by."""
        r, s = int(self.counts.arity[a]), int(self.counts.arity[b])
        q = math.prod(int(self.counts.arity[x]) for x in bits(separator))
        self._tables.pop((min(a, b), max(a, b)), None)
        if told.counted is None or told.counted.configurations != q or q * r * s > _MOST_KEPT:
            return
        table = told.counted.tables[m, : q * r * s].reshape(q, r, s)
        self._tables[min(a, b), max(a, b)] = separator, table.copy() if a < b else table.transpose(0, 2, 1).copy()

    def _rank_by_cost(self, a: int, b: int) -> None:
        """Rank a candidate anew whose cost hangs on the rest of the graph."""
        given = self.graph.neighbours[a] & self.graph.neighbours[b]
        cost = self.criterion.cost(self.graph, a, b, given)
        self.candidates.place(a, b, float(self.criterion.rank(self.information[a, b], np.asarray(cost))))

    # -- what was not taken -------------------------------------------------------------------------------------------

    def refused(self, most: int) -> list[Step]:
        """The best candidates that were not taken, best first; ties in alphabetical order."""
        low, high, ranks = self.candidates.listed()
        if len(ranks) < self.candidates.count and np.count_nonzero(ranks > self._floor + _NEAR) < most:
            low, high, ranks = self._best_of_all(most)
        largest = np.full(self.n, -np.inf)
        np.maximum.at(largest, low, _rounded(ranks))
        rows = np.zeros(self.n, dtype=bool)
        rows[np.argsort(-largest, kind="stable")[:most]] = True  # the best pairs lie in no more rows
        low, high, ranks = low[rows[low]], high[rows[low]], ranks[rows[low]]
        for place in _best_first(low, high, ranks)[:most].tolist():
            pair = int(low[place]), int(high[place])
            if self._settle(*pair):
                ranks[place] = self.candidates.value(*pair)
        chosen = _best_first(low, high, ranks)[:most].tolist()
        pairs = [(int(low[place]), int(high[place])) for place in chosen]
        separators = [self.graph.neighbours[a] & self.graph.neighbours[b] for a, b in pairs]
        moment = self.moment()
        return [
            Step(a, b, separator, self.criterion.margin(float(ranks[place]), moment), moment.edges, table)
            for (a, b), separator, place, table in zip(
                pairs, separators, chosen, self._tables_of(pairs, separators), strict=True
            )
        ]

    def _best_of_all(self, most: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Ends and ranks of the best candidates, those among them whose ranks are not kept."""
        found = self.candidates.listed()
        component = self._component_of(self._components())
        for low, high, ranks in self._without_separator(-np.inf, component):
            left = ranks <= self._floor
            parts = zip(found, (low[left], high[left], ranks[left]), strict=True)
            low, high, ranks = (np.concatenate(both) for both in parts)
            best = _best_first(low, high, ranks)[:most]
            found = low[best], high[best], ranks[best]
        return found


def _best_first(low: np.ndarray, high: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Places of pairs, the largest rank first; ties in alphabetical order."""
    return np.lexsort((high, low, -_rounded(ranks)))


def _rounded(ranks: np.ndarray) -> np.ndarray:
    """Ranks that can be sorted: what differs by the order of summation only is a tie."""
    return np.round(ranks, 6)
