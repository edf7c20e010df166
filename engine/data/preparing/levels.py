"""From distinct values to the levels of a variable: order, merging, rare levels, intervals, missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.data.preparing.binning import (
    FEW_VALUES,
    Levels,
    cut_text,
    interval_codes,
    interval_labels,
    number_levels,
    width_cuts,
)
from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.proposals import MOST_LEVELS, level_order, same_answers
from engine.data.preparing.variables import Variable, day_text, narrow
from engine.data.reading.naming import quoted_values, shown_name, shown_value
from engine.data.reading.scales import known_order
from engine.errors import DataError
from engine.text import Count, Level, Number, People, first, joined, told

MOST_LEVELS_EVER = 1_000
MISSING_LEVEL = "missing"
"""Name of the level of missing cells, where no level of the file is called so."""


@dataclass(frozen=True)
class Coded:
    """A column as codes (-1 only in rows that are dropped), with its levels in order and words about it.

    `places` is the code of each distinct value, `absent` the level of missing cells where they have one;
    `ordered` says that the others keep an order although the variable, with that level, has none.
    """

    codes: np.ndarray
    places: np.ndarray
    levels: tuple[str, ...]
    kind: str
    cuts: tuple[float, ...] = ()
    intervals: tuple[str, ...] = ()
    absent: str = ""
    ordered: bool = False
    note: str = ""
    problems: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", narrow(self.codes, len(self.levels)))


def coded(variable: Variable, kind: str, rows: np.ndarray | None, choices: FrameChoices) -> Coded:
    """Give the column its levels; `rows` are numbers of the rows that are kept, each as often as it counts."""
    values = variable.counts_of(rows)
    result = _intervals(variable, values, choices) if kind == "continuous" else _levels(variable, kind, values, choices)
    if choices.chosen_for("missing", variable.name) == "level" and variable.n_missing:
        result = _with_missing(result)
    counts = level_counts(result, values)
    empty = [level for level, count in zip(result.levels, counts, strict=True) if not count]
    if empty:
        words = told(
            "'{}' has level(s) without a row that is used: {}.", shown_name(variable.name), quoted_values(empty[:5])
        )
        result = replace(result, problems=(*result.problems, words))
    if len(result.levels) == 1:
        words = told("'{}' has one level only and can tell nothing.", shown_name(variable.name))
        result = replace(result, problems=(*result.problems, words))
    return result


def _intervals(variable: Variable, values: np.ndarray, choices: FrameChoices) -> Coded:
    name, numbers = variable.name, variable.numbers
    if name in choices.levels:
        raise DataError(
            "'{}' is continuous, so its levels are intervals; give cut points in 'bins', or choose ordinal.",
            shown_name(name),
            column=name,
        )
    if numbers is None or not len(numbers):
        raise DataError("'{}' has no numbers to cut into intervals; leave it out.", shown_name(name), column=name)
    wanted = choices.chosen_for("bins", name)
    alone: dict[int, float] = {}
    problems = []
    if isinstance(wanted, tuple):
        cuts, note = wanted, told("cut at the points given into {} intervals", Count(len(wanted) + 1))
    else:
        low, high = variable.ends
        counts = values[:-1]
        inner = counts > 0  # each end of the scale is an interval of its own; the others part the rest
        inner &= (numbers >= (-np.inf if low is None else low)) & (numbers < (np.inf if high is None else high))
        result, manner, alone_words = _cut(numbers[inner], counts[inner], choices, variable)
        cuts = tuple(sorted({*result.cuts, *(end for end in variable.ends if end is not None)}))
        below = int(low is not None)
        alone = {i + below: value for i, value in result.alone.items()}
        note = told(manner, Count(len(cuts) + 1), *filter(None, [alone_words]))
        if len(result.cuts) + 1 < wanted and len(result.alone) < inner.sum():
            problems.append(
                told(
                    "'{}' could be cut into {} instead of {} intervals, because many rows have equal values.",
                    shown_name(name),
                    Count(len(result.cuts) + 1),
                    Count(wanted),
                )
            )
    text = day_text if variable.sort == "date" else cut_text
    labels = interval_labels(cuts, whole=variable.whole, text=text, alone=alone)
    level_codes = interval_codes(numbers, cuts)
    codes = np.append(level_codes, -1)[variable.codes]
    return Coded(codes, level_codes, labels, "continuous", tuple(cuts), labels, note=note, problems=tuple(problems))


def _cut(numbers: np.ndarray, counts: np.ndarray, choices: FrameChoices, variable: Variable) -> tuple[Levels, str, str]:
    """Levels of the distinct numbers that rows have, so many rows each; how they were found, and which are alone."""
    wanted = choices.chosen_for("bins", variable.name)
    if choices.chosen_for("binning", variable.name) != "quantile":
        return Levels(width_cuts(numbers, wanted), {}), "cut into {} intervals of equal width", ""
    chosen = isinstance(choices.bins, Mapping) and variable.name in choices.bins
    few = min(wanted, FEW_VALUES) if chosen else FEW_VALUES  # who asks for two intervals of five values gets two
    result = number_levels(numbers, counts, wanted, few=few, rounded=variable.rounded)
    if len(result.alone) == len(numbers):
        return result, "its {} values are its levels", ""
    if result.alone:
        text = day_text if variable.sort == "date" else cut_text
        alone = joined(map(Level, map(text, result.alone.values())), " and ")
        return result, "cut into {} intervals, {} by itself, since many rows have it", alone
    return result, "cut into {} intervals with about equally many rows", ""


def _levels(variable: Variable, kind: str, values: np.ndarray, choices: FrameChoices) -> Coded:
    name = variable.name
    if variable.n_distinct > MOST_LEVELS_EVER and name not in choices.merge:
        raise DataError(
            "'{}' has {} different values, too many for levels (at most {}). Choose continuous, or leave it out.",
            shown_name(name),
            Count(variable.n_distinct),
            Count(MOST_LEVELS_EVER),
            column=name,
        )
    names = variable.level_names()
    order, _ = level_order(variable)
    pairs = choices.merge.get(name, {})
    unasked = {} if pairs else _unasked(variable, choices)
    unknown = next((old for old in pairs if old not in names), None)
    if unknown is not None:
        known = quoted_values(names[:8])
        raise DataError(
            "'{}' has no level '{}' to merge; it has {}.", shown_name(name), shown_value(unknown), known, column=name
        )
    note = told("{} level(s) merged as asked", Count(len(pairs))) if pairs else ""
    if unasked:
        note = told("counted as one: {}", first((quoted_values(pair, " and ") for pair in unasked.items()), 4))
        pairs = unasked
    becomes = [pairs.get(level, level) for level in names]
    order = tuple(dict.fromkeys(pairs.get(level, level) for level in order))
    reordered, why = known_order(order) if pairs else ([], "")
    if why:  # after merging, numbers and known scales are sorted again; other words stay where they were
        order = tuple(reordered)
    levels, problems = _given_order(variable, order, becomes, choices)
    place = {level: code for code, level in enumerate(levels)}
    positions = np.array([place[level] for level in becomes], dtype=np.int64)
    result = Coded(
        np.append(positions, -1)[variable.codes],
        positions,
        levels,
        kind,
        note=note,
        problems=tuple(problems),
    )
    threshold = choices.chosen_for("rare", name)
    return _without_rare(result, values, threshold) if threshold else result


def _unasked(variable: Variable, choices: FrameChoices) -> dict[str, str]:
    """Spellings of yes and no that are one, but for those that are levels by choice."""
    if variable.sort != "words" or not 2 < variable.n_distinct <= MOST_LEVELS:
        return {}
    rows = dict(zip(variable.level_names(), variable.counts().tolist(), strict=True))
    chosen = choices.levels.get(variable.name, ())
    return {old: new for old, new in same_answers(rows).items() if old not in chosen and (not chosen or new in chosen)}


def level_counts(coded: Coded, values: np.ndarray) -> np.ndarray:
    """Rows of each level, of the rows with each distinct value and at last of those without one."""
    result = np.zeros(len(coded.levels), dtype=np.int64)
    np.add.at(result, coded.places, values[:-1])
    if coded.absent:
        result[coded.levels.index(coded.absent)] += values[-1]
    return result


def _given_order(
    variable: Variable, order: tuple[str, ...], becomes: list[str], choices: FrameChoices
) -> tuple[tuple[str, ...], list[str]]:
    """The user's levels where given, else `order`; an error with its row for a value outside them."""
    given = choices.levels.get(variable.name)
    if given is None:
        return order, []
    counts = variable.counts()
    outside = np.array([level not in given for level in becomes], bool) & (counts > 0)
    if outside.any():
        row, text = variable.where(outside, 1)[0]
        rows = int(counts[outside].sum())
        raise DataError(
            "'{}' has the value '{}' in row {} ({} in all), which is not among the levels given. Add "
            "it to the levels, merge it into one, or list it as a missing token.",
            shown_name(variable.name),
            shown_value(text),
            Number(row),
            People(rows, "row(s)", "row(s)"),
            column=variable.name,
            row=row,
        )
    # unused categories that the user's list leaves out have no rows, so nothing is lost
    becomes[:] = [level if level in given else given[0] for level in becomes]
    return given, []


