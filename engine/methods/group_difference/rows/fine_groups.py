"""Numbers of two groups where families are only counted: tables of fine codes and some likely parents, one a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.data.dataset import Dataset
from engine.data.fine_codes import CELLS, FineCells

MOST_PARENTS, MOST_CELLS = 6, 1 << 22
"""Likely parents of a number whose table is counted with it, as many as have room in so many cells of both groups."""


@dataclass(frozen=True, eq=False)
class FineGroups:
    """The numbers of two groups by fine code.

    Attributes
    ----------
    data : the rows, in memory or not
    group : the column of the groups, and the codes of either
    names : the variables compared
    left : the codes of each that either group has
    cells : number -> what its fine codes mean
    known : number -> its likely parents, and the (2, CELLS, ...) table with their levels
    """

    data: Dataset
    group: str
    codes: tuple[tuple[int, ...], tuple[int, ...]]
    names: tuple[str, ...]
    left: tuple[tuple[int, ...], ...]
    cells: Mapping[str, FineCells]
    known: dict[int, tuple[tuple[int, ...], np.ndarray]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        data: Dataset,
        group: str,
        codes: tuple[Sequence[int], Sequence[int]],
        names: tuple[str, ...],
        left: tuple[tuple[int, ...], ...],
    ) -> FineGroups | None:
        """The numbers of a table; None where nothing tells their values."""
        if data.fine is not None:
            cells = dict(data.fine.cells)
        else:
            columns = data.recipe.columns if data.numbers else ()
            columns = tuple(column for column in columns if column.name in data.numbers and column.fine_means)
            cells = {item.name: FineCells(np.array(item.fine), np.array(item.fine_means)) for item in columns}
        cells = {name: own for name, own in cells.items() if name in names}
        return cls(data, group, (tuple(codes[0]), tuple(codes[1])), names, left, cells) if cells else None

    def ask(self, likely: Mapping[int, Sequence[int]]) -> None:
        """Count the tables of numbers with their likely parents, the likeliest first, in one pass."""
        chosen = {}
        for child, parents in likely.items():
            size, own = 2 * CELLS, []
            for parent in list(parents)[:MOST_PARENTS]:
                size *= len(self.left[parent])
                if size > MOST_CELLS:
                    break
                own.append(parent)
            chosen[child] = tuple(sorted(own))
        wanted = [
            (self.names[child], (self.group, *(self.names[x] for x in parents))) for child, parents in chosen.items()
        ]
        fine = self.data.fine
        counted = self._in_memory(wanted) if fine is None else fine.tables(wanted)
        for (child, parents), table in zip(chosen.items(), counted, strict=True):
            for axis, x in enumerate(parents, 2):
                table = table.take(self.left[x], axis=axis)
            both = np.stack([table[:, list(own)].sum(axis=1) for own in self.codes])
            self.known[child] = parents, both

    def _in_memory(self, wanted: Sequence[tuple[str, tuple[str, ...]]]) -> list[np.ndarray]:
        result = []
        for name, others in wanted:
            values = self.data.numbers[name].values
            fine = np.searchsorted(self.cells[name].cuts, values, side="right")
            fine[np.isnan(values)] = CELLS - 1
            key = fine[self.data.numbers[name].places].astype(np.int64)
            shape = [CELLS]
            for other in others:
                arity = int(self.data.arity[self.data.index(other)])
                key = key * arity + self.data.column(other)
                shape.append(arity)
            result.append(np.bincount(key, minlength=int(np.prod(shape))).reshape(shape))
        return result

    def holds(self, child: int, parents: Sequence[int]) -> bool:
        """True of a family that was counted."""
        return child in self.known and set(parents) <= set(self.known[child][0])

    def family(self, child: int, parents: tuple[int, ...]) -> np.ndarray:
        """(2, J, CELLS) rows of both groups in every configuration of some of the likely parents."""
        there, table = self.known[child]
        gone = tuple(axis for axis, x in enumerate(there, 2) if x not in parents)
        kept = [x for x in there if x in parents]
        smaller = table.sum(axis=gone) if gone else table
        axes = [0, *(2 + kept.index(x) for x in parents), 1]
        return np.ascontiguousarray(smaller.transpose(axes).reshape(2, -1, CELLS))
