"""Greedy equivalence search (GES) over CPDAGs, with every valid Insert and Delete (Chickering 2002).

A state is the CPDAG of an equivalence class. With NA the undirected neighbours of Y that touch X:

- Insert(X, Y, T), T among the neighbours of Y that do not touch X: adds X -> Y and directs T -> Y. Valid where
  K = NA + T is a clique that blocks every semi-directed path from Y to X; gains
  local(Y, Pa + K + X) - local(Y, Pa + K).
- Delete(X, Y, H), H among NA: takes X - Y or X -> Y away and directs Y -> H and X - H as X -> H. Valid where
  K = NA - H is a clique; gains local(Y, Pa + K - X) - local(Y, Pa + K + X).

The first phase inserts until nothing gains, the second deletes until nothing gains; there is no turning phase.

The gains of all X for one Y and K come from one call of `additions`, and a move changes the candidates only of the
variables whose parents, neighbours or neighbours' adjacencies it changed. The path condition is global, so it is looked
at only for the move that is about to be made. A graph with a consistent extension has the extension's v-structures, so
the next CPDAG is the pattern of the changed graph closed under Meek's rules, and no extension is built.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.errors import SettingsError
from engine.execution import Progress, part, silent
from engine.graphs.dag import bits, mask_of
from engine.graphs.pdag import Pdag, apply_meek, complete, completed, extend
from engine.scores.local import GAIN, BoundScore
from engine.scores.structure_prior import with_structure_prior
from engine.search.constraints import Constraints
from engine.search.problem import Problem, Structure

MOST_CLIQUES = 512
"""Most cliques K looked at for one variable, or for one edge when deleting.

