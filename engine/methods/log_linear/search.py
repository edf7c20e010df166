"""Forward selection over decomposable graphs: the best edge that keeps the graph chordal, one after another.

Only pairs whose status can have changed are looked at again after a step (see `engine.graphs.chordal.Addition`), so the
cost of a run is that of its counts: all pairs once, then a few tables of three to six variables a step, together.
The tables of the edges that came are counted at the end, all at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.execution import Progress, silent
from engine.graphs.chordal import DecomposableGraph, Edge
from engine.graphs.dag import bits
from engine.methods.log_linear.counts import Counts, InformationRequest, Margin
from engine.methods.log_linear.criteria import MML, Criterion, SearchState, graph_term
from engine.methods.storing import storable


class Candidate(NamedTuple):
    """An edge that may come, a < b, and its rank."""

    a: int
    b: int
    rank: float


class RankMatrix:
    """(p, p) symmetric ranks, -inf where an edge may not come.

    Every row knows its largest rank and where that stands, and looks for it again only where it may have changed, so
    that a step costs about what it changes. Ranks that lie nearer than the tolerance are equal.
    """

    def __init__(self, ranks: np.ndarray, tolerance: float) -> None:
        """`ranks` is kept and changed."""
        self.ranks, self.tolerance = ranks, tolerance
        self.count = sum(int(np.count_nonzero(row > -np.inf)) for row in ranks) // 2
        """The number of edges that may come."""
        self._column = ranks.argmax(axis=1) if len(ranks) else np.zeros(0, dtype=np.int64)
        self._largest = ranks.max(axis=1, initial=-np.inf)
        self._stale = np.zeros(len(ranks), dtype=bool)

    def best(self) -> Candidate | None:
        """The edge of largest rank, of equals the first in alphabetical order."""
        for row in np.flatnonzero(self._stale).tolist():
            self._column[row] = column = int(self.ranks[row].argmax())
            self._largest[row] = self.ranks[row, column]
        self._stale[:] = False
        largest = self._largest.max(initial=-np.inf)
        if largest == -np.inf:
            return None
        a = int(np.argmax(self._largest >= largest - self.tolerance))
        b = int(np.argmax(self.ranks[a] >= largest - self.tolerance))
        return Candidate(a, b, float(self.ranks[a, b]))

    def replace(self, a: int, others: np.ndarray, ranks: np.ndarray) -> None:
        """Give the edges between a variable and some others, which may come, a rank or another one."""
        self.count += int(np.count_nonzero(self.ranks[a, others] == -np.inf))
        self.ranks[a, others] = self.ranks[others, a] = ranks
        self._stale[a] = True
        self._stale[others[(self._column[others] == a) | (ranks > self._largest[others])]] = True

    def strike(self, side_a: int, side_b: int) -> None:
        """No edge may come any more between two sets of variables, as bit sets."""
        members_a, members_b = np.array(list(bits(side_a))), np.array(list(bits(side_b)))
        first, second = np.nonzero(self.ranks[np.ix_(members_a, members_b)] > -np.inf)
        a, b = members_a[first], members_b[second]
        self.count -= len(a)
        self.ranks[a, b] = self.ranks[b, a] = -np.inf
        self._stale[a[self._column[a] == b]] = True
        self._stale[b[self._column[b] == a]] = True

    def partners(self, a: int) -> np.ndarray:
        """The variables that one may be joined to."""
        return np.flatnonzero(self.ranks[a] > -np.inf)

    def best_rows(self, most: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Low ends, high ends and ranks of the edges in as many rows as the so many best ones can lie in."""
        largest = [np.round(row[a + 1 :].max(initial=-np.inf), 6) for a, row in enumerate(self.ranks)]
        rows = np.sort(np.argsort(-np.array(largest), kind="stable")[:most])
        low, high = np.nonzero(self.ranks[rows] > -np.inf)
        low = rows[low]
        low, high = low[low < high], high[low < high]
        return low, high, self.ranks[low, high]


MOST_CLIQUE_KL = 5
"""Largest clique of "kl" where none is set: it has no other stop."""


