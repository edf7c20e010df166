"""Common log odds ratios of every pair of variables, over the contexts that separate the two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations, product

import numpy as np

from engine.comparison.estimates import Estimates, GroupRows
from engine.counting import kernels
from engine.execution import ranges, share, threads

MOST_NUMBERS = 10_000
"""Odds ratios of pairs of levels, beyond which each level is set against the rest."""
USED = 1
UNKNOWN = 100.0
"""Variance of a log odds ratio of which the rows say nothing."""
_PIECES = 8


@dataclass(frozen=True, eq=False)
class OddsRatios:
    """Which odds ratios are asked of every pair: one of ordered levels, of nominal ones one for all pairs of levels.

    Attributes
    ----------
    pairs : (m, 2) variables
    of_pair : (q,) the pair that each odds ratio is of, in rising order
    steps : (q, 2, most levels) level -> step of the scale, -1 where its rows are left out
    sizes : (q, 2) how many steps there are
    levels : (q, 2, 2) the levels that are set against each other on either side: (-1, -1) all in their order, (a, -1)
        a against the rest
    """

    pairs: np.ndarray
    of_pair: np.ndarray
    steps: np.ndarray
    sizes: np.ndarray
    levels: np.ndarray


def odds_ratios_of(levels: Sequence[int], ordered: Sequence[bool]) -> OddsRatios:
    """The odds ratios of all pairs of variables."""
    plain = [size == 2 or way for size, way in zip(levels, ordered, strict=True)]
    pairs = list(combinations(range(len(levels)), 2))
    many = [1 if plain[i] else size * (size - 1) // 2 for i, size in enumerate(levels)]
    rest = sum(many[a] * many[b] for a, b in pairs) > MOST_NUMBERS
    sides = [_sides(size, entry, rest) for size, entry in zip(levels, plain, strict=True)]
    rows = [(place, u, v) for place, (a, b) in enumerate(pairs) for u, v in product(sides[a], sides[b])]
    most = max(levels, default=1)
    steps = np.full((len(rows), 2, most), -1, dtype=np.int64)
    sizes = np.empty((len(rows), 2), dtype=np.int64)
    against = np.empty((len(rows), 2, 2), dtype=np.int64)
    for row, (place, *both) in enumerate(rows):
        for side, (item, variable) in enumerate(zip(both, pairs[place], strict=True)):
            own = _steps(item, levels[variable])
            steps[row, side, : len(own)] = own
            sizes[row, side] = max(own) + 1
            against[row, side] = item
    of_pair = np.array([place for place, *_ in rows], dtype=np.int64)
    return OddsRatios(np.array(pairs, dtype=np.int64).reshape(-1, 2), of_pair, steps, sizes, against)


def _sides(levels: int, plain: bool, rest: bool) -> list[tuple[int, int]]:
    """What is asked of one variable: all levels in their order, or some against others."""
    if plain:
        return [(-1, -1)]
    return [(level, -1) for level in range(levels)] if rest else list(combinations(range(levels), 2))


def _steps(side: tuple[int, int], levels: int) -> list[int]:
    """Level -> step. The level that is named first is the higher step where it stands against the rest."""
    low, high = side
    if low < 0:
        return list(range(levels))
    if high < 0:
        return [int(level == low) for level in range(levels)]
    return [0 if level == low else 1 if level == high else -1 for level in range(levels)]


def estimate_odds_ratios(rows: GroupRows, odds_ratios: OddsRatios, given: np.ndarray) -> Estimates:
    """The common log odds ratios of one group."""
    numbers, n = len(odds_ratios.of_pair), rows.n_rows
    variables = [np.flatnonzero(row) for row in given]
    starts = np.concatenate([[0], np.cumsum([len(variable) for variable in variables])]).astype(np.int64)
    flat = np.concatenate([*variables, []]).astype(np.int64)
    value, influence = np.empty(numbers), np.empty((numbers, n))
    compute = partial(
        kernels().odds_ratios,
        rows.codes,
        rows.levels,
        odds_ratios.pairs,
        flat,
        starts,
        odds_ratios.of_pair,
        odds_ratios.steps,
        odds_ratios.sizes,
    )
    pieces = ranges(numbers, _PIECES * threads()) if n * numbers > 20_000 else ranges(numbers, 1)
    share(lambda piece: compute(*piece, value, influence), pieces)
    return Estimates.of(value, rows.by_unit(influence), rows, USED)


def empty_cells(rows: Sequence[GroupRows], odds_ratios: OddsRatios) -> np.ndarray:
    """(q, groups) whether a group's table of two by two steps lacks a cell that another group's lacks as well.

    The rows that are spread over a table beforehand are the same in a large and in a small group, so the odds ratio of
    an empty cell grows with the rows: equal links without exceptions would differ by that alone.
    """
    lacking = np.zeros((len(odds_ratios.of_pair), len(rows)), dtype=bool)
    for place, (u, v) in enumerate(odds_ratios.pairs):
        levels = rows[0].levels[u], rows[0].levels[v]
        tables = [
            np.bincount(row.codes[u].astype(np.int64) * levels[1] + row.codes[v], minlength=levels[0] * levels[1])
            for row in rows
        ]
        for q in range(*np.searchsorted(odds_ratios.of_pair, [place, place + 1])):
            if tuple(odds_ratios.sizes[q]) != (2, 2):
                continue
            first, second = odds_ratios.steps[q, 0, : levels[0]], odds_ratios.steps[q, 1, : levels[1]]
            cell = np.where((first[:, None] < 0) | (second < 0), 4, 2 * first[:, None] + second).ravel()
            empty = np.array([np.bincount(cell, table, minlength=5)[:4] == 0 for table in tables])
            lacking[q] = (empty & (empty.sum(axis=0) > 1)).any(axis=1)
    return lacking


def widened(groups: Sequence[Estimates], lacking: np.ndarray) -> list[Estimates]:
    """The estimates, those of cells that several groups lack with a variance of which nothing can be said."""
    result = []
    for group, group_value in enumerate(groups):
        factor = np.where(lacking[:, group], np.sqrt(UNKNOWN / group_value.variance), 1.0)
        result.append(replace(group_value, influence=group_value.influence * np.maximum(factor, 1.0)[:, None]))
    return result
