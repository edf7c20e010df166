"""Files that declare the types of their columns (Parquet, Feather), and tables in memory: cleaned, never retyped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine.data.reading.columns import (
    LISTED,
    MISSING_TOKENS,
    TableBuilder,
    TextColumn,
    Typed,
    longest_text,
    naming,
    typed_words,
)
from engine.data.reading.filetype import KINDS
from engine.data.reading.headers import clean_text
from engine.data.reading.limits import LONGEST_CELL, Choices, Limits, Progress, silent
from engine.data.reading.numbers import level_text
from engine.data.reading.report import ReadingReport
from engine.errors import DataError, InputError
from engine.lazy import pa, pc, pd, pq
from engine.words import count, short

_FEW_BARE = 10
"""Different values without a label up to which the others are names; with more of them it is a measurement."""
_ANSWERS = frozenset((77, 88, 96, 97, 98, 99, *range(995, 1000), 777, 888, *range(9995, 10000), 7777, 8888, 99999))
"""Labelled values that are no measurements even among these."""


def read_parquet(
    data: bytes, choices: Choices, limits: Limits, report: ReadingReport, progress: Progress
) -> pd.DataFrame:
    """A Parquet file: its declared types are kept; nested columns are left out and named."""
    try:
        file = pq.ParquetFile(pa.BufferReader(data))
        schema, rows = file.schema_arrow, file.metadata.num_rows
        fields, report = _checked(schema, rows, limits, report)
        # texts are read as codes of their distinct values: a long text in every row costs nothing
        texts = [schema.field(i).name for i in fields if pa.types.is_string(schema.field(i).type)]
        file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts)
        return _declared_frame(schema, fields, _columns_at(file, schema, fields), report, choices, progress)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise _refusal(error, "Parquet") from None


def read_feather(
    data: bytes, choices: Choices, limits: Limits, report: ReadingReport, progress: Progress
) -> pd.DataFrame:
    """A Feather file (arrow's own format), as a Parquet file is read."""
    try:
        file = pa.ipc.open_file(pa.py_buffer(data))
        rows = sum(file.get_batch(i).num_rows for i in range(file.num_record_batches))
        fields, report = _checked(file.schema, rows, limits, report)
        table = file.read_all()
        table.validate(full=True)
        return _declared_frame(file.schema, fields, map(table.column, fields), report, choices, progress)
    except (pa.ArrowException, OSError, ValueError, OverflowError) as error:
        raise _refusal(error, "Feather") from None


def table_in_memory(source: Any, name: str, choices: Choices, limits: Limits) -> pd.DataFrame:
    """The same cleaning as for a file that declares its types; nothing of it is foreign, so it is done here."""
    try:
        table = _from_pandas(source) if isinstance(source, pd.DataFrame) else pa.table(source)
    except (pa.ArrowException, TypeError, ValueError):
        raise InputError(
            f"This {type(source).__name__} is no table of named columns. Give a pandas, arrow or polars table."
        ) from None
    fields, report = _checked(table.schema, table.num_rows, limits, ReadingReport(name, "table"))
    return _declared_frame(table.schema, fields, map(table.column, fields), report, choices, silent)


def _from_pandas(frame: pd.DataFrame) -> pa.Table:
    """Column by column, since a column of mixed objects is one of texts, and two columns may have one name."""
    arrays = []
    for position in range(frame.shape[1]):
        column = frame.iloc[:, position]
        try:
            arrays.append(pa.array(column, from_pandas=True))
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            arrays.append(texts_of(column))
    return pa.table(arrays, names=[str(name) for name in frame.columns])


def texts_of(values: pd.Series) -> pa.Array:
    """Values of pandas as texts, null where one is missing."""
    return pa.array(list(map(str, values)), pa.string(), mask=values.isna().to_numpy())


def _checked(schema: pa.Schema, rows: int, limits: Limits, report: ReadingReport) -> tuple[list[int], ReadingReport]:
    """Positions of the columns that can be read, and a report of the others; what is too large is refused unread."""
    limits.check_shape(rows, len(schema.names))
    usable, left_out = [], {}
    for position, field in enumerate(schema):
        value = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        if pa.types.is_nested(value):
            left_out[field.name] = "its cells hold lists or structures; give one plain value a cell"
        elif pa.types.is_binary(value) or pa.types.is_fixed_size_binary(value) or pa.types.is_large_binary(value):
            left_out[field.name] = "its cells hold bytes, not text or numbers"
        else:
            usable.append(position)
    format_name = KINDS.get(report.format, "table")
    if not usable or not rows:
        why = "only nested columns; give them as plain columns" if left_out else "no rows; choose another one"
        raise InputError(f"The {format_name} has {why}.")
    limits.check_memory(format_name, rows * sum(_width(schema.field(i).type) for i in usable))
    return usable, replace(report, left_out=left_out)


def _width(kind: pa.DataType) -> int:
    """Bytes of one cell in the table that is made of it (texts that repeat are codes)."""
    if pa.types.is_boolean(kind):
        return 2
    if pa.types.is_integer(kind):
        return 9
    return 8 if pa.types.is_floating(kind) or pa.types.is_temporal(kind) or pa.types.is_decimal(kind) else 4


def _columns_at(file: pq.ParquetFile, schema: pa.Schema, fields: Sequence[int]) -> Iterator[pa.ChunkedArray]:
    """Columns by position, so that two of the same name cannot be mixed up; no column is nested."""
    if len(set(schema.names)) == len(schema.names):
        return (file.read(columns=[schema.names[i]], use_threads=False).column(0) for i in fields)
    return map(file.read(use_threads=False).column, fields)


def _declared_frame(
    schema: pa.Schema,
    fields: Sequence[int],
    columns: Iterable[pa.ChunkedArray],
    report: ReadingReport,
    choices: Choices,
    progress: Progress,
) -> pd.DataFrame:
    builder, rows = DeclaredColumns([schema.field(i).name for i in fields], choices), 0
    for number, (name, position, column) in enumerate(zip(builder.names, fields, columns, strict=True)):
        progress(number / len(fields))
        builder.add_arrow(name, column, schema.field(position).type)
        rows = len(column)
    return builder.finish(report, rows)


def _refusal(error: Exception, kind: str) -> Exception:
    if isinstance(error, DataError | MemoryError):
        return error
    words = "is encrypted. Save it without encryption" if "ncrypt" in str(error) else "is damaged. Save it again"
    return InputError(f"The {kind} file {words}, or save the table as CSV.")


class DeclaredColumns(TableBuilder):
    """Gathers columns of declared types."""

    def __init__(self, header: Sequence[str], choices: Choices) -> None:
        super().__init__(header)
        self.tokens = MISSING_TOKENS if choices.missing is None else choices.missing
        self.labelled: dict[str, tuple[tuple[str, str], ...]] = {}

    def add_arrow(self, name: str, column: pa.ChunkedArray, declared: pa.DataType | None = None) -> None:
        """A column of an arrow table that is not nested; `declared` is its type in the file."""
        with naming(name):
            try:
                self._add_arrow(name, column, declared)
            except (pa.ArrowException, ValueError, OverflowError) as error:
                if isinstance(error, DataError | MemoryError):
                    raise
                raise InputError(
                    f"Column '{short(name, 60)}' holds values that its type ({short(str(column.type), 40)}) cannot "
                    f"have, as in a "
                    "damaged file. Save the file again, leave the column out, or save it as plain texts or numbers.",
                    column=name,
                ) from error

    def _add_arrow(self, name: str, column: pa.ChunkedArray, declared: pa.DataType | None) -> None:
        kind = column.type
        if declared is not None and pa.types.is_string(declared):
            self.add_texts(name, column)
        elif pa.types.is_dictionary(kind):
            self._add_dictionary(name, column)
        elif pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
            self.add_texts(name, column.cast(pa.string()))
        elif pa.types.is_boolean(kind):
            self.add(name, Typed(column.to_pandas().astype("boolean"), {}))
        elif pa.types.is_integer(kind):
            self._add_integers(name, column)
        elif pa.types.is_floating(kind) or pa.types.is_decimal(kind):
            numbers = column.cast(pa.float64())
            if pa.types.is_decimal(kind):
                if len(numbers.unique()) < len(column.unique()):
                    self._add_as_words(name, column)
                    return
                self.conversions[name] = f"exact decimals ({kind}) are read as numbers"
            self.add_numbers(name, numbers.to_numpy())
        elif pa.types.is_date(kind) or pa.types.is_timestamp(kind):
            self._add_moments(name, column)
        elif _is_of_pandas(kind):
            self._add_of_pandas(name, column)
        elif pa.types.is_null(kind):
            self.add(name, Typed(pd.Series(np.full(len(column), np.nan)), {}))
        else:
            texts = [None if value is None else str(value) for value in column.to_pylist()]
            self.add_texts(name, pa.array(texts, pa.string()))

    def add_texts(self, name: str, column: pa.Array | pa.ChunkedArray) -> None:
        """A column of texts: trimmed, NFC, missing tokens taken out, never made numbers."""
        if longest_text(column) > LONGEST_CELL:
            raise InputError(
                f"Column '{short(name, 60)}' has a cell of more than {LONGEST_CELL:,} characters, which is no value "
                "of a table. Leave the column out, or shorten the cell.",
                column=name,
            )
        self.add(name, typed_words(TextColumn.from_array(column), self.tokens))

    def add_numbers(self, name: str, values: np.ndarray) -> None:
        """A column of floating numbers; whole ones become Int64, infinite ones missing."""
        values = np.asarray(values, float) + 0.0  # + 0.0: no negative zero, and an array of our own
        infinite = np.isinf(values)
        invalid = _cells_at(infinite, values)
        values[infinite] = np.nan
        array: Any = values
        if _all_whole(values):
            absent = np.isnan(values)
            values[absent] = 0
            array = pd.arrays.IntegerArray(values.astype(np.int64), absent)
        self.add(name, Typed(pd.Series(array, copy=False), {}, invalid))

    def add_declared_missing(self, name: str, cells: Mapping[str, int]) -> None:
        """Say that these values of a column, with how many cells each has, are missing since the file declares so."""
        empty = self._missing.get(name, {}).get("", 0) - sum(cells.values())  # such a text was read as an empty one
        self._missing[name] = {**self._missing.get(name, {}), **cells, "": empty}
        if empty <= 0:
            del self._missing[name][""]
        listed = ", ".join(f"{short(value, 40)} in {count(n, 'row')}" for value, n in list(cells.items())[:LISTED])
        self.conversions[name] = "; ".join(
            filter(None, (self.conversions.get(name), f"missing, as the file declares: {listed}"))
        )

    def add_labelled(self, name: str, values: np.ndarray, labels: Mapping[Any, str], *, ordered: bool) -> bool:
        """Codes with value labels as categories in the order of the codes; a code that has none is its own label.

        Where most values are measurements, labels that stand beside them become words among these, which is asked, and
        the others are dropped; False where nothing but numbers is left.
        """
        if values.dtype == object:  # an empty text is no code
            values = np.array([None if isinstance(v, str) and not v.strip() else v for v in values], object)
        codes, distinct = pd.factorize(values, sort=True)
        known = {_plain(code): clean_text(str(label)) for code, label in labels.items()}
        names = [known.get(_plain(code), "") for code in distinct]
        if not any(names):
            return False
        bare = np.array([float(code) for code, label in zip(distinct, names, strict=True) if not _named(code, label)])
        if len(bare) > max(_FEW_BARE, len(names) - len(bare)) or (bare != np.floor(bare)).any():
            return self._add_beside(name, codes, distinct, names, bare)
        unique = [
            _plain(code)
            if not label
            else label
            if names.count(label) == 1 and label not in (_plain(other) for other in bare)
            else f"{label} ({_plain(code)})"
            for label, code in zip(names, distinct, strict=True)
        ]
        ordered |= _anchored(distinct, names)
        categories = pd.Index(unique, dtype="str")
        series = pd.Series(pd.Categorical.from_codes(codes, categories=categories, ordered=ordered))
        note = f"; {', '.join(map(_plain, bare))} {'has' if len(bare) == 1 else 'have'} none" if len(bare) else ""
        self.add(name, Typed(series, {}, note=f"value labels applied{note}"))
        applied = {**known, **{_plain(code): label for code, label in zip(distinct, unique, strict=True)}}
        self.labelled[name] = tuple((code, applied[code]) for code in sorted(applied, key=_place))
        return True

    def _add_beside(
        self, name: str, codes: np.ndarray, distinct: np.ndarray, names: Sequence[str], bare: np.ndarray
    ) -> bool:
        """Measurements, with the labels of values that lie apart from them as words; False where none does."""
        apart = {code: label for code, label in zip(distinct, names, strict=True) if label and _apart(code, bare)}
        dropped = [
            f"{_plain(code)} ('{short(label, 30)}')"
            for code, label in zip(distinct, names, strict=True)
            if label and code not in apart
        ]
        if dropped:
            shown = ", ".join(dropped[:LISTED])
            self.conversions[name] = f"value labels of numbers among the measurements were not applied: {shown}"
        if not apart:
            return False
        texts = pa.array([apart.get(code) or _plain(code) for code in distinct], pa.large_string())
        column = pa.DictionaryArray.from_arrays(pa.array(codes.astype(np.int32), mask=codes < 0), texts)
        note = self.conversions.get(name, "")
        self.add_texts(name, column)
        self.labelled[name] = tuple((_plain(code), label) for code, label in apart.items())
        listed = ", ".join(f"{_plain(code)} is '{short(label, 30)}'" for code, label in list(apart.items())[:LISTED])
        self.conversions[name] = "; ".join(filter(None, (f"value labels beside the measurements: {listed}", note)))
        return True

    def _add_integers(self, name: str, column: pa.ChunkedArray) -> None:
        if column.type.bit_width == 64:
            ends = pc.min_max(column).as_py().values()
            largest = max((abs(end) for end in ends if end is not None), default=0)
            if largest >= 2**63 or (
                largest > 2**53 and len(column.cast(pa.float64(), safe=False).unique()) < len(column.unique())
            ):
                self._add_as_words(name, column)
                return
        kind = column.type if pa.types.is_signed_integer(column.type) else pa.int64()
        values, absent, start = np.empty(len(column), kind.to_pandas_dtype()), np.empty(len(column), bool), 0
        for chunk in column.cast(kind).chunks:  # each straight to its place: one copy
            rows = slice(start, start := start + len(chunk))
            values[rows], absent[rows] = chunk.fill_null(0), chunk.is_null()
        self.add(name, Typed(pd.Series(pd.arrays.IntegerArray(values, absent), copy=False), {}))

    def _add_as_words(self, name: str, column: pa.ChunkedArray) -> None:
        """Numbers of which different ones would become the same."""
        texts = [
            None if value is None else f"{value:d}" if isinstance(value, int) else f"{value:f}"
            for value in column.to_pylist()
        ]
        self.add_texts(name, pa.array(texts, pa.string()))
        self.conversions[name] = "numbers too large or too long to be exact are kept as words"

    def _add_moments(self, name: str, column: pa.ChunkedArray) -> None:
        """Dates and times in microseconds; those that are too far away for it are missing."""
        kind, invalid = column.type, list[tuple[int, str]]()
        moments = column.cast(pa.timestamp("us", getattr(kind, "tz", None)), safe=False)
        if pa.types.is_date(kind) or kind.unit in ("s", "ms"):
            # what does not fit has wrapped around, and is another moment on its way back
            inexact = pc.not_equal(moments.cast(kind, safe=False), column).fill_null(False)
            if pc.any(inexact).as_py():
                invalid = _cells_at(inexact.to_numpy(), column.to_numpy())
                moments = pc.if_else(inexact, pa.scalar(None, moments.type), moments)
        self.add(name, Typed(moments.to_pandas(), {}, invalid))

    def _add_of_pandas(self, name: str, column: pa.ChunkedArray) -> None:
        """Periods as the day they begin, intervals as texts."""
        series = column.to_pandas()
        if isinstance(series.dtype, pd.PeriodDtype):
            self._add_moments(name, pa.chunked_array([pa.array(series.dt.to_timestamp(), from_pandas=True)]))
            self.conversions[name] = "periods are read as the day they begin"
        else:
            self.add_texts(name, texts_of(series))

    def _add_dictionary(self, name: str, column: pa.ChunkedArray) -> None:
        value = column.type.value_type
        if pa.types.is_string_view(value) or _is_of_pandas(value):
            column = _with_texts(column)
            value = column.type.value_type
        if not pa.types.is_string(value) and not pa.types.is_large_string(value):
            self.add_arrow(name, column.cast(value))
            return
        ordered = column.type.ordered
        first = column.unify_dictionaries()
        order = [clean_text(str(v)) for v in (first.chunk(0).dictionary.to_pylist() if first.num_chunks else [])]
        self.add_texts(name, column)
        series = self.series[name]
        if ordered and isinstance(series.dtype, pd.CategoricalDtype):
            present = [level for level in dict.fromkeys(order) if level in set(series.cat.categories)]
            self.series[name] = series.cat.set_categories(present, ordered=True)
        elif order:
            self.problems.append(
                f"Column '{short(name, 60)}' declares no order of its levels; choose it if they have one."
            )


def _cells_at(flags: np.ndarray, values: np.ndarray) -> list[tuple[int, str]]:
    """(row from 0, text) of the first values that are flagged."""
    return [(int(row), str(values[row])) for row in np.flatnonzero(flags)[:LISTED]]


def _named(code: Any, label: str) -> bool:
    """True where a value has a label, or is no number that could be a measurement."""
    return bool(label) or not isinstance(code, int | float | np.number)


def _apart(code: float, bare: np.ndarray) -> bool:
    """True where a labelled value is no measurement: it is usual for no answer, or far from those without a label."""
    low, high = float(bare.min()), float(bare.max())
    return code in _ANSWERS or code < 0 <= low or not low - (high - low) / 2 <= code <= high + (high - low) / 2


def _anchored(distinct: np.ndarray, names: Sequence[str]) -> bool:
    """True where the codes are a scale with labelled ends: all bare ones follow each other between labelled ones."""
    try:
        steps = np.diff(np.asarray(distinct, float))
    except ValueError:
        return False
    run = int(np.argmin(steps == 1)) + 1 if (steps != 1).any() else len(names)
    bare = sum(not label for label in names[:run])
    return bool(
        bare > 1 and 2 * bare >= run - 1 and (names[0] or names[run - 1]) and all(names[run:]) and len(names) > 2
    )


def _plain(code: Any) -> str:
    return level_text(float(code)) if isinstance(code, int | float | np.number) else str(code)


def _is_of_pandas(kind: pa.DataType) -> bool:
    """True where arrow holds the codes of a type that only pandas can read."""
    return getattr(kind, "extension_name", "") in ("pandas.period", "pandas.interval")


def _with_texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A dictionary whose values arrow cannot cast or compare (views, intervals), with them as plain texts."""
    kind = pa.dictionary(column.type.index_type, pa.large_string(), column.type.ordered)
    chunks = []
    for chunk in column.chunks:
        words = chunk.dictionary
        if pa.types.is_string_view(words.type):
            words = words.cast(pa.large_string())
        else:  # as pandas writes them: (18, 40]
            words = pa.array(map(str, words.to_pandas()), pa.large_string())
        chunks.append(pa.DictionaryArray.from_arrays(chunk.indices, words, ordered=column.type.ordered))
    return pa.chunked_array(chunks, kind)


def _all_whole(values: np.ndarray, piece: int = 1 << 16) -> bool:
    """True where there are numbers and all are whole and exact; most columns of others show it in their first piece."""
    some = False
    for start in range(0, len(values), piece):
        part = values[start : start + piece]
        part = part[~np.isnan(part)]
        if not ((np.abs(part) < 2**53) & (part == np.floor(part))).all():
            return False
        some |= len(part) > 0
    return some


def _place(code: str) -> tuple[bool, float, str]:
    """Codes that are numbers by size, before those that are not."""
    try:
        return False, float(code), code
    except ValueError:
        return True, 0.0, code
