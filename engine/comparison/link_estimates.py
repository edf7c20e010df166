"""The numbers of every pair of variables in every group of a comparison."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from engine.comparison.estimates import Estimates
from engine.comparison.scales import SCALES


@dataclass(frozen=True, eq=False)
class LinkEstimates:
    """The numbers of every pair in every group.

    Attributes
    ----------
    scale : `ODDS` or `PARTIAL`
    variables : those that vary in every group, in alphabetical order
    pairs : (q, 2) places of the two variables that an estimate is of
    levels : (q, 2, 2) what is set against each other, see `OddsRatios.levels`
    groups : one a group
    scales : of each estimate; empty where all are on one
    notes : on numbers that groups recorded otherwise, and on gaps
    numbers : the variables that are compared by their values
    slabs : (q,) standard deviations of differences where a link differs
    """

    scale: str
    variables: tuple[str, ...]
    pairs: np.ndarray
    levels: np.ndarray
    groups: list[Estimates]
    scales: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    slabs: np.ndarray = field(default_factory=lambda: np.empty(0))

    @property
    def weights(self) -> np.ndarray:
        """(q,) what an estimate counts in sums: 1, or of several scales about as much as a correlation."""
        return np.array([SCALES[scale].weight for scale in self.scales]) if self.scales else np.ones(len(self.pairs))
