"""Columns typed from their bytes, without a look at each distinct text: numbers, and words of which most differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.data.reading.columns import TextColumn, Typed, typed
from engine.data.reading.numbers import INFINITE, is_number
from engine.data.reading.scales import scale_with_none

if TYPE_CHECKING:
    import pyarrow as pa

_EXACT = 18  # so many characters are a whole number of 64 bits for sure
_NUMERALS = b"0123456789+-.,eE"
_ZERO, _NINE = b"09"
_PLUS, _MINUS = b"+-"
_LETTER = np.zeros(256, bool)
_LETTER[list(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")] = True


def plain_column(texts: pa.StringArray, decimal: str, tokens: Sequence[str]) -> Typed | None:
    """What `typed` makes of these texts (no null among them), or None where only `typed` can tell."""
    column = _column(texts, tokens)
    if column is None:
        return None
    return column.numbers(decimal) or column.words()


@dataclass(frozen=True)
class _Bytes:
    """Trimmed ASCII texts: `held[offsets[row]:offsets[row + 1]]`; `absent` flags and `missing` counts those that are
    missing tokens."""

    array: pa.StringArray
    held: bytes
    offsets: np.ndarray
    absent: np.ndarray
    missing: dict[str, int]

    def numbers(self, decimal: str) -> Typed | None:
        """Numbers written plainly, or words where leading zeros would be lost."""
        import pandas as pd
        import pyarrow as pa

        mark = decimal.encode()
        marks, powers = self._in_present(mark), self._in_present(b"eE")
        if self._in_present(b"0123456789+-") + marks + powers < self._lengths().sum():
            return None
        leading_zero = self._leading_zero()
        whole = not marks and not powers and leading_zero is None
        texts = self._present(self.held if decimal == "." else self.held.replace(b",", b"."))
        if self._lengths().max() > _EXACT and (whole or (marks < self._n_present and _any_digits_only(texts))):
            return None
        try:
            values = texts.cast(pa.int64() if whole else pa.float64())
        except pa.ArrowInvalid:
            return None
        if leading_zero is not None:
            item = TextColumn(np.zeros(1, np.int32), [leading_zero])
            return self._words(typed(item, decimal).note)
        if whole:
            filled = values.fill_null(0).to_numpy(zero_copy_only=False)
            whole_numbers = pd.arrays.IntegerArray(filled.copy(), self.absent)  # arrow's own cannot be written to
            return Typed(pd.Series(whole_numbers, copy=False), self.missing)
        floats = values.to_numpy(zero_copy_only=False) + 0.0  # + 0.0: no negative zero
        if not np.isfinite(floats[~self.absent]).all():
            return None
        return Typed(pd.Series(floats, copy=False), self.missing)

    def words(self) -> Typed | None:
        """Words of which one is no number in any style; half begin with a letter, so that numbers are the fewer."""
        first = np.frombuffer(self.held, np.uint8).take(self.offsets[:-1], mode="clip")
        letters = np.flatnonzero(_LETTER[first] & ~self.absent)
        if not len(letters) or 2 * len(letters) < len(self.array):  # numbers that are tokens count as numbers
            return None
        if all(INFINITE.fullmatch(text) for text in self.array.take(letters[:500]).to_pylist()):
            return None
        return self._words("")

    def _words(self, note: str) -> Typed | None:
        """Plain texts, if so many differ that `typed` makes no categories of them."""
        import pandas as pd

        if not self._more_differ_than(max(1_000, len(self.array) // 2)):
            return None
        array = pd.StringDtype("pyarrow", na_value=np.nan).__from_arrow__(self._present(self.held))
        return Typed(pd.Series(array, copy=False), self.missing, note=note)

    @property
    def _n_present(self) -> int:
        return len(self.absent) - int(self.absent.sum())

    def _in_present(self, characters: bytes) -> int:
        """How often these characters stand in texts that are not missing: in all, without those of the tokens."""
        tokens = sum(count * _count(token.encode(), characters) for token, count in self.missing.items())
        return _count(self.held, characters) - tokens

    def _present(self, data: bytes) -> pa.StringArray:
        """The texts in `held`, with null where they are missing."""
        import pyarrow as pa

        valid = np.packbits(~self.absent, bitorder="little")
        buffers = [pa.py_buffer(valid), pa.py_buffer(self.offsets), pa.py_buffer(data)]
        return pa.Array.from_buffers(pa.string(), len(self.absent), buffers)

    def _lengths(self) -> np.ndarray:
        """(rows,) bytes of each text, none where it is missing."""
        return np.where(self.absent, 0, np.diff(self.offsets))

    def _leading_zero(self) -> str | None:
        """A text that begins with 0 and one more digit, behind a sign or not."""
        raw, starts, lengths = np.frombuffer(self.held, np.uint8), self.offsets[:-1], self._lengths()
        first = raw.take(starts, mode="clip")
        signed = (first == _PLUS) | (first == _MINUS)
        if signed.any():
            starts, lengths = starts + signed, lengths - signed
            first = raw.take(starts, mode="clip")
        zeros = np.flatnonzero((first == _ZERO) & (lengths > 1))
        following = raw[starts[zeros] + 1]
        result = zeros[(following >= _ZERO) & (following <= _NINE)]
        return self.array[result[0]].as_py() if len(result) else None

    def _more_differ_than(self, limit: int) -> bool:
        """Whether more than so many distinct texts are present: first by their last eight bytes, which is quick."""
        import pyarrow.compute as pc

        lengths = self._lengths()
        ends = self.offsets[1:][lengths > 0].astype(np.int64)
        padded = b"\0" * 8 + self.held
        windows = np.ndarray(len(padded) - 7, "<u8", padded, strides=1)  # the eight bytes that begin at each byte
        beyond = 8 * np.maximum(8 - lengths[lengths > 0], 0)  # of the text before
        keys = np.sort(windows[ends] >> beyond.astype(np.uint64))
        return bool(np.count_nonzero(keys[1:] != keys[:-1]) >= limit) or (
            pc.count_distinct(self._present(self.held)).as_py() > limit
        )


def _count(data: bytes, characters: bytes) -> int:
    return len(data) - len(data.translate(None, characters))


def _column(texts: pa.StringArray, tokens: Sequence[str]) -> _Bytes | None:
    """The texts as bytes, or None where they are not ASCII, all missing, or "None" may be a level."""
    import pyarrow.compute as pc

    data, offsets = _buffers(texts)
    if not data.isascii():
        return None
    if b" " in data:
        texts = pc.utf8_trim_whitespace(texts)
        data, offsets = _buffers(texts)
    absent = np.diff(offsets) == 0
    seen = {"": absent}
    named = [token for token in dict.fromkeys(tokens) if token]
    if data.translate(None, _NUMERALS) or any(not token.encode().translate(None, _NUMERALS) for token in named):
        result = pc.index_in(texts, _array(named)).fill_null(-1).to_numpy(zero_copy_only=False)
        seen |= {named[i]: result == i for i in np.unique(result) if i >= 0}
        absent = absent | (result >= 0)
    tokens_met = sorted((int(rows.argmax()), token, int(rows.sum())) for token, rows in seen.items() if rows.any())
    missing = {token: count for _, token, count in tokens_met}
    present = np.flatnonzero(~absent)
    if not len(present):
        return None
    if {"None", "none"} & set(missing) and scale_with_none([texts[present[0]].as_py()]):
        return None
    return _Bytes(texts, data, offsets, absent, missing)


def _buffers(texts: pa.StringArray) -> tuple[bytes, np.ndarray]:
    _, offset_buffer, data = texts.buffers()
    offsets = np.frombuffer(offset_buffer, np.int32)[texts.offset : texts.offset + len(texts) + 1]
    start, end = int(offsets[0]), int(offsets[-1])
    return (data.slice(start, end - start).to_pybytes() if data else b""), offsets - np.int32(start)


def _array(texts: Sequence[str]) -> pa.StringArray:
    import pyarrow as pa

    return pa.array(texts, pa.string())


def _any_digits_only(texts: pa.StringArray) -> bool:
    """Whether one of the texts that are too long for a whole number has neither a decimal mark nor a power."""
    import pyarrow.compute as pc

    long = texts.filter(pc.greater(pc.binary_length(texts), _EXACT))
    long = long.filter(pc.invert(pc.match_substring(long, ".")))
    return not pc.all(pc.match_substring(long, "e", ignore_case=True), min_count=0).as_py()


def coded(sample: Sequence[str], tokens: Sequence[str]) -> bool:
    """Whether a column with this sample is best read as codes of its distinct texts: words that repeat."""
    present = [text for text in sample if text and text not in tokens]
    return 2 * len(set(present)) <= len(present) and not any(is_number(t, ".") or is_number(t, ",") for t in present)
