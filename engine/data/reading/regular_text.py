"""Text tables without irregular lines: parsed in one go, column by column, to what the careful reader would give.

Columns are typed from their bytes, without a look at each distinct text, where they are numbers, or words of which most
differ.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from engine.data.reading.columns import TextColumn, Typed, typed
from engine.data.reading.headers import Row
from engine.data.reading.limits import Limits, Progress, silent
from engine.data.reading.numbers import INFINITE, is_number
from engine.data.reading.scales import scale_with_none
from engine.lazy import pa, pc, pd

_PIECE = 1 << 22
_SEPARATORS = (",", ";", "\t", "|")
_QUOTE, _LINE_FEED, _RETURN = 0x22, 0x0A, 0x0D
_EXACT = 18  # so many characters are a whole number of 64 bits for sure
_NUMERALS = b"0123456789+-.,eE"
_LETTER = np.zeros(256, bool)
_LETTER[list(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")] = True


def read_regular(
    data: bytes,
    encoding: str,
    delimiter: str | None,
    first_rows: Sequence[Row],
    width: int,
    decimal: str,
    tokens: Sequence[str],
    limits: Limits,
    progress: Progress = silent,
) -> tuple[int, Iterator[Typed]] | None:
    """How many rows a text table has from the first of `first_rows` on, and its typed columns, to be taken once.

    None when the careful reader has to do it: that is when a line is blank or has not exactly `width` fields, when a
    quote or a line break stands where only a reader of single characters can tell what it means, or when a field is too
    long. `first_rows`, as the careful reader parsed them, tell what the columns are likely to hold; `tokens` are the
    texts that count as missing; `progress` is told the fraction done, parsing counted as one more column.
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
    if any(_longest(column) > csv.field_size_limit() for column in columns) or _any_blank_row(columns):
        return None
    rows, most = len(columns[0]), min(limits.rows, limits.cells // width)
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
    """Whether each double quote of lines opens or closes a field or stands doubled within, and no line ends inside."""
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
    """Whether a column with this sample is best read as codes of its distinct texts: words that repeat."""
    present = [text for text in map(str.strip, sample) if text and text not in tokens]
    return 2 * len(set(present)) <= len(present) and not any(is_number(t, ".") or is_number(t, ",") for t in present)


def _longest(column: pa.ChunkedArray) -> int:
    """The bytes of the longest text."""
    coded = pa.types.is_dictionary(column.type)
    texts = [chunk.dictionary if coded else chunk for chunk in column.chunks]
    return max((pc.max(pc.binary_length(text)).as_py() or 0 for text in texts), default=0)


def _any_blank_row(columns: Iterable[pa.ChunkedArray]) -> bool:
    """Whether some row has no value at all; the careful reader leaves such rows out."""
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
        column = columns.pop()
        plain = None
        if not pa.types.is_dictionary(column.type):
            column = column.combine_chunks()
            plain = plain_column(column, decimal, tokens)
        yield typed(TextColumn.from_array(column), decimal, tokens) if plain is None else plain


def plain_column(texts: pa.StringArray, decimal: str, tokens: Sequence[str]) -> Typed | None:
    """What `typed` makes of these texts (no null among them), or None where only `typed` can tell."""
    data, offsets = _buffers(texts)
    if not data.isascii():
        return None
    if b" " in data:
        texts = pc.utf8_trim_whitespace(texts)
        data, offsets = _buffers(texts)
    absent = np.diff(offsets) == 0
    rows_of = {"": absent}
    named = [token for token in dict.fromkeys(tokens) if token]
    if data.translate(None, _NUMERALS) or any(not token.encode().translate(None, _NUMERALS) for token in named):
        positions = pc.index_in(texts, pa.array(named, pa.string())).fill_null(-1).to_numpy(zero_copy_only=False)
        rows_of |= {named[i]: positions == i for i in np.unique(positions) if i >= 0}
        absent = absent | (positions >= 0)
    tokens_met = sorted((int(rows.argmax()), token, int(rows.sum())) for token, rows in rows_of.items() if rows.any())
    missing = {token: count for _, token, count in tokens_met}
    present = texts.filter(pa.array(~absent)) if missing else texts
    if not len(present) or ({"None", "none"} & set(missing) and scale_with_none([present[0].as_py()])):
        return None  # "None" may be a level
    return _plain_numbers(present, absent, missing, decimal) or _plain_words(present, absent, missing)


def _plain_numbers(texts: pa.StringArray, absent: np.ndarray, missing: dict[str, int], decimal: str) -> Typed | None:
    """Numbers written plainly, or words where leading zeros would be lost; `texts` are those of the rows present."""
    data, _ = _buffers(texts)
    if data.translate(None, b"0123456789+-eE" + decimal.encode()):
        return None
    marked = any(mark in data for mark in (decimal.encode(), b"e", b"E"))
    zeros = pc.index(pc.match_substring_regex(texts, r"^[+-]?0[0-9]"), True).as_py()
    numbers = pc.replace_substring(texts, ",", ".") if decimal == "," else texts
    long = numbers.filter(pc.greater(pc.binary_length(numbers), _EXACT))
    if pc.any(pc.match_substring_regex(long, r"^[^.eE]*$"), min_count=0).as_py():
        return None  # it may not fit 64 bits
    whole = not marked and zeros < 0
    try:
        values = numbers.cast(pa.int64() if whole else pa.float64()).to_numpy()
    except pa.ArrowInvalid:
        return None
    if zeros >= 0:
        note = typed(TextColumn(np.zeros(1, np.int32), [texts[zeros].as_py()]), decimal).note
        return _differing_words(texts, absent, missing, note)
    if whole:
        every = np.zeros(len(absent), np.int64)
        every[~absent] = values
        return Typed(pd.Series(pd.arrays.IntegerArray(every, absent), copy=False), missing)
    if not np.isfinite(values).all():
        return None
    floats = np.full(len(absent), np.nan)
    floats[~absent] = values + 0.0  # + 0.0: no negative zero
    return Typed(pd.Series(floats, copy=False), missing)


def _plain_words(texts: pa.StringArray, absent: np.ndarray, missing: dict[str, int]) -> Typed | None:
    """Words of which one is no number in any style; half begin with a letter, so that numbers are the fewer."""
    data, offsets = _buffers(texts)
    letters = np.flatnonzero(_LETTER[np.frombuffer(data, np.uint8)[offsets[:-1]]])
    if not len(letters) or 2 * len(letters) < len(absent):  # numbers that are tokens count as numbers
        return None
    if all(INFINITE.fullmatch(text) for text in texts.take(letters[:500]).to_pylist()):
        return None
    return _differing_words(texts, absent, missing)


def _differing_words(
    texts: pa.StringArray, absent: np.ndarray, missing: dict[str, int], note: str = ""
) -> Typed | None:
    """Plain texts, if so many differ that `typed` makes no categories of them."""
    data, offsets = _buffers(texts)
    padded = b"\0" * 8 + data
    windows = np.ndarray(len(padded) - 7, "<u8", padded, strides=1)  # the eight bytes that begin at each byte
    beyond = 8 * np.maximum(8 - np.diff(offsets), 0)  # of the text before
    ends = np.sort(windows[offsets[1:]] >> beyond.astype(np.uint64))  # many that differ are seen three times as fast
    most = max(1_000, len(absent) // 2)
    if np.count_nonzero(ends[1:] != ends[:-1]) < most and pc.count_distinct(texts).as_py() <= most:
        return None
    if missing:
        texts = texts.take(pa.array(np.cumsum(~absent) - 1, mask=absent))
    array = pd.StringDtype("pyarrow", na_value=np.nan).__from_arrow__(texts)
    return Typed(pd.Series(array, copy=False), missing, note=note)


def _buffers(texts: pa.StringArray) -> tuple[bytes, np.ndarray]:
    """The bytes of all texts, and where each begins in them, with the end of the last."""
    _, offset_buffer, data = texts.buffers()
    offsets = np.frombuffer(offset_buffer, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    start, end = int(offsets[0]), int(offsets[-1])
    return (data.slice(start, end - start).to_pybytes() if data else b""), offsets - np.int32(start)
