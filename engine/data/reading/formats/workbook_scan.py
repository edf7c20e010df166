"""Workbooks and sheets of OpenDocument looked through before a reader unpacks and builds them."""

from __future__ import annotations

import io
import re
import stat
import zipfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from engine.data.reading.filetype import BAD_ZIP
from engine.data.reading.limits import Limits, Progress
from engine.errors import InputError, Retold

XLSX_ADVICE = "Save the table as .xlsx or CSV."
ERROR_CODES = ("#N/A", "#DIV/0!", "#REF!", "#VALUE!", "#NAME?", "#NUM!", "#NULL!", "#ERROR!", "#SPILL!", "#CALC!")
"""What a spreadsheet shows in a cell that it cannot compute."""
_STEP = 1 << 20
_LAST_ROW, _LAST_COLUMN = 1_048_576, 16_384
_TEXT_COPIES = 2
"""How often a text of a cell is in memory while a workbook is read."""
_CELL_BYTES = 115
"""Of memory for each filled cell while a workbook is read."""
_MARKUP = bytes.maketrans(b"\t\r\n'", b'   "')
_SPACED = re.compile(rb"(?<! ) *= *\"")
_PREFIX = re.compile(rb"<(/?)\w+:")
_LETTERS, _DIGITS = 4, 17
"""Characters of a cell's place that are looked at; one with more is on no worksheet."""
_FORMULA, _MERGED, _HIDDEN_ROW, _HIDDEN_COLUMN = "formula", "merged", "hidden row", "hidden column"
_ODDITIES = {
    _FORMULA: re.compile(rb"(?:</f>|<f[^<>]*/>) *(?:<v */>|<v></v>)? *</c>"),
    _MERGED: re.compile(rb"<mergeCell "),
    _HIDDEN_ROW: re.compile(rb"""<row [^<>]*?\bhidden *= *"(?:1|true)\""""),
    _HIDDEN_COLUMN: re.compile(rb"""<col [^<>]*?\bhidden *= *"(?:1|true)\""""),
}
"""What is odd in a sheet -> how it is found."""
_SENTENCES = {
    _FORMULA: (
        "{:,} formula(s) of the workbook were never computed and read as missing; open it in Excel and save it again."
    ),
    _MERGED: "The workbook has {:,} merged cell(s); below the names, each row of one has its value.",
    _HIDDEN_ROW: "{:,} hidden row(s) of the workbook were read like all others.",
    _HIDDEN_COLUMN: "{:,} range(s) of hidden columns of the workbook were read like all others.",
}
_SHEET = re.compile(rb"<(?:\w+:)?sheet\b[^<>]*?\s\w+:id\s*=\s*[\"']([^\"']*)[\"']")
_RELATION = re.compile(rb"<(?:\w+:)?Relationship\b[^<>]*>")
_ATTRIBUTE = {name: re.compile(rf"\b{name}\s*=\s*[\"']([^\"']*)[\"']".encode()) for name in ("Id", "Target")}
_ERROR_CELL = re.compile(rb"""(\st\s*=\s*)["']e["']""")
_FILLED_CELL = re.compile(rb"<table:table-cell\b[^<>]*(?:office:value-type|calcext:value-type|table:formula)[^<>]*>")
_COLUMNS_REPEATED = re.compile(rb"""table:number-columns-repeated\s*=\s*["'](\d+)["']""")
_ROWS_REPEATED = re.compile(rb"""table:number-rows-repeated\s*=\s*["'](\d+)["']""")


@dataclass
class Scan:
    """The cells of a part of a workbook: how far they reach, how many there are, and what is odd."""

    row: int = 0
    rows: int = 0
    column: int = 0
    cells: int = 0
    shared: int = 0
    errors: int = 0
    oddities: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class Findings:
    """Findings in a workbook.

    Attributes
    ----------
    scans : name of a part -> what is in it
    sheets : parts that hold the sheets, in their order; none where that is not known
    macros : whether it has some
    """

    scans: Mapping[str, Scan] = field(default_factory=dict)
    sheets: tuple[str, ...] = ()
    macros: bool = False

    @property
    def with_errors(self) -> list[str]:
        """The parts with cells that hold an error."""
        return [name for name, scan in self.scans.items() if scan.errors]

    def sentences(self, position: int) -> list[str]:
        """On what is odd in the sheet at this position; in all parts where it is not known which holds it."""
        part = self.sheets[position] if position < len(self.sheets) else None
        scans = [self.scans[part]] if part is not None and part in self.scans else list(self.scans.values())
        total = sum((scan.oddities for scan in scans), Counter[str]())
        words = [sentence.format(total[kind]) for kind, sentence in _SENTENCES.items() if total[kind]]
        return [*words, *(["The workbook holds macros; they were not run."] if self.macros else [])]


