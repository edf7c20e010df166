"""Columns whose types are declared: Parquet and Feather files, and tables in memory (pandas, arrow, polars)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.data.reading.declared import DeclaredColumns
from engine.data.reading.filetype import KINDS
from engine.data.reading.headers import clean_names
from engine.data.reading.limits import Limits
from engine.data.reading.report import ReadingReport
from engine.data.reading.text_tables import Choices, Progress, header_problems
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq


def read_parquet(
    data: bytes, choices: Choices, limits: Limits, report: ReadingReport, progress: Progress
) -> pd.DataFrame:
    """A Parquet file: its declared types are kept; nested columns are left out and named."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        schema, rows = file.schema_arrow, file.metadata.num_rows
        fields, left_out = _checked(schema, rows, limits, report.format)
        # texts are read as codes of their distinct values: a long text in every row costs nothing
        texts = [schema.field(i).name for i in fields if pa.types.is_string(schema.field(i).type)]
        file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts)
        columns = _positions(file, schema, fields, progress)
        return _declared_frame(schema, fields, columns, replace(report, left_out=left_out), choices)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise _refusal(error, "Parquet") from None


def read_feather(
    data: bytes, choices: Choices, limits: Limits, report: ReadingReport, progress: Progress
) -> pd.DataFrame:
    """A Feather file (arrow's own format), as a Parquet file is read."""
    import pyarrow as pa

    try:
        file = pa.ipc.open_file(pa.py_buffer(data))
        schema = file.schema
        rows = sum(file.get_batch(i).num_rows for i in range(file.num_record_batches))
        fields, left_out = _checked(schema, rows, limits, report.format)
        table = file.read_all()
        table.validate(full=True)
        columns = _with_progress((table.column(i) for i in fields), len(fields), progress)
        return _declared_frame(schema, fields, columns, replace(report, left_out=left_out), choices)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise _refusal(error, "Feather") from None


def arrow_table_frame(table: pa.Table, choices: Choices, limits: Limits, report: ReadingReport) -> pd.DataFrame:
    """A table that is in memory already."""
    fields, left_out = _checked(table.schema, table.num_rows, limits, report.format)
    columns = (table.column(i) for i in fields)
    return _declared_frame(table.schema, fields, columns, replace(report, left_out=left_out), choices)


def _checked(schema: pa.Schema, rows: int, limits: Limits, kind: str) -> tuple[list[int], dict[str, str]]:
    """Positions of the columns that can be read, and why others cannot; what is too large is refused unread."""
    limits.check_shape(rows, len(schema.names))
    usable, left_out = _usable_fields(schema)
    format_name = KINDS.get(kind, "table")
    if not usable or not rows:
        why = "only nested columns; give them as plain columns" if left_out else "no rows; choose another one"
        raise DataError(f"The {format_name} has {why}.")
    limits.check_memory(format_name, rows * sum(_width(schema.field(i).type) for i in usable))
    return usable, left_out


def _width(kind: pa.DataType) -> int:
    """Bytes of one cell in the table that is made of it (texts that repeat are codes)."""
    import pyarrow as pa

    if pa.types.is_boolean(kind):
        return 2
    if pa.types.is_integer(kind):
        return 9
    return 8 if pa.types.is_floating(kind) or pa.types.is_temporal(kind) or pa.types.is_decimal(kind) else 4


def _usable_fields(schema: pa.Schema) -> tuple[list[int], dict[str, str]]:
    import pyarrow as pa

    fields, left_out = [], {}
    for position, field in enumerate(schema):
        value = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if pa.types.is_nested(value):
            left_out[field.name] = "its cells hold lists or structures; give one plain value a cell"
        elif pa.types.is_binary(value) or pa.types.is_fixed_size_binary(value) or pa.types.is_large_binary(value):
            left_out[field.name] = "its cells hold bytes, not text or numbers"
        else:
            fields.append(position)
    return fields, left_out


def _positions(
    file: pq.ParquetFile, schema: pa.Schema, fields: Sequence[int], progress: Progress
) -> Iterator[pa.ChunkedArray]:
    """Columns by position, so that two of the same name cannot be mixed up; no column is nested."""
    if len(set(schema.names)) == len(schema.names):
        names = schema.names
        columns = (file.read(columns=[names[i]], use_threads=False).column(0) for i in fields)
        return _with_progress(columns, len(fields), progress)
    whole = file.read(use_threads=False)
    return _with_progress((whole.column(i) for i in fields), len(fields), progress)


def _with_progress(columns: Iterable[pa.ChunkedArray], count: int, progress: Progress) -> Iterator[pa.ChunkedArray]:
    for done, column in enumerate(columns):
        progress(done / count)
        yield column


def _declared_frame(
    schema: pa.Schema,
    fields: Sequence[int],
    columns: Iterable[pa.ChunkedArray],
    report: ReadingReport,
    choices: Choices,
) -> pd.DataFrame:
    import pandas as pd

    names, renamed = clean_names([schema.field(position).name for position in fields])
    declared, rows = DeclaredColumns(choices), 0
    for name, position, column in zip(names, fields, columns, strict=True):
        declared.add_arrow(name, column, schema.field(position).type)
        rows = len(column)
    report = declared.finish(replace(report, rows=rows, columns=len(names)))
    report = replace(report, renamed=tuple(renamed), problems=(*report.problems, *header_problems(names)))
    return report.attach(pd.DataFrame(declared.series, copy=False))


def _refusal(error: Exception, kind: str) -> Exception:
    if isinstance(error, DataError | MemoryError):
        return error
    words = "is encrypted. Save it without encryption" if "ncrypt" in str(error) else "is damaged. Save it again"
    return DataError(f"The {kind} file {words}, or save the table as CSV.")


def is_table(source: Any) -> bool:
    """Whether `source` is a table in memory and not a file."""
    return hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__") or _is_pandas(source)


def table_in_memory(source: Any, name: str, choices: Choices, limits: Limits) -> pd.DataFrame:
    """The same cleaning as for a file that declares its types; nothing of it is foreign, so it is done here."""
    import pyarrow as pa

    report = ReadingReport(name, "table")
    try:
        table = _from_pandas(source) if _is_pandas(source) else pa.table(source)
    except (pa.ArrowException, TypeError, ValueError):
        raise DataError(
            f"This {type(source).__name__} is no table of named columns. Give a pandas, arrow or polars table."
        ) from None
    return arrow_table_frame(table, choices, limits, report)


def _is_pandas(source: Any) -> bool:
    kind = type(source)
    return kind.__name__ == "DataFrame" and kind.__module__.partition(".")[0] == "pandas"


def _from_pandas(frame: pd.DataFrame) -> pa.Table:
    """Column by column, since a column of mixed objects is one of texts, and two columns may have one name."""
    import pyarrow as pa

    arrays = []
    for position in range(frame.shape[1]):
        column = frame.iloc[:, position]
        try:
            arrays.append(pa.array(column, from_pandas=True))
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            absent = column.isna().to_numpy()
            arrays.append(
                pa.array(
                    [None if is_missing else str(value) for value, is_missing in zip(column, absent, strict=True)],
                    pa.string(),
                )
            )
    return pa.table(arrays, names=[str(name) for name in frame.columns])
