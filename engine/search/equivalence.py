"""Greedy equivalence search (GES) over CPDAGs, with every valid Insert and Delete (Chickering 2002).

A state is the CPDAG of an equivalence class. With NA the undirected neighbours of Y that touch X:

- Insert(X, Y, T), T among the neighbours of Y that do not touch X: adds X -> Y and directs T -> Y. Valid where
  K = NA + T is a clique that blocks every semi-directed path from Y to X; gains
  local(Y, Pa + K + X) - local(Y, Pa + K).
- Delete(X, Y, H), H among NA: takes X - Y or X -> Y away and directs Y -> H and X - H as X -> H. Valid where
  K = NA - H is a clique; gains local(Y, Pa + K - X) - local(Y, Pa + K + X).

The first phase inserts until nothing gains, the second deletes until nothing gains; there is no turning phase.

The gains of all X for one Y and K are weighed together, and a move changes the candidates only of the variables whose
parents, neighbours or neighbours' adjacencies it changed. The path condition is global, so it is looked at only for the
move that is about to be made. A graph with a consistent extension has the extension's v-structures, so the next CPDAG
is the pattern of the changed graph closed under Meek's rules, and no extension is built.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from engine.errors import SettingsError
from engine.execution import Progress, part, silent
from engine.graphs.dag import bits
from engine.graphs.pdag import Pdag, complete, completed, extend
from engine.scores.local import BoundScore
from engine.scores.structure_prior import with_structure_prior
from engine.search.class_moves import Admitted, Candidates, Move
from engine.search.constraints import Constraints
from engine.search.problem import Problem, Structure

Observe = Callable[[Pdag, list[Move], tuple[Move, Pdag] | None], None]
"""Called before every move with the graph, all other moves that gain, and the move with the graph after it; the last
call of a phase has no move."""


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
        return problem.cpdag(ges(self.bound(problem), problem.allowed, problem.progress, fast=self.fast))

    def bound(self, problem: Problem) -> BoundScore:
        """The score of a problem with its data and the prior over structures.

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
        if self.structure_prior is None:
            return problem.bound
        return with_structure_prior(problem.bound, self.structure_prior)


def ges(
    score: BoundScore,
    constraints: Constraints,
    progress: Progress = silent,
    *,
    fast: bool = False,
    start: Pdag | None = None,
    observe: Observe | None = None,
) -> Pdag:
    """The CPDAG of the class where no valid Insert, and then no valid Delete, gains.

    Background knowledge: a move is made only if some member of the class it leads to keeps every arc allowed and every
    required arc. Undirected edges of the result whose direction follows from the knowledge are directed, closed under
    Meek's rules R1-R4; without knowledge the result is the plain CPDAG. `max_parents` limits every member alike, since
    all DAGs of a class have the same largest number of parents. `observe` sees every move before it is made.
    """
    knowledge = Admitted(constraints)
    graph = _first(score, constraints, knowledge, start)
    candidates = Candidates(score, constraints, knowledge, fast, part(progress, 0.0, 0.3))
    graph = _climb(graph, candidates, knowledge, part(progress, 0.3, 0.8), observe, inserting=True)
    graph = _climb(graph, candidates, knowledge, part(progress, 0.8, 1.0), observe, inserting=False)
    directed = knowledge.told(graph)
    if directed is None:  # every graph on the way was admitted
        raise RuntimeError("the search left the classes that the knowledge admits")
    return directed


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


def _climb(
    graph: Pdag,
    candidates: Candidates,
    knowledge: Admitted,
    progress: Progress,
    observe: Observe | None,
    *,
    inserting: bool,
) -> Pdag:
    """Make the best move until none gains.

    Candidates wait in a heap with the count of the looks at their Y, so that those of an earlier look are passed over.
    """
    propose, make, words = (
        (candidates.inserts, insert, "adding links") if inserting else (candidates.deletes, delete, "removing links")
    )
    p = graph.n_variables
    looks = [0] * p
    heap: list[tuple[float, Move, int]] = []
    stale: Iterable[int] = range(p)
    steps = 0
    while True:
        for y in stale:
            looks[y] += 1
        for move in propose(graph, stale, partial(progress, steps / (steps + p), words)):
            heapq.heappush(heap, (-move.gain, move, looks[move.y]))
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
        if observe is not None:
            observe(graph, [entry[1] for entry in (*aside, *heap) if entry[2] == looks[entry[1].y]], done)
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


def _changed(earlier: Pdag, after: Pdag, move: Move) -> list[int]:
    """The variables whose candidates a move may have changed."""
    near = 1 << move.x | 1 << move.y | after.neighbours[move.x] | after.neighbours[move.y]
    # a DAG before and one after the move differ in one arc, so no other arc has turned: neighbours tell every change
    return [i for i in range(after.n_variables) if near >> i & 1 or earlier.neighbours[i] != after.neighbours[i]]


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
