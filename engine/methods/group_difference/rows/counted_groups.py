"""The two groups of a comparison where rows are only counted: tables of sets of variables, many in one pass."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from engine.counting.joint_tables import joint_tables
from engine.counting.requests import many_observed_counts
from engine.data.dataset import Dataset
from engine.data.store import code_type

MOST_WHOLE = 4096
"""Cells up to which a table is counted whole, as kernels count it of rows."""
MOST_CELLS = 1 << 23
"""Cells that are remembered of each group: 64 MB."""

Family = tuple[int, tuple[int, ...]]


class CountedGroups:
    """Tables of two groups, each counted once as long as there is room for them.

    Parameters
    ----------
    first, second : data sets over the same variables
    """

    def __init__(self, first: Dataset, second: Dataset) -> None:
        self._parts = (first, second)
        self._arity = first.arity
        self._tables: tuple[dict[tuple[int, ...], np.ndarray], ...] = ({}, {})
        self._sparse: dict[tuple[int, ...], tuple[np.ndarray, np.ndarray]] = {}
        self._cells = 0

    def cells(self, variables: Iterable[int]) -> int:
        """Number of cells that a table of these variables has."""
        return math.prod(int(self._arity[x]) for x in variables)

    def ask(self, families: Iterable[Family]) -> None:
        """Count what is not known yet of these families; one pass, and one for each group where tables are large."""
        sets = {tuple(sorted((child, *parents))) for child, parents in families}
        new = sorted(subset for subset in sets if subset not in self._tables[0] and subset not in self._sparse)
        dense = [subset for subset in new if self.cells(subset) <= MOST_WHOLE]
        large = [subset for subset in new if self.cells(subset) > MOST_WHOLE]
        size = sum(map(self.cells, dense))
        if self._cells + size > MOST_CELLS:
            self._forget(sets)
            dense = sorted(
                subset for subset in sets if self.cells(subset) <= MOST_WHOLE and subset not in self._tables[0]
            )
            size = sum(map(self.cells, dense))
        if dense:
            self._cells += size
            for known, more in zip(self._tables, joint_tables(self._parts, dense), strict=True):
                known.update(more)
        if large:
            counted = [many_observed_counts(part, large) for part in self._parts]
            for subset, first, second in zip(large, *counted, strict=True):
                self._sparse[subset] = _joined(first, second)

    def _forget(self, but: set[tuple[int, ...]]) -> None:
        """Make room: what is not asked for now goes."""
        for known in self._tables:
            for subset in [subset for subset in known if subset not in but]:
                del known[subset]
        self._sparse = {subset: table for subset, table in self._sparse.items() if subset in but}
        self._cells = sum(map(self.cells, self._tables[0]))

    def family(self, child: int, parents: tuple[int, ...]) -> tuple[np.ndarray | None, np.ndarray]:
        """The (J, k) configurations of the parents that are listed, None for all, and (2, J, r) rows of each group."""
        subset = tuple(sorted((child, *parents)))
        r = int(self._arity[child])
        if subset not in self._sparse:
            axes = [subset.index(x) for x in (*parents, child)]
            return None, np.stack([known[subset].transpose(axes).reshape(-1, r) for known in self._tables])
        codes, counts = self._sparse[subset]
        own = codes[:, [subset.index(x) for x in parents]]
        configurations, place = np.unique(own, axis=0, return_inverse=True)
        table = np.zeros((2, len(configurations), r), dtype=np.int64)
        for own_table, own_counts in zip(table, counts, strict=True):
            np.add.at(own_table, (place.ravel(), codes[:, subset.index(child)]), own_counts)
        return configurations, table

    def table(self, group: int | None, child: int, parents: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """`engine.counting.requests.family_table` of a group, or of both together where None."""
        configurations, counts = self.family(child, parents)
        own = counts.sum(axis=0) if group is None else counts[group]
        rows = np.flatnonzero(own.any(axis=1))
        if configurations is None:
            if parents:
                configurations = np.stack(np.unravel_index(rows, self._arity[list(parents)]), axis=1)
            else:
                configurations = np.zeros((len(rows), 0), dtype=np.int64)
        else:
            configurations = configurations[rows]
        return configurations.astype(code_type(self._arity)), own[rows]


def _joined(
    first: tuple[np.ndarray, np.ndarray], second: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """The (J, k) cells that either group has, and (2, J) rows of each."""
    cells, place = np.unique(np.concatenate([first[0], second[0]]), axis=0, return_inverse=True)
    counts = np.zeros((2, len(cells)), dtype=np.int64)
    counts[0, place.ravel()[: len(first[0])]] = first[1]
    counts[1, place.ravel()[len(first[0]) :]] = second[1]
    return cells, counts
