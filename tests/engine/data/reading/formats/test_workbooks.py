"""Workbooks: which sheet is read, what merged cells, errors and hidden parts become, and what a refusal costs."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from engine import DataError, read_table
from engine.data.reading.report import ReadingReport, reading_report
from tests.hostile.more_workbooks import sheet as sheet_of
from tests.hostile.random_workbooks import CODES, random_workbook


def _read(fill: Callable[[Any], object], **choices: Any) -> tuple[pd.DataFrame, ReadingReport]:
    from openpyxl import Workbook

    book = Workbook()
    fill(book)
    out = io.BytesIO()
    book.save(out)
    table = read_table(out.getvalue(), name="t.xlsx", **choices)
    report = reading_report(table)
    assert report is not None
    return table, report


def _rows(sheet: Any, n: int = 12) -> None:
    sheet.append(["id", "ward", "age"])
    for i in range(n):
        sheet.append([i + 1, "AB"[i % 2], 40 + i])


@pytest.mark.parametrize("code", CODES)
def test_errors_are_missing_and_told(code: str) -> None:
    """In a column of numbers, whatever texts count as missing; the reader of workbooks fails at some of these codes."""

    def fill(book: Any) -> None:
        _rows(book.active)
        for place in ("C3", "C9", "B4"):
            book.active[place] = code
            book.active[place].data_type = "e"

    for choices in ({}, {"missing": ["x"]}):
        table, report = _read(fill, **choices)
        assert str(table["age"].dtype) == "Int64" and table.isna().sum().tolist() == [0, 1, 2]
        assert report.missing_tokens == {"age": {code: 2}, "ward": {code: 1}}
        assert any(f"count as missing: {code} in 3 cells." in words for words in report.problems)


def test_merges_of_any_place_and_size() -> None:
    """An empty one right of the names, one far below, one over all rows: none is a fault, and none moves a value."""
    for places in (("E1:G1",), ("D1:D4", "F1:Z9"), ("A15:C20", "A1:A1", "E30:F40"), ("XFC1048570:XFD1048576",)):
        table, report = _read(lambda book, places=places: (_rows(book.active), *map(book.active.merge_cells, places)))
        assert list(table.columns) == ["id", "ward", "age"] and len(table) == 12 and report.rows == 12


def test_a_cell_merged_downwards_has_its_value_in_each_row() -> None:
    """A ward that stands once for all its patients; a name of two rows does not run on into the data."""

    def fill(book: Any) -> None:
        _rows(book.active)
        book.active.merge_cells("B2:B6")
        book.active.merge_cells("A7:A8")

    table, report = _read(fill)
    assert table["ward"].tolist()[:6] == ["A"] * 5 + ["B"] and table["id"].tolist()[5:8] == [6, 6, 8]
    assert any("2 merged cell(s)" in words for words in report.problems)

    def names(book: Any) -> None:
        sheet = book.active
        sheet.append(["id", "before", None])
        sheet.append([None, "a", "b"])
        for i in range(12):
            sheet.append([i if i else None, i % 3, i % 5])
        sheet.merge_cells("B1:C1")
        sheet.merge_cells("A1:A3")

    table, _ = _read(names)
    assert list(table.columns) == ["id", "before a", "before b"] and pd.isna(table["id"][0])


def test_the_sheet_that_holds_most_of_a_table_is_read() -> None:
    """An explanation, a list of names and an empty sheet come first; the others are named, empty ones are not."""

    def fill(book: Any) -> None:
        book.active.title = "Read me"
        for i in range(40):
            book.active.append([f"item {i}", f"what is asked in the question number {i} of the form"])
        book.create_sheet("Empty")
        _rows(book.create_sheet("Data"))
        _rows(book.create_sheet("Pilot"), 4)

    table, report = _read(fill)
    assert (len(table), report.sheet) == (12, "Data")
    (note,) = (words for words in report.notes if "several sheets" in words)
    assert note.endswith("Others: 'Read me', 'Pilot'.")
    assert report.problems == (
        "Only sheet 'Data' was read, but 'Pilot' also has these columns. Put their rows into one sheet to use all.",
    )
    rest = _read(fill, sheet="Pilot")[1]
    assert (rest.rows, rest.problems) == (4, ())


def test_hidden_parts_of_the_sheet_that_is_read_are_told() -> None:
    """Those of other sheets are not."""

    def fill(book: Any) -> None:
        _rows(book.active)
        _rows(book.create_sheet("B"), 5)
        book["B"].row_dimensions[3].hidden = True
        book.active.column_dimensions["B"].hidden = True

    _, report = _read(fill)
    assert [words for words in report.problems if "hidden" in words] == [
        "1 range(s) of hidden columns of the workbook were read like all others."
    ]
    _, report = _read(fill, sheet="B")
    assert [words[:13] for words in report.problems] == ["1 hidden row("]


@pytest.mark.parametrize(
    "cell",
    [b"<c r='C2'><v>1</v></c>", b'<c\tr = "C2" ><v>1</v></c>', b'<x:c s="0" r="C2"><x:v>1</x:v></x:c>'],
)
def test_places_are_seen_however_they_are_written(cell: bytes) -> None:
    """Quotes, blanks and prefixes of any sort: a far cell is refused before a reader makes room for it."""
    row = b'<row r="1"><c r="A1"><v>1</v></c></row><row r="2">%s</row>'
    far = cell.replace(b"C2", b"XFD1048576")
    read_table(sheet_of(row % cell.replace(b"x:", b""))(), header=None)
    with pytest.raises(DataError, match="spans 1,048,576 rows by 16,384 columns"):
        read_table(sheet_of(row % far)())


@pytest.mark.parametrize("seed", range(8))
def test_random_workbooks(seed: int) -> None:
    """See `tests.engine.data.reading.thorough.test_random_workbooks`, which tries a hundred."""
    check_random(seed)


def check_random(seed: int) -> None:
    """A workbook of random merges, errors and hidden parts is read; where it is plain, with all that was put in."""
    from engine import Dataset
    from engine.data.reading.foreign import UNFORESEEN

    made = random_workbook(seed)
    try:
        table = read_table(made.content, name="t.xlsx")
    except DataError as error:
        assert not made.plain and UNFORESEEN not in str(error) and "does not know" not in str(error)
        return
    report = reading_report(table)
    assert report is not None
    try:
        Dataset.from_frame(table)
    except DataError as error:
        assert "does not know" not in str(error)
    if made.plain:
        assert (len(table), tuple(table.columns)) == (made.rows, made.names)
        assert sum(sum(cells.values()) for cells in report.missing_tokens.values()) == made.errors
        words = " ".join(report.problems)
        assert ("hidden row(s)" in words) == bool(made.hidden_rows)
        assert ("hidden columns" in words) == bool(made.hidden_columns)
