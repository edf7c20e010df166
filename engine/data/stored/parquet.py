"""Parquet files as rows that come some at a time: one file, a folder of them, or folders named by a column's values."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote

from engine.data.reading.filetype import is_plain_file, short_name
from engine.data.reading.headers import clean_names
from engine.data.stored.folder import path_of
from engine.data.stored.sources import MOST_ROWS, RowSource, UnchangedFiles, rows_at_once, variable_types
from engine.errors import DataError, InputError
from engine.lazy import pa, pd, pq
from engine.words import short

_NOTHING = "__HIVE_DEFAULT_PARTITION__"


class ParquetFiles(RowSource):
    """The rows of Parquet files, in the order of their names.

    Parameters
    ----------
    path : of a file, or of a folder; folders in it that are called "column=value" say what all their rows have
    tokens : texts that count as missing, None for the usual ones
    needed : columns that will do; None where all files have to have the same
    """

    format: ClassVar[str] = "parquet"

    def __init__(self, path: Any, tokens: Iterable[str] | None = None, needed: Sequence[str] | None = None) -> None:
        self.files = parquet_files(path)
        self._unchanged = UnchangedFiles(self.files)
        root = Path(path).absolute()
        self._values = {file: _values_of_folders(file, root) for file in self.files}
        self._check_folders()
        self._numbers = {name for name in self._values[self.files[0]] if self._all_whole(name)}
        rows, types = 0, dict[str, pa.DataType]()
        for place, file in enumerate(self.files):
            found, own = self._look_at(file)
            if place == 0:
                types = own
            elif needed is None:
                _check_same(file, own, self.files[0], types)
            if needed is not None and (absent := [name for name in needed if name not in own]):
                raise InputError(
                    f"'{short(file.name, 60)}': The table has no column '{short(absent[0], 60)}', which the recipe "
                    "needs. Add it, or leave it out of it.",
                    column=absent[0],
                )
            rows += found
        super().__init__(short_name(root.name), types, rows, tokens)

    def tables(self, columns: Sequence[str]) -> Iterator[pa.Table]:
        """See `RowSource.tables`."""
        read = 0
        for file in self.files:
            self._unchanged.check(file)
            for table in self._tables_of(file, columns):
                read += table.num_rows
                self.share = read / max(self.rows or 0, read, 1)
                yield table
            self._unchanged.check(file)

    def parts(self) -> list[tuple[int, list[int]]]:
        """The rows in parts that can be read by themselves: a file's place, and some of its row groups."""
        result: list[tuple[int, list[int]]] = []
        for place, file in enumerate(self.files):
            with pq.ParquetFile(file) as opened:
                sizes = [opened.metadata.row_group(k).num_rows for k in range(opened.metadata.num_row_groups)]
            groups: list[int] = []
            for k in range(len(sizes)):
                groups.append(k)
                if sum(sizes[i] for i in groups) >= MOST_ROWS or k == len(sizes) - 1:
                    result.append((place, groups))
                    groups = []
        return result

    def part(self, place: int, groups: Sequence[int], columns: Sequence[str]) -> pd.DataFrame:
        """The rows of some row groups of a file, as `frame` gives them."""
        file = self.files[place]
        if not file.is_file():
            raise InputError(
                f"A worker of the cluster does not find '{short(file.name, 60)}'; all of them have to see it at the "
                "same path as this computer."
            )
        self._unchanged.check(file)
        return self.frame(pa.concat_tables(self._tables_of(file, columns, groups)))

    def _tables_of(self, file: Path, columns: Sequence[str], groups: Sequence[int] | None = None) -> Iterator[pa.Table]:
        beside = self._values[file]
        try:
            with pq.ParquetFile(file) as looked:
                texts = [item.name for item in looked.schema_arrow if pa.types.is_string(item.type)]
                headers = looked.schema_arrow.names
            place = dict(zip(clean_names(headers)[0], headers, strict=True))
            wanted = [place[name] for name in columns if name not in beside]
            with pq.ParquetFile(file, read_dictionary=texts, pre_buffer=False, buffer_size=1 << 16) as opened:
                every = range(opened.metadata.num_row_groups) if groups is None else groups
                for batch in opened.iter_batches(
                    rows_at_once(len(columns)), row_groups=list(every), columns=wanted, use_threads=False
                ):
                    yield pa.table(
                        [
                            self._repeated(name, beside[name], len(batch))
                            if name in beside
                            else batch.column(place[name])
                            for name in columns
                        ],
                        names=list(columns),
                    )
        except (pa.ArrowException, OSError, ValueError) as error:
            raise _refusal(error, file) from None

    def _repeated(self, name: str, value: str | None, rows: int) -> pa.Array:
        """The value of a folder in every row."""
        if name in self._numbers:
            return pa.repeat(pa.scalar(None if value is None else int(value), pa.int64()), rows)
        return pa.repeat(pa.scalar(value, pa.string()), rows)

    def _all_whole(self, name: str) -> bool:
        values = [own[name] for own in self._values.values() if own[name] is not None]
        return bool(values) and all(
            value is not None
            and value.lstrip("-").isdecimal()
            and str(number := int(value)) == value
            and -(2**63) <= number < 2**63
            for value in values
        )

    def _check_folders(self) -> None:
        first = self._values[self.files[0]]
        for file, own in self._values.items():
            if own.keys() != first.keys():
                raise InputError(
                    f"'{short(file.name, 60)}' stands in folders of other columns than "
                    f"'{short(self.files[0].name, 60)}'; put all files into folders of the same columns."
                )

    def _look_at(self, file: Path) -> tuple[int, dict[str, pa.DataType]]:
        """Number of a file's rows, and its columns."""
        try:
            with pq.ParquetFile(file) as opened:
                schema, rows = opened.schema_arrow, int(opened.metadata.num_rows)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise _refusal(error, file) from None
        headers = schema.names
        twice = [name for name in headers if headers.count(name) > 1]
        if twice:
            raise InputError(
                f"'{short(file.name, 60)}' has two columns '{short(twice[0], 60)}'; give each its own name."
            )
        clean = dict(zip(headers, clean_names(headers)[0], strict=True))
        types = {clean[name]: kind for name, kind in variable_types(schema).items()}
        for name in self._values[file]:
            if name in types:
                raise InputError(
                    f"'{short(name, 60)}' is a column of '{short(file.name, 60)}' and names its folder too; rename "
                    f"one of them.",
                    column=name,
                )
            types[name] = pa.int64() if name in self._numbers else pa.string()
        return rows, types


