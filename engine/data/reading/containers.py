"""Excel workbooks and sheets of OpenDocument: looked through before a reader unpacks and builds them."""

from __future__ import annotations

import io
import re
import stat
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from engine.data.reading.columns import text_of
from engine.data.reading.filetype import BAD_ZIP
from engine.data.reading.headers import MergedRow, Row
from engine.data.reading.limits import LONGEST_CELL, Choices, Limits, Progress
from engine.data.reading.report import ReadingReport
from engine.data.reading.text_tables import grid_table
from engine.errors import DataError

_STEP = 1 << 20
_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384
_TEXT_COPIES = 2
"""How often a text of a cell is in memory while a workbook is read."""
_SHARED_TEXT = re.compile(rb"""\bt\s*=\s*["']s["']""")
_CELL = re.compile(rb"""\br\s*=\s*["']([A-Za-z]+)(\d+)["']""")
_ROW = re.compile(rb"<(?:\w+:)?row[\s>/]")
_ANY_CELL = re.compile(rb"<(?:\w+:)?c[\s>/]")
_ODDITIES = {
    "{:,} formula(s) of the workbook were never computed and read as missing; open it in Excel and save it again.": (
        re.compile(rb"(?:</f>|<f[^>]*/>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")
    ),
    "The workbook has {:,} merged cell(s); only the first of each holds the value.": re.compile(rb"<mergeCell\b"),
    "{:,} hidden row(s) of the workbook were read like all others.": (
        re.compile(rb"""<row\b[^>]*\bhidden\s*=\s*["'](?:1|true)["']""")
    ),
}
"""Sentence on what is odd in a sheet -> what is counted for it."""
_SCANNED = 0.3
"""Part of the work that is done when a workbook has been looked through."""
_FILLED_CELL = re.compile(rb"<table:table-cell\b[^>]*(?:office:value-type|calcext:value-type|table:formula)[^>]*>")
_COLUMNS_REPEATED = re.compile(rb"""table:number-columns-repeated\s*=\s*["'](\d+)["']""")
_ROWS_REPEATED = re.compile(rb"""table:number-rows-repeated\s*=\s*["'](\d+)["']""")
_XLSX_ADVICE = "Save the table as .xlsx or CSV."


def read_workbook(
    data: bytes, choices: Choices, limits: Limits, report: ReadingReport, progress: Progress
) -> pd.DataFrame:
    """One worksheet of an Excel workbook (.xlsx, .xlsm) or an OpenDocument (.ods).

    Macros are never run, formulas never computed.
    """
    findings = (_check_open_document if report.format == "ods" else _open_directory)(
        data, limits, lambda fraction: progress(_SCANNED * fraction)
    )
    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = [item for item in book.sheets_metadata if item.typ == SheetTypeEnum.WorkSheet]
        names = [sheet.name for sheet in sheets]
        visible = [sheet.name for sheet in sheets if sheet.visible == SheetVisibleEnum.Visible] or names
        wanted = [_chosen(names, choices.sheet)] if choices.sheet is not None else visible
        grid, name = _first_with_values(book, wanted, progress)
    except BaseException as error:  # a panic of the reader's own language is no Exception
        if isinstance(error, DataError | MemoryError) or not (
            isinstance(error, CalamineError | OSError | ValueError) or type(error).__name__ == "PanicException"
        ):
            raise
        raise DataError(f"The workbook is damaged and cannot be read. Open and save it again. {_XLSX_ADVICE}") from None
    notes = list(report.notes)
    if len(visible) > 1 and choices.sheet is None:
        others = ", ".join(f"'{entry[:40]}'" for entry in visible if entry != name)
        notes.append(f"The workbook has several sheets; '{name[:40]}' was read. Others: {others[:300]}.")
    report = replace(
        report, sheet=name, sheets=tuple(names), notes=tuple(notes), problems=(*report.problems, *findings)
    )
    return grid_table(grid, choices, limits, report)


