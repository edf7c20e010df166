"""PACL over rows as a score that any search takes: the class is a variable of the table, and left alone."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.counting.by_group import Slices
from engine.data.dataset import Dataset
from engine.scores.discriminative import BoundACL
from engine.scores.local import FamilyByName


@dataclass(frozen=True)
class ACL(FamilyByName):
    """Approximate conditional likelihood of one class's network; the sum of both classes' where `network` is None."""

    target: str
    network: str | None = None
    parameters: str = "ml"
    eps: float = 1.0
    balance: bool = True

    @property
    def equivalent(self) -> bool:
        """With ML parameters equivalent DAGs score the same; with the others they need not."""
        return self.parameters == "ml"

    def bind(self, data: Dataset) -> BesideClass:
        """This score with its data, as a search wants it."""
        target, levels = data.index(self.target), data.levels[self.target]
        own = levels[-1] if self.network is None else self.network
        group = (data.codes[target] == levels.index(own)).astype(np.int64)
        bound = BesideClass(
            Slices(data.codes, data.codes, data.arity),
            group,
            self.parameters,
            self.eps,
            self.balance,
            self.network is None,
        )
        bound.target = target
        return bound


class BesideClass(BoundACL):
    """`BoundACL` of a table that holds the class too: nothing leads into it or out of it."""

    target: int

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        """Natural-log score of one family; 0 for the class alone."""
        if child == self.target:
            return 0.0 if not parents else -np.inf
        return -np.inf if self.target in parents else super().local(child, parents)

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        """See `BoundACL.additions`."""
        free = np.ones(self.n_variables, dtype=bool) if among is None else among.copy()
        free[self.target] = False
        return super().additions(child, parents, free & (child != self.target))
