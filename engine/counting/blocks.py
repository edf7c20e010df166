"""What is asked of one block of rows: functions of a block and an item, whose answers of several blocks add up.

`engine.counting.requests` decides what is asked; `engine.data.store` asks every block and adds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from engine.counting.backend import counter
from engine.data.store import Block, Cells

_AT_ONCE = 1 << 18
"""Rows whose codes are worked on together: a code a row fits the second-level cache."""
_DECODED = 1 << 16
"""Rows whose codes are made of planes together, of all variables that are asked for."""
_MOST_KEY = 1 << 62


PLANES, CODES, SEEN = "all, of planes", "all, of codes", "seen"


class Family(NamedTuple):
    """Counts of cells of some variables, the first changing slowest; `way` is `PLANES`, `CODES` or `SEEN`."""

    variables: tuple[int, ...]
    way: str


class Candidates(NamedTuple):
    """Counts of a child by its parents and each of (m,) candidates.

    `table` is the length of a candidate's flat (q, r, s) counts. Where `configurations` is there, only the parent
    configurations in it are numbered: `numbers` has the number of each.
    """

    child: int
    parents: tuple[int, ...]
    candidates: np.ndarray
    table: int
    planes: bool
    configurations: np.ndarray | None = None
    numbers: np.ndarray | None = None


class VariableSets(NamedTuple):
    """Counts of combinations of levels, none of them its variable's last, of sets of variables in rising order.

    `members` (k, w) and `sizes` (k,) are the variables of each set, `begins` (k,) where its counts begin among `cells`.
    """

    members: np.ndarray
    sizes: np.ndarray
    begins: np.ndarray
    cells: int


def rows_of_planes(block: Block, _: None) -> np.ndarray:
    """(planes,) int64: how many rows have each level but the last, variable by variable."""
    which, shown = planes_of(block), block.planes.shown
    if block.last - block.first < block.words.shape[1]:
        shown = np.full_like(shown, -1)
    for plane in which[shown[which] < 0].tolist():
        shown[plane] = np.bitwise_count(block.words[plane, block.first : block.last]).sum(dtype=np.int64)
    return shown[which]


def rows_of_pairs(block: Block, span: tuple[int, int]) -> np.ndarray:
    """(last - first, planes) int64: rows that planes `first` to `last` share with every later plane."""
    first, last = span
    which = planes_of(block)
    counts = np.zeros((max(last - first, 1), len(which)), dtype=np.int64)
    work = 64.0 * (block.last - block.first) * (last - first)
    if len(which) == len(block.words) and (which == np.arange(len(which))).all():
        counter(work).plane_pairs(block.words, first, last, block.first, block.last, counts)
    else:  # other variables' planes stand between ours
        ours = block.words[which[first:], block.first : block.last]
        later = np.zeros((len(counts), len(ours)), dtype=np.int64)
        counter(work).plane_pairs(ours, 0, last - first, 0, ours.shape[1], later)
        counts[:, first:] = later
    return counts


def planes_of(block: Block) -> np.ndarray:
    """Where the planes of the block's own variables stand in its words.

    Parameters
    ----------
    block : rows

    Returns
    -------
    (planes,) int64, variable by variable
    """
    kept = np.maximum(block.arity - 1, 0)
    ends = np.cumsum(kept)
    return np.repeat(block.starts - (ends - kept), kept) + np.arange(int(ends[-1]) if len(ends) else 0)


def family(block: Block, asked: Family) -> np.ndarray | Cells:
    """(cells,) int64 counts, or the cells that rows have."""
    if asked.way == SEEN:
        return cells(block, asked.variables)
    counts = np.zeros(math.prod(int(block.arity[x]) for x in asked.variables), dtype=np.int64)
    which = np.array(asked.variables, np.int64)
    rows = float(block.rows[1] - block.rows[0])
    if asked.way == PLANES:
        counter(rows).plane_additions(
            block.words, block.starts, block.arity, which[:-1], which[-1:], block.n_rows,
            block.first, block.last, counts[None],
        )  # fmt: skip
        return counts
    if block.given is not None:
        counter(rows).histogram_family(block.given, block.arity, which, *block.rows, counts)
        return counts
    for part in _decoded(block, which):
        many = part.shape[1]
        counter(many).histogram_family(part, block.arity[which], np.arange(len(which)), 0, many, counts)
    return counts


def _decoded(block: Block, variables: np.ndarray) -> Iterator[np.ndarray]:
    """(k, m) codes of some variables, for all rows that are meant, some rows at a time."""
    begin, end = block.rows
    for base in range(begin, end, _DECODED):
        yield block.codes(variables, base, min(base + _DECODED, end))


def rows_of_sets(block: Block, asked: VariableSets) -> np.ndarray:
    """(cells,) int64 counts of sets of variables."""
    counts = np.zeros(asked.cells, dtype=np.int64)
    count = counter(float(block.rows[1] - block.rows[0]) * asked.cells)
    about = asked.members, asked.sizes, asked.begins, block.first, block.last
    count.plane_sets(block.words, block.starts, block.arity, *about, counts)
    return counts


def candidates(block: Block, asked: Candidates) -> np.ndarray:
    """(m, table) int64 counts."""
    tables = np.zeros((len(asked.candidates), asked.table), dtype=np.int64)
    own = np.array([*asked.parents, asked.child], dtype=np.int64)
    count = counter(float(block.rows[1] - block.rows[0]) * len(asked.candidates))
    if asked.planes:
        count.plane_additions(
            block.words, block.starts, block.arity, own, asked.candidates, block.n_rows, block.first, block.last, tables
        )
        return tables
    begin, end = block.rows
    step = _AT_ONCE if block.given is not None else _DECODED
    for base in range(begin, end, step):
        many = min(step, end - base)
        if block.given is not None:
            codes, first, family, others = block.given, base, own, asked.candidates
            arity = block.arity
        else:
            wanted = np.concatenate([own, asked.candidates])
            codes, first, arity = block.codes(wanted, base, base + many), 0, block.arity[wanted]
            family, others = np.arange(len(own)), np.arange(len(own), len(wanted))
        code = np.empty(many, dtype=np.uint32)
        if asked.configurations is None:
            count.mixed_radix(codes, arity, family, first, code)
        else:
            parents = codes[family[:-1], first : first + many]
            place = _places(_keys(parents, arity[family[:-1]], many)[0], asked.configurations)
            code[:] = asked.numbers[place] * int(block.arity[asked.child]) + codes[family[-1], first : first + many]  # type: ignore[index]
        count.histogram_additions(code, codes, first, arity, others, tables)
    return tables


def cells(block: Block, variables: tuple[int, ...]) -> Cells:
    """The cells of some variables that rows have; `cell_codes` tells what a key means."""
    begin, end = block.rows
    columns, _ = _keys(block.codes(variables, begin, end), block.arity[list(variables)], end - begin)
    return _counted(columns)


class SubjectCells(NamedTuple):
    """The question asked of the rows of each subject.

    Attributes
    ----------
    variables : positions
    bits, number : where the bits of a row's number are, and whose row that is; see `engine.data.subjects`
    """

    variables: tuple[int, ...]
    bits: tuple[int, ...]
    number: np.ndarray


def cells_of_subjects(block: Block, asked: SubjectCells) -> Cells:
    """The cells of (subject, variables) that rows have."""
    begin, end = block.rows
    number = np.zeros(end - begin, dtype=np.int64)
    for place, bit in enumerate(block.codes(asked.bits, begin, end)):
        number |= bit.astype(np.int64) << place
    columns, many = [asked.number[number]], int(asked.number.max(initial=0)) + 1
    for x in asked.variables:
        columns, many = _appended(columns, many, block.codes([x], begin, end)[0], int(block.arity[x]))
    return _counted(columns)


def cells_of_candidates(block: Block, asked: Candidates) -> list[Cells]:
    """For each candidate the `cells` of (parents, candidate, child) that rows have."""
    begin, end = block.rows
    parents = list(asked.parents)
    columns, many = _keys(block.codes(parents, begin, end), block.arity[parents], end - begin)
    child, r = block.codes([asked.child], begin, end)[0], int(block.arity[asked.child])
    result = []
    for x in asked.candidates.tolist():
        own, cells = _appended(columns, many, block.codes([x], begin, end)[0], int(block.arity[x]))
        result.append(_counted(_appended(own, cells, child, r)[0]))
    return result


def cell_keys(codes: np.ndarray, arity: np.ndarray) -> np.ndarray:
    """(J, c) keys as `Cells` has them, of (k, J) codes; rising where the cells do.

    Parameters
    ----------
    codes : of cells that are all different, in mixed-radix order
    arity : (k,) numbers of levels of the variables
    """
    return np.stack(_keys(codes, arity, codes.shape[1])[0], axis=1)


def cell_codes(keys: np.ndarray, arity: Sequence[int] | np.ndarray) -> np.ndarray:
    """Levels that the keys of `Cells` stand for.

    Parameters
    ----------
    keys : (J, c)
    arity : (k,) numbers of levels of the variables that the keys are made of

    Returns
    -------
    (k, J) int64 codes
    """
    left, result = keys.T.copy(), np.zeros((len(arity), len(keys)), dtype=np.int64)
    column = _columns([int(r) for r in arity])
    for x in range(len(arity) - 1, -1, -1):
        left[column[x]], result[x] = np.divmod(left[column[x]], max(int(arity[x]), 1))
    return result


def _columns(arity: Sequence[int]) -> list[int]:
    """In which column of the keys each variable is."""
    result, many, column = [], 1, 0
    for r in arity:
        many, column = (many * r, column) if many * r < _MOST_KEY else (r, column + 1)
        result.append(column)
    return result


def _keys(codes: np.ndarray, arity: np.ndarray, rows: int) -> tuple[list[np.ndarray], int]:
    """Columns of int64 that tell cells apart, in the order of the cells; and how many values the last one can have."""
    columns, many = [np.zeros(rows, dtype=np.int64)], 1
    for row, r in zip(codes, arity.tolist(), strict=True):
        columns, many = _appended(columns, many, row, r)
    return columns, many


def _appended(columns: list[np.ndarray], many: int, codes: np.ndarray, r: int) -> tuple[list[np.ndarray], int]:
    if many * r < _MOST_KEY:
        return [*columns[:-1], columns[-1] * r + codes], many * r
    return [*columns, codes.astype(np.int64)], r


def _counted(columns: list[np.ndarray]) -> Cells:
    if len(columns) == 1:
        keys, counts = np.unique(columns[0], return_counts=True)
        return Cells(keys[:, None], counts.astype(np.int64))
    order = np.lexsort(columns[::-1])
    keys = np.stack([column[order] for column in columns], axis=1)
    begins = np.flatnonzero(np.concatenate([[True], (keys[1:] != keys[:-1]).any(axis=1)])[: len(keys)])
    return Cells(keys[begins], np.diff(np.append(begins, len(keys))).astype(np.int64))


def _places(columns: list[np.ndarray], keys: np.ndarray) -> np.ndarray:
    """(n,) where each row's key stands among the (J, c) keys; all are there."""
    place, own = np.zeros(len(columns[0]), dtype=np.int64), np.zeros(len(keys), dtype=np.int64)
    for column, known in zip(columns, keys.T, strict=True):
        values = np.unique(known)
        own = own * len(values) + np.searchsorted(values, known)
        place = place * len(values) + np.searchsorted(values, column)
        seen, own = np.unique(own, return_inverse=True)
        place = np.searchsorted(seen, place)
    return place
