"""Which rows of a table are used, and how often each: copies once where that is chosen, weights as counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.report import ImportReport
from engine.data.preparing.variables import Variable
from engine.data.reading.naming import in_row, quoted_values, shown_name
from engine.errors import DataError
from engine.text import Count

MOST_ROWS = 20_000_000
"""Rows that weights may make of a table."""
_LARGEST = float(MOST_ROWS)


@dataclass(frozen=True, eq=False)
class UsedRows:
    """The rows of a table that are used.

    Attributes
    ----------
    flags : (n,) whether a row is used
    rows : numbers of the rows that are used, in order, each as often as it counts
    copied, weightless : rows left out as copies, and for the weight 0
    weight : column that says how often a row counts, "" where none does
    times : (n,) how often each row counts; None where each counts once
    """

    flags: np.ndarray
    rows: np.ndarray
    copied: int = 0
    weightless: int = 0
    weight: str = ""
    times: np.ndarray | None = None

    def counted(self, rows: np.ndarray) -> np.ndarray:
        """Other rows, each as often as it counts."""
        return rows if self.times is None else np.repeat(rows, self.times[rows])

    def report(self, report: ImportReport) -> ImportReport:
        """The report of the rows with these facts; what it calls kept are rows of the table."""
        counted = len(self.rows) if self.weight else 0
        return replace(
            report,
            rows_kept=int(self.flags.sum()),
            rows_copied=self.copied,
            rows_weightless=self.weightless,
            rows_counted=counted,
            weight=self.weight,
        )


def used_rows(
    whole: np.ndarray, variables: Iterable[Variable], kept: Sequence[np.ndarray], choices: FrameChoices
) -> UsedRows:
    """The rows that are used of those that are known whole."""
    flags, copied = whole, 0
    if choices.copies_once:
        flags = first_of_copies(kept, whole)
        copied = int(whole.sum() - flags.sum())
    weight = choices.with_role("weight")
    if weight is None:
        return UsedRows(flags, np.flatnonzero(flags), copied)
    column = next(variable for variable in variables if variable.name == weight)
    times = _counts(column, flags)
    used = flags & (times > 0)
    total = int(times[flags].sum(dtype=np.int64))
    if not total:
        raise DataError(
            "Every row that is left has the weight 0 in '{}', so none is left.", shown_name(weight), column=weight
        )
    if total > MOST_ROWS:
        raise DataError(
            "The weights in '{}' add up to more than {} rows; divide them by a common factor, or take the role away.",
            shown_name(weight),
            Count(MOST_ROWS),
            column=weight,
        )
    rows = np.repeat(np.flatnonzero(used), times[used])
    return UsedRows(used, rows, copied, int(flags.sum() - used.sum()), weight, times)


def first_of_copies(columns: Iterable[np.ndarray], rows: np.ndarray) -> np.ndarray:
    """(n,) flags of the rows among those flagged in `rows` that are no copy of one before."""
    places = np.flatnonzero(rows)
    number = np.zeros(len(places), dtype=np.int64)
    for column in columns:
        values = column[places].astype(np.int64)
        number = np.unique(number * (values.max(initial=0) + 2) + values + 1, return_inverse=True)[1]
    first = np.unique(number, return_index=True)[1]
    result = np.zeros(len(rows), dtype=bool)
    result[places[first]] = True
    return result


def _counts(column: Variable, rows: np.ndarray) -> np.ndarray:
    """(n,) the weights as counts; those of rows that are not used count once where they are none."""
    seen = column.as_numbers()
    numbers = seen.numbers if seen is not None else None
    if seen is None or numbers is None:  # a word among them: the first cell that is no number is told
        values = np.append([_number(name) for name in column.level_names()], np.nan)[column.codes]
    else:
        values = np.append(numbers, np.nan)[seen.codes]
    right = (values >= 0) & (values == np.floor(values))
    wrong = np.flatnonzero(rows & ~right)
    if len(wrong):
        row = int(wrong[0])
        place = row if column.origin is None else int(column.origin[row])
        text = "no value" if column.codes[row] < 0 else quoted_values([column.level_names()[column.codes[row]]])
        raise DataError(
            "'{}' has the role weight, but {} has {}; a weight is how often a row counts: 0, 1, 2 and so "
            "on. Take the role away, or give such counts.",
            shown_name(column.name),
            in_row(place + 1),
            text,
            column=column.name,
            row=place + 1,
        )
    return np.where(right, np.minimum(np.where(right, values, 1.0), _LARGEST + 1), 1).astype(np.int64)


def _number(text: str) -> float:
    """A number as it is written; NaN for anything else."""
    try:
        return float(text)
    except ValueError:
        return float("nan")
