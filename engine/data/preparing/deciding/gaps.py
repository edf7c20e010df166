"""The card for gaps that cost rows: drop the rows, leave out the columns that cost most, or count gaps as a level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from engine.data.preparing.deciding.decision import Change, Decision, Option, columns_in, key_of, quoted
from engine.data.preparing.deciding.look import Look
from engine.words import count

_SHARE, _ROWS, _LEAST_SHARE = 0.05, 20, 0.01
"""A loss is worth a card beyond this share of the rows, or this many rows if they are no tiny share."""
_FEW = 5
"""Columns to leave out at most; gaps that are spread over many are not cured by that."""
_LEAST_GAIN = 0.2
"""Share of the lost rows that must be won back; rows that lack nearly everything are best dropped, unasked."""
_KIND = "gaps"


def gaps(look: Look) -> Iterator[Decision]:
    """Cards that were settled, and one for the rows that are lost still."""
    settled = [_columns_of(key, look) for key in look.choices.settled if key.startswith(f"{_KIND}:")]
    for columns in filter(None, settled):
        yield from _card(look, columns)
    decided = {name for columns in settled for name in columns}
    absent = {
        name: look.now[name].codes < 0
        for name in look.used
        if name not in decided and look.now[name].n_missing and look.choices.missing_for(name) == "drop"
    }
    if not absent:
        return
    lost = np.logical_or.reduce(list(absent.values()))
    if _is_worth_it(int(lost.sum()), look.n):
        free = {name: flags for name, flags in absent.items() if name not in look.choices.roles}
        bound = np.logical_or.reduce([flags for name, flags in absent.items() if name not in free] or [lost & False])
        heavy = 2 * lost.sum() > look.n
        most = len(look.used) // 2 if heavy else min(_FEW, max(len(look.used) // 4, 1))
        costly = _costly(free, bound, most)
        left = np.logical_or.reduce([flags for name, flags in absent.items() if name not in costly] or [lost & False])
        if costly and len(costly) < len(look.used) and (heavy or lost.sum() - left.sum() >= _LEAST_GAIN * lost.sum()):
            yield from _card(look, costly)


def _columns_of(key: str, look: Look) -> list[str]:
    """The columns that the key of such a card names; none where the table has others."""
    found = columns_in(key, look.now)
    return found if key_of(_KIND, found) == key else []


def _is_worth_it(lost: int, rows: int) -> bool:
    return lost > _SHARE * rows or (lost > _ROWS and lost > _LEAST_SHARE * rows)


def _costly(absent: dict[str, np.ndarray], bound: np.ndarray, most: int) -> list[str]:
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


def _card(look: Look, columns: Sequence[str]) -> Iterator[Decision]:
    """The card about these columns, as if nothing had been decided about them."""
    own: Change = {"missing": dict.fromkeys(columns, "level")}
    leave: Change = {"kinds": dict.fromkeys(columns, "ignore")}
    before, after = (int(look.after(change, [own, leave])[0].sum()) for change in ({}, leave))
    named = quoted(columns)
    one = len(columns) == 1
    yield from look.ask(
        key_of(_KIND, columns),
        columns,
        f"Gaps cost {look.n - before:,} of {count(look.n, 'row')}: what becomes of {named}?",
        f"Without {'it' if one else 'them'}, {count(after - before, 'more row', 'more rows')} would be complete.",
        (
            Option("rows", "Drop the rows", "", {}),
            Option("columns", f"Leave out {'this column' if one else f'{len(columns)} columns'}", "", leave),
            Option("level", "A level of its own", f"'missing' becomes a level of {named}", own),
        ),
        look.n - before,
    )
