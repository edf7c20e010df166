"""A table's column seen as codes of its distinct values, whatever pandas stores it as, and the numbers behind it."""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from engine.data.reading.columns import TextColumn, typed
from engine.data.reading.headers import clean_text
from engine.data.reading.naming import shown_name
from engine.data.reading.numbers import GROUPED, INFINITE, PERCENT, PLAIN, is_date, level_text, named_date
from engine.data.reading.report import reading_facts
from engine.errors import DataError, InputError
from engine.lazy import pd
from engine.text import Name


@dataclass(frozen=True)
class Variable:
    """One column before it has a kind.

    Attributes
    ----------
    name : of the column
    sort : "number", "words", "flag" (true or false), "date" or "unusable"
    codes : (n,) positions among the distinct values; -1 where the value is missing
    numbers : distinct values of numbers and dates (days since 1970), else None
    words : distinct values of words and flags, in the order in which they stand, else None
    ordered : whether the table itself declares an order of the words
    stand_ins : number that a cell beyond a detection limit is read as -> what stands in the cell
    labelled : the words are labels that a file gives to codes, and stand in the order of the codes
    missing_tokens : texts that were taken for missing here -> how many cells
    invalid : (row from 1, text) of infinite numbers, which count as missing
    trouble : why the column is unusable
    written : how its words were read as numbers (the decimal mark) or dates (what comes first), "" where they were not
    ends : lowest and highest detection limit, where a cut has to be; None where there is none
    origin : (n,) rows of the table, from 0, where only some of them are used; None where all are
    times : (n,) rows of the table that each row here stands for, where they were only counted; None where each is one
    rises_by_one : whether each number is one more than that of the row before, where rows were only counted
    rounded : whether its numbers are so many that they were rounded to be counted, so that more of them are different
    """

    name: str
    sort: str
    codes: np.ndarray
    numbers: np.ndarray | None = None
    words: tuple[str, ...] | None = None
    ordered: bool = False
    missing_tokens: dict[str, int] = field(default_factory=dict)
    invalid: tuple[tuple[int, str], ...] = ()
    trouble: str = ""
    written: str = ""
    ends: tuple[float | None, float | None] = (None, None)
    origin: np.ndarray | None = None
    labelled: bool = False
    stand_ins: Mapping[float, str] = field(default_factory=dict)
    times: np.ndarray | None = None
    rises_by_one: bool | None = None
    rounded: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "codes", narrow(self.codes, self.n_distinct))

    @property
    def n_distinct(self) -> int:
        """Number of different values."""
        return len(self.numbers) if self.numbers is not None else len(self.words or ())

    @property
    def known_numbers(self) -> np.ndarray:
        """The distinct numbers, none where it holds words."""
        return self.numbers if self.numbers is not None else np.zeros(0)

    @property
    def n_rows(self) -> int:
        """Number of rows of the table."""
        return len(self.codes) if self.times is None else int(self.times.sum())

    @cached_property
    def n_missing(self) -> int:
        """Number of rows without a value."""
        missing = self.codes < 0
        return int(np.count_nonzero(missing) if self.times is None else self.times[missing].sum())

    @property
    def counts_up(self) -> bool:
        """True where its values are whole numbers, each one more than that of the row before that has one."""
        if self.numbers is None or not self.whole or not len(self.numbers):
            return False
        if self.rises_by_one is not None:
            return self.rises_by_one
        sequence = self.codes[self.codes >= 0]
        steps = self.numbers[-1] - self.numbers[0] == self.n_distinct - 1
        return bool(steps and len(sequence) == self.n_distinct and (np.diff(sequence) > 0).all())

    @cached_property
    def whole(self) -> bool:
        """True where all values are whole numbers."""
        if self.numbers is None:
            return False
        measured = self.numbers[~np.isin(self.numbers, list(self.stand_ins))] if self.stand_ins else self.numbers
        return bool((measured == np.floor(measured)).all())

    def counts(self) -> np.ndarray:
        """(n_distinct,) rows with each value; counted once, since many questions begin with it."""
        return self._counts

    @cached_property
    def _counts(self) -> np.ndarray:
        result = self.counts_of()[:-1] if self.times is not None else self._counts_of_rows()
        result.flags.writeable = False
        return result

    def _counts_of_rows(self) -> np.ndarray:
        return np.bincount(self.codes[self.codes >= 0] if self.n_missing else self.codes, minlength=self.n_distinct)

    def counts_of(self, rows: np.ndarray | None = None) -> np.ndarray:
        """(n_distinct + 1,) rows with each value, and at last those without one: of all rows, or as often as in `rows`.

        Of rows that were only counted all are meant.
        """
        places = np.where(self.codes < 0, self.n_distinct, self.codes)
        if self.times is not None:
            result = np.zeros(self.n_distinct + 1, dtype=np.int64)
            np.add.at(result, places, self.times)
            return result
        return np.bincount(places if rows is None else places[rows], minlength=self.n_distinct + 1)

    @cached_property
    def proposed(self) -> dict[str | None, Any]:
        """What was proposed for it, by the measure that the file declares: every look at its table asks again."""
        return {}

    def level_names(self) -> tuple[str, ...]:
        """The distinct values as texts: "1" and not "1.0", dates as year-month-day."""
        if self.words is not None:
            return self.words
        if self.numbers is None:
            return ()
        if self.sort == "date":
            return tuple(day_text(day) for day in self.numbers)
        return tuple(self.stand_ins.get(value) or level_text(value) for value in self.numbers.tolist())

    def where(self, wanted: np.ndarray, limit: int = 20) -> tuple[tuple[int, str], ...]:
        """(row from 1, text) of the first cells whose value is flagged (one flag a distinct value)."""
        names = self.level_names()
        rows = np.flatnonzero((self.codes >= 0) & wanted[self.codes])[:limit]
        origin = rows if self.origin is None else self.origin[rows]
        return tuple((int(at) + 1, names[self.codes[row]]) for at, row in zip(origin, rows, strict=True))

    def rows(self, which: np.ndarray) -> Variable:
        """With the rows flagged in `which` only, and without the values that only others have."""
        times = None if self.times is None else self.times[which]
        some = replace(self, codes=self.codes[which], origin=np.flatnonzero(which), times=times)
        used = some.counts() > 0
        return some if self.sort == "unusable" or used.all() else some._keep(used)

    def without(self, tokens: Iterable[str]) -> Variable:
        """With these values taken for missing; words that then are all numbers become numbers."""
        tokens = {clean_text(str(token)) for token in tokens}
        names = self.level_names()
        is_missing = np.fromiter((name in tokens for name in names), bool, len(names))
        if not is_missing.any():
            return self
        counts = self.counts()
        taken = {names[i]: int(counts[i]) for i in np.flatnonzero(is_missing)}
        left = replace(self._keep(~is_missing), missing_tokens={**self.missing_tokens, **taken})
        return left.as_numbers() or left

    def as_numbers(self) -> Variable | None:
        """The column as numbers, or None when some word is none (or would lose a leading zero)."""
        if self.numbers is not None:
            return self
        if self.sort != "words" or not self.words:
            return None
        decimal = decimal_of(self.words)
        values = _typed(self.words, decimal)
        return None if values is None else replace(replace_words(self, values), written=decimal)

    def as_days(self) -> Variable | None:
        """A column of dates as days since 1970, or None when it has no dates or their order is unclear."""
        if self.sort == "date":
            return self
        if self.sort != "words" or not self.words or not all(map(is_date, self.words)):
            return None
        layout = layout_of(self.words)
        days = days_in(self.words, layout) if layout else np.array([np.nan])
        return None if np.isnan(days).any() else replace(replace_words(self, days), sort="date", written=layout)

    def as_measured(self) -> Variable | None:
        """The column as numbers or as days, None where it is neither."""
        return self.as_numbers() or self.as_days()

    def read_as(self, sort: str, written: str) -> Variable:
        """Words as numbers or dates written in a known way ("" to find out); a word that is none is missing."""
        words = self.words or ()
        if sort == "date":
            days = days_in(words, written or layout_of(words) or "year")
            return replace(replace_words(self, days), sort="date", written=written)
        numbers, _ = numbers_in(words, written or decimal_of(words))
        return replace(replace_words(self, numbers), written=written)

    def _keep(self, flags: np.ndarray) -> Variable:
        place = np.append(np.where(flags, np.cumsum(flags) - 1, -1), -1)
        return replace(
            self,
            codes=place[self.codes],
            numbers=None if self.numbers is None else self.numbers[flags],
            words=None if self.words is None else tuple(w for w, k in zip(self.words, flags, strict=True) if k),
        )


