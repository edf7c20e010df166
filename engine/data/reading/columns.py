"""Columns of raw texts, stored as codes of their distinct values, what type each turns out to be, and their table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from sys import maxsize
from typing import Any

import numpy as np

from engine.data.reading.headers import clean_names, clean_text, header_problems
from engine.data.reading.numbers import (
    GROUPED,
    INFINITE,
    LEADING_ZERO,
    MISSING_TOKENS,
    PERCENT,
    PLAIN,
    SURE_DECIMAL,
    level_text,
    merge_as_numbers,
    parts_thousands,
    to_float,
    without_flags,
    without_unit,
)
from engine.data.reading.report import Cell, ReadingReport
from engine.data.reading.scales import natural_order, scale_with_none
from engine.errors import DataError, InputError
from engine.lazy import pa, pc, pd
from engine.words import first, short

_THOUSANDS = "thousands separators removed"
LISTED = 20
"""How many cells or lines a report lists."""


@contextmanager
def naming(column: str) -> Iterator[None]:
    """Whatever unforeseen happens to a column becomes a sentence that names it."""
    try:
        yield
    except (DataError, MemoryError):
        raise
    except Exception as error:
        raise InputError(
            f"Column '{short(column, 60)}' holds something that its reader does not know ({type(error).__name__}). "
            "Leave the column out, or save it as plain texts or numbers.",
            column=column,
        ) from error


@dataclass(frozen=True)
class TextColumn:
    """One column as texts: `values[codes[row]]`; every text is trimmed, NFC and occurs once."""

    codes: np.ndarray
    values: list[str]

    @classmethod
    def from_array(cls, array: pa.Array | pa.ChunkedArray) -> TextColumn:
        """From an arrow array of strings (null counts as an empty text)."""
        if isinstance(array, pa.ChunkedArray):
            array = array.unify_dictionaries().combine_chunks() if array.num_chunks else pa.array([], pa.string())
        if not pa.types.is_dictionary(array.type):
            array = array.cast(pa.string()).dictionary_encode()
        values = array.dictionary.cast(pa.string())
        clean = pc.utf8_trim_whitespace(values)
        ascii_only = pc.all(pc.string_is_ascii(clean)).as_py() in (True, None)
        texts = (
            [text or "" for text in clean.to_pylist()]
            if ascii_only
            else [clean_text(t or "") for t in values.to_pylist()]
        )
        codes = pc.fill_null(array.indices.cast(pa.int32()), len(texts)).to_numpy(zero_copy_only=False)
        used = np.bincount(codes, minlength=len(texts) + 1) > 0
        texts = [*texts, ""]
        if used[:-1].all() and not used[-1] and len(set(texts[:-1])) == len(texts) - 1:
            return cls(codes, texts[:-1])
        place: dict[str, int] = {}
        recode = [place.setdefault(text, len(place)) if use else -1 for text, use in zip(texts, used, strict=True)]
        return cls(np.array(recode, np.int32)[codes], list(place))

    def renamed(self, texts: Sequence[str]) -> TextColumn:
        """The column with another text for each distinct one; those that become equal are one."""
        place: dict[str, int] = {}
        recode = np.array([place.setdefault(text, len(place)) for text in texts], np.int32)
        return TextColumn(recode[self.codes], list(place))

    def counts(self) -> np.ndarray:
        """(len(values),) how often each text occurs."""
        return np.bincount(self.codes, minlength=len(self.values))

    def where(self, wanted: np.ndarray, limit: int = LISTED) -> list[tuple[int, str]]:
        """The first cells (row from 0, text) whose text is flagged in `wanted` (one flag a distinct text)."""
        rows = np.flatnonzero(wanted[self.codes])[:limit]
        return [(int(row), self.values[self.codes[row]]) for row in rows]


@dataclass
class ColumnStore:
    """Grows columns of text from rows in pieces; repeated texts are stored once a piece."""

    width: int
    piece: int = 50_000
    _rows: list[Sequence[str]] = field(default_factory=list)
    _parts: list[list[pa.Array]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._parts = [[] for _ in range(self.width)]

    def add(self, row: Sequence[str]) -> None:
        """Append one row of exactly `width` texts."""
        self._rows.append(row)
        if len(self._rows) >= self.piece:
            self._flush()

    def finish(self) -> Iterable[TextColumn]:
        """The columns in order; each is released as soon as the next is asked for."""
        self._flush()
        for position in range(self.width):
            parts, self._parts[position] = self._parts[position], []
            if any(not pa.types.is_dictionary(part.type) for part in parts):
                parts = [part.cast(pa.string()) for part in parts]
            yield TextColumn.from_array(pa.chunked_array(parts) if parts else pa.array([], pa.string()))

    def _flush(self) -> None:
        if not self._rows:
            return
        for parts, texts in zip(self._parts, zip(*self._rows, strict=True), strict=True):
            plain = pa.array(texts, pa.string())
            coded = plain.dictionary_encode()
            parts.append(coded if 2 * len(coded.dictionary) < len(plain) else plain)
        self._rows = []


@dataclass(frozen=True)
class Typed:
    """A column with its type, and what had to be known to give it one; `unit` was taken off each number.

    `series` is Int64, float64, category (texts that repeat) or str; `missing` token -> cells;
    `invalid` and `not_numeric` are (row from 0, text), at most `LISTED`.
    """

    series: pd.Series
    missing: Mapping[str, int]
    invalid: Sequence[tuple[int, str]] = ()
    not_numeric: Sequence[tuple[int, str]] = ()
    n_not_numeric: int = 0
    conversion: str = ""
    note: str = ""
    unit: str = ""


def longest_text(column: pa.Array | pa.ChunkedArray) -> int:
    """The bytes of the longest text of a column of texts, or of codes of texts."""
    coded = pa.types.is_dictionary(column.type)
    chunks = column.chunks if isinstance(column, pa.ChunkedArray) else [column]
    texts = [chunk.dictionary if coded else chunk for chunk in chunks]
    return max((pc.max(pc.binary_length(text)).as_py() or 0 for text in texts), default=0)


def typed(
    column: TextColumn,
    decimal: str = ".",
    tokens: Iterable[str] = MISSING_TOKENS,
    *,
    asked: bool = False,
    whole: bool = True,
) -> Typed:
    """Turn texts into whole numbers, numbers or words; nothing that cannot be undone happens.

    Numbers with leading zeros or too many digits stay words; one cell that is no number keeps the
    column words, and is listed. Where somebody can be `asked`, a frequent "None" among words stays one. Only a `whole`
    column shows whether decimal commas and points stand beside each other.
    """
    absent, missing, note = _absent(column, tokens, asked=asked)
    present = _present(column, absent)
    number = np.fromiter(map(bool, map(PLAIN[decimal].fullmatch, column.values)), bool, len(column.values))
    odd = [column.values[i] for i in np.flatnonzero(~number & ~absent)]
    result = _as_numbers(present, odd, decimal) if present else None
    if result is None and odd and (bare := _bare(present, odd, decimal, whole=whole)):
        texts = dict(zip(present, bare[0], strict=True))
        renamed = column.renamed([texts.get(text, text) for text in column.values])
        again = typed(renamed, decimal, tokens, asked=asked, whole=whole)
        conversion = "; ".join(filter(None, (again.conversion, again.note, bare[1])))
        return replace(again, conversion=conversion, note="", unit=bare[2])
    if result is None:
        rows, total = _offenders(column, number, absent)
        note = note or ("" if odd or not present else _word_note(present))
        return Typed(_words(column, absent), missing, (), rows, total, "", note)
    values, conversion = np.full(len(column.values), np.nan), result[1]
    values[~absent] = result[0] + 0.0  # + 0.0: no negative zero
    infinite = np.isinf(values)
    values[infinite] = np.nan
    known = np.flatnonzero(np.isfinite(values))
    marked = bool(odd or not conversion) and any(decimal in text or "e" in text or "E" in text for text in present)
    if len(known) and not marked and (values[known] == np.floor(values[known])).all():
        exact = np.zeros(len(values), np.int64)
        exact[known] = values[known] if conversion else [int(column.values[i]) for i in known]
        series = pd.Series(pd.arrays.IntegerArray(exact[column.codes], np.isnan(values)[column.codes]))
    else:
        series = pd.Series(values[column.codes])
    return Typed(series, missing, column.where(infinite), conversion=conversion)


def typed_words(column: TextColumn, tokens: Iterable[str] = MISSING_TOKENS) -> Typed:
    """Texts of a file that declares them to be texts: words, even where they look like numbers."""
    absent, missing, note = _absent(column, tokens)
    return Typed(_words(column, absent), missing, note=note)


def _absent(
    column: TextColumn, tokens: Iterable[str], *, asked: bool = False
) -> tuple[np.ndarray, dict[str, int], str]:
    """Which distinct texts count as missing, how many cells each has, and a note on what was spared."""
    tokens = set(tokens) | {""}
    note = ""
    if _NONE & tokens & set(column.values):
        others = [text for text in column.values if text not in tokens]
        if scale_with_none(others):
            note = "'None' is kept as a level, since the other values grade something; it may mean missing"
        elif asked and _is_answer(column, others):
            note = "'None' is kept as a level, since so many cells have it; it may mean missing"
        if note:
            tokens -= _NONE
    absent = np.fromiter(map(tokens.__contains__, column.values), bool, len(column.values))
    counts = column.counts()
    return absent, {column.values[i]: int(counts[i]) for i in np.flatnonzero(absent & (counts > 0))}, note


_NONE = {"None", "none", "NONE"}
_SIGNS = (
    ("\u2212", "-", "true minus signs were read as such"),
    ("'", "", "apostrophes before numbers were taken off"),
)
"""What programs write before a number: a minus where a keyboard has a hyphen; that it is a text, as spreadsheets do."""
_MOST_WORDS, _LEAST_NONE = 30, 0.05
"""Other words that "None" may be an answer beside, and its least share of the cells."""


def _is_answer(column: TextColumn, others: Sequence[str]) -> bool:
    """True where "None" is frequent beside a few words, which none of a program's numbers is."""
    if not 1 <= len(others) <= _MOST_WORDS or any(PLAIN["."].fullmatch(text) for text in others):
        return False
    rows = int(column.counts()[[text in _NONE for text in column.values]].sum())
    return rows >= max(3, _LEAST_NONE * len(column.codes))


