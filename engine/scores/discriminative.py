"""How well a family tells one class from the other: approximate conditional likelihood (Burge & Lane 2005).

A network of its own for a class is explained well by the class's data (intra, counts a) and badly by all others
(extra, counts b). With d_k = a_k - b_k of one parent configuration j,

    PACL = sum_jk d_jk log theta_jk,      ACL = PACL of the one class's network + PACL of the other's

is decomposable (equations 5 and 6). Parameters: ML (the class's own shares), Max (equation 7) and Mid (equation 8,
misprinted there with a plus: the smallest d is taken away, so that it alone is left at eps). eps is a count. Extra
counts are rescaled to as many observations as the class has, since otherwise the larger class decides the sign of
every d (the paper has equal ones).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

ONE = np.array([0])
"""Where the cells of a single child begin."""


class GroupedCounts(Protocol):
    """Counter of observations by group: `engine.counting.by_group.Slices`, or `engine.counting.row_groups.RowGroups`.

    Attributes
    ----------
    arity : (p,) number of levels of each variable
    starts : (p + 1,) where each variable's cells begin
    n_variables : p
    plain : whether rows stand by themselves, so that a network over them must have no circle
    """

    @property
    def arity(self) -> np.ndarray: ...

    @property
    def starts(self) -> np.ndarray: ...

    @property
    def n_variables(self) -> int: ...

    @property
    def plain(self) -> bool: ...

    def sizes(self, group: np.ndarray, groups: int) -> np.ndarray:
        """(groups,) observations of each group; those below 0 are left out."""

    def family(self, child: int, parents: Sequence[int], group: np.ndarray, groups: int) -> np.ndarray:
        """(groups, q, r) counts of one family."""

    def additions(self, child: int, parents: Sequence[int], group: np.ndarray, groups: int) -> np.ndarray:
        """(groups, q, R, r) counts of the families `parents + (x,)` of one child for every x."""


def log_parameters(
    intra: np.ndarray, extra: np.ndarray, parameters: str, eps: float, starts: np.ndarray = ONE
) -> np.ndarray:
    """log theta of every cell."""
    if parameters == "ml":
        weight = intra + eps
    else:
        delta = intra - extra
        if parameters == "mid":  # equation 8, with the minus that makes it a distribution
            delta = delta - _spread(np.minimum.reduceat(delta, starts, axis=-1), starts, delta.shape[-1])
        weight = np.maximum(delta, 0.0) + eps  # equation 7
    result: np.ndarray = np.log(weight)
    return result - _spread(np.log(np.add.reduceat(weight, starts, axis=-1)), starts, weight.shape[-1])


def _spread(blocks: np.ndarray, starts: np.ndarray, cells: int) -> np.ndarray:
    """A number a child, repeated for every level of it."""
    if len(starts) == 1:
        return blocks
    return np.repeat(blocks, np.diff(np.append(starts, cells)), axis=-1)


def pacl_cells(intra: np.ndarray, extra: np.ndarray, parameters: str, eps: float) -> np.ndarray:
    """(..., r) what every cell of a family adds to PACL; arguments as `log_parameters` takes them."""
    result: np.ndarray = (intra - extra) * log_parameters(intra, extra, parameters, eps)
    return result


def balance_weight(sizes: np.ndarray) -> float:
    """Factor of extra counts, so that they weigh as many observations as the class has.

    `sizes` (2,) are the observations of the others and of the class.
    """
    others, own = map(int, sizes)
    return own / others if others else 1.0


class BoundACL:
    """PACL, or the sum of both classes', of families over slices of series or over rows."""

    def __init__(
        self, slices: GroupedCounts, group: np.ndarray, parameters: str, eps: float, balance: bool, shared: bool
    ) -> None:
        """`group` (m,) is 1 for the class's observations, 0 for the others, below 0 for those left out."""
        self.slices, self.group = slices, group
        self.parameters, self.eps, self.shared = parameters, eps, shared
        self.n_variables = slices.n_variables
        weight = balance_weight(slices.sizes(group, 2)) if balance else 1.0
        self.weights = (weight, 1 / weight if weight else 1.0)

    def value(self, counts: np.ndarray) -> np.ndarray:
        """(2, ...) counts of the others and of the class -> what every cell adds to the score."""
        others, own = counts
        result = pacl_cells(own, self.weights[0] * others, self.parameters, self.eps)
        if self.shared:
            result = result + pacl_cells(others, self.weights[1] * own, self.parameters, self.eps)
        return result

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        """Natural-log score of one family."""
        return float(self.value(self.slices.family(child, parents, self.group, 2)).sum())

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        """(p,) scores of `parents + (x,)` for every x; -inf where x is in the family, or not asked about."""
        cells = self.value(self.slices.additions(child, parents, self.group, 2))
        result = np.add.reduceat(cells.sum(axis=(0, 2)), self.slices.starts[:-1])
        wanted = np.ones(self.n_variables, dtype=bool) if among is None else among.copy()
        wanted[list(parents)] = False
        if self.slices.plain:
            wanted[child] = False
        return np.where(wanted, result, -np.inf)
