"""The two groups over the same variables and levels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from engine import words
from engine.counting import family_table
from engine.data.preparing.roles import MOST_CLASSES, propose_group
from engine.errors import DataError
from engine.methods.group_difference.settings import REST, GroupDifferenceSettings
from engine.resampling import bootstrap

if TYPE_CHECKING:
    from engine.data.dataset import Dataset


def likely_group(data: Dataset) -> str | None:
    """The variable a user most probably wants to compare: the one that has the role, else by its name if it tells.

    Parameters
    ----------
    data : the table

    Returns
    -------
    its name; None where no variable has two to six levels
    """
    return likely_group_why(data)[0]


def likely_group_why(data: Dataset) -> tuple[str | None, str]:
    """The same with the reason as a sentence: its role first, then what its name is like.

    Parameters
    ----------
    data : the table
    """
    chosen = next((name for name, role in data.roles.items() if role == "group" and name in data.names), None)
    if chosen is not None and 2 <= len(data.levels[chosen]) <= MOST_CLASSES:
        return chosen, f"'{chosen[:60]}' has the role of the group on the data page."
    found = propose_group({name: data.levels[name] for name in data.names})
    return found if found is not None else (None, "")


@dataclass(frozen=True, eq=False)
class Groups:
    """The two groups over the same variables and levels.

    Attributes
    ----------
    labels : what the two groups are called
    first, second, pooled : their data; levels that neither group has are gone
    dropped : name -> levels that were declared, or belong to other groups, but neither of the two has
    inside : (n,) which of the pooled rows are the first group's
    tables : families of the pooled rows that were counted; shuffled labels leave them as they are
    """

    labels: tuple[str, str]
    first: Dataset
    second: Dataset
    pooled: Dataset
    dropped: dict[str, tuple[str, ...]]
    inside: np.ndarray
    tables: dict[tuple[int, tuple[int, ...]], tuple[np.ndarray, np.ndarray]] = field(default_factory=dict)

    def relabelled(self, generator: np.random.Generator) -> Groups:
        """The same rows with the group labels shuffled."""
        return self._labelled(self.pooled, generator.permutation(self.inside))

    def resampled(self, generator: np.random.Generator) -> Groups:
        """As many rows of either group, drawn from it with replacement."""
        parts = [np.flatnonzero(self.inside == first) for first in (True, False)]
        rows = np.concatenate([part[bootstrap(len(part), generator)] for part in parts])
        return self._labelled(self.pooled.rows(rows), np.arange(len(rows)) < len(parts[0]))

    def selected(self, names: Iterable[str]) -> Groups:
        """The same rows of these variables, in this order."""
        wanted = list(names)
        first, second, pooled = (part.select(wanted) for part in (self.first, self.second, self.pooled))
        return Groups(self.labels, first, second, pooled, self.dropped, self.inside)

    def _labelled(self, pooled: Dataset, inside: np.ndarray) -> Groups:
        tables = self.tables if pooled is self.pooled else {}
        return Groups(self.labels, pooled.rows(inside), pooled.rows(~inside), pooled, self.dropped, inside, tables)

    def pooled_table(self, child: int, parents: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """`family_table` of the pooled rows, counted once however often the labels are shuffled."""
        if (child, parents) not in self.tables:
            self.tables[child, parents] = family_table(self.pooled, child, parents)
        return self.tables[child, parents]


def split_groups(method: GroupDifferenceSettings, data: Dataset) -> Groups:
    """The rows of the two groups, without the group column and without levels that neither has.

    Parameters
    ----------
    method : says which column, and which of its levels
    data : the table

    Returns
    -------
    `Groups`

    Raises
    ------
    DataError : no such column or level, a group without rows, nothing beside the group column
    """
    if data.n_variables < 2:
        raise DataError("There is nothing to compare: the table has no variable beside the group column.")
    column = data.column(method.group)
    levels = data.levels[method.group]
    present = [level for code, level in enumerate(levels) if (column == code).any()]
    chosen = method.groups
    if chosen is None:
        if len(present) != 2:
            raise DataError(
                f"'{method.group}' has {len(present)} levels with rows ({_quoted(present)}); "
                "a comparison needs two. Choose two of them, or one to compare with the rest.",
                column=method.group,
            )
        chosen = (present[0], present[1])
    for level in chosen:
        if level not in levels:
            raise DataError(f"'{method.group}' has no level {level!r}; it has {_quoted(levels)}.", column=method.group)
        if level not in present:
            raise DataError(f"No row has {method.group} = {level!r}; choose another level.", column=method.group)
    first = column == levels.index(chosen[0])
    second = column == levels.index(chosen[1]) if len(chosen) == 2 else ~first
    if not second.any():
        raise DataError(f"All rows have {method.group} = {chosen[0]!r}; there is no other group.")
    others = data.select(name for name in data.names if name != method.group)
    both, dropped = others.rows(first | second).without_empty_levels()
    inside = first[first | second]
    rest = REST if chosen[0] != REST else f"{REST} (not that level)"
    labels = (chosen[0], chosen[1] if len(chosen) == 2 else rest)
    return Groups(labels, both.rows(inside), both.rows(~inside), both, dropped, inside)


def _quoted(levels: Iterable[str]) -> str:
    return words.first(map(repr, levels), most=6) or "none"