def narrow(codes: np.ndarray, most: int) -> np.ndarray:
    """Codes in the smallest signed type that holds -1 and `most`."""
    return codes.astype(np.min_scalar_type(-max(int(most), 1) - 1), copy=False)


Tokens = Iterable[str] | Mapping[str, Iterable[str]]


def look_at(table: pd.DataFrame, missing_tokens: Tokens | None = None) -> list[Variable]:
    """Every column as codes of its distinct values, tokens taken for missing."""
    names = column_names(table)
    by_name = missing_tokens if isinstance(missing_tokens, Mapping) else None
    if by_name is not None:
        check_known(by_name, names, "missing_tokens")
    everywhere = [] if by_name is not None else token_list(missing_tokens)
    labelled = reading_facts(table).get("labelled", {})
    result = []
    for name, (_, column) in zip(names, table.items(), strict=True):
        variable = make_variable(column, name)
        if variable.sort == "words" and 0 < variable.n_distinct <= len(labelled.get(name, ())):
            variable = replace(variable, labelled=True)
        tokens = token_list(by_name.get(name)) if by_name is not None else everywhere
        result.append(variable.without(tokens) if tokens else variable)
    return result


def column_names(table: pd.DataFrame) -> list[str]:
    """The names of the columns as texts; `DataError` for what is no table, is empty or has a name twice."""
    if not isinstance(table, pd.DataFrame):
        raise DataError("Give a pandas table (DataFrame); a file is read with engine.read_table.")
    names = [str(name) for name in table.columns]
    twice = sorted({name for name in names if names.count(name) > 1}) if len(set(names)) < len(names) else []
    if twice:
        raise DataError("Two columns are called '{}'; give each a name of its own.", Name(twice[0]), column=twice[0])
    if not names:
        raise DataError("The table has no columns. Choose a file or sheet with a table in it.")
    if not len(table):
        raise DataError("The table has no rows. Choose a file with data below its header.")
    return names


