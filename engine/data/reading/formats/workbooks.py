"""Excel workbooks and sheets of OpenDocument: which sheet is read, and how its merged cells and errors are."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

import pandas as pd
from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from engine.data.reading.columns import text_of
from engine.data.reading.formats.workbook_scan import (
    ERROR_CODES,
    XLSX_ADVICE,
    look_through,
    look_through_open_document,
    with_error_texts,
)
from engine.data.reading.headers import MergedRow, Row
from engine.data.reading.limits import LONGEST_CELL, Choices, Limits, Progress
from engine.data.reading.report import ReadingReport, reading_report
from engine.data.reading.text_tables import grid_table
from engine.errors import DataError, InputError
from engine.words import count, short

_SCANNED = 0.3
"""Part of the work that is done when a workbook has been looked through."""
_JUDGED_ROWS = 500
"""Rows of a sheet by which it is judged how much of it is a table."""
_LONGEST_VALUE = 40
"""Mean characters of the texts of a column beyond which these are explanations."""


def read_workbook(
    data: bytes, choices: Choices, limits: Limits, report: ReadingReport, progress: Progress
) -> pd.DataFrame:
    """One worksheet of an Excel workbook (.xlsx, .xlsm) or an OpenDocument (.ods).

    Macros are never run, formulas never computed.
    """
    look = look_through_open_document if report.format == "ods" else look_through
    findings = look(data, limits, lambda fraction: progress(_SCANNED * fraction))
    if findings.with_errors:
        data = with_error_texts(data, findings.with_errors)
        if choices.missing is not None:
            choices = replace(choices, missing=(*choices.missing, *ERROR_CODES))
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = [item for item in book.sheets_metadata if item.typ == SheetTypeEnum.WorkSheet]
        names = [sheet.name for sheet in sheets]
        visible = [sheet.name for sheet in sheets if sheet.visible == SheetVisibleEnum.Visible] or names
        wanted = [_chosen(names, choices.sheet)] if choices.sheet is not None else visible
        sheet, others = _largest(book, wanted)
        alike = [name for name in others if _first_row(book.get_sheet_by_name(name)) == _first_row(sheet)]
    except BaseException as error:  # a panic of the reader's own language is no Exception
        if isinstance(error, DataError | MemoryError) or not (
            isinstance(error, CalamineError | OSError | ValueError) or type(error).__name__ == "PanicException"
        ):
            raise
        raise InputError(f"The workbook is damaged and cannot be read. Open and save it again. {XLSX_ADVICE}") from None
    notes, problems = list(report.notes), [*report.problems]
    if others:
        listed = ", ".join(f"'{short(entry, 40)}'" for entry in others)
        notes.append(
            f"The workbook has several sheets; '{short(sheet.name, 40)}', which holds most of a table, was read. "
            f"Others: {short(listed, 300)}."
        )
    if alike:
        listed = ", ".join(f"'{short(entry, 40)}'" for entry in alike)
        problems.append(
            f"Only sheet '{short(sheet.name, 40)}' was read, but {short(listed, 200)} also has these columns. "
            "Put their rows into one sheet to use all."
        )
    problems += findings.sentences([item.name for item in book.sheets_metadata].index(sheet.name))
    report = replace(report, sheet=sheet.name, sheets=tuple(names), notes=tuple(notes), problems=tuple(problems))
    table = grid_table(_sheet_rows(sheet, progress), choices, limits, report)
    return _with_errors_told(table)


def _with_errors_told(table: pd.DataFrame) -> pd.DataFrame:
    """The table with a sentence on the errors among its missing cells."""
    report = reading_report(table)
    if report is None:
        return table
    errors = Counter[str]()
    for cells in report.missing_tokens.values():
        errors.update({code: n for code, n in cells.items() if code in ERROR_CODES})
    if not errors:
        return table
    listed = ", ".join(f"{code} in {count(n, 'cell')}" for code, n in errors.items())
    sentence = f"Errors that the spreadsheet shows in its cells count as missing: {listed}."
    return replace(report, problems=(*report.problems, sentence)).attach(table)


def _chosen(names: list[str], requested: str | int) -> str:
    if isinstance(requested, int) and 0 <= requested < len(names):
        return names[requested]
    if requested in names:
        return str(requested)
    listed = ", ".join(f"'{short(name, 40)}'" for name in names[:10])
    raise InputError(f"The workbook has no sheet '{short(str(requested), 40)}'; it has {listed}.")


def _largest(book: Any, names: Sequence[str]) -> tuple[Any, list[str]]:
    """The sheet that holds most of a table, and the names of the others with values."""
    best, most, filled = None, -1.0, []
    for name in names:
        sheet = book.get_sheet_by_name(name)
        if sheet.start is None or not sheet.height or not sheet.width:
            continue
        filled.append(name)
        size = _size_of_table(sheet) if len(names) > 1 else 0.0
        if size > most:
            best, most = sheet, size
    if best is None:
        raise InputError("The workbook has no sheet with values. If its cells are formulas, open and save it in Excel.")
    return best, [name for name in filled if name != best.name]


def _first_row(sheet: Any) -> list[Any]:
    """The cells of the first row with values."""
    return list(next(islice(sheet.iter_rows(), sheet.start[0], None)))


def _size_of_table(sheet: Any) -> float:
    """About how many cells hold values of a table: numbers, dates, and words that come again; explanations do not."""
    first = sheet.start[0]
    rows = list(islice(sheet.iter_rows(), first, first + _JUDGED_ROWS))
    cells = 0
    for column in zip(*rows, strict=True):
        texts = [value for value in column if isinstance(value, str) and value]
        short = texts and sum(map(len, texts)) <= _LONGEST_VALUE * len(texts)
        again = short and 2 * len(set(texts)) <= len(texts) + 1
        cells += sum(not isinstance(value, str) for value in column) + (len(texts) if again else 0)
    return cells * sheet.height / max(len(rows), 1)


_ROWS_OF_NAMES = 50
"""Rows of a sheet below its first among which names are looked for in merged cells."""


def _sheet_rows(sheet: Any, progress: Progress) -> Iterator[Row]:
    """Rows of texts with their number in the sheet; columns before the first value are left out."""
    first_row, first_column = sheet.start
    height, merged = first_row + sheet.height, _Merged.of(sheet)
    for offset, cells in enumerate(sheet.iter_rows()):
        if offset % 1_000 == 0:
            progress(_SCANNED + (1 - _SCANNED) * offset / height)
        texts = [text_of(cell) for cell in cells[first_column:]]
        if any(len(text) > LONGEST_CELL for text in texts):
            raise InputError(
                f"Row {offset + 1} has a cell of more than {LONGEST_CELL:,} characters, which is no value of a table. "
                "Shorten it, or leave its column out.",
                row=offset + 1,
            )
        if offset >= first_row:
            row = merged.row(offset, texts)
            yield offset + 1, row if any(row) else []


@dataclass
class _Merged:
    """The merged cells of a sheet: those of one row near its top, where names may stand, and those of several rows.

    Attributes
    ----------
    spans : row -> first -> last position of its merged cells
    starting : row -> position and last row of those that go on below it
    open : position -> first row, last row and text of those that a row stands in
    """

    spans: dict[int, dict[int, int]]
    starting: dict[int, list[tuple[int, int]]]
    open: dict[int, tuple[int, int, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, sheet: Any) -> _Merged:
        """The merged ranges that lie where the sheet has cells."""
        first_row, first_column = sheet.start
        result = cls({}, {})
        for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
            first, last = left - first_column, min(right, sheet.end[1]) - first_column
            if top < first_row or first < 0 or first > last:
                continue
            if top == bottom and first < last and top <= first_row + _ROWS_OF_NAMES:
                result.spans.setdefault(top, {})[first] = last
            elif top < bottom:
                result.starting.setdefault(top, []).append((first, bottom))
        return result

    def row(self, offset: int, texts: list[str]) -> list[str]:
        """A row with its merged cells; `offset` counts up from call to call."""
        above = {}
        for place, (top, bottom, text) in list(self.open.items()):
            if offset > bottom:
                del self.open[place]
            elif not texts[place]:
                above[place] = (top + 1, text)
        for place, bottom in self.starting.get(offset, ()):
            if texts[place]:
                self.open[place] = (offset, bottom, texts[place])
        return MergedRow(texts, self.spans.get(offset, {}), above) if above or offset in self.spans else texts
