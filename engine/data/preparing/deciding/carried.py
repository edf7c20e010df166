"""What stands once to a person who has several rows: it is lacking in the others, which is no gap."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.data.preparing.deciding.decision import Change, Finding
from engine.data.preparing.deciding.table_view import TableView
from engine.data.preparing.derived import only_values
from engine.data.preparing.owners import find_owners
from engine.data.preparing.variables import Variable
from engine.data.reading.name_words import names_person
from engine.data.reading.naming import shown_name
from engine.text import told

CARRIED = "carried"
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
