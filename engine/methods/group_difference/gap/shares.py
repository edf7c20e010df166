"""A gap of an outcome split over the mechanisms that differ: Shapley values, with exact probabilities.

worth(C) is the outcome's mean with the second group's tables for the variables in C and the first group's for the
others. A variable's share is the mean of worth(C and it) - worth(C) over all orders in which mechanisms can be
exchanged (Shapley 1953), so that shares add up to worth(all) - worth(none). With one parent it is the split of Kitagawa
(1955).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

MOST_EXACT = 6
"""Mechanisms up to which all their sets are looked at; of more, orders are drawn."""
DRAWN = 8
"""Orders drawn where mechanisms are more, each forwards and backwards."""
_MOST_CELLS = 1 << 22
"""Cells of a table that is made on the way; of more, sets of mechanisms are looked at in parts."""


@dataclass(frozen=True, eq=False)
class Mechanism:
    """The tables by which a variable comes about in both groups.

    Attributes
    ----------
    parents : positions of its parents
    tables : (g, levels of each parent ..., levels of it), g = 2 where the groups differ and 1 where they do not; of the
        outcome its mean, without the last axis
    """

    parents: tuple[int, ...]
    tables: np.ndarray

    @property
    def differs(self) -> bool:
        """True where each group has its own table."""
        return len(self.tables) == 2


def ancestors(parents: Mapping[int, tuple[int, ...]], outcome: int) -> list[int]:
    """The variables that lead to the outcome, itself first."""
    found, stack = {outcome: None}, [outcome]
    while stack:
        for parent in parents[stack.pop()]:
            if parent not in found:
                found[parent] = None
                stack.append(parent)
    return list(found)


def split_gap(
    mechanisms: Mapping[int, Mechanism], outcome: int, generator: np.random.Generator
) -> tuple[dict[int, float], float]:
    """The share of each mechanism that differs and leads to the outcome, and the variance that drawn orders leave.

    Parameters
    ----------
    mechanisms : of the outcome and at least all that lead to it
    outcome : its position
    generator : of the orders that are drawn where mechanisms are more than `MOST_EXACT`
    """
    leading = ancestors({v: item.parents for v, item in mechanisms.items()}, outcome)
    differing = sorted(v for v in leading if mechanisms[v].differs)
    k = len(differing)
    if not k:
        return {}, 0.0
    if k <= MOST_EXACT:
        exchanged = (np.arange(1 << k)[:, None] >> np.arange(k)) & 1
        worth = mixed_means(mechanisms, leading, differing, exchanged)
        return dict(zip(differing, (_weights(k) @ worth).tolist(), strict=True)), 0.0
    half = np.array([generator.permutation(k) for _ in range(DRAWN)])
    orders = np.stack([half, half[:, ::-1]], axis=1)  # forwards and backwards: their errors cancel in part
    steps = np.arange(k + 1)[:, None] > np.argsort(orders, axis=2)[:, :, None]  # (DRAWN, 2, k + 1, k)
    worth = mixed_means(mechanisms, leading, differing, steps.reshape(-1, k).astype(np.int64))
    gains = np.diff(worth.reshape(DRAWN, 2, k + 1), axis=2)
    each = np.take_along_axis(gains, np.argsort(orders, axis=2), axis=2).mean(axis=1)
    return dict(zip(differing, each.mean(axis=0).tolist(), strict=True)), float(each.var(axis=0, ddof=1).max() / DRAWN)


@cache
def _weights(k: int) -> np.ndarray:
    """(k, 2^k) what the worth of each set of mechanisms counts in each one's Shapley value."""
    sets = np.arange(1 << k)
    sizes = sum((sets >> i) & 1 for i in range(k))
    inside = np.array([math.factorial(s - 1) * math.factorial(k - s) if s else 0 for s in range(k + 1)])[sizes]
    outside = np.array([math.factorial(s) * math.factorial(k - s - 1) if s < k else 0 for s in range(k + 1)])[sizes]
    member = (sets[None] >> np.arange(k)[:, None]) & 1 == 1
    return np.where(member, inside, -outside) / math.factorial(k)


def mixed_means(
    mechanisms: Mapping[int, Mechanism], leading: Sequence[int], differing: Sequence[int], exchanged: np.ndarray
) -> np.ndarray:
    """(c,) the outcome's mean where some mechanisms are the second group's: variables are summed out, exactly.

    Parameters
    ----------
    mechanisms : by position
    leading : the outcome, then all that lead to it
    differing : the mechanisms that can be exchanged
    exchanged : (c, k) 1 where the second group's table of each of them stands, else 0
    """
    steps, largest = _plan(mechanisms, leading)
    column = {v: place for place, v in enumerate(differing)}
    rows = max(_MOST_CELLS // largest, 1)
    if len(exchanged) > rows:
        parts = [exchanged[i : i + rows] for i in range(0, len(exchanged), rows)]
        return np.concatenate([mixed_means(mechanisms, leading, differing, part) for part in parts])
    label = max(leading) + 1  # of the axis of the sets

    def factor(v: int) -> tuple[np.ndarray, list[int]]:
        """The tables of a variable by set where they differ, and what their axes are."""
        item, own = mechanisms[v], [*mechanisms[v].parents, *(() if v == leading[0] else (v,))]
        return (item.tables[exchanged[:, column[v]]], [label, *own]) if v in column else (item.tables[0], own)

    table, axes = factor(leading[0])
    for v in steps:
        other, own = factor(v)
        kept = [x for x in dict.fromkeys([*axes, *own]) if x != v]
        kept.sort(key=lambda x: x != label)
        table, axes = np.einsum(table, axes, other, own, kept), kept
    return np.broadcast_to(table, len(exchanged)).copy()


def _plan(mechanisms: Mapping[int, Mechanism], leading: Sequence[int]) -> tuple[list[int], int]:
    """In which order variables are summed out, each after all that it leads to, and the cells of the largest table."""
    waiting = dict.fromkeys(leading, 0)
    levels = {}
    for v in leading:
        for place, parent in enumerate(mechanisms[v].parents):
            waiting[parent] += 1
            levels[parent] = mechanisms[v].tables.shape[place + 1]
    there, steps, largest = set(mechanisms[leading[0]].parents), [], 1

    def settle(v: int) -> None:
        for parent in mechanisms[v].parents:
            waiting[parent] -= 1

    def cells(v: int) -> int:
        return math.prod(levels[x] for x in (there | set(mechanisms[v].parents)))

    settle(leading[0])
    while there:
        v = min((x for x in there if not waiting[x]), key=lambda x: (cells(x) // levels[x], x))
        largest = max(largest, cells(v))
        there = (there | set(mechanisms[v].parents)) - {v}
        settle(v)
        steps.append(v)
    return steps, largest
