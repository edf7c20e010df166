"""Which rows belong together where rows are only counted: a number of each row's subject, kept as bits beside it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from xxhash import xxh3_128

from engine.data.preparing.steps import Steps
from engine.data.rows.relations import SubjectCount
from engine.data.store import Store

BITS = 17
"""Variables of two levels that hold a row's number, the lowest bit first."""
MOST_SUBJECTS = 100_000
"""Subjects of rows that are only counted; a row without one is its own."""


@dataclass(frozen=True, eq=False)
class CountedSubjects:
    """The subjects of rows that are only counted.

    Attributes
    ----------
    store : the rows with all variables, and after these the bits of each row's number
    names : the variables
    number : (k,) subject of each number that rows have, in the order of the subjects' first rows
    subjects : (m,) their names, None for a row without a subject
    sizes : (m,) rows of each
    """

    store: Store
    names: tuple[str, ...]
    number: np.ndarray
    subjects: tuple[str | None, ...]
    sizes: np.ndarray

    @property
    def bits(self) -> tuple[int, ...]:
        """Positions of the bits in the store."""
        return tuple(range(len(self.names), len(self.names) + BITS))

    @cached_property
    def named(self) -> np.ndarray:
        """(m,) whether it is a subject, and no row by itself."""
        return np.array([name is not None for name in self.subjects])

    @property
    def count(self) -> SubjectCount | None:
        """Number of subjects that the rows belong to; None where no two rows share one."""
        return SubjectCount.of(self.sizes, self.named) if self.sizes.max(initial=0) > 1 else None

    @property
    def digest(self) -> bytes:
        """Of whose row each is."""
        result = xxh3_128(json.dumps(self.subjects).encode())
        result.update(self.number.tobytes())
        result.update(self.store.select(self.bits).digests())
        return result.digest()

    def steps(self, rows: np.ndarray) -> Steps:
        """Whose some rows are, for a sample in memory: which of them follow each other is not known there."""
        bits = self.store.select(self.bits).some(rows).astype(np.int64)
        owner = self.number[(bits << np.arange(BITS)[:, None]).sum(axis=0)]
        place = np.where(self.named, np.cumsum(self.named) - 1, -1).astype(np.int32)
        names = tuple(name for name in self.subjects if name is not None)
        nobody = np.full(len(rows), -1, dtype=np.int32)
        return Steps(names, nobody, place[owner], np.zeros(len(rows), dtype=np.int32))
