"""Text tables without irregular lines: parsed in one go, column by column, to what the careful reader would give."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from engine.data.reading.columns import TextColumn, Typed, longest_text, typed
from engine.data.reading.headers import Row
from engine.data.reading.last_rows import TableEnd
from engine.data.reading.limits import LONGEST_CELL, Limits, Progress, silent
from engine.data.reading.numbers import is_number
from engine.lazy import pa, pc

_PIECE = 1 << 22
_SEPARATORS = (",", ";", "\t", "|")
_QUOTE, _LINE_FEED, _RETURN = 0x22, 0x0A, 0x0D


def read_regular(
    data: bytes,
    encoding: str,
    delimiter: str | None,
    first_rows: Sequence[Row],
    width: int,
    decimal: str,
    tokens: Sequence[str],
    limits: Limits,
    end: TableEnd,
    progress: Progress = silent,
) -> tuple[int, Iterator[Typed]] | None:
    """How many rows a text table has from the first of `first_rows` on, and its typed columns, to be taken once.

    None when the careful reader has to do it: that is when a line is blank or has not exactly `width` fields, when a
    quote or a line break stands where only a reader of single characters can tell what it means, or when a field is too
    long. `first_rows`, as the careful reader parsed them, tell what the columns are likely to hold; `tokens` are the
    texts that count as missing; `end` holds back last rows that are none; `progress` is told the fraction done, parsing
    counted as one more column.
    """
    from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, read_csv

    if width < 2 or not first_rows or any(len(cells) != width for _, cells in first_rows):
        return None
    body = regular_body(data, encoding, delimiter, first_rows[0][0])
    if body is None or delimiter is None:
        return None
    kinds = {
        str(position): pa.dictionary(pa.int32(), pa.string()) if _repeats(sample, tokens) else pa.string()
        for position, sample in enumerate(zip(*(cells for _, cells in first_rows), strict=True))
    }
    try:
        columns = read_csv(
            pa.py_buffer(body),
            ReadOptions(column_names=list(kinds)),
            ParseOptions(delimiter=delimiter, ignore_empty_lines=False),
            ConvertOptions(check_utf8=False, column_types=kinds, null_values=[]),
        ).columns
    except pa.ArrowInvalid:  # a line has another number of fields
        return None
    if any(longest_text(column) > LONGEST_CELL for column in columns) or _any_blank_row(columns):
        return None
    rows, most = len(columns[0]), min(limits.rows, limits.cells // width)
    last = [column.slice(max(rows - end.looked_at, 0)).to_pylist() for column in columns]
    line = first_rows[0][0] + rows - len(last[0])
    kept = rows - end.held_back(
        [(line + i, [text or "" for text in cells]) for i, cells in enumerate(zip(*last, strict=True))]
    )
    if kept < rows:
        rows, columns = kept, [column.slice(0, kept) for column in columns]
    if rows > most:
        limits.check_shape(most + 1, width)
    return rows, _typed_columns(columns, decimal, tokens, progress)


def regular_body(data: bytes, encoding: str, delimiter: str | None, line: int) -> memoryview | None:
    """The bytes from `line` (from 1) on in UTF-8, or None when they may mean something else to the careful reader.

    Every line break parts two rows, and every double quote opens or closes a whole field or stands doubled in
    one. How many fields a line has is not looked at.
    """
    if delimiter not in _SEPARATORS:
        return None
    known = codecs.lookup(encoding).name
    text = data.removeprefix(codecs.BOM_UTF8) if known == "utf-8-sig" else data
    if known not in ("utf-8", "utf-8-sig", "ascii"):
        try:
            text = data.decode(encoding).encode()
        except UnicodeEncodeError:  # half a character, which some encodings can hold
            return None
    if b"\r" in text and text.count(b"\r") != text.count(b"\r\n"):
        return None
    start = 0
    for _ in range(line - 1):
        start = text.find(b"\n", start) + 1
    body = memoryview(text)[start:]
    if text.find(b'"', start) < 0:
        return body
    whole = np.frombuffer(text, np.uint8)
    while start < len(text):  # in pieces of whole lines, to spare memory
        end = text.find(b"\n", start + _PIECE) + 1 or len(text)
        if not _has_simple_quotes(whole[start:end], ord(delimiter)):
            return None
        start = end
    return body


def _has_simple_quotes(piece: np.ndarray, delimiter: int) -> bool:
    """True where each double quote opens or closes a field or stands doubled within, and no line ends inside."""
    quotes = np.flatnonzero(piece == _QUOTE)
    if len(quotes) % 2:
        return False
    breaks = np.flatnonzero(piece == _LINE_FEED)
    if (np.searchsorted(quotes, breaks) % 2).any():
        return False
    around = np.zeros(256, bool)
    around[[delimiter, _LINE_FEED]] = True
    opening, closing = quotes[0::2], quotes[1::2]
    doubled = opening[1:] == closing[:-1] + 1
    opens_field = around[piece[opening - 1]] | (opening == 0)  # the byte before the first is the last: never asked
    opens_field[1:] |= doubled
    around[_RETURN] = True
    after = around[piece[np.minimum(closing + 1, len(piece) - 1)]] | (closing == len(piece) - 1)
    after[:-1] |= doubled
    return bool(opens_field.all() and after.all())


def _repeats(sample: Sequence[str], tokens: Sequence[str]) -> bool:
    """True where a column with this sample is best read as codes of its distinct texts: words that repeat."""
    present = [text for text in map(str.strip, sample) if text and text not in tokens]
    return 2 * len(set(present)) <= len(present) and not any(is_number(t, ".") or is_number(t, ",") for t in present)


def _any_blank_row(columns: Iterable[pa.ChunkedArray]) -> bool:
    """True where some row has no value at all; the careful reader leaves such rows out."""
    rows: np.ndarray | None = None
    for column in columns:
        texts = (column if rows is None else column.take(rows)).cast(pa.string())
        blank = np.flatnonzero(pc.equal(pc.binary_length(pc.utf8_trim_whitespace(texts)), 0).to_numpy())
        rows = blank if rows is None else rows[blank]
        if not len(rows):
            return False
    return True


def _typed_columns(
    columns: list[pa.ChunkedArray], decimal: str, tokens: Sequence[str], progress: Progress
) -> Iterator[Typed]:
    """Each column with its type, released as soon as the next is asked for."""
    steps = len(columns) + 1
    columns.reverse()
    while columns:
        progress(1 - len(columns) / steps)
        yield typed(TextColumn.from_array(columns.pop()), decimal, tokens, asked=True)
