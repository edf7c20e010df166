"""What reads a table where it lies, for a process that may die of it: what there is, then the passes over its rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from dashboard.jobs.runner import Budget
from dashboard.server.paths import TableFiles, check_unchanged, find_table
from engine import DataError, Dataset
from engine.data.cluster.published import connect, publish_parquet
from engine.data.preparing.choices import FrameChoices
from engine.data.reading.filetype import KINDS, file_type, short_name
from engine.data.reading.limits import MEGABYTE, Limits
from engine.data.stored.csv_file import CsvFile
from engine.data.stored.parquet import ParquetFiles
from engine.data.stored.streaming import MOST_IN_MEMORY, TooLargeForMemory, fix, with_reasons
from engine.execution import as_progress, part
from engine.words import count, duration, short

CELLS_A_SECOND, BYTES_A_SECOND = 50_000_000, 60_000_000
"""Of a pass over Parquet files, and over a text table: see the figures in docs/large-tables.md."""
UNPACKED = 5
"""Bytes of a text table for each byte of a packed one, about."""
LOOKING = Budget(Limits().memory_bytes, 60)
CODING = Budget(4_000 * MEGABYTE, 12 * 3600, 4_000_000 * MEGABYTE)
"""Planes are held up to three times while they are handed over; files are written where there is a work folder."""
_HEAD = 1 << 16


@dataclass(frozen=True)
class FoundTable:
    """A table that could be opened by path.

    Attributes
    ----------
    files : where it is
    kind : how it is written
    rows : how many, None where only a pass would tell
    columns : that can be variables
    seconds : that one of the two passes takes, about
    """

    files: TableFiles
    kind: Literal["parquet", "text"]
    rows: int | None
    columns: int
    seconds: float

    @property
    def name(self) -> str:
        """Of the file or folder, without its path."""
        return short_name(self.files.path.name) or "table"

    def sentence(self) -> str:
        """Say how large it is, and how long it takes."""
        many = f"{self.rows:,} rows, " if self.rows is not None else ""
        size = f"{max(self.files.size / MEGABYTE, 0.1):,.1f} MB"
        takes = f"about {duration(self.seconds)}" if self.seconds >= 1 else "less than a second"
        return f"{many}{count(self.columns, 'column')}, {size}. It is read twice, {takes} each time."


def look_at(text: str, folders: tuple[Path, ...] | None, progress: Any = None) -> FoundTable:
    """Find what a path means, from its first bytes and Parquet's own words; `DataError` where it is no table."""
    files = find_table(text, folders)
    if files.is_folder or (kind := _kind_of(files)) == "parquet":
        parquet = ParquetFiles(files.path)
        rows, columns = int(parquet.rows or 0), len(parquet.types)
        return FoundTable(files, "parquet", rows, columns, rows * columns / CELLS_A_SECOND)
    columns = len(CsvFile(files.path, FrameChoices()).types)
    size = files.size * (UNPACKED if kind == "gzip" else 1)
    return FoundTable(files, "text", None, columns, size / BYTES_A_SECOND)


def _kind_of(files: TableFiles) -> str:
    try:
        with files.path.open("rb") as file:
            head = file.read(_HEAD)
    except OSError:
        raise DataError(f"'{short(files.path.name, 60)}' cannot be opened. Check its path.") from None
    kind = "parquet" if head.startswith(b"PAR1") else file_type(head)
    if kind not in ("parquet", "text", "gzip"):
        raise DataError(
            f"'{short(files.path.name, 60)}' is a {KINDS[kind]}. By path only Parquet and CSV are opened; drop "
            f"other files."
        )
    return kind


def code_table(
    table: FoundTable, folders: tuple[Path, ...] | None, folder: Path | None, progress: Callable[[float, str], None]
) -> Dataset:
    """The data set of a table that was found, in two passes: what levels there are, then each row's.

    Parameters
    ----------
    table, folders : the table, and where tables may be
    folder : that is made for the rows where memory does not hold them; None where they are refused
    """
    check_unchanged(table.files, folders)
    read = Dataset.from_parquet if table.kind == "parquet" else Dataset.from_csv

    def name_pass(fraction: float, words: str) -> None:
        progress(fraction, f"Pass {1 if fraction <= 0.5 else 2} of 2, {words.partition(';')[0]}")

    try:
        data = read(table.files.path, progress=name_pass)
    except TooLargeForMemory:
        if folder is None:
            raise DataError(
                f"The coded rows take more than {MOST_IN_MEMORY // MEGABYTE:,} MB of memory. Start Diptych with a "
                "folder for them: --work-folder."
            ) from None
        data = read(table.files.path, folder=folder, keep=True, progress=name_pass)
    check_unchanged(table.files, folders)
    return data


def code_on_cluster(
    table: FoundTable,
    folders: tuple[Path, ...] | None,
    address: str,
    name: str,
    progress: Callable[[float, str], None],
) -> Dataset:
    """The data set of Parquet files whose rows the workers of a cluster code and keep.

    Parameters
    ----------
    table, folders : the table, and where tables may be
    address : of the scheduler
    name : for the rows there
    """
    check_unchanged(table.files, folders)
    if table.kind != "parquet":
        raise DataError("On a cluster only Parquet is counted. Let this computer count it, or save it as Parquet.")
    connect(address)  # before a pass over all rows
    whole = as_progress(progress)
    source = ParquetFiles(table.files.path)
    counted = fix(source, FrameChoices(), _named(part(whole, 0.0, 0.5), "Pass 1 of 2, this computer"))
    second = _named(part(whole, 0.5, 1.0), "Pass 2 of 2, the cluster")
    store, report = publish_parquet(source, counted.choices, address, name, second)
    data = Dataset._coded_by(counted.choices, store, with_reasons(report, counted))
    check_unchanged(table.files, folders)
    return data


def _named(progress: Callable[[float, str], None], which: str) -> Callable[[float, str], None]:
    """Progress that says which pass it is."""
    return lambda fraction, words: progress(fraction, f"{which}: {words}")
