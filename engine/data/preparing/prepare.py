"""`prepare`: from a pandas table to a `Dataset`: kinds, levels, intervals, missing values, and a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.data.dataset import Dataset
from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.levels import Coded, coded
from engine.data.preparing.proposals import Proposal, measures, propose_one
from engine.data.preparing.report import ColumnReport, ImportReport
from engine.data.preparing.variables import Variable, make_variable
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

Tokens = Iterable[str] | Mapping[str, Iterable[str]]


def prepare(
    table: pd.DataFrame,
    *,
    kinds: Mapping[str, str] | None = None,
    levels: Mapping[str, Sequence[object]] | None = None,
    missing: str | Mapping[str, str] = "drop",
    bins: int | Mapping[str, int | Sequence[float]] = 3,
    binning: str | Mapping[str, str] = "quantile",
    rare: int | Mapping[str, int] = 0,
    merge: Mapping[str, Mapping[object, object]] | None = None,
    missing_tokens: Tokens | None = None,
) -> Dataset:
    """Turn a pandas table into a `Dataset`; `Dataset.report` says what was decided and why.

    Parameters
    ----------
    table : any pandas table; one from `engine.read_table` brings its reading report along
    kinds : column -> "nominal", "ordinal", "continuous", "ignore" (or "identifier"); proposed where left out
    levels : column -> its levels in order; may list levels that no row has, must list all that rows have
    missing : "drop" (rows that lack a value of a kept column), "level" (missing is a level of its own) or
        "drop_columns" (columns that lack a value are left out); or column -> one of these
    bins : number of intervals of continuous columns; or column -> a number or the cut points themselves
    binning : "quantile" (equally many rows) or "width" (equally wide); or column -> one of these
    rare : levels with fewer rows are merged, nominal ones into "other", ordinal ones into a neighbour;
        0 merges none; or column -> number
    merge : column -> {level: level it becomes}
    missing_tokens : texts (also of numbers, such as "-9") that count as missing; for all, or by column

    Levels are those of the whole table, dropped rows included; cut points come from the rows that are kept.

    Raises
    ------
    DataError : a choice that does not fit the table; no column or no row left; each with the remedy
    """
    choices = FrameChoices.of(
        kinds=kinds, levels=levels, missing=missing, bins=bins, binning=binning, rare=rare, merge=merge
    )
    variables = look_at(table, missing_tokens)
    choices.check_names([variable.name for variable in variables])
    declared = measures(table)
    proposals = [propose_one(variable, declared.get(variable.name)) for variable in variables]
    decided = [_decide(variable, proposal, choices) for variable, proposal in zip(variables, proposals, strict=True)]
    kept = [one for one in decided if one.kind != "ignore"]
    if not kept:
        why = "; ".join(f"'{one.variable.name[:60]}': {one.reason}" for one in decided[:5])
        raise DataError(
            f"No column is left to use: {why}. Choose a kind for the columns you need, or give a table with "
            "columns whose values repeat."
        )
    rows, lacking = _complete_rows(kept)
    columns = {one.variable.name: coded(one.variable, one.kind, rows, choices) for one in kept}
    report = _report(table, decided, proposals, columns, rows, lacking)
    data = Dataset.from_codes(
        np.array([column.codes[rows] for column in columns.values()]),
        {name: column.levels for name, column in columns.items()},
        list(columns),
        {name: column.kind for name, column in columns.items()},
    )
    cuts = {name: column.cuts for name, column in columns.items() if column.cuts}
    return replace(data, cuts=cuts, report=report)


def look_at(table: pd.DataFrame, missing_tokens: Tokens | None = None) -> list[Variable]:
    """Every column as codes of its distinct values, tokens taken for missing."""
    import pandas as pd

    if not isinstance(table, pd.DataFrame):
        raise DataError("Give a pandas table (DataFrame); a file is read with engine.read_table.")
    names = [str(name) for name in table.columns]
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise DataError(f"Two columns are called '{twice[0]}'; give each a name of its own.", column=twice[0])
    if not names:
        raise DataError("The table has no columns. Choose a file or sheet with a table in it.")
    if not len(table):
        raise DataError("The table has no rows. Choose a file with data below its header.")
    by_name = missing_tokens if isinstance(missing_tokens, Mapping) else None
    if by_name is not None:
        FrameChoices.of().check_known(by_name, names, "missing_tokens")
    everywhere = [] if by_name is not None else _token_list(missing_tokens)
    found = []
    for position, name in enumerate(names):
        variable = make_variable(table.iloc[:, position], name)
        tokens = _token_list(by_name.get(name)) if by_name is not None else everywhere
        found.append(variable.without(tokens) if tokens else variable)
    return found


def _token_list(tokens: Iterable[str] | None) -> list[str]:
    return [] if tokens is None else [tokens] if isinstance(tokens, str) else [str(token) for token in tokens]


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
    asked = choices.kinds.get(variable.name)
    if asked is not None:
        agrees = "" if asked == proposal.kind else f"proposed was {_words(proposal.kind)}, since {proposal.reason}"
        kind, reason, chosen = asked, agrees or proposal.reason, True
    elif variable.name in choices.levels and kind not in ("nominal", "ordinal"):
        kind = "ordinal" if variable.sort == "number" else "nominal"
        reason, chosen = "its levels are given", True
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
    if kind != "continuous" or variable.numbers is not None:
        return variable
    found = variable.as_numbers() or variable.as_days()
    if found is not None:
        return found
    from engine.data.reading.numbers import PLAIN

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


def _complete_rows(kept: Sequence[_Decided]) -> tuple[np.ndarray, dict[str, int]]:
    """(n,) flags of the rows to keep, and column -> dropped rows that lack its value."""
    rows = np.ones(len(kept[0].variable.codes), bool)
    strict = [one for one in kept if one.missing != "level"]
    for one in strict:
        rows &= one.variable.codes >= 0
    counts = {one.variable.name: one.variable.n_missing for one in strict}
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
    lacking: Mapping[str, int],
) -> ImportReport:
    reading = table.attrs.get("reading")
    reading = dict(reading) if isinstance(reading, Mapping) else None
    problems: list[str] = []
    suggestions: list[str] = []
    reports = []
    for one, proposal in zip(decided, proposals, strict=True):
        column = columns.get(one.variable.name)
        reports.append(_column_report(one, column, rows, reading))
        problems += column.problems if column is not None else ()
        suggestions += _suggestions(proposal, ignored=one.kind == "ignore")
    kept = int(rows.sum())
    if kept < len(rows) / 2:
        worst = max(lacking, key=lambda name: lacking[name])
        problems.append(
            f"Only {kept:,} of {len(rows):,} rows are complete; leaving out '{worst[:60]}' "
            f"({lacking[worst]:,} missing) or making missing a level would keep more."
        )
    numbers = None if kept == len(rows) else np.flatnonzero(rows).astype(np.int32)
    return ImportReport(
        len(rows), kept, dict(lacking), tuple(reports), tuple(problems), tuple(suggestions), reading, numbers
    )


def _column_report(
    one: _Decided, column: Coded | None, rows: np.ndarray, reading: Mapping[str, Any] | None
) -> ColumnReport:
    variable, reading = one.variable, reading or {}
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
        "; ".join(filter(None, (one.reason, column.note if column is not None else ""))),
        one.chosen,
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