def _open_directory(data: bytes, limits: Limits, progress: Progress) -> list[str]:
    """Check a zip container by its directory alone, then its sheets; sentences on what was found there."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise DataError("The file starts like a workbook but is cut off or damaged. Copy or save it again.") from None
    with archive:
        members = archive.infolist()
        names = {member.filename for member in members}
        limits.check_unpacked(sum(member.file_size for member in members), len(members))
        if "xl/workbook.xml" not in names:
            raise DataError(_other_container(names))
        for member in members:
            if stat.S_ISLNK(member.external_attr >> 16):
                raise DataError(f"The workbook holds a link to another file, which none should. {_XLSX_ADVICE}")
            if member.flag_bits & 1:
                raise DataError("The workbook is protected with a password. Save it without one.")
        findings = _scan_sheets(archive, limits, progress)
    if any(name.endswith("vbaProject.bin") for name in names):
        findings.append("The workbook holds macros; they were not run.")
    return findings


@dataclass
class _Scan:
    """How far the cells of a part of a workbook reach, how many there are, and what in it is odd."""

    row: int = 0
    rows: int = 0
    column: int = 0
    cells: int = 0
    shared: int = 0
    oddities: Counter[str] = field(default_factory=Counter)


def _scan_sheets(archive: zipfile.ZipFile, limits: Limits, progress: Progress) -> list[str]:
    """Check how far cells reach (a reader makes room for the whole rectangle); sentences on oddities.

    Every member is looked at, since a workbook may keep its sheets under any name; so every size is checked too.
    """
    sentences: list[str] = []
    members = archive.infolist()
    whole, done, cells = sum(member.file_size for member in members) or 1, 0, 0
    for member in members:
        scan = _scan(archive, member)
        done += member.file_size
        progress(done / whole)
        limits.check_ratio(member.compress_size, member.file_size, scan.cells)
        if scan.row > _LAST_ROW or scan.column > _LAST_COLUMN:  # a reader makes room up to the farthest cell
            way, place = ("row", scan.row) if scan.row > _LAST_ROW else ("column", scan.column)
            raise DataError(
                f"A cell of the workbook says that it stands in {way} {min(place, 10**12):,}, where no worksheet "
                "reaches: the workbook is damaged. Open and save it again, or save the table as CSV."
            )
        limits.check_sheet(scan.row, scan.column)
        cells += scan.shared
        sentences += [sentence.format(n) for sentence, n in scan.oddities.items() if n]
    _check_texts(archive, cells, limits)
    return list(dict.fromkeys(sentences))


def _check_texts(archive: zipfile.ZipFile, cells: int, limits: Limits) -> None:
    """A text that many cells share stands once in the file, and once for each cell in memory."""
    for member in archive.infolist():
        if member.filename.lower().endswith("sharedstrings.xml"):
            texts = 0
            with archive.open(member) as stream:
                while piece := stream.read(_STEP):
                    texts += piece.count(b"</si>")
            limits.check_memory("workbook", _TEXT_COPIES * cells * member.file_size // max(texts, 1))


def _scan(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> _Scan:
    scan, rest, size = _Scan(), b"", 0
    try:
        with archive.open(member) as stream:
            while piece := stream.read(_STEP):
                size += len(piece)
                if size > member.file_size:
                    raise DataError("The workbook is larger inside than it says, so it is not opened. Save it as CSV.")
                text = rest + piece
                cut = text.rfind(b"<row") if len(text) < 8 * _STEP else -1
                cut = cut if cut > 0 else len(text)
                _look(text[:cut], scan)
                rest = text[cut:]
            _look(rest, scan)
    except DataError:
        raise
    except BAD_ZIP:
        raise DataError("The workbook is damaged and cannot be unpacked. Open and save it again.") from None
    return scan


def _look(text: bytes, scan: _Scan) -> None:
    for letters, digits in set(_CELL.findall(text)) if len(text) < 4096 else _CELL.findall(text):
        scan.row = max(scan.row, int(digits[:18]))
        if len(letters) > 1 or scan.column < 26:
            column = 0
            for letter in letters[:9].upper():
                column = column * 26 + letter - 64
            scan.column = max(scan.column, column)
    rows = _ROW.split(text)  # cells and rows may come without a place; then they count on
    scan.rows += len(rows) - 1
    scan.row = max(scan.row, scan.rows)
    cells = [len(_ANY_CELL.findall(row)) for row in rows]
    scan.cells += sum(cells)
    scan.column = max(scan.column, *cells)
    scan.shared += len(_SHARED_TEXT.findall(text))
    for sentence, pattern in _ODDITIES.items():
        scan.oddities[sentence] += len(pattern.findall(text))


def _other_container(names: set[str]) -> str:
    if "xl/workbook.bin" in names:
        return f"This is a binary workbook (.xlsb). {_XLSX_ADVICE}"
    if "word/document.xml" in names:
        return f"This is a Word document. {_XLSX_ADVICE}"
    if "content.xml" in names:
        return f"This is an OpenDocument file, but not a sheet. {_XLSX_ADVICE}"
    return "This is a zip archive, not a workbook. Unpack it first and give the table inside."


def _check_open_document(data: bytes, limits: Limits, progress: Progress) -> list[str]:
    """Check a sheet of OpenDocument by its directory, and by how often it says that cells and rows are repeated."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            limits.check_unpacked(sum(member.file_size for member in members), len(members))
            if b"manifest:encryption-data" in _part(archive, "META-INF/manifest.xml", limits):
                raise DataError("The sheet is protected with a password. Save it without one.")
            content = _part(archive, "content.xml", limits)
    except BAD_ZIP as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"The OpenDocument sheet is cut off or damaged. {_XLSX_ADVICE}") from None
    for table in content.split(b"<table:table ")[1:]:
        rows = columns = 0
        for row in table.split(b"<table:table-row")[1:]:
            filled = [cell.end() for cell in _FILLED_CELL.finditer(row)]
            if filled:
                rows += _repeated(_ROWS_REPEATED.findall(row.partition(b">")[0]), 1)
                columns = max(columns, _repeated(_COLUMNS_REPEATED.findall(row[: filled[-1]]), len(filled)))
        limits.check_sheet(rows, columns)
    progress(1.0)
    return []


