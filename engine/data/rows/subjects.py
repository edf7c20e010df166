"""How many subjects rows belong to, and whether they are enough to say how much subjects differ by themselves."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

FEWEST = 6
"""Subjects below which nothing is said, unless most rows are of none."""
LEAST_WORTH = 3.0
"""Subjects of one size that unlike ones have to be worth: else a few of them have nearly all rows."""


class SubjectCount(NamedTuple):
    """Subjects of some rows.

    Attributes
    ----------
    subjects : how many there are
    alone, rows : rows without a subject, each its own; all rows
    worth : (sum of m)^2 / sum of m^2 over subjects of m rows: subjects of one size that would be as many
    """

    subjects: int
    alone: int
    rows: int
    worth: float

    @property
    def too_few(self) -> bool:
        """Whether so few subjects have the rows that their own differences cannot be told from others."""
        return self.worth < LEAST_WORTH or (self.subjects < FEWEST and 2 * self.alone < self.rows)

    @property
    def uneven(self) -> bool:
        """Whether there are subjects enough, and a few of them have nearly all rows."""
        return self.subjects >= FEWEST and self.worth < LEAST_WORTH


def count_subjects(clusters: np.ndarray, named: np.ndarray) -> SubjectCount:
    """Count the subjects of some rows."""
    sizes = np.bincount(clusters)
    squares = float((sizes.astype(float) ** 2).sum())
    subjects = int((np.bincount(clusters[named]) > 0).sum()) if named.any() else 0
    return SubjectCount(subjects, int((~named).sum()), len(clusters), float(sizes.sum()) ** 2 / max(squares, 1.0))
