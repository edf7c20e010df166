"""`read_table`: any table file a clinician has, as a pandas table that has lost nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

from engine.data.reading.containers import read_parquet, read_workbook
from engine.data.reading.filetype import file_type, mismatch, short_name
from engine.data.reading.limits import Limits
from engine.data.reading.report import ReadingReport
from engine.data.reading.statistics_files import read_statistics
from engine.data.reading.text_tables import Choices, read_text
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

Source = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes]


def read_table(
    source: Source,
    *,
    name: str | None = None,
    limits: Limits | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    encoding: str | None = None,
    header: int | Literal["auto"] | None = "auto",
    skip_rows: int = 0,
    sheet: str | int | None = None,
    missing: Iterable[str] | None = None,
) -> pd.DataFrame:
    """Read a table: CSV and its kin, .xlsx, Parquet, SPSS .sav or Stata .dta, told apart by content.

    Values stay what they are in the file: leading zeros are kept, whole numbers with gaps stay whole numbers
    (Int64), words are categories. Everything found and decided stands in `table.attrs["reading"]`, a plain
    dictionary (see `engine.data.reading.report.ReadingReport`). Nothing is written to disk.

    Parameters
    ----------
    source : path, bytes, or a file object opened for bytes
    name : the file's name, for messages, where `source` has none
    limits : sizes that are accepted (default `Limits()`)
    delimiter, decimal, encoding : of a text file; found out where None
    header : 1-based line of the header, None when the table has none, "auto" to find out
    skip_rows : lines at the top to pass over
    sheet : name or 0-based position of a worksheet (default: the first visible one with values)
    missing : texts that count as missing (None: `engine.data.reading.columns.MISSING_TOKENS`); empty cells always do

    Returns
    -------
    pandas.DataFrame

    Raises
    ------
    DataError : the file cannot be read as a table; the text names the place and the remedy

    Examples
    --------
    >>> import engine
    >>> table = engine.read_table(b"id;dose;pain\\n007;1,5;none\\n008;2,5;mild\\n")
    >>> table["id"].tolist(), table["dose"].tolist()
    (['007', '008'], [1.5, 2.5])
    """
    limits = limits or Limits()
    if isinstance(missing, str):
        missing = (missing,)
    tokens = None if missing is None else tuple(str(token) for token in missing)
    choices = Choices(delimiter, decimal, encoding, header, skip_rows, sheet, tokens)
    data, found_name = source_bytes(source, limits)
    shown = short_name(name or found_name) or "table"
    kind = file_type(data)
    other = mismatch(kind, shown) if "." in shown else None
    report = ReadingReport(shown, kind, problems=(other,) if other else ())
    if kind == "text":
        return read_text(data, choices, limits, report)
    if kind == "xlsx":
        return read_workbook(data, choices, limits, report)
    if kind == "parquet":
        return read_parquet(data, choices, limits, report)
    return read_statistics(data, choices, limits, report)


def source_bytes(source: Source, limits: Limits) -> tuple[bytes, str]:
    """The content of `source` and its name ("" when it has none); too large a file is refused unread."""
    if isinstance(source, bytes | bytearray | memoryview):
        limits.check_file(len(source))
        return bytes(source), ""
    if isinstance(source, str | os.PathLike):
        return _from_path(source, limits)
    if not hasattr(source, "read"):
        raise DataError("Give a path, bytes or a file opened for bytes.")
    data = source.read(limits.file_bytes + 1)
    if isinstance(data, str):
        raise DataError("The file is opened as text; open it for bytes (mode 'rb').")
    limits.check_file(len(data))
    named = getattr(source, "name", "")
    return bytes(data), named if isinstance(named, str) else ""


def _from_path(source: str | os.PathLike[str], limits: Limits) -> tuple[bytes, str]:
    path = Path(source)
    shown = short_name(path.name)
    try:
        if not path.exists():
            raise DataError(f"There is no file '{shown}' at the path given. Check its name and folder.")
        if not path.is_file():
            raise DataError(f"'{shown}' is a folder or a device, not a file. Give the path of the table itself.")
        limits.check_file(path.stat().st_size)
        return path.read_bytes(), path.name
    except (OSError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"The file '{shown}' cannot be opened. Check its name and your rights to read it.") from None
