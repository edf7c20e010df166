"""Workbooks, Parquet, statistics files, and files that only pretend to be tables."""

from __future__ import annotations

import bz2
import gzip
import io
import pickle
import stat
import tempfile
import zipfile
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.hostile.fixture import Fixture

_SHEET = "xl/worksheets/sheet1.xml"


def frame() -> Any:
    """A small good table."""
    import pandas as pd

    return pd.DataFrame({"sex": ["m", "f"] * 6, "age": range(40, 52), "risk": ["low", "high", "low"] * 4})


def workbook(change: Callable[[Any], None] | None = None) -> bytes:
    """A good workbook, changed through openpyxl."""
    from openpyxl import Workbook

    book = Workbook()
    sheet = book.active
    sheet.append(list(frame().columns))
    for row in frame().itertuples(index=False):
        sheet.append(list(row))
    if change:
        change(book)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def rezipped(extra: dict[str, bytes], *, without: str = "") -> bytes:
    """A good workbook with members added or replaced."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook())) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.infolist():
            if member.filename not in extra and member.filename != without:
                new.writestr(member, old.read(member))
        for name, content in extra.items():
            new.writestr(name, content)
    return out.getvalue()


def rezipped_of(content: bytes, change: Callable[[str, bytes], bytes]) -> bytes:
    """A workbook whose parts are changed, each by its name."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for member in old.infolist():
            new.writestr(member, change(member.filename, old.read(member)))
    return out.getvalue()


def bomb() -> bytes:
    """A workbook of some 100 kB whose sheet unpacks to 60 MB."""
    return rezipped({_SHEET: b"<worksheet><sheetData>" + b" " * 60_000_000 + b"</sheetData></worksheet>"})


def far_cell() -> bytes:
    """A workbook with one cell at the last corner of the sheet: 17 thousand million cells in between."""
    return workbook(lambda book: book.active.cell(1_048_576, 16_384, 1))


def unplaced_cells() -> bytes:
    """A small workbook whose cells name no place: one wide row, then a million empty ones and a last cell."""
    wide = b"<row>" + b"<c><v>1</v></c>" * 16_000 + b"</row>"
    rows = wide + b"<row/>" * 1_000_000 + b"<row><c><v>1</v></c></row>"
    return rezipped({_SHEET: b"<worksheet><sheetData>" + rows + b"</sheetData></worksheet>"})


def hidden_far_cell() -> bytes:
    """The far cell in a sheet that is kept under an unusual name."""
    with zipfile.ZipFile(io.BytesIO(far_cell())) as archive:
        sheet = archive.read(_SHEET)
    with zipfile.ZipFile(io.BytesIO(workbook())) as archive:
        links = archive.read("xl/_rels/workbook.xml.rels").replace(b"worksheets/sheet1.xml", b"odd/place.bin")
    return rezipped({"xl/odd/place.bin": sheet, "xl/_rels/workbook.xml.rels": links}, without=_SHEET)


def lying_sizes() -> bytes:
    """A workbook whose directory says that its sheet is smaller than it is."""
    data = bytearray(rezipped({_SHEET: b"<worksheet><sheetData>" + b" " * 4_000_000 + b"</sheetData></worksheet>"}))
    true = (4_000_000 + len(b"<worksheet><sheetData></sheetData></worksheet>")).to_bytes(4, "little")
    return bytes(data).replace(true, (1_000).to_bytes(4, "little"))


def long_texts(letters: int = 100_000) -> bytes:
    """A hundred thousand rows that share a text of so many letters: 10 GB as plain texts."""
    import numpy as np
    import pyarrow as pa

    texts = pa.DictionaryArray.from_arrays(pa.array(np.zeros(100_000, np.int32)), pa.array(["x" * letters]))
    return parquet(pa.table({"a": texts, "b": pa.array(["p", "q"] * 50_000)}), store_schema=False)


def with_link() -> bytes:
    """A workbook with a symbolic link to a file outside."""
    out = io.BytesIO(workbook())
    with zipfile.ZipFile(out, "a") as archive:
        link = zipfile.ZipInfo("xl/media/link")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    return out.getvalue()


def formulas(book: Any) -> None:
    """Formulas that no program has computed."""
    book.active["D1"] = "sum"
    for row in range(2, 14):
        book.active[f"D{row}"] = f"=B{row}+1"


def merged(book: Any) -> None:
    book.active.merge_cells("A2:A3")


def hidden(book: Any) -> None:
    book.active.row_dimensions[3].hidden = True


