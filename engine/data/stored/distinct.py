"""A column coded by its distinct values: each is looked at once, however many rows have it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from engine.data.preparing.binning import interval_codes
from engine.data.preparing.column_coding import UNKNOWN, Coding, FixedColumn
from engine.data.preparing.variables import Numbers
from engine.data.stored.sources import floats
from engine.lazy import pa, pd

_MOST = 4_096
"""Distinct values up to which it pays to look at each."""
_MOST_UNKNOWN = 64


class _Seen(NamedTuple):
    """What becomes of each distinct value, the last one for an empty cell.

    Attributes
    ----------
    codes : (d + 1,) codes, UNKNOWN where there is none
    strange : place -> the text of a value without a level
    lacking : places of values that count as empty cells
    numbers : (d + 1,) those behind the codes, NaN where there is none; None of a column without intervals
    """

    codes: np.ndarray
    strange: dict[int, str]
    lacking: list[int]
    numbers: np.ndarray | None


class Distinct:
    """Codes one column, some cells at a time.

    Parameters
    ----------
    column : how it is coded
    read : makes cells of pandas of an array of arrow, as `engine.read_table` would
    """

    def __init__(self, column: FixedColumn, read: Callable[[pa.Array | pa.ChunkedArray], pd.Series]) -> None:
        self._column, self._read = column, read
        self._known: dict[tuple[str, tuple[object, ...]], _Seen | None] = {}

    @property
    def name(self) -> str:
        """Of the column."""
        return self._column.name

    def code(self, cells: pa.ChunkedArray) -> Coding:
        """The codes of some cells: the same as if all of them were looked at."""
        usual = pa.types.is_integer(cells.type) or pa.types.is_boolean(cells.type) or pa.types.is_string(cells.type)
        if pa.types.is_dictionary(cells.type) and pa.types.is_string(cells.type.value_type):
            usual = True
        if not usual or cells.num_chunks != 1 or (self._cuts_numbers and pa.types.is_string(cells.type)):
            return self._each(cells)
        chunk = cells.chunk(0)
        packed = chunk if pa.types.is_dictionary(cells.type) else chunk.dictionary_encode()
        if len(packed.dictionary) > min(_MOST, max(len(packed) // 8, 64)):
            return self._each(cells)
        seen = self._seen(packed.dictionary)
        if seen is None:
            return self._each(cells)
        places = packed.indices.fill_null(len(packed.dictionary)).to_numpy(zero_copy_only=False)
        numbers = None if seen.numbers is None else Numbers(seen.numbers, places)
        if not seen.strange and not seen.lacking:
            return Coding(seen.codes[places], numbers=numbers)
        counts = np.bincount(places, minlength=len(seen.codes))
        strange: dict[str, int] = {}
        for place, text in seen.strange.items():
            if counts[place]:
                strange[text] = strange.get(text, 0) + int(counts[place])
        return Coding(seen.codes[places], strange, int(counts[seen.lacking].sum()), numbers)

    def _each(self, cells: pa.ChunkedArray) -> Coding:
        numbers = pa.types.is_floating(cells.type) or pa.types.is_integer(cells.type)
        if numbers and self._cuts_numbers:
            return _in_intervals(self._column, floats(cells))
        series = self._read(cells)
        if self._cuts_numbers and series.dtype.kind == "f":
            return _in_intervals(self._column, series.to_numpy(float))
        return self._column.code(series)

    @property
    def _cuts_numbers(self) -> bool:
        """True where nothing but the number of a cell says what becomes of it."""
        column = self._column
        return bool(column.intervals) and column.sort == "number" and not (column.tokens or column.limits)

    def _seen(self, values: pa.Array) -> _Seen | None:
        key = (str(values.type), tuple(values.to_pylist()))
        if key not in self._known:
            if len(self._known) > _MOST:
                self._known.clear()
            self._known[key] = self._looked_at(values)
        return self._known[key]

    def _looked_at(self, values: pa.Array) -> _Seen | None:
        """What becomes of each value; None where too many are not known to look at them one by one."""
        every = pa.concat_arrays([values, pa.nulls(1, values.type)])
        series = self._read(every)
        coding = self._column.code(series)
        codes = coding.codes
        unknown = np.flatnonzero(codes == UNKNOWN).tolist()
        if len(unknown) > _MOST_UNKNOWN:
            return None
        strange, lacking = {}, []
        for place in unknown:
            alone = self._column.code(series.iloc[[place]])
            if alone.lacking:
                lacking.append(place)
            for text in alone.strange:
                strange[place] = text
        kind = np.int16 if len(self._column.levels) < 1 << 15 else np.int32
        numbers = None if coding.numbers is None else coding.numbers.column
        return _Seen(codes.astype(kind), strange, lacking, numbers)


def _in_intervals(column: FixedColumn, values: np.ndarray) -> Coding:
    """Numbers cut into intervals: no value is looked at by itself."""
    place = {level: code for code, level in enumerate(column.levels)}
    nothing = place.get(column.missing, UNKNOWN) if column.missing else UNKNOWN
    of_interval = np.array([*(place.get(label, UNKNOWN) for label in column.intervals), nothing], dtype=np.int16)
    known = np.isfinite(values)
    codes = of_interval[np.where(known, interval_codes(values, column.cuts), len(column.intervals))]
    if (codes[known] == UNKNOWN).any():  # an interval that this recipe has no level for
        return column.code(pd.Series(values))
    numbers = Numbers(np.where(known, values, np.nan), np.arange(len(values))) if column.fine_means else None
    return Coding(codes, {}, int((~known).sum()) if nothing == UNKNOWN else 0, numbers)
