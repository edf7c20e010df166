"""What chance alone shows: labels dealt at random among what may be exchanged, series of unlike length made alike.

Shares of short series scatter more, and what scatters in one class alone seems to set it apart: with 60 steps against
240 a link is called in a third of tables without a difference. Shuffled classes hold both lengths and show none of it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.data.rows.relations import FEWEST
from engine.methods.discriminative.points import Points, cut_to, only
from engine.resampling import units_of
from engine.words import first

ALIKE = 1.25
"""How many times as long as another a series, or the mean of a class, may be and still count as of the same length."""


def compared_alike(points: Points) -> Points:
    """Points whose lengths say nothing of their classes.

    Where classes have series of about the same length nothing is changed. Else, where most series of every class have
    their like in another class, classes are shuffled among series of like length (`Points.strata`). Else all series are
    cut to their first steps, as many of each; one that is much shorter than nearly all others of its class is left out
    before it shortens all.
    """
    if not points.series or not unlike(points.lengths, points.labels):
        return points
    steps = np.bincount(points.row_point, minlength=points.n_points)
    text = f"Series are {int(steps.min()):,} to {int(steps.max()):,} steps long, unlike between classes; "
    strata = strata_of(points.lengths)
    if exchangeable(strata, points.labels):
        words = f"{text}classes are shuffled among series of like length only."
        return replace(points, strata=strata, words=(*points.words, words))
    length = common_length(points.lengths, points.labels)
    long_enough = points.lengths >= length
    if not long_enough.all():
        lost = (f"'{name[:40]}'" for name, keep in zip(points.ids, long_enough, strict=True) if not keep)
        text_of_lost = f"Left out, since their series are much shorter than the others: {first(lost)}."
        points = only(points, long_enough, text_of_lost)
    result = cut_to(points, length)
    most = int(np.bincount(result.row_point).max())
    return replace(
        result, block=length, words=(*result.words, f"{text}compared over the first {most:,} steps of each.")
    )


def unlike(lengths: np.ndarray, labels: np.ndarray) -> bool:
    """Whether classes have series of unlike length, by the mean over series and by that over observations."""
    seen = np.bincount(labels, lengths)
    means = seen / np.bincount(labels), np.bincount(labels, lengths.astype(float) ** 2) / seen
    return any(float(mean.max()) > ALIKE * float(mean.min()) for mean in means)


def strata_of(lengths: np.ndarray) -> np.ndarray:
    """(S,) numbers of groups in which no series is much longer than another, counted from the shortest."""
    result = np.zeros(len(lengths), dtype=np.int64)
    shortest, number = 0, -1
    for i in np.argsort(lengths, kind="stable").tolist():
        if number < 0 or lengths[i] > ALIKE * shortest:
            shortest, number = int(lengths[i]), number + 1
        result[i] = number
    return result


def exchangeable(strata: np.ndarray, labels: np.ndarray) -> bool:
    """Whether half of every class, and no fewer than six, have one of another class in their stratum."""
    table = np.zeros((int(strata.max()) + 1, int(labels.max()) + 1), dtype=np.int64)
    np.add.at(table, (strata, labels), 1)
    mixed = table[(table > 0).sum(axis=1) > 1].sum(axis=0)
    return bool((mixed >= np.maximum(FEWEST, table.sum(axis=0) / 2)).all())


def common_length(lengths: np.ndarray, labels: np.ndarray) -> int:
    """Observations that all series are cut to: those of the shortest, or of the shortest that is no exception."""
    tenth = min(int(np.quantile(lengths[labels == code], 0.1, method="lower")) for code in range(int(labels.max()) + 1))
    shortest = int(lengths.min())
    return shortest if tenth <= ALIKE * shortest else tenth


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