class Addition(NamedTuple):
    """An edge that came: what `Step` says of it, but for its counts."""

    a: int
    b: int
    separator: int
    margin: float
    edges: int
    joint: bool


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


@storable
@dataclass(frozen=True)
class Refusal:
    """A candidate that did not pay, and how many times the rows it would need."""

    step: Step
    rows_factor: float


class Search:
    """Candidates of one table under one criterion, kept up to date while edges come.

    The separator of an edge that may come is what its ends have as common neighbours. A criterion that is not local
    keeps `information` of all pairs as well.
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
        """`graph` is where the search begins, and is changed; `forbidden` pairs may not come."""
        self.counts, self.criterion, self.graph = counts, criterion, graph
        self.max_clique = max_clique
        self.n = len(counts.names)
        self.pairs = self.n * (self.n - 1) // 2
        self.spent, self.additions = 0.0, list[Addition]()
        self._steps, self._settled = list[Step](), set[Edge]()
        self.tolerance = max(1e-9, 1e-14 * abs(float(criterion.weights[-1])))
        self.barred = {pair for a, b in forbidden for pair in ((a, b), (b, a))}
        self._usable = counts.arity > 1
        progress(0.0, "counting all pairs of variables")
        self.candidates = RankMatrix(self._first_ranks(), self.tolerance)
        self._rank_pairs(self._nearby())

    def _first_ranks(self) -> np.ndarray:
        """(p, p) the ranks of the pairs of different components, which have no separator; -inf for all others."""
        ranks = np.full((self.n, self.n), -np.inf)
        if not self.criterion.local:
            self.information = np.zeros((self.n, self.n))
        place = self.counts.place
        for first, block in self.counts.pairs.blocks(self.criterion.weights):
            for position, line in enumerate(block, first):
                a, others, information = int(place[position]), place[position + 1 :], line[position + 1 :]
                costs = self.criterion.costs(self.graph, a, others, 0)
                ranks[a, others] = ranks[others, a] = self.criterion.rank(information, costs)
                if not self.criterion.local:
                    self.information[a, others] = self.information[others, a] = information
        ranks[~self._usable] = ranks[:, ~self._usable] = -np.inf
        for pair in self.barred:
            ranks[pair] = -np.inf
        for a in range(self.n) if self.graph.n_edges else ():
            ranks[a, list(bits(self.graph.component(a)))] = -np.inf
        return ranks

    def _nearby(self) -> list[Edge]:
        """The pairs of one component that an edge may join: two steps apart, as only those can have a separator."""
        result = []
        for a in range(self.n) if self.graph.n_edges else ():
            near, reached = self.graph.neighbours[a], 0
            for x in bits(near):
                reached |= self.graph.neighbours[x]
            later = reached & ~near & -(2 << a)
            result += [(a, b) for b in bits(later) if self.graph.separator(a, b) is not None]
        return result

    # -- steps --------------------------------------------------------------------------------------------------------

    @property
    def steps(self) -> list[Step]:
        """The edges that came, in order, with their counts; what is not counted yet is counted in one pass."""
        new = self.additions[len(self._steps) :]
        tables = self._tables([(item.a, item.b) for item in new], [item.separator for item in new])
        self._steps += [Step(**item._asdict(), table=table) for item, table in zip(new, tables, strict=True)]
        return self._steps

    def state(self) -> SearchState:
        """Where the search stands."""
        return SearchState(len(self.additions) + 1, self.candidates.count, self.pairs, self.graph.n_edges, self.spent)

    def best(self) -> Candidate | None:
        """The candidate of largest rank, once that is settled; of equals the pair first in alphabetical order."""
        while (best := self.candidates.best()) is not None and self._settle(best.a, best.b):
            pass
        return best

    def _settle(self, a: int, b: int) -> bool:
        """Work a candidate's rank out with all care, once; whether that changed it."""
        if (a, b) in self._settled:
            return False
        self._settled.add((a, b))
        rank = self.criterion.settled(a, b, self.graph.neighbours[a] & self.graph.neighbours[b])
        if rank is None:
            return False
        self.candidates.replace(a, np.array([b]), np.array([rank]))
        return True

    def run(self, together: Callable[[], bool] | None = None, progress: Progress = silent) -> None:
        """Add edges while they pay; `together` is tried where no single one does, and says whether it added some."""
        while True:
            if (best := self.best()) is not None:
                state = self.state()
                margin = self.criterion.margin(best.rank, state)
                if margin > self.tolerance:
                    self.spent += self.criterion.spend(best.rank, state)
                    self.add(best.a, best.b, margin)
                    progress(self._fraction(), f"adding links: {self.graph.n_edges} so far")
                    continue
            if together is None or not together():
                return
            progress(self._fraction(), f"adding links, two at once: {self.graph.n_edges} so far")

    def _fraction(self) -> float:
        return self.graph.n_edges / (self.graph.n_edges + self.n + 1)

    def add(self, a: int, b: int, margin: float, joint: bool = False) -> None:
        """Add one edge and bring the candidates up to date."""
        edges = self.graph.n_edges
        change = self.graph.add(a, b)
        self.additions.append(Addition(min(a, b), max(a, b), change.separator, margin, edges, joint))
        self.candidates.strike(change.side_a, change.side_b)
        self._rank_pairs(change.again)
        if not self.criterion.local:  # S+a or S+b may have ceased to be a clique of its own
            for x in (*bits(change.separator), a, b):
                for y in self.candidates.partners(x).tolist():
                    given = self.graph.neighbours[x] & self.graph.neighbours[y]
                    costs = self.criterion.costs(self.graph, x, np.array([y]), given)
                    ranks = self.criterion.rank(self.information[x, [y]], costs)
                    self.candidates.replace(x, np.array([y]), ranks)

    def _tables(self, pairs: Sequence[Edge], separators: Sequence[int]) -> list[Margin]:
        """The counts of edges with their separators, their ends last, in one pass."""
        return self.counts.many_margins([(*bits(given), a, b) for (a, b), given in zip(pairs, separators, strict=True)])

    def _rank_pairs(self, pairs: Sequence[Edge]) -> None:
        """Rank candidates that have a separator inside a component; all are counted together."""
        groups: dict[tuple[int, int], list[int]] = {}
        for a, b in pairs:
            separator = self.graph.neighbours[a] & self.graph.neighbours[b]
            if (a, b) in self.barred or not self._usable[a] or not self._usable[b]:
                continue
            if self.max_clique is None or separator.bit_count() + 2 <= self.max_clique:
                groups.setdefault((a, separator), []).append(b)
                self._settled.discard((min(a, b), max(a, b)))
        requests = [InformationRequest(a, others, list(bits(separator))) for (a, separator), others in groups.items()]
        informations = self.counts.many_informations(requests, self.criterion.weights)
        for ((a, separator), members), information in zip(groups.items(), informations, strict=True):
            others = np.array(members)
            if not self.criterion.local:
                self.information[a, others] = self.information[others, a] = information
            costs = self.criterion.costs(self.graph, a, others, separator)
            self.candidates.replace(a, others, self.criterion.rank(information, costs))

    # -- what was not taken -------------------------------------------------------------------------------------------

    def refused(self, most: int) -> list[Step]:
        """The best candidates that were not taken, best first; ties in alphabetical order."""
        low, high, ranks = self.candidates.best_rows(most)
        for position in _best_first(low, high, ranks)[:most].tolist():
            a, b = int(low[position]), int(high[position])
            if self._settle(a, b):
                ranks[position] = self.candidates.ranks[a, b]
        best = _best_first(low, high, ranks)[:most].tolist()
        pairs = [(int(low[position]), int(high[position])) for position in best]
        separators = [self.graph.neighbours[a] & self.graph.neighbours[b] for a, b in pairs]
        state = self.state()
        margins = [self.criterion.margin(float(ranks[position]), state) for position in best]
        tables = self._tables(pairs, separators)
        steps = zip(pairs, separators, margins, tables, strict=True)
        return [Step(*pair, separator, margin, state.edges, table) for pair, separator, margin, table in steps]