def _without_rare(coded: Coded, values: np.ndarray, threshold: int) -> Coded:
    counts = level_counts(coded, values)
    if (counts >= threshold).all():
        return coded
    if coded.kind == "ordinal":
        groups = _join_neighbours([([i], int(count)) for i, count in enumerate(counts)], threshold)
        ends = [(coded.levels[group[0]], coded.levels[group[-1]]) for group in groups]
        labels = [low if low == high else f"{low} to {high}" for low, high in ends]
        target = "a neighbour"
    else:
        rare = [i for i, count in enumerate(counts) if count < threshold]
        frequent = [i for i in range(len(counts)) if i not in rare]
        other = [i for i in frequent if coded.levels[i] == "other"]
        groups = [[i] for i in frequent if i not in other] + [other + rare]
        labels = [coded.levels[group[0]] for group in groups[:-1]] + ["other"]
        target = "'other'"
    place = np.full(len(counts) + 1, -1)
    for code, group in enumerate(groups):
        place[group] = code
    merged = quoted_values([level for level, n in zip(coded.levels, counts, strict=True) if n < threshold])
    note = told("levels with fewer than {} rows merged into {}: {}", Count(threshold), target, merged)
    return replace(
        coded,
        codes=place[coded.codes],
        places=place[coded.places],
        levels=tuple(labels),
        note="; ".join(filter(None, (coded.note, note))),
    )


