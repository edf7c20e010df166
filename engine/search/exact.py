"""The best DAG there is, by dynamic programming over sets of variables (Silander & Myllymaki 2006).

best[c][S] is the best score of child c with parents inside S; total[S] the best DAG over S, whose sink c gives
total[S] = max_c total[S - c] + best[c][S - c]. Sets are bit masks; memory is 16 p 2^p bytes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.errors import SettingsError
from engine.execution import Progress, part, silent
from engine.scores.local import GAIN, BoundScore
from engine.search.constraints import Constraints
from engine.search.problem import Problem, Structure

MOST_VARIABLES = 20


@dataclass(frozen=True)
class Exact:
    """The best DAG there is, for up to 20 variables, as a value (Silander & Myllymaki 2006).

    Examples
    --------
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 0, 1, 1] * 9], [2, 2], ["a", "b"])
    >>> list(engine.learn(data, search=engine.Exact()).edges)
    [('b', 'a')]
    """

    def find(self, problem: Problem) -> Structure:
        """The DAG with the highest score.

        Parameters
        ----------
        problem : data, score and knowledge

        Returns
        -------
        `Structure` with a DAG

        Raises
        ------
        SettingsError : more than 20 variables
        """
        return problem.dag(exact(problem.bound, problem.allowed, problem.progress))


def exact(score: BoundScore, constraints: Constraints, progress: Progress = silent) -> tuple[tuple[int, ...], ...]:
    """The parents of every variable in a best DAG; among equals the lowest sink, then the lowest set."""
    p = score.n_variables
    if p > MOST_VARIABLES:
        raise SettingsError(
            f"The exact search handles up to {MOST_VARIABLES} variables and this table has {p}. "
            "Choose fewer variables, or search by thick thinning or hill climbing."
        )
    local = np.full((p, 1 << p), -np.inf)
    for child in range(p):
        words = f"scoring parent sets: variable {child + 1} of {p}"
        share = part(progress, 0.9 * child / p, 0.9 * (child + 1) / p)
        _score_families(score, constraints, child, local[child], share, words)
    best = local.copy()
    for row in best:
        for bit in range(p):  # what S may use, S with one more may use too
            halves = row.reshape(-1, 2, 1 << bit)
            np.maximum(halves[:, 0], halves[:, 1], out=halves[:, 1])
    progress(0.95, "joining the best parent sets")
    total = _totals(best, p)
    return _trace(local, best, total, p)


def _score_families(
    score: BoundScore, constraints: Constraints, child: int, out: np.ndarray, progress: Progress, words: str
) -> None:
    """Fill in the local scores of all parent sets that the constraints let this child have."""
    allowed = [x for x in range(score.n_variables) if constraints.allowed[child, x]]
    required = set(constraints.required[child])
    if not required:
        out[0] = score.local(child, ())
    level: list[tuple[int, ...]] = [()]
    for size in range(1, min(constraints.max_parents, len(allowed)) + 1):
        following = []
        for number, group in enumerate(level):
            later = [x for x in allowed if not group or x > group[-1]]
            if not later:
                continue
            progress((size - 1 + number / len(level)) / len(allowed), words)
            among = np.zeros(score.n_variables, dtype=bool)
            among[later] = True
            scores = score.additions(child, group, among)
            for x in later:
                larger = (*group, x)
                following.append(larger)
                if size >= len(required) and required.issubset(larger):
                    out[sum(1 << y for y in larger)] = scores[x]
        level = following


def _totals(best: np.ndarray, p: int) -> np.ndarray:
    """total[S] for every S, by growing size, so that all smaller sets are ready."""
    sets = np.arange(1 << p)
    sizes = np.bitwise_count(sets)
    total = np.full(1 << p, -np.inf)
    total[0] = 0.0
    for size in range(1, p + 1):
        layer = sets[sizes == size]
        for sink in range(p):
            having = layer[(layer >> sink) & 1 == 1]
            rest = having ^ (1 << sink)
            total[having] = np.maximum(total[having], total[rest] + best[sink][rest])
    return total


def _trace(local: np.ndarray, best: np.ndarray, total: np.ndarray, p: int) -> tuple[tuple[int, ...], ...]:
    """Take sinks off the full set, each with its best parents among the rest."""
    tolerance = GAIN * max(1.0, abs(float(total[-1])))
    parents: list[tuple[int, ...]] = [()] * p
    remaining = (1 << p) - 1
    while remaining:
        for sink in range(p):
            rest = remaining ^ (1 << sink)
            if remaining >> sink & 1 and total[rest] + best[sink][rest] >= total[remaining] - tolerance:
                break
        sets = np.arange(rest + 1)
        inside = sets[(sets & ~rest) == 0]
        chosen = inside[np.argmax(local[sink][inside] >= best[sink][rest] - tolerance)]
        parents[sink] = tuple(x for x in range(p) if chosen >> x & 1)
        remaining = rest
    return tuple(parents)
