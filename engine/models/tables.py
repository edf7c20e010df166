"""Conditional probability tables: from a data set, and what a BIF file says, checked and put in order."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import DataError

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

MAX_CELLS = 5_000_000
"""Most probabilities one table may have."""


@dataclass(frozen=True, eq=False)
class Cpt:
    """The distribution of a child for each configuration of its parents.

    Attributes
    ----------
    child, parents : names; the parents in the order of the first axes
    table : (levels of each parent ..., levels of the child) probabilities; the last axis sums to one
    """

    child: str
    parents: tuple[str, ...]
    table: np.ndarray


def posterior_mean(data: Dataset, child: str, parents: Sequence[str], alpha: float) -> Cpt:
    """Means of the Dirichlet posteriors: (N_jk + alpha) / (N_j + r alpha), with N_jk rows of child level
    k."""
    which = [data.index(name) for name in (*parents, child)]
    shape = tuple(int(data.arity[i]) for i in which)
    check_size(child, shape)
    flat = np.zeros(data.n_rows, dtype=np.int64)
    for i, size in zip(which, shape, strict=True):
        flat = flat * size + data.codes[i]
    counts = np.bincount(flat, minlength=math.prod(shape)).reshape(shape) + alpha
    return Cpt(child, tuple(parents), counts / counts.sum(axis=-1, keepdims=True))


def check_size(child: str, shape: Sequence[int]) -> None:
    """`DataError` for a table that would fill the memory."""
    if math.prod(shape) > MAX_CELLS:
        raise DataError(
            f"The table of {child[:60]!r} would have {math.prod(shape):,} probabilities (up to {MAX_CELLS:,} are "
            "possible); give it fewer parents or levels."
        )


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
