"""From a pandas table to codes: kinds, levels, intervals, missing values, and a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.data.preparing.choices import BESIDE, FrameChoices
from engine.data.preparing.column_coding import FixedColumn, fixed_column
from engine.data.preparing.levels import Coded, coded
from engine.data.preparing.proposals import Proposal, measures, propose_one
from engine.data.preparing.report import ColumnReport, ImportReport
from engine.data.preparing.shaping import Shaped, fixed_choices, shaped
from engine.data.preparing.steps import Steps, steps_of
from engine.data.preparing.variables import Numbers, Variable, numbers_of
from engine.data.reading.headers import clean_text
from engine.data.reading.numbers import PLAIN
from engine.data.rows.context import RowContext, context_of, grouping_columns
from engine.data.rows.used import used_rows
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Prepared:
    """What becomes of a table: the fields of a `Dataset`, which is made of them one floor above."""

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


def prepared(table: pd.DataFrame, choices: FrameChoices) -> Prepared:
    """Decide kinds, levels and rows of a table as `choices` say (see `engine.Recipe`)."""
    shape = shaped(table, choices)
    variables = shape.used
    choices.check_names([variable.name for variable in variables])
    declared = measures(table)
    proposals = [propose_one(variable, declared.get(variable.name)) for variable in variables]
    decided = [_decide(variable, proposal, choices) for variable, proposal in zip(variables, proposals, strict=True)]
    used_columns = [item for item in decided if item.kind != "ignore"]
    if not used_columns:
        why = "; ".join(f"'{entry.variable.name[:60]}': {entry.reason}" for entry in decided[:5])
        raise DataError(
            f"No column is left to use: {why}. Choose a kind for the columns you need, or give a table with "
            "columns whose values repeat."
        )
    whole, lacking = _complete_rows(used_columns)
    used = used_rows(whole, variables, [element.variable.codes for element in used_columns], choices)
    columns = {item.variable.name: coded(item.variable, item.kind, used.rows, choices) for item in used_columns}
    steps, order, words = steps_of(shape.by_name, choices)  # of all rows: one that is left out is a hole in a series
    place = np.flatnonzero(shape.inside)
    origin = place[used.rows]
    fixed = [_fixed(column.variable, columns[column.variable.name], choices) for column in used_columns]
    return Prepared(
        tuple(columns),
        {name: column.levels for name, column in columns.items()},
        {name: column.kind for name, column in columns.items()},
        np.array([column.codes[used.rows] for column in columns.values()]),
        {name: column.cuts for name, column in columns.items() if column.cuts},
        origin,
        used.report(_report(table, decided, proposals, columns, used.rows, whole, lacking, words, shape)),
        None if steps is None else steps.rows(origin),
        replace(
            fixed_choices(choices, shape),
            columns=tuple(fixed),
            levels={**choices.levels, **order},
            tick=choices.tick if steps is None else steps.tick,
        ),
        {
            item.variable.name: numbers_of(item.variable).rows(used.rows)
            for item in used_columns
            if item.kind == "continuous"
        },
        context_of(
            grouping_columns(variables, columns.__contains__, choices.roles, used.flags),
            [column.codes for column in columns.values()],
            used.counted(np.flatnonzero(~whole)),
            None if steps is None else steps.owner[place],
            rows=used.rows,
            counted=bool(used.weight),
        ),
    )


def _fixed(variable: Variable, column: Coded, choices: FrameChoices) -> FixedColumn:
    return fixed_column(
        variable,
        column.kind,
        column.levels,
        places=column.places,
        cuts=column.cuts,
        intervals=column.intervals,
        missing=column.absent,
        ordered=column.ordered,
        limits=choices.limits.get(variable.name, "") if column.kind == "continuous" else "",
        # a new column is made of what is known already
        tokens=()
        if variable.name in choices.derive
        else tuple(clean_text(token) for token in choices.tokens_for(variable.name)),
    )


@dataclass(frozen=True)
class _Decided:
    variable: Variable
    kind: str
    reason: str
    chosen: bool
    missing: str


def _decide(variable: Variable, proposal: Proposal, choices: FrameChoices) -> _Decided:
    """The kind of one column: the user's choice, what follows from other choices, or the proposal."""
    kind, reason, chosen = proposal.kind, proposal.reason, False
    chosen_kind = choices.kinds.get(variable.name)
    role = choices.roles.get(variable.name, "")
    if chosen_kind is None and role in BESIDE:
        return _Decided(variable, "ignore", BESIDE[role], True, choices.missing_for(variable.name))
    if chosen_kind is not None:
        agrees = (
            "" if chosen_kind == proposal.kind else f"proposed was {_words(proposal.kind)}, since {proposal.reason}"
        )
        kind, reason, chosen = chosen_kind, agrees or proposal.reason, True
    elif variable.name in choices.levels and kind not in ("nominal", "ordinal"):
        kind = "ordinal" if variable.sort == "number" else "nominal"
        reason, chosen = "its levels are given", True
    elif variable.name in choices.limits and kind != "continuous":
        kind, reason, chosen = "continuous", "what becomes of its detection limits is given", True
    elif choices.cuts_given(variable.name) and kind != "continuous":
        kind, reason, chosen = "continuous", "its intervals are given", True
    way = choices.missing_for(variable.name)
    if kind != "ignore":
        variable = _fit_to_kind(variable, kind)
        if way == "drop_columns" and variable.n_missing:
            kind, reason = (
                "ignore",
                f"{variable.n_missing:,} of its values are missing, and such columns are dropped",
            )
    return _Decided(variable, kind, reason, chosen, way)


