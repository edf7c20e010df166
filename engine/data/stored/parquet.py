"""Parquet files, coded by a recipe and written as bit planes, some rows at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.column_coding import UNKNOWN, Coding, FixedColumn
from engine.data.preparing.report import ImportReport
from engine.data.reading.declared import table_in_memory
from engine.data.reading.filetype import short_name
from engine.data.reading.headers import clean_names
from engine.data.reading.limits import Choices, Limits
from engine.data.reading.report import ReadingReport
from engine.data.stored.coding import Coder, no_row_left
from engine.data.stored.disk_store import PLANES, DiskStore, Layout, PlaneWriter, rows_together
from engine.data.stored.folder import Folder, empty_folder, new_file, path_of, written_to
from engine.data.stored.manifest import MANIFEST, Manifest, write_manifest
from engine.errors import DataError
from engine.execution import Progress
from engine.lazy import pa, pd, pq
from engine.words import duration

_AT_ONCE = 48 << 20
"""Bytes that the codes of some rows may take while they are worked on, eight a cell."""
_MOST_ROWS = 1 << 17
_NO_LIMITS = Limits(rows=1 << 40, columns=1 << 20, cells=1 << 60, memory_bytes=1 << 50)


def stream(
    path: Any, recipe: FrameChoices, folder: Any, *, keep: bool, progress: Progress
) -> tuple[DiskStore, ImportReport]:
    """Code the rows of Parquet files and write them to a folder."""
    coder = Coder(recipe)
    files = parquet_files(path)
    rows = sum(_looked_at(file, coder) for file in files)
    whole = Layout(rows, rows_together(coder.arity)[0], tuple(int(r) for r in coder.arity))
    place = empty_folder(folder, (PLANES, MANIFEST), whole.size)
    try:
        with written_to(place.path):
            writer = _written(files, coder, place, whole, progress)
        layout = whole._replace(rows=writer.rows)
        told = ReadingReport(short_name(Path(path).name), "parquet", rows=rows, columns=len(coder.tally.names))
        report = coder.report(reading=told.to_dict())
        if not writer.rows:
            raise no_row_left(report, "table")
        if keep:
            with written_to(place.path):
                write_manifest(place.path, Manifest(layout, writer.digests, recipe.to_dict(), report))
    except BaseException:
        place.remove()
        raise
    if keep:
        place.keep()
    return DiskStore(place, layout, digests=writer.digests), report


def _written(files: Sequence[Path], coder: Coder, place: Folder, layout: Layout, progress: Progress) -> PlaneWriter:
    with new_file(place.path / PLANES) as out:
        writer = PlaneWriter(out, coder.arity, layout.block_rows)
        began = time.monotonic()
        choices = Choices(missing=_tokens(coder))

        def read(table: pa.Table) -> pd.DataFrame:
            return table_in_memory(table, "table", choices, _NO_LIMITS)

        columns = [Distinct(column, read) for column in coder.recipe.columns]
        simple = not coder.recipe.where and not coder.recipe.derive
        for file in files:
            for names, part in _parts(file, coder):
                if simple:
                    every = np.ones(len(part), bool)
                    codings = [column.code(part.column(column.name)) for column in columns]
                    writer.add(coder.take(names, codings, every, every))
                else:
                    writer.add(coder.code(read(part)))
                progress(*_how_far(coder.tally.read, layout.rows, time.monotonic() - began))
        writer.end()
    return writer


def _how_far(read: int, rows: int, seconds: float) -> tuple[float, str]:
    share = read / max(rows, 1)
    left = f"; about {duration(seconds * (1 - share) / share)} left" if seconds > 2 and 0.1 <= share < 1 else ""
    return share, f"reading rows: {read:,} of {rows:,}{left}"


def _tokens(coder: Coder) -> tuple[str, ...] | None:
    given = coder.recipe.reading.get("missing")
    return None if given is None else tuple(map(str, (given,) if isinstance(given, str) else given))


def parquet_files(path: Any) -> list[Path]:
    """The files that are meant, in the order of their names."""
    place = path_of(path, "path is that of a Parquet file, or of a folder of them.")
    if place.is_file():
        return [place]
    if not place.is_dir():
        raise DataError(f"There is no file or folder '{place.name[:60]}' at the path given. Check its name and folder.")
    result = sorted(
        path_value
        for path_value in place.iterdir()
        if path_value.suffix.lower() in (".parquet", ".pq") and path_value.is_file()
    )
    if not result:
        raise DataError(f"The folder '{place.name[:60]}' holds no file that ends with .parquet; give another one.")
    return result


def _looked_at(file: Path, coder: Coder) -> int:
    """How many rows a file has, once it is clear that it has the columns."""
    try:
        with pq.ParquetFile(file) as opened:
            headers = opened.schema_arrow.names
            rows = int(opened.metadata.num_rows)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _refusal(error, file) from None
    twice = [name for name in headers if headers.count(name) > 1]
    if twice:
        raise DataError(f"'{file.name[:60]}' has two columns '{twice[0][:60]}'; give each its own name.")
    try:
        coder.check(clean_names(headers)[0])
    except DataError as error:
        raise DataError(f"'{file.name[:60]}': {error}", column=error.column) from None
    return rows


def _parts(file: Path, coder: Coder) -> Iterator[tuple[list[str], pa.Table]]:
    """The names of a file's columns, and small tables of those that the recipe uses."""
    wanted = coder.recipe.needed_columns()
    rows = max(1024, min(_MOST_ROWS, _AT_ONCE // (8 * max(len(wanted), 1))))
    try:
        with pq.ParquetFile(file) as looked:
            texts = [item.name for item in looked.schema_arrow if pa.types.is_string(item.type)]
            headers = looked.schema_arrow.names
            names = clean_names(headers)[0]
            place = dict(zip(names, headers, strict=True))
        with pq.ParquetFile(file, read_dictionary=texts, pre_buffer=False, buffer_size=1 << 16) as opened:
            for batch in opened.iter_batches(rows, columns=[place[name] for name in wanted], use_threads=False):
                yield names, pa.table([batch.column(place[name]) for name in wanted], names=list(wanted))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _refusal(error, file) from None


def _refusal(error: Exception, file: Path) -> DataError:
    if isinstance(error, DataError):
        return error
    words = "is encrypted; save it without encryption" if "ncrypt" in str(error) else "is damaged, or no Parquet file"
    return DataError(f"'{file.name[:60]}' {words}.")


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
    """

    codes: np.ndarray
    strange: dict[int, str]
    lacking: list[int]


class Distinct:
    """Codes one column, some cells at a time.

    Parameters
    ----------
    column : how it is coded
    read : makes a pandas table of an arrow table, as `engine.read_table` would
    """

    def __init__(self, column: FixedColumn, read: Callable[[pa.Table], pd.DataFrame]) -> None:
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
        if not usual or cells.num_chunks != 1:
            return self._each(cells)
        chunk = cells.chunk(0)
        packed = chunk if pa.types.is_dictionary(cells.type) else chunk.dictionary_encode()
        if len(packed.dictionary) > min(_MOST, max(len(packed) // 8, 64)):
            return self._each(cells)
        seen = self._seen(packed.dictionary)
        if seen is None:
            return self._each(cells)
        places = packed.indices.fill_null(len(packed.dictionary)).to_numpy(zero_copy_only=False)
        if not seen.strange and not seen.lacking:
            return Coding(seen.codes[places])
        counts = np.bincount(places, minlength=len(seen.codes))
        strange: dict[str, int] = {}
        for place, text in seen.strange.items():
            if counts[place]:
                strange[text] = strange.get(text, 0) + int(counts[place])
        return Coding(seen.codes[places], strange, int(counts[seen.lacking].sum()))

    def _each(self, cells: pa.ChunkedArray) -> Coding:
        return self._column.code(self._read(pa.table([cells], names=[self._column.name])).iloc[:, 0])

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
        series = self._read(pa.table([every], names=[self._column.name])).iloc[:, 0]
        codes = self._column.code(series).codes
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
        return _Seen(codes.astype(kind), strange, lacking)
