"""Workbooks and sheets of OpenDocument whose XML no program would write."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

from tests.hostile.containers import rezipped, workbook
from tests.hostile.fixture import Fixture

_SHEET = "xl/worksheets/sheet1.xml"
_STRINGS = "xl/sharedStrings.xml"
_MAIN = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'


def sheet(rows: bytes, **others: bytes) -> Callable[[], bytes]:
    """A workbook whose sheet has these rows."""
    xml = b"<worksheet " + _MAIN + b"><sheetData>" + rows + b"</sheetData></worksheet>"
    return lambda: rezipped({_SHEET: xml, **{name.replace("__", "/"): xml for name, xml in others.items()}})


def shared(length: int, cells: int) -> Callable[[], bytes]:
    """A workbook of cells that all show one long text."""
    strings = b"<sst " + _MAIN + b"><si><t>" + b"x" * length + b"</t></si></sst>"
    rows = b"".join(b'<row r="%d"><c r="A%d" t="s"><v>0</v></c></row>' % (i, i) for i in range(1, cells + 1))
    return lambda: rezipped(
        {_SHEET: b"<worksheet " + _MAIN + b"><sheetData>" + rows + b"</sheetData></worksheet>", _STRINGS: strings}
    )


_GOOD = b'<row r="1"><c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c></row>'


def _cell(kind: bytes, value: bytes) -> bytes:
    return _GOOD + b"".join(
        b'<row r="%d"><c r="A%d" %s><v>%s</v></c><c r="B%d"><v>%d</v></c></row>' % (i, i, kind, value, i, i)
        for i in range(2, 8)
    )


def _places() -> Iterator[Fixture]:
    for row in (1_048_577, 2**31, 2**32 - 1, 2**32, 10**9, 10**18, 10**30):
        rows = _GOOD + b'<row r="%d"><c r="A%d"><v>1</v></c></row>' % (row, row)
        yield Fixture(f"row_{row}", sheet(rows), file="t.xlsx", refused=("no worksheet reaches", "damaged"))
    for column in (b"XFE", b"ZZZZ", b"AAAAA", b"ZZZZZZZ", b"A" * 30):
        rows = _GOOD + b'<row r="2"><c r="%s2"><v>1</v></c></row>' % column
        yield Fixture(f"column_{column.decode()}", sheet(rows), file="t.xlsx", refused=("column", "reaches"))
    for row, column in ((1_048_576, b"Z"), (20_000, b"XFD")):
        rows = _GOOD + b'<row r="%d"><c r="%s%d"><v>1</v></c></row>' % (row, column, row)
        yield Fixture(f"spans_{row}_{column.decode()}", sheet(rows), file="t.xlsx", refused=("",))
    for length, cells in ((100_000, 10_000), (5_000_000, 20_000), (1_000_000, 1_100)):
        yield Fixture(
            f"text_of_{length}_in_{cells}", shared(length, cells), file="t.xlsx", refused=("would take about", "CSV")
        )
    yield Fixture("text_of_30000_in_300", shared(30_000, 300), file="t.xlsx", rows=300)


def _cells() -> Iterator[Fixture]:
    kinds = {
        "flag": (b't="b"', b"1"),
        "error": (b't="e"', b"#DIV/0!"),
        "formula": (b't="str"', b"x"),
        "day": (b't="d"', b"2021-03-04"),
        "unknown": (b't="zzz"', b"1"),
        "style_not_there": (b's="4000000"', b"1"),
        "infinite": (b"", b"1e999"),
        "nan": (b"", b"NaN"),
        "word": (b"", b"word"),
        "negative_text": (b't="s"', b"-1"),
        "text_not_there": (b't="s"', b"999999"),
        "text_no_number": (b't="s"', b"x"),
    }
    may_fail = ("unknown", "word", "negative_text", "text_not_there", "text_no_number", "error")
    for name, (kind, value) in kinds.items():
        yield Fixture(f"cell_{name}", sheet(_cell(kind, value)), file="t.xlsx", rows=None if name in may_fail else 6)


def _parts() -> Iterator[Fixture]:
    whole = workbook()
    for tenth in range(1, 10):
        size = len(whole) * tenth // 10
        yield Fixture(f"xlsx_cut_at_{tenth}", lambda size=size: whole[:size], file="t.xlsx", refused=("damaged",))
    for number, part in enumerate(("xl/_rels/workbook.xml.rels", "xl/workbook.xml", _SHEET)):
        yield Fixture(f"xlsx_without_{number}", lambda part=part: rezipped({}, without=part), refused=("workbook",))
    laughs = b'<!DOCTYPE x [<!ENTITY a "ha">' + b"".join(
        b'<!ENTITY %c "%s">' % (98 + i, b"&%c;" % (97 + i) * 10) for i in range(9)
    )
    xml = b'<?xml version="1.0"?>' + laughs + b"]><worksheet " + _MAIN + b"><sheetData>" + _cell(b't="str"', b"&j;")
    yield Fixture("xlsx_laughs", lambda: rezipped({_SHEET: xml + b"</sheetData></worksheet>"}), file="t.xlsx")
    outside = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><worksheet ' + _MAIN
    outside += b"><sheetData>" + _cell(b't="str"', b"&a;") + b"</sheetData></worksheet>"
    yield Fixture("xlsx_outside", lambda: rezipped({_SHEET: outside}), file="t.xlsx")
    deep = b"<worksheet " + _MAIN + b">" + b"<a>" * 200_000 + b"</a>" * 200_000 + b"</worksheet>"
    yield Fixture("xlsx_deep", lambda: rezipped({_SHEET: deep}), file="t.xlsx", refused=("",))
    merged = _changed(lambda one: (one.insert_rows(1), one.merge_cells("A1:C1")))
    yield Fixture("xlsx_merged_headers", merged, file="t.xlsx", rows=12, says=("merged",))
    yield Fixture("xlsx_title", _changed(lambda one: (one.insert_rows(1, 3), one.cell(1, 1, "Title"))), rows=12)
    yield Fixture("xlsx_total", _changed(lambda one: one.append(["Total", 546, None])), file="t.xlsx", rows=13)


def _changed(change: Callable[[Any], Any]) -> Callable[[], bytes]:
    return lambda: workbook(lambda book: change(book.active))


_SPACES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{short}:1.0"' for short in ("office", "table", "text")
)


def ods(rows: str, manifest: str = "<x/>", **parts: str) -> Callable[[], bytes]:
    """A sheet of OpenDocument."""
    content = f'<?xml version="1.0"?><office:document-content {_SPACES}><office:body><office:spreadsheet>'
    content += f'<table:table table:name="S">{rows}</table:table>'
    content += "</office:spreadsheet></office:body></office:document-content>"

    def make() -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo("mimetype"), "application/vnd.oasis.opendocument.spreadsheet")
            archive.writestr("META-INF/manifest.xml", manifest)
            for name, part in {"content.xml": content, **parts}.items():
                if part:
                    archive.writestr(name, part)
        return out.getvalue()

    return make


def ods_row(*values: object, row: str = "", cell: str = "") -> str:
    """A row of cells; `row` and `cell` are attributes more."""
    cells = "".join(
        f'<table:table-cell office:value-type="float" office:value="{value}" {cell}><text:p>{value}</text:p>'
        "</table:table-cell>"
        if isinstance(value, int | float)
        else f'<table:table-cell office:value-type="string" {cell}><text:p>{value}</text:p></table:table-cell>'
        for value in values
    )
    return f"<table:table-row {row}>{cells}</table:table-row>"


def _open_documents() -> Iterator[Fixture]:
    good = ods_row("a", "b") + "".join(ods_row("x" if i % 2 else "y", i) for i in range(6))
    yield Fixture("ods", ods(good), file="t.ods", rows=6, columns=("a", "b"))
    tail = '<table:table-row table:number-rows-repeated="{}"><table:table-cell table:number-columns-repeated="{}"/>'
    tail += "</table:table-row>"
    for rows, columns in ((1_048_569, 16_384), (10**9, 10**9)):
        yield Fixture(f"ods_empty_{rows}", ods(good + tail.format(rows, columns)), file="t.ods")
    for rows, columns in ((1_048_576, 1_024), (10**9, 1), (1, 10**9), (10**15, 10**15)):
        filled = ods_row(
            1, row=f'table:number-rows-repeated="{rows}"', cell=f'table:number-columns-repeated="{columns}"'
        )
        yield Fixture(f"ods_filled_{rows}_{columns}", ods(good + filled), file="t.ods", refused=("limit",))
    yield Fixture("ods_password", ods(good, "<manifest:encryption-data/>"), file="t.ods", refused=("password",))
    yield Fixture("ods_without_content", ods(good, **{"content.xml": ""}), file="t.ods", refused=("damaged",))
    yield Fixture("ods_broken", ods(good, **{"content.xml": "<table:table"}), file="t.ods", refused=("",))
    yield Fixture("ods_no_values", ods("<table:table-row/>"), file="t.ods", refused=("no sheet with values",))
    for tenth in (2, 5, 8):
        cut = ods(good)()
        size = len(cut) * tenth // 10
        yield Fixture(f"ods_cut_at_{tenth}", lambda cut=cut, size=size: cut[:size], file="t.ods", refused=("damaged",))
    yield Fixture("ods_named_xlsx", ods(good), file="t.xlsx", rows=6, says=("'.xlsx'", "OpenDocument"))


FIXTURES = (*_places(), *_cells(), *_parts(), *_open_documents())
