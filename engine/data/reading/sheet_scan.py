"""A look through the XML of worksheets before a reader builds them: how far they reach, what is odd."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass

from engine.data.reading.filetype import BAD_ZIP
from engine.data.reading.limits import Limits
from engine.errors import DataError

_STEP = 1 << 20
_COPIES = 2
"""How often a text of a cell is in memory while a workbook is read."""
_SHARED = re.compile(rb"""\bt\s*=\s*["']s["']""")
_CELL = re.compile(rb"""\br\s*=\s*["']([A-Za-z]+)(\d+)["']""")
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
_UNCOMPUTED = re.compile(rb"(?:</f>|<f[^>]*/>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")
_HIDDEN = re.compile(rb"""<row\b[^>]*\bhidden\s*=\s*["'](?:1|true)["']""")
_ROW = re.compile(rb"<(?:\w+:)?row[\s>/]")
_ANY_CELL = re.compile(rb"<(?:\w+:)?c[\s>/]")
_MERGED = re.compile(rb"<mergeCell\b")


@dataclass
class _Found:
    row: int = 0
    rows: int = 0
    column: int = 0
    uncomputed: int = 0
    hidden: int = 0
    merged: int = 0
    cells: int = 0
    shared: int = 0


def scan_sheets(archive: zipfile.ZipFile, limits: Limits, progress: Callable[[float], None]) -> list[str]:
    """Check how far cells reach (a reader makes room for the whole rectangle); sentences on oddities.

    Every member is looked at, since a workbook may keep its sheets under any name; so every size is checked too.
    """
    sentences: list[str] = []
    members = archive.infolist()
    whole, done, cells = sum(member.file_size for member in members) or 1, 0, 0
    for member in members:
        result = _scan(archive, member)
        done += member.file_size
        progress(done / whole)
        limits.check_ratio(member.compress_size, member.file_size, result.cells)
        _check_places(result)
        limits.check_sheet(result.row, result.column)
        cells += result.shared
        if result.uncomputed:
            sentences.append(
                f"{result.uncomputed:,} formula(s) of the workbook were never computed and read as missing; "
                "open it in Excel and save it again."
            )
        if result.merged:
            sentences.append(
                f"The workbook has {result.merged:,} merged cell(s); only the first of each holds the value."
            )
        if result.hidden:
            sentences.append(f"{result.hidden:,} hidden row(s) of the workbook were read like all others.")
    _check_texts(archive, cells, limits)
    return list(dict.fromkeys(sentences))


def _check_places(result: _Found) -> None:
    """A reader makes room up to the farthest cell, so one that no workbook can have is refused."""
    if result.row > LAST_ROW or result.column > LAST_COLUMN:
        where = (
            f"row {min(result.row, 10**12):,}" if result.row > LAST_ROW else f"column {min(result.column, 10**12):,}"
        )
        raise DataError(
            f"A cell of the workbook says that it stands in {where}, where no worksheet reaches: the workbook is "
            "damaged. Open and save it again, or save the table as CSV."
        )


def _check_texts(archive: zipfile.ZipFile, cells: int, limits: Limits) -> None:
    """A text that many cells share stands once in the file, and once for each cell in memory."""
    for member in archive.infolist():
        if member.filename.lower().endswith("sharedstrings.xml"):
            texts = 0
            with archive.open(member) as stream:
                while piece := stream.read(_STEP):
                    texts += piece.count(b"</si>")
            limits.check_memory("workbook", _COPIES * cells * member.file_size // max(texts, 1))


def _scan(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> _Found:
    result, rest, size = _Found(), b"", 0
    try:
        with archive.open(member) as stream:
            while piece := stream.read(_STEP):
                size += len(piece)
                if size > member.file_size:
                    raise DataError("The workbook is larger inside than it says, so it is not opened. Save it as CSV.")
                text = rest + piece
                cut = text.rfind(b"<row") if len(text) < 8 * _STEP else -1
                cut = cut if cut > 0 else len(text)
                _look(text[:cut], result)
                rest = text[cut:]
            _look(rest, result)
    except DataError:
        raise
    except BAD_ZIP:
        raise DataError("The workbook is damaged and cannot be unpacked. Open and save it again.") from None
    return result


def _look(text: bytes, result: _Found) -> None:
    for letters, digits in set(_CELL.findall(text)) if len(text) < 4096 else _CELL.findall(text):
        row = int(digits[:18])
        if row > result.row:
            result.row = row
        if len(letters) > 1 or result.column < 26:
            column = 0
            for letter in letters[:9].upper():
                column = column * 26 + letter - 64
            result.column = max(result.column, column)
    rows = _ROW.split(text)  # cells and rows may come without a place; then they count on
    result.rows += len(rows) - 1
    result.row = max(result.row, result.rows)
    cells = [len(_ANY_CELL.findall(row)) for row in rows]
    result.cells += sum(cells)
    result.column = max(result.column, *cells)
    result.shared += len(_SHARED.findall(text))
    result.uncomputed += len(_UNCOMPUTED.findall(text))
    result.hidden += len(_HIDDEN.findall(text))
    result.merged += len(_MERGED.findall(text))
