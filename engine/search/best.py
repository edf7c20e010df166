"""The best of several searches: a greedy search may stop short, and how far they lie apart says how much to trust it.

Greedy equivalence search, hill climbing from where it stopped and from nothing (with a tabu list and restarts), and
the exact search where the variables are few: all under one score with one structure prior, so that their totals can be
compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.errors import SettingsError
from engine.execution import Progress, part
from engine.graphs.dag import Parents
from engine.graphs.pdag import Pdag, complete, member
from engine.scores.local import GAIN, BoundScore
from engine.scores.structure_prior import with_structure_prior
from engine.search.equivalence import Admitted, ges
from engine.search.exact import MOST_VARIABLES, exact
from engine.search.hill_climbing import hill_climbing
from engine.search.problem import Problem, Structure, check_whole_numbers

GES_NAME, CLIMBED, CLIMBING, EXACT_NAME = "GES", "GES, then hill climbing", "hill climbing", "exact search"
MOST_REMEMBERED = 2_000_000
"""Numbers of additions that the climbs of one problem keep: 16 MB."""


@dataclass(frozen=True)
class Compared:
    """The outcomes of several searches.

    Attributes
    ----------
    structure : of the winner;  winner : its name, the first of those that share the highest total
    totals : (name, natural-log score with the structure prior) of every search, in the order in which they ran
    """

    structure: Structure
    winner: str
    totals: tuple[tuple[str, float], ...]

    @property
    def gap(self) -> float:
        """Nats between the best and the worst of them; 0 where all agree."""
        result = [total for _, total in self.totals]
        return max(result) - min(result)


@dataclass(frozen=True)
class Best:
    """The best of several searches, as a value.

    It answers with an equivalence class where the score treats equivalent DAGs alike, else (without GES) with one DAG.

    Parameters
    ----------
    structure_prior : how many parents a variable is expected to have (see `engine.scores.structure_prior`); None for
        no prior over structures
    tabu, restarts, seed : of the hill climbing that begins with nothing; see `engine.HillClimbing`
    exact_up_to : the exact search runs with so many variables at most, 0 for never, 20 at most

    Raises
    ------
    SettingsError : a number that cannot be

    Examples
    --------
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 0, 1, 1] * 9], [2, 2], ["a", "b"])
    >>> sorted(engine.learn(data, engine.BDeu(), engine.Best()).edges)  # an edge without a direction
    [('a', 'b'), ('b', 'a')]
    """

    structure_prior: float | None = None
    tabu: int = 30
    restarts: int = 10
    seed: int = 0
    exact_up_to: int = 11

    def __post_init__(self) -> None:
        check_whole_numbers(self, tabu=0, restarts=0, seed=0, exact_up_to=0)
        if self.exact_up_to > MOST_VARIABLES:
            raise SettingsError(
                f"exact_up_to is {self.exact_up_to}; the exact search handles up to {MOST_VARIABLES} variables.",
                setting="exact_up_to",
            )

    def find(self, problem: Problem) -> Structure:
        """Return the structure that the best of the searches found.

        Parameters
        ----------
        problem : data, score and knowledge

        Returns
        -------
        `Structure` with a class, or with a DAG where the score does not treat equivalent DAGs alike
        """
        return self.compare(problem).structure

    def compare(self, problem: Problem) -> Compared:
        """Run every search, and return what each reached and the structure of the winner.

        Parameters
        ----------
        problem : data, score and knowledge

        Returns
        -------
        `Compared`
        """
        bound = problem.bound
        if self.structure_prior is not None:
            bound = with_structure_prior(bound, self.structure_prior)
        result = list(self._each(problem, bound))
        totals = tuple((name, _total(bound, parents)) for name, parents, _ in result)
        most = max(total for _, total in totals)
        best = next(i for i, (_, total) in enumerate(totals) if total >= most - GAIN * max(1.0, abs(most)))
        name, parents, graph = result[best]
        if not problem.score.equivalent:
            return Compared(problem.dag(parents), name, totals)
        return Compared(problem.cpdag(graph or _class_of(problem, parents)), name, totals)

    def _each(self, problem: Problem, bound: BoundScore) -> Iterator[tuple[str, Parents, Pdag | None]]:
        """Name, DAG, and class where the search has one, of every search that fits this problem."""
        allowed, progress = problem.allowed, problem.progress
        climbed = _Remembering(bound)
        middle, end = (0.4, 0.6) if bound.n_variables <= self.exact_up_to else (0.55, 1.0)
        if problem.score.equivalent:
            graph = ges(bound, allowed, part(progress, 0.0, 0.1))
            start = member(graph)
            yield GES_NAME, start, graph
            yield CLIMBED, self._climb(problem, climbed, start, part(progress, 0.1, middle)), None
        yield CLIMBING, self._climb(problem, climbed, None, part(progress, middle, end)), None
        if bound.n_variables <= self.exact_up_to:
            yield EXACT_NAME, exact(bound, allowed, part(progress, end, 1.0)), None

    def _climb(self, problem: Problem, bound: BoundScore, start: Parents | None, progress: Progress) -> Parents:
        return hill_climbing(
            bound, problem.allowed, progress, tabu=self.tabu, restarts=self.restarts, seed=self.seed, start=start
        )


class _Remembering:
    """A score that knows the additions it was asked for: restarts come past the same families again and again.

    For the climbs of one problem, where `among` is the same whenever a child is asked about.
    """

    def __init__(self, score: BoundScore) -> None:
        self.score = score
        self.n_variables = score.n_variables
        self._known: dict[tuple[int, tuple[int, ...]], np.ndarray] = {}

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        """As the score has it."""
        return self.score.local(child, parents)

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        """As the score has them."""
        key = (child, parents)
        if (result := self._known.get(key)) is None:
            result = self.score.additions(child, parents, among)
            if len(self._known) * self.n_variables < MOST_REMEMBERED:
                self._known[key] = result
        return result


def _class_of(problem: Problem, parents: Parents) -> Pdag:
    """The class of a DAG, with the edges directed that the knowledge directs."""
    directed = Admitted(problem.allowed).told(complete(parents))
    if directed is None:  # the DAG itself is a member that keeps to the knowledge
        raise RuntimeError("a search left what the knowledge admits")
    return directed


def _total(score: BoundScore, parents: Parents) -> float:
    return sum(score.local(child, group) for child, group in enumerate(parents))
