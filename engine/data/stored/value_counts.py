"""How many rows have which value, column by column, in one pass: enough for kinds, levels and cut points.

Memory is bounded. Numbers of which too many differ lose their last bits until they are few enough: the fewest bits that
do, whatever the order of the rows. Texts of which too many differ are no levels, and are counted no further.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import numpy as np

from engine.data.preparing.variables import Variable, make_variable
from engine.data.reading.columns import MISSING_TOKENS
from engine.data.reading.numbers import level_text
from engine.data.stored.sources import RowSource, floats
from engine.execution import Progress
from engine.lazy import pa, pc

MOST_DISTINCT, _ALL_COLUMNS, _LEAST = 1 << 16, 1 << 21, 2_000
"""Different values that are counted of a column, of all columns together, and of a column whatever the others have."""
_FEW = 2_000
"""Different values up to which each is looked up by itself; of more, numbers are sorted."""
_MOST_CHARACTERS = 64 << 20
"""Characters of texts that are remembered of a column."""
_FIRST_DAY, _LAST_DAY = (day.toordinal() - date(1970, 1, 1).toordinal() for day in (date.min, date.max))
"""Days since 1970 between which a date can be written."""
_NO_NUMBER = object()
"""Stands for NaN, which is not equal to itself."""


def count_values(source: RowSource, progress: Progress) -> list[Variable]:
    """Every column of a source with how many rows have each value; one pass."""
    most = max(_LEAST, min(MOST_DISTINCT, _ALL_COLUMNS // max(len(source.types), 1)))
    columns = [ColumnCounts(name, kind, source, most) for name, kind in source.types.items()]
    read = 0
    for table in source.tables(list(source.types)):
        for column, cells in zip(columns, table.columns, strict=True):
            column.add(cells)
        read += table.num_rows
        progress(source.share, f"counting values: {read:,} rows")
    return [column.variable() for column in columns]


class ColumnCounts:
    """The values of one column and their rows.

    Parameters
    ----------
    name : of the column
    kind : its arrow type
    source : what it is of
    most : different values that are remembered
    """

    def __init__(self, name: str, kind: pa.DataType, source: RowSource, most: int) -> None:
        self.name, self._kind, self._most, self._source = name, kind, most, source
        self._plain = _plain(kind)
        self.rows = self.missing = 0
        self._place: dict[object, int] = {}
        self._counts = np.zeros(0, dtype=np.int64)
        self._first: list[int] = []
        self._characters = 0
        self._numbers: RoundedNumbers | None = None
        self._worded = False
        self._trouble = ""  # why its values are counted no further
        self._last = np.zeros(0)  # value of the last row that has one
        self._rising = True
        self._seen: tuple[pa.Array, np.ndarray] | None = None

    def add(self, cells: pa.ChunkedArray) -> None:
        """Count some cells."""
        for chunk in cells.chunks:
            if not len(chunk):
                continue
            chunk = self._plain(chunk)
            self._widen(chunk.type)
            if self._trouble:
                self.missing += chunk.null_count + self._tokens_in(chunk)
            else:
                self._add(chunk)
            self.rows += len(chunk)

    def _add(self, chunk: pa.Array) -> None:
        if self._rising:
            self._follow(chunk)
        if self._numbers is not None and not pa.types.is_string(chunk.type) and not pa.types.is_dictionary(chunk.type):
            self.missing += self._numbers.add(floats(chunk))
            return
        packed = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
        places = packed.indices.fill_null(len(packed.dictionary)).to_numpy(zero_copy_only=False)
        counts = np.bincount(places, minlength=len(packed.dictionary) + 1)
        self.missing += int(counts[-1])
        if self._numbers is not None:
            values = self._source.numbers(packed.dictionary)
            if values is not None:
                self.missing += self._numbers.add(values, counts[:-1])
                return
            self._count_texts()
        if not self._trouble:
            self._add_values(packed.dictionary, counts[:-1], places)

    def _add_values(self, values: pa.Array, counts: np.ndarray, places: np.ndarray) -> None:
        if self._seen is None or not self._seen[0].equals(values):
            used = np.flatnonzero(counts)
            texts = values.to_pylist()
            where = np.full(len(texts), -1, dtype=np.int64)
            new: list[int] = []
            for k in used.tolist():
                text = texts[k]
                key = _NO_NUMBER if text != text else text
                if (place := self._place.get(key, -1)) < 0:
                    place = self._place[key] = len(self._place)
                    self._characters += len(text) if isinstance(text, str) else 8
                    new.append(k)
                where[k] = place
            if new:
                at = np.full(len(texts) + 1, -1, dtype=np.int64)
                at[places[::-1]] = np.arange(len(places))[::-1]  # the first row of each value
                self._first += [self.rows + int(at[k]) for k in new]
            self._seen = (values, where) if len(used) == len(texts) else None
        else:
            where = self._seen[1]
        self._counts = np.concatenate([self._counts, np.zeros(len(self._place) - len(self._counts), dtype=np.int64)])
        np.add.at(self._counts, where[where >= 0], counts[where >= 0])
        many = len(self._place)
        if many > _FEW and not self._worded:
            self._count_numbers()
        if self._numbers is not None:
            return
        if many > self._most:
            self._trouble = self._too_many_texts()
        elif self._characters > _MOST_CHARACTERS:
            self._trouble = f"its different texts have more than {_MOST_CHARACTERS:,} characters, too long for levels"
        if self._trouble:
            self._forget()

    def _too_many_texts(self) -> str:
        return f"it has more than {self._most:,} different texts, too many for levels"

    def _count_numbers(self) -> None:
        """From now on as numbers, where all values are some."""
        numbers = self._source.numbers(self._values())
        self._worded = numbers is None
        if numbers is not None:
            self._numbers = RoundedNumbers(self._most)
            self.missing += self._numbers.add(numbers, self._counts)
            self._forget()

    def _count_texts(self) -> None:
        """Texts that were all numbers so far, and now one is none: as words, where none of them was rounded."""
        numbers, self._numbers, self._worded = self._numbers, None, True
        if numbers is None or numbers.bits:
            self._trouble = self._too_many_texts()
            return
        self._place = {level_text(value): k for k, value in enumerate(numbers.values.tolist())}
        self._first, self._counts = [0] * len(self._place), numbers.counts

    def _forget(self) -> None:
        self._place, self._first, self._counts, self._seen = {}, [], np.zeros(0, dtype=np.int64), None

    def _follow(self, chunk: pa.Array) -> None:
        """Check that each number is one more than that of the row before."""
        known = chunk.drop_null()
        if pa.types.is_string(known.type):
            known = pc.utf8_trim_whitespace(known)
            known = known.filter(pc.invert(self._are_tokens(known)))
        repeated = pa.types.is_string(known.type) and len(pc.unique(known)) < len(known)
        numbers = None if repeated else self._source.numbers(known) if len(known) else np.zeros(0)
        if numbers is None:
            self._rising = False
            return
        sequence = np.append(self._last, numbers[np.isfinite(numbers)])
        self._rising = bool((np.diff(sequence) == 1).all())
        self._last = sequence[-1:]

    def _are_tokens(self, texts: pa.Array) -> pa.Array:
        tokens = MISSING_TOKENS if self._source.choices.missing is None else self._source.choices.missing
        return pc.is_in(texts, value_set=pa.array({"", *tokens}, pa.string()))

    def _tokens_in(self, chunk: pa.Array) -> int:
        if pa.types.is_dictionary(chunk.type):
            chunk = chunk.dictionary_decode()
        if not pa.types.is_string(chunk.type):
            return 0
        return int(pc.sum(self._are_tokens(chunk)).as_py() or 0)

    def _values(self, more: int = 0) -> pa.Array:
        """The different values in the order of their first rows, and so many empty cells."""
        values = [*self._place, *[None] * more]
        if pa.types.is_dictionary(self._kind):
            texts = pa.array(values[: len(self._place)], self._kind.value_type)
            indices = pa.array([*range(len(self._place)), *[None] * more], pa.int64())
            return pa.DictionaryArray.from_arrays(indices, texts, ordered=self._kind.ordered)
        return pa.array(
            [math.nan if value is _NO_NUMBER else value for value in values], self._plain(pa.nulls(0, self._kind)).type
        )

    def _widen(self, kind: pa.DataType) -> None:
        """Numbers of files that store them in different types."""
        if kind == self._kind or pa.types.is_dictionary(kind):
            return
        if pa.types.is_null(self._kind):
            self._kind, self._plain = kind, _plain(kind)
        if pa.types.is_floating(kind):
            self._kind = pa.float64()
        elif pa.types.is_integer(kind) and pa.types.is_integer(self._kind):
            self._kind = pa.uint64() if pa.types.is_uint64(kind) or pa.types.is_uint64(self._kind) else pa.int64()

    def variable(self) -> Variable:
        """The column, one row for each value."""
        rising = self._rising and len(self._last) > 0
        if self._trouble:
            about = np.array([0, -1]), np.array([self.rows - self.missing, self.missing])
            return Variable(self.name, "unusable", about[0], words=("?",), trouble=self._trouble, times=about[1])
        if self._numbers is not None:
            values, counts = self._numbers.values, self._numbers.counts
            codes, times = np.append(np.arange(len(values)), -1), np.append(counts, self.missing)
            rounded = self._numbers.bits > 0
            return Variable(
                self.name, "number", codes, numbers=values, times=times, rounded=rounded, rises_by_one=rising
            )
        if not self.rows:
            return Variable(self.name, "words", np.zeros(0, dtype=np.int64), words=())
        gap = int(self.missing > 0)
        seen = make_variable(self._source.series(self._values(gap)).rename(self.name), self.name)
        times = np.append(self._counts, [self.missing] * gap)
        origin = np.append(np.array(self._first, dtype=np.int64), [0] * gap)
        return replace(seen, times=times, origin=origin, rises_by_one=rising)


class RoundedNumbers:
    """Different numbers and their rows, with as many of their bits as leave no more than `most` of them.

    Attributes
    ----------
    values, counts : (d,) rising
    bits : of the mantissa that are left out
    """

    def __init__(self, most: int) -> None:
        self._most, self.bits = most, 0
        self.values, self.counts = np.zeros(0), np.zeros(0, dtype=np.int64)

    def add(self, values: np.ndarray, counts: np.ndarray | None = None) -> int:
        """Take numbers, each of one row or of so many; how many rows have none that is finite."""
        known = np.isfinite(values)
        lost = len(values) - int(known.sum()) if counts is None else int(counts[~known].sum())
        own = self._rounded(values[known] + 0.0)  # + 0.0: no negative zero
        if counts is None:
            own, rows = np.unique(own, return_counts=True)
        else:
            rows = counts[known]
        self._merge(np.concatenate([self.values, own]), np.concatenate([self.counts, rows]))
        while len(self.values) > self._most and self.bits < 52:
            self.bits += 1
            self._merge(self._rounded(self.values), self.counts)
        return lost

    def _rounded(self, values: np.ndarray) -> np.ndarray:
        if not self.bits:
            return values
        bits = np.ascontiguousarray(values).view(np.int64)
        return np.asarray((bits >> self.bits << self.bits).view(np.float64)) + 0.0

    def _merge(self, values: np.ndarray, counts: np.ndarray) -> None:
        order = np.argsort(values, kind="stable")
        values, counts = values[order], counts[order]
        begins = np.flatnonzero(np.append(True, values[1:] != values[:-1])[: len(values)])
        self.values = values[begins]
        self.counts = np.add.reduceat(counts, begins) if len(begins) else counts


def _plain(kind: pa.DataType) -> Callable[[pa.Array], pa.Array]:
    """What is counted of cells of a type: days of moments, numbers of exact decimals, plain texts of all texts."""
    if pa.types.is_decimal(kind):
        return lambda chunk: chunk.cast(pa.float64())
    if pa.types.is_timestamp(kind):
        if kind.tz is not None:
            return lambda chunk: _possible_days(pc.local_timestamp(chunk))
        return _possible_days
    if pa.types.is_date(kind):
        return _possible_days
    if pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return lambda chunk: chunk.cast(pa.string())
    if pa.types.is_dictionary(kind) and not pa.types.is_string(kind.value_type):
        value = kind.value_type
        return (lambda chunk: chunk.cast(pa.string())) if _is_text(value) else (lambda chunk: chunk.cast(value))
    return lambda chunk: chunk


def _possible_days(chunk: pa.Array) -> pa.Array:
    """Days of moments; one that no calendar has is none."""
    days = chunk.cast(pa.date32(), safe=False)
    number = days.cast(pa.int32())
    inside = pc.and_(pc.greater_equal(number, _FIRST_DAY), pc.less_equal(number, _LAST_DAY))
    return days if pc.all(inside).as_py() is not False else pc.if_else(inside, days, pa.scalar(None, pa.date32()))


def _is_text(kind: pa.DataType) -> bool:
    return pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
