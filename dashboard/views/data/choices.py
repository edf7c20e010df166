"""What the user has chosen about the open table, and the data set that comes of it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dashboard.jobs.table_work import find_roles
from dashboard.server.memory import memory
from dashboard.session.budget import refuse_more_tables
from dashboard.session.large_tables import ask_table, opening
from dashboard.session.preparing import prepare_table
from dashboard.session.session import Session, session
from dashboard.session.work import OF_TABLE, PAGE, Work
from engine import Recipe
from engine.data.preparing.conditions import ANY, checked, columns_of, conditions_sentence
from engine.data.preparing.derived import sources
from engine.data.preparing.dictionary import Dictionary
from engine.data.preparing.roles import roles_reason
from engine.data.reading.naming import shown_name
from engine.data.reading.report import plain, reading_report
from engine.data.series import series
from engine.text import first, told

if TYPE_CHECKING:
    import pandas as pd

KINDS = {"nominal": "nominal", "ordinal": "ordinal", "continuous": "continuous", "ignore": "leave out"}
MISSING = {"drop": "drop the row", "level": "own level", "drop_columns": "drop the column"}
BINNING = {"quantile": "equal counts", "width": "equal width"}
READING = "reading"
"""Where the page keeps a large file that is being read."""


def open_table(
    table: pd.DataFrame,
    name: str,
    *,
    content: bytes | None = None,
    reading: Mapping[str, Any] | None = None,
    dictionary: Dictionary | None = None,
    chosen: Mapping[str, Any] | None = None,
    roles: Mapping[str, str] | None = None,
    frozen: Recipe | None = None,
) -> Work:
    """Let `table` take the place of the open one, and prepare it.

    Parameters
    ----------
    content, reading : the file and the arguments it was read with
    dictionary : kinds, levels, labels and scales to begin with
    chosen : choices from before; those about columns that the table still has are kept
    roles : to begin with, where the table has their columns; else they are proposed, and dropped if they do not fit
    frozen : levels and cut points that are fixed, used until a choice is changed; what else it says is chosen

    Raises
    ------
    DataError : a table without columns or rows; the open one then stays
    """
    refuse_more_tables(session(), memory())
    with opening():
        return _opened(
            table,
            Work(name=name, content=content, reading=dict(reading or {})),
            dictionary,
            chosen or {},
            roles or {},
            frozen,
        )


def _opened(
    table: pd.DataFrame,
    current: Work,
    dictionary: Dictionary | None,
    chosen: Mapping[str, Any],
    roles: Mapping[str, str],
    frozen: Recipe | None,
) -> Work:
    """See `open_table`."""
    state = session()
    current.proposals(table)  # before anything is let go: a table that cannot be looked at is refused here
    being_read = state.choices.get(PAGE, {}).get(READING)
    state.load(table, current.name)
    state.choices[PAGE] = {"work": current}
    if being_read is not None:  # its page goes on showing how far it is, and can stop it
        state.choices[PAGE][READING] = being_read
    columns = set(map(str, table.columns))
    chosen = {**(by_column(frozen, columns) if frozen is not None else {}), **chosen}
    current.chosen |= still_fitting(chosen, columns)
    current.notes = lost_conditions(chosen.get("where", ()), current.chosen.get("where", ()))
    report = reading_report(table)
    current.labels |= report.labels if report is not None else {}
    if dictionary is not None:
        apply_dictionary(current, dictionary, table)
    if frozen is not None:
        _begin_frozen(state, current, frozen)
    else:
        begin_with_roles(state, current, chosen.get("roles"), roles)
    current.begin()
    return current


def still_fitting(chosen: Mapping[str, Any], columns: set[str]) -> dict[str, Any]:
    """The choices about columns that a table has, or that are made of such."""
    known, derive = set(columns), {}
    for name, way in chosen.get("derive", {}).items():
        if known.issuperset(sources(way)) and name not in columns:
            derive[name] = way
            known.add(name)
    fitting: dict[str, Any] = {"derive": derive} if derive else {}
    for argument, about in chosen.items():
        if argument == "where":
            fits = known.issuperset(columns_of(checked(about)))
            fitting[argument] = list(about) if fits else _conditions_on(plain(checked(about)), known)
        elif argument == "tiers":
            fitting[argument] = [tier for tier in ([name for name in item if name in known] for item in about) if tier]
        elif argument in ("settled", "rows"):
            fitting[argument] = dict(about)
        elif argument != "derive":
            fitting[argument] = {column: entry for column, entry in about.items() if column in known}
    return fitting


def _conditions_on(where: Sequence[Any], known: Collection[str]) -> list[Any]:
    """The conditions that ask for known columns; of some of which one is to hold, those."""
    remaining: list[Any] = []
    for item in where:
        if item[0] == ANY and not isinstance(item[1], str):
            inner = _conditions_on(item[1:], known)
            remaining += [[ANY, *inner]] if len(inner) > 1 else inner
        elif item[0] in known:
            remaining.append(item)
    return remaining


def lost_conditions(earlier: Sequence[Any], after: Sequence[Any]) -> tuple[str, ...]:
    """A sentence where a filter has lost conditions with the columns they ask for."""
    was, now = checked(earlier), checked(after)
    lost = [name for name in columns_of(was) if name not in columns_of(now)]
    if not lost:
        return ()
    named = first((told("'{}'", shown_name(name)) for name in lost), 6)
    asks = told("it is now {}", conditions_sentence(now)) if now else "all rows are used now"
    return (told("The filter of rows no longer asks for {}, which the table lacks: {}.", named, asks),)


def by_column(recipe: Recipe, columns: Collection[str]) -> dict[str, Any]:
    """The choices of a recipe as the page keeps them: what it says of all columns is said of each."""
    result: dict[str, Any] = {}
    for argument, given in recipe.given().items():
        if argument in OF_TABLE or isinstance(given, Mapping):
            result[argument] = given
        elif argument != "tick":
            new = () if argument == "missing_tokens" else tuple(recipe.derive)  # a new column has no texts of its own
            result[argument] = dict.fromkeys([*map(str, columns), *new], given)
    return result


def begin_with_roles(state: Session, current: Work, earlier: Mapping[str, str] | None, own: Mapping[str, str]) -> None:
    """Prepare the table with the roles from before, or its own, or those proposed; the last only if series come of it.

    Parameters
    ----------
    earlier : what stood when the file was read another way; {} where the user wants none, None where nothing was said
    own : of the table, beyond doubt
    """
    if state.table is None:
        return
    columns = set(map(str, state.table.columns))
    its_own = bool(own) and columns.issuperset(own)
    proposed, weight = ({}, None) if its_own else ask_table("Looking for roles", find_roles, state.table)
    weight_roles = {weight: "identifier"} if weight is not None and weight not in proposed else {}
    current.begins = dict(own) if its_own else {**proposed, **weight_roles}
    current.proposed = roles_reason(proposed)
    current.chosen.pop("roles", None)
    if earlier is not None and columns.issuperset(earlier):
        current.take_roles(earlier)
    elif current.begins:
        current.take_roles(current.begins)
        current.notes = (*current.notes, *map(weight_note, weight_roles))
    prepare_table(state, current)
    if proposed and current.roles == current.begins and not _makes_series(state, current):
        _without_proposed(state, current, weight_roles)


def weight_note(name: str) -> str:
    """Why a sampling weight is no variable."""
    why = "'{}' looks like a sampling weight; no method here can use it, so it is left beside the variables."
    return told(why, shown_name(name))


def _begin_frozen(state: Session, current: Work, frozen: Recipe) -> None:
    """Prepare the table by a recipe that is fixed; the choices on the page say what it does as far as they can."""
    if state.table is None:
        return
    proposals = current.proposals(state.table)
    fixed = {column.name: column for column in frozen.columns}
    for name, proposal in proposals.items():
        column = fixed.get(name)
        current.choose("kinds", name, "ignore" if column is None else column.kind, proposal.kind)
        if column is not None and column.cuts:
            current.choose("bins", name, list(column.cuts))
        elif column is not None and set(column.levels).issuperset(proposal.levels):
            current.choose("levels", name, list(column.levels), list(proposal.levels))
    current.begins = {name: role for name, role in frozen.roles.items() if name in proposals}
    current.take_roles(current.begins)
    current.freeze(frozen)
    prepare_table(state, current)


def _makes_series(state: Session, current: Work) -> bool:
    """Whether the roles as they stand give at least one step after another."""
    if current.error or state.dataset is None:
        return False
    return len(series(state.dataset).transitions) > 0


def _without_proposed(state: Session, current: Work, weight_roles: dict[str, str]) -> None:
    """Every row by itself, unless that cannot be used either: then the proposal was not what is wrong."""
    proposed, why = current.begins, current.proposed
    current.begins, current.proposed = weight_roles, ""
    current.take_roles(weight_roles)
    prepare_table(state, current)
    if current.error:
        current.begins, current.proposed = proposed, why
        current.take_roles(proposed)
        prepare_table(state, current)


def apply_dictionary(current: Work, dictionary: Dictionary, table: pd.DataFrame) -> None:
    """Take kinds, levels, units, labels and scales from a dictionary; what it does not speak of stays."""
    choices, problems = dictionary.choices(table.columns)
    proposals = current.proposals(table)
    for name, kind in choices["kinds"].items():
        current.choose("kinds", name, kind, proposals[name].kind)
    for name, levels in choices["levels"].items():
        if name not in choices["kinds"] and proposals[name].kind not in ("nominal", "ordinal"):
            current.choose("kinds", name, "ordinal" if proposals[name].kind == "continuous" else "nominal")
        current.choose("levels", name, list(levels), list(proposals[name].levels))
    for name, unit in choices["units"].items():
        current.choose("units", name, unit)
    if current.roles:
        current.take_roles(current.roles)
    current.labels |= dictionary.labels()
    current.scales |= dictionary.scales()
    current.notes = tuple(problems)
    current.version += 1
