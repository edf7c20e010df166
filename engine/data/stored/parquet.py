"""Parquet files, coded by a recipe and written as bit planes, some rows at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.data.preparing.choices import FrameChoices
from engine.data.preparing.report import ImportReport
from engine.data.reading.declared import table_in_memory
from engine.data.reading.filetype import short_name
from engine.data.reading.headers import clean_names
from engine.data.reading.limits import Choices, Limits
from engine.data.reading.report import ReadingReport
from engine.data.stored.coding import Coder, no_row_left
from engine.data.stored.disk_store import PLANES, DiskStore, Layout
from engine.data.stored.distinct import Distinct
from engine.data.stored.folder import Folder, empty_folder, new_file, path_of, written_to
from engine.data.stored.manifest import MANIFEST, Manifest, write_manifest
from engine.data.stored.writing import PlaneWriter, rows_together
from engine.errors import DataError
from engine.execution import Progress
from engine.words import duration

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_AT_ONCE = 48 << 20
"""Bytes that the codes of some rows may take while they are worked on, eight a cell."""
_MOST_ROWS = 1 << 17
_NO_LIMITS = Limits(rows=1 << 40, columns=1 << 20, cells=1 << 60, memory_bytes=1 << 50)


def stream(
    path: Any, recipe: FrameChoices, folder: Any, *, keep: bool, progress: Progress, block_rows: int | None = None
) -> tuple[DiskStore, ImportReport]:
    """Code the rows of Parquet files and write them to a folder."""
    coder = Coder(recipe)
    files = parquet_files(path)
    rows = sum(_looked_at(file, coder) for file in files)
    block_rows = block_rows or rows_together(coder.arity)[0]
    whole = Layout(rows, block_rows, tuple(int(r) for r in coder.arity))
    place = empty_folder(folder, (PLANES, MANIFEST), whole.size)
    try:
        with written_to(place.path):
            writer = _written(files, coder, place, rows, block_rows, progress)
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


def _written(
    files: Sequence[Path], coder: Coder, place: Folder, rows: int, block_rows: int, progress: Progress
) -> PlaneWriter:
    with new_file(place.path / PLANES) as out:
        writer = PlaneWriter(out, coder.arity, block_rows)
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
                progress(*_how_far(coder.tally.read, rows, time.monotonic() - began))
        writer.end()
    return writer


def _how_far(read: int, rows: int, seconds: float) -> tuple[float, str]:
    share = read / max(rows, 1)
    left = f"; about {duration(seconds * (1 - share) / share)} left" if seconds > 2 and 0 < share < 1 else ""
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
    import pyarrow as pa
    import pyarrow.parquet as pq

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
    import pyarrow as pa
    import pyarrow.parquet as pq

    wanted = coder.columns()
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
