"""Facts on rows beside their codes: columns that may say which belong together, and rows left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np


@dataclass(frozen=True, eq=False)
class RowContext:
    """Facts on rows beside their codes.

    Attributes
    ----------
    columns : column that may say which rows belong together -> (n,) its values as numbers, -1 where there is none
    left_out : (p, m) codes of the rows that were left out since a value is missing there; -1 is that value
    left_out_owner : (m,) number of the subject of those rows, -1 where not known; None where no column is the subject
    counted : whether a column of weights says how often each row stands here
    drawn : whether rows stand here several times because they were drawn so
    ordered : whether the rows stand as they did in the table
    owners : those of the columns that say whose row each is by how their values behave
    """

    columns: Mapping[str, np.ndarray] = field(default_factory=dict)
    left_out: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int16))
    left_out_owner: np.ndarray | None = None
    counted: bool = False
    drawn: bool = False
    ordered: bool = True
    owners: frozenset[str] = frozenset()

    def rows(self, which: np.ndarray) -> RowContext:
        """The same of some rows; which of the others were left out is told of the whole table only."""
        step = np.diff(which)
        return replace(
            self,
            columns={name: values[which] for name, values in self.columns.items()},
            left_out=self.left_out[:, :0],
            left_out_owner=None,
            drawn=self.drawn or (not (step > 0).all() and len(np.unique(which)) < len(which)),
            ordered=self.ordered and bool((step > 0).all()),
        )

    def variables(self, which: Iterable[int]) -> RowContext:
        """The same of some variables, by their positions."""
        return replace(self, left_out=self.left_out[list(which)])

    def recoded(self, places: Mapping[int, np.ndarray]) -> RowContext:
        """With new codes of the rows left out: variable's position -> new code of each code, -1 for none."""
        left_out = self.left_out.copy()
        for i, place in places.items():
            left_out[i] = np.append(place, -1)[left_out[i]]
        return replace(self, left_out=left_out)


def context_of(
    columns: Mapping[str, np.ndarray],
    codes: Iterable[np.ndarray],
    left_out: np.ndarray,
    owner: np.ndarray | None,
    *,
    rows: np.ndarray,
    counted: bool,
    owners: Iterable[str] = (),
) -> RowContext:
    """The context of a table that has been coded."""
    missing = [code[left_out] for code in codes]
    kind = np.result_type(np.int8, *(item.dtype for item in missing)) if missing else np.dtype(np.int8)
    return RowContext(
        {name: values[rows].astype(np.int32) for name, values in columns.items()},
        np.array(missing, dtype=kind).reshape(len(missing), len(left_out)),
        None if owner is None else owner[left_out],
        counted,
        owners=frozenset(owners),
    )
