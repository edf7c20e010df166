"""Cards for columns that another one determines: copies, codes of the same levels, intervals cut from a number."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.data.preparing.deciding.decision import Change, Decision, Option, key_of, quoted
from engine.data.preparing.deciding.look import Look
from engine.data.preparing.proposals import MOST_LEVELS
from engine.data.preparing.variables import Variable

_FEWEST_ROWS = 20
_ROWS_LOOKED_THROUGH = 200_000
_SAMPLE = 400
"""Rows on which pairs are compared before all rows are."""
_MOST_ODD_GAPS = 0.02
"""Share of rows in which one column has a gap and the other has none."""
_GLANCE = 64
"""Rows on which most pairs, all at once, are found to have nothing to do with each other."""
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


def copies(look: Look) -> Iterator[Decision]:
    """A card for each group of columns that tell the same, and for each column that follows from a finer one."""
    if not _FEWEST_ROWS <= look.n <= _ROWS_LOOKED_THROUGH:
        return
    columns = _columns(look)
    alike: dict[bytes, list[_Column]] = {}
    for column in columns:  # copies have equally frequent values
        alike.setdefault(np.sort(column.counts).tobytes(), []).append(column)
    doubled: set[str] = set()
    for group in alike.values():
        for i, one in enumerate(group):
            twins = [] if one.name in doubled else [other for other in group[i + 1 :] if _alike(one, other)]
            doubled.update(other.name for other in twins)
            if twins:
                yield from _copy_card(look, [one.name, *(other.name for other in twins)])
    yield from _determined(look, [column for column in columns if column.name not in doubled])


def _determined(look: Look, columns: list[_Column]) -> Iterator[Decision]:
    """A card for each column that follows from another, the least fine that it follows from."""
    if not columns:
        return
    rows = np.linspace(0, len(columns[0].few) - 1, _GLANCE).astype(np.int64)
    fine = np.array([column.few[rows] for column in columns])
    order = np.argsort(fine, axis=1, kind="stable")
    fine = np.take_along_axis(fine, order, axis=1)
    equal = fine[:, 1:] == fine[:, :-1]
    least = max(_FEWEST, _LEAST_SHARE * look.n)
    taken: set[str] = set()
    for coarse in sorted((one for one in columns if one.counts.min() >= least), key=lambda one: one.levels):
        level = coarse.few[rows]
        changes = level[order[:, 1:]] != level[order[:, :-1]]
        function = ~(changes & equal).any(axis=1)
        interval = changes.sum(axis=1) < len(np.unique(level))
        finer = [
            columns[i]
            for i in np.flatnonzero(function)
            if columns[i].levels > coarse.levels
            and columns[i].name not in taken
            and _determines(columns[i], coarse, interval=bool(interval[i]))
        ]
        if finer:
            taken.add(coarse.name)
            yield from _cut_card(look, min(finer, key=lambda one: one.levels), coarse)


def _columns(look: Look) -> list[_Column]:
    """The columns that are used, or were until a card of this kind was answered."""
    answered = look.answered("copy", "determined")
    sample = np.linspace(0, look.n - 1, min(look.n, _SAMPLE)).astype(np.int64)
    found = []
    for name, kind in look.kinds.items():
        variable = look.now[name]
        if (kind == "ignore" and name not in answered) or look.choices.roles.get(name) or variable.sort == "unusable":
            continue
        counts = variable.counts()
        counts = counts[counts > 0]
        if len(counts) >= 2 and 2 * variable.n_missing <= look.n:
            found.append(_Column(name, variable, variable.codes, variable.codes[sample], counts))
    return found


def _alike(one: _Column, other: _Column) -> bool:
    """Whether each value of either goes with one value of the other, beyond what rows that all differ would show."""
    if one.levels != other.levels:
        return False
    if one.levels * _FEWEST <= len(one.codes):
        return _function(one, other) and _function(other, one)
    return one.variable.numbers is not None and other.variable.numbers is not None and _linear(one, other)


def _linear(one: _Column, other: _Column) -> bool:
    """Numbers that are the same but for a unit."""
    x, y = (np.append(column.variable.numbers, np.nan) for column in (one, other))  # type: ignore[arg-type]
    for a, b in ((one.few, other.few), (one.codes, other.codes)):
        if ((a < 0) != (b < 0)).mean() > _MOST_ODD_GAPS:
            return False
        known = (a >= 0) & (b >= 0)
        left, right = x[a[known]], y[b[known]]
        if not np.ptp(left) or not np.ptp(right):
            return False
        low, high = int(left.argmin()), int(left.argmax())
        slope = (right[high] - right[low]) / (left[high] - left[low])
        if np.abs(right - right[low] - slope * (left - left[low])).max() > 1e-9 * np.ptp(right):
            return False
    return True


def _determines(fine: _Column, coarse: _Column, *, interval: bool) -> bool:
    """Whether a column follows from a finer one: as groups of levels that repeat, or as intervals of a number."""
    if 2 * fine.levels <= len(fine.codes) / _FEWEST and coarse.levels * 2 <= fine.levels + 1:
        return _function(fine, coarse)
    return interval and fine.variable.numbers is not None and coarse.levels <= MOST_LEVELS and _intervals(fine, coarse)


def _function(fine: _Column, coarse: _Column) -> bool:
    """Whether every value of the one column goes with one value of the other, gaps with gaps."""
    for a, b in ((fine.few, coarse.few), (fine.codes, coarse.codes)):
        known = (a >= 0) & (b >= 0)
        if ((a < 0) != (b < 0)).mean() > _MOST_ODD_GAPS:
            return False
        its = np.full(fine.variable.n_distinct, -1)
        its[a[known]] = b[known]
        if (its[a[known]] != b[known]).any():
            return False
    return True


def _intervals(fine: _Column, coarse: _Column) -> bool:
    """Whether the levels of a column are intervals of a number that do not overlap."""
    for a, b in ((fine.few, coarse.few), (fine.codes, coarse.codes)):
        known = (a >= 0) & (b >= 0)
        if ((a >= 0) != (b >= 0)).mean() > _MOST_ODD_GAPS:
            return False
        size = coarse.variable.n_distinct
        low, high = np.full(size, fine.variable.n_distinct), np.full(size, -1)
        np.minimum.at(low, b[known], a[known])
        np.maximum.at(high, b[known], a[known])
        met = high >= 0
        order = np.argsort(low[met])
        if (low[met][order][1:] <= high[met][order][:-1]).any():
            return False
    return True


def _copy_card(look: Look, columns: list[str]) -> Iterator[Decision]:
    key = key_of("copy", columns)
    # the copy in words says more than that in numbers
    kept = next((name for name in columns if look.now[name].sort == "words"), columns[0])
    out = [name for name in columns if name != kept]
    change: Change = {"kinds": dict.fromkeys(out, "ignore")}
    if not _asked(look, key, columns):
        return
    named = quoted(out)
    one = len(out) == 1
    yield from look.ask(
        key,
        columns,
        f"{named} {'tells' if one else 'tell'} the same as '{kept[:40]}': leave {'it' if one else 'them'} out?",
        "Each value of the one goes with one value of the other, so a network would only show that they are copies.",
        (
            Option("drop", f"Leave out {out[0][:20] if one else 'the copies'}", "", change),
            Option("keep", "Keep all" if len(columns) > 2 else "Keep both", "", {}),
        ),
        look.n * len(out) / 4,
    )


def _cut_card(look: Look, fine: _Column, coarse: _Column) -> Iterator[Decision]:
    columns = [fine.name, coarse.name]
    key = key_of("determined", columns)
    if not _asked(look, key, columns):
        return
    cut = fine.variable.numbers is not None and fine.levels > 10 and _intervals(fine, coarse)
    said = "is cut from" if cut else "follows from"
    no_coarse, no_fine = ({"kinds": {one.name: "ignore"}} for one in (coarse, fine))
    yield from look.ask(
        key,
        columns,
        f"'{coarse.name[:40]}' {said} '{fine.name[:40]}': leave one of them out?",
        f"Each value of '{fine.name[:40]}' goes with one of the {coarse.levels} levels of '{coarse.name[:40]}', so a "
        "network would only show that one is made of the other.",
        (
            Option("coarse", f"Leave out {coarse.name[:20]}", "", no_coarse),
            Option("fine", f"Leave out {fine.name[:20]}", "", no_fine),
            Option("keep", "Keep both", "", {}),
        ),
        look.n / 4,
    )


def _asked(look: Look, key: str, columns: list[str]) -> bool:
    """Whether the card is settled, or all of its columns are still used."""
    return key in look.choices.settled or all(look.kinds[name] != "ignore" for name in columns)
