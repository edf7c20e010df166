"""Hill climbing over DAGs: add, remove or reverse one arc at a time, with a tabu list and seeded restarts.

Under a score-equivalent score many moves gain the same, so a greedy climb can stop anywhere on a plateau. The tabu
phase walks on from the optimum by the best move that undoes nothing recent, and restarts shake the best DAG found.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from engine.counting.walk_state import ADD, REMOVE
from engine.execution import Progress, part, silent
from engine.scores.local import BoundScore
from engine.search.constraints import Constraints
from engine.search.problem import Problem, Structure, check_whole_numbers
from engine.search.walks import Parents, Walk, walk


@dataclass(frozen=True)
class HillClimbing:
    """Hill climbing with a tabu list and seeded restarts, as a value.

    Parameters
    ----------
    tabu : how many moves in a row may fail to improve on the best DAG, and how many recent arcs may not be touched
    restarts : how many times the best DAG is shaken, and climbed again
    seed : of the shaking

    Raises
    ------
    SettingsError : one of them is not a whole number from 0 up

    Examples
    --------
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 0, 1, 1] * 9], [2, 2], ["a", "b"])
    >>> list(engine.learn(data, search=engine.HillClimbing(tabu=5, restarts=2)).edges)
    [('a', 'b')]
    """

    tabu: int = 10
    restarts: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        check_whole_numbers(self, tabu=0, restarts=0, seed=0)

    def find(self, problem: Problem) -> Structure:
        """The best DAG met.

        Parameters
        ----------
        problem : data, score and knowledge

        Returns
        -------
        `Structure` with a DAG
        """
        return problem.dag(hill_climbing(problem.bound, problem.allowed, problem.progress, **asdict(self)))


def hill_climbing(
    score: BoundScore,
    constraints: Constraints,
    progress: Progress = silent,
    *,
    tabu: int = 10,
    restarts: int = 0,
    seed: int = 0,
    start: Parents | None = None,
) -> Parents:
    """The parents of every variable in the best DAG met.

    Parameters
    ----------
    score : decomposable, with its data
    constraints : what the search may do
    progress : told how far it is
    tabu : how many moves in a row may fail to improve on the best DAG, and how many recent arcs may not be touched
    restarts : how many times the best DAG is shaken by random moves (a quarter of the variables), and climbed again
    seed : of the shaking
    start : a DAG to start from; the required arcs alone where None

    Returns
    -------
    for each variable the ascending positions of its parents
    """
    first = 0.1 / (restarts + 1)  # the gain of every arc; the climbs take longer
    now = walk(score, constraints, start, part(progress, 0.0, first), tabu)
    return climb_and_shake(now, score.n_variables, restarts, seed, part(progress, first, 1.0))


def climb_and_shake(now: Walk, n_variables: int, restarts: int, seed: int, progress: Progress) -> Parents:
    """The best DAG of a climb, and of so many more that each begin with random moves."""
    generator = np.random.default_rng(seed)
    climbs = [climb / (restarts + 1) for climb in range(restarts + 2)]
    best = now.climb(part(progress, *climbs[:2]))
    for climb in range(1, restarts + 1):
        _shake(now, generator, max(3, n_variables // 4))
        result = now.climb(part(progress, climbs[climb], climbs[climb + 1]))
        if result[0] > best[0] + now.tolerance:
            best = result
        else:
            now.restart(best[1])
    return best[1]


def _shake(now: Walk, generator: np.random.Generator, moves: int) -> None:
    """Make random moves, removals and additions alike."""
    for _ in range(moves):
        move = now.draw_move(REMOVE, generator) if generator.random() < 0.5 else None
        if move is None:
            move = now.draw_move(ADD, generator)
        if move is not None:
            now.apply(move)
