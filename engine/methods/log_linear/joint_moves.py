"""Two edges at once: join a variable to two adjacent ones where no single edge pays.

The paper names this limit of forward selection in its section VI and leaves it open. For an edge {y, z} and a variable
x that may be joined to y with separator S, S inside the neighbours of z, the two additions x-y and x-z gain together

    w(S+x+y+z) + w(S) - w(S+x) - w(S+y+z)

the information of x and the pair (y, z) given S, which is that of x and z given S, and of x and y given S and z. An
exclusive-or shows here and nowhere before.

Tables of pairs cannot rule a triple out: x may be what y and z leave over when added, whatever all three pairs say.
What can be ruled out without counting is where that costs more than any table could repay. The information is at most
w() - w(x): it is the logarithm of in how many ways x can be dealt out to the rows inside the cells of S, less in how
many inside those of S+y+z, and these are parts of the ways over all rows, w() - w(x) in logarithms. (For entropies: it
is at most N H(x).) The same holds for the pair, N H(y, z) <= N H(y) + N H(z), so w() - w(y) + w() - w(z).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from engine.graphs.chordal import Edge
from engine.graphs.dag import bits
from engine.methods.log_linear.counts import Counts, InformationRequest
from engine.methods.log_linear.criteria import MML, graph_term
from engine.methods.log_linear.search import Search


class Offer(NamedTuple):
    """What it is worth to join x to both ends of an edge, the near one first."""

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
        if best is None or best.value - self.stop() <= search.tolerance:
            return False
        saving = best.value - self.stop()
        _, x, near, far = best
        search.add(min(x, near), max(x, near), saving, joint=True)
        search.add(min(x, far), max(x, far), saving, joint=True)
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
        """Whether joining x to y and z could pay, by the bound above."""
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
        """What variables of other components are worth; for an edge they only become fewer."""
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
        """What variables of an edge's own component are worth: by x and z given S, then x and y given S and z."""
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
