"""The card for gaps that cost rows: drop the rows, leave out the columns that cost most, leave open, or a level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.data.preparing.deciding.decision import Change, Finding
from engine.data.preparing.deciding.table_view import TableView
from engine.data.reading.naming import quoted
from engine.text import Count, People, told

_SHARE, _ROWS, _LEAST_SHARE = 0.05, 20, 0.01
"""A loss is worth a card beyond this share of the rows, or this many rows if they are no tiny share."""
_FEW = 5
"""Columns to leave out at most; gaps that are spread over many are not cured by that."""
_LEAST_GAIN = 0.2
"""Share of the lost rows that must be won back; rows that lack nearly everything are best dropped, unasked."""
_KIND = "gaps"
_RATINGS = 3
"""Ordered columns with gaps from which they are ratings that ordinal networks are for."""


def gaps(view: TableView) -> Iterator[Finding]:
    """Cards that were settled, and one for the rows that are lost still."""
    settled = view.settled_columns(_KIND)
    decided = {name for columns in settled for name in columns}
    for columns in settled:
        yield from _card(view, columns, decided.difference(columns))
    absent = {
        name: view.now[name].codes < 0
        for name in view.used
        if name not in decided and view.now[name].n_missing and view.choices.chosen_for("missing", name) == "drop"
    }
    if not absent:
        return
    lost = np.logical_or.reduce(list(absent.values()))
    if _is_worth_it(int(lost.sum()), view.n):
        free = {name: flags for name, flags in absent.items() if name not in view.choices.roles}
        bound = np.logical_or.reduce([flags for name, flags in absent.items() if name not in free] or [lost & False])
        heavy = 2 * lost.sum() > view.n
        most = len(view.used) // 2 if heavy else min(_FEW, max(len(view.used) // 4, 1))
        costly = _columns_to_leave_out(free, bound, most)
        ratings = [name for name in _ratings_with_gaps(view) if name in absent]
        left, unrated = (
            np.logical_or.reduce([flags for name, flags in absent.items() if name not in out] or [lost & False])
            for out in (costly, ratings)
        )
        least = lost.sum() * (1 - _LEAST_GAIN)
        items = len(ratings) > _FEW and unrated.sum() <= least
        if items and not heavy and set(costly) <= set(ratings):  # a questionnaire is asked about as a whole
            yield from _card(view, ratings, decided)
        elif costly and len(costly) < len(view.used) and (heavy or left.sum() <= least):
            kept = {name for name in view.used if view.choices.chosen_for("missing", name) == "level"}
            yield from _card(view, costly, decided | kept)
        elif items:
            yield from _card(view, ratings, decided)


def _is_worth_it(lost: int, rows: int) -> bool:
    return lost > _SHARE * rows or (lost > _ROWS and lost > _LEAST_SHARE * rows)


def _columns_to_leave_out(absent: dict[str, np.ndarray], bound: np.ndarray, most: int) -> list[str]:
    """The columns to leave out, one after the other: each time that without which most rows become complete."""
    left, out, rows = dict(absent), list[str](), len(bound)
    while left:
        holes = bound + np.sum(list(left.values()), axis=0)
        if len(out) == most or (out and not _is_worth_it(int((holes > 0).sum()), rows)):
            break
        alone = holes == 1
        gain = {name: (int((flags & alone).sum()), int(flags.sum())) for name, flags in left.items()}
        best = max(gain, key=lambda name: gain[name])
        out.append(best)
        del left[best]
    return [name for name in absent if name in out]


def _ratings_with_gaps(view: TableView) -> list[str]:
    """The ordered columns whose gaps cost rows, or would if they were not left open."""
    return [
        name
        for name in view.used
        if view.now[name].n_missing
        and "ordinal" in (view.choices.kinds.get(name), view.proposals[name].kind)
        and view.choices.chosen_for("missing", name) in ("drop", "level")
    ]


def _card(view: TableView, columns: Sequence[str], others: set[str]) -> Iterator[Finding]:
    """The card about these columns, as if nothing had been decided about them; of others it was."""
    own: Change = {"missing": dict.fromkeys(columns, "level")}
    leave: Change = {"kinds": dict.fromkeys(columns, "ignore")}
    ratings = [name for name in _ratings_with_gaps(view) if name not in others]
    left_open: Change = {"missing": dict.fromkeys(ratings, "level")}
    undone = [own, leave, left_open]
    rows_before, after, with_open = (int(view.after(change, undone)[0].sum()) for change in ({}, leave, left_open))
    item = len(columns) == 1
    changes: dict[str, Change] = {"rows": {}, "columns": leave, "level": own}
    spread = len(columns) > _FEW and set(columns) <= set(ratings) and 2 * rows_before >= view.n
    if spread:
        changes = {"rows": {}, "open": left_open, "level": own}
    elif len(ratings) >= _RATINGS and with_open - rows_before >= _LEAST_GAIN * (view.n - rows_before):
        changes = {"rows": {}, "columns": leave, "open": left_open, "level": own}  # the one that says more first
    yield Finding(
        _KIND,
        columns,
        {
            "lost": People(view.n - rows_before, "row", of=view.n),
            "more": People((with_open if spread else after) - rows_before, "more row", "more rows"),
            "these": "this column" if item else f"these {len(columns)} columns",
            "open": told("them") if set(ratings) <= set(columns) else told("all {}", Count(len(ratings))),
        },
        changes,
        view.n - rows_before,
        effects={
            "rows": told("can bias results if rows with gaps differ from the others; no gap is filled in (imputed)"),
            "level": told(
                "'missing' becomes a value of {}: whether it is known is then compared and linked", quoted(columns)
            ),
            "open": told(
                "ordinal networks use the rows of all {} with gaps; other methods take 'missing' for a level",
                Count(len(ratings), "rating"),
            ),
        },
        rule="gaps of ratings" if spread else _KIND,
    )