def token_list(tokens: Iterable[str] | None) -> list[str]:
    """Texts that count as missing, as a list; one text alone is one token."""
    return [] if tokens is None else [tokens] if isinstance(tokens, str) else [str(token) for token in tokens]


def check_known(given: Iterable[str], names: Sequence[str], choice: str) -> None:
    """`DataError` for the first name that is not among `names`, with near ones."""
    known = set(names)
    for name in given:
        if str(name) not in known:
            near = difflib.get_close_matches(str(name), names, n=2)
            hint = f" Did you mean {' or '.join(map(repr, near))}?" if near else ""
            raise InputError(f"'{choice}' speaks of a column '{shown_name(name)}' that the table lacks.{hint}")


def make_variable(column: pd.Series, name: str) -> Variable:
    """Look at one column of a pandas table."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return _from_categories(column, name)
    if pd.api.types.is_bool_dtype(column.dtype):
        codes, values = pd.factorize(column, sort=True)
        return Variable(name, "flag", codes, words=tuple(str(bool(value)) for value in values))
    if pd.api.types.is_complex_dtype(column.dtype):
        return _unusable(column, name, "complex numbers have no order; give their parts as columns")
    if pd.api.types.is_numeric_dtype(column.dtype):
        return _from_numbers(column, name)
    if pd.api.types.is_datetime64_any_dtype(column.dtype):
        moments = column.dt.tz_localize(None) if getattr(column.dt, "tz", None) is not None else column
        return replace(_from_numbers(pd.Series(_days(moments)), name), sort="date")
    if pd.api.types.is_timedelta64_dtype(column.dtype):
        return _unusable(column, name, "a span of time; give it as a number, for example of days")
    return _from_objects(column, name)


_FIRST, _MOSTLY = 4096, 0.95
"""Numbers that are looked at first: where nearly all of them differ, a sort costs less than a hash and a sort."""


def of_numbers(name: str, values: np.ndarray) -> Variable:
    """A column of numbers, NaN where there is none; infinite ones are missing."""
    codes, distinct = _distinct(np.where(np.isfinite(values), values, np.nan))
    return Variable(name, "number", codes, numbers=distinct)


def day_text(day: float) -> str:
    """Days since 1970 as year-month-day."""
    return str(np.datetime64(int(day), "D"))


def _from_categories(column: pd.Series, name: str) -> Variable:
    categorical = column.array  # the accessor `cat` would make a column of the codes, which of thousands takes seconds
    categories, ordered = categorical.categories, bool(categorical.ordered)
    if pd.api.types.is_numeric_dtype(categories.dtype) and not pd.api.types.is_bool_dtype(categories.dtype):
        texts = [level_text(float(value)) for value in categories]
    else:
        texts = [str(value) for value in categories]
    view = Variable(name, "words", np.arange(len(texts)), words=tuple(texts))
    view = _tidy_words(view)
    codes = np.append(view.codes, -1)[categorical.codes]
    if isinstance(categories, pd.DatetimeIndex):
        return replace(view, codes=codes)
    return replace(view, codes=codes, ordered=ordered)


def _from_numbers(column: pd.Series, name: str) -> Variable:
    values = column.to_numpy(dtype=float, na_value=np.nan)
    infinite = np.isinf(values)
    invalid = tuple((int(row) + 1, str(values[row])) for row in np.flatnonzero(infinite)[:20])
    if infinite.any():
        values = np.where(infinite, np.nan, values)
    codes, distinct = _distinct(values)
    return Variable(name, "number", codes, numbers=distinct, invalid=invalid)


def _distinct(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(n,) positions among the distinct numbers, -1 of NaN, and these; few are hashed, many sorted once."""
    values = values + 0.0  # no negative zero
    first = values[:_FIRST]
    if len(np.unique(first)) < _MOSTLY * _FIRST or np.isnan(first).any():
        codes, distinct = pd.factorize(values, sort=True)
        return codes, np.asarray(distinct, float)
    distinct, codes = np.unique(values, return_inverse=True)
    if np.isnan(distinct[-1]):  # all of them are one, the last
        distinct, codes = distinct[:-1], np.where(codes == len(distinct) - 1, -1, codes)
    return codes, distinct