def several(book: Any) -> None:
    book.create_sheet("notes").append(["nothing here"])
    book.create_sheet("secret").sheet_state = "hidden"


def parquet(table: Any, **options: Any) -> bytes:
    """A pandas or arrow table as Parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    arrow = table if isinstance(table, pa.Table) else pa.Table.from_pandas(table)
    pq.write_table(arrow, out, **options)
    return out.getvalue()


def nested() -> bytes:
    return parquet(frame().assign(lists=[[1, 2]] * 12, structs=[{"a": 1}] * 12))


def only_nested() -> bytes:
    return parquet(frame().assign(lists=[[1, 2]] * 12)[["lists"]])


def decimals() -> bytes:
    return parquet(frame().assign(dose=[Decimal("1.50"), Decimal("2.25"), Decimal("3.00")] * 4))


def dictionary() -> bytes:
    import pandas as pd

    stage = pd.Categorical(["late", "early", "middle"] * 4, categories=["late", "early", "middle"])
    return parquet(frame().assign(stage=stage))


def long_parquet() -> bytes:
    """Twenty-one million rows in a few kilobytes."""
    import numpy as np
    import pyarrow as pa

    return parquet(pa.table({"a": pa.array(np.zeros(21_000_000, np.int8))}), compression="zstd")


def statistics(kind: str) -> bytes:
    """A .sav or .dta file with value labels and gaps."""
    import pandas as pd
    import pyreadstat

    table = pd.DataFrame({"pain": [1.0, 2.0, 3.0, 2.0, None] * 4, "age": [50.5, 61, 72, 55, 48] * 4})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"table.{kind}"
        labels = {"pain": {1: "none", 2: "some", 3: "much"}}
        if kind == "sav":
            pyreadstat.write_sav(table, path, variable_value_labels=labels, variable_measure={"pain": "ordinal"})
        else:
            pyreadstat.write_dta(table, path, variable_value_labels=labels)
        return path.read_bytes()


def pickled(protocol: int) -> Callable[[], bytes]:
    return lambda: pickle.dumps({"a": [1, 2, 3]}, protocol=protocol)


def zipped() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("table.csv", "a,b\n1,2\n")
    return out.getvalue()


def many_members() -> bytes:
    return rezipped({f"xl/media/{i}.bin": b"" for i in range(1_200)})


_OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 2_000

FIXTURES = (
    Fixture("xlsx", workbook, file="t.xlsx", rows=12, columns=("sex", "age", "risk")),
    Fixture("xlsx_bomb", bomb, file="t.xlsx", refused=("times its size", "CSV")),
    Fixture("xlsx_far_cell", far_cell, file="t.xlsx", refused=("spans", "CSV")),
    Fixture("xlsx_unplaced_cells", unplaced_cells, file="t.xlsx", refused=("spans",)),
    Fixture("xlsx_hidden_far_cell", hidden_far_cell, file="t.xlsx", refused=("spans",)),
    Fixture("xlsx_lying_sizes", lying_sizes, file="t.xlsx", refused=("damaged",)),
    Fixture("xlsx_many_members", many_members, file="t.xlsx", refused=("parts",)),
    Fixture("xlsx_link", with_link, file="t.xlsx", refused=("link",)),
    Fixture("xlsx_cut_off", lambda: workbook()[:3000], file="t.xlsx", refused=("damaged",)),
    Fixture(
        "xlsx_broken_xml",
        lambda: rezipped({_SHEET: b"<worksheet><sheetData><row"}),
        file="t.xlsx",
        refused=("workbook",),
    ),
    Fixture("xlsx_several_sheets", lambda: workbook(several), file="t.xlsx", rows=12, says=("several sheets", "notes")),
    Fixture("xlsx_wrong_sheet", workbook, file="t.xlsx", choices={"sheet": "nope"}, refused=("nope", "Sheet")),
    Fixture("xlsx_macros", lambda: rezipped({"xl/vbaProject.bin": b"x"}), file="t.xlsm", rows=12, says=("macros",)),
    Fixture("xlsx_formulas", lambda: workbook(formulas), file="t.xlsx", rows=12, says=("12 formula(s)", "Excel")),
    Fixture("xlsx_merged", lambda: workbook(merged), file="t.xlsx", rows=12, says=("merged",)),
    Fixture("xlsx_hidden_rows", lambda: workbook(hidden), file="t.xlsx", rows=12, says=("hidden",)),
    Fixture(
        "xlsx_empty_sheet",
        lambda: workbook(lambda book: book.active.delete_rows(1, 99)),
        file="t.xlsx",
        refused=("no sheet with values",),
    ),
    Fixture("xlsx_named_csv", workbook, file="t.csv", rows=12, says=("'.csv'", "Excel workbook")),
    Fixture("csv_named_xlsx", lambda: b"a,b\nx,1\ny,2\n", file="t.xlsx", rows=2, says=("'.xlsx'", "text table")),
    Fixture("xls_named_csv", lambda: _OLD_OFFICE, file="t.csv", refused=("old Office", ".xlsx")),
    Fixture(
        "xlsx_password",
        lambda: _OLD_OFFICE + "EncryptedPackage".encode("utf-16-le"),
        file="t.xlsx",
        refused=("password",),
    ),
    Fixture("zip", zipped, file="t.csv", refused=("zip archive", "Unpack")),
    Fixture("gzip", lambda: gzip.compress(b"a,b\n" + b"x,1\ny,2\n" * 9), file="t.csv.gz", rows=18, columns=("a", "b")),
    Fixture("bzip2", lambda: bz2.compress(b"a,b\n" * 1_000), file="t.csv", refused=("bzip2", "Unpack")),
    Fixture("parquet", lambda: parquet(frame()), file="t.parquet", rows=12, columns=("sex", "age", "risk")),
    Fixture("parquet_nested", nested, file="t.parquet", columns=("sex", "age", "risk"), says=("'lists'", "'structs'")),
    Fixture("parquet_only_nested", only_nested, file="t.parquet", refused=("nested",)),
    Fixture("parquet_encrypted", lambda: b"PARE" + b"\1" * 60 + b"PARE", file="t.parquet", refused=("encrypted",)),
    Fixture("parquet_cut_off", lambda: parquet(frame())[:-9], file="t.parquet", refused=("cut off",)),
    Fixture(
        "parquet_damaged", lambda: parquet(frame())[:200] + b"\1" * 99 + b"PAR1", file="t.parquet", refused=("damaged",)
    ),
    Fixture("parquet_decimal", decimals, file="t.parquet", rows=12, says=("exact decimals",)),
    Fixture("parquet_dictionary", dictionary, file="t.parquet", rows=12, says=("'stage'", "order")),
    Fixture("parquet_long", long_parquet, file="t.parquet", refused=("21,000,000 rows",)),
    Fixture("parquet_long_texts", long_texts, file="t.parquet", rows=100_000),
    Fixture("parquet_long_cell", lambda: long_texts(140_000), file="t.parquet", refused=("'a'", "131,072 characters")),
    Fixture("parquet_no_rows", lambda: parquet(frame()[:0]), file="t.parquet", refused=("no rows",)),
    Fixture("sav", lambda: statistics("sav"), file="t.sav", rows=20, says=("value labels applied",)),
    Fixture("sav_cut_off", lambda: statistics("sav")[:300], file="t.sav", refused=("SPSS", "CSV")),
    Fixture("dta", lambda: statistics("dta"), file="t.dta", rows=20, says=("value labels applied",)),
    Fixture("dta_cut_off", lambda: statistics("dta")[:300], file="t.dta", refused=("Stata", "CSV")),
    Fixture("pickle", pickled(4), file="t.csv", refused=("pickle", "CSV")),
    Fixture("pickle_text", pickled(0), file="t.csv", refused=("pickle", "CSV")),
    Fixture("rdata", lambda: b"RDX3\nX\n\0\0\0", file="t.csv", refused=("RData", "write.csv")),
    Fixture("rds", lambda: b"X\n\0\0\0\3\0\4\1\2", file="t.csv", refused=("R object", "write.csv")),
    Fixture("pdf", lambda: b"%PDF-1.7\n" + bytes(range(256)), file="t.csv", refused=("PDF",)),
    Fixture("picture", lambda: b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 4, file="t.csv", refused=("not a table",)),
    Fixture("web_page", lambda: b"<!DOCTYPE html><html><table></table></html>", file="t.xls", refused=("web page",)),
    Fixture("json", lambda: b'[{"a": 1}, {"a": 2}]', file="t.csv", refused=("JSON",)),
    Fixture("json_deep", lambda: b"[" * 100_000, file="t.csv", refused=("JSON",)),
    Fixture("random_bytes", lambda: bytes((i * 7919 + i // 256) % 256 for i in range(5_000)), refused=("",)),
)
