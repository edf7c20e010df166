"""A small file that unpacks to very much text is refused by its column, before a letter is looked at."""

from __future__ import annotations

import io
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import engine
from engine import DataError
from engine.data.reading.limits import LONGEST_CELL


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