def _join_neighbours(groups: list[tuple[list[int], int]], threshold: int) -> list[list[int]]:
    """Join the smallest group to its smaller neighbour until every group has enough rows."""
    while len(groups) > 1 and min(count for _, count in groups) < threshold:
        i = min(range(len(groups)), key=lambda k: groups[k][1])
        sides = [k for k in (i - 1, i + 1) if 0 <= k < len(groups)]
        j = min(sides, key=lambda k: groups[k][1])
        low, high = sorted((i, j))
        joined = (groups[low][0] + groups[high][0], groups[low][1] + groups[high][1])
        groups = [*groups[:low], joined, *groups[high + 1 :]]
    return [members for members, _ in groups]


def _with_missing(coded: Coded) -> Coded:
    """Missing cells as a level of their own, last; the variable then has no order any more."""
    label = missing_label(coded.levels)
    codes = np.where(coded.codes < 0, len(coded.levels), coded.codes)
    changed = "ordinal became nominal, since missing has no place in its order" if coded.kind == "ordinal" else ""
    kind = "nominal" if coded.kind == "ordinal" else coded.kind
    note = joined(filter(None, (coded.note, "missing is a level of its own", changed)), "; ")
    return replace(
        coded, codes=codes, levels=(*coded.levels, label), absent=label, ordered=bool(changed), kind=kind, note=note
    )


def missing_label(levels: Sequence[str]) -> str:
    """A name for the level of missing cells that is none of these levels."""
    label, number = MISSING_LEVEL, 1
    while label in levels:
        number += 1
        label = f"{MISSING_LEVEL} ({number})"
    return label


def place_levels(levels: Sequence[str], positions: Mapping[int, int]) -> list[str]:
    """The levels after some were given a new place; the others make room."""

    def rank(i: int) -> tuple[int, int, int]:
        wanted = positions.get(i, i + 1)
        return wanted, (wanted > i + 1) - (wanted < i + 1), i

    return [levels[i] for i in sorted(range(len(levels)), key=rank)]
