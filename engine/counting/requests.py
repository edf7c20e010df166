"""Counts of all rows: which way each is taken, and what its tables look like.

Whether a table is whole or has observed cells only depends on how many rows there are in all, never on where they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.counting import blocks
from engine.counting.blocks import Candidates, Family, cell_codes
from engine.data.dataset import Dataset
from engine.data.store import Cells, code_type

MOST_PLANE_CELLS = 64
"""Configurations times child levels up to which bit planes are the fastest way."""

_FEW, _MOST_FOR_FEW = 4, 256
"""So few candidates do not repay the codes of all rows that a histogram begins with, up to so many cells."""

_MOST_SPARSE_TABLE = 1 << 16
"""A histogram up to this many cells is never worth avoiding, however few the rows."""

_MOST_NUMBERED = (1 << 31) - 1
"""Cells that codes of 32 bits can number, with a bit to spare for kernels that compare them with a sign."""

WORD = 0.3
"""Nanoseconds that the AND of two words, counted, takes about."""
_ROW = 50.0
"""Nanoseconds that 64 rows take about in a histogram."""
_SORTED = 2_000.0
"""Nanoseconds that 64 rows take about to be sorted among others."""


@dataclass(frozen=True, eq=False)
class Additions:
    """Counts of the families `parents + (x,)` of one child for many candidates x.

    `tables[m]` holds candidate `candidates[m]` as a flat (q, r, s) array in its first q * r * s entries: q runs over
    parent configurations (all, or only those that occur), r over the child's levels and s over the candidate's.
    """

    candidates: np.ndarray
    tables: np.ndarray
    configurations: int


class Request(NamedTuple):
    """Counts that are asked for: of a family, and of it with each of (m,) candidates as one parent more."""

    child: int
    parents: tuple[int, ...]
    candidates: np.ndarray


def many_addition_counts(data: Dataset, requests: Sequence[Request]) -> list[Additions | None]:
    """`addition_counts` of many families, together: one pass over rows that are far away.

    Where parent configurations outnumber the rows there is one pass more, which finds those that occur.

    Parameters
    ----------
    data : the rows
    requests : what is asked

    Returns
    -------
    one answer a request, in their order
    """
    planned, configurations = _planned(data, requests)
    there = [item for item in planned if item is not None]
    work = sum(_work(data, entry) for entry in there)
    counted = iter(data.store.totals(blocks.candidates, there, work) if there else [])
    return [
        None if element is None else Additions(element.candidates, next(counted), q)
        for element, q in zip(planned, configurations, strict=True)
    ]


def _planned(data: Dataset, requests: Sequence[Request]) -> tuple[list[Candidates | None], list[int]]:
    """Plan how each request is counted, None where its tables would be too sparse; and its parent configurations."""
    arity, most = data.arity, _most(data)
    planned: list[Candidates | None] = []
    configurations, late = [], []
    for place, (child, parents, candidates) in enumerate(requests):
        r, widest = int(arity[child]), int(arity[candidates].max(initial=1))
        q = math.prod(int(arity[x]) for x in parents)
        planes = q * r <= (MOST_PLANE_CELLS if len(candidates) > _FEW else _MOST_FOR_FEW)
        fits = planes or q * r * widest <= most
        if not planes and q > data.n_rows:
            late.append(place)
        planned.append(Candidates(child, parents, candidates, q * r * widest, planes) if fits else None)
        configurations.append(q)
    if late:
        result = many_observed_counts(data, [requests[place].parents for place in late])
        for place, (seen, _) in zip(late, result, strict=True):
            child, parents, candidates = requests[place]
            numbers, q = _numbered(seen.T, arity[list(parents)], data.n_rows)
            size = q * int(arity[child]) * int(arity[candidates].max(initial=1))
            keys = blocks.cell_keys(seen.T, arity[list(parents)])
            item = Candidates(child, parents, candidates, size, False, keys, numbers)
            planned[place], configurations[place] = item if size <= most else None, q
    return planned, configurations


def _most(data: Dataset) -> int:
    """Cells up to which a table is counted whole."""
    return min(max(4 * data.n_rows, _MOST_SPARSE_TABLE), _MOST_NUMBERED)


def _work(data: Dataset, entry: Candidates) -> float:
    """About how many nanoseconds 64 rows take."""
    family = math.prod(int(data.arity[x]) for x in (*entry.parents, entry.child))
    if entry.planes:
        return WORD * family * (2 + float((data.arity[entry.candidates] - 1).sum()))
    return _ROW * (len(entry.parents) + 1 + len(entry.candidates)) + (_SORTED if entry.numbers is not None else 0.0)


def addition_counts(data: Dataset, child: int, parents: tuple[int, ...], candidates: np.ndarray) -> Additions | None:
    """Count all single-parent additions in one pass.

    Parameters
    ----------
    data : the rows
    child, parents : positions of a family
    candidates : (m,) positions of the variables that could join the parents

    Returns
    -------
    `Additions`; None when the tables would be too sparse to be stored whole
    """
    return many_addition_counts(data, [Request(child, parents, candidates)])[0]


def sparse_additions(data: Dataset, child: int, parents: Sequence[int], candidates: np.ndarray) -> list[np.ndarray]:
    """Counts of the additions by the configurations that occur, where `addition_counts` has none.

    Parameters
    ----------
    data : the rows
    child, parents : positions of a family
    candidates : (m,) positions of the variables that could join the parents

    Returns
    -------
    per candidate (J, r) counts of the child's levels, configurations of (parents, candidate) in mixed-radix order
    """
    parts = [candidates[i : i + 8] for i in range(0, len(candidates), 8)]  # pieces that threads can share
    items = [Candidates(child, tuple(parents), part, 0, False) for part in parts]
    result = data.store.totals(blocks.cells_of_candidates, items, _SORTED * len(candidates))
    tables = []
    for x, cells in zip(candidates.tolist(), (item for part in result for item in part), strict=True):
        codes = cell_codes(cells.keys, data.arity[[*parents, x, child]])
        tables.append(_by_configuration(codes, cells.counts, int(data.arity[child])))
    return tables


def _by_configuration(codes: np.ndarray, counts: np.ndarray, r: int) -> np.ndarray:
    """(J, r) counts of the last of some variables by those configurations of the others that occur."""
    changes = np.flatnonzero((codes[:-1, 1:] != codes[:-1, :-1]).any(axis=0)) + 1
    line = np.zeros(codes.shape[1], dtype=np.int64)
    line[changes] = 1
    line = np.cumsum(line)
    table = np.zeros((int(line[-1]) + 1 if len(line) else 0, r), dtype=np.int64)
    table[line, codes[-1]] = counts
    return table


def pair_counts(data: Dataset, first: int, last: int) -> np.ndarray:
    """Count the rows that each of some planes shares with every later one.

    Planes are numbered variable by variable: each has one for every level but its last.

    Parameters
    ----------
    data : the rows
    first, last : planes, the last not included

    Returns
    -------
    (last - first, planes) int64; what stands left of the diagonal says nothing
    """
    later = float(np.maximum(data.arity - 1, 0).sum()) - first
    result: np.ndarray = data.store.totals(blocks.rows_of_pairs, [(first, last)], WORD * (last - first) * later)[0]
    return result


def level_counts(data: Dataset) -> list[np.ndarray]:
    """Count the rows with each level of each variable.

    Parameters
    ----------
    data : the rows

    Returns
    -------
    per variable (r,) int64
    """
    counted = data.store.totals(blocks.rows_of_planes, [None], WORD * float(data.arity.sum()))[0]
    result, start = [], 0
    for r in data.arity.tolist():
        shown = counted[start : start + max(r - 1, 0)]
        result.append(np.append(shown, data.n_rows - shown.sum())[:r])
        start += len(shown)
    return result


def observed_counts(data: Dataset, variables: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """The cells of some variables that rows have, and how many rows.

    Parameters
    ----------
    data : the rows
    variables : positions

    Returns
    -------
    (J, k) int64 codes in mixed-radix order, first variable most significant, and (J,) int64 counts
    """
    return many_observed_counts(data, [variables])[0]


def many_observed_counts(data: Dataset, groups: Iterable[Sequence[int]]) -> list[tuple[np.ndarray, np.ndarray]]:
    """`observed_counts` of many groups of variables, together.

    Parameters
    ----------
    data : the rows
    groups : positions of the variables of each

    Returns
    -------
    one answer a group, in their order
    """
    which = [tuple(group) for group in groups]
    result = []
    for group, counted in zip(which, _counted(data, which), strict=True):
        arity = data.arity[list(group)]
        if isinstance(counted, Cells):
            result.append((cell_codes(counted.keys, arity).T, counted.counts))
            continue
        seen = np.flatnonzero(counted)
        codes = np.stack(np.unravel_index(seen, arity), axis=1) if group else np.zeros((len(seen), 0), dtype=np.int64)
        result.append((codes, counted[seen]))
    return result


def _counted(data: Dataset, groups: Sequence[tuple[int, ...]]) -> Iterator[np.ndarray | Cells]:
    """Of each group of variables all its cells where they are few enough, else those that occur; one pass for all.

    No variables have one cell.
    """
    most = _most(data)
    families, work = [], 0.0
    for group in groups:
        size = math.prod(int(data.arity[x]) for x in group)
        way = blocks.PLANES if size <= _MOST_FOR_FEW else blocks.CODES if size <= most else blocks.SEEN
        if group:
            families.append(Family(group, way))
            work += {blocks.PLANES: 2 * WORD * size, blocks.CODES: _ROW * len(group), blocks.SEEN: _SORTED}[way]
    result = iter(data.store.totals(blocks.family, families, work) if families else [])
    for group in groups:
        yield next(result) if group else np.full(1, data.n_rows)


def family_counts(data: Dataset, child: int, parents: Sequence[int]) -> np.ndarray:
    """Counts of a child's levels by parent configuration.

    All configurations, or only (a superset of) those that occur where they outnumber the rows: a row of zeros adds
    nothing to any score here.

    Parameters
    ----------
    data : the rows
    child, parents : positions of a family

    Returns
    -------
    (J, r) int64 counts, configurations in mixed-radix order, first parent most significant
    """
    return many_family_counts(data, [(child, parents)])[0]


def many_family_counts(data: Dataset, families: Sequence[tuple[int, Sequence[int]]]) -> list[np.ndarray]:
    """`family_counts` of many families, together: one pass over rows that are far away.

    Parameters
    ----------
    data : the rows
    families : (child, parents) of each, positions

    Returns
    -------
    one table a family, in their order
    """
    groups = [(*parents, child) for child, parents in families]
    return [
        _by_numbers(data, group, counted, 1)[:, 0]
        if isinstance(counted, Cells)
        else counted.reshape(-1, int(data.arity[group[-1]]))
        for group, counted in zip(groups, _counted(data, groups), strict=True)
    ]


def strata_counts(data: Dataset, groups: Sequence[tuple[int, ...]]) -> list[np.ndarray]:
    """Tables of two variables in the strata of others, many together.

    Parameters
    ----------
    data : the rows
    groups : positions: of the others, then of the two

    Returns
    -------
    per group (J, r, s) int64; J as `configuration_codes` numbers the strata
    """
    result = []
    for group, counted in zip(groups, _counted(data, groups), strict=True):
        r, s = (int(data.arity[x]) for x in group[-2:])
        if isinstance(counted, Cells):
            result.append(_by_numbers(data, group, counted, 2))
            continue
        table = counted.reshape(-1, r, s)
        if len(table) > max(data.n_rows, 1):
            seen = np.flatnonzero(table.any(axis=(1, 2)))
            others = np.array(np.unravel_index(seen, data.arity[list(group[:-2])]))
            numbers, many = _numbered(others, data.arity[list(group[:-2])], data.n_rows)
            whole, table = table, np.zeros((many, r, s), dtype=np.int64)
            table[numbers] = whole[seen]
        result.append(table)
    return result


def _by_numbers(data: Dataset, group: tuple[int, ...], cells: Cells, own: int) -> np.ndarray:
    """(J, r, s) counts of the last two variables of a group, or (J, 1, r) of the last, by configurations of the others
    as `configuration_codes` numbers them."""
    codes = cell_codes(cells.keys, data.arity[list(group)])
    others = list(group[: len(group) - own])
    numbers, many = _numbered(codes[: len(others)], data.arity[others], data.n_rows)
    sizes = [int(data.arity[x]) for x in group[len(others) :]]
    table = np.zeros((many, *([1] * (2 - own)), *sizes), dtype=np.int64)
    table[(numbers, *([0] * (2 - own)), *codes[len(others) :])] = cells.counts
    return table


def family_table(data: Dataset, child: int, parents: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """The parent configurations that occur, and the counts of the child's levels in them.

    Parameters
    ----------
    data : the rows
    child, parents : positions of a family

    Returns
    -------
    (J, k) codes in mixed-radix order, and their (J, r) counts
    """
    codes, counts = observed_counts(data, [*parents, child])
    table = _by_configuration(codes.T, counts, int(data.arity[child]))
    first = np.concatenate([[True], (codes[1:, :-1] != codes[:-1, :-1]).any(axis=1)])[: len(codes)]
    return codes[first, :-1].astype(code_type(data.arity)), table


def configuration_codes(data: Dataset, parents: Sequence[int]) -> tuple[np.ndarray, int]:
    """The number of each row's parent configuration, and how many numbers there are; of rows in memory.

    Mixed radix, first parent most significant. Where configurations outnumber the rows they are renumbered to
    those that occur, in the same order, so the numbers never overflow.

    Parameters
    ----------
    data : the rows
    parents : positions

    Returns
    -------
    (n,) int64 numbers from 0, and how many there are
    """
    if not len(parents):
        return np.zeros(data.n_rows, dtype=np.int64), 1
    return _numbered(data.codes_of(parents), data.arity[list(parents)], data.n_rows)


def _numbered(codes: np.ndarray, arity: np.ndarray, most: int) -> tuple[np.ndarray, int]:
    """Numbers of (k, n) configurations, renumbered to those that occur whenever there could be more than `most`."""
    code, q = np.zeros(codes.shape[1], dtype=np.int64), 1
    for row, r in zip(codes, arity.tolist(), strict=True):
        code = code * r + row
        q *= r
        if q > max(most, 1):
            observed, code = np.unique(code, return_inverse=True)
            q = max(len(observed), 1)
    return code, q
