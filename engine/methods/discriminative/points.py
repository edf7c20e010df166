"""The points that are classified: series of subjects, or rows. Labels, observations, and the numbers behind codes."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.data.dataset import Dataset
from engine.data.preparing.variables import Numbers
from engine.data.rows.relations import FEWEST
from engine.data.series import series
from engine.errors import DataError
from engine.resampling import units_of
from engine.text import Count, Name, People, Text, first, told
from engine.words import count, distinct, short

CHANGE = "change of {}"
"""The second variable that is made of a series of one variable, since a single one has nothing to be linked with."""
NO_LABEL = -1
Placement = tuple[tuple[str, ...], np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Of points what `Points` has from `ids` to `point`."""


@dataclass(frozen=True, eq=False)
class Points:
    """Data points with their classes; subjects in the order of their names, rows in the order of what they hold.

    Attributes
    ----------
    names, levels : p variables in the order of their names, and the level names of their codes as the table has them
    classes : of the target, those that occur
    labels : (S,) class of each point, -1 where it has none
    ids : S names of the points
    units : (S,) what must stay together in a fold: the point, or the subject of a row
    rows : (n,) rows of the data set that belong to points
    row_point : (n,) point of each
    before, after : (m,) places in `rows` of every observation;  point : (m,) whose it is, rising
    previous : (n,) place of the step before each row, -1 where there is none
    codes : (p, n) as the table has them
    numbers : what is behind the codes, where they were cut from numbers
    ordered : (p,) whether levels have an order
    series : whether a point is a series
    words : what was passed over, a sentence each
    strata : (S,) groups of series of like length, inside which alone labels may be exchanged; None where all may
    block : observations that every series was cut to; 0 where none was cut
    """

    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    classes: tuple[str, ...]
    labels: np.ndarray
    ids: tuple[str, ...]
    units: np.ndarray
    rows: np.ndarray
    row_point: np.ndarray
    before: np.ndarray
    after: np.ndarray
    point: np.ndarray
    previous: np.ndarray
    codes: np.ndarray
    numbers: tuple[Numbers | None, ...]
    ordered: tuple[bool, ...]
    series: bool
    words: tuple[str, ...] = ()
    strata: np.ndarray | None = None
    block: int = 0

    @property
    def n_points(self) -> int:
        """S."""
        return len(self.ids)

    def column(self, i: int) -> np.ndarray:
        """(n,) the numbers of a variable that has some, NaN where one is not known."""
        result = self.numbers[i]
        return np.full(len(self.rows), np.nan) if result is None else result.column

    def change(self, i: int) -> np.ndarray:
        """(n,) how the numbers of a variable changed since the step before, NaN where that is not known."""
        column = self.column(i)
        return np.where(self.previous >= 0, column - column[self.previous], np.nan)

    @property
    def positions(self) -> np.ndarray:
        """(S,) where each point stands in tables: subjects by name, rows as the data set has them."""
        return np.arange(self.n_points) if self.series else self.rows

    @property
    def lengths(self) -> np.ndarray:
        """(S,) observations of each point."""
        return np.bincount(self.point, minlength=self.n_points)

    @property
    def sizes(self) -> np.ndarray:
        """(K,) points of each class."""
        return np.bincount(self.labels[self.labels >= 0], minlength=len(self.classes))

    @property
    def noun(self) -> str:
        """The noun of a point."""
        return "subject" if self.series else "row"


def points_of(data: Dataset, target: str, classes: Sequence[str] | None = None) -> Points:
    """The points of a data set."""
    known = classes is not None
    names = tuple(sorted(name for name in data.names if name != target))
    if not names:
        raise DataError("There is no variable beside the classes; choose more.")
    is_series = data.steps is not None and "time" in data.roles.values()
    placement, words = _series_points(data) if is_series else _row_points(data, names, target)
    ids, _, rows, row_point, before, after, _ = placement
    label = np.full(len(ids), NO_LABEL)
    levels = tuple(classes or ())
    if target in data.names or not known:
        column = data.column(target)[rows].astype(np.int64)
        if is_series:
            _check_single_label(data, target, ids)
        unknown = data.missing_level(target)
        present = [level for code, level in enumerate(data.levels[target]) if level != unknown and code in column]
        levels = levels if known else tuple(present)
        place = {level: i for i, level in enumerate(levels)}
        to = np.array([place.get(level, NO_LABEL) for level in data.levels[target]])
        label[row_point] = to[column]
    columns = [data.index(name) for name in names]
    codes = data.codes_of(columns)[:, rows]
    numbers: list[Numbers | None] = [data.numbers[name].rows(rows) if name in data.numbers else None for name in names]
    previous = np.full(len(rows), -1)
    if is_series:
        previous[after] = before
    of_table = tuple(data.levels[name] for name in names)
    ordered = tuple(data.kinds[name] != "nominal" for name in names)
    known_of_rows = previous, codes, tuple(numbers), ordered, is_series, tuple(words)
    result_points = Points(names, of_table, levels, label, *placement, *known_of_rows)
    if is_series and len(names) == 1 and numbers[0] is not None:
        result_points = _with_change(result_points)
    return result_points if known else checked(result_points, target)