def parquet_files(path: Any) -> list[Path]:
    """The files that are meant, in the order of their names."""
    place = path_of(path, "path is that of a Parquet file, or of a folder of them.")
    if is_plain_file(place):
        return [place]
    if not place.is_dir():
        raise InputError(
            f"There is no file or folder '{short(place.name, 60)}' at the path given. Check its name and folder."
        )
    result = []
    for folder, inner, files in os.walk(place):
        inner[:] = [name for name in inner if "=" in name]  # others are no part of the table
        result += [Path(folder, name) for name in files if Path(name).suffix.lower() in (".parquet", ".pq")]
    result = sorted(file for file in result if file.is_file())
    if not result:
        raise InputError(
            f"The folder '{short(place.name, 60)}' holds no file that ends with .parquet; give another one."
        )
    return result


def _values_of_folders(file: Path, root: Path) -> dict[str, str | None]:
    """Column -> its value, of folders called "column=value" between a file and the folder that was given."""
    if file == root:
        return {}
    pairs = [part.partition("=") for part in file.relative_to(root).parts[:-1]]
    return {unquote(name): None if value == _NOTHING else unquote(value) for name, _, value in pairs}


def _check_same(file: Path, own: dict[str, pa.DataType], first: Path, types: dict[str, pa.DataType]) -> None:
    """`DataError` where a file has other columns, or values of another kind, than the first one."""
    shown, other = file.name[:60], first.name[:60]
    for name in [*types, *own]:
        if name not in own or name not in types:
            lacking, having = (shown, other) if name not in own else (other, shown)
            raise InputError(
                f"'{lacking}' has no column '{short(name, 60)}', which '{having}' has; give files of the same columns.",
                column=name,
            )
        here, there = kind_of_type(own[name]), kind_of_type(types[name])
        if here != there:
            raise InputError(
                f"Column '{short(name, 60)}' holds {here} in '{shown}' and {there} in '{other}'; give files of one "
                f"type.",
                column=name,
            )


def kind_of_type(kind: pa.DataType) -> str:
    """Name the values of a type, whatever their size."""
    value = kind.value_type if pa.types.is_dictionary(kind) else kind
    if pa.types.is_boolean(value):
        return "true and false"
    if pa.types.is_integer(value) or pa.types.is_floating(value) or pa.types.is_decimal(value):
        return "numbers"
    if pa.types.is_date(value) or pa.types.is_timestamp(value):
        return "dates"
    return "texts" if pa.types.is_string(value) or pa.types.is_large_string(value) else str(value)[:40]


def _refusal(error: Exception, file: Path) -> DataError:
    if isinstance(error, DataError):
        return error
    words = "is encrypted; save it without encryption" if "ncrypt" in str(error) else "is damaged, or no Parquet file"
    return InputError(f"'{short(file.name, 60)}' {words}.")
