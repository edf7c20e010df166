"""A search move by move: what the searches themselves do, recorded as they do it.

Hill climbing and thick thinning are the readable walk of `engine.search.walks` with every move noted; GES and PC are
observed through the hooks of their own loops. Nothing here decides a move.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from engine.counting.walk_state import ADD, GROW, REMOVE, REVERSE
from engine.data.dataset import Dataset
from engine.errors import DataError, SettingsError
from engine.execution import Progress, silent
from engine.graphs.dag import bits
from engine.graphs.pdag import Pdag, member
from engine.scores.local import BoundScore, LocalScore
from engine.search.class_moves import Admitted, Move
from engine.search.constraint import PC, directed, skeleton
from engine.search.equivalence import GES, delete, ges, insert
from engine.search.hill_climbing import HillClimbing, climb_and_shake
from engine.search.independence import IndependenceTest
from engine.search.knowledge import Knowledge
from engine.search.learn import problem_of
from engine.search.problem import Problem, Search
from engine.search.thick_thinning import ThickThinning, grow_and_shrink
from engine.search.walks import Move as Change
from engine.search.walks import Parents, ReadableWalk
from engine.words import count

Arcs = frozenset[tuple[str, str]]
"""A graph: (source, target) of every arc; an edge without a direction both ways."""
MOST_CANDIDATES = 200
"""Candidates of a step that are kept, the best ones."""
MOST_VARIABLES, MOST_ROWS = 12, 5_000
"""Of a table that a search is stepped through on, so that its steps can be read and come at once."""


class Obstacle(StrEnum):
    """Why a candidate may not be taken, whatever it gains; `engine.search.step_wording` has the sentences."""

    CYCLE = "cycle"
    PARENTS = "full"
    KNOWLEDGE = "ruled out"
    RECENT = "tabu"
    PATH = "may cycle"
    SEPARATES = "separates"
    AMBIGUOUS = "ambiguous"
    CONTRADICTED = "contradicted"
    CHORD = "no chord"
    CLIQUE = "clique"


class CandidateMove(NamedTuple):
    """A change that a search may choose.

    Attributes
    ----------
    kind : "add", "remove", "reverse"; "insert", "delete" (GES); "test", "collider", "orient" (PC); "link" (log-linear)
    source, target : its variables; of an arc, parent and child as they are before
    gain : natural log score gained; of "test" the p-value; NaN where there is no such number
    given : the other parents that the target's family has with and without the source; of a test, and of a link, the
        variables that are held fixed; of a collider its middle
    others : of "insert" and "delete" the variables T or H; of "reverse" the other parents of the source; of a collider
        the set that separates its ends
    obstacle : why it may not be taken; None where it may
    directed : whether the link has a direction afterwards; False of "insert" where the class leaves it open
    """

    kind: str
    source: str
    target: str
    gain: float
    given: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    obstacle: Obstacle | None = None
    directed: bool = True


@dataclass(frozen=True)
class SearchStep:
    """One decision of a search.

    Attributes
    ----------
    phase : what the search does at the time
    before, after : the graph
    candidates : the best ones, the largest gain first, those that may not be taken among them; of GES each class once
    left_out : how many more there are
    move : the candidate taken; None where the search, or this phase, ends
    threshold : a gain must be above it; of tests, the p-value from which on variables are independent
    score_before, score_after : natural log score of the graph; NaN where the search has no score
    rule : which of Meek's rules directs the arc, 0 for none
    """

    phase: str
    before: Arcs
    after: Arcs
    candidates: tuple[CandidateMove, ...] = ()
    left_out: int = 0
    move: CandidateMove | None = None
    threshold: float = 0.0
    score_before: float = math.nan
    score_after: float = math.nan
    rule: int = 0


def search_steps(
    data: Dataset, score: LocalScore, search: Search, knowledge: Knowledge | None = None
) -> tuple[SearchStep, ...]:
    """Every step of a search; the last graph is the one that `engine.learn` gives.

    Parameters
    ----------
    data : the rows that are explained
    score : as of `engine.learn`; PC asks it only where its test is "auto"
    search : `HillClimbing`, `ThickThinning`, `GES` or `PC`
    knowledge : what the search may do

    Returns
    -------
    the steps in order; gains in nats

    Raises
    ------
    SettingsError : another search; as `engine.learn`

    Examples
    --------
    >>> from engine.search.steps import search_steps
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 0, 1, 1] * 9], [2, 2], ["a", "b"])
    >>> steps = search_steps(data, engine.BDeu(), engine.ThickThinning())
    >>> [(step.move.kind, step.move.source, step.move.target) for step in steps if step.move]
    [('add', 'a', 'b')]
    """
    problem = problem_of(data, score, knowledge or Knowledge(), silent)
    match search:
        case HillClimbing():
            return _climbing_steps(problem, search)
        case ThickThinning():
            walk = _RecordedWalk(problem)
            grow_and_shrink(walk, silent)
            return tuple(walk.steps)
        case GES():
            return _class_steps(problem, search)
        case PC():
            return _test_steps(problem, search)
    raise SettingsError(
        f"{search!r} cannot be stepped through; choose hill climbing, thick thinning, GES or PC.", setting="search"
    )


def part_to_step(data: Dataset, names: Sequence[str], missing: bool = False) -> Dataset:
    """The variables and rows that a search is stepped through on: all rows up to `MOST_ROWS`, else that many drawn.

    Parameters
    ----------
    data : the whole table
    names : of the variables
    missing : a level that stands for missing values is a level as others; else rows that have it are left out

    Returns
    -------
    Dataset, the rows in their order; the same rows every time

    Raises
    ------
    DataError : every row lacks one of the variables
    """
    chosen = data.select(names)
    gaps = [] if missing else [(name, level) for name in names if (level := chosen.missing_level(name)) is not None]
    if gaps:
        known = np.all([chosen.column(name) != chosen.levels[name].index(level) for name, level in gaps], axis=0)
        if not known.any():
            raise DataError("No row has a value of all these variables; choose fewer, or let missing be a level.")
        chosen, _ = chosen.rows(known).without_empty_levels()
    if chosen.n_rows <= MOST_ROWS:
        return chosen
    return chosen.rows(np.sort(np.random.default_rng(0).choice(chosen.n_rows, MOST_ROWS, replace=False)))


def best_first(candidates: Iterable[CandidateMove], move: CandidateMove | None = None) -> tuple[CandidateMove, ...]:
    """Candidates, the largest gain first, and the one taken before those that gain equally much.

    Parameters
    ----------
    candidates : in the order in which equals are listed
    move : the one taken
    """
    given = list(candidates)
    top = max((item.gain for item in given if item.obstacle is None), default=-math.inf)

    def rank(item: CandidateMove) -> tuple[float, bool]:
        gain = top if item == move else item.gain
        return math.inf if math.isnan(gain) else -gain, item != move

    return tuple(sorted(given, key=rank))


def _names(problem: Problem) -> list[str]:
    """The variables as the search sees them."""
    return [problem.data.names[i] for i in problem.order]


# -- over DAGs ---------------------------------------------------------------------------------------------------------


class _RecordedWalk(ReadableWalk):
    """A readable walk that notes every move before it makes it."""

    def __init__(self, problem: Problem, tabu: int = 0) -> None:
        super().__init__(problem.bound, problem.allowed, None, silent, tabu)
        self.steps: list[SearchStep] = []
        self._names, self._phase = _names(problem), ""
        self._kinds: tuple[int, ...] = (ADD, REMOVE, REVERSE)

    def apply(self, move: Change) -> None:
        step = self._capture_step(move)
        super().apply(move)
        self.steps.append(replace(step, after=self._arcs(), score_after=self.table.total))

    def run(self, mode: int, progress: Progress) -> None:
        self._phase, self._kinds = ("adding links", (ADD,)) if mode == GROW else ("removing links", (REMOVE,))
        super().run(mode, progress)
        self.steps.append(self._capture_step())

    def climb(self, progress: Progress) -> tuple[float, Parents]:
        self._phase = "climbing"
        best = super().climb(progress)
        self.steps.append(self._capture_step())
        self._phase = "shaking"
        return best

    def restart(self, parents: Parents) -> None:
        self._phase = "returning to the best network"
        step = self._capture_step()
        super().restart(parents)
        self.steps.append(replace(step, after=self._arcs(), candidates=(), left_out=0, score_after=self.table.total))

    def _arcs(self) -> Arcs:
        names = self._names
        return frozenset((names[x], names[child]) for child, group in enumerate(self.key()) for x in group)

    def _capture_step(self, move: Change | None = None) -> SearchStep:
        """Where the walk is, as a step that changes nothing yet."""
        candidates = {change: self._candidate(*change) for change in self._changes()}
        taken = None if move is None else candidates[move]
        ranked = best_first(candidates.values(), taken)
        left_out, arcs, total = max(len(ranked) - MOST_CANDIDATES, 0), self._arcs(), self.table.total
        return SearchStep(
            self._phase, arcs, arcs, ranked[:MOST_CANDIDATES], left_out, taken, self.tolerance, total, total
        )

    def _changes(self) -> Iterable[Change]:
        """Every change of the kinds that the phase looks at, in the order in which ties are decided."""
        parents, p = self.table.parents, len(self.table.parents)
        for kind in self._kinds:
            for x in range(p):
                for child in range(p):
                    linked = x in parents[child]
                    if (kind != ADD and linked) or (
                        kind == ADD and x != child and not linked and child not in parents[x]
                    ):
                        yield kind, x, child

    def _candidate(self, kind: int, x: int, child: int) -> CandidateMove:
        """A change with its gain and what stands in its way."""
        table, names = self.table, self._names
        rest = tuple(y for y in table.parents[child] if y != x)
        others = table.parents[x] if kind == REVERSE else ()
        gain = table.add[child, x] if kind == ADD else table.remove[child, x]
        if kind == REVERSE:
            gain += table.add[x, child]
        if not math.isfinite(gain):  # the search does not ask for it
            gain = self._joining_gain(x, child, rest) if kind == ADD else -self._joining_gain(x, child, rest)
            gain += self._joining_gain(child, x, others) if kind == REVERSE else 0.0
        word = {ADD: "add", REMOVE: "remove", REVERSE: "reverse"}[kind]
        obstacle = self._obstacle(kind, x, child, float(gain))
        return CandidateMove(
            word,
            names[x],
            names[child],
            float(gain),
            tuple(names[y] for y in rest),
            tuple(names[y] for y in others),
            obstacle,
        )

    def _joining_gain(self, x: int, child: int, rest: tuple[int, ...]) -> float:
        """The gain of one parent more."""
        return self._score.local(child, tuple(sorted((*rest, x)))) - self._score.local(child, rest)

    def _obstacle(self, kind: int, x: int, child: int, gain: float) -> Obstacle | None:
        table, rules = self.table, self._constraints
        if kind != ADD and x in rules.required[child]:
            return Obstacle.KNOWLEDGE
        if kind != REMOVE:
            parent, target = (x, child) if kind == ADD else (child, x)
            if not rules.allowed[target, parent]:
                return Obstacle.KNOWLEDGE
            if len(table.parents[target]) >= rules.max_parents:
                return Obstacle.PARENTS
            if table.above[x, child] if kind == ADD else any(table.above[z, x] for z in table.parents[child]):
                return Obstacle.CYCLE
        touched = {(x, child), (child, x)} & set(self.resting)
        return Obstacle.RECENT if touched and gain <= self.record - table.total + table.tolerance else None


def _climbing_steps(problem: Problem, search: HillClimbing) -> tuple[SearchStep, ...]:
    walk = _RecordedWalk(problem, search.tabu)
    best = climb_and_shake(walk, problem.bound.n_variables, search.restarts, search.seed, silent)
    if walk.key() != best:
        walk.restart(best)
    return tuple(walk.steps)


# -- over classes ------------------------------------------------------------------------------------------------------


def _class_steps(problem: Problem, search: GES) -> tuple[SearchStep, ...]:
    recorder = _ClassRecorder(problem, search.bound(problem))
    result = ges(recorder.score, problem.allowed, fast=search.fast, observe=recorder.note)
    last = recorder.steps[-1]
    after = arcs_of(result, recorder.names)
    if after != last.after:
        words = "directing what the knowledge directs"
        recorder.steps.append(replace(last, phase=words, after=after, candidates=(), left_out=0))
    return tuple(recorder.steps)


@dataclass
class _ClassRecorder:
    """The moves of GES as it makes them."""

    problem: Problem
    score: BoundScore
    steps: list[SearchStep] = field(default_factory=list)
    inserting: bool = True

    def __post_init__(self) -> None:
        self.names = _names(self.problem)
        self._knowledge = Admitted(self.problem.allowed)

    def note(self, graph: Pdag, others: list[Move], done: tuple[Move, Pdag] | None) -> None:
        """One decision; the last of a phase has no move."""
        moves = sorted(others, key=lambda move: (-move.gain, move.rank()))
        kept = moves[: MOST_CANDIDATES - 1]
        taken = None if done is None else self._candidate(graph, *done)
        candidates = [] if taken is None else [taken]
        classes = [] if done is None else [done[1]]
        for move in kept:
            following = insert(graph, move) if self.inserting else delete(graph, move)
            if following is None or following not in classes:
                candidates.append(self._candidate(graph, move, following))
                classes += [] if following is None else [following]
        before, score = arcs_of(graph, self.names), self._total(graph)
        step = SearchStep(
            "inserting links" if self.inserting else "deleting links",
            before,
            before,
            best_first(candidates, taken),
            len(moves) - len(kept),
            taken,
            score_before=score,
            score_after=score,
        )
        if done is not None:
            step = replace(step, after=arcs_of(done[1], self.names), score_after=self._total(done[1]))
        self.steps.append(step)
        self.inserting = self.inserting and done is not None

    def _total(self, graph: Pdag) -> float:
        """The score of every member of a class."""
        return math.fsum(self.score.local(child, group) for child, group in enumerate(member(graph)))

    def _candidate(self, graph: Pdag, move: Move, following: Pdag | None) -> CandidateMove:
        """A move to a class, None where no class follows; an inserted link is named as the class has it."""
        family = (graph.parents[move.y] | move.clique) & ~(1 << move.x)
        given, others = (tuple(self.names[i] for i in bits(mask)) for mask in (family, move.chosen))
        kind = "insert" if self.inserting else "delete"
        source, target = self.names[move.x], self.names[move.y]
        if following is None:
            return CandidateMove(kind, source, target, move.gain, given, others, Obstacle.PATH)
        obstacle = Obstacle.KNOWLEDGE if self._knowledge.told(following) is None else None
        directed = not following.neighbours[move.y] >> move.x & 1
        return CandidateMove(kind, source, target, move.gain, given, others, obstacle, directed)


def arcs_of(graph: Pdag, names: Sequence[str]) -> Arcs:
    """The arcs of a graph over names, edges without a direction both ways.

    Parameters
    ----------
    graph : over positions
    names : of its variables
    """
    targets = [a | b for a, b in zip(graph.children, graph.neighbours, strict=True)]
    return frozenset((names[x], names[y]) for x, mask in enumerate(targets) for y in bits(mask))


# -- by tests ----------------------------------------------------------------------------------------------------------


def _test_steps(problem: Problem, search: PC) -> tuple[SearchStep, ...]:
    recorder = _TestRecorder(search.bound_test(problem), _names(problem), search.alpha)
    either = problem.allowed.allowed | problem.allowed.allowed.T
    recorder.graph = recorder.linked(np.flatnonzero(row).tolist() for row in either)
    found = skeleton(recorder, problem.allowed, search.alpha, observe=recorder.note_test)
    triples = search.triples(recorder, found)
    verdicts = dict.fromkeys(triples.colliders) | dict.fromkeys(triples.ambiguous, Obstacle.AMBIGUOUS)
    for (x, y), separator in sorted(found.separators.items()):
        for middle in bits(found.adjacent[x] & found.adjacent[y]):
            obstacle = verdicts.get((x, middle, y), Obstacle.SEPARATES)
            recorder.colliders.append(recorder.collider((x, middle, y), separator, obstacle))
    result = directed(found, problem.allowed, triples, recorder.note_direction)
    recorder.finish(arcs_of(result, recorder.names))
    return tuple(recorder.steps)


@dataclass
class _TestRecorder:
    """A test of independence that remembers what it was asked, and the verdicts and arrows that followed."""

    test: IndependenceTest
    names: list[str]
    alpha: float
    graph: Arcs = frozenset()
    steps: list[SearchStep] = field(default_factory=list)
    colliders: list[CandidateMove] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.n_variables = self.test.n_variables
        self._asked: list[CandidateMove] = []

    def p_values(self, x: int, y: int, groups: np.ndarray) -> np.ndarray:
        """(m,) p-values given each row of (m, l) other variables."""
        values = self.test.p_values(x, y, groups)
        for group, p in zip(groups.tolist(), values.tolist(), strict=True):
            given = tuple(self.names[i] for i in group)
            self._asked.append(CandidateMove("test", self.names[x], self.names[y], p, given))
        return values

    def linked(self, adjacent: Iterable[Iterable[int]]) -> Arcs:
        """A graph without directions."""
        return frozenset((self.names[x], self.names[y]) for x, near in enumerate(adjacent) for y in near)

    def note_test(self, x: int, y: int, adjacent: list[int]) -> None:
        """The verdict on two variables, given sets of one size."""
        asked, self._asked = best_first(self._asked), []
        if not asked:  # neither has so many neighbours
            return
        before, self.graph = self.graph, self.linked(map(bits, adjacent))
        kept, rest = asked[:MOST_CANDIDATES], max(len(asked) - MOST_CANDIDATES, 0)
        size = len(asked[0].given)
        phase = f"testing links given {count(size, 'other variable') if size else 'no other variable'}"
        self.steps.append(SearchStep(phase, before, self.graph, kept, rest, asked[0], self.alpha))

    def collider(self, triple: tuple[int, ...], separator: int, obstacle: Obstacle | None) -> CandidateMove:
        """Two variables that are apart, with one between them."""
        x, middle, y = (self.names[i] for i in triple)
        others = tuple(self.names[i] for i in bits(separator))
        return CandidateMove("collider", x, y, math.nan, (middle,), others, obstacle)

    def note_direction(self, reason: str, variables: tuple[int, ...], graph: Pdag) -> None:
        """A direction that is about to be given, or a claim that is not heard."""
        self.finish(arcs_of(graph, self.names))
        rule, names = 0, [self.names[i] for i in variables]
        candidates: tuple[CandidateMove, ...] = ()
        if len(names) == 3:
            x, middle, y = names
            claims = [item for item in self.colliders if (item.source, item.given, item.target) == (x, (middle,), y)]
            obstacle = {"contradicted": Obstacle.CONTRADICTED, "against knowledge": Obstacle.KNOWLEDGE}.get(reason)
            move, phase = claims[0]._replace(obstacle=obstacle), "orienting colliders"
            candidates = (move, *(item for item in self.colliders if item not in claims))
        else:
            move = CandidateMove("orient", names[0], names[1], math.nan)
            phase = "directing what the knowledge directs"
            if reason.startswith("rule"):
                rule, phase = int(reason[-1]), "orienting by Meek's rules"
        step = SearchStep(phase, self.graph, self.graph, candidates, move=move, threshold=self.alpha, rule=rule)
        self.steps.append(step)

    def finish(self, after: Arcs) -> None:
        """The outcome of the last direction."""
        if self.steps and self.graph != after:
            self.steps[-1] = replace(self.steps[-1], after=after)
        self.graph = after