def _words(kind: str) -> str:
    return "to leave it out" if kind == "ignore" else kind


def _fit_to_kind(variable: Variable, kind: str) -> Variable:
    if variable.sort == "unusable":
        raise DataError(
            f"'{variable.name[:60]}' cannot be used: {variable.trouble}. Leave it out.", column=variable.name
        )
    if kind != "continuous" or variable.numbers is not None or not variable.n_distinct:
        return variable
    result = variable.as_numbers() or variable.as_days()
    if result is not None:
        return result
    words = variable.words or ()
    other = np.fromiter((not PLAIN["."].fullmatch(w) and not PLAIN[","].fullmatch(w) for w in words), bool, len(words))
    cells = variable.where(other if other.any() else ~other, 3)
    listed = ", ".join(f"row {row}: '{text[:40]}'" for row, text in cells)
    raise DataError(
        f"'{variable.name[:60]}' cannot be continuous: {listed} cannot be read as a number or a date. "
        "Correct these cells, list them as missing tokens, or choose nominal.",
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
    listed = ", ".join(f"'{name[:60]}' ({lacking[name]:,} missing)" for name in worst)
    raise DataError(
        f"No row is complete, so none is left. Most values are missing in {listed}. "
        "Leave those columns out, or make missing a level of its own.",
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
    reading = table.attrs.get("reading")
    reading = dict(reading) if isinstance(reading, Mapping) else None
    problems: list[str] = list(words)
    suggestions: list[str] = []
    reports = []
    for item, proposal in zip(decided, proposals, strict=True):
        column = columns.get(item.variable.name)
        reports.append(_column_report(item, column, rows, reading))
        problems += column.problems if column is not None else ()
        suggestions += _suggestions(proposal, ignored=item.kind == "ignore")
    n_kept = int(whole.sum())
    if n_kept < len(whole) / 2:
        worst = max(lacking, key=lambda name: lacking[name])
        problems.append(
            f"Only {n_kept:,} of {len(whole):,} rows are complete; leaving out '{worst[:60]}' "
            f"({lacking[worst]:,} missing) or making missing a level would keep more."
        )
    return ImportReport(
        len(shape.inside),
        n_kept,
        dict(lacking),
        tuple(reports),
        tuple(problems),
        tuple(suggestions),
        reading,
        len(shape.inside) - len(whole),
        shape.untold,
        shape.where,
    )


def _column_report(
    decided: _Decided, column: Coded | None, rows: np.ndarray, reading: Mapping[str, Any] | None
) -> ColumnReport:
    variable, reading = decided.variable, reading or {}
    name = variable.name
    tokens = {**dict(reading.get("missing_tokens", {}).get(name, {})), **variable.missing_tokens}
    cells = [
        (cell["row"], cell["value"])
        for listed in ("not_numeric", "invalid")
        for cell in reading.get(listed, ())
        if cell["column"] == name
    ]
    was = next((change["was"] for change in reading.get("renamed", ()) if change["now"] == name), None)
    counts = np.bincount(column.codes[rows], minlength=len(column.levels)) if column is not None else np.array([], int)
    return ColumnReport(
        name,
        column.kind if column is not None else "ignore",
        "; ".join(filter(None, (decided.reason, column.note if column is not None else ""))),
        decided.chosen,
        column.levels if column is not None else (),
        tuple(int(count) for count in counts),
        column.cuts if column is not None else (),
        variable.n_missing,
        tokens,
        tuple(cells) or variable.invalid,
        was,
    )


def _suggestions(proposal: Proposal, *, ignored: bool) -> list[str]:
    words = []
    name = proposal.column[:60]
    if proposal.suspicious:
        listed = ", ".join(f"'{text[:40]}'" for text in proposal.suspicious)
        words.append(f"In '{name}', {listed} may mean missing; add it to the missing tokens if so.")
    if proposal.twins and not ignored:
        for twins in proposal.twins:
            listed = " and ".join(f"'{text[:40]}'" for text in twins)
            words.append(f"In '{name}', the levels {listed} look alike; merge them if they mean the same.")
    return words