def _repeated(counts: list[bytes], least: int) -> int:
    """How many cells or rows are meant at the least."""
    return max(sum(int(count[:18]) for count in counts), least)


def _part(archive: zipfile.ZipFile, name: str, limits: Limits) -> bytes:
    with archive.open(name) as stream:
        content = stream.read(archive.getinfo(name).file_size + 1)
    limits.check_unpacked(len(content), 1)
    return content


def _chosen(names: list[str], requested: str | int) -> str:
    if isinstance(requested, int) and 0 <= requested < len(names):
        return names[requested]
    if requested in names:
        return str(requested)
    listed = ", ".join(f"'{name[:40]}'" for name in names[:10])
    raise DataError(f"The workbook has no sheet '{str(requested)[:40]}'; it has {listed}.")


def _first_with_values(book: Any, names: Iterable[str], progress: Progress) -> tuple[Iterator[Row], str]:
    for name in names:
        sheet = book.get_sheet_by_name(name)
        if sheet.start is not None and sheet.height and sheet.width:
            return _sheet_rows(sheet, progress), name
    raise DataError("The workbook has no sheet with values. If its cells are formulas, open and save it in Excel.")


_ROWS_OF_NAMES = 50
"""Rows of a sheet below its first among which names are looked for in merged cells."""


def _sheet_rows(sheet: Any, progress: Progress) -> Iterator[Row]:
    """Rows of texts with their number in the sheet; columns before the first value are left out."""
    first_row, first_column = sheet.start
    height, spans = first_row + sheet.height, _spans(sheet)
    for offset, cells in enumerate(sheet.iter_rows()):
        if offset % 1_000 == 0:
            progress(_SCANNED + (1 - _SCANNED) * offset / height)
        texts = [text_of(cell) for cell in cells[first_column:]]
        if any(len(text) > LONGEST_CELL for text in texts):
            raise DataError(
                f"Row {offset + 1} has a cell of more than {LONGEST_CELL:,} characters, which is no value of a table. "
                "Shorten it, or leave its column out.",
                row=offset + 1,
            )
        if offset >= first_row:
            row = MergedRow(texts, spans[offset]) if offset in spans else texts
            yield offset + 1, row if any(texts) else []


def _spans(sheet: Any) -> dict[int, dict[int, int]]:
    """Row -> first and last position of its merged cells, of the first rows, where names may stand."""
    first_row, first_column = sheet.start
    result: dict[int, dict[int, int]] = {}
    for (top, left), (bottom, right) in sheet.merged_cell_ranges or ():
        if top == bottom <= first_row + _ROWS_OF_NAMES and first_column <= left < right:
            result.setdefault(top, {})[left - first_column] = right - first_column
    return result
