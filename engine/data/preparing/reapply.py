"""New rows coded like the old ones: a table prepared by columns whose levels and cut points are fixed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.data.preparing.choices import BESIDE, FrameChoices
from engine.data.preparing.column_coding import UNKNOWN, Coding, FixedColumn
from engine.data.preparing.conditions import columns_of, conditions_sentence, weigh
from engine.data.preparing.derived import sources
from engine.data.preparing.prepare import Prepared
from engine.data.preparing.report import ColumnReport, ImportReport
from engine.data.preparing.roles import names_cluster, names_person
from engine.data.preparing.shaping import shape_columns
from engine.data.preparing.steps import steps_of
from engine.data.preparing.variables import Variable, column_names, make_variable
from engine.data.rows.context import context_of, grouping_columns
from engine.data.rows.used import used_rows
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd


def fixed_codes(table: pd.DataFrame, choices: FrameChoices) -> tuple[list[Coding | None], tuple[str, ...]]:
    """The codes of each fixed column (None where the table lacks it), and sentences on what did not fit."""
    names, columns = column_names(table), choices.columns
    coded_columns = shape_columns(
        table, choices, [column_value.name for column_value in columns if column_value.name in choices.derive]
    )
    result: list[Coding | None] = []
    words = []
    for column in columns:
        if column.name in choices.derive and column.name in coded_columns:
            coding = column.code_of(coded_columns[column.name])
        elif column.name not in names:
            result.append(None)
            words.append(f"The table has no column '{column.name[:60]}', so its values are not known.")
            continue
        else:
            coding = column.code(table.iloc[:, names.index(column.name)])
        result.append(coding)
        if coding.strange:
            words.append(coding.sentence(column))
    return result, tuple(words)


def reapply(table: pd.DataFrame, choices: FrameChoices) -> Prepared:
    """A table prepared by `choices.columns`; rows with a cell that is not known are left out."""
    columns, names = choices.columns, column_names(table)
    kinds = {column.name: column.kind for column in columns}
    role_columns = [name for name, role in choices.roles.items() if role in BESIDE]
    source_columns = [source for way in choices.derive.values() for source in sources(way)]
    wanted = [*(column.name for column in columns), *role_columns, *source_columns, *columns_of(choices.where)]
    absent = [name for name in wanted if name not in names and name not in choices.derive]
    if absent:
        raise DataError(
            f"The table has no column '{absent[0][:60]}', which the recipe needs. Add it, or ask for "
            "`recipe.codes` of the columns that are there.",
            column=absent[0],
        )
    inside, can_tell = select_rows(table, choices)
    part = table[inside] if choices.where else table  # what lies outside has nothing to say
    result, words = fixed_codes(part, choices)
    codings = [item for item in result if item is not None]
    codes = np.array([coding_value.codes for coding_value in codings])
    whole = (codes != UNKNOWN).all(axis=0)
    if not whole.any():
        reasons = " ".join(words[:3]) or "Every row lacks a value."
        raise DataError(f"No row of the table is known whole, so none is left. {reasons}")
    known = shape_columns(table, choices, role_columns)
    raw = [coding.codes if coding.numbers is None else coding.numbers.places for coding in codings]
    used = used_rows(whole, [entry.rows(inside) if choices.where else entry for entry in known.values()], raw, choices)
    place = np.flatnonzero(inside)
    origin = place[used.rows]
    steps, _, more = steps_of(known, choices)
    return Prepared(
        tuple(column.name for column in columns),
        {column.name: column.levels for column in columns},
        kinds,
        codes[:, used.rows],
        {column.name: column.cuts for column in columns if column.cuts},
        origin,
        used.report(
            _report(
                table,
                names,
                columns,
                codings,
                used.rows,
                (*words, *more),
                inside,
                can_tell,
                conditions_sentence(choices.where),
            )
        ),
        None if steps is None else steps.rows(origin),
        choices,
        {
            column.name: coding.numbers.rows(used.rows)
            for column, coding in zip(columns, codings, strict=True)
            if coding.numbers is not None
        },
        context_of(
            grouping_columns(_may_group(table, choices, inside), kinds.__contains__, choices.roles, used.flags),
            codes,
            used.counted(np.flatnonzero(~whole)),
            None if steps is None else steps.owner[place],
            rows=used.rows,
            counted=bool(used.weight),
        ),
    )


def _may_group(table: pd.DataFrame, choices: FrameChoices, inside: np.ndarray) -> Iterator[Variable]:
    """Columns whose names, or sort, say that they may tell which rows belong together, with the rows that are meant."""
    for place, name in enumerate(column_names(table)):
        column = table.iloc[:, place]
        named = names_person(name) or names_cluster(name) or choices.roles.get(name) == "identifier"
        if named or (
            column.dtype.kind not in "fiub" and name not in {column_value.name for column_value in choices.columns}
        ):
            seen = make_variable(column, name).without(choices.tokens_for(name))
            yield seen.rows(inside) if choices.where else seen


def select_rows(table: pd.DataFrame, choices: FrameChoices) -> tuple[np.ndarray, np.ndarray]:
    """(n,) flags of the rows that the filter means, and of those where that can be told."""
    if not choices.where:
        return np.ones(len(table), bool), np.ones(len(table), bool)
    result = shape_columns(table, choices, columns_of(choices.where))
    inside, known = weigh(choices.where, result, len(table))
    if not inside.any():
        raise DataError(f"No row of the table is left where {conditions_sentence(choices.where)[:300]}.")
    return inside, known


def _report(
    table: pd.DataFrame,
    names: Sequence[str],
    columns: Sequence[FixedColumn],
    codings: Sequence[Coding],
    rows: np.ndarray,
    words: Sequence[str],
    inside: np.ndarray,
    known: np.ndarray,
    where: str,
) -> ImportReport:
    by_name = {column.name: (column, coding) for column, coding in zip(columns, codings, strict=True)}
    reports = []
    for name in (*names, *(name for name in by_name if name not in names)):
        if name not in by_name:
            reports.append(ColumnReport(name, "ignore", "the recipe does not use it", True))
            continue
        column, coding = by_name[name]
        counts = np.bincount(coding.codes[rows], minlength=len(column.levels)).tolist()
        reports.append(
            ColumnReport(
                name, column.kind, "coded by a recipe", True, column.levels, tuple(counts), column.cuts, coding.lacking
            )
        )
    lacking = {name: int((coding.codes == UNKNOWN).sum()) for name, (_, coding) in by_name.items()}
    reading = table.attrs.get("reading")
    return ImportReport(
        len(inside),
        len(rows),
        {name: count for name, count in lacking.items() if count},
        tuple(reports),
        tuple(words),
        (),
        dict(reading) if isinstance(reading, dict) else None,
        int((~inside).sum()),
        int((~known).sum()),
        where,
    )
