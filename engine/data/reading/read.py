"""`read_table`: any table file a clinician has, as a pandas table that has lost nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import IO, Any, Literal

from engine.data.reading.filetype import is_plain_file, short_name
from engine.data.reading.foreign import read_foreign
from engine.data.reading.formats.declared import table_in_memory
from engine.data.reading.limits import Choices, Limits, Progress
from engine.data.reading.name_rows import Way
from engine.data.reading.report import ReadingReport, reading_report
from engine.errors import InputError, Retold
from engine.lazy import pd
from engine.words import short

Source = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[bytes]
_JOB = "engine.data.reading.parse:table_job"
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://")


def read_table(
    source: Source | Any,
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
    name_rows: Way = "auto",
    skip_last: int | Literal["auto"] = "auto",
    fill_down: Iterable[str] = (),
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Read a table: CSV and its kin (also .gz), .xlsx, .ods, Parquet, Feather, SPSS, Stata or SAS, by content.

    Values stay what they are in the file: leading zeros are kept, whole numbers with gaps stay whole numbers (Int64,
    or the smaller type that a file declares), words are categories. Everything found and decided stands in
    `table.attrs["reading"]`, a plain dictionary (see `engine.data.reading.report.ReadingReport`). Nothing is written
    to disk.

    A file is foreign: it is read in a process of its own, which may take so much memory and time and may die of what
    it reads; that ends in a sentence too.

    Parameters
    ----------
    source : path, bytes, or a file object opened for bytes; or a table in memory: pandas, arrow, polars, or
        anything else with `__arrow_c_stream__`
    name : the file's name, for messages, where `source` has none
    limits : sizes that are accepted (default `Limits()`)
    delimiter, decimal, encoding : of a text file; found out where None
    header : 1-based line of the header, None when the table has none, "auto" to find out
    skip_rows : lines at the top to pass over
    sheet : name or 0-based position of a worksheet (default: the first visible one with values)
    missing : texts that count as missing (None: `engine.data.reading.columns.MISSING_TOKENS`); empty cells always do
    name_rows : of a header of two rows: "join" the names (a group stands for the columns up to the next one, or to the
        "end" that its answers show), take those of the "upper" or "lower" row, the lower ones as "label" of the upper
        ones, or "one": the second row is data; "auto" to find out
    skip_last : rows at the end to pass over, blank ones counted (a legend, totals); "auto" to find out
    fill_down : columns with a value only in the first row of each block of rows; an empty cell takes the one above
    progress : told the fraction that is read, from 0 to 1; what it raises ends the reading

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
    choices = Choices(delimiter, decimal, encoding, header, skip_rows, sheet, tokens, name_rows, skip_last)
    if _is_pandas(source) or hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__"):
        return _filled_down(table_in_memory(source, short_name(name or "table"), choices, limits), fill_down)
    data, found_name = source_bytes(source, limits)
    options = {"name": short_name(name or found_name) or "table", "choices": asdict(choices)}
    table, facts = read_foreign(_JOB, data, options, limits, progress)
    if table is None:
        raise InputError("The reader of this file gave no table. Read it again, or save it as CSV.")
    return _filled_down(ReadingReport.from_dict(facts).attach(table), fill_down)


def _filled_down(table: pd.DataFrame, columns: Iterable[str]) -> pd.DataFrame:
    """The table with the value above in each empty cell of some columns, which its report says."""
    columns = [columns] if isinstance(columns, str) else list(columns)
    for name in columns:
        if name not in table.columns:
            raise InputError(f"'fill_down' speaks of a column '{short(str(name), 60)}' that the table lacks.")
        table[name] = table[name].ffill()
    report = reading_report(table)
    if not columns or report is None:
        return table
    filled = dict.fromkeys(columns, "each empty cell takes the value above it")
    gaps = {name: tokens for name, tokens in report.missing_tokens.items() if name not in filled}
    return replace(report, conversions={**report.conversions, **filled}, missing_tokens=gaps).attach(table)


def source_bytes(source: Source, limits: Limits) -> tuple[bytes, str]:
    """The content of `source` and its name ("" when it has none); too large a file is refused unread."""
    if isinstance(source, bytes | bytearray | memoryview):
        limits.check_file(len(source))
        return bytes(source), ""
    if isinstance(source, str | os.PathLike):
        return _from_path(source, limits)
    if not hasattr(source, "read"):
        raise InputError("Give a path, bytes, a file opened for bytes, or a table of pandas, arrow or polars.")
    data = source.read(limits.file_bytes + 1)
    if isinstance(data, str):
        raise InputError("The file is opened as text; open it for bytes (mode 'rb').")
    limits.check_file(len(data))
    named = getattr(source, "name", "")
    return bytes(data), named if isinstance(named, str) else ""


def _from_path(source: str | os.PathLike[str], limits: Limits) -> tuple[bytes, str]:
    address = _ADDRESS.match(str(source))
    if address:
        raise InputError(
            f"This is an address ({address[1].lower()}), and nothing is fetched over a network. Download the file, "
            "look whether it is the right one, and give its path."
        )
    path = Path(source)
    shown = short_name(path.name)
    closed = InputError(f"The file '{shown}' cannot be opened. Check its name and your rights to read it.")
    with Retold(closed, OSError, ValueError):
        if not path.exists():
            raise InputError(f"There is no file '{shown}' at the path given. Check its name and folder.")
        if not is_plain_file(path):
            raise InputError(f"'{shown}' is a folder or a device, not a file. Give the path of the table itself.")
        limits.check_file(path.stat().st_size)
        return path.read_bytes(), path.name


def _is_pandas(source: Any) -> bool:
    """True where it is a table of pandas, which is not loaded to ask."""
    kind = type(source)
    return kind.__name__ == "DataFrame" and kind.__module__.partition(".")[0] == "pandas"