def _bare(texts: Sequence[str], odd: Sequence[str], decimal: str, *, whole: bool) -> tuple[list[str], str, str] | None:
    """Texts without what stands beside the numbers in them, that in words, and the unit; None where nothing does."""
    styles = (PLAIN[decimal], GROUPED[decimal], PERCENT[decimal])
    for sign, meant, note in _SIGNS:
        plain = {text: meant + text[1:] for text in odd if text[:1] == sign}
        if plain and all(any(style.fullmatch(text) for style in styles) for text in plain.values()):
            return [plain.get(text, text) for text in texts], note, ""
    other = "." if decimal == "," else ","
    if whole and len(odd) < len(texts) and all(SURE_DECIMAL[other].fullmatch(text) for text in odd):
        told = "decimal commas and points stand beside each other, and both were read as such"
        return [text.replace(other, decimal) if text in set(odd) else text for text in texts], told, ""
    if len(odd) == len(texts):
        bare, unit = without_unit(texts)
        numbers = unit and _as_numbers(bare, [text for text in bare if not PLAIN[decimal].fullmatch(text)], decimal)
        return (bare, f"'{unit}' was taken off each number", unit) if numbers else None
    bare, flagged = without_flags(texts, decimal)
    return (bare, f"marks behind numbers were taken off, such as in '{short(flagged, 30)}'", "") if flagged else None


