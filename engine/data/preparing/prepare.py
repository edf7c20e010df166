"""From a pandas table to codes: kinds, levels, intervals, missing values, and a report.

New rows are coded like the old ones where the columns of the choices are fixed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np

from engine.data.preparing.choices import BESIDE, FrameChoices
from engine.data.preparing.column_coding import UNKNOWN, Coding, FixedColumn
from engine.data.preparing.levels import Coded, coded, level_counts
from engine.data.preparing.owners import grouping_columns
from engine.data.preparing.proposals import Proposal, measures, propose_one
from engine.data.preparing.report import ColumnReport, ImportReport
from engine.data.preparing.shaping import (
    Shaped,
    fixed_choices,
    selected_rows,
    shape_columns,
    shaped,
    with_chosen_limits,
)
from engine.data.preparing.steps import Steps, steps_of
from engine.data.preparing.used_rows import UsedRows, used_rows
from engine.data.preparing.variables import Numbers, Variable, column_names, make_variable, numbers_of
from engine.data.reading.headers import clean_text
from engine.data.reading.name_words import names_cluster, names_person
from engine.data.reading.naming import in_row, quoted_values, shown_name, shown_value
from engine.data.reading.numbers import PLAIN
from engine.data.reading.report import reading_facts
from engine.data.rows.context import RowContext, context_of
from engine.data.units import unit_in
from engine.errors import DataError
from engine.lazy import pd
from engine.text import People, joined, told


@dataclass(frozen=True)
class Prepared:
    """A prepared table: the fields of a `Dataset`, which is made of them one floor above, and its columns."""

    names: tuple[str, ...]
    levels: dict[str, tuple[str, ...]]
    kinds: dict[str, str]
    codes: np.ndarray
    cuts: dict[str, tuple[float, ...]]
    origin: np.ndarray
    report: ImportReport
    steps: Steps | None
    made_by: FrameChoices
    numbers: dict[str, Numbers]
    context: RowContext
    shape: Shaped | None = None


def prepared(table: pd.DataFrame, choices: FrameChoices, shape: Shaped | None = None) -> Prepared:
    """Decide kinds, levels and rows of a table as `choices` say (see `engine.Recipe`); `shape` is what they make of its
    columns, where that is known.
    """
    shape = shaped(table, choices) if shape is None else shape
    variables = shape.used
    choices.check_names([variable.name for variable in variables])
    declared = measures(table)
    proposals = [propose_one(variable, declared.get(variable.name)) for variable in variables]
    decided = [_decide(variable, proposal, choices) for variable, proposal in zip(variables, proposals, strict=True)]
    used_columns = _used_columns(decided)
    whole, lacking = _complete_rows(used_columns)
    used = used_rows(whole, variables, [item.variable.codes for item in used_columns], choices)
    columns = {item.variable.name: coded(item.variable, item.kind, used.rows, choices) for item in used_columns}
    facts = reading_facts(table)
    units = _units_named(table.columns, facts.get("labels", {}), facts.get("units", {}))
    steps, order, words = steps_of(shape.by_name, choices)  # of all rows: one that is left out is a hole in a series
    made_by = replace(
        fixed_choices(choices, shape),
        columns=tuple(_fixed(item, columns[item.variable.name], choices, units) for item in used_columns),
        levels={**choices.levels, **order},
        tick=choices.tick if steps is None else steps.tick,
    )
    result = _assembled(
        made_by,
        [column.codes for column in columns.values()],
        [numbers_of(item.variable) if item.kind == "continuous" else None for item in used_columns],
        shape.inside,
        whole,
        used,
        steps,
        _report(table, decided, proposals, columns, used.rows, whole, lacking, words, shape),
        variables,
    )
    return replace(result, shape=shape)


@dataclass(frozen=True)
class CountedColumns:
    """Columns whose values were only counted, prepared.

    Attributes
    ----------
    choices : with all columns fixed
    columns : one report a column of the table
    problems, suggestions : sentences, as in an import report
    """

    choices: FrameChoices
    columns: tuple[ColumnReport, ...]
    problems: tuple[str, ...]
    suggestions: tuple[str, ...]


def fixed_by_counts(variables: Sequence[Variable], choices: FrameChoices) -> CountedColumns:
    """Decide kinds and levels of columns whose values were counted, each column by itself, as `prepared` does.

    Which rows are complete is not known: cut points come from all rows that have a value.
    """
    seen = [variable.without(choices.chosen_for("missing_tokens", variable.name)) for variable in variables]
    seen = [with_chosen_limits(variable, choices) for variable in seen]
    choices.check_names([variable.name for variable in seen])
    proposals = [propose_one(variable) for variable in seen]
    decided = [_decide(variable, proposal, choices) for variable, proposal in zip(seen, proposals, strict=True)]
    used = _used_columns(decided)
    columns = {item.variable.name: coded(item.variable, item.kind, None, choices) for item in used}
    units = _units_named([variable.name for variable in seen], {}, {})
    fixed = tuple(
        _fixed(item, columns[item.variable.name], choices, units).with_fine(
            item.variable.known_numbers, item.variable.counts()
        )
        for item in used
    )
    return CountedColumns(replace(choices, columns=fixed), *_reports(decided, proposals, columns, None, {}))


def _reports(
    decided: Sequence[_Decided],
    proposals: Sequence[Proposal],
    columns: Mapping[str, Coded],
    rows: np.ndarray | None,
    reading: Mapping[str, Any],
) -> tuple[tuple[ColumnReport, ...], tuple[str, ...], tuple[str, ...]]:
    """A report of each column, and sentences on what needs a look and on what could be done better."""
    problems = (text for name in columns for text in columns[name].problems)
    suggestions = (
        _suggestions(one, ignored=item.kind == "ignore") for item, one in zip(decided, proposals, strict=True)
    )
    reports = tuple(_column_report(item, columns.get(item.variable.name), rows, reading) for item in decided)
    return reports, tuple(problems), tuple(chain.from_iterable(suggestions))


def _used_columns(decided: Sequence[_Decided]) -> list[_Decided]:
    """The columns that become variables; `DataError` where none does."""
    used = [item for item in decided if item.kind != "ignore"]
    if not used:
        each = (told("'{}': {}", shown_name(item.variable.name), item.reason) for item in decided[:5])
        raise DataError(
            "No column is left to use: {}. Choose a kind for the columns you need, or give a table with "
            "columns whose values repeat.",
            joined(each, "; "),
        )
    return used


def _assembled(
    made_by: FrameChoices,
    codes: Sequence[np.ndarray],
    numbers: Sequence[Numbers | None],
    inside: np.ndarray,
    whole: np.ndarray,
    used: UsedRows,
    steps: Steps | None,
    report: ImportReport,
    variables: Iterable[Variable],
) -> Prepared:
    """The fixed columns with their codes, and numbers behind these, in the rows that are used of those inside.

    Of the rows inside `whole` flags those that lack nothing; `variables` may say which rows belong together.
    """
    groups, owners = grouping_columns(
        [item for item in variables if item.name not in made_by.derive],
        {column.name for column in made_by.columns}.__contains__,
        made_by.roles,
        used.flags,
    )
    kinds, place = {column.name: column.kind for column in made_by.columns}, np.flatnonzero(inside)
    return Prepared(
        tuple(kinds),
        {column.name: column.levels for column in made_by.columns},
        kinds,
        np.array([column[used.rows] for column in codes]),
        {column.name: column.cuts for column in made_by.columns if column.cuts},
        place[used.rows],
        used.report(report),
        None if steps is None else steps.rows(place[used.rows]),
        made_by,
        {name: known.rows(used.rows) for name, known in zip(kinds, numbers, strict=True) if known is not None},
        context_of(
            groups,
            codes,
            used.counted(np.flatnonzero(~whole)),
            None if steps is None else steps.owner[place],
            rows=used.rows,
            counted=bool(used.weight),
            owners=owners,
        ),
    )


def _units_named(names: Iterable[Any], labels: Mapping[str, str], cells: Mapping[str, str]) -> dict[str, str]:
    """Column -> the unit in its name, else in its label, else in its cells; what two name otherwise is none."""
    every = [str(name) for name in names]
    known = set(every)
    found = {}
    for name in every:
        of_cells = unit_in(f"{name} ({cells[name]})") if name in cells else ""
        units = [unit for unit in (unit_in(name, known), unit_in(str(labels.get(name, ""))), of_cells) if unit]
        if units and len({unit.casefold() for unit in units}) == 1:
            found[name] = units[0]
    return found


def _fixed(item: _Decided, column: Coded, choices: FrameChoices, units: Mapping[str, str]) -> FixedColumn:
    """The rule for a column that has been prepared."""
    variable = item.variable
    measured = variable.sort == "number" and item.kind != "nominal"
    becomes = {}
    if not column.intervals:
        places = zip(variable.level_names(), column.places.tolist(), variable.counts().tolist(), strict=True)
        levels = {name: column.levels[place] for name, place, rows in places if rows}
        becomes = {name: level for name, level in levels.items() if level != name}
    own = variable.name not in choices.derive  # a new column is made of what is known already
    return FixedColumn(
        variable.name,
        column.kind,
        column.levels,
        column.cuts,
        column.intervals,
        becomes,
        column.absent,
        tuple(clean_text(token) for token in choices.chosen_for("missing_tokens", variable.name)) if own else (),
        variable.sort,
        variable.written,
        column.ordered,
        choices.limits.get(variable.name, "") if column.kind == "continuous" else "",
        choices.units.get(variable.name, units.get(variable.name, "")) if measured else "",
    )


@dataclass(frozen=True)
class _Decided:
    variable: Variable
    kind: str
    reason: str
    chosen: bool
    missing: str


def choose_kind(variable: Variable, proposal: Proposal, choices: FrameChoices) -> tuple[str, str, bool]:
    """The kind of one column, why, and whether it follows from a choice of the user, not from the proposal alone."""
    name, kind = variable.name, proposal.kind
    chosen, role = choices.kinds.get(name), choices.roles.get(name, "")
    if chosen is not None:
        words = "to leave it out" if kind == "ignore" else kind
        other = told("proposed was {}, since {}", words, proposal.reason)
        return chosen, proposal.reason if chosen == kind else other, True
    if role in BESIDE:
        return "ignore", BESIDE[role], True
    if name in choices.levels and kind not in ("nominal", "ordinal"):
        return "ordinal" if variable.sort == "number" else "nominal", "its levels are given", True
    if name in choices.limits and kind != "continuous":
        return "continuous", "what becomes of its detection limits is given", True
    if choices.cuts_given(name) and kind != "continuous":
        return "continuous", "its intervals are given", True
    return kind, proposal.reason, False


def _decide(variable: Variable, proposal: Proposal, choices: FrameChoices) -> _Decided:
    """The kind of one column, and the column as that kind has it."""
    kind, reason, chosen = choose_kind(variable, proposal, choices)
    way = choices.chosen_for("missing", variable.name)
    if kind != "ignore":
        variable = _fit_to_kind(variable, kind)
        if way == "drop_columns" and variable.n_missing:
            kind = "ignore"
            reason = told("{} of its values are missing, and such columns are dropped", People(variable.n_missing))
    return _Decided(variable, kind, reason, chosen, way)


def _fit_to_kind(variable: Variable, kind: str) -> Variable:
    if variable.sort == "unusable":
        raise DataError(
            "'{}' cannot be used: {}. Leave it out.", shown_name(variable.name), variable.trouble, column=variable.name
        )
    if kind != "continuous" or variable.numbers is not None or not variable.n_distinct:
        return variable
    result = variable.as_measured()
    if result is not None:
        return result
    words = variable.words or ()
    other = np.fromiter((not PLAIN["."].fullmatch(w) and not PLAIN[","].fullmatch(w) for w in words), bool, len(words))
    cells = variable.where(other if other.any() else ~other, 3)
    listed = joined((told("{}: '{}'", in_row(row), shown_value(text)) for row, text in cells), ", ")
    raise DataError(
        "'{}' cannot be continuous: {} cannot be read as a number or a date. Correct these cells, list them "
        "as missing tokens, or choose nominal.",
        shown_name(variable.name),
        listed,
        column=variable.name,
        row=cells[0][0] if cells else None,
    )


def _complete_rows(columns: Sequence[_Decided]) -> tuple[np.ndarray, dict[str, int]]:
    """(n,) flags of the rows to keep, and column -> dropped rows that lack its value."""
    rows = np.ones(len(columns[0].variable.codes), bool)
    strict = [entry for entry in columns if entry.missing != "level"]
    for item in strict:
        rows &= item.variable.codes >= 0
    counts = {element.variable.name: element.variable.n_missing for element in strict}
    lacking = {name: count for name, count in counts.items() if count}
    if rows.any():
        return rows, lacking
    worst = sorted(lacking, key=lambda name: -lacking[name])[:3]
    listed = joined((told("'{}' ({} missing)", shown_name(name), People(lacking[name])) for name in worst), ", ")
    raise DataError(
        "No row is complete, so none is left. Most values are missing in {}. Leave those columns out, or "
        "make missing a level of its own.",
        listed,
        column=worst[0] if worst else None,
    )


def _report(
    table: pd.DataFrame,
    decided: Sequence[_Decided],
    proposals: Sequence[Proposal],
    columns: Mapping[str, Coded],
    rows: np.ndarray,
    whole: np.ndarray,
    lacking: Mapping[str, int],
    words: Sequence[str],
    shape: Shaped,
) -> ImportReport:
    reports, found, suggestions = _reports(decided, proposals, columns, rows, reading_facts(table))
    problems: list[str] = [*words, *found]
    n_kept = int(whole.sum())
    if n_kept < len(whole) / 2:
        worst = max(lacking, key=lambda name: lacking[name])
        problems.append(
            told(
                "Only {} are complete; leaving out '{}' ({} missing) or making missing a level would keep more.",
                People(n_kept, "row", of=len(whole)),
                shown_name(worst),
                People(lacking[worst]),
            )
        )
    return _import_report(table, shape, lacking, reports, problems, suggestions)


def _import_report(
    table: pd.DataFrame,
    shape: Shaped,
    lacking: Mapping[str, int],
    columns: Sequence[ColumnReport],
    problems: Sequence[str],
    suggestions: Sequence[str] = (),
) -> ImportReport:
    """The report; how many rows are used it is told by `UsedRows.report`."""
    return ImportReport(
        len(shape.inside),
        0,
        {name: count for name, count in lacking.items() if count},
        tuple(columns),
        tuple(problems),
        tuple(suggestions),
        dict(reading_facts(table)) or None,
        int((~shape.inside).sum()),
        shape.untold,
        shape.where,
    )


def _column_report(
    decided: _Decided, column: Coded | None, rows: np.ndarray | None, reading: Mapping[str, Any]
) -> ColumnReport:
    variable, name = decided.variable, decided.variable.name
    cells = [
        (cell["row"], cell["value"])
        for listed in ("not_numeric", "invalid")
        for cell in reading.get(listed, ())
        if cell["column"] == name
    ]
    report = ColumnReport(
        name,
        "ignore",
        decided.reason,
        decided.chosen,
        missing=variable.n_missing,
        missing_tokens={**dict(reading.get("missing_tokens", {}).get(name, {})), **variable.missing_tokens},
        cells=tuple(cells) or variable.invalid,
        renamed_from=next((change["was"] for change in reading.get("renamed", ()) if change["now"] == name), None),
    )
    if column is None:
        return report
    return replace(
        report,
        kind=column.kind,
        reason=joined(filter(None, (decided.reason, column.note)), "; "),
        levels=column.levels,
        counts=tuple(level_counts(column, variable.counts_of(rows)).tolist()),
        cuts=column.cuts,
    )


def _suggestions(proposal: Proposal, *, ignored: bool) -> Iterator[str]:
    name = shown_name(proposal.column)
    if proposal.suspicious:
        marks = quoted_values(proposal.suspicious)
        yield told("In '{}', {} may mean missing; add it to the missing tokens if so.", name, marks)
    for twins in () if ignored else proposal.twins:
        alike = quoted_values(twins, " and ")
        yield told("In '{}', the levels {} look alike; merge them if they mean the same.", name, alike)


def fixed_codes(table: pd.DataFrame, choices: FrameChoices) -> tuple[list[Coding | None], tuple[str, ...]]:
    """The codes of each fixed column (None where the table lacks it), and sentences on what did not fit."""
    names, columns = column_names(table), choices.columns
    derived = shape_columns(table, choices, [column.name for column in columns if column.name in choices.derive])
    result: list[Coding | None] = []
    words: list[str] = []
    for column in columns:
        if column.name in derived:
            coding = column.code_of(derived[column.name])
        elif column.name not in names:
            result.append(None)
            words.append(told("The table has no column '{}', so its values are not known.", shown_name(column.name)))
            continue
        else:
            coding = column.code(table.iloc[:, names.index(column.name)])
        result.append(coding)
        if coding.strange:
            words.append(coding.sentence(column))
    return result, tuple(words)


def reapply(table: pd.DataFrame, choices: FrameChoices) -> Prepared:
    """A table prepared by `choices.columns`; rows with a cell that is not known are left out."""
    names = column_names(table)
    role_columns = [name for name, role in choices.roles.items() if role in BESIDE]
    absent = [name for name in choices.needed_columns() if name not in names]
    if absent:
        raise DataError(
            "The table has no column '{}', which the recipe needs. Add it, or ask for `recipe.codes` of the "
            "columns that are there.",
            shown_name(absent[0]),
            column=absent[0],
        )
    shape = selected_rows(table, choices)
    inside = shape.inside
    part = table[inside] if choices.where else table  # what lies outside has nothing to say
    result, words = fixed_codes(part, choices)
    codings = [item for item in result if item is not None]
    whole = np.logical_and.reduce([coding.codes != UNKNOWN for coding in codings])
    if not whole.any():
        reasons = joined(words[:3]) or "Every row lacks a value."
        raise DataError("No row of the table is known whole, so none is left. {}", reasons)
    known = shape_columns(table, choices, role_columns)
    raw = [coding.codes if coding.numbers is None else coding.numbers.places for coding in codings]
    used = used_rows(whole, [entry.rows(inside) if choices.where else entry for entry in known.values()], raw, choices)
    steps, _, more = steps_of(known, choices)
    return _assembled(
        choices,
        [coding.codes for coding in codings],
        [coding.numbers for coding in codings],
        inside,
        whole,
        used,
        steps,
        _report_of_fixed(table, choices, codings, used.rows, (*words, *more), shape),
        _may_group(table, choices, inside),
    )


def _may_group(table: pd.DataFrame, choices: FrameChoices, inside: np.ndarray) -> Iterator[Variable]:
    """Columns whose names, or sort, say that they may tell which rows belong together, with the rows that are meant."""
    for place, name in enumerate(column_names(table)):
        column = table.iloc[:, place]
        named = names_person(name) or names_cluster(name) or choices.roles.get(name) == "identifier"
        if named or (column.dtype.kind not in "fiub" and name not in {coded.name for coded in choices.columns}):
            seen = make_variable(column, name).without(choices.chosen_for("missing_tokens", name))
            yield seen.rows(inside) if choices.where else seen


def _report_of_fixed(
    table: pd.DataFrame,
    choices: FrameChoices,
    codings: Sequence[Coding],
    rows: np.ndarray,
    words: Sequence[str],
    shape: Shaped,
) -> ImportReport:
    columns = [
        (column, np.bincount(coding.codes[rows], minlength=len(column.levels)).tolist(), coding.lacking)
        for column, coding in zip(choices.columns, codings, strict=True)
    ]
    lacking = {
        column.name: int((coding.codes == UNKNOWN).sum())
        for column, coding in zip(choices.columns, codings, strict=True)
    }
    return _import_report(table, shape, lacking, fixed_reports(column_names(table), columns), words)


def fixed_reports(
    names: Sequence[str], columns: Iterable[tuple[FixedColumn, Sequence[int], int]]
) -> tuple[ColumnReport, ...]:
    """Reports of what a recipe made of each column; `columns` are those it codes, with their counts and gaps."""
    coded = {
        item.name: ColumnReport(
            item.name, item.kind, "coded by a recipe", True, item.levels, tuple(counts), item.cuts, lacking
        )
        for item, counts, lacking in columns
    }
    unused = (ColumnReport(name, "ignore", "the recipe does not use it", True) for name in names)
    return tuple(({item.name: item for item in unused} | coded).values())