def look_through(data: bytes, limits: Limits, progress: Progress) -> Findings:
    """Check a workbook by its zip directory alone, then part by part."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise InputError("The file starts like a workbook but is cut off or damaged. Copy or save it again.") from None
    with archive:
        members = archive.infolist()
        names = {member.filename for member in members}
        limits.check_unpacked(sum(member.file_size for member in members), len(members))
        if "xl/workbook.xml" not in names:
            raise InputError(_other_container(names))
        for member in members:
            if stat.S_ISLNK(member.external_attr >> 16):
                raise InputError(f"The workbook holds a link to another file, which none should. {XLSX_ADVICE}")
            if member.flag_bits & 1:
                raise InputError("The workbook is protected with a password. Save it without one.")
        scans = _scan_parts(archive, limits, progress)
        sheets = _sheet_parts(archive)
    return Findings(scans, sheets, any(name.endswith("vbaProject.bin") for name in names))


def _scan_parts(archive: zipfile.ZipFile, limits: Limits, progress: Progress) -> dict[str, Scan]:
    """Check how far cells reach: a reader makes room for the whole rectangle.

    Every member is looked at, since a workbook may keep its sheets under any name; so every size is checked too.
    """
    members = archive.infolist()
    whole, done, shared, result = sum(member.file_size for member in members) or 1, 0, 0, {}
    for member in members:
        result[member.filename] = scan = _scan(archive, member, limits)
        done += member.file_size
        progress(done / whole)
        shared += scan.shared
    _check_texts(archive, shared, limits)
    return result


def _check_texts(archive: zipfile.ZipFile, cells: int, limits: Limits) -> None:
    """A text that many cells share stands once in the file, and once for each cell in memory."""
    for member in archive.infolist():
        if member.filename.lower().endswith("sharedstrings.xml"):
            texts = 0
            with archive.open(member) as stream:
                while piece := stream.read(_STEP):
                    texts += piece.count(b"</si>")
            limits.check_memory("workbook", _TEXT_COPIES * cells * member.file_size // max(texts, 1))


def _scan(archive: zipfile.ZipFile, member: zipfile.ZipInfo, limits: Limits) -> Scan:
    """Look at a part piece by piece, and no further than to what is refused."""
    scan, rest, size = Scan(), b"", 0
    damaged = InputError("The workbook is damaged and cannot be unpacked. Open and save it again.")
    with Retold(damaged, *BAD_ZIP), archive.open(member) as stream:
        while piece := stream.read(_STEP):
            size += len(piece)
            if size > member.file_size:
                raise InputError("The workbook is larger inside than it says, so it is not opened. Save it as CSV.")
            text = rest + piece.translate(_MARKUP)
            cut = text.rfind(b"<row") if len(text) < 8 * _STEP else -1
            cut = cut if cut > 0 else max(text.rfind(b"<"), 0) or len(text)
            _look(text[:cut], scan)
            rest = text[cut:]
            _check(scan, member, size, limits)
        _look(rest, scan)
        _check(scan, member, size, limits)
    return scan


def _check(scan: Scan, member: zipfile.ZipInfo, seen: int, limits: Limits) -> None:
    limits.check_ratio(member.compress_size, member.file_size, scan.cells, seen)
    if scan.row > _LAST_ROW or scan.column > _LAST_COLUMN:
        way, place = ("row", scan.row) if scan.row > _LAST_ROW else ("column", scan.column)
        raise InputError(
            f"A cell of the workbook says that it stands in {way} {min(place, 10**12):,}, where no worksheet "
            "reaches: the workbook is damaged. Open and save it again, or save the table as CSV."
        )
    limits.check_sheet(scan.row, scan.column)
    limits.check_memory("workbook", _CELL_BYTES * scan.cells)


def _look(text: bytes, scan: Scan) -> None:
    """Count what is in a piece that ends before an element; its quotes and blanks are all of one sort."""
    if b":" in text and any(name in text for name in (b":row", b":c ", b":c>", b":c/")):
        text = _PREFIX.sub(rb"<\1", text)
    letters, equals = _letters(text)
    if ((letters[equals - 1] == ord(" ")) | (letters[equals + 1] == ord(" "))).any():
        letters, equals = _letters(_SPACED.sub(b'="', text))
    tags = np.flatnonzero(letters == ord("<"))
    first, second = letters[tags + 1], letters[tags + 2]
    cells = tags[(first == ord("c")) & _ends(second)]
    rows = tags[(first == ord("r")) & (second == ord("o"))]
    rows = rows[(letters[rows + 3] == ord("w")) & _ends(letters[rows + 4])]
    scan.rows += len(rows)
    scan.cells += len(cells)
    scan.row = max(scan.row, scan.rows)  # cells and rows may come without a place; then they count on
    if len(cells):
        in_row = np.bincount(np.searchsorted(rows, cells))
        scan.column = max(scan.column, int(in_row.max()))
    quoted = equals[letters[equals + 1] == ord('"')]
    before = letters[quoted - 1]
    attributes = letters[quoted - 2] == ord(" ")
    _look_at_places(letters, quoted[attributes & (before == ord("r"))], scan)
    kinds = quoted[attributes & (before == ord("t"))]
    kinds = letters[kinds[letters[kinds + 3] == ord('"')] + 2]
    scan.shared += int((kinds == ord("s")).sum())
    scan.errors += int((kinds == ord("e")).sum())
    hidden = bool(((before == ord("n")) & (letters[quoted - 2] == ord("e"))).any())
    some = {_FORMULA: (first == ord("f")).any(), _MERGED: ((first == ord("m")) & (second == ord("e"))).any()}
    for kind, pattern in _ODDITIES.items():
        if some.get(kind, hidden):
            scan.oddities[kind] += len(pattern.findall(text))


def _letters(text: bytes) -> tuple[np.ndarray, np.ndarray]:
    """The bytes of a piece with room at its end, and where those are that give an attribute its value."""
    letters = np.frombuffer(text + bytes(_LETTERS + _DIGITS + 8), np.uint8)
    equals = np.flatnonzero(letters == ord("="))
    return letters, equals[equals > 2]


def _ends(letters: np.ndarray) -> np.ndarray:
    """Flags of the letters at which the name of an element ends."""
    return (letters == ord(" ")) | (letters == ord(">")) | (letters == ord("/"))


def _look_at_places(letters: np.ndarray, found: np.ndarray, scan: Scan) -> None:
    """The farthest row and column of all places: r="AB12" of a cell, r="12" of a row."""
    if not len(found):
        return
    cursor, column = _digits(letters, found + 2, ord("a"), 26, _LETTERS)
    cursor, row = _digits(letters, cursor, ord("0"), 10, _DIGITS)
    wanted = (column > 0) | (letters[found - 3] == ord("w"))
    scan.column = max(scan.column, int(column.max()))
    if (wanted & (row > 0) & (letters[cursor] != ord('"'))).any():  # more digits than are looked at
        scan.row = max(scan.row, 10 ** (_DIGITS + 1))
    scan.row = max(scan.row, int(row[wanted].max(initial=0)))


def _digits(letters: np.ndarray, cursor: np.ndarray, first: int, base: int, most: int) -> tuple[np.ndarray, np.ndarray]:
    """The number that begins at each place, of digits or of letters that count from 1, and where it ends."""
    value, is_word = np.zeros(len(cursor), np.int64), base == 26
    for _ in range(most):
        digit = (letters[cursor] | (32 if is_word else 0)).astype(np.int64) - first
        here = (digit >= 0) & (digit < base)
        if not here.any():
            break
        value = np.where(here, base * value + digit + is_word, value)
        cursor = cursor + here
    return cursor, value


def _sheet_parts(archive: zipfile.ZipFile) -> tuple[str, ...]:
    """The part of each sheet, in the order of the sheets; none where the workbook does not say it."""
    try:
        book, links = archive.read("xl/workbook.xml"), archive.read("xl/_rels/workbook.xml.rels")
    except BAD_ZIP:
        return ()
    targets: dict[bytes, str] = {}
    for relation in _RELATION.findall(links):
        name, target = (pattern.search(relation) for pattern in _ATTRIBUTE.values())
        if name and target:
            path = target[1].decode("utf-8", "replace")
            targets[name[1]] = path[1:] if path.startswith("/") else f"xl/{path}"
    return tuple(targets.get(sheet, "") for sheet in _SHEET.findall(book))


def with_error_texts(data: bytes, parts: list[str]) -> bytes:
    """The workbook with the errors in its cells as plain texts: its reader drops some and fails at others."""
    out = io.BytesIO()
    try:
        with (
            zipfile.ZipFile(io.BytesIO(data)) as old,
            zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as new,
        ):
            for name in dict.fromkeys(old.namelist()):
                with old.open(name) as source, new.open(name, "w") as target:
                    rest = b""
                    while piece := source.read(_STEP):
                        text = rest + piece
                        cut = text.rfind(b"<") if name in parts and len(text) < 8 * _STEP else len(text)
                        target.write(_ERROR_CELL.sub(rb'\1"str"', text[:cut]) if name in parts else text)
                        rest = text[cut:]
                    target.write(_ERROR_CELL.sub(rb'\1"str"', rest) if name in parts else rest)
    except BAD_ZIP:
        raise InputError("The workbook is damaged and cannot be unpacked. Open and save it again.") from None
    return out.getvalue()


def _other_container(names: set[str]) -> str:
    if "xl/workbook.bin" in names:
        return f"This is a binary workbook (.xlsb). {XLSX_ADVICE}"
    if "word/document.xml" in names:
        return f"This is a Word document. {XLSX_ADVICE}"
    if "content.xml" in names:
        return f"This is an OpenDocument file, but not a sheet. {XLSX_ADVICE}"
    return "This is a zip archive, not a workbook. Unpack it first and give the table inside."


def look_through_open_document(data: bytes, limits: Limits, progress: Progress) -> Findings:
    """Check a sheet of OpenDocument by its directory, and by how often it says that cells and rows are repeated."""
    damaged = InputError(f"The OpenDocument sheet is cut off or damaged. {XLSX_ADVICE}")
    with Retold(damaged, *BAD_ZIP), zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        limits.check_unpacked(sum(member.file_size for member in members), len(members))
        if b"manifest:encryption-data" in _part(archive, "META-INF/manifest.xml", limits):
            raise InputError("The sheet is protected with a password. Save it without one.")
        content = _part(archive, "content.xml", limits)
    for table in content.split(b"<table:table ")[1:]:
        rows = columns = 0
        for row in table.split(b"<table:table-row")[1:]:
            filled = [cell.end() for cell in _FILLED_CELL.finditer(row)]
            if filled:
                rows += _repeated(_ROWS_REPEATED.findall(row.partition(b">")[0]), 1)
                columns = max(columns, _repeated(_COLUMNS_REPEATED.findall(row[: filled[-1]]), len(filled)))
                limits.check_sheet(rows, columns)
    progress(1.0)
    return Findings()


def _repeated(counts: list[bytes], least: int) -> int:
    """Number of cells or rows that are meant at the least."""
    return max(sum(int(count[:18]) for count in counts), least)


def _part(archive: zipfile.ZipFile, name: str, limits: Limits) -> bytes:
    """A part of a sheet of OpenDocument, read no further than to where it is next to nothing blown up."""
    part, content, cells = archive.getinfo(name), bytearray(), 0
    with archive.open(name) as stream:
        while piece := stream.read(_STEP):
            content += piece
            cells += piece.count(b"<table:table-cell")
            limits.check_unpacked(len(content), 1)
            limits.check_ratio(part.compress_size, part.file_size, cells, len(content))
            limits.check_memory("workbook", _CELL_BYTES * cells)
    return bytes(content)
