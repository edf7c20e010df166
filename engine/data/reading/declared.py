"""Columns from files that declare their types (Parquet, SPSS, Stata): cleaned, but never retyped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.data.reading.columns import MISSING_TOKENS, TextColumn, naming, typed_words
from engine.data.reading.headers import clean_text
from engine.data.reading.numbers import level_text
from engine.data.reading.report import Cell, ReadingReport
from engine.data.reading.text_tables import Choices
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_LISTED = 20


@dataclass
class DeclaredColumns:
    """Gathers columns and what was met in them; `finish` writes it into the report."""

    choices: Choices
    series: dict[str, pd.Series] = field(default_factory=dict)
    missing: dict[str, dict[str, int]] = field(default_factory=dict)
    invalid: list[Cell] = field(default_factory=list)
    conversions: dict[str, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    labelled: dict[str, tuple[tuple[str, str], ...]] = field(default_factory=dict)

    def add_arrow(self, name: str, column: pa.ChunkedArray, declared: pa.DataType | None = None) -> None:
        """A column of an arrow table that is not nested; `declared` is its type in the file."""
        import pyarrow as pa

        with naming(name):
            try:
                self._add_arrow(name, column, declared)
            except (pa.ArrowException, ValueError, OverflowError) as error:
                if isinstance(error, DataError | MemoryError):
                    raise
                raise DataError(
                    f"Column '{name[:60]}' holds values that its type ({str(column.type)[:40]}) cannot have, as in a "
                    "damaged file. Save the file again, leave the column out, or save it as plain texts or numbers.",
                    column=name,
                ) from error

    def _add_arrow(self, name: str, column: pa.ChunkedArray, declared: pa.DataType | None) -> None:
        import pandas as pd
        import pyarrow as pa

        kind = column.type
        if declared is not None and pa.types.is_string(declared):
            self.add_texts(name, column)
        elif pa.types.is_dictionary(kind):
            self._add_dictionary(name, column)
        elif pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
            self.add_texts(name, column.cast(pa.string()))
        elif pa.types.is_boolean(kind):
            self.series[name] = column.to_pandas().astype("boolean")
        elif pa.types.is_integer(kind):
            self._add_integers(name, column)
        elif pa.types.is_floating(kind) or pa.types.is_decimal(kind):
            if pa.types.is_decimal(kind):
                self.conversions[name] = f"exact decimals ({kind}) are read as numbers"
            self.add_numbers(name, column.cast(pa.float64()).to_numpy())
        elif pa.types.is_date(kind) or pa.types.is_timestamp(kind):
            self._add_moments(name, column)
        elif _is_of_pandas(kind):
            self._add_of_pandas(name, column)
        elif pa.types.is_null(kind):
            self.series[name] = pd.Series(np.full(len(column), np.nan))
        else:
            self.add_texts(name, pa.chunked_array([pa.array(map(_text, column.to_pylist()), pa.string())]))

    def add_texts(self, name: str, column: pa.ChunkedArray) -> None:
        """A column of texts: trimmed, NFC, missing tokens taken out, never made numbers."""
        tokens = MISSING_TOKENS if self.choices.missing is None else self.choices.missing
        result = typed_words(TextColumn.from_array(column), tokens)
        self.series[name] = result.series
        if result.missing:
            self.missing[name] = dict(result.missing)
        if result.note:
            self.conversions[name] = result.note

    def add_numbers(self, name: str, values: np.ndarray) -> None:
        """A column of floating numbers; whole ones become Int64, infinite ones missing."""
        import pandas as pd

        values = np.asarray(values, float) + 0.0  # + 0.0: no negative zero, and an array of our own
        infinite = np.isinf(values)
        if infinite.any():
            rows = np.flatnonzero(infinite)[:_LISTED]
            self.invalid += [Cell(name, int(row) + 1, int(row) + 1, str(values[row])) for row in rows]
            values[infinite] = np.nan
        if _all_whole(values):
            absent = np.isnan(values)
            values[absent] = 0
            self.series[name] = pd.Series(pd.arrays.IntegerArray(values.astype(np.int64), absent), copy=False)
        else:
            self.series[name] = pd.Series(values, copy=False)

    def add_labelled(self, name: str, values: np.ndarray, labels: Mapping[Any, str], *, ordered: bool) -> bool:
        """Codes with value labels as categories in the order of the codes, when every code has a label."""
        import pandas as pd

        codes, distinct = pd.factorize(values, sort=True)
        known = {_plain(code): clean_text(str(label)) for code, label in labels.items()}
        names = [known.get(_plain(code), "") for code in distinct]
        if not names or not all(names):
            bare = sum(not label for label in names)
            self.conversions[name] = f"value labels not applied, since {bare} of {len(names)} values have none"
            return False
        unique = [
            label if names.count(label) == 1 else f"{label} ({_plain(code)})"
            for label, code in zip(names, distinct, strict=True)
        ]
        categories = pd.Index(unique, dtype="str")
        self.series[name] = pd.Series(pd.Categorical.from_codes(codes, categories=categories, ordered=ordered))
        self.conversions[name] = "value labels applied"
        applied = {_plain(code): label for code, label in zip(distinct, unique, strict=True)}
        self.labelled[name] = tuple((code, applied.get(code, known[code])) for code in sorted(known, key=_place))
        return True

    def finish(self, report: ReadingReport) -> ReadingReport:
        """The report with what was met."""
        return replace(
            report,
            missing_tokens=self.missing,
            invalid=tuple(self.invalid),
            conversions={**report.conversions, **self.conversions},
            problems=(*report.problems, *self.problems),
            labelled=self.labelled,
        )

    def _add_integers(self, name: str, column: pa.ChunkedArray) -> None:
        import pandas as pd
        import pyarrow as pa
        import pyarrow.compute as pc

        if pa.types.is_uint64(column.type):
            largest = pc.max(column).as_py()
            if largest is not None and largest >= 2**63:
                self.conversions[name] = "numbers too large to be exact are kept as words"
                self.add_texts(name, column.cast(pa.string()))
                return
        kind = column.type if pa.types.is_signed_integer(column.type) else pa.int64()
        values, absent, start = np.empty(len(column), kind.to_pandas_dtype()), np.empty(len(column), bool), 0
        for chunk in column.cast(kind).chunks:  # each straight to its place: one copy
            rows = slice(start, start := start + len(chunk))
            values[rows], absent[rows] = chunk.fill_null(0), chunk.is_null()
        self.series[name] = pd.Series(pd.arrays.IntegerArray(values, absent), copy=False)

    def _add_moments(self, name: str, column: pa.ChunkedArray) -> None:
        """Dates and times in microseconds; those that are too far away for it are missing."""
        import pyarrow as pa
        import pyarrow.compute as pc

        kind = column.type
        moments = column.cast(pa.timestamp("us", getattr(kind, "tz", None)), safe=False)
        if pa.types.is_date(kind) or kind.unit in ("s", "ms"):
            # what does not fit has wrapped around, and is another moment on its way back
            inexact = pc.not_equal(moments.cast(kind, safe=False), column).fill_null(False)
            if pc.any(inexact).as_py():
                rows, values = np.flatnonzero(inexact.to_numpy())[:_LISTED], column.to_numpy()
                self.invalid += [Cell(name, int(row) + 1, int(row) + 1, str(values[row])) for row in rows]
                moments = pc.if_else(inexact, pa.scalar(None, moments.type), moments)
        self.series[name] = moments.to_pandas()

    def _add_of_pandas(self, name: str, column: pa.ChunkedArray) -> None:
        """Periods as the day they begin, intervals as texts."""
        import pandas as pd
        import pyarrow as pa

        series = column.to_pandas()
        if isinstance(series.dtype, pd.PeriodDtype):
            self._add_moments(name, pa.chunked_array([pa.array(series.dt.to_timestamp(), from_pandas=True)]))
            self.conversions[name] = "periods are read as the day they begin"
        else:
            texts = [
                None if is_missing else str(value) for value, is_missing in zip(series, series.isna(), strict=True)
            ]
            self.add_texts(name, pa.chunked_array([pa.array(texts, pa.string())]))

    def _add_dictionary(self, name: str, column: pa.ChunkedArray) -> None:
        import pandas as pd
        import pyarrow as pa

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
            self.problems.append(f"Column '{name[:60]}' declares no order of its levels; choose it if they have one.")


def _plain(code: Any) -> str:
    return level_text(float(code)) if isinstance(code, int | float | np.number) else str(code)


def _is_of_pandas(kind: pa.DataType) -> bool:
    """Whether arrow holds the codes of a type that only pandas can read."""
    return getattr(kind, "extension_name", "") in ("pandas.period", "pandas.interval")


def _with_texts(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """A dictionary whose values arrow cannot cast or compare (views, intervals), with them as plain texts."""
    import pyarrow as pa

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
    """Whether there are numbers and all are whole and exact; most columns of others show it in their first piece."""
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


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