def _from_objects(column: pd.Series, name: str) -> Variable:
    try:
        codes, values = pd.factorize(column)
    except TypeError:
        return _unusable(column, name, "its cells hold lists or other compound values")
    kinds = {type(value) for value in values}
    if kinds and all(issubclass(kind, bool | np.bool_) for kind in kinds):
        order = np.argsort([bool(value) for value in values])  # a 1 among them was taken for true
        place = np.append(np.argsort(order), -1)
        return Variable(name, "flag", place[codes], words=tuple(str(bool(values[i])) for i in order))
    if kinds and all(issubclass(kind, int | float | np.number) and kind is not bool for kind in kinds):
        return _from_numbers(pd.to_numeric(column, errors="coerce"), name)
    if any(issubclass(kind, list | dict | set | tuple | np.ndarray | bytes) for kind in kinds):
        return _unusable(column, name, "its cells hold lists or other compound values")
    texts = tuple(str(value) for value in values)
    return _tidy_words(Variable(name, "words", codes, words=texts))


def _tidy_words(variable: Variable) -> Variable:
    """Words trimmed and in NFC; those that then are the same are one, empty ones are missing."""
    words = variable.words or ()
    clean = [word if word.isascii() and word == word.strip() else clean_text(word) for word in words]
    if "" not in clean and len(set(clean)) == len(clean):
        return replace(variable, words=tuple(clean))
    place: dict[str, int] = {}
    recode = [-1 if word == "" else place.setdefault(word, len(place)) for word in clean]
    return replace(variable, codes=np.array([*recode, -1])[variable.codes], words=tuple(place))


def replace_words(variable: Variable, values: np.ndarray) -> Variable:
    """Words replaced by numbers (NaN: missing), equal numbers made one."""
    distinct = np.unique(values[np.isfinite(values)] + 0.0)
    place = np.where(np.isfinite(values), np.searchsorted(distinct, values), -1)
    return replace(variable, sort="number", codes=np.append(place, -1)[variable.codes], numbers=distinct, words=None)


_MARK = re.compile(r"\d[.,]|[.,]\d")


def decimal_of(words: Iterable[str]) -> str:
    """The decimal mark of texts: a comma where one stands beside a digit and no point does ('k.A.' has none there)."""
    words = list(words)
    if not any("," in word for word in words):
        return "."
    marks = {mark for word in words for mark in _MARK.findall(word)}
    return "," if any("," in mark for mark in marks) and not any("." in mark for mark in marks) else "."


def layout_of(words: Iterable[str]) -> str:
    """The first part of dates all written in one order ("year", "day", "month", or "named" months); "" if unclear."""
    dates = [word for word in words if is_date(word)]
    pieces = [_pieces(word) for word in dates if named_date(word) is None]
    if all(len(piece[0]) == 4 for piece in pieces):
        return "year" if len(pieces) == len(dates) else "named"
    if len(pieces) < len(dates):
        return ""
    first, second = (max(int(piece[i]) for piece in pieces) for i in (0, 1))
    if (first > 12) == (second > 12):
        return ""
    return "day" if first > 12 else "month"