def _present(column: TextColumn, absent: np.ndarray) -> list[str]:
    return [text for text, is_missing in zip(column.values, absent, strict=True) if not is_missing]


def _as_numbers(texts: list[str], odd: list[str], decimal: str) -> tuple[np.ndarray, str] | None:
    """Values (infinite ones too) and conversion when all texts are numbers of one style, else None.

    `odd` are those that are no plain numbers.
    """
    conversion = ""
    if odd:
        finite = [text for text in odd if not INFINITE.fullmatch(text)]
        if finite and all(PERCENT[decimal].fullmatch(t) for t in texts if not INFINITE.fullmatch(t)):
            conversion = "percent signs removed"
        elif finite and all(GROUPED[decimal].fullmatch(text) for text in finite):
            conversion = _THOUSANDS
        elif finite or len(odd) == len(texts):
            return None
    if any(map(LEADING_ZERO.match, texts)) or any(len(text) > 18 and _too_long(text) for text in texts):
        return None
    if not odd and parts_thousands(texts, decimal):
        return np.array([float(text.replace(decimal, "")) for text in texts]), _THOUSANDS
    if not odd and decimal == ".":
        values = np.array(texts, dtype=object).astype(float)
    else:
        values = np.array([to_float(text, decimal) for text in texts])
    return None if merge_as_numbers(texts, values, decimal) else (values, conversion)


