"""The edges that may come, with their ranks: what a search asks of whatever keeps them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

import numpy as np

Best = tuple[int, int, float]


class Candidates(ABC):
    """Pairs of variables and how large the criterion ranks an edge between them.

    Attributes
    ----------
    count : how many edges may come, whether their ranks are kept or not
    tolerance : ranks that lie nearer are equal, and the pair first in alphabetical order is taken
    """

    count: int
    tolerance: float

    @abstractmethod
    def best(self) -> Best | None:
        """The pair of largest rank, low end first, and its rank; None where no rank is kept."""

    @abstractmethod
    def value(self, a: int, b: int) -> float:
        """The rank of an edge; -inf where it may not come, or its rank is not kept."""

    @abstractmethod
    def place(self, a: int, b: int, rank: float) -> None:
        """Give an edge that may come a rank, or another one."""

    @abstractmethod
    def strike(self, side_a: int, side_b: int) -> None:
        """No edge may come any more between two sets of variables, as bit sets."""

    @abstractmethod
    def beside(self, a: int) -> Iterable[int]:
        """Variables of the same component that `a` may be joined to; others may be among them."""

    @abstractmethod
    def listed(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Low ends, high ends and ranks of all edges whose ranks are kept, in no order."""
