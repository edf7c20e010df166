"""The evidence that one variable differs given some parents, taken apart: what differs, and where on the scale."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.methods.fitting import check_shape, check_that
from engine.methods.storing import storable

SHAPES = ("location", "spread", "shape")
"""What one common difference of a number or an ordered variable may be: of its scores, of their squares, and of how far
from the middle they are where the squares agree (two humps)."""


@storable
@dataclass(frozen=True, eq=False)
class Segments:
    """Where along a number or an ordered scale the groups' shares differ, in one context (NUMBERS, Evidence 1).

    Attributes
    ----------
    lows, highs : (k,) least and largest value of the rows in each cell, in the column's units (of an ordered variable
        its codes)
    counts : (2, k) rows of the first group and of the second in each cell
    higher : (k,) posterior probability that the second group's share in the cell is above its share of the context
    """

    lows: np.ndarray
    highs: np.ndarray
    counts: np.ndarray
    higher: np.ndarray

    def _check_read(self) -> None:
        k = len(self.lows)
        for numbers in (self.highs, self.higher):
            check_shape(numbers, k)
        check_shape(self.counts, 2, k)
        check_that(((self.higher >= 0) & (self.higher <= 1)).all(), "a probability is none")


@storable
@dataclass(frozen=True, eq=False)
class ChildEvidence:
    """The evidence that a variable differs given some parents.

    Attributes
    ----------
    parents : by position
    common : (s,) ln Bayes factors of one common difference over all contexts: of `SHAPES` for a number or an ordered
        variable, of the odds of each level against the rest else; none where only blocks are weighed
    effects : (s,) their estimates: in standard deviations of the scores, or log odds ratios; above 0 where the second
        group is higher, varies more, is further from the middle, has more of the level
    blocks : (J,) ln Bayes factor of each context that has rows, in the order of the configurations
    segments : of each context of a number or an ordered variable, in the same order; none for others
    """

    parents: tuple[int, ...]
    common: np.ndarray
    effects: np.ndarray
    blocks: np.ndarray
    segments: tuple[Segments, ...]

    def _check_read(self) -> None:
        check_shape(self.effects, len(self.common))
        check_that(len(self.segments) in (0, len(self.blocks)), "contexts and their segments do not match")