def _series_points(data: Dataset) -> tuple[Placement, list[str]]:
    """The points of series, and what was passed over."""
    result, steps = series(data), data.steps
    if steps is None:  # `series` has refused already
        raise DataError("This table has no series.")
    pairs = result.transitions
    if not len(pairs):
        raise DataError(
            "No step follows another inside a subject, so there is nothing to learn from; look at the time column, or "
            "take its role away to use every row by itself."
        )
    subject = steps.subject[pairs[:, 0]]
    present = sorted(np.unique(subject).tolist(), key=lambda item: steps.subjects[item])
    order = np.full(len(steps.subjects), -1)
    order[present] = np.arange(len(present))
    point = order[subject]
    by = np.lexsort((steps.step[pairs[:, 0]], point))
    pairs, point = pairs[by], point[by]
    rows = np.unique(pairs)
    place = np.full(data.n_rows, -1)
    place[rows] = np.arange(len(rows))
    ids = [steps.subjects[entry] for entry in present]
    words: list[str] = []
    if result.gaps:
        gaps = Count(result.gaps, "gap")
        words.append(told("{} inside the series: what stands on both sides is not taken as one step.", gaps))
    if nobody := int((steps.subject < 0).sum()):
        words.append(told("{} without a subject or a time: in no series, so left out.", People(nobody, "row")))
    lost = [name for name in result.subjects if name not in set(ids)]
    if lost:
        words.append(told("Left out, since no step of theirs follows another: {}.", quoted(lost)))
    row_point = order[steps.subject[rows]]
    return (tuple(ids), np.arange(len(ids)), rows, row_point, place[pairs[:, 0]], place[pairs[:, 1]], point), words


def _row_points(data: Dataset, names: Sequence[str], target: str) -> tuple[Placement, list[str]]:
    """The same of rows, in an order that is not that of the table: equal rows are equal."""
    keys = [data.column(name) for name in names]
    keys += [data.numbers[name].places for name in names if name in data.numbers]
    if target in data.names:
        keys.append(data.column(target))
    n = data.n_rows
    units, words = np.arange(n), list[str]()
    rows = np.lexsort(keys[::-1]) if n else np.arange(0)
    if data.clusters is not None:  # rows of one subject without a time: no order, but never in two folds
        units = np.unique(data.clusters[rows], return_inverse=True)[1]
        whose = "block of neighbours" if data.in_stretches else "subject"
        words.append(f"Rows of one {whose} stay together in every fold; without a time they have no order.")
    ids = tuple(f"row {row + 1}" for row in data.origin[rows])
    at = np.arange(n)
    return (ids, units, rows, at, at, at, at), words


def _check_single_label(data: Dataset, target: str, ids: Sequence[str]) -> None:
    """Refuse a subject of two classes; all its rows are looked at, those without a neighbour too."""
    steps, levels = data.steps, data.levels[target]
    if steps is None:
        return
    inside = steps.subject >= 0
    whose, column = steps.subject[inside], data.column(target)[inside].astype(np.int64)
    low, high = np.full(len(steps.subjects), len(levels)), np.full(len(steps.subjects), -1)
    np.minimum.at(low, whose, column)
    np.maximum.at(high, whose, column)
    known = set(ids)
    torn = [entry for entry in np.flatnonzero(high > low).tolist() if steps.subjects[entry] in known]
    if torn:
        item = torn[0]
        raise DataError(
            f"Subject '{short(steps.subjects[item], 60)}' is '{short(levels[low[item]], 40)}' and "
            f"'{short(levels[high[item]], 40)}' in "
            f"'{short(target, 60)}'; a subject is of one class. Correct it, or choose another column.",
            column=target,
        )


def part_of(points: Points, chosen: np.ndarray, rows: np.ndarray, observations: np.ndarray) -> Points:
    """Some of the points, with some of their rows and some of their observations, by flags."""
    number, place = np.cumsum(chosen) - 1, np.cumsum(rows) - 1
    after, previous = place[points.after[observations]], points.previous[rows]
    return replace(
        points,
        labels=points.labels[chosen],
        ids=tuple(itertools.compress(points.ids, chosen)),
        units=np.unique(points.units[chosen], return_inverse=True)[1],
        rows=points.rows[rows],
        row_point=number[points.row_point[rows]],
        before=after if points.before is points.after else place[points.before[observations]],
        after=after,
        point=number[points.point[observations]],
        previous=np.where((previous >= 0) & rows[previous], place[previous], -1),
        codes=points.codes[:, rows],
        numbers=tuple(None if numbers is None else numbers.rows(np.flatnonzero(rows)) for numbers in points.numbers),
        strata=None if points.strata is None else points.strata[chosen],
    )


