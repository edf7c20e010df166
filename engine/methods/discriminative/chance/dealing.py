"""Class labels dealt at random among what may be exchanged: whole subjects, of one fold or of like length."""

from __future__ import annotations

import numpy as np

from engine.methods.discriminative.points import Points
from engine.resampling import units_of


class Dealer:
    """Deals the labels of some points at random, as if they meant nothing.

    Whole subjects change their label, where it is one and the same in most of them; the rows of a subject of two
    classes count as two. Where the label varies inside most subjects, rows change it inside theirs. Folds that were
    made with the classes in view keep how many they have of each: kept like this, each dealing is as likely as the one
    that was observed. Folds that hold one subject each were not, nor those that were made by length.
    """

    def __init__(self, points: Points, fold: np.ndarray | None = None) -> None:
        """`fold` (S,) is the fold of each point, where dealings keep what folds have."""
        labels = points.labels
        units = units_of(labels, points.units)
        if units.inside:
            self.own, self.spread, group = labels, np.arange(len(labels)), points.units
        else:
            self.own, self.spread, group = units.label, units.unit, np.zeros(len(units.label), dtype=np.int64)
            if points.strata is not None:
                group[units.unit] = points.strata
            elif fold is not None and len(np.unique(fold)) < len(np.unique(units.cluster)):
                group[units.unit] = fold
        self.groups = [np.flatnonzero(group == item) for item in np.unique(group)]

    def deal(self, generator: np.random.Generator) -> np.ndarray:
        """(S,) labels, each as often as before in every group."""
        dealt = self.own.copy()
        for group in self.groups:
            dealt[group] = generator.permutation(self.own[group])
        return dealt[self.spread]
