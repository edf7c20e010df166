"""Excel workbooks and Parquet files: looked at before anything is unpacked."""

from __future__ import annotations

import io
import stat
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.data.reading.columns import text_of
from engine.data.reading.declared import DeclaredColumns
from engine.data.reading.headers import Row, clean_names
from engine.data.reading.limits import Limits
from engine.data.reading.report import ReadingReport
from engine.data.reading.sheet_scan import scan_sheets
from engine.data.reading.text_tables import Choices, grid_table, header_problems
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

_XLSX_ADVICE = "Save the table as .xlsx or CSV."


def read_workbook(data: bytes, choices: Choices, limits: Limits, report: ReadingReport) -> pd.DataFrame:
    """One worksheet of an Excel workbook (.xlsx, .xlsm); macros are never run, formulas never computed."""
    findings = _open_directory(data, limits)
    from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        sheets = [one for one in book.sheets_metadata if one.typ == SheetTypeEnum.WorkSheet]
        names = [one.name for one in sheets]
        visible = [one.name for one in sheets if one.visible == SheetVisibleEnum.Visible] or names
        wanted = [_chosen(names, choices.sheet)] if choices.sheet is not None else visible
        grid, name = _first_with_values(book, wanted)
    except BaseException as error:  # a panic of the reader's own language is no Exception
        if isinstance(error, DataError) or not (
            isinstance(error, CalamineError | OSError | ValueError) or type(error).__name__ == "PanicException"
        ):
            raise
        raise DataError(f"The workbook is damaged and cannot be read. Open and save it again. {_XLSX_ADVICE}") from None
    notes = list(report.notes)
    if len(visible) > 1 and choices.sheet is None:
        others = ", ".join(f"'{one[:40]}'" for one in visible if one != name)
        notes.append(f"The workbook has several sheets; '{name[:40]}' was read. Others: {others[:300]}.")
    report = replace(
        report, sheet=name, sheets=tuple(names), notes=tuple(notes), problems=(*report.problems, *findings)
    )
    return grid_table(grid, choices, limits, report)


def _open_directory(data: bytes, limits: Limits) -> list[str]:
    """Check a zip container by its directory alone, then its sheets; sentences on what was found there."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, NotImplementedError):
        raise DataError("The file starts like a workbook but is cut off or damaged. Copy or save it again.") from None
    with archive:
        members = archive.infolist()
        names = {member.filename for member in members}
        limits.check_unpacked(len(data), sum(member.file_size for member in members), len(members))
        if "xl/workbook.xml" not in names:
            raise DataError(_other_container(names))
        for member in members:
            if stat.S_ISLNK(member.external_attr >> 16):
                raise DataError(f"The workbook holds a link to another file, which none should. {_XLSX_ADVICE}")
            if member.flag_bits & 1:
                raise DataError("The workbook is protected with a password. Save it without one.")
        findings = scan_sheets(archive, limits)
    if any(name.endswith("vbaProject.bin") for name in names):
        findings.append("The workbook holds macros; they were not run.")
    return findings


def _other_container(names: set[str]) -> str:
    if "xl/workbook.bin" in names:
        return f"This is a binary workbook (.xlsb). {_XLSX_ADVICE}"
    if "word/document.xml" in names:
        return f"This is a Word document. {_XLSX_ADVICE}"
    if "content.xml" in names:
        return f"This is an OpenDocument file (.ods). {_XLSX_ADVICE}"
    return "This is a zip archive, not a workbook. Unpack it first and give the table inside."


def _chosen(names: list[str], asked: str | int) -> str:
    if isinstance(asked, int) and 0 <= asked < len(names):
        return names[asked]
    if asked in names:
        return str(asked)
    listed = ", ".join(f"'{name[:40]}'" for name in names[:10])
    raise DataError(f"The workbook has no sheet '{str(asked)[:40]}'; it has {listed}.")


def _first_with_values(book: Any, names: Iterable[str]) -> tuple[Iterator[Row], str]:
    for name in names:
        sheet = book.get_sheet_by_name(name)
        if sheet.start is not None and sheet.height and sheet.width:
            return _sheet_rows(sheet), name
    raise DataError("The workbook has no sheet with values. If its cells are formulas, open and save it in Excel.")


def _sheet_rows(sheet: Any) -> Iterator[Row]:
    """Rows of texts with their number in the sheet; columns before the first value are left out."""
    first_row, first_column = sheet.start
    for offset, cells in enumerate(sheet.iter_rows()):
        texts = [text_of(cell) for cell in cells[first_column:]]
        if offset >= first_row:
            yield offset + 1, texts if any(texts) else []


def read_parquet(data: bytes, choices: Choices, limits: Limits, report: ReadingReport) -> pd.DataFrame:
    """A Parquet file: its declared types are kept; nested columns are left out and named."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        limits.check_shape(file.metadata.num_rows, file.schema_arrow.names.__len__())
        groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
        limits.check_unpacked(len(data), sum(group.total_byte_size for group in groups), 1)
        schema = file.schema_arrow
        kept, left_out = _usable_fields(schema)
        if not kept or not file.metadata.num_rows:
            why = "only nested columns; give them as plain columns" if left_out else "no rows; choose another file"
            raise DataError(f"The Parquet file has {why}.")
        texts = [schema.field(i).name for i in kept if pa.types.is_string(schema.field(i).type)]
        # texts are read as codes of their distinct values: a long text in every row costs nothing
        table = _read_positions(pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts), schema, kept)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        if isinstance(error, DataError):
            raise
        words = "is encrypted. Save it without encryption" if "ncrypt" in str(error) else "is damaged. Save it again"
        raise DataError(f"The Parquet file {words}, or save the table as CSV.") from None
    limits.check_shape(table.num_rows, table.num_columns)
    report = replace(report, left_out=left_out, rows=table.num_rows, columns=table.num_columns)
    return _arrow_frame(table, [schema.field(i).type for i in kept], choices, report)


def _usable_fields(schema: pa.Schema) -> tuple[list[int], dict[str, str]]:
    import pyarrow as pa

    kept, left_out = [], {}
    for position, field in enumerate(schema):
        value = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if pa.types.is_nested(value):
            left_out[field.name] = "its cells hold lists or structures; give one plain value a cell"
        elif pa.types.is_binary(value) or pa.types.is_fixed_size_binary(value) or pa.types.is_large_binary(value):
            left_out[field.name] = "its cells hold bytes, not text or numbers"
        else:
            kept.append(position)
    return kept, left_out


def _read_positions(file: pq.ParquetFile, schema: pa.Schema, kept: list[int]) -> pa.Table:
    """Columns by position, so that two of the same name cannot be mixed up; no column is nested."""
    import pyarrow as pa

    if len(set(schema.names)) == len(schema.names):
        return file.read(columns=[schema.names[i] for i in kept])
    whole = file.read()
    return pa.table([whole.column(i) for i in kept], names=[schema.names[i] for i in kept])


def _arrow_frame(
    table: pa.Table, types: Iterable[pa.DataType], choices: Choices, report: ReadingReport
) -> pd.DataFrame:
    import pandas as pd

    names, renamed = clean_names(table.column_names)
    columns = DeclaredColumns(choices)
    for name, column, declared in zip(names, table.columns, types, strict=True):
        columns.add_arrow(name, column, declared)
    report = columns.finish(report)
    report = replace(report, renamed=tuple(renamed), problems=(*report.problems, *header_problems(names)))
    return report.attach(pd.DataFrame(columns.series))