def quoted(ids: Iterable[str]) -> Text:
    """Some points by their names."""
    return first(told("'{}'", Name(name)) for name in distinct(list(ids), 40))


def only(points: Points, chosen: np.ndarray, words: str) -> Points:
    """Some of the points; rows and observations of the others are gone."""
    result = part_of(points, chosen, chosen[points.row_point], chosen[points.point])
    return replace(result, words=(*points.words, words))


def cut_to(points: Points, length: int) -> Points:
    """The first observations of every series, as many of each; a shorter series stays as it is."""
    start = np.concatenate([[0], np.cumsum(points.lengths)[:-1]])
    here = np.arange(len(points.point)) - start[points.point] < length
    used = np.zeros(len(points.rows), dtype=bool)
    used[points.before[here]] = used[points.after[here]] = True
    earlier = points.previous[used]
    used[earlier[earlier >= 0]] = True  # a change needs the step before
    return part_of(points, np.ones(points.n_points, dtype=bool), used, here)


def units_by_class(points: Points, labels: np.ndarray) -> np.ndarray:
    """(K,) how many subjects (of rows without subjects: rows) each class has labelled points of."""
    pairs = np.unique(np.stack([points.units, labels])[:, labels >= 0], axis=1)
    return np.bincount(pairs[1], minlength=len(points.classes))


def _with_change(points: Points) -> Points:
    """A series of one variable with a second one: how much it changed since the step before."""
    change = points.change(0)
    known = np.unique(change[np.isfinite(change)])
    positions = np.where(np.isfinite(change), np.searchsorted(known, change), len(known))
    second = Numbers(np.append(known, np.nan), positions.astype(np.uint32))
    keep = np.isfinite(change[points.before])
    return replace(
        points,
        names=(*points.names, CHANGE.format(points.names[0])),
        levels=(*points.levels, ()),
        codes=np.vstack([points.codes, np.zeros_like(points.codes)]),
        numbers=(points.numbers[0], second),
        ordered=(True, True),
        before=points.before[keep],
        after=points.after[keep],
        point=points.point[keep],
        words=(*points.words, "One variable has no other to follow: its change since the step before is a second."),
    )


def checked(points: Points, target: str) -> Points:
    """The points, after a look at how many subjects each class has."""
    noun = "subject" if len(np.unique(points.units)) < points.n_points else points.noun
    check_classes(points.classes, units_by_class(points, points.labels), target, noun)
    return points


def check_classes(classes: Sequence[str], sizes: np.ndarray, target: str, noun: str) -> None:
    """Refuse a single class, and one of fewer than two subjects or rows."""
    if len(classes) < 2:
        text = f"'{short(classes[0], 40)}'" if classes else "no value"
        raise DataError(
            f"'{short(target, 60)}' has {text} only, so there are no two classes to tell apart.", column=target
        )
    small = int(sizes.argmin())
    if sizes[small] < 2:
        raise DataError(
            f"Class '{short(classes[small], 40)}' of '{short(target, 60)}' has {count(int(sizes[small]), noun)}; "
            "at least two of each are needed, one to learn from and one to try it on.",
            column=target,
        )


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
    ends = Count(int(steps.min())), Count(int(steps.max()))
    text = told("Series are {} to {} steps long, unlike between classes;", *ends)
    strata = strata_of(points.lengths)
    if exchangeable(strata, points.labels):
        words = told("{} classes are permuted among series of like length only.", text)
        return replace(points, strata=strata, words=(*points.words, words))
    length = common_length(points.lengths, points.labels)
    long_enough = points.lengths >= length
    if not long_enough.all():
        lost = quoted(name for name, keep in zip(points.ids, long_enough, strict=True) if not keep)
        text_of_lost = told("Left out, since their series are much shorter than the others: {}.", lost)
        points = only(points, long_enough, text_of_lost)
    result = cut_to(points, length)
    most = int(np.bincount(result.row_point).max())
    words = told("{} compared over the first {} steps of each.", text, Count(most))
    return replace(result, block=length, words=(*result.words, words))


def unlike(lengths: np.ndarray, labels: np.ndarray) -> bool:
    """True of classes with series of unlike length, by the mean over series and by that over observations."""
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
    """True where half of every class, and no fewer than six, have one of another class in their stratum."""
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
