"""Single rows: one patient's values coded like the rows of a data set, and rows of the table a data set was made of."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import chain
from typing import Any

import numpy as np

from engine.data.dataset import Dataset
from engine.data.preparing.column_coding import UNKNOWN, FixedColumn
from engine.data.reading.name_words import names_group, names_person
from engine.data.reading.naming import quoted_values, shown_name, shown_value
from engine.errors import InputError
from engine.lazy import pd
from engine.text import told

_EMPTY = ("", "None", "nan", "<NA>", "NaT")
"""How what is missing is written, whatever pandas stores it as."""


def code_patient(
    data: Dataset, patient: Mapping[str, object] | pd.Series | pd.DataFrame
) -> tuple[np.ndarray, tuple[str, ...]]:
    """The codes of a patient's values, and what of them is not known, in words.

    A value is a level ("below 50", "yes") or what a file would hold (47.5, True, a merged spelling), which is coded as
    the column was. What is left out, empty or no level counts as not known.
    """
    written = isinstance(patient, Mapping)
    codes, words = np.full(data.n_variables, UNKNOWN, dtype=np.int64), []
    rules = {column.name: column for column in data.recipe.columns}
    for name, value in _cells(patient).items():
        if not written and name not in data:
            continue
        place = data.index(name)
        codes[place] = _code(rules[data.names[place]], value)
        if codes[place] == UNKNOWN:
            if written and isinstance(value, str) and value.strip():
                raise InputError(
                    f"'{name}' has no level {str(value)!r}; it has {quoted_values(data.levels[name], most=6)}. Leave "
                    "it out where the value is unknown.",
                    column=name,
                )
            words.append(_not_known(data, name, value))
    return codes, tuple(words)


def _cells(patient: Any) -> dict[str, Any]:
    if hasattr(patient, "columns"):
        if len(patient) != 1:
            raise InputError(f"A patient is one row; the table has {len(patient):,}. Give table.iloc[[0]], say.")
        return {str(name): patient[name].iloc[0] for name in patient.columns}
    if not hasattr(patient, "items"):
        raise InputError("Give the patient as a dictionary {name: value}, a row of a pandas table, or a row's number.")
    return {str(name): value for name, value in patient.items()}


def _code(column: FixedColumn, value: Any) -> int:
    """A level by its name first, then a value as a file would hold it."""
    if str(value) in column.levels:
        return column.levels.index(str(value))
    return int(column.code(pd.Series([value], dtype=object)).codes[0])


def _not_known(data: Dataset, name: str, value: Any) -> str:
    if str(value).strip() in _EMPTY:
        return told("'{}' is empty, so it counts as not known.", shown_name(name))
    what = "'{}' has no level '{}' (it has {}), so it counts as not known."
    return told(what, shown_name(name), shown_value(value), quoted_values(data.levels[name], most=6))


def table_rows(data: Dataset, which: np.ndarray) -> np.ndarray:
    """Numbers (from 0) that rows of the data set have in the table it was made of; their own where they are far."""
    rows = np.asarray(which, dtype=np.int64)
    return data.origin[rows].astype(np.int64) if data.in_memory else rows


def first_row(data: Dataset) -> int:
    """Number (from 0) that the first row of the data set has in the table it was made of; 0 where there is none."""
    return int(data.origin.min()) if len(data.origin) else 0


def data_row(data: Dataset, row: int) -> int | None:
    """Row of the data set that a row of the table became (both from 0), None when it was left out."""
    if not data.in_memory:
        return row if 0 <= row < data.n_rows else None
    places = np.flatnonzero(data.origin == row)
    return int(places[0]) if len(places) else None


def table_length(data: Dataset) -> int:
    """Rows of the table that the data set was made of."""
    return data.report.rows_read if data.report is not None else int(data.origin.max(initial=-1)) + 1


def identifier_of(data: Dataset, table: pd.DataFrame | None, row: int) -> str:
    """The cell of a row of the table in the column that names it, "" without one.

    By role the identifier, then the subject; else a column beside the variables that is called as identifiers are, or
    as a number of rows is ("case", "record no") where no two rows share a value.
    """
    if table is None:
        return ""
    by_role = [name for role in ("identifier", "subject") for name, own in data.roles.items() if own == role]
    beside = [str(name) for name in table.columns if str(name) not in data.names]
    by_name = [name for name in beside if names_person(name)]
    by_number = (name for name in beside if not names_group(name) and table[name].is_unique)
    cells = (table[name].iloc[row] for name in chain(by_role, by_name, by_number) if name in table.columns)
    return next((str(cell) for cell in cells if pd.notna(cell)), "")


def rows_of_subject(data: Dataset, row: int) -> np.ndarray:
    """Positions of a row and of all others of its subject."""
    clusters = data.clusters
    return np.array([row]) if clusters is None else np.flatnonzero(clusters == clusters[row])


def row_codes(data: Dataset, row: int) -> np.ndarray:
    """(p,) codes of one row of the data set; quick also where the whole table is kept in another form."""
    return data.store.some(np.array([row]))[:, 0]


def number_values(data: Dataset, patient: Any, row: int | None) -> dict[str, float]:
    """Name -> number of a row of the data set, or of a patient's values as `code_patient` takes them, where known."""
    if row is not None:
        values = {name: float(numbers.column[row]) for name, numbers in data.numbers.items()}
    else:
        rules = {column.name: column for column in data.recipe.columns if column.name in data.numbers}
        cells = {name: cell for name, cell in _cells(patient).items() if name in rules}
        coded = {name: rules[name].code(pd.Series([cell], dtype=object)).numbers for name, cell in cells.items()}
        values = {name: math.nan if number is None else float(number.column[0]) for name, number in coded.items()}
    return {name: value for name, value in values.items() if math.isfinite(value)}


