"""One place where sentences are put to the test: tables of a kind, and how often what is said of them is so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

Counted = Mapping[str, tuple[int, int]]
"""Quantity -> how often it was so, of how many."""


@dataclass(frozen=True)
class Cell:
    """Tables of one kind.

    Attributes
    ----------
    name : what they are, such as "200 rows, 5 variables"
    measure : a generator -> what one table gives; it can be pickled
    share : of the tables that the plan asks for; below 1 where a table takes long
    """

    name: str
    measure: Callable[[np.random.Generator], Counted]
    share: float = 1.0


@dataclass(frozen=True)
class Bar:
    """What a share of all tables of a cell is held to.

    Attributes
    ----------
    low, high : the least and the most; None for no such end
    least : of fewer a share says too little to be held to anything
    """

    low: float | None = None
    high: float | None = None
    least: int = 1

    def holds(self, share: float) -> bool:
        """Whether a share is within."""
        return (self.low is None or share >= self.low) and (self.high is None or share <= self.high)

    def words(self) -> str:
        """'at most 0.07', '0.92 to 0.98', 'at least 0.95'."""
        if self.low is None:
            return f"at most {self.high:g}"
        return f"at least {self.low:g}" if self.high is None else f"{self.low:g} to {self.high:g}"
