"""How strongly two hidden values are tied beyond what the other parents explain, and what chance would show."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.counting import kernels

ALPHA = 0.05
_Z = 1.959963984540054  # the normal quantile of 0.975
_LARGEST = 1 - 1e-12


@dataclass(frozen=True)
class Link:
    """Two variables, the later one given its other parents.

    Attributes
    ----------
    partial : partial correlation of the hidden values;  low, high : its 95 % interval (Fisher's z)
    weight : of the regression, in standard deviations of both
    log_bayes_factor : natural logarithm of the odds that the rows speak for the link by, after the BIC
    chance : how often one of all pairs would show as much without any link, at most 1 (Bonferroni)
    """

    partial: float
    low: float
    high: float
    weight: float
    log_bayes_factor: float
    chance: float

    @property
    def beyond_chance(self) -> bool:
        """Whether chance alone would rarely show as much among all pairs."""
        return self.chance <= ALPHA

    def below(self, margin: float) -> bool:
        """Whether a partial correlation of this size is improbable.

        Parameters
        ----------
        margin : between 0 and 1
        """
        return max(abs(self.low), abs(self.high)) < margin


def link(correlation: np.ndarray, source: int, child: int, given: tuple[int, ...], rows: float, pairs: int) -> Link:
    """What is known of a pair.

    Levels tell less than hidden values would: the rows are those of hidden values that would tell as much.

    Parameters
    ----------
    correlation : (p, p) of the hidden values
    source, child, given : positions: a possible parent, its child, and the child's other parents
    rows : effective number
    pairs : how many pairs there are

    Returns
    -------
    `Link`
    """
    found = np.empty(1)
    groups = np.array([given], dtype=np.int64).reshape(1, len(given))
    kernels().partial_correlations(np.ascontiguousarray(correlation), source, child, groups, found)
    partial = float(np.clip(found[0], -_LARGEST, _LARGEST))
    family = [source, *given]
    weight = float(np.linalg.lstsq(correlation[np.ix_(family, family)], correlation[family, child], rcond=None)[0][0])
    free = rows - len(given) - 3
    gained = -0.5 * rows * math.log1p(-partial * partial) - 0.5 * math.log(max(rows, 1.0))
    if free <= 0:
        return Link(partial, -1.0, 1.0, weight, gained, 1.0)
    z, spread = math.atanh(partial), 1.0 / math.sqrt(free)
    chance = min(1.0, pairs * math.erfc(abs(z) / spread / math.sqrt(2.0)))
    return Link(partial, math.tanh(z - _Z * spread), math.tanh(z + _Z * spread), weight, gained, chance)
