"""What a reader is given beside the file: how large it may be, what the user has decided, whom to tell of progress."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from engine.data.reading.name_rows import AUTO, WAYS, Way
from engine.errors import InputError

MEGABYTE = 1_000_000
LONGEST_CELL = 131_072
"""Characters of a cell, or bytes where it is stored so; what is longer is no value of a table."""
_LINES_BESIDE = 1_000
"""Lines of a text that are no rows: titles, the header, blank ones."""
_FEWER = "Keep fewer rows or columns"
_REMEDIES = {
    "text table": f"{_FEWER}, or save it as Parquet.",
    "Parquet file": f"{_FEWER}.",
    "network file": "Keep fewer variables and edges, or save it as an edge list.",
    "table": f"{_FEWER}.",
}


def remedy(kind: str) -> str:
    """Say what to do about a file of this kind ("workbook", "text table") that is too much for its reader."""
    return _REMEDIES.get(kind, f"{_FEWER}, or save it as CSV.")


@dataclass(frozen=True)
class Limits:
    """Sizes that are accepted; every one is checked before the work it guards.

    Attributes
    ----------
    file_bytes : of the file as it is
    unpacked_bytes : of all members of a container (.xlsx, .ods), or of a compressed text, once unpacked
    ratio : unpacked over packed size of a container's part that holds next to no cells, looked at from 10 MB on
    members : files inside a container
    rows, columns : of the table; a text has no more lines than a table may have rows, and a few
    cells : rows times columns
    sheet_cells : cells of the rectangle a worksheet spans, empty ones included
    memory_bytes : that the process which reads may take, beyond what it begins with
    seconds : of a processor that it may take; three times as many on the clock
    """

    file_bytes: int = 500 * MEGABYTE
    unpacked_bytes: int = 1_000 * MEGABYTE
    ratio: float = 200.0
    members: int = 1_000
    rows: int = 20_000_000
    columns: int = 12_000
    cells: int = 200_000_000
    sheet_cells: int = 20_000_000
    memory_bytes: int = 2_000 * MEGABYTE
    seconds: int = 300

    def told(self) -> str:
        """Say how large a table may be, as a part of a sentence."""
        return f"{self.rows // 1_000_000} million rows and {self.columns:,} columns"

    def check_file(self, size: int) -> None:
        """`DataError` when a file of `size` bytes is too large."""
        if size > self.file_bytes:
            raise InputError(
                f"The file has {size / MEGABYTE:,.0f} MB; the limit is {self.file_bytes / MEGABYTE:,.0f} MB. "
                "Keep only the columns and rows you need, or save it as Parquet."
            )

    def check_unpacked(self, unpacked: int, members: int) -> None:
        """`DataError` when a container would unpack to too much; called before anything is unpacked."""
        if members > self.members:
            raise InputError(
                f"The file is a container of {members:,} parts; the limit is {self.members:,}. "
                "Save the one table you need as a file of its own."
            )
        if unpacked > self.unpacked_bytes:
            raise InputError(
                f"The file would unpack to {unpacked / MEGABYTE:,.0f} MB; the limit is "
                f"{self.unpacked_bytes / MEGABYTE:,.0f} MB. Save the table as CSV or Parquet instead."
            )

    def check_ratio(self, packed: int, unpacked: int, cells: int, seen: int) -> None:
        """`DataError` when a part of a container is next to nothing blown up; a real sheet has cells to show for it, as
        many as were found in what is `seen` of it.
        """
        blown_up = min(unpacked, seen) > 10 * MEGABYTE and unpacked > self.ratio * max(packed, 1)
        if blown_up and seen > 1_000 * cells:
            raise InputError(
                f"The file would unpack to {unpacked / max(packed, 1):,.0f} times its size, which no "
                "ordinary table does, so it is not opened. Save the table as CSV instead."
            )

    def check_memory(self, kind: str, size: int) -> None:
        """`DataError` when reading would take more memory than it may, told before it is begun."""
        if size > self.memory_bytes:
            raise InputError(
                f"Reading this {kind} would take about {size / MEGABYTE:,.0f} MB of memory; one read may use "
                f"{self.memory_bytes / MEGABYTE:,.0f} MB. {remedy(kind)}"
            )

    def check_shape(self, rows: int, columns: int) -> None:
        """`DataError` when the table has too many columns, rows or cells."""
        if columns > self.columns:
            raise InputError(
                f"The table has {columns:,} columns; the limit is {self.columns:,}. "
                "Keep the variables you want to compare and leave out the rest."
            )
        if rows > self.rows:
            raise InputError(
                f"The table has {rows:,} rows; the limit is {self.rows:,}. Keep fewer rows, "
                "for example a random part of them."
            )
        if rows * columns > self.cells:
            raise InputError(
                f"The table has {rows:,} rows of {columns:,} columns, {rows * columns:,} cells; "
                f"the limit is {self.cells:,}. Keep fewer columns or rows."
            )

    def check_lines(self, lines: int) -> None:
        """`DataError` when a text has too many lines for a table; counted before any is read."""
        if lines > self.rows + _LINES_BESIDE:
            raise InputError(
                f"The text has at least {lines:,} lines; the limit is {self.rows:,} rows. Keep fewer rows, "
                "for example a random part of them."
            )

    def check_sheet(self, rows: int, columns: int) -> None:
        """`DataError` when a worksheet spans too large a rectangle."""
        self.check_shape(min(rows, self.rows), 1)
        if rows * columns > self.sheet_cells:
            raise InputError(
                f"The worksheet spans {rows:,} rows by {columns:,} columns; the limit is "
                f"{self.sheet_cells:,} cells. Delete stray cells far from the table, or save it as CSV."
            )


Progress = Callable[[float], None]
"""Told the fraction that is read."""


def silent(fraction: float) -> None:
    """Progress that nobody is told of."""


@dataclass(frozen=True)
class Choices:
    """Choices that a user may make instead of the reader; None or "auto" leaves them to the reader.

    Attributes
    ----------
    delimiter : one character;  decimal : "." or ",";  encoding : a codec name
    header : "auto", the 1-based line of the header, or None for a table without one
    skip_rows : lines at the top to pass over
    sheet : name or 0-based position of the worksheet
    missing : texts that count as missing; an empty cell always does
    name_rows : what becomes of names in two rows: "auto", "join", "end" (joined, a group ends where its answers
        do), "lower", "upper", "label", or "one" for none such
    skip_last : rows at the end to pass over, blank ones counted; "auto" for those that are none of the table
    """

    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    header: int | Literal["auto"] | None = "auto"
    skip_rows: int = 0
    sheet: str | int | None = None
    missing: tuple[str, ...] | None = None
    name_rows: Way = AUTO
    skip_last: int | Literal["auto"] = "auto"

    def __post_init__(self) -> None:
        if self.delimiter is not None and (len(self.delimiter) != 1 or self.delimiter in '\r\n"'):
            raise InputError("The separator must be one character, such as ',' or ';'; for a tab give '\\t'.")
        if self.decimal not in (None, ".", ","):
            raise InputError("The decimal mark must be '.' or ','.")
        if self.decimal is not None and self.decimal == self.delimiter:
            raise InputError("The separator and the decimal mark cannot be the same character.")
        if isinstance(self.missing, str):
            raise InputError("Give the missing tokens as a list of texts, not as one text.")
        if not (self.header in ("auto", None) or (isinstance(self.header, int) and self.header >= 1)):
            raise InputError("The header must be a line number from 1 on, None for no header, or 'auto'.")
        whole = isinstance(self.skip_last, int) and not isinstance(self.skip_last, bool) and self.skip_last >= 0
        if not (whole or self.skip_last == AUTO):
            raise InputError("'skip_last' must be how many rows at the end are passed over, or 'auto'.")
        if self.name_rows not in WAYS:
            raise InputError(f"'name_rows' can be {', '.join(WAYS)}.")
