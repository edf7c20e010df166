"""Coding of one column with nothing left to find out: new rows are coded like the old ones."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from sys import float_info
from typing import Any

import numpy as np

from engine.data.preparing.binning import interval_codes
from engine.data.preparing.detection import LIMIT_CHOICES, odd_cells, with_limits
from engine.data.preparing.variables import (
    Numbers,
    Variable,
    day_text,
    days_in,
    decimal_of,
    layout_of,
    make_variable,
    numbers_in,
    numbers_of,
)
from engine.data.reading.naming import quoted_values, shown_name, shown_value
from engine.data.reading.numbers import bare_of, level_text
from engine.errors import DataError, InputError
from engine.lazy import pd
from engine.text import People, first, told
from engine.words import count, short

UNKNOWN = -1
"""The code of a value that is not known."""
FINE_BITS = 7
"""Bits of a fine code: which of at most 127 cells a number is in."""
NO_NUMBER = (1 << FINE_BITS) - 1
"""The fine code of a row without a number."""
_FINE_ROWS = 5
"""Rows that a cell of the fine code has on average at least, so that a recipe does not tell single values."""

_ONE_OF = {
    "kind": ("nominal", "ordinal", "continuous"),
    "sort": ("number", "date", "flag", "words"),
    "written": ("", ".", ",", "year", "month", "day", "named"),
    "limits": ("", *LIMIT_CHOICES),
}
_SAME = {"True": ["1"], "False": ["0"], "1": ["True"], "0": ["False"]}
"""To Python and pandas, true and 1 are equal: a column that has both shows them as whichever came first."""


@dataclass(frozen=True)
class FixedColumn:
    """A column of a prepared table, with its cut points, levels and merges as they came out.

    Attributes
    ----------
    name, kind, levels, cuts : as in the data set
    intervals : names of the intervals that the cut points make, of a continuous column
    becomes : value -> the level it went into, where the two differ (merged as asked, or too rare)
    missing : the level that a cell without a value has, "" where it is not known
    tokens : texts that count as missing
    ordered : whether its levels but for the missing one keep their order, though the whole variable has none
    sort : as what its values were seen: "number", "date", "flag" or "words"
    limits : what becomes of cells beyond a detection limit, "" where it has none
    written : how texts of it are numbers (".", "," is the decimal mark) or dates ("day", "month", "year" first), if any
    unit : of its numbers, "" where it is not known
    fine, fine_means : cut points of the cells of its fine code (see `engine.data.fine_codes`), and each cell's mean
    """

    name: str
    kind: str
    levels: tuple[str, ...]
    cuts: tuple[float, ...] = ()
    intervals: tuple[str, ...] = ()
    becomes: Mapping[str, str] = field(default_factory=dict)
    missing: str = ""
    tokens: tuple[str, ...] = ()
    sort: str = "words"
    written: str = ""
    ordered: bool = False
    limits: str = ""
    unit: str = ""
    fine: tuple[float, ...] = field(default=(), compare=False)  # columns that give the same levels are equal
    fine_means: tuple[float, ...] = field(default=(), compare=False)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> FixedColumn:
        """The column that was written as plain lists and texts; `DataError` for what no table could have given."""
        if not isinstance(plain, Mapping):
            raise DataError("The recipe in this file is damaged: one of its columns is none; save the file again.")
        fields: dict[str, Any] = {name: tuple(item) if isinstance(item, list) else item for name, item in plain.items()}
        wrong = _wrong_in(fields)
        if wrong:
            name = str(fields.get("name", ""))[:60]
            raise InputError(
                f"The recipe in this file is damaged: of the column '{name}', {wrong}; save the file again."
            )
        return cls(**fields)

    def with_fine(self, values: np.ndarray, counts: np.ndarray) -> FixedColumn:
        """With cells of its fine code at quantiles of (d,) rising numbers, so many rows each, where it has none yet."""
        if self.fine_means or not self.intervals or not counts.any():
            return self
        values, counts = values[counts > 0], counts[counts > 0]
        cells = min(NO_NUMBER, max(int(counts.sum()) // _FINE_ROWS, 1))
        middle = (np.cumsum(counts) - counts / 2) / counts.sum()
        begins = np.unique((middle * cells).astype(np.int64), return_index=True)[1]
        shares = counts / np.repeat(np.add.reduceat(counts, begins), np.diff([*begins, len(values)]))
        means = tuple(float(f"{mean:.12g}") for mean in np.add.reduceat(values * shares, begins))
        return replace(self, fine=tuple(values[begins[1:]].tolist()), fine_means=means)

    def code(self, column: pd.Series) -> Coding:
        """(n,) codes of the cells of a column, and what in it has no level here."""
        return self.code_of(make_variable(column, self.name))

    def code_of(self, variable: Variable) -> Coding:
        """The same of a column that has been looked at."""
        if not self.limits:
            return self._coding(variable)
        variable = variable.without(self.tokens)
        odd = odd_cells(variable) if variable.sort == "words" else {}
        result = self._coding(with_limits(variable, self.limits, strict=False))
        return replace(result, strange={**result.strange, **odd}, lacking=result.lacking - sum(odd.values()))

    def _coding(self, variable: Variable) -> Coding:
        place = {level: code for code, level in enumerate(self.levels)}
        if self.intervals and not self.tokens and variable.numbers is not None and variable.sort == self.sort:
            # the same as below without a text for every number
            texts: tuple[str, ...] = ()
            of_interval = np.array([place.get(label, UNKNOWN) for label in self.intervals])
            known = of_interval[interval_codes(variable.numbers, self.cuts)]
            absent = np.zeros(len(known), bool)
            behind: Numbers | None = numbers_of(variable)
        else:
            texts = variable.level_names()
            numbers, infinite = self._numbers(variable, texts)
            absent = infinite | np.fromiter((text in self.tokens for text in texts), bool, len(texts))
            levels = [self._level(text, number) for text, number in zip(texts, numbers.tolist(), strict=True)]
            known = np.array([UNKNOWN if level is None else place.get(level, UNKNOWN) for level in levels], np.int64)
            places = np.where(variable.codes < 0, len(texts), variable.codes).astype(np.uint32)
            behind = Numbers(np.append(numbers, np.nan), places) if self.intervals else None
        nothing = place.get(self.missing, UNKNOWN) if self.missing else UNKNOWN
        codes = np.append(np.where(absent, nothing, known), nothing)
        counts = variable.counts()
        strange = np.flatnonzero((codes[:-1] == UNKNOWN) & ~absent & (counts > 0)).tolist()
        names = (texts or variable.level_names()) if strange else ()
        lacking = int(variable.n_missing + counts[absent].sum()) if nothing == UNKNOWN else 0
        return Coding(codes[variable.codes], {names[i]: int(counts[i]) for i in strange}, lacking, behind)

    def _level(self, text: str, number: float) -> str | None:
        """The level of one value, None where it has none."""
        known = number == number
        if self.intervals:
            return self.intervals[bisect_right(self.cuts, number)] if known else text
        spellings = [text]
        if known:
            spellings += [day_text(number)] if self.sort == "date" else [level_text(number), repr(number)]
        spellings += _SAME.get(text, [])
        for spelling in spellings:
            if spelling in self.becomes:
                return self.becomes[spelling]
            if spelling in self.levels:
                return spelling
        return None

    def _numbers(self, variable: Variable, texts: tuple[str, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Each value as a number or day, NaN where it is none; and flags of texts such as "inf", which are missing."""
        nothing, none = np.full(len(texts), np.nan), np.zeros(len(texts), bool)
        if variable.numbers is not None:
            fits = (variable.sort == "date") == (self.sort == "date")
            return (variable.numbers if fits else nothing), none
        if variable.sort == "flag" and self.sort == "number":
            return np.array([float(text == "True") for text in texts]), none
        if variable.sort != "words" or self.sort not in ("number", "date"):
            return nothing, none
        if self.sort == "date":
            return days_in(texts, self.written or layout_of(texts) or "year"), none
        return numbers_in(tuple(bare_of(text, self.unit) for text in texts), self.written or decimal_of(texts))


