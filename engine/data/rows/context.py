"""What a table tells of its rows beside the codes: columns that may say which belong together, and rows left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from engine.data.preparing.proposals import MOST_LEVELS, nearly_numeric
from engine.data.preparing.roles import names_cluster, names_person
from engine.data.preparing.variables import Variable
from engine.data.rows.owners import find_owners

FEWEST_VALUES, LEAST_REPEATS = 6, 2
"""Values that a column which groups rows has, and rows of each on average."""
_MOST_COLUMNS = 6
_OTHER_ROLES = ("group", "outcome", "time", "weight")


@dataclass(frozen=True, eq=False)
class RowContext:
    """What is known of rows beside their codes.

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


def grouping_columns(
    variables: Iterable[Variable], used: Callable[[str], bool], roles: Mapping[str, str], rows: np.ndarray
) -> tuple[dict[str, np.ndarray], list[str]]:
    """Columns that may say which rows belong together -> their values as numbers, of all rows; and those whose values
    say so whatever their name is.

    Such a column is called so (patient, ward, school), is an identifier, or holds words too many for levels; it has six
    values or more, which repeat twice on average or more. Ordinary measures are never among them.
    """
    result: dict[str, np.ndarray] = {}
    if "subject" in roles.values():
        return result, []
    variables = list(variables)
    for variable in variables:
        if len(result) == _MOST_COLUMNS:
            break
        if variable.sort not in ("words", "number") or roles.get(variable.name) in _OTHER_ROLES:
            continue
        named = names_person(variable.name) or names_cluster(variable.name)
        many = variable.sort == "words" and variable.n_distinct > MOST_LEVELS and not used(variable.name)
        wordy = many and not nearly_numeric(variable)
        if not (named or wordy or roles.get(variable.name) == "identifier"):
            continue
        if variable.sort == "number" and not variable.whole:
            continue
        if not FEWEST_VALUES <= variable.n_distinct <= len(variable.codes) / LEAST_REPEATS:
            continue
        have = variable.codes[rows & (variable.codes >= 0)]
        values = int((np.bincount(have) > 0).sum()) if len(have) else 0
        if FEWEST_VALUES <= values <= len(have) / LEAST_REPEATS:
            result[variable.name] = variable.codes
    every = {item.name: item for item in variables}
    owners = find_owners(variables, result, lambda item: not roles.get(item.name))
    owners = owners[: _MOST_COLUMNS - len(result)]
    return {**result, **{name: every[name].codes for name in owners}}, owners