All that there are among nine mutual neighbours; of more, those with the smallest T (when deleting, the smallest K).
"""


@dataclass(frozen=True)
class GES:
    """Greedy equivalence search, as a value: it answers with an equivalence class (a CPDAG).

    Parameters
    ----------
    structure_prior : how many parents a variable is expected to have (see `engine.scores.structure_prior`); None for
        no prior over structures
    fast : the faithfulness shortcut, see `ges`

    Examples
    --------
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 0, 1, 1] * 9], [2, 2], ["a", "b"])
    >>> sorted(engine.learn(data, engine.BDeu(), engine.GES()).edges)  # an edge without a direction
    [('a', 'b'), ('b', 'a')]
    """

    structure_prior: float | None = None
    fast: bool = False

    def find(self, problem: Problem) -> Structure:
        """The class where no valid Insert, and then no valid Delete, gains.

        Parameters
        ----------
        problem : data, score and knowledge

        Raises
        ------
        SettingsError : the score is not score-equivalent, or structure_prior is not above 0
        """
        if not problem.score.equivalent:
            raise SettingsError(
                f"GES needs a score that treats equivalent networks alike, and {problem.score!r} does not. "
                "Choose BDeu, or search by thick thinning, hill climbing or exactly."
            )
        bound = problem.bound
        if self.structure_prior is not None:
            bound = with_structure_prior(bound, self.structure_prior)
        return problem.cpdag(ges(bound, problem.allowed, problem.progress, fast=self.fast))


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


def ges(
    score: BoundScore,
    constraints: Constraints,
    progress: Progress = silent,
    *,
    fast: bool = False,
    start: Pdag | None = None,
) -> Pdag:
    """The CPDAG of the class where no valid Insert, and then no valid Delete, gains.

    Background knowledge: a move is made only if some member of the class it leads to keeps every arc allowed and every
    required arc. Undirected edges of the result whose direction follows from the knowledge are directed, closed under
    Meek's rules R1-R4; without knowledge the result is the plain CPDAG. `max_parents` limits every member alike, since
    all DAGs of a class have the same largest number of parents.

    Parameters
    ----------
    score : decomposable; gains mean what they say if it is score-equivalent, which is not asked of it
    fast : the faithfulness shortcut: X -> Y is inserted only if X alone improves the score of Y. Much the same graph in
        less time, but a cause that shows only beside another (as in an exclusive or) is missed
    start : the CPDAG to start from; the class of the required arcs where None

    Raises
    ------
    SettingsError : `start` is over other variables, has no consistent extension, or contradicts the constraints
    """
    knowledge = Admitted(constraints)
    graph = _first(score, constraints, knowledge, start)
    candidates = Candidates(score, constraints, knowledge, fast, part(progress, 0.0, 0.3))
    graph = _climb(graph, candidates, knowledge, part(progress, 0.3, 0.8), inserting=True)
    graph = _climb(graph, candidates, knowledge, part(progress, 0.8, 1.0), inserting=False)
    told = knowledge.told(graph)
    if told is None:  # every graph on the way was admitted
        raise RuntimeError("the search left the classes that the knowledge admits")
    return told


def _first(score: BoundScore, constraints: Constraints, knowledge: Admitted, start: Pdag | None) -> Pdag:
    if start is None:
        return complete(constraints.required)
    if start.n_variables != score.n_variables:
        raise SettingsError(f"start has {start.n_variables} variables and the score {score.n_variables}.")
    dag = extend(start)
    if dag is None:
        raise SettingsError("start is not the CPDAG of any DAG; its edges cannot all be directed.")
    graph = complete(dag)
    if knowledge.told(graph) is None or max(map(len, dag), default=0) > constraints.max_parents:
        raise SettingsError(
            "start contradicts the forbidden or required arcs, the tiers or max_parents; start from another graph."
        )
    return graph


class Admitted:
    """What forbidden and required arcs, tiers and orders say about a class.

    Attributes
    ----------
    allowed : per child the bit set of parents it may have
    required : per child the bit set of parents it must have
    """

    def __init__(self, constraints: Constraints) -> None:
        everything = (1 << len(constraints.allowed)) - 1
        self.allowed = [mask_of(np.flatnonzero(row).tolist()) for row in constraints.allowed]
        self.required = [mask_of(group) for group in constraints.required]
        self.none = not any(self.required) and all(
            mask | 1 << child == everything for child, mask in enumerate(self.allowed)
        )

    def told(self, graph: Pdag) -> Pdag | None:
        """A CPDAG with the edges directed that the knowledge directs; None if no member of the class agrees with it."""
        if self.none:
            return graph
        told = graph.copy()
        for child, required in enumerate(self.required):
            if graph.parents[child] & ~self.allowed[child]:
                return None
            if required & ~(graph.parents[child] | graph.neighbours[child]):
                return None
            for x in bits(graph.neighbours[child]):
                if required >> x & 1 or not self.allowed[x] >> child & 1:
                    if not self.allowed[child] >> x & 1:
                        return None
                    told.direct(x, child)
        if told == graph:
            return graph
        dag = extend(apply_meek(told))
        return told if dag is not None and complete(dag) == graph else None


class Candidates:
    """The moves into one variable that gain and keep the conditions on its surroundings."""

    def __init__(
        self, score: BoundScore, constraints: Constraints, knowledge: Admitted, fast: bool, progress: Progress
    ) -> None:
        p = score.n_variables
        self.score = score
        self.knowledge = knowledge
        self.max_parents = constraints.max_parents
        self.tolerance = GAIN * max([1.0, *(abs(score.local(y, ())) for y in range(p))])
        self._gains: list[dict[int, dict[int, float]]] = [{} for _ in range(p)]
        self._among: list[np.ndarray | None] = [None] * p
        for y in range(p if self.max_parents else 0):
            progress(y / p, f"weighing single arcs: variable {y + 1} of {p}")
            alone = self._additions(y, 0)
            if fast:
                self._among[y] = np.isin(np.arange(p), list(alone))

    def inserts(self, graph: Pdag, y: int) -> Iterator[Move]:
        """Every Insert(X, y, T) that gains and whose K is a clique; paths are not looked at."""
        parents, neighbours = graph.parents[y], graph.neighbours[y]
        room = self.max_parents - parents.bit_count() - 1
        if room < 0:
            return
        allowed = self.knowledge.allowed[y]
        apart = allowed & ~graph.adjacent(y)  # a class that can do without X -> y is met by an Insert(y, X, T) as well
        touching = {n: graph.adjacent(n) for n in bits(neighbours)}
        for clique in _cliques(touching, _shared(touching, apart), neighbours, room):
            fitting = apart  # the X whose NA lies within the clique
            for n in bits(neighbours & ~clique):
                fitting &= ~touching[n]
            if not fitting:
                continue
            for x, gain in self._additions(y, parents | clique).items():
                if fitting >> x & 1:
                    chosen = clique & ~graph.adjacent(x)
                    if not chosen & ~allowed:
                        yield Move(gain, x, y, chosen, clique)

    def deletes(self, graph: Pdag, y: int) -> Iterator[Move]:
        """Every Delete(X, y, H) that gains."""
        parents, neighbours = graph.parents[y], graph.neighbours[y]
        touching = {n: graph.adjacent(n) for n in bits(neighbours)}
        for x in bits(parents | neighbours):
            if self.knowledge.required[y] >> x & 1 or self.knowledge.required[x] >> y & 1:
                continue
            both = neighbours & graph.adjacent(x)
            for clique in _cliques(touching, [0], both, both.bit_count()):
                rest = (parents | clique) & ~(1 << x)
                gain = self._local(y, rest) - self._local(y, rest | 1 << x)
                if gain > self.tolerance:
                    yield Move(gain, x, y, both & ~clique, clique)

    def _local(self, child: int, family: int) -> float:
        return self.score.local(child, tuple(bits(family)))

    def _additions(self, child: int, family: int) -> dict[int, float]:
        """X -> gain of one more parent, for the X that gain; worked out once a family."""
        known = self._gains[child]
        if family not in known:
            group = tuple(bits(family))
            gains = self.score.additions(child, group, self._among[child]) - self.score.local(child, group)
            gaining = np.flatnonzero(gains > self.tolerance)
            known[family] = dict(zip(gaining.tolist(), gains[gaining].tolist(), strict=True))
        return known[family]


def _shared(touching: dict[int, int], apart: int) -> list[int]:
    """The different sets of neighbours that the variables in `apart` touch, lowest first."""
    groups = {0: apart}
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


def _climb(graph: Pdag, candidates: Candidates, knowledge: Admitted, progress: Progress, *, inserting: bool) -> Pdag:
    """Make the best move until none gains.

    Candidates wait in a heap with the count of the looks at their Y, so that those of an earlier look are passed over.
    """
    propose, make, words = (
        (candidates.inserts, insert, "adding edges") if inserting else (candidates.deletes, delete, "removing edges")
    )
    p = graph.n_variables
    looks = [0] * p
    heap: list[tuple[float, Move, int]] = []
    stale: Iterable[int] = range(p)
    steps = 0
    while True:
        for y in stale:
            if not steps:  # all variables, and a dense start has many cliques
                progress(0.0, words)
            looks[y] += 1
            for move in propose(graph, y):
                heapq.heappush(heap, (-move.gain, move, looks[y]))
        aside: list[tuple[float, Move, int]] = []  # what cannot be done now may be possible after the next move
        done = None
        while heap and done is None:
            ties = _ties(heap, looks, candidates.tolerance)
            for place, (_, move, _) in enumerate(ties):
                following = make(graph, move)
                if following is not None and knowledge.told(following) is not None:
                    done = move, following
                    del ties[place]
                    break
            aside += ties
        if done is None:
            return graph
        for entry in aside:
            heapq.heappush(heap, entry)
        move, following = done
        stale = _changed(graph, following, move)
        graph = following
        steps += 1
        progress(steps / (steps + p), f"{words}: {steps}")


def _ties(heap: list[tuple[float, Move, int]], looks: list[int], tolerance: float) -> list[tuple[float, Move, int]]:
    """Take the best candidates of the heap, all that gain equally much, in the order in which they are to be tried."""
    ties: list[tuple[float, Move, int]] = []
    while heap and (not ties or -heap[0][0] >= -ties[0][0] - tolerance):
        entry = heapq.heappop(heap)
        if entry[2] == looks[entry[1].y]:
            ties.append(entry)
    if len(ties) > 1:
        ties.sort(key=lambda entry: entry[1].rank())
    return ties


def _changed(before: Pdag, after: Pdag, move: Move) -> list[int]:
    """The variables whose candidates a move may have changed."""
    near = 1 << move.x | 1 << move.y | after.neighbours[move.x] | after.neighbours[move.y]
    # a DAG before and one after the move differ in one arc, so no other arc has turned: neighbours tell every change
    return [i for i in range(after.n_variables) if near >> i & 1 or before.neighbours[i] != after.neighbours[i]]


def insert(graph: Pdag, move: Move) -> Pdag | None:
    """The CPDAG after an Insert, or None where a semi-directed path from Y to X runs past the clique."""
    x, y = move.x, move.y
    seen = move.clique | 1 << y
    waiting = 1 << y
    while waiting:
        low = waiting & -waiting
        node = low.bit_length() - 1
        onward = (graph.children[node] | graph.neighbours[node]) & ~seen
        if onward >> x & 1:
            return None
        seen |= onward
        waiting ^= low | onward
    after = graph.copy()
    after.parents[y] |= 1 << x
    after.children[x] |= 1 << y
    for t in bits(move.chosen):
        after.direct(t, y)
    return completed(after)


def delete(graph: Pdag, move: Move) -> Pdag:
    """The CPDAG after a Delete."""
    x, y = move.x, move.y
    after = graph.copy()
    for group in (after.parents, after.children, after.neighbours):
        group[x] &= ~(1 << y)
        group[y] &= ~(1 << x)
    for h in bits(move.chosen):
        after.direct(y, h)
        if after.neighbours[x] >> h & 1:
            after.direct(x, h)
    return completed(after)
