"""The rounds of the program that Luo, Moffa & Kuipers (2021) published: its E step and its regressions.

A round draws latent values afresh: every row begins at independent draws within its box, which Gibbs sampling moves in
the coordinates that the Cholesky factor of the present correlations whitens; 10 sweeps are left out, then every second
one is kept, five in all. After the search each variable is regressed on the subset of its parents with the least
N K ln(RSS) + lambda ln(N K) |subset|, N K being the number of kept draws; from ten parents on the subsets are those of
backward elimination.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from engine.graphs.dag import Parents
from engine.models.latent_normal import Boxes, as_correlation, draw_between

DRAWS, LEFT_OUT, EVERY = 5, 10, 2
REFINEMENTS, LEAST_CHANGE = 5, 0.01
"""E steps before the first search, and the sum of squared changes below which they end."""
ROUNDS, FEWER_ROUNDS, MANY_VARIABLES = 10, 5, 30
"""Rounds at most; fewer from so many variables on, and where the penalty is at most 1."""
MANY_PARENTS = 10
_NEGLIGIBLE = 1e-12


def most_rounds(variables: int, penalty: float) -> int:
    """Rounds that the program runs at most."""
    return FEWER_ROUNDS if penalty <= 1 or variables >= MANY_VARIABLES else ROUNDS


def draw_afresh(boxes: Boxes, under: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """(p, rows * `DRAWS`) latent values of every row within its box, normal with the correlations `under`."""
    low, high = boxes.bounds()
    root = np.linalg.cholesky(under)
    values = draw_between(low, high, generator)
    white = np.linalg.solve(root, values)
    kept = []
    for sweep in range(LEFT_OUT + EVERY * DRAWS):
        for j in range(len(root)):
            touched = j + np.flatnonzero(np.abs(root[j:, j]) > _NEGLIGIBLE)
            slopes = root[touched, j][:, None]
            ends = white[j] + (np.stack([low[touched], high[touched]]) - values[touched]) / slopes
            below, above = ends.min(axis=0).max(axis=0), ends.max(axis=0).min(axis=0)
            new = draw_between(below, np.maximum(above, below), generator)
            values[touched] += slopes * (new - white[j])
            white[j] = new
        if sweep >= LEFT_OUT and (sweep - LEFT_OUT) % EVERY == EVERY - 1:
            kept.append(values.copy())
    return np.concatenate(kept, axis=1)


def fit_best_subsets(draws: np.ndarray, parents: Parents, penalty: float) -> np.ndarray:
    """(p, p) correlations that regressions along a network imply, each on the best subset of its parents.

    Parameters
    ----------
    draws : (p, draws) latent values, regressed without an intercept
    parents : positions, for every variable
    penalty : lambda, the weight of ln(draws) for each parent
    """
    p, many = draws.shape
    moments = draws @ draws.T / many
    weights, residual = np.zeros((p, p)), np.diag(moments).copy()
    for child, family in enumerate(parents):
        best = math.inf
        for subset in _subsets(moments, child, family):
            slopes, rest = _regress(moments, child, subset)
            criterion = many * math.log(rest) + penalty * math.log(many) * len(subset)
            if criterion < best:
                best, weights[child], residual[child] = criterion, 0.0, rest
                weights[child, list(subset)] = slopes
    spread = np.linalg.inv(np.eye(p) - weights)
    return as_correlation(spread @ np.diag(residual) @ spread.T)


def _subsets(moments: np.ndarray, child: int, family: Sequence[int]) -> Iterator[Sequence[int]]:
    """Parents that are tried together; none at all only where there is one, as in the program."""
    if len(family) == 1:
        yield ()
    if len(family) < MANY_PARENTS:
        for size in range(1, len(family) + 1):
            yield from combinations(family, size)
        return
    left = tuple(family)
    while left:
        yield left
        smaller = [tuple(x for x in left if x != parent) for parent in left]
        left = min(smaller, key=lambda subset: _regress(moments, child, subset)[1])


def _regress(moments: np.ndarray, child: int, subset: Sequence[int]) -> tuple[np.ndarray, float]:
    """Slopes, and the mean square of what is left."""
    chosen = list(subset)
    slopes = np.linalg.solve(moments[np.ix_(chosen, chosen)], moments[chosen, child])
    return slopes, float(moments[child, child] - slopes @ moments[chosen, child])
