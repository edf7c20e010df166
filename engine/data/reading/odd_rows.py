"""Rows of a large text at which its careful reader would fail, found in one pass before it begins."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.data.reading.limits import LONGEST_CELL

_PIECE = 1 << 22
_SEPARATORS = (",", ";", "\t", "|")
_LONGEST = 4 * LONGEST_CELL
"""Bytes of a cell with more characters than one may have."""
_QUOTE, _LINE_FEED, _RETURN, _SPACE = 0x22, 0x0A, 0x0D, 0x20


def odd_rows(data: bytes, encoding: str, delimiter: str | None, width: int, first: int) -> Iterator[tuple[int, str]]:
    """Rows (line, text) from line `first` on that are not closed, broken at a quote, very long, or of too many fields.

    None of a small text, which is read as quickly, nor of one whose bytes may mean something else.
    """
    name = codecs.lookup(encoding).name
    if (
        len(data) <= _PIECE
        or delimiter not in (*_SEPARATORS, None)
        or not name.startswith(("utf-8", "ascii", "iso", "cp"))
    ):
        return
    if data.count(b"\r") != data.count(b"\r\n"):
        return
    place = 0
    for _ in range(first - 1):
        place = data.find(b"\n", place) + 1
    row, cell, line, row_line, quoted = place, place, first, first, False
    while place < len(data) and not (quoted and place - cell > _LONGEST):
        end = data.find(b"\n", min(place + _PIECE, len(data))) + 1 or len(data)
        piece = _Piece.of(data, place, end, delimiter, quoted)
        starts = np.concatenate([[row], place + piece.breaks + 1, [end]])
        lines = np.concatenate([[row_line], line + piece.lines])
        whole = len(starts) - (2 if end < len(data) else 1)  # a row that goes on behind the piece is none of it
        for odd in piece.odd(width, place - cell):
            if odd < whole:
                yield int(lines[odd]), data[starts[odd] : starts[odd + 1]].decode(encoding, "replace")
        row, row_line, quoted = int(starts[-2]), int(lines[-1]), piece.ends_quoted
        cell = max(cell, place + piece.last + 1)
        place, line = end, line + piece.n_lines
    if quoted:
        yield row_line, data[row : cell + _LONGEST].decode(encoding, "replace")


@dataclass(frozen=True)
class _Piece:
    """Whole lines of a text.

    Attributes
    ----------
    breaks : places of line breaks that end a row
    lines : how many lines have ended there
    n_lines : how many lines it has
    fields : separators outside of quotes
    broken : places of closing quotes with more text behind
    ends_quoted : whether it ends within quotes
    """

    breaks: np.ndarray
    lines: np.ndarray
    n_lines: int
    fields: np.ndarray
    broken: np.ndarray
    ends_quoted: bool

    @classmethod
    def of(cls, data: bytes, place: int, end: int, delimiter: str | None, quoted: bool) -> _Piece:
        """From the bytes between two places, the first of which stands within quotes or not."""
        letters = np.frombuffer(data, np.uint8)[place:end]
        mark = ord(delimiter or "\x1f")
        breaks, fields = np.flatnonzero(letters == _LINE_FEED), np.flatnonzero(letters == mark)
        lines = np.arange(1, len(breaks) + 1)
        quotes = np.flatnonzero(letters == _QUOTE)
        if not len(quotes):
            keep = slice(0, 0) if quoted else slice(None)
            return cls(breaks[keep], lines[keep], len(lines), fields[keep], quotes, quoted)
        first = np.flatnonzero(np.diff(quotes, prepend=-2) != 1)  # runs of quotes, each without a gap
        lengths = np.diff(first, append=len(quotes))
        starts, odd = quotes[first], lengths % 2 == 1
        ends = starts + lengths
        opens = _at_field_start(letters, starts, mark, skips=delimiter in (",", ";", "|"))
        # an even number changes nothing; an odd one at the start of a field opens or closes, another one closes
        turns = np.cumsum(odd & opens)
        since = np.maximum.accumulate(np.where(odd & ~opens, turns, -1))
        after = np.where(since < 0, turns + quoted, turns - since) % 2 == 1
        before = np.concatenate([[quoted], after[:-1]])
        closes = (before & odd) | (~before & opens & ~odd)
        next_letter = letters[np.minimum(ends, len(letters) - 1)]
        fine = (next_letter == mark) | (next_letter == _LINE_FEED) | (next_letter == _RETURN) | (ends >= len(letters))
        state = np.concatenate([[quoted], after])
        outside = ~state[np.searchsorted(starts, breaks)]
        return cls(
            breaks[outside],
            lines[outside],
            len(lines),
            fields[~state[np.searchsorted(starts, fields)]],
            starts[closes & ~fine],
            bool(after[-1]),
        )

    @property
    def last(self) -> int:
        """Where the last cell that is ended ends; -1 where none is."""
        return max(int(places[-1]) if len(places) else -1 for places in (self.breaks, self.fields))

    def odd(self, width: int, begun: int) -> np.ndarray:
        """Which rows are odd; the first cell began `begun` bytes before the piece."""
        bounds = np.searchsorted(self.fields, self.breaks)
        n_fields = np.diff(np.concatenate([[0], bounds, [len(self.fields)]])) + 1
        places = [np.flatnonzero(n_fields > width), np.searchsorted(self.breaks, self.broken)]
        if (np.diff(self.breaks, prepend=-begun - 1) > LONGEST_CELL).any() or len(self.breaks) < 2:
            ends = np.union1d(self.fields, self.breaks)
            places.append(np.searchsorted(self.breaks, ends[np.diff(ends, prepend=-begun - 1) > LONGEST_CELL]))
        return np.unique(np.concatenate(places)).astype(np.int64)


def _at_field_start(letters: np.ndarray, starts: np.ndarray, mark: int, *, skips: bool) -> np.ndarray:
    """Flags of the places that are the first of a field, but for blanks where these are skipped."""
    before = np.where(starts > 0, letters[starts - 1], _LINE_FEED)
    if skips and (before == _SPACE).any():
        filled = np.maximum.accumulate(np.where(letters != _SPACE, np.arange(len(letters)), -1))
        last = np.where(starts > 0, filled[starts - 1], -1)
        before = np.where(last >= 0, letters[last], _LINE_FEED)
    return (before == mark) | (before == _LINE_FEED) | (before == _RETURN)