def _too_long(text: str) -> bool:
    """True where a whole number does not fit 64 bits."""
    digits = text.lstrip("+-").lstrip("0")
    return digits.isdigit() and (len(digits) > 19 or int(digits) >= 2**63)  # Python counts no more than 4,300 digits


def _words(column: TextColumn, absent: np.ndarray) -> pd.Series:
    """Categories in natural order where words repeat, plain texts where most differ."""
    present = _present(column, absent)
    if len(present) > max(1_000, len(column.codes) // 2):
        texts = [None if is_missing else text for text, is_missing in zip(column.values, absent, strict=True)]
        return pd.Series(pd.array(texts, "str").take(column.codes))
    ordered = natural_order(present)
    place = {text: code for code, text in enumerate(ordered)}
    recode = np.full(len(column.values), -1, np.int32)
    recode[~absent] = [place[text] for text in present]
    return pd.Series(pd.Categorical.from_codes(recode[column.codes], categories=pd.Index(ordered, dtype="str")))


def _offenders(column: TextColumn, number: np.ndarray, absent: np.ndarray) -> tuple[list[tuple[int, str]], int]:
    """Cells that are no numbers in a column that mostly holds numbers, and how many they are."""
    counts, other = column.counts(), ~number & ~absent
    if not number.any() or counts[number].sum() <= counts[other].sum():
        return [], 0
    return column.where(other), int(counts[other].sum())


def _word_note(texts: Sequence[str]) -> str:
    """Why numbers stay words."""
    if any(map(LEADING_ZERO.match, texts)):
        return "numbers with leading zeros are kept as words, so that no zero is lost"
    if any(len(text) > 18 and _too_long(text) for text in texts):
        return "numbers too large to be exact are kept as words"
    return "they are kept as words, since different ones would be the same number"


_MOST_SPELLED = 1_000
"""Words of a column beyond which they are no levels."""
_BLANKS = re.compile(r"\s+")
_DASHES = re.compile("[\u2010-\u2015\u2212]")


def tidy(word: str) -> str:
    """A word with single blanks and plain dashes."""
    return _DASHES.sub("-", _BLANKS.sub(" ", word))


def spellings(rows: Mapping[str, int]) -> dict[str, str]:
    """Word -> the spelling that takes its place, of those that have another one in the same column.

    The plain one where there is one, else the most frequent.

    Parameters
    ----------
    rows : word -> how many rows have it
    """
    groups: dict[str, list[str]] = {}
    for word in rows:
        groups.setdefault(tidy(word), []).append(word)
    best = {same: max(group, key=lambda word: (word == same, rows[word])) for same, group in groups.items()}
    return {word: best[tidy(word)] for word in rows if best[tidy(word)] != word}


def with_one_spelling(column: Typed) -> Typed:
    """A column of words in which each has one spelling, and a note of those that were another one."""
    series = column.series
    if not isinstance(series.dtype, pd.CategoricalDtype) or not 2 <= len(series.cat.categories) <= _MOST_SPELLED:
        return column
    words = list(series.cat.categories)
    if len(set(map(tidy, words))) == len(words):
        return column
    codes = series.cat.codes.to_numpy()
    counts = np.bincount(codes[codes >= 0], minlength=len(words)).tolist()
    into = spellings(dict(zip(words, counts, strict=True)))
    left = [word for word in words if word not in into]
    place = {word: code for code, word in enumerate(left)}
    recode = np.array([*(place[into.get(word, word)] for word in words), -1])
    series = pd.Series(pd.Categorical.from_codes(recode[codes], categories=pd.Index(left, dtype="str")))
    told = first((f"'{short(old, 30)}' as '{short(new, 30)}'" for old, new in into.items()), most=3)
    note = "; ".join(filter(None, (column.note, f"words that differ only in blanks or dashes are one: {told}")))
    return replace(column, series=series, note=note)


class TableBuilder:
    """Gathers typed columns under names that are clean, and what was met in them, for the table and its report.

    `lines` has the line of each row in the file; left out where that is the row itself.
    """

    def __init__(self, header: Sequence[str], lines: Sequence[int] = range(1, maxsize)) -> None:
        self.names, self.renamed = clean_names(header)
        self.series: dict[str, pd.Series] = {}
        self.problems: list[str] = []
        self.lines = lines
        self._missing: dict[str, dict[str, int]] = {}
        self.conversions: dict[str, str] = {}
        self._units: dict[str, str] = {}
        self._invalid: list[Cell] = []
        self._not_numeric: list[Cell] = []
        self._not_numeric_counts: dict[str, int] = {}

    def add(self, name: str, column: Typed) -> None:
        """Take a column."""
        self.series[name] = column.series
        if column.missing:
            self._missing[name] = dict(column.missing)
        if column.conversion or column.note:
            self.conversions[name] = column.conversion or column.note
        if column.unit:
            self._units[name] = column.unit
        self._invalid += self._cells(name, column.invalid)
        self._not_numeric += self._cells(name, column.not_numeric)
        if column.n_not_numeric:
            self._not_numeric_counts[name] = column.n_not_numeric

    def finish(self, report: ReadingReport, rows: int, more_problems: Iterable[str] = ()) -> pd.DataFrame:
        """The table, with a report of what was met in it."""
        return replace(
            report,
            rows=rows,
            columns=len(self.names),
            renamed=tuple(self.renamed),
            problems=(*report.problems, *self.problems, *header_problems(self.names), *more_problems),
            missing_tokens=self._missing,
            conversions=self.conversions,
            units=self._units,
            invalid=tuple(self._invalid),
            not_numeric=tuple(self._not_numeric),
            not_numeric_counts=self._not_numeric_counts,
        ).attach(pd.DataFrame(self.series, copy=False))

    def _cells(self, name: str, cells: Iterable[tuple[int, str]]) -> Iterator[Cell]:
        return (Cell(name, row + 1, self.lines[row], text[:100]) for row, text in cells)


def text_of(value: Any) -> str:
    """A spreadsheet cell as the text a user sees in it; missing is an empty text."""
    if value is None:
        return ""
    if isinstance(value, float):
        return "" if value != value else level_text(value) if np.isfinite(value) else str(value)
    return str(value)
