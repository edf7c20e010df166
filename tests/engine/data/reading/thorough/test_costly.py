"""A small file that unpacks to very much is refused before it is read: texts by columns, workbooks by their parts."""

from __future__ import annotations

import io
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import engine
from engine import DataError
from engine.data.reading.foreign import last_read
from engine.data.reading.limits import LONGEST_CELL
from tests.hostile.containers import rezipped


def parquet(**columns: Any) -> bytes:
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, compression="brotli")
    return out.getvalue()


def test_two_kilobytes_with_fifty_million_letters() -> None:
    """No cell of a table is as long: the sentence names the column, before a letter is looked at."""
    content = parquet(x=["a" * 25_000_000, "b" * 25_000_000] * 10, group=["m", "f"] * 10)
    assert len(content) < 4_000
    with pytest.raises(DataError, match=f"'x' has a cell of more than {LONGEST_CELL:,} characters") as refused:
        engine.read_table(content, name="letters.parquet")
    assert refused.value.column == "x"


def test_what_size_or_structure_decides_costs_little() -> None:
    """A hundred megabytes of zeros, of unfinished elements, and of cells beyond all limits, each packed to little."""
    start, end = b"<worksheet><sheetData>", b"</sheetData></worksheet>"
    for content in (
        b"\0" * 100_000_000,
        start + b"<f" * 50_000_000,
        start + b"<row hidden " * 8_000_000,
        start + (b"<row>" + b"<c><v>0</v></c>" * 1_000 + b"</row>") * 21_000 + end,
    ):
        with pytest.raises(DataError, match=r"times its size|would take about|spans|damaged"):
            engine.read_table(rezipped({"xl/worksheets/sheet1.xml": content}), name="t.xlsx")
        used = last_read()
        assert used is not None
        assert used.cpu_seconds < 5