def _best_first(low: np.ndarray, high: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Positions of pairs, the largest rank first; ties in alphabetical order."""
    return np.lexsort((high, low, -np.round(ranks, 6)))  # what differs by the order of summation only is a tie


class Offer(NamedTuple):
    """The worth of joining x to both ends of an edge, the near one first."""

    value: float
    x: int
    near: int
    far: int


class Inside(NamedTuple):
    """x of the edge's own component, with what separates it from the near end."""

    x: int
    near: int
    far: int
    separator: int


class JointMoves:
    """The joint candidates of a search; what was counted for one is stored."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self._free: dict[Edge, tuple[np.ndarray, np.ndarray]] = {}  # variables of other components, and what they pay
        self._inside: dict[Inside, float] = {}
        self._offers: dict[Edge, list[Offer]] = {}
        self._steps = 0  # of the search, that the offers know of
        lowest = -2 * math.log(max(search.pairs, 1)) if isinstance(search.criterion, MML) else 0.0
        self._lowest = lowest - 1e-6 - 2 * search.tolerance
        """What is worth no more can never pay, as long as it is no more than the lowest that `stop` can be."""

    def take_best(self) -> bool:
        """Make the best joint move if it pays; whether one was made. Ties go to the lowest edge, then variable."""
        search = self.search
        best: Offer | None = None
        for offer in self.offers():
            if best is None or offer.value > best.value + search.tolerance:
                best = offer
        if best is None or (saving := best.value - self.stop()) <= search.tolerance:
            return False
        for end in (best.near, best.far):
            search.add(min(best.x, end), max(best.x, end), saving, joint=True)
        return True

    def stop(self) -> float:
        """The two graph terms; the other criteria have none."""
        search = self.search
        if not isinstance(search.criterion, MML):
            return 0.0
        return graph_term(search.pairs, search.graph.n_edges) + graph_term(search.pairs, search.graph.n_edges + 1)

    def offers(self) -> Iterator[Offer]:
        """For every edge the best variable of another component, and every one of its own that may be joined."""
        search = self.search
        if search.max_clique is not None and search.max_clique < 3:
            return
        changed = 0
        for addition in search.additions[self._steps :]:
            if not changed >> addition.a & 1:
                changed |= search.graph.component(addition.a)
        self._steps = len(search.additions)
        edges = search.graph.edges()
        stale = [edge for edge in edges if edge not in self._offers or changed >> edge[0] & 1]
        self._refresh(stale)
        for edge in edges:
            yield from self._offers[edge]

    def _refresh(self, edges: Sequence[Edge]) -> None:
        """Offers for some edges; whatever they need is counted together."""
        component = np.full(self.search.n, -1)
        number: dict[int, int] = {}
        for y, _ in edges:
            if component[y] < 0:
                whole = self.search.graph.component(y)
                component[list(bits(whole))] = len(number)
                number[len(number)] = whole
        self._count_free([edge for edge in edges if edge not in self._free], component)
        inside = {}
        for y, z in edges:
            whole = number[int(component[y])]
            inside[y, z] = [*self._candidates(y, z, whole), *self._candidates(z, y, whole)]
        self._count_inside([item for each in inside.values() for item in each if item not in self._inside])
        for (y, z), moves in inside.items():
            others, values = self._free[y, z]
            outside = component[others] != component[y]
            others, values = others[outside], values[outside]
            result = []
            if len(others):
                first = int(np.argmax(values >= values.max() - self.search.tolerance))
                result.append(Offer(float(values[first]), int(others[first]), y, z))
            result += [Offer(self._inside[move], move.x, move.near, move.far) for move in moves]
            self._offers[y, z] = [offer for offer in result if offer.value > self._lowest]

    def _candidates(self, near: int, far: int, whole: int) -> Iterator[Inside]:
        """The variables of an edge's own component that may be joined to its near end, then to the far one."""
        search = self.search
        neighbours, barred = search.graph.neighbours, search.barred
        for x in search.candidates.partners(near).tolist():
            if not whole >> x & 1 or neighbours[x] >> far & 1 or x == far or (x, far) in barred:
                continue
            separator = neighbours[x] & neighbours[near]
            if separator & ~neighbours[far]:
                continue
            if search.max_clique is None or separator.bit_count() + 3 <= search.max_clique:
                yield Inside(x, near, far, separator)

    # -- what can be ruled out ----------------------------------------------------------------------------------------

    def _possible(self, x: np.ndarray, y: np.ndarray, z: np.ndarray, degrees: np.ndarray) -> np.ndarray:
        """True where joining x to y and z could pay, by the bound above."""
        most = np.minimum(self._most[x], self._most[y] + self._most[z])
        return np.asarray(self.search.criterion.rank(most, degrees) > self._lowest)

    @cached_property
    def _most(self) -> np.ndarray:
        """(p,) w() - w(x)."""
        counts, weights = self.search.counts, self.search.criterion.weights
        own = [float(weights[counts.margins[place]].sum()) for place in counts.column.tolist()]
        return float(weights[counts.n_rows]) - np.array(own)

    # -- counting -----------------------------------------------------------------------------------------------------

    def _count_free(self, edges: Sequence[Edge], component: np.ndarray) -> None:
        """The worth of variables of other components; for an edge they only become fewer."""
        search, counts = self.search, self.search.counts
        x, requests = np.arange(search.n), []
        for y, z in edges:
            may = (component != component[y]) & (counts.arity > 1)
            may &= self._possible(x, np.array(y), np.array(z), _degrees(counts, x, np.array(y), np.array(z)))
            allowed = [x for x in np.flatnonzero(may).tolist() if not {(x, y), (x, z)} & search.barred]
            requests.append(InformationRequest(y, allowed, (z,)))
        parts = counts.many_informations(requests, search.criterion.weights)
        for (y, admitted, (z,)), information in zip(requests, parts, strict=True):
            others = np.array(admitted, dtype=np.int64)
            degrees = _degrees(counts, others, np.array(y), np.array(z))
            ranks = search.criterion.rank(self._alone[z, others] + information, degrees)
            good = ranks > self._lowest
            self._free[y, z] = others[good], ranks[good]

    @cached_property
    def _alone(self) -> np.ndarray:
        """(p, p) the information of all pairs without a separator."""
        return self.search.counts.all_pairs(self.search.criterion.weights)

    def _count_inside(self, moves: Sequence[Inside]) -> None:
        """The worth of variables of an edge's own component: by x and z given S, then x and y given S and z."""
        counts, criterion = self.search.counts, self.search.criterion
        if not moves:
            return
        x, near, far = (np.array([move[i] for move in moves]) for i in range(3))
        given = np.array([math.prod(float(counts.arity[s]) for s in bits(move.separator)) for move in moves])
        degrees = _degrees(counts, x, near, far, given)
        possible = np.flatnonzero(self._possible(x, near, far, degrees)).tolist()
        self._inside |= dict.fromkeys(moves, -math.inf)
        groups: dict[tuple[int, int, int], list[int]] = {}
        for index in possible:
            groups.setdefault(moves[index][1:], []).append(index)
        requests = []
        for (y, z, separator), members in groups.items():
            others, shared = x[members].tolist(), list(bits(separator))
            requests += [InformationRequest(z, others, shared), InformationRequest(y, others, [*shared, z])]
        parts = counts.many_informations(requests, criterion.weights)
        for members, first, second in zip(groups.values(), parts[::2], parts[1::2], strict=True):
            ranks = criterion.rank(first + second, degrees[members]).tolist()
            self._inside |= {moves[index]: rank for index, rank in zip(members, ranks, strict=True)}


def _degrees(
    counts: Counts, x: np.ndarray, y: np.ndarray, z: np.ndarray, configurations: float | np.ndarray = 1.0
) -> np.ndarray:
    """Degrees of freedom of joining x to y and z, given a separator of so many configurations."""
    arity = counts.arity
    return np.asarray((arity[x] - 1.0) * (arity[y] * arity[z] - 1.0) * configurations)
