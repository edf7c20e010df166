"""The rows of the groups that are compared, and one signed number a pair of variables with what each row adds to it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations, product

import numpy as np

from engine.counting.backend import kernels
from engine.data.dataset import Dataset
from engine.data.preparing.variables import Numbers
from engine.execution import ranges, share, threads
from engine.models.latent_normal import read_levels
from engine.resampling import number_units

LEAST_VARIANCE = 1e-8


@dataclass(frozen=True, eq=False)
class GroupRows:
    """The rows of one group, ordered so that neither the order of rows nor that of columns changes a draw.

    Attributes
    ----------
    codes : (p, n) unsigned codes of the variables, which are in the order of their names; where gaps are left open
        signed ones, `UNKNOWN` for a missing answer
    levels : (p,) how many each can have
    unit : (n,) which unit a row is of, numbered over all groups: itself, or its subject
    units : (u,) the numbers of the units that have rows here
    numbers : place of a variable that is a number -> (n,) its values, NaN where there is none
    """

    codes: np.ndarray
    levels: np.ndarray
    unit: np.ndarray
    units: np.ndarray
    numbers: Mapping[int, np.ndarray] = field(default_factory=dict)

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.codes.shape[1])

    def by_unit(self, influence: np.ndarray) -> np.ndarray:
        """(q, n) influences of rows, added up to (q, u) of units."""
        place = np.searchsorted(self.units, self.unit)
        order = np.argsort(place, kind="stable")
        starts = np.concatenate([[0], np.flatnonzero(np.diff(place[order])) + 1])
        return np.asarray(np.add.reduceat(influence[:, order], starts, axis=1))


@dataclass(frozen=True, eq=False)
class Estimates:
    """The numbers of one group.

    Attributes
    ----------
    value : (q,) the estimates
    influence : (q, u) what each unit adds, times units / (units - used) in squares: a draw of the error is its product
        with u standard normals
    units : (u,) the units, numbered over all groups
    freedom : units that are left once the estimates have used theirs
    """

    value: np.ndarray
    influence: np.ndarray
    units: np.ndarray
    freedom: int

    @classmethod
    def of(cls, value: np.ndarray, influence: np.ndarray, rows: GroupRows, used: int) -> Estimates:
        """From the influences of units."""
        units = len(rows.units)
        freedom = max(units - used, 1)
        return cls(value, influence * np.sqrt(units / freedom), rows.units, freedom)

    def joined(self, other: Estimates) -> Estimates:
        """With further estimates of the same units."""
        value = np.concatenate([self.value, other.value])
        return replace(self, value=value, influence=np.concatenate([self.influence, other.influence]))

    @property
    def variance(self) -> np.ndarray:
        """(q,) of the estimates."""
        return np.asarray(np.maximum(np.einsum("qu,qu->q", self.influence, self.influence), LEAST_VARIANCE))


def group_rows(
    parts: Sequence[Dataset],
    names: Sequence[str],
    *,
    open_gaps: bool = False,
    numbers: Mapping[str, np.ndarray] | None = None,
) -> list[GroupRows]:
    """The rows of every group over the same variables; the level that means missing is one, or is left open."""
    values = {place: numbers[name] for place, name in enumerate(names) if name in numbers} if numbers else {}
    whole = pooled(parts)
    label = np.repeat(np.arange(len(parts)), [part.n_rows for part in parts])
    if open_gaps:
        read = [read_levels(whole, name) for name in names]
        codes = np.array([own for own, _ in read], dtype=np.int64).reshape(len(names), len(label))
        levels = np.array([size for _, size in read], dtype=np.int64)
    else:
        codes = np.concatenate([part.codes_of([part.index(name) for name in names]) for part in parts], axis=1)
        levels = np.array([len(whole.levels[name]) for name in names], dtype=np.int64)
    order = np.lexsort([*values.values(), *codes[::-1], label]) if len(names) else np.argsort(label, kind="stable")
    clusters = whole.clusters
    unit = np.arange(len(label))
    if clusters is not None:
        unit = number_units(clusters[order], np.vstack([label, codes])[:, order])
    result = []
    for group in range(len(parts)):
        rows = np.flatnonzero(label[order] == group)
        own = unit[rows]
        known = {place: column[order[rows]] for place, column in values.items()}
        result.append(GroupRows(np.ascontiguousarray(codes[:, order[rows]]), levels, own, np.unique(own), known))
    return result


def pooled(parts: Sequence[Dataset]) -> Dataset:
    """All rows of the groups as one data set, group by group."""
    names = [name for name in parts[0].names if all(name in part for part in parts)]
    parts = [part.select(names) for part in parts]
    first = parts[0]
    steps = first.steps
    if steps is not None and all(part.steps is not None for part in parts):
        own = [part.steps for part in parts if part.steps is not None]
        places = ("subject", "owner", "step")
        subject, owner, step = (np.concatenate([getattr(item, place) for item in own]) for place in places)
        steps = replace(steps, subject=subject, owner=owner, step=step)
    numbers = {
        name: _joined([part.numbers[name] for part in parts])
        for name in first.numbers
        if all(name in part.numbers for part in parts)
    }
    codes = np.concatenate([part.codes for part in parts], axis=1)
    origin = np.concatenate([part.origin for part in parts])
    return first.with_codes(codes, origin=origin, numbers=numbers, steps=steps)


def _joined(parts: Sequence[Numbers]) -> Numbers:
    first = parts[0]
    if all(part.values is first.values or np.array_equal(part.values, first.values, equal_nan=True) for part in parts):
        return Numbers(first.values, np.concatenate([part_value.places for part_value in parts]))
    column = np.concatenate([numbers.column for numbers in parts])
    known = np.unique(column[~np.isnan(column)])
    positions = np.where(np.isnan(column), len(known), np.searchsorted(known, column))
    return Numbers(np.append(known, np.nan), positions.astype(np.uint32))


# -- odds ratios, over the contexts that separate the two variables ---------------------------------------------------

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


def odds_ratios_of(levels: Sequence[int], ordered: Sequence[bool], numbers: Collection[int] = ()) -> OddsRatios:
    """The odds ratios of all pairs of variables but those with a number."""
    pairs = [pair for pair in combinations(range(len(levels)), 2) if not numbers or not {*pair} & {*numbers}]
    sides = level_sides(levels, ordered)
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


def level_sides(levels: Sequence[int], ordered: Sequence[bool]) -> list[list[tuple[int, int]]]:
    """The contrasts of each variable: all levels in their order, every two, or each against the rest."""
    plain = [size == 2 or way for size, way in zip(levels, ordered, strict=True)]
    many = [1 if plain[i] else size * (size - 1) // 2 for i, size in enumerate(levels)]
    rest = sum(a * b for a, b in combinations(many, 2)) > MOST_NUMBERS
    return [_sides(size, entry, rest) for size, entry in zip(levels, plain, strict=True)]


def _sides(levels: int, plain: bool, rest: bool) -> list[tuple[int, int]]:
    """The contrasts of one variable: all levels in their order, or some against others."""
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
    asked = odds_ratios.of_pair, odds_ratios.steps, odds_ratios.sizes
    compute = partial(kernels().odds_ratios, rows.codes, rows.levels, odds_ratios.pairs, flat, starts, *asked)
    pieces = ranges(numbers, _PIECES * threads()) if n * numbers > 20_000 else ranges(numbers, 1)
    share(lambda piece: compute(*piece, value, influence), pieces)
    return Estimates.of(value, rows.by_unit(influence), rows, USED)


def step_sizes(rows: Sequence[GroupRows], odds_ratios: OddsRatios) -> np.ndarray:
    """(q,) how large a log odds ratio a step is beside one of two halves that says as much: 1 / (4 sd of both steps).

    A link of ratings of seven steps has a log odds ratio a step of a tenth where its halves have one of 1.
    """
    codes = np.concatenate([group.codes for group in rows], axis=1)
    spread = np.maximum(codes.std(axis=1), 0.5)
    u, v = odds_ratios.pairs[odds_ratios.of_pair].T
    of_steps = [np.where(odds_ratios.levels[:, end, 0] < 0, spread[x], 0.5) for end, x in enumerate((u, v))]
    return np.asarray(1 / (4 * of_steps[0] * of_steps[1]))


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