@dataclass(frozen=True)
class Coding:
    """Codes of a column's cells (`UNKNOWN` where there is none), values without a level -> rows, and empty cells.

    `numbers` are those behind the codes of a column of intervals.
    """

    codes: np.ndarray
    strange: Mapping[str, int] = field(default_factory=dict)
    lacking: int = 0
    numbers: Numbers | None = None

    def sentence(self, column: FixedColumn) -> str:
        """The values that did not fit, in words; "" when all did."""
        if not self.strange:
            return ""
        counts = (told("'{}' ({})", shown_value(text), People(rows, "row")) for text, rows in self.strange.items())
        known = quoted_values(column.levels, most=6)
        what = "In '{}', {} count as not known; the levels are {}."
        return told(what, shown_name(column.name), first(counts), known)


def _wrong_in(fields: Mapping[str, Any]) -> str:
    """The part that no written column can have, in words; "" where all is well."""
    known = FixedColumn.__dataclass_fields__
    strange = [argument for argument in fields if argument not in known] or [
        what for what in ("name", "kind", "levels") if what not in fields
    ]
    if strange:
        return f"the part '{short(str(strange[0]), 40)}' {'is unknown' if strange[0] in fields else 'is lacking'}"
    for argument, value in fields.items():
        if argument in _ONE_OF:
            fits = isinstance(value, str) and value in _ONE_OF[argument]
        elif argument == "ordered":
            fits = isinstance(value, bool)
        elif argument == "becomes":
            fits = isinstance(value, Mapping) and all(isinstance(text, str) for text in (*value, *value.values()))
        elif argument in ("cuts", "fine", "fine_means"):
            fits = isinstance(value, tuple) and all(map(_is_finite, value))
        elif isinstance(known[argument].default, str) or argument == "name":
            fits = isinstance(value, str)
        else:
            fits = isinstance(value, tuple) and all(isinstance(text, str) for text in value)
        if not fits:
            return f"'{argument}' has what it cannot have"
    levels, cuts, intervals = fields["levels"], fields.get("cuts", ()), fields.get("intervals", ())
    if not levels or len(set(levels)) < len(levels):
        return "the levels are none or not all different"
    fine, means = fields.get("fine", ()), fields.get("fine_means", ())
    if any(low >= high for points in (cuts, fine) for low, high in pairwise(points)):
        return "the cut points do not rise"
    if len(means) > NO_NUMBER or len(fine) != max(len(means) - 1, 0):
        return "its fine cut points do not fit their means"
    if intervals and len(intervals) != len(cuts) + 1:
        return f"{count(len(cuts), 'cut point')} cannot make {count(len(intervals), 'interval')}"
    return ""


def _is_finite(value: Any) -> bool:
    """True where it is a number that a float can be (not every whole number can)."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= float_info.max
