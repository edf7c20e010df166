"""A sheet as long as a sheet may be."""

from __future__ import annotations

from engine.data.reading.read import read_table
from tests.hostile.more_workbooks import sheet


def test_a_sheet_of_all_rows_is_no_bomb() -> None:
    """A sheet of 1,048,576 equal rows packs two hundredfold and is read all the same."""
    rows = b"".join(
        b'<row r="%d"><c r="A%d"><v>1</v></c><c r="B%d"><v>1</v></c></row>' % (i, i, i) for i in range(1, 1_048_577)
    )
    assert len(read_table(sheet(rows)(), header=None)) == 1_048_576
