"""Hill climbing over DAGs: add, remove or reverse one arc at a time, with a tabu list and seeded restarts.

Under a score-equivalent score many moves gain the same, so a greedy climb can stop anywhere on a plateau. The tabu
phase walks on from the optimum by the best move that undoes nothing recent, and restarts shake the best DAG found.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from engine.errors import SettingsError
from engine.execution import Progress, part, silent
from engine.scores.local import BoundScore
from engine.search.constraints import Constraints
from engine.search.moves import ADD, REMOVE, REVERSE, DeltaTable, Move
from engine.search.problem import Problem, Structure

Parents = tuple[tuple[int, ...], ...]


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
        for name, value in (("tabu", self.tabu), ("restarts", self.restarts), ("seed", self.seed)):
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise SettingsError(f"{name} is {value!r}; it must be a whole number from 0 up.", setting=name)

    def find(self, problem: Problem) -> Structure:
        """The best DAG met.

        Parameters
        ----------
        problem : data, score and knowledge

        Returns
        -------
        `Structure` with a DAG
        """
        return problem.dag(
            hill_climbing(
                problem.bound,
                problem.allowed,
                problem.progress,
                tabu=self.tabu,
                restarts=self.restarts,
                seed=self.seed,
            )
        )


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
    generator = np.random.default_rng(seed)
    table = DeltaTable(score, constraints, start, part(progress, 0.0, 0.5))
    climbs = [0.5 + 0.5 * climb / (restarts + 1) for climb in range(restarts + 2)]
    best = _climb(table, tabu, part(progress, *climbs[:2]))
    for climb in range(1, restarts + 1):
        _shake(table, generator, max(3, score.n_variables // 4))
        found = _climb(table, tabu, part(progress, climbs[climb], climbs[climb + 1]))
        if found[0] > best[0] + table.tolerance:
            best = found
        else:
            table = DeltaTable(score, constraints, best[1])
    return best[1]


def _climb(table: DeltaTable, tabu: int, progress: Progress) -> tuple[float, Parents]:
    """Climb, then walk on while the tabu allowance lasts; the best total and DAG met."""
    best = (table.total, table.key())
    recent: deque[tuple[int, int]] = deque(maxlen=tabu)
    idle, steps = 0, 0
    while True:
        gain, move = (-np.inf, None) if idle else _best_move(table, (), best[0])
        if gain <= table.tolerance:  # not on the way to a new record: what was changed lately rests
            gain, move = _best_move(table, recent, best[0])
        if move is None or (gain <= table.tolerance and idle >= tabu):
            return best
        table.apply(move)
        recent.append(move[1:])
        steps += 1
        if table.total > best[0] + table.tolerance:
            best, idle = (table.total, table.key()), 0
        else:
            idle += 1
            if idle > tabu:
                return best
        progress(steps / (steps + table.score.n_variables), f"changing arcs: {steps}")


def _best_move(table: DeltaTable, recent: Iterable[tuple[int, int]], record: float) -> tuple[float, Move | None]:
    """The move that gains most, additions before removals before reversals among equals.

    A recent arc may be touched again only for a new record, so a climb itself is never held back.
    """
    short = record - table.total + table.tolerance
    best: tuple[float, Move | None] = (-np.inf, None)
    for what in (ADD, REMOVE, REVERSE):
        gain, parent, child = table.best(what, recent, short)
        if parent >= 0 and gain > best[0] + table.tolerance:
            best = gain, (what, parent, child)
    return best


def _shake(table: DeltaTable, generator: np.random.Generator, moves: int) -> None:
    for _ in range(moves):
        places = np.argwhere(np.isfinite(table.remove))
        if generator.random() < 0.5 and len(places):
            child, parent = places[generator.integers(len(places))]
            table.apply((REMOVE, int(parent), int(child)))
        else:
            places = np.argwhere(np.isfinite(table.legal))
            if len(places):
                child, parent = places[generator.integers(len(places))]
                table.apply((ADD, int(parent), int(child)))
