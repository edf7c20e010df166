"""Where rows come from that memory need not hold: small tables, one after the other, as often as they are asked for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from engine.data.preparing.column_coding import FixedColumn
from engine.data.reading.formats.declared import table_in_memory
from engine.data.reading.limits import Choices, Limits
from engine.data.reading.report import ReadingReport
from engine.errors import InputError
from engine.lazy import pa, pd
from engine.words import short

AT_ONCE = 48 << 20
"""Bytes that the codes of some rows may take while they are worked on, eight a cell."""
MOST_ROWS = 1 << 17
NO_LIMITS = Limits(rows=1 << 40, cells=1 << 60, memory_bytes=1 << 50)
"""Rows may be as many as there are; columns not more than in memory."""


def rows_at_once(columns: int) -> int:
    """Number of rows of so many columns that make one table."""
    return max(1024, min(MOST_ROWS, AT_ONCE // (8 * max(columns, 1))))


class RowSource(ABC):
    """Rows of a table, some at a time.

    Attributes
    ----------
    name : for sentences
    noun : what it is, for sentences: "table", "collection"
    types : column -> its arrow type, in the order of the columns; those that can be no variables are not among them
    rows : how many there are, where that is known before they are read
    share : how much of the rows was read, from 0 to 1
    tokens : texts that count as missing, None for the usual ones
    """

    noun: ClassVar[str] = "table"
    format: ClassVar[str] = "table"
    numbers_as_texts: ClassVar[bool] = False
    """True where numbers stand as texts, so that only the texts say whether a column has numbers."""

    def __init__(
        self, name: str, types: dict[str, pa.DataType], rows: int | None, tokens: Iterable[str] | None
    ) -> None:
        NO_LIMITS.check_shape(0, len(types))
        self.name, self.types, self.rows = name, types, rows
        self.share = 0.0
        self.choices = Choices(missing=None if tokens is None else tuple(tokens))

    @abstractmethod
    def tables(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        """Small tables of these columns, from the first row on; `DataError` where the rows are not those of before."""

    def series(self, cells: pa.Array | pa.ChunkedArray, column: FixedColumn | None = None) -> pd.Series:
        """Cells as `engine.read_table` would give them; of a column that is fixed, as that was."""
        return table_in_memory(pa.table([cells], names=["x"]), "table", self.choices, NO_LIMITS).iloc[:, 0]

    def numbers(self, values: pa.Array) -> np.ndarray | None:
        """Different cells as numbers, NaN where one counts as missing; None where one is no number."""
        if pa.types.is_integer(values.type) or pa.types.is_floating(values.type):
            return floats(values)
        if not self.numbers_as_texts:
            return None
        series = self.series(values)
        return series.to_numpy(float, na_value=np.nan) if series.dtype.kind in "if" else None

    def frame(self, table: pa.Table) -> pd.DataFrame:
        """A small table as `engine.read_table` would give it."""
        return table_in_memory(table, "table", self.choices, NO_LIMITS)

    def report(self, rows: int) -> ReadingReport:
        """Sentences on the reading."""
        return ReadingReport(self.name, self.format, rows=rows, columns=len(self.types))


def floats(values: pa.Array | pa.ChunkedArray) -> np.ndarray:
    """Numbers as floating ones, NaN where there is none."""
    numbers = values.cast(pa.float64(), safe=False)
    result: np.ndarray = numbers.to_numpy() if isinstance(numbers, pa.ChunkedArray) else numbers.to_numpy(False)
    return result


def variable_types(schema: Iterable[pa.Field]) -> dict[str, pa.DataType]:
    """Columns of plain values -> type; lists, structures and bytes are left out, as in a table that is read."""
    result = {}
    for field in schema:
        value = field.type.value_type if pa.types.is_dictionary(field.type) else field.type
        binary = pa.types.is_binary(value) or pa.types.is_fixed_size_binary(value) or pa.types.is_large_binary(value)
        if not pa.types.is_nested(value) and not binary:
            result[field.name] = field.type
    return result


class UnchangedFiles:
    """Size and time of files when they were first looked at, so that a change is noticed when they are read again."""

    def __init__(self, files: Iterable[Path]) -> None:
        self._seen = {file: _stamp(file) for file in files}

    def check(self, file: Path) -> None:
        """`DataError` where a file is not what it was."""
        if _stamp(file) != self._seen[file]:
            raise InputError(
                f"'{short(file.name, 60)}' was changed while it was read; wait until nobody writes to it, and read "
                f"it again."
            )


def _stamp(file: Path) -> tuple[int, int]:
    try:
        about = file.stat()
    except OSError as error:
        raise InputError(
            f"The file '{short(file.name, 60)}' cannot be opened ({error.strerror}). Check its name."
        ) from None
    return about.st_size, about.st_mtime_ns