MOST_FAR = 0.05
"""Share of rows that may be as far out as a number that is called so: of skewed columns a tenth and more can be."""


def far_out_rows(data: Dataset) -> dict[str, np.ndarray]:
    """Name -> (n,) of each row whose number is far out how many rows are as far or farther on its side, else 0.

    "Far out" as Tukey has it (1977, Exploratory Data Analysis, 2D), more than 3 interquartile ranges below the lower or
    above the upper quartile, of numbers that were cut into intervals, which do not show it; as in at most `MOST_FAR` of
    the rows. A column whose quartiles are equal has none, nor has one that is not in memory.
    """
    result = {}
    for name, numbers in data.numbers.items() if data.in_memory else ():
        column = np.asarray(numbers.column, dtype=float)
        low, high = np.nanquantile(column, (0.25, 0.75))
        beyond = np.maximum(low - column, column - high)
        as_far = np.zeros(len(column), dtype=np.int64)
        for side in (column < low, column > high):
            rows = np.flatnonzero(side & (beyond > 3 * (high - low)) & (high > low))
            ranked = np.sort(-beyond[rows])
            as_far[rows] = np.searchsorted(ranked, -beyond[rows], side="right")
        as_far[as_far > MOST_FAR * len(column)] = 0
        if as_far.any():
            result[name] = as_far
    return result


def far_out(column: np.ndarray, value: float) -> int:
    """Count the rows with a number as far out as this one on its side, itself counted; 0 where it is not far out.

    "Far out" is as in `far_out_rows`.
    """
    low, high = np.nanquantile(column, (0.25, 0.75))
    beyond = max(low - value, value - high)
    if not beyond > 3 * (high - low) > 0:
        return 0
    rows = max(int(np.count_nonzero(column >= value if value > high else column <= value)), 1)
    return rows if rows <= MOST_FAR * len(column) else 0


def known_values(data: Dataset, table: pd.DataFrame | None, row: int) -> dict[str, str]:
    """Return one row of the table, as levels of the data set; without what is missing or has no level."""
    place = data_row(data, row)
    if place is None and table is None:
        return {}
    if place is not None:
        codes = row_codes(data, place)
    else:
        codes = data.recipe.codes(table.iloc[[row]])[0][:, 0] if table is not None else np.zeros(0)
    return {name: data.levels[name][code] for name, code in zip(data.names, codes, strict=True) if code != UNKNOWN}
