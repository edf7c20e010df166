"""What the user has chosen about the open table, and the data set that comes of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import streamlit as st

from dashboard.session.session import Session, session
from engine.data.dataset import Recipe
from engine.data.preparing.dictionary import Dictionary
from engine.data.preparing.proposals import Proposal, propose
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

PAGE = "data"
KINDS = {"nominal": "nominal", "ordinal": "ordinal", "continuous": "continuous", "ignore": "leave out"}
MISSING = {"drop": "drop the row", "level": "own level", "drop_columns": "drop the column"}
BINNING = {"quantile": "equal counts", "width": "equal width"}
DEFAULTS: dict[str, Any] = {"missing": "drop", "bins": 3, "binning": "quantile", "rare": 0}
_MANY_ROWS = 200_000


@dataclass
class Work:
    """The choices about one table.

    Attributes
    ----------
    chosen : argument of `engine.Recipe` -> column -> choice; only what differs from the default
    name, content : the file as it came, to read it again another way; None where there is no file
    reading : arguments for `engine.read_table` that the user gave
    sample : key of the sample table this is, "" for the user's own
    labels : column -> label from a dictionary
    notes : sentences about the dictionary
    error, error_column : why the latest choices could not be used
    version : grows when choices change elsewhere than in the table of columns, so that it is drawn afresh
    base : key of the table of columns on screen, and the frame it was drawn from
    """

    chosen: dict[str, dict[str, Any]] = field(default_factory=dict)
    name: str = ""
    content: bytes | None = None
    reading: dict[str, Any] = field(default_factory=dict)
    sample: str = ""
    labels: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    error: str = ""
    error_column: str | None = None
    version: int = 0
    base: tuple[str, pd.DataFrame] | None = None
    _prepared: str | None = None
    _proposals: tuple[str, dict[str, Proposal]] | None = None

    def proposals(self, table: pd.DataFrame) -> dict[str, Proposal]:
        """Column -> what is proposed for it; looked at again only when other texts count as missing."""
        tokens = self.chosen.get("missing_tokens", {})
        key = json.dumps(tokens, sort_keys=True)
        if self._proposals is None or self._proposals[0] != key:
            found = propose(table, missing_tokens=tokens)
            self._proposals = (key, {one.column: one for one in found})
        return self._proposals[1]

    def get(self, what: str, column: str) -> Any:
        """The choice about a column; its default, or None, where nothing was chosen."""
        return self.chosen.get(what, {}).get(column, DEFAULTS.get(what))

    def choose(self, what: str, column: str, value: Any, default: Any = None) -> None:
        """Keep a choice; one that is the default (or None) is forgotten."""
        about = self.chosen.setdefault(what, {})
        if value is None or value == (DEFAULTS.get(what) if default is None else default):
            about.pop(column, None)
        else:
            about[column] = value

    def kind(self, proposal: Proposal) -> str:
        """What a column is used as: the user's word, else the proposal."""
        return str(self.chosen.get("kinds", {}).get(proposal.column, proposal.kind))

    def recipe(self, proposals: Mapping[str, Proposal]) -> Recipe:
        """The choices as the engine takes them; what does not fit a column's kind rests until it does."""
        return Recipe.fitting(proposals.values(), **self.chosen)

    def arguments(self, proposals: Mapping[str, Proposal]) -> dict[str, Any]:
        """The same as arguments of `Dataset.from_frame`, for a script that repeats what is on screen."""
        return self.recipe(proposals).given()


def work() -> Work:
    """The choices about the session's table, made on first use."""
    about = session().choices.setdefault(PAGE, {})
    if "work" not in about:
        about["work"] = Work()
    held: Work = about["work"]
    return held


def open_table(
    table: pd.DataFrame,
    name: str,
    *,
    content: bytes | None = None,
    reading: Mapping[str, Any] | None = None,
    dictionary: Dictionary | None = None,
    chosen: Mapping[str, Mapping[str, Any]] | None = None,
) -> Work:
    """Let `table` take the place of the open one, and prepare it.

    Parameters
    ----------
    content, reading : the file and the arguments it was read with
    dictionary : kinds, levels and labels to begin with
    chosen : choices from before; those about columns that the table still has are kept

    Raises
    ------
    DataError : a table without columns or rows; the open one then stays
    """
    state = session()
    current = Work(name=name, content=content, reading=dict(reading or {}))
    current.proposals(table)  # before anything is let go: a table that cannot be looked at is refused here
    state.load(table, name)
    state.choices[PAGE] = {"work": current}
    columns = set(map(str, table.columns))
    for what, about in (chosen or {}).items():
        current.chosen[what] = {column: one for column, one in about.items() if column in columns}
    if dictionary is not None:
        apply_dictionary(current, dictionary, table)
    prepare_table(state, current)
    return current


def apply_dictionary(current: Work, dictionary: Dictionary, table: pd.DataFrame) -> None:
    """Take kinds, levels and labels from a dictionary; what it does not speak of stays."""
    choices, problems = dictionary.choices(table.columns)
    proposals = current.proposals(table)
    for name, kind in choices["kinds"].items():
        current.choose("kinds", name, kind, proposals[name].kind)
    for name, levels in choices["levels"].items():
        if name not in choices["kinds"] and proposals[name].kind not in ("nominal", "ordinal"):
            current.choose("kinds", name, "ordinal" if proposals[name].kind == "continuous" else "nominal")
        current.choose("levels", name, list(levels), list(proposals[name].levels))
    current.labels |= dictionary.labels()
    current.notes = tuple(problems)
    current.version += 1


def prepare_table(state: Session, current: Work) -> None:
    """Make the session's data set from the choices as they stand; nothing happens where they have not changed.

    When they cannot be used, `current.error` says why and the data set from before stays.
    """
    if state.table is None:
        return
    try:
        recipe = current.recipe(current.proposals(state.table))
        key = json.dumps(recipe.to_dict(), sort_keys=True)
        if key == current._prepared:
            return
        current._prepared = key
        current.error, current.error_column = "", None
        with st.spinner("Preparing the table", show_time=len(state.table) > _MANY_ROWS):
            state.dataset = recipe.apply(state.table)
    except DataError as error:
        current.error, current.error_column = str(error), error.column


def place_levels(levels: Sequence[str], places: Mapping[int, int]) -> list[str]:
    """`levels` after some were given a new place (both count from 0, places from 1); the others make room."""

    def rank(i: int) -> tuple[int, int, int]:
        wanted = places.get(i, i + 1)
        return wanted, (wanted > i + 1) - (wanted < i + 1), i

    return [levels[i] for i in sorted(range(len(levels)), key=rank)]