def days_in(words: Iterable[str], layout: str) -> np.ndarray:
    """Days since 1970 of dates written in one order, NaN for what is none."""
    texts = ["-".join(_with_century(_pieces(word))) if is_date(word) else "" for word in words]
    moments = pd.to_datetime(pd.Series(texts, dtype=object), errors="coerce", dayfirst=layout == "day", format="mixed")
    return _days(moments)


def _days(moments: pd.Series) -> np.ndarray:
    """Days since 1970, NaN where there is none; numpy's reach beyond the years that pandas' nanoseconds know."""
    days = moments.to_numpy().astype("datetime64[D]")
    return np.where(np.isnat(days), np.nan, days.astype(np.int64))


def _pieces(word: str) -> list[str]:
    if (named := named_date(word)) is not None:
        day, month, year = named
        return [day, _MONTHS[month - 1], year]
    return word.replace("/", "-").replace(".", "-").split(" ")[0].split("T")[0].split("-")


def _with_century(pieces: list[str]) -> list[str]:
    """The parts of a date with four digits of its year: two are of the last hundred years, as a birth in '56 is."""
    *before, last = pieces
    if len(last) != 2 or len(before[0]) == 4:
        return pieces
    year = 2000 + int(last)
    return [*before, str(year if year <= date.today().year else year - 100)]


_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def _unusable(column: pd.Series, name: str, why: str) -> Variable:
    return Variable(name, "unusable", np.where(column.isna(), -1, 0), words=("?",), trouble=why)


def of_codes(name: str, codes: np.ndarray, levels: tuple[str, ...]) -> Variable:
    """A row of codes as a column whose levels stand in order."""
    return Variable(name, "words", codes.astype(np.int64), words=levels, ordered=True)


def numbers_in(texts: tuple[str, ...], decimal: str) -> tuple[np.ndarray, np.ndarray]:
    """Texts as numbers with this decimal mark, one odd text not spoiling the others; and flags of infinite ones."""
    every = _typed(texts, decimal)
    values = np.full(len(texts), np.nan) if every is None else every
    styles = (PLAIN[decimal], GROUPED[decimal], PERCENT[decimal])
    for i, text in enumerate(texts if every is None else ()):
        if any(style.fullmatch(text) for style in styles):
            alone = _typed((text,), decimal)
            values[i] = np.nan if alone is None else alone[0]
    infinite = np.fromiter((INFINITE.fullmatch(text) is not None for text in texts), bool, len(texts))
    return values, infinite | (~np.isfinite(values) & (every is not None))


def _typed(texts: tuple[str, ...], decimal: str) -> np.ndarray | None:
    """Texts as numbers, None where one is none or would lose a leading zero."""
    series = typed(TextColumn(np.arange(len(texts), dtype=np.int32), list(texts)), decimal, (), whole=False).series
    if series.dtype.kind not in "if":
        return None
    values: np.ndarray = series.to_numpy(float, na_value=np.nan)
    return values


class Numbers(NamedTuple):
    """A column of numbers as its distinct values and where each row has which.

    Attributes
    ----------
    values : (d,) distinct numbers, rising, the last one NaN
    places : (n,) unsigned position among them; that of NaN where a row has no number
    """

    values: np.ndarray
    places: np.ndarray

    def rows(self, which: np.ndarray) -> Numbers:
        """The same column with these rows only."""
        return Numbers(self.values, self.places[which])

    @property
    def column(self) -> np.ndarray:
        """(n,) the number of every row, NaN where it has none."""
        return self.values[self.places]


def numbers_of(variable: Variable) -> Numbers:
    """The numbers of a column that has some; dates are days since 1970."""
    known = variable.known_numbers
    kind = np.uint8 if len(known) < 256 else np.uint16 if len(known) < 65536 else np.uint32
    positions = np.where(variable.codes < 0, len(known), variable.codes).astype(kind)
    return Numbers(np.append(known, np.nan), positions)


def digest(numbers: Mapping[str, Numbers]) -> str:
    """Hexadecimal digest of all numbers; empty where there are none."""
    result = hashlib.sha256()
    for name in sorted(numbers):
        for part in (name.encode(), numbers[name].values, numbers[name].places):  # no column of numbers is made for it
            result.update(np.ascontiguousarray(part).data if isinstance(part, np.ndarray) else part)
    return result.hexdigest() if numbers else ""
