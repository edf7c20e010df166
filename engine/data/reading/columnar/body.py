"""The rows of a text table as bytes, when nothing in them needs the careful reader."""

from __future__ import annotations

import codecs

import numpy as np

_PIECE = 1 << 22
_SEPARATORS = (",", ";", "\t", "|")
_QUOTE, _LINE_FEED, _RETURN = 0x22, 0x0A, 0x0D


def regular_body(data: bytes, encoding: str, delimiter: str | None, line: int) -> memoryview | None:
    """The bytes from `line` (from 1) on in UTF-8, or None when they may mean something else to the careful reader.

    Every line break parts two rows, and every double quote opens or closes a whole field or stands doubled in
    one. How many fields a line has is not looked at.
    """
    if delimiter not in _SEPARATORS:
        return None
    text = _utf8(data, encoding)
    if text is None or (b"\r" in text and text.count(b"\r") != text.count(b"\r\n")):
        return None
    start = 0
    for _ in range(line - 1):
        start = text.find(b"\n", start) + 1
    body = memoryview(text)[start:]
    if text.find(b'"', start) >= 0 and not _simple_quotes(body, ord(delimiter)):
        return None
    return body


def _utf8(data: bytes, encoding: str) -> bytes | None:
    known = codecs.lookup(encoding).name
    if known in ("utf-8", "ascii"):
        return data
    if known == "utf-8-sig":
        return data.removeprefix(codecs.BOM_UTF8)
    try:
        return data.decode(encoding).encode()
    except UnicodeEncodeError:  # half a character, which some encodings can hold
        return None


def _simple_quotes(body: memoryview, delimiter: int) -> bool:
    """Whether each double quote opens or closes a field or stands doubled within, and no line ends inside."""
    start = 0
    whole = np.frombuffer(body, np.uint8)
    while start < len(whole):
        end = _end_of_line(whole, start)
        if not _simple_piece(whole[start:end], delimiter):
            return False
        start = end
    return True


def _end_of_line(whole: np.ndarray, start: int) -> int:
    """Where a piece of some megabytes ends with a line; the end of all where no line ends after them."""
    end = start + _PIECE
    while end < len(whole):
        breaks = np.flatnonzero(whole[end : end + _PIECE] == _LINE_FEED)
        if len(breaks):
            return end + int(breaks[0]) + 1
        end += _PIECE
    return len(whole)


def _simple_piece(piece: np.ndarray, delimiter: int) -> bool:
    """The same for whole lines."""
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
