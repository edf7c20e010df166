"""Sentences that every result of a data set carries: rows that may belong together, rows that were left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from engine.data.dataset import Dataset
from engine.data.reading.naming import shown_name, shown_value
from engine.data.rows.left_out import LeftOut, compare_left_out
from engine.data.rows.relations import CLUSTERS, COPIES, ORDER, Relation
from engine.text import Number, People, Share, Text, listed, told
from engine.words import in_percent, p_value

_RELATIONS = {
    CLUSTERS: "Rows with one value of '{}' are alike, but each was counted by itself; the Data page asks whether they "
    "belong together.",
    COPIES: "{} rows equal another one, more than by chance, and each was counted; the Data page asks about it.",
    ORDER: "Rows that stand side by side are alike, but each was counted by itself; the Data page asks whether they "
    "are sorted.",
}
_MOST_ROWS = 100_000
"""Rows that are used, and rows left out, that are compared; of more, some drawn with a fixed seed."""
_FEWEST_LEFT_OUT = 5
_NAMED = 3
_TOLD: WeakKeyDictionary[Dataset, dict[object, LeftOut]] = WeakKeyDictionary()


def row_notes(data: Dataset, group: str | None = None, labels: Sequence[str] = ()) -> tuple[str, ...]:
    """Notes on the rows of a data set beside every result of it.

    Relations between rows are told until they are settled on the data page (see `engine.decisions`); rows left out for
    gaps are told where they differ from the others by group, or in a variable inside the groups.
    """
    if data.report is None or data.context is None:
        return ()
    notes = [_relation_note(relation) for relation in data.relations]
    gaps = left_out_note(data, group, labels) if group is not None and group in data.names else _without_group(data)
    return (*notes, gaps) if gaps else tuple(notes)


def _relation_note(relation: Relation) -> Text:
    if relation.kind == ORDER:
        return told(_RELATIONS[ORDER])
    what = People(relation.rows) if relation.kind == COPIES else shown_name(relation.column, 40)
    return told(_RELATIONS[relation.kind], what)


def left_out_note(data: Dataset, group: str, labels: Sequence[str] = ()) -> str:
    """The note that what differs between groups may come of rows that were left out for gaps."""
    names, codes = _sides(data, group, tuple(labels))
    result = left_out(data, group, tuple(labels))
    if result is None:
        return ""
    if result.by_group:
        order = sorted(range(len(codes)), key=lambda g: -result.counts[g][0] / max(result.counts[g][1], 1))
        some = order if len(order) <= _NAMED else [order[0], order[-1]]
        shares = listed(told("{} of {}", _share(*result.counts[g]), shown_value(names[g])) for g in some)
        return told("{} were left out for gaps; what differs may be that.", shares)
    if result.by_variable:
        why = "{} of the rows were left out for gaps, and inside the groups that goes with '{}'; "
        why += "what differs may be that."
        return told(why, _share(*result.all), shown_name(result.variable, 40))
    return ""


def left_out(data: Dataset, group: str | None = None, labels: tuple[str, ...] = ()) -> LeftOut | None:
    """The rows left out for gaps, tested against the group and the variables; made once for each data set."""
    context = data.context
    if context is None or not data.in_memory or context.left_out.shape[1] < _FEWEST_LEFT_OUT:
        return None
    told = _TOLD.setdefault(data, {})
    if (group, labels) not in told:
        told[group, labels] = _compare(data, context.left_out, group, labels)
    return told[group, labels]


def _compare(data: Dataset, lost: np.ndarray, group: str | None, labels: tuple[str, ...]) -> LeftOut:
    generator = np.random.default_rng(0)
    n, m = data.n_rows, lost.shape[1]
    some = np.arange(n) if n <= _MOST_ROWS else np.sort(generator.choice(n, _MOST_ROWS, replace=False))
    gone = np.arange(m) if m <= _MOST_ROWS else np.sort(generator.choice(m, _MOST_ROWS, replace=False))
    used = data.codes if len(some) == n else data.store.some(some)
    owners = None
    owner = None if data.context is None else data.context.left_out_owner
    if data.clusters is not None and data.steps is not None and owner is not None:
        owners = (data.steps.owner[some], owner[gone])
    others = [i for i, name in enumerate(data.names) if name != group]
    strata, counts = None, [(m, n + m)]
    if group is not None:
        _, codes = _sides(data, group, labels)
        place = np.full(len(data.levels[group]) + 1, -1, dtype=np.int64)  # the last is that of a missing value
        for g, members in enumerate(codes):
            place[members] = g
        whole = place[data.column(group)], place[lost[data.index(group)]]
        strata = whole[0][some], whole[1][gone]
        kept, out = (np.bincount(item[item >= 0], minlength=len(codes)).tolist() for item in whole)
        counts = [(a, a + b) for a, b in zip(out, kept, strict=True)]
    result = compare_left_out(used[others], lost[others][:, gone], [data.names[i] for i in others], strata, owners)
    return replace(result, counts=tuple(counts))


def _sides(data: Dataset, group: str, labels: tuple[str, ...]) -> tuple[tuple[str, ...], list[list[int]]]:
    """The names of the groups, and the codes of each."""
    levels = data.levels[data.names[data.index(group)]]
    if not labels:
        return levels, [[code] for code in range(len(levels))]
    if len(labels) == 1:
        labels = (*labels, "the others")
    named = {code for code, level in enumerate(levels) if level in labels}
    rest = [code for code in range(len(levels)) if code not in named]
    return labels, [[levels.index(label)] if label in levels else rest for label in labels]


def _without_group(data: Dataset) -> str:
    """The same where nothing is compared: only that those left out are others than those used."""
    result = left_out(data)
    if result is None or not result.by_variable:
        return ""
    why = "{} of the rows were left out for gaps, and they differ from the others in '{}'."
    return told(why, _share(*result.all), shown_name(result.variable, 40))


def left_out_words(data: Dataset) -> str:
    """Whether the rows left out for gaps are seen to differ from those used, without a group; "" where too few are."""
    result = left_out(data)
    if result is None or not result.variable:
        return ""
    least = shown_name(result.variable, 40), Number(p_value(result.p_variable, corrected=True))
    if result.by_variable:
        return told("Rows left out differ from the others, most clearly in '{}' ({}).", *least)
    return told(
        "Whether rows left out differ from the others is inconclusive; the smallest p is for '{}' ({}).", *least
    )


def _share(lost: int, rows: int) -> Share:
    few = 0 < lost < 0.005 * rows
    return Share(lost, rows, written=f"under {in_percent(0.01)}" if few else "")
