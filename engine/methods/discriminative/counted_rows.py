"""Rows that are only counted, in groups of one fold and one class: what networks are learned from there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import combinations
from typing import ClassVar

import numpy as np

from engine.counting.joint_tables import Variables, joint_tables
from engine.counting.subset_store import FoldStore, RowFold
from engine.data.dataset import Dataset
from engine.errors import DataError
from engine.methods.discriminative.coding import Counted

MOST_CELLS = 1 << 25
"""Cells of tables that are held at a time: 256 MB."""


class RowGroups:
    """Groups of rows of one fold and one level of the target, numbered fold by fold; see `GroupedCounts`.

    Parameters
    ----------
    data : the rows; the target is the last variable
    folds, seed : see `RowFold`
    """

    plain: ClassVar[bool] = True

    def __init__(self, data: Dataset, folds: int, seed: int) -> None:
        self.parts = [data._with(store=FoldStore(data.store, RowFold(f, folds, seed))) for f in range(folds)]
        self.target = data.n_variables - 1
        self.groups = folds * int(data.arity[self.target])
        self.arity = data.arity[: self.target]
        self.starts = np.concatenate([[0], np.cumsum(self.arity)])
        self._tables: dict[Variables, np.ndarray] = {}
        self._cells = 0

    @property
    def n_variables(self) -> int:
        """p, the target not counted."""
        return len(self.arity)

    @cached_property
    def rows(self) -> np.ndarray:
        """(S,) rows of each group."""
        first = slice(0, int(self.arity[0]))  # its levels have every row once
        return self.by_group[:, first, first].sum(axis=(1, 2)).astype(np.int64)

    @cached_property
    def by_group(self) -> np.ndarray:
        """(S, R, R) counts of all pairs, in one pass; variable by variable as `Slices.starts` has them."""
        p, cells = self.n_variables, int(self.starts[-1])
        self._check(self.groups * cells**2, "all pairs of variables")
        pairs: list[Variables] = list(combinations(range(p), 2))
        tables = self._counted(pairs or [(0,)])
        result = np.zeros((self.groups, cells, cells))
        own = [slice(int(begin), int(begin) + int(r)) for begin, r in zip(self.starts, self.arity, strict=False)]
        for item, table in tables.items():
            if len(item) == 2:
                x, y = item
                result[:, own[x], own[y]] = table
                result[:, own[y], own[x]] = table.swapaxes(1, 2)
        for x in range(p):
            other = 0 if x else p - 1
            alone = result[:, own[other], own[x]].sum(axis=1) if p > 1 else tables[0,]
            levels = np.arange(own[x].start, own[x].stop)
            result[:, levels, levels] = alone
        return result

    def sizes(self, group: np.ndarray, groups: int) -> np.ndarray:
        """(groups,) rows of each; see `Slices.sizes`."""
        return np.array([self.rows[group == number].sum() for number in range(groups)])

    def pairs(self, group: np.ndarray, groups: int) -> np.ndarray:
        """(groups, R, R) counts of all pairs."""
        return _summed(self.by_group, group, groups)

    def family(self, child: int, parents: Sequence[int], group: np.ndarray, groups: int) -> np.ndarray:
        """(groups, q, r) counts of one family; see `Slices.family`."""
        r = int(self.arity[child])
        if len(parents) > 1:
            return _summed(self._family([tuple(parents)], child)[0], group, groups).reshape(groups, -1, r)
        x = parents[0] if parents else 0 if child else self.n_variables - 1
        own, cells = slice(self.starts[child], self.starts[child + 1]), slice(self.starts[x], self.starts[x + 1])
        table = _summed(self.by_group[:, cells, own], group, groups)
        return table if parents else table.sum(axis=1, keepdims=True)

    def additions(self, child: int, parents: Sequence[int], group: np.ndarray, groups: int) -> np.ndarray:
        """(groups, q, R, r) counts; none where x is in the family; see `Slices.additions`."""
        others = [x for x in range(self.n_variables) if x not in (child, *parents)]
        many, r = math.prod(int(self.arity[x]) for x in parents), int(self.arity[child])
        result = np.zeros((groups, many, int(self.starts[-1]), r))
        for x, table in zip(others, self._family([(*parents, x) for x in others], child), strict=True):
            cells = _summed(table, group, groups).reshape(groups, many, -1, r)
            result[:, :, self.starts[x] : self.starts[x + 1]] = cells
        return result

    def _family(self, parents: Sequence[tuple[int, ...]], child: int) -> list[np.ndarray]:
        """(S, r, s, ..., t) counts of some families of one child, the child last; one pass for all that are new."""
        items = [tuple(sorted((child, *own))) for own in parents]
        self._ask(set(items))
        return [
            self._tables[item].transpose(0, *(1 + item.index(x) for x in (*own, child)))
            for item, own in zip(items, parents, strict=True)
        ]

    def _ask(self, items: Iterable[Variables]) -> None:
        new = sorted(item for item in items if item not in self._tables)
        if not new:
            return
        cells = self.groups * sum(math.prod(int(self.arity[x]) for x in item) for item in new)
        self._check(cells, f"families of {len(new[0])} variables")
        if self._cells + cells > MOST_CELLS:
            wanted = {item: self._tables[item] for item in items if item in self._tables}
            self._tables, self._cells = wanted, sum(table.size for table in wanted.values())
        self._tables |= self._counted(new)
        self._cells += cells

    def _counted(self, items: Sequence[Variables]) -> dict[Variables, np.ndarray]:
        """(S, r, s, ...) counts of sets of variables, group by group."""
        by_fold = joint_tables(self.parts, [(*item, self.target) for item in items])
        return {
            item: np.concatenate([np.moveaxis(tables[*item, self.target], -1, 0) for tables in by_fold])
            for item in items
        }

    @staticmethod
    def _check(cells: int, what: str) -> None:
        if cells > MOST_CELLS:
            raise DataError(
                f"The tables of {what} would take {8 * cells / 1e9:,.1f} GB of memory; choose fewer variables, fewer "
                "levels or fewer parents of a variable."
            )


def _summed(tables: np.ndarray, group: np.ndarray, groups: int) -> np.ndarray:
    """(groups, ...) tables of some groups of rows added; those below 0 are left out."""
    weights = (group == np.arange(groups)[:, None]).astype(float)
    return (weights @ tables.reshape(len(tables), -1)).reshape(groups, *tables.shape[1:])


class CountedRows(Counted):
    """Groups of rows in the place of points.

    Parameters
    ----------
    groups : of rows
    """

    slices: RowGroups  # type: ignore[assignment]

    def __init__(self, groups: RowGroups) -> None:
        self.slices, self.n_points = groups, groups.groups
        self.point, self.lengths = np.arange(self.n_points), groups.rows

    def pairs(self, side: np.ndarray) -> np.ndarray:
        """(2, R, R) counts of all pairs of the groups of side 0 and of side 1."""
        return self.slices.pairs(side, 2)
