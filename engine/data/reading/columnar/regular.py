"""Text tables without irregular lines: parsed in one go, column by column, to what the careful reader would give."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.data.reading.columnar.body import regular_body
from engine.data.reading.columnar.plain import coded, plain_column
from engine.data.reading.columns import TextColumn, Typed, typed
from engine.data.reading.headers import Row
from engine.data.reading.limits import Limits

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class RegularTable:
    """How many rows a table has, each on a line of its own, and its typed columns in order, to be taken once."""

    rows: int
    columns: Iterable[Typed]


def read_regular(
    data: bytes,
    encoding: str,
    delimiter: str | None,
    first_rows: Sequence[Row],
    width: int,
    decimal: str,
    tokens: Sequence[str],
    limits: Limits,
    progress: Callable[[float], None] | None = None,
) -> RegularTable | None:
    """The rows of a text table from the first of `first_rows` on, or None when the careful reader has to do it.

    That is when a line is blank or has not exactly `width` fields, when a quote or a line break stands where only a
    reader of single characters can tell what it means, or when a field is too long. `first_rows`, as the careful
    reader parsed them, tell what the columns are likely to hold; `tokens` are the texts that count as missing;
    `progress` is told the fraction done, parsing counted as one more column.
    """
    import pyarrow as pa

    if width < 2 or not first_rows or any(len(cells) != width for _, cells in first_rows):
        return None
    body = regular_body(data, encoding, delimiter, first_rows[0][0])
    if body is None or delimiter is None:
        return None
    samples = zip(*(cells for _, cells in first_rows), strict=True)
    kinds = [
        pa.dictionary(pa.int32(), pa.string()) if coded([text.strip() for text in sample], tokens) else pa.string()
        for sample in samples
    ]
    columns = _parsed(body, delimiter, kinds)
    if columns is None or any(_longest(column) > csv.field_size_limit() for column in columns):
        return None
    rows, most = len(columns[0]), min(limits.rows, limits.cells // width)
    if _any_blank_row(columns):
        return None
    if rows > most:
        limits.check_shape(most + 1, width)
    typed_columns = _typed_columns(columns, decimal, tokens)
    return RegularTable(rows, typed_columns if progress is None else _telling(typed_columns, width, progress))


def _parsed(body: memoryview, delimiter: str, kinds: Sequence[pa.DataType]) -> list[pa.ChunkedArray] | None:
    """The columns as texts, or None when a line has another number of fields."""
    import pyarrow as pa
    from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

    names = [str(position) for position in range(len(kinds))]
    source = pa.py_buffer(body)
    try:
        table = read_csv(
            source,
            ReadOptions(column_names=names),
            ParseOptions(delimiter=delimiter, ignore_empty_lines=False),
            ConvertOptions(check_utf8=False, column_types=dict(zip(names, kinds, strict=True)), null_values=[]),
        )
    except pa.ArrowInvalid:
        return None
    columns: list[pa.ChunkedArray] = table.columns
    return columns


def _longest(column: pa.ChunkedArray) -> int:
    """The bytes of the longest text."""
    import pyarrow as pa
    import pyarrow.compute as pc

    coded = pa.types.is_dictionary(column.type)
    texts = [chunk.dictionary if coded else chunk for chunk in column.chunks]
    return max((pc.max(pc.binary_length(text)).as_py() or 0 for text in texts), default=0)


def _any_blank_row(columns: Iterable[pa.ChunkedArray]) -> bool:
    """Whether some row has no value at all; the careful reader leaves such rows out."""
    rows: np.ndarray | None = None
    for column in columns:
        rows = np.flatnonzero(_blank(column)) if rows is None else rows[_blank(column.take(rows))]
        if not len(rows):
            return False
    return True


def _blank(column: pa.ChunkedArray) -> np.ndarray:
    """(rows,) flags of texts that are empty or white space."""
    import pyarrow as pa
    import pyarrow.compute as pc

    flags = []
    for chunk in column.chunks:
        coded = pa.types.is_dictionary(chunk.type)
        trimmed = pc.utf8_trim_whitespace(chunk.dictionary if coded else chunk)
        blank = pc.equal(pc.binary_length(trimmed), 0).to_numpy(zero_copy_only=False)
        flags.append(blank[chunk.indices.to_numpy()] if coded else blank)
    return np.concatenate(flags) if flags else np.zeros(0, bool)


def _typed_columns(columns: list[pa.ChunkedArray], decimal: str, tokens: Sequence[str]) -> Iterator[Typed]:
    """Each column with its type, released as soon as the next is asked for."""
    import pyarrow as pa

    columns.reverse()
    while columns:
        column = columns.pop()
        plain = None
        if not pa.types.is_dictionary(column.type):
            column = column.combine_chunks()
            plain = plain_column(column, decimal, tokens)
        yield typed(TextColumn.from_array(column), decimal, tokens) if plain is None else plain


def _telling(columns: Iterable[Typed], width: int, progress: Callable[[float], None]) -> Iterator[Typed]:
    for position, column in enumerate(columns):
        progress((position + 1) / (width + 1))
        yield column
