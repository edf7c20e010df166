"""Variables that others determine by exact values: sums and means of items, recoded ones, cuts and codes of another."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_MOST_LEVELS, _MOST_INDICATORS = 20, 300
"""Levels of a variable that may be an item of a sum, and indicators of all items."""
_MOST_ROWS = 4_000
_ROWS_PER_INDICATOR = 1.5
"""Different rows for each indicator of a sum that is told from one that fits by chance."""
_NEARLY = 1e-7


def numbers_of_levels(levels: Sequence[str]) -> np.ndarray | None:
    """Levels as numbers, None where one is none."""
    try:
        return np.array([float(level) for level in levels])
    except ValueError:
        return None


def undetermined(values: Sequence[np.ndarray], worth: Sequence[np.ndarray | None]) -> list[int]:
    """Positions of the variables that are left once those are set aside which others determine.

    A variable is determined by one of more levels, or by the sum of a part from each of several (its items, weighed or
    turned round as they may be); of two that determine each other the one of fewer levels stays.

    Parameters
    ----------
    values : (n,) codes of each variable, from 0
    worth : the number that each code stands for, None where it stands for none
    """
    rows = _different(values)
    codes = [np.unique(item[rows], return_inverse=True)[1] for item in values]
    levels = np.array([int(item.max(initial=0)) + 1 for item in codes])
    left = list(range(len(codes)))
    for i in sorted(left, key=lambda k: levels[k]):
        others = [j for j in left if j != i and levels[j] >= levels[i] and 3 * levels[j] <= len(rows)]
        if any(_follows(codes[j], codes[i], int(levels[j])) for j in others):
            left.remove(i)
    for i in sorted(left, key=lambda k: -levels[k]):
        items = [j for j in left if j != i and levels[j] <= min(_MOST_LEVELS, levels[i])]
        if len(items) > 1 and _is_sum(codes[i], _numbers(values[i][rows], worth[i]), [codes[j] for j in items]):
            left.remove(i)
    return left


def _different(values: Sequence[np.ndarray]) -> np.ndarray:
    """Places of rows of which no two are equal."""
    key = np.zeros(len(values[0]), np.int64)
    generator = np.random.default_rng(0)
    for item in values:
        key += generator.integers(0, 1 << 62, int(item.max(initial=0)) + 1)[item]
    return np.sort(np.unique(key, return_index=True)[1])[:_MOST_ROWS]


def _follows(fine: np.ndarray, coarse: np.ndarray, levels: int) -> bool:
    """True where every value of the one goes with one value of the other."""
    its = np.full(levels, -1)
    its[fine] = coarse
    return bool((its[fine] == coarse).all())


def _numbers(codes: np.ndarray, worth: np.ndarray | None) -> np.ndarray:
    return codes if worth is None else worth[codes]


def _is_sum(codes: np.ndarray, numbers: np.ndarray, items: Sequence[np.ndarray]) -> bool:
    """True where a variable is exactly the sum of a part from each item, in values that rise evenly or as they are."""
    n = len(codes)
    hot = [np.ones((n, 1))]
    for item in items:
        size = int(item.max(initial=0))
        if sum(part.shape[1] for part in hot) + size > min(_MOST_INDICATORS, n / _ROWS_PER_INDICATOR):
            continue
        hot.append((item[:, None] == np.arange(1, size + 1)).astype(float))
    if len(hot) < 3:
        return False
    basis = np.linalg.qr(np.hstack(hot))[0]
    return any(_in_span(basis, target.astype(float)) for target in (codes, numbers))


def _in_span(basis: np.ndarray, target: np.ndarray) -> bool:
    target = target - target.mean()
    rest = target - basis @ (basis.T @ target)
    return bool(np.abs(rest).max(initial=0) <= _NEARLY * max(float(np.abs(target).max(initial=0)), 1.0))
