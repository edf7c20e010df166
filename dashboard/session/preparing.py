"""The data set of a session, made of its table by the choices as they stand."""

from __future__ import annotations

import json

from dashboard.session.large_tables import ask_table
from dashboard.session.session import Session, session
from dashboard.session.work import Work, work
from engine import DataError


def put_first(first: list[str], rest: list[str]) -> None:
    """Let some columns come before others in time, and prepare the table so."""
    work().keep_boxes([first, rest])
    work().version += 1
    prepare_table(session(), work())


def leave_out(names: list[str]) -> None:
    """Leave some columns out of all analyses, and prepare the table so."""
    for name in names:
        work().choose("kinds", name, "ignore")
    work().version += 1
    prepare_table(session(), work())


def prepare_table(state: Session, current: Work) -> None:
    """Make the session's data set from the choices as they stand; nothing happens where they have not changed.

    When they cannot be used, `current.error` says why and the data set from before stays.
    """
    if state.table is None:
        return
    current.thaw()
    current.remember(current.proposals(state.table))
    try:
        recipe = current.recipe(current.proposals(state.table))
        key = json.dumps(recipe.to_dict(), sort_keys=True)
        if key == current._prepared:
            return
        current.error, current.error_column = "", None
        try:
            state.dataset = ask_table("Preparing the table", recipe.apply, state.table)
        except DataError:
            current._prepared = key
            raise
        current._prepared = key
        if current.used is not None:
            state.touch()  # the first data set of a table is no change to it
        current.used = recipe
    except DataError as error:
        current.error, current.error_column = str(error), error.column
