"""The moves between equivalence classes that gain: what greedy equivalence search chooses among.

The gains of all X for one Y and K come from one set of counts, and those of many Y and K from one pass over rows that
are far away. `engine.search.equivalence` says what a move is and when it is valid.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from engine.execution import Progress
from engine.graphs.dag import bits, mask_of
from engine.graphs.pdag import Pdag, apply_meek, complete, extend
from engine.scores.local import GAIN, BoundScore, Family, Weighed, weigh
from engine.search.constraints import Constraints

MOST_CLIQUES = 512
"""Most cliques K looked at for one variable, or for one edge when deleting.

All that there are among nine mutual neighbours; of more, those with the smallest T (when deleting, the smallest K).
"""


class Move(NamedTuple):
    """An Insert or a Delete: `chosen` is T or H, `clique` is K, both as bit sets."""

    gain: float
    x: int
    y: int
    chosen: int
    clique: int

    def rank(self) -> tuple[int, int, int, tuple[int, ...]]:
        """Among equal gains the lowest goes first: X, then Y, then the size and the members of T or H."""
        return self.x, self.y, self.chosen.bit_count(), tuple(bits(self.chosen))


class Admitted:
    """Knowledge about a class: forbidden and required arcs, tiers and orders.

    Attributes
    ----------
    allowed : per child the bit set of parents it may have
    required : per child the bit set of parents it must have
    """

    def __init__(self, constraints: Constraints) -> None:
        everything = (1 << len(constraints.allowed)) - 1
        self.allowed = [mask_of(np.flatnonzero(row).tolist()) for row in constraints.allowed]
        self.required = [mask_of(group) for group in constraints.required]
        free = all(mask | 1 << child == everything for child, mask in enumerate(self.allowed))
        self.none = free and not any(self.required)

    def told(self, graph: Pdag) -> Pdag | None:
        """A CPDAG with the edges directed that the knowledge directs; None if no member of the class agrees with it."""
        if self.none:
            return graph
        directed = graph.copy()
        for child, required in enumerate(self.required):
            if graph.parents[child] & ~self.allowed[child]:
                return None
            if required & ~(graph.parents[child] | graph.neighbours[child]):
                return None
            for x in bits(graph.neighbours[child]):
                if required >> x & 1 or not self.allowed[x] >> child & 1:
                    if not self.allowed[child] >> x & 1:
                        return None
                    directed.direct(x, child)
        if directed == graph:
            return graph
        dag = extend(apply_meek(directed))
        return directed if dag is not None and complete(dag) == graph else None


class Candidates:
    """The moves into some variables that gain and keep the conditions on their surroundings."""

    def __init__(
        self, score: BoundScore, constraints: Constraints, knowledge: Admitted, fast: bool, progress: Progress
    ) -> None:
        p = score.n_variables
        self.score = score
        self.knowledge = knowledge
        self.max_parents = constraints.max_parents
        self._every = range(p)
        self._among = np.ones((p, p), dtype=bool)
        self._gains: list[dict[int, dict[int, float]]] = [{} for _ in range(p)]
        alone: list[Weighed] = []
        for result in weigh(self.score, (self._family(y, 0) for y in range(p))):
            progress(len(alone) / p, f"scoring single links: variable {len(alone) + 1} of {p}")
            alone.append(result)
        self.tolerance = GAIN * max([1.0, *(abs(network.local) for network in alone)])
        for y, result in enumerate(alone):
            self._note(y, 0, result)
            if fast:
                self._among[y] = np.isin(np.arange(p), list(self._gains[y][0]))

    def inserts(self, graph: Pdag, into: Iterable[int], progress: Callable[[], None]) -> Iterator[Move]:
        """Every Insert(X, y, T) into some variables that gains and whose K is a clique; paths are not looked at."""
        looked = [(y, clique, others) for y in into for clique, others in self._cliques_into(graph, y)]
        families = dict.fromkeys((y, graph.parents[y] | clique) for y, clique, _ in looked)
        unknown = [(y, parents) for y, parents in families if parents not in self._gains[y]]
        answers = weigh(self.score, (self._family(y, parents) for y, parents in unknown))
        for (y, parents), answer in zip(unknown, answers, strict=True):
            progress()
            self._note(y, parents, answer)
        for y, clique, non_adjacent in looked:
            allowed = self.knowledge.allowed[y]
            for x, gain in self._gains[y][graph.parents[y] | clique].items():
                if non_adjacent >> x & 1:
                    chosen = clique & ~graph.adjacent(x)
                    if not chosen & ~allowed:
                        yield Move(gain, x, y, chosen, clique)

    def _cliques_into(self, graph: Pdag, y: int) -> Iterator[tuple[int, int]]:
        """Every K, and the X that touch no other neighbour of y."""
        neighbours = graph.neighbours[y]
        room = self.max_parents - graph.parents[y].bit_count() - 1
        if room < 0:
            return
        # a class that can do without X -> y is met by an Insert(y, X, T) as well
        non_adjacent = self.knowledge.allowed[y] & ~graph.adjacent(y)
        touching = {n: graph.adjacent(n) for n in bits(neighbours)}
        for clique in _cliques(touching, _shared(touching, non_adjacent), neighbours, room):
            fitting = non_adjacent  # the X whose NA lies within the clique
            for n in bits(neighbours & ~clique):
                fitting &= ~touching[n]
            if fitting:
                yield clique, fitting

    def deletes(self, graph: Pdag, into: Iterable[int], progress: Callable[[], None]) -> Iterator[Move]:
        """Every Delete(X, y, H) into some variables that gains."""
        moves = [move for y in into for move in self._deletes_into(graph, y)]
        families = [self._without(move, graph.parents[move.y] | move.clique) for move in moves]
        for move, result in zip(moves, weigh(self.score, families), strict=True):
            progress()
            gain = float(result.removals.max())  # of X alone: all others are required
            if gain > self.tolerance:
                yield move._replace(gain=gain)

    def _deletes_into(self, graph: Pdag, y: int) -> Iterator[Move]:
        """Neighbours that a Delete may take away, before anything is weighed."""
        parents, neighbours = graph.parents[y], graph.neighbours[y]
        touching = {n: graph.adjacent(n) for n in bits(neighbours)}
        for x in bits(parents | neighbours):
            if self.knowledge.required[y] >> x & 1 or self.knowledge.required[x] >> y & 1:
                continue
            both = neighbours & graph.adjacent(x)
            for clique in _cliques(touching, [0], both, both.bit_count()):
                yield Move(0.0, x, y, both & ~clique, clique)

    def _without(self, move: Move, family: int) -> Family:
        """The family of Y with X, which asks what it gains without X."""
        return Family(move.y, tuple(bits(family | 1 << move.x)), tuple(bits(family & ~(1 << move.x))), None)

    def _family(self, y: int, parents: int) -> Family:
        """A family that is asked what each parent more gains."""
        return Family(y, tuple(bits(parents)), self._every, self._among[y] if self.max_parents else None)

    def _note(self, y: int, parents: int, weighed: Weighed) -> None:
        """Keep X -> gain of one parent more, for the X that gain."""
        gaining = np.flatnonzero(weighed.additions > self.tolerance)
        self._gains[y][parents] = dict(zip(gaining.tolist(), weighed.additions[gaining].tolist(), strict=True))


def _shared(touching: dict[int, int], non_adjacent: int) -> list[int]:
    """The different sets of neighbours that the variables in `apart` touch, lowest first."""
    groups = {0: non_adjacent}
    for n, near in touching.items():
        split = {}
        for shared, members in groups.items():
            if members & ~near:
                split[shared] = members & ~near
            if members & near:
                split[shared | 1 << n] = members & near
        groups = split
    return sorted(groups)


def _cliques(touching: dict[int, int], roots: Iterable[int], among: int, largest: int) -> Iterator[int]:
    """The cliques within `among` that hold one of the roots, by how many members they add to it.

    A root that is no clique, or larger than `largest`, has none. At most MOST_CLIQUES are given.
    """
    level: dict[int, int] = {}  # clique -> what touches all its members
    for root in roots:
        common, complete_root = among, True
        for n in bits(root):
            complete_root = complete_root and not root & ~touching[n] & ~(1 << n)
            common &= touching[n]
        if complete_root and root.bit_count() <= largest:
            level[root] = common
    seen = set(level)
    given = 0
    while level:
        larger: dict[int, int] = {}
        for clique, common in level.items():
            yield clique
            given += 1
            if given == MOST_CLIQUES:
                return
            if clique.bit_count() < largest:
                for n in bits(common):
                    grown = clique | 1 << n
                    if grown not in seen:
                        seen.add(grown)
                        larger[grown] = common & touching[n]
        level = larger
