"""Products of tables with variables summed out, one variable at a time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

MOST_CELLS = 1 << 22
"""A table larger than this is not built."""

Factor = tuple[tuple[int, ...], np.ndarray]
"""The variables of a table, one axis each, and the table."""


def sum_out(factors: Sequence[Factor], arity: np.ndarray, keep: Sequence[int] = ()) -> tuple[float, np.ndarray] | None:
    """Multiply all factors and sum out every variable but those to keep, the one with the fewest partners first.

    The factors are not negative and their product is not zero everywhere (`ValueError` else).
    """
    log_total, left = 0.0, []
    for scope, table in factors:
        if scope:
            left.append((scope, table))
        else:
            log_total += math.log(table)
    mentioned = {x for scope, _ in left for x in scope}
    left += [((x,), np.ones(int(arity[x]))) for x in keep if x not in mentioned]
    waiting = mentioned - set(keep)
    while waiting:
        partners = {x: {y for scope, _ in left if x in scope for y in scope} for x in waiting}
        x = min(waiting, key=lambda v: (len(partners[v]), v))
        if np.prod(arity[list(partners[x])], dtype=float) > MOST_CELLS:
            return None
        touching = [factor for factor in left if x in factor[0]]
        left = [factor for factor in left if x not in factor[0]]
        scope = tuple(sorted(partners[x] - {x}))
        table = _product(touching, scope)
        largest = float(table.max())
        log_total += math.log(largest)
        left.append((scope, table / largest))
        waiting.discard(x)
    if np.prod(arity[list(keep)], dtype=float) > MOST_CELLS:
        return None
    last = _product(left, tuple(keep))
    total = float(last.sum())
    return log_total + math.log(total), np.asarray(last / total)


def _product(factors: Sequence[Factor], keep: tuple[int, ...]) -> np.ndarray:
    """The product of some factors with only the variables `keep` left; the others are summed out."""
    if not factors:
        return np.ones(())
    letters = {x: i for i, x in enumerate(sorted({y for scope, _ in factors for y in scope}))}
    operands: list[Any] = []
    for scope, table in factors:
        operands += [table, [letters[x] for x in scope]]
    return np.asarray(np.einsum(*operands, [letters[x] for x in keep], optimize="greedy"))
