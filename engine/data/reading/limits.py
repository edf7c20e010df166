"""How large a file may be, and the sentences that refuse a larger one."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import DataError

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Limits:
    """Sizes that are accepted; every one is checked before the work it guards.

    Attributes
    ----------
    file_bytes : of the file as it is
    unpacked_bytes : of all members of a container (.xlsx) or of all columns (Parquet) once unpacked
    ratio : unpacked over packed size of a container, looked at from 10 MB on
    members : files inside a container
    rows, columns : of the table
    cells : rows times columns
    sheet_cells : cells of the rectangle a worksheet spans, empty ones included
    """

    file_bytes: int = 200 * MEGABYTE
    unpacked_bytes: int = 500 * MEGABYTE
    ratio: float = 200.0
    members: int = 1_000
    rows: int = 5_000_000
    columns: int = 1_000
    cells: int = 200_000_000
    sheet_cells: int = 20_000_000

    def check_file(self, size: int) -> None:
        """`DataError` when a file of `size` bytes is too large."""
        if size > self.file_bytes:
            raise DataError(
                f"The file has {size / MEGABYTE:,.0f} MB; the limit is {self.file_bytes / MEGABYTE:,.0f} MB. "
                "Keep only the columns and rows you need, or save it as Parquet."
            )

    def check_unpacked(self, packed: int, unpacked: int, members: int) -> None:
        """`DataError` when a container would unpack to too much; called before anything is unpacked."""
        if members > self.members:
            raise DataError(
                f"The file is a container of {members:,} parts; the limit is {self.members:,}. "
                "Save the one table you need as a file of its own."
            )
        if unpacked > self.unpacked_bytes:
            raise DataError(
                f"The file would unpack to {unpacked / MEGABYTE:,.0f} MB; the limit is "
                f"{self.unpacked_bytes / MEGABYTE:,.0f} MB. Save the table as CSV or Parquet instead."
            )
        if unpacked > 10 * MEGABYTE and unpacked > self.ratio * max(packed, 1):
            raise DataError(
                f"The file would unpack to {unpacked / max(packed, 1):,.0f} times its size, which no "
                "ordinary table does, so it is not opened. Save the table as CSV instead."
            )

    def check_shape(self, rows: int, columns: int) -> None:
        """`DataError` when the table has too many columns, rows or cells."""
        if columns > self.columns:
            raise DataError(
                f"The table has {columns:,} columns; the limit is {self.columns:,}. "
                "Keep the variables you want to compare and leave out the rest."
            )
        if rows > self.rows:
            raise DataError(
                f"The table has {rows:,} rows; the limit is {self.rows:,}. Keep fewer rows, "
                "for example a random part of them."
            )
        if rows * columns > self.cells:
            raise DataError(
                f"The table has {rows:,} rows of {columns:,} columns, {rows * columns:,} cells; "
                f"the limit is {self.cells:,}. Keep fewer columns or rows."
            )

    def check_sheet(self, rows: int, columns: int) -> None:
        """`DataError` when a worksheet spans too large a rectangle."""
        self.check_shape(min(rows, self.rows), 1)
        if rows * columns > self.sheet_cells:
            raise DataError(
                f"The worksheet spans {rows:,} rows by {columns:,} columns; the limit is "
                f"{self.sheet_cells:,} cells. Delete stray cells far from the table, or save it as CSV."
            )
