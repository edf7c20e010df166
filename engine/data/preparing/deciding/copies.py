"""Cards for columns that another one determines: copies, codes of the same levels, intervals cut from a number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from engine.data.preparing.deciding.decision import Change, Finding
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.proposals import MOST_LEVELS
from engine.data.preparing.variables import Variable
from engine.data.reading.naming import quoted, shown_name
from engine.text import Count, Name

_FEWEST_ROWS = 20
_ROWS_LOOKED_THROUGH = 200_000
_SAMPLE = 400
"""Rows on which pairs are compared before all rows are."""
_MOST_ODD_GAPS = 0.02
"""Share of rows in which one column has a gap and the other has none."""
_GLANCE, _FIRST = 64, 4
"""Rows on which most pairs, all at once, are seen to have nothing to do with each other; first a quarter of them."""
_FEWEST, _LEAST_SHARE = 3, 0.005
"""Rows that each level of a determined column has, and their share of all; fewer may be chance."""


@dataclass(frozen=True)
class _Column:
    name: str
    variable: Variable
    codes: np.ndarray
    few: np.ndarray
    counts: np.ndarray

    @property
    def levels(self) -> int:
        return len(self.counts)


@dataclass(frozen=True)
class _Glance:
    """All columns on some rows: each column's order of these rows by its values, and where two in it are equal."""

    rows: np.ndarray
    order: np.ndarray
    equal: np.ndarray

    @classmethod
    def of(cls, columns: list[_Column], rows: np.ndarray) -> _Glance:
        values = np.array([column.few[rows] for column in columns])
        order = np.argsort(values, axis=1, kind="stable")
        values = np.take_along_axis(values, order, axis=1)
        return cls(rows, order.astype(np.uint8), values[:, 1:] == values[:, :-1])

    def function(self, coarse: _Column, some: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Whether equal values of each of some columns go with equal ones of this; and how often this changes there."""
        level = coarse.few[self.rows][self.order[some]]
        changes = level[:, 1:] != level[:, :-1]
        return ~(changes & self.equal[some]).any(axis=1), changes.sum(axis=1)

    def distinct(self, coarse: _Column) -> int:
        """Number of values that a column has on these rows."""
        return len(np.unique(coarse.few[self.rows]))


def copies(view: TableView) -> Iterator[Finding]:
    """A card for each group of columns that tell the same, and for each column that follows from a finer one."""
    if not _FEWEST_ROWS <= view.n <= _ROWS_LOOKED_THROUGH:
        return
    columns = _columns(view)
    alike: dict[bytes, list[_Column]] = {}
    for column in columns:  # copies have equally frequent values
        alike.setdefault(np.sort(column.counts).tobytes(), []).append(column)
    doubled: set[str] = set()
    for group in alike.values():
        for i, column in enumerate(group):
            twins = [] if column.name in doubled else [other for other in group[i + 1 :] if _alike(column, other)]
            doubled.update(other.name for other in twins)
            if twins:
                yield from _copy_card(view, [column.name, *(other.name for other in twins)])
    yield from _determined(view, [column for column in columns if column.name not in doubled])


def _determined(view: TableView, columns: list[_Column]) -> Iterator[Finding]:
    """A card for each column that follows from another, the least fine that it follows from."""
    if not columns:
        return
    rows = np.linspace(0, len(columns[0].few) - 1, _GLANCE).astype(np.int64)
    glances = [_Glance.of(columns, rows[::_FIRST]), _Glance.of(columns, rows)]
    levels = np.array([column.levels for column in columns])
    numbers = np.array([column.variable.numbers is not None for column in columns])
    least = max(_FEWEST, _LEAST_SHARE * view.n)
    taken: set[str] = set()
    for coarse in sorted((column for column in columns if column.counts.min() >= least), key=lambda item: item.levels):
        some = np.flatnonzero(
            (levels > coarse.levels) & (numbers | (levels + 1 >= 2 * coarse.levels))  # the others cannot: `_determines`
        )
        changes = np.zeros(0, np.int64)
        for glance in glances:
            function, changes = glance.function(coarse, some)
            some, changes = some[function], changes[function]
        interval = dict(zip(some.tolist(), (changes < glances[-1].distinct(coarse)).tolist(), strict=True))
        finer = [
            columns[i]
            for i in some.tolist()
            if columns[i].name not in taken and _determines(columns[i], coarse, interval=interval[i])
        ]
        if finer:
            taken.add(coarse.name)
            yield from _cut_card(view, min(finer, key=lambda item: item.levels), coarse)


def _columns(view: TableView) -> list[_Column]:
    """The columns that are used, or were until a card of this kind was answered."""
    answered = view.answered("copy", "determined")
    sample = np.linspace(0, view.n - 1, min(view.n, _SAMPLE)).astype(np.int64)
    result = []
    for name, kind in view.kinds.items():
        variable = view.now[name]
        if (kind == "ignore" and name not in answered) or view.choices.roles.get(name) or variable.sort == "unusable":
            continue
        counts = variable.counts()
        counts = counts[counts > 0]
        if len(counts) >= 2 and 2 * variable.n_missing <= view.n:
            result.append(_Column(name, variable, variable.codes, variable.codes[sample], counts))
    return result


def _alike(column: _Column, other: _Column) -> bool:
    """True where each value of either goes with one value of the other, beyond what rows that all differ would show."""
    if column.levels != other.levels:
        return False
    if column.levels * _FEWEST <= len(column.codes):
        return _function(column, other) and _function(other, column)
    return column.variable.numbers is not None and other.variable.numbers is not None and _linear(column, other)


def _on_all_rows(column: _Column, other: _Column, holds: Callable[[np.ndarray, np.ndarray], bool]) -> bool:
    """True where something holds of codes that go together, first on a sample, with gaps where there are gaps."""
    for a, b in ((column.few, other.few), (column.codes, other.codes)):
        known = (a >= 0) & (b >= 0)
        if ((a < 0) != (b < 0)).mean() > _MOST_ODD_GAPS or not holds(a[known], b[known]):
            return False
    return True


def _linear(column: _Column, other: _Column) -> bool:
    """Numbers that are the same but for a unit."""

    def is_line(a: np.ndarray, b: np.ndarray) -> bool:
        left, right = column.variable.known_numbers[a], other.variable.known_numbers[b]
        if not np.ptp(left) or not np.ptp(right):
            return False
        low, high = int(left.argmin()), int(left.argmax())
        slope = (right[high] - right[low]) / (left[high] - left[low])
        return bool(np.abs(right - right[low] - slope * (left - left[low])).max() <= 1e-9 * np.ptp(right))

    return _on_all_rows(column, other, is_line)


def _determines(fine: _Column, coarse: _Column, *, interval: bool) -> bool:
    """True where a column follows from a finer one: as groups of levels that repeat, or as intervals of a number."""
    if 2 * fine.levels <= len(fine.codes) / _FEWEST and coarse.levels * 2 <= fine.levels + 1:
        return _function(fine, coarse)
    return interval and fine.variable.numbers is not None and coarse.levels <= MOST_LEVELS and _intervals(fine, coarse)


def _function(fine: _Column, coarse: _Column) -> bool:
    """True where every value of the one column goes with one value of the other, gaps with gaps."""

    def follows(a: np.ndarray, b: np.ndarray) -> bool:
        its = np.full(fine.variable.n_distinct, -1)
        its[a] = b
        return bool((its[a] == b).all())

    return _on_all_rows(fine, coarse, follows)


def _intervals(fine: _Column, coarse: _Column) -> bool:
    """True where the levels of a column are intervals of a number that do not overlap."""

    def are_apart(a: np.ndarray, b: np.ndarray) -> bool:
        size = coarse.variable.n_distinct
        low, high = np.full(size, fine.variable.n_distinct), np.full(size, -1)
        np.minimum.at(low, b, a)
        np.maximum.at(high, b, a)
        met = high >= 0
        order = np.argsort(low[met])
        return not (low[met][order][1:] <= high[met][order][:-1]).any()

    return _on_all_rows(fine, coarse, are_apart)


def _copy_card(view: TableView, columns: list[str]) -> Iterator[Finding]:
    # the copy in words says more than that in numbers
    original = next((name for name in columns if view.now[name].sort == "words"), columns[0])
    out = [name for name in columns if name != original]
    change: Change = {"kinds": dict.fromkeys(out, "ignore")}
    yield Finding(
        "copy",
        columns,
        {
            "named": quoted(out),
            "kept": shown_name(original, 40),
            "first": shown_name(out[0], 20) if len(out) == 1 else "the copies",
            "both": "all" if len(columns) > 2 else "both",
        },
        {"drop": change, "keep": {}},
        view.n * len(out) / 4,
        number=len(out),
        chosen=view.any_left_out(columns),
    )


def _cut_card(view: TableView, fine: _Column, coarse: _Column) -> Iterator[Finding]:
    columns = [fine.name, coarse.name]
    cut = fine.variable.numbers is not None and fine.levels > 10 and _intervals(fine, coarse)
    yield Finding(
        "determined",
        columns,
        {
            "coarse": Name(coarse.name),
            "fine": Name(fine.name),
            "follows": "is cut from" if cut else "follows from",
            "levels": Count(coarse.levels),
        },
        {"coarse": {"kinds": {coarse.name: "ignore"}}, "fine": {"kinds": {fine.name: "ignore"}}, "keep": {}},
        view.n / 4,
        chosen=view.any_left_out(columns),
    )
