"""What stands once to a person who has several rows, or once above a block of them: elsewhere it is no gap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from engine.data.preparing.deciding.decision import Change, Finding
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.derived import only_values
from engine.data.preparing.owners import find_owners
from engine.data.preparing.variables import Variable
from engine.data.reading.name_words import names_person
from engine.data.reading.naming import shown_name
from engine.text import told

CARRIED, FILLED_DOWN = "carried", "filled-down"
_FEWEST_PERSONS, _ROWS_EACH = 6, 1.5
_GAPS = 0.2
"""Share of the rows that lack what is carried to them, at least."""
_MOST_PERSONS, _ONCE = 0.5, 0.9
"""Shares of the persons who have a value, and of these who have it in one row only, at least."""


def carried(view: TableView) -> Iterator[Finding]:
    """One card for all columns that a person has once."""
    settled = {name for columns in view.settled_columns(CARRIED) for name in columns}
    whose = _whose(view)
    if whose is None:
        return
    columns = [
        name
        for name in view.now
        if name in settled
        or (name != whose.name and name not in view.choices.derive and _stands_once(view.now[name], whose))
    ]
    if not columns:
        return
    free = [name for name in columns if name in settled or f"{name} ({whose.name})" not in view.now]
    carry: Change = {
        "derive": {f"{name} ({whose.name})": ("carry", name, whose.name) for name in free},
        "kinds": dict.fromkeys(free, "ignore"),
        "roles": {whose.name: "subject"},
    }
    yield Finding(
        CARRIED,
        columns,
        {"whose": whose.name},
        {"carry": carry, "leave": {}},
        view.n,
        effects={
            "carry": told(
                "a value in every row of each '{}', whose rows every method keeps together", shown_name(whose.name, 40)
            ),
            "leave": "a row without a value has a gap",
        },
        chosen=any(name in view.choices.kinds or name in view.choices.roles for name in columns),
    )


def _whose(view: TableView) -> Variable | None:
    """The column of persons with several rows each: by its role, an answer, its name, or how its values behave."""
    together = {name for columns in view.settled_columns("rows-together") for name in columns}
    roles = view.choices.roles
    several = [
        item
        for item in view.now.values()
        if item.n_distinct >= _FEWEST_PERSONS and item.n_rows - item.n_missing >= _ROWS_EACH * item.n_distinct
    ]
    for item in several:
        role = roles.get(item.name, "")
        if role == "subject" or item.name in together or (not role and names_person(item.name)):
            return item
    if "subject" in roles.values() or all(item.n_missing < _GAPS * item.n_rows for item in view.now.values()):
        return None
    may = {item.name for item in several}
    owners = find_owners(list(view.now.values()), (), lambda item: item.name in may and item.name not in roles)
    return view.now[owners[0]] if owners else None


def _stands_once(variable: Variable, whose: Variable) -> bool:
    """True where no person has two values, and most have one, in one row."""
    if variable.sort == "unusable" or variable.n_missing < _GAPS * variable.n_rows or variable.n_distinct < 2:
        return False
    only = only_values(variable, whose)
    have = int((only >= 0).sum())
    if (only == -2).any() or have < _MOST_PERSONS * whose.n_distinct:
        return False
    rows = np.bincount(whose.codes[(variable.codes >= 0) & (whose.codes >= 0)], minlength=whose.n_distinct)
    return bool((rows == 1).sum() >= _ONCE * have)


_FULL, _SPARSE, _SINGLE = 0.9, 0.1, 1 / 3
"""Shares: of cells that a column has to the right of a block's value, of rows with that value, of blocks of one row."""


def filled_down(view: TableView) -> Iterator[Finding]:
    """One card for all columns that have a value only in the first row of each block of rows."""
    settled = [name for columns in view.settled_columns(FILLED_DOWN) for name in columns]
    columns = settled or _heads_of_blocks(view)
    if not columns:
        return
    given = tuple(view.choices.reading.get("fill_down", ()))
    fill: Change = {"reading": {"fill_down": tuple(dict.fromkeys((*given, *columns)))}}
    effects = {"fill": "each empty cell takes the value above it", "leave": "empty cells are gaps"}
    yield Finding(FILLED_DOWN, columns, {}, {"fill": fill, "leave": {}}, view.n * len(columns), effects=effects)


def _heads_of_blocks(view: TableView) -> list[str]:
    """Columns whose first row has a value and whose values stand apart, left of columns without gaps."""
    every, whose = list(view.now.values()), _whose(view)
    full = [item.n_missing <= (1 - _FULL) * item.n_rows for item in every]
    result: list[str] = []
    heads: list[np.ndarray] = []
    for place, item in enumerate(every):
        if item.sort == "unusable" or item.n_distinct < 2 or item.times is not None or not any(full[place:]):
            continue
        known = item.codes >= 0
        if (
            item.name in (*view.choices.kinds, *view.choices.derive)
            or not known[0]
            or 2 * known.sum() > len(known)
            or (whose and _stands_once(item, whose))
        ):
            continue
        same = any((known == head).all() for head in heads)
        if same or (_never_repeats(item) and _are_blocks(known, every)):
            result.append(item.name)
            heads.append(known)
    return result


def _never_repeats(item: Variable) -> bool:
    values = item.codes[item.codes >= 0]
    return bool((values[1:] != values[:-1]).all())


def _are_blocks(known: np.ndarray, every: Iterable[Variable]) -> bool:
    """True where few rows begin a block, or blocks are of one size, or another column has each value once in each."""
    sizes = np.diff(np.append(np.flatnonzero(known), len(known)))
    if (sizes == 1).mean() > _SINGLE:
        return False
    block = np.cumsum(known)
    planned = (
        len(np.unique(block * (item.n_distinct + 1) + item.codes)) == len(block)
        for item in every
        if not item.n_missing and 2 <= item.n_distinct <= len(block) / 2
    )
    return bool(known.mean() <= _SPARSE or (len(sizes) > 2 and len(set(sizes.tolist())) == 1) or any(planned))
