"""Differences that go through another variable that differs, and those that cannot be told apart (NUMBERS, Evidence 7,
8).

Structure is weighed on levels, evidence on values, so a parent set that leaves out what moved can be rewarded for it. A
call therefore has to survive every other called variable that goes with it.
"""

from __future__ import annotations

import numpy as np

from engine.execution import one_blas_thread
from engine.lazy import stats
from engine.methods.group_difference.numbers.scales import Scales
from engine.methods.group_difference.rows.groups import Groups
from engine.methods.group_difference.verdicts import EVEN, SURE
from engine.search.orders.parent_sets import ParentSets

ALIKE = 0.95
"""Mean squared canonical correlation above which two variables are nearly copies, of which structure knows nothing."""
LINKED = 0.05
"""Level of the test by which two variables go together inside the groups."""


def single_parents(sets: ParentSets, surprise: np.ndarray) -> np.ndarray:
    """(n, n) P(i differs | j is its only parent), P(i differs | no parents) at j = i; NaN where there is no such
    set."""
    n = sets.n_variables
    result = np.full((n, n), np.nan)
    children, probabilities = sets.children, -np.expm1(-surprise)
    alone = sets.sizes == 0
    result[children[alone], children[alone]] = probabilities[alone]
    one = sets.sizes == 1
    if one.any():
        result[children[one], sets.members[one, 0]] = probabilities[one]
    return result


def linked_pairs(scales: Scales, groups: Groups) -> np.ndarray:
    """(n, n) how much two variables go together inside the groups: the mean squared canonical correlation of their
    scores or indicators; 0 where Pillai's test has p of .05 and more."""
    columns, width = [], []
    second = np.arange(len(scales.rows)) >= groups.first.n_rows
    for i, scale in enumerate(scales.scales):
        levels = int(groups.pooled.arity[i])
        own = (
            scales.scores[i][:, None] if scales.scaled[i] else (scales.codes[i][:, None] == np.arange(1, levels)) * 1.0
        )
        if scale.absent >= 0 and scales.scaled[i]:
            own = np.column_stack([own, scales.codes[i] == scale.absent])
        centred = np.where(second[:, None], own - own[second].mean(axis=0), own - own[~second].mean(axis=0))
        with one_blas_thread():
            left, sizes, _ = np.linalg.svd(centred, full_matrices=False)
        left = left[:, sizes > 1e-9]
        width.append(left.shape[1])
        columns.append(left if left.shape[1] else np.zeros((len(second), 1)))
    whole = np.concatenate(columns, axis=1)
    places = np.concatenate([[0], np.cumsum([column.shape[1] for column in columns])[:-1]])
    squares = np.add.reduceat(np.add.reduceat((whole.T @ whole) ** 2, places, axis=0), places, axis=1)
    freedom = np.outer(width, width)
    seen = (stats.chi2.sf(squares * len(second), np.maximum(freedom, 1)) < LINKED) & (freedom > 0)
    return np.where(seen, squares / np.maximum(np.minimum.outer(width, width), 1), 0.0)


def explained(
    sets: ParentSets,
    surprise: np.ndarray,
    probabilities: np.ndarray,
    differing: tuple[tuple[int, ...], ...],
    linked: np.ndarray,
) -> np.ndarray:
    """(n, n) the least P(i differs) with j among its parents: j alone, or with those it has where it differs.

    NaN where it is not asked: of pairs of which one cannot be meant, or that have no link inside the groups.
    """
    single, n = single_parents(sets, surprise), sets.n_variables
    result = np.full((n, n), np.nan)
    called = probabilities >= EVEN
    asked_of = called | ((linked > ALIKE) & called).any(axis=1)  # of near copies one may not be called by itself
    some = np.flatnonzero(asked_of)
    for i in some.tolist():
        known = {sets.parents(k): k for k in range(*sets.of(i).indices(len(sets.sizes)))}
        for j in some.tolist():
            if i == j or not linked[i, j] or not ((called[i] and called[j]) or linked[i, j] > ALIKE):
                continue
            more = known.get(tuple(sorted({*differing[i], j})))
            asked = [single[i, j], np.nan if more is None else -np.expm1(-surprise[more])]
            result[i, j] = np.nan if np.isnan(asked).all() else np.nanmin(asked)
    return result


def going_together(single: np.ndarray, probabilities: np.ndarray, scaled: np.ndarray) -> tuple[tuple[int, int], ...]:
    """Pairs of numbers or ordered variables of which only how they go together differs: each given the other, none
    alone."""
    alone, n = np.diag(single), len(single)
    return tuple(
        (i, j)
        for i in range(n)
        for j in range(i + 1, n)
        if scaled[i]
        and scaled[j]
        and min(single[i, j], single[j, i]) >= SURE
        and max(alone[i], alone[j]) < EVEN
        and probabilities[i] + probabilities[j] >= EVEN
    )
