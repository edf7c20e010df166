"""Numbers of rows that are only counted: beside its level each row has a fine code, kept as bits and counted alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.data.preparing.column_coding import FINE_BITS, NO_NUMBER, FixedColumn
from engine.data.store import Block, Store
from engine.errors import InputError
from engine.words import short

CELLS = 1 << FINE_BITS
"""Cells of a table of fine codes; the last one is of rows without a number."""
_AT_ONCE = 1 << 16


class FineCells(NamedTuple):
    """The meaning of a number's fine codes.

    Attributes
    ----------
    cuts : (c - 1,) the smallest value of each cell but the first
    means : (c,) mean of each cell, in the rows that fixed them
    """

    cuts: np.ndarray
    means: np.ndarray

    def ends(self, cell: int) -> tuple[float, float]:
        """Between which values a cell is, the upper one not included; the outer ones are endless."""
        cuts = np.concatenate([[-np.inf], self.cuts, [np.inf]])
        return float(cuts[cell]), float(cuts[cell + 1])


class FineTable(NamedTuple):
    """A table that is asked for: positions in a store of a number's bits and of other variables, with their levels."""

    bits: tuple[int, ...]
    variables: tuple[int, ...]
    arity: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class FineCodes:
    """The numbers of rows that are only counted.

    Attributes
    ----------
    store : the rows with all variables, and after these the bits of each number's fine code, the lowest bit first
    names : the variables
    cells : number -> what its codes mean, in the order of the bits
    """

    store: Store
    names: tuple[str, ...]
    cells: Mapping[str, FineCells]

    @classmethod
    def of(cls, store: Store, columns: Sequence[FixedColumn]) -> FineCodes | None:
        """The fine codes of rows that were coded by such columns; None where these have no numbers."""
        cells = {
            column.name: FineCells(np.array(column.fine), np.array(column.fine_means))
            for column in columns
            if column.fine_means
        }
        return cls(store, tuple(column.name for column in columns), cells) if cells else None

    def bits(self, name: str) -> tuple[int, ...]:
        """Positions in the store of a number's bits.

        Parameters
        ----------
        name : of the number

        Raises
        ------
        DataError : it has no fine codes
        """
        if name not in self.cells:
            raise InputError(f"'{short(name, 60)}' has no fine codes; make its recipe anew from the rows.", column=name)
        first = len(self.names) + FINE_BITS * list(self.cells).index(name)
        return tuple(range(first, first + FINE_BITS))

    def tables(self, wanted: Sequence[tuple[str, Sequence[str]]]) -> list[np.ndarray]:
        """Count the rows with each fine code of a number and each combination of other variables' levels, in one pass.

        Parameters
        ----------
        wanted : number, and names of variables, for each table

        Returns
        -------
        for each a (CELLS, r, s, ...) int64 table; cells past those of the number are empty but for the last, which
        is of the rows without one
        """
        items = []
        for name, others in wanted:
            places = tuple(self.names.index(other) for other in others)
            items.append(FineTable(self.bits(name), places, tuple(int(self.store.arity[place]) for place in places)))
        counted = self.store.totals(rows_of_fine_table, items)
        return [table.reshape(CELLS, *item.arity) for table, item in zip(counted, items, strict=True)]


def rows_of_fine_table(block: Block, table: FineTable) -> np.ndarray:
    """(CELLS x levels,) rows of a block with each fine code and each combination of levels."""
    size = CELLS * int(np.prod(table.arity, dtype=np.int64))
    result = np.zeros(size, dtype=np.int64)
    first, last = block.rows
    for begin in range(first, last, _AT_ONCE):
        end = min(begin + _AT_ONCE, last)
        key = np.zeros(end - begin, dtype=np.int64)
        for bit, codes in enumerate(block.codes(table.bits, begin, end)):
            key += codes.astype(np.int64) << bit
        for levels, codes in zip(table.arity, block.codes(table.variables, begin, end), strict=True):
            key = key * levels + codes
        result += np.bincount(key, minlength=size)
    return result


def fine_bits(column: FixedColumn, values: np.ndarray, places: np.ndarray) -> np.ndarray:
    """(FINE_BITS, n) bits of the fine codes of rows that have such values at such places; NaN is no number."""
    codes = np.searchsorted(np.asarray(column.fine, float), values, side="right").astype(np.uint8)
    codes[np.isnan(values)] = NO_NUMBER
    return codes[places][None] >> np.arange(FINE_BITS, dtype=np.uint8)[:, None] & np.uint8(1)
