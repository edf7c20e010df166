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


def clique_marginals(
    factors: Sequence[Factor], arity: np.ndarray, most_cells: int = MOST_CELLS
) -> tuple[float, dict[int, np.ndarray]] | None:
    """Multiply all factors; log of the total, and for each variable its shares, from one pass along a tree of cliques.

    A variable's clique is itself and its partners when it is summed out, the one with the fewest first; the table that
    is left goes to the clique of the partner summed out next. Marginals come back the other way. None where the
    cliques' tables would have more cells than allowed; the product is not zero everywhere (`ValueError` else).
    """
    mentioned = sorted({x for scope, _ in factors for x in scope})
    cliques = _elimination_cliques([scope for scope, _ in factors], mentioned)
    if sum(math.prod(int(arity[x]) for x in (v, *partners)) for v, partners in cliques) > most_cells:
        return None
    log_total = sum(math.log(table) for scope, table in factors if not scope)
    rank = {variable: place for place, (variable, _) in enumerate(cliques)}
    inbox: list[list[Factor]] = [[] for _ in cliques]
    for scope, table in factors:
        if scope:
            inbox[min(rank[x] for x in scope)].append((scope, table))
    tables, messages = [], []
    for place, (variable, partners) in enumerate(cliques):
        tables.append(_product(inbox[place], (variable, *partners)))
        message = tables[-1].sum(axis=0)
        largest = float(message.max())
        log_total += math.log(largest)
        messages.append(message / largest)
        if partners:
            inbox[min(rank[x] for x in partners)].append((partners, messages[-1]))
    marginals = {}
    for place in reversed(range(len(cliques))):
        variable, partners = cliques[place]
        if partners:
            above = min(rank[x] for x in partners)
            wanted = _product([((cliques[above][0], *cliques[above][1]), tables[above])], partners)
            message = messages[place]
            ratio = np.divide(wanted, message, out=np.zeros_like(message), where=message > 0)
            tables[place] = tables[place] * ratio
        tables[place] = tables[place] / tables[place].sum()
        marginals[variable] = tables[place].sum(axis=tuple(range(1, tables[place].ndim)))
    return log_total, marginals


def _elimination_cliques(
    scopes: Sequence[tuple[int, ...]], variables: Sequence[int]
) -> list[tuple[int, tuple[int, ...]]]:
    """(variable, the partners it has when it is summed out), the one with the fewest partners first."""
    partners: dict[int, set[int]] = {x: set() for x in variables}
    for scope in scopes:
        for x in scope:
            partners[x] |= set(scope) - {x}
    result = []
    while partners:
        x = min(partners, key=lambda v: (len(partners[v]), v))
        near = partners.pop(x)
        for y in near:
            partners[y] = (partners[y] | near) - {x, y}
        result.append((x, tuple(sorted(near))))
    return result


def _product(factors: Sequence[Factor], keep: tuple[int, ...]) -> np.ndarray:
    """The product of some factors with only the variables `keep` left; the others are summed out."""
    if not factors:
        return np.ones(())
    letters = {x: i for i, x in enumerate(sorted({y for scope, _ in factors for y in scope}))}
    operands: list[Any] = []
    for scope, table in factors:
        operands += [table, [letters[x] for x in scope]]
    return np.asarray(np.einsum(*operands, [letters[x] for x in keep], optimize="greedy"))
