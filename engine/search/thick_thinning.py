"""Greedy thick thinning: add the best arc until none gains, then remove the best arc until none gains.

Heckerman 1999; the search of Sverchkov & Cooper 2015, section 2.2.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.counting.walk_state import GROW, SHRINK
from engine.execution import Progress, part, silent
from engine.scores.local import BoundScore
from engine.search.constraints import Constraints
from engine.search.problem import Problem, Structure
from engine.search.walks import Parents, Walk, walk


@dataclass(frozen=True)
class ThickThinning:
    """Greedy thick thinning, as a value: add the best arc until none gains, then remove until none gains.

    Examples
    --------
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 0, 1, 1] * 9], [2, 2], ["a", "b"])
    >>> list(engine.learn(data, search=engine.ThickThinning()).edges)
    [('a', 'b')]
    """

    def find(self, problem: Problem) -> Structure:
        """The DAG that no removal of one arc improves, and no addition improved before the first removal.

        Parameters
        ----------
        problem : data, score and knowledge

        Returns
        -------
        `Structure` with a DAG
        """
        return problem.dag(thick_thinning(problem.bound, problem.allowed, problem.progress))


def thick_thinning(score: BoundScore, constraints: Constraints, progress: Progress = silent) -> Parents:
    """The parents of every variable, by position; ties go to the lowest parent, then child."""
    # where rows are few K2 goes on taking parents for long: rather too much time left is told than too little
    return grow_and_shrink(walk(score, constraints, progress=part(progress, 0.0, 0.25)), part(progress, 0.25, 1.0))


def grow_and_shrink(now: Walk, progress: Progress) -> Parents:
    """The DAG where no removal gains, after one where no addition gained."""
    now.run(GROW, part(progress, 0.0, 0.93))
    now.run(SHRINK, part(progress, 0.93, 1.0))
    return now.key()
