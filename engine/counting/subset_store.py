"""Some rows of a store, wherever they are: those with some levels of one variable.

Each block is asked for its own part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from engine.counting.backend import counter
from engine.data.planes import Planes, plane_starts
from engine.data.store import Block, Question, Store, remote_refusal


class RowSubset(NamedTuple):
    """Which rows of a block are meant, and with what.

    Attributes
    ----------
    variable, codes : the rows with one of these codes of this variable
    variables : those that they are looked at with, by position
    levels : the levels of each of these that are left, rising; no row that is meant has another
    """

    variable: int
    codes: tuple[int, ...]
    variables: tuple[int, ...]
    levels: tuple[tuple[int, ...], ...]


class SubsetQuestion(NamedTuple):
    """The question asked of the part of a block."""

    subset: RowSubset
    function: Question
    items: Sequence[Any]


def part_of(block: Block, subset: RowSubset) -> Block:
    """The rows of a block that are meant, packed anew."""
    planes, words = block.planes, slice(block.first, block.last)
    own = planes.words[planes.starts[subset.variable] :][: max(int(planes.arity[subset.variable]) - 1, 0), words]
    mask = np.zeros(block.last - block.first, dtype=np.uint64)
    for code in subset.codes:
        if code < len(own):
            mask |= own[code]
        else:
            mask |= _rows_of(block) & ~np.bitwise_or.reduce(own, axis=0, initial=np.uint64(0))
    arity = np.array([len(levels) for levels in subset.levels], dtype=np.int64)
    which = [
        int(planes.starts[x]) + level
        for x, levels in zip(subset.variables, subset.levels, strict=True)
        for level in levels[:-1]
    ]
    rows = int(np.bitwise_count(mask).sum(dtype=np.int64))
    out = np.zeros((len(which), max(1, -(-rows // 64))), dtype=np.uint64)
    compress = counter(float(rows) * len(which)).compress_planes
    compress(planes.words, np.array(which, dtype=np.int64), mask, block.first, out)
    return Block(Planes(out, plane_starts(arity), arity, rows), arity, rows)


def _rows_of(block: Block) -> np.ndarray:
    """(W,) words in which every row that is meant has its bit."""
    begin, end = block.rows
    result = np.full(block.last - block.first, 2**64 - 1, dtype=np.uint64)
    full, rest = divmod(max(end - begin, 0), 64)
    result[full:] = 0
    if rest:
        result[full] = np.uint64(2**rest - 1)
    return result


def answer_for_part(block: Block, question: SubsetQuestion) -> list[Any]:
    """Call a function on the part of a block."""
    part = part_of(block, question.subset)
    return [question.function(part, item) for item in question.items]


class SubsetStore(Store):
    """The rows of another store with some levels of one variable.

    Parameters
    ----------
    whole : the other store
    subset : which of its rows
    n_rows : how many they are
    """

    def __init__(self, whole: Store, subset: RowSubset, n_rows: int) -> None:
        self.whole, self.subset, self.n_rows = whole, subset, n_rows
        self.arity = np.array([len(levels) for levels in subset.levels], dtype=np.int64)
        self.where = whole.where

    def totals(self, function: Question, items: Sequence[Any], work: float = 0.0) -> list[Any]:
        """See `Store.totals`."""
        return totals_together([self], function, items, work)[0]

    def some(self, rows: np.ndarray) -> np.ndarray:
        """Refused: which rows they are is not known without looking at all."""
        raise remote_refusal(self, "A part of the rows")

    def digests(self) -> bytes:
        """Refused, as `some`."""
        raise remote_refusal(self, "A part of the rows")

    def select(self, positions: Sequence[int]) -> SubsetStore:
        """See `Store.select`."""
        of, levels = self.subset.variables, self.subset.levels
        chosen = tuple(of[x] for x in positions), tuple(levels[x] for x in positions)
        return SubsetStore(self.whole, RowSubset(self.subset.variable, self.subset.codes, *chosen), self.n_rows)


def totals_together(
    stores: Sequence[SubsetStore], function: Question, items: Sequence[Any], work: float = 0.0
) -> list[list[Any]]:
    """`Store.totals` of several parts: of one store in one pass over it, of different ones in one each."""
    if not len(items):
        return [[] for _ in stores]
    if any(store.whole is not stores[0].whole for store in stores):
        return [store.totals(function, items, work) for store in stores]
    questions = [SubsetQuestion(store.subset, function, items) for store in stores]
    return stores[0].whole.totals(answer_for_part, questions, work * len(stores))
