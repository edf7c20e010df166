"""A text table of any size as rows that come some at a time: regular lines, as most programs write them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, ClassVar

import numpy as np

from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.column_coding import FixedColumn
from engine.data.reading.columns import MISSING_TOKENS, TextColumn, longest_text, typed, typed_words
from engine.data.reading.filetype import KINDS, file_type, is_plain_file, short_name
from engine.data.reading.headers import clean_names
from engine.data.reading.limits import LONGEST_CELL, Choices
from engine.data.reading.report import ReadingReport
from engine.data.reading.text_tables import table_start, text_rows
from engine.data.stored.folder import path_of
from engine.data.stored.sources import NO_LIMITS, RowSource, UnchangedFiles
from engine.errors import DataError, InputError
from engine.lazy import pa, pc, pd
from engine.words import short

_SAMPLE, _BLOCK = 4 << 20, 4 << 20
_SEPARATORS = (",", ";", "\t", "|", None)
_NO_SEPARATOR = "\x1f"
_LINE_END = re.compile(rb"\r\n|\r|\n")
_ODD_NUMBER = r"^\s*[+-]?0\d|\d{19}"
"""A leading zero, or so many digits that they may not fit: looked at one by one."""


class CsvFile(RowSource):
    """The rows of a text table (CSV and its kin, also .gz), which is read as `engine.read_table` reads it.

    Parameters
    ----------
    path : of the file
    choices : whose `reading` may say how it is written
    """

    format: ClassVar[str] = "text"
    numbers_as_texts: ClassVar[bool] = True

    def __init__(self, path: Any, choices: FrameChoices) -> None:
        self._file = path_of(path, "path is that of a text table, such as a CSV file.")
        if not is_plain_file(self._file):
            raise InputError(
                f"There is no file '{short(self._file.name, 60)}' at the path given. Check its name and folder."
            )
        self._unchanged = UnchangedFiles([self._file])
        self._size = max(self._file.stat().st_size, 1)
        self._packed = self._file.suffix.lower() == ".gz"
        sample = self._first_lines()
        given = choices.reading
        reading = Choices(**{name: given[name] for name in given if name not in ("sheet", "missing")})
        rows, report = text_rows(sample, reading, ReadingReport(short_name(self._file.name), "text"))
        start = table_start(rows, reading, NO_LIMITS, report)
        self._report = start.report
        encoding, delimiter = start.report.encoding or "utf-8", start.report.delimiter
        if delimiter not in _SEPARATORS or encoding.startswith(("utf-16", "utf-32")):
            raise InputError(
                f"'{short(self._file.name, 60)}' is separated by spaces, or in UTF-16; save it as UTF-8 with commas, "
                "or as Parquet."
            )
        self._encoding, self._delimiter = encoding, delimiter or _NO_SEPARATOR
        self._decimal = start.report.decimal or "."
        first = start.body[0] if start.body else (0, [])
        self._fields, self._begin = max(len(first[1]), start.width), _offset(sample, first[0])
        names = clean_names(start.layout.header[: start.width])[0]
        super().__init__(short_name(self._file.name), dict.fromkeys(names, pa.string()), None, given.get("missing"))
        self._tokens = MISSING_TOKENS if self.choices.missing is None else self.choices.missing

    def tables(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        """See `RowSource.tables`."""
        from pyarrow.csv import ConvertOptions, ParseOptions, ReadOptions, open_csv

        every = [*self.types, *(f"\x1f{i}" for i in range(self._fields - len(self.types)))]
        code = self._encoding.removesuffix("-sig")
        self._unchanged.check(self._file)
        try:
            with pa.OSFile(str(self._file)) as file, self._unpacked(file) as stream:
                stream.read(self._begin)
                reader = open_csv(
                    stream,
                    ReadOptions(use_threads=False, block_size=_BLOCK, column_names=every, encoding=code),
                    ParseOptions(delimiter=self._delimiter, ignore_empty_lines=len(self.types) > 1),
                    ConvertOptions(
                        column_types=dict.fromkeys(every, pa.string()), null_values=[], include_columns=list(columns)
                    ),
                )
                for batch in reader:
                    if any(longest_text(column) > LONGEST_CELL for column in batch.columns):
                        raise InputError(
                            f"'{short(self.name, 60)}' has a cell of more than {LONGEST_CELL:,} characters, no value "
                            "of a table; shorten it, or leave its column out."
                        )
                    self.share = min(file.tell() / self._size, 1.0)
                    yield pa.Table.from_batches([batch])
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise self._refusal(error) from None
        self.share = 1.0
        self._unchanged.check(self._file)

    def series(self, cells: pa.Array | pa.ChunkedArray, column: FixedColumn | None = None) -> pd.Series:
        """See `RowSource.series`."""
        if column is not None and column.sort != "number":
            return typed_words(TextColumn.from_array(cells), self._tokens).series
        if column is not None and (numbers := self._quick_numbers(cells)) is not None:
            return pd.Series(numbers)
        return typed(TextColumn.from_array(cells), self._decimal, self._tokens, whole=False).series

    def numbers(self, values: pa.Array) -> np.ndarray | None:
        """See `RowSource.numbers`."""
        quick = self._quick_numbers(values)
        return super().numbers(values) if quick is None else quick

    def frame(self, table: pa.Table) -> pd.DataFrame:
        """See `RowSource.frame`."""
        return pd.DataFrame({name: self.series(table.column(name)) for name in table.column_names})

    def report(self, rows: int) -> ReadingReport:
        """See `RowSource.report`."""
        return replace(self._report, rows=rows, columns=len(self.types))

    def _quick_numbers(self, cells: pa.Array | pa.ChunkedArray) -> np.ndarray | None:
        """Texts that are all plain numbers or missing as numbers; None where that has to be looked at one by one."""
        if self._decimal != "." or not pa.types.is_string(cells.type):
            return None
        missing = pc.is_in(cells, value_set=pa.array({"", *self._tokens}, pa.string()))
        if pc.any(pc.match_substring_regex(cells, _ODD_NUMBER)).as_py():
            return None
        try:
            texts = pc.utf8_trim_whitespace(pc.if_else(missing, None, cells))
            numbers = texts.cast(pa.float64())
        except pa.ArrowException:
            return None
        result: np.ndarray = numbers.to_numpy() if isinstance(numbers, pa.ChunkedArray) else numbers.to_numpy(False)
        return result

    def _unpacked(self, file: Any) -> Any:
        return pa.CompressedInputStream(file, "gzip") if self._packed else file

    def _first_lines(self) -> bytes:
        """Whole lines from the beginning of the file."""
        try:
            with pa.OSFile(str(self._file)) as file, self._unpacked(file) as stream:
                sample = bytes(stream.read(_SAMPLE))
        except (pa.ArrowException, OSError) as error:
            raise self._refusal(error) from None
        kind = file_type(sample)
        if kind != "text":
            raise InputError(
                f"'{short(self._file.name, 60)}' is a {KINDS[kind]}, no text table; read it with engine.read_table, or "
                "Parquet with Dataset.from_parquet."
            )
        whole = sample.rfind(b"\n") + 1 or sample.rfind(b"\r") + 1
        return sample[:whole] if whole and len(sample) == _SAMPLE else sample

    def _refusal(self, error: Exception) -> DataError:
        if isinstance(error, DataError):
            return error
        name, words = self._file.name[:60], str(error)
        if "Expected" in words and "columns" in words:
            return InputError(
                f"'{name}' has lines of another number of cells than its header; correct them, or read it with "
                "engine.read_table, which tells them."
            )
        if isinstance(error, UnicodeDecodeError) or "UTF8" in words:
            return InputError(
                f"'{name}' is not {self._encoding} everywhere; give its encoding: reading={{'encoding': ...}}."
            )
        return InputError(f"'{name}' is damaged, or cannot be read as a text table of regular lines.")


def _offset(sample: bytes, line: int) -> int:
    """Where a line, counted from 1, begins."""
    ends = [found.end() for found in islice(_LINE_END.finditer(sample), max(line - 1, 0))]
    return ends[-1] if ends else 0
