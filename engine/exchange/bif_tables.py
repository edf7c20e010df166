"""What a BIF file says of a table, checked and put in order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.errors import DataError
from engine.models.tables import Cpt, check_size


def assemble(
    child: str,
    parents: Sequence[str],
    levels: Mapping[str, Sequence[str]],
    entries: Sequence[tuple[tuple[str, ...] | str, list[float]]],
) -> Cpt:
    """A table out of what a file lists.

    `entries` are pairs of a parent configuration (or "table" for all at once, "default" for the rest) and
    numbers; a whole table runs through the child's levels slowest and the last parent's fastest, as the
    format has it.
    """
    size = len(levels[child])
    shape = tuple(len(levels[name]) for name in parents)
    check_size(child, (*shape, size))
    table = np.full((*shape, size), np.nan)
    for key, numbers in sorted(entries, key=lambda entry: entry[0] != "default"):
        wanted = table.size if key == "table" else size
        if len(numbers) != wanted:
            raise DataError(f"The table of {child[:60]!r} lists {len(numbers)} numbers where {wanted} belong.")
        if key == "table":
            table = np.moveaxis(np.array(numbers).reshape(size, *shape), 0, -1)
        elif key == "default":
            table[...] = numbers
        else:
            table[_configuration(child, parents, levels, key)] = numbers
    if np.isnan(table).any():
        raise DataError(f"The table of {child[:60]!r} lacks some configurations of its parents; list them all.")
    if (table < 0).any() or (np.abs(table.sum(axis=-1) - 1) > 0.01).any():
        raise DataError(f"In the table of {child[:60]!r} some probabilities are negative or do not add up to one.")
    return Cpt(child, tuple(parents), np.ascontiguousarray(table))


def _configuration(
    child: str, parents: Sequence[str], levels: Mapping[str, Sequence[str]], key: Sequence[str]
) -> tuple[int, ...]:
    if len(key) != len(parents):
        raise DataError(f"A line of the table of {child[:60]!r} names {len(key)} levels for {len(parents)} parents.")
    for parent, level in zip(parents, key, strict=True):
        if level not in levels[parent]:
            raise DataError(
                f"The table of {child[:60]!r} names the level {level[:60]!r}, which {parent[:60]!r} does not have."
            )
    return tuple(levels[parent].index(level) for parent, level in zip(parents, key, strict=True))
