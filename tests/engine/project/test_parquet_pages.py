"""Parquet without a library: what we write is what others read, and any byte of it may be another."""

from __future__ import annotations

import io

import numpy as np
import pyarrow.parquet as pq
import pytest

import engine
from engine.project.parquet_pages import columns_in, parquet_of, physical

KINDS = ["?", "i1", "u1", "<i2", "<u2", "<i4", "<u4", "<i8", "<u8", "<f2", "<f4", "<f8", ">i4", ">f8"]


def values(kind: str, rows: int) -> np.ndarray:
    """Numbers up to the ends of what a type holds."""
    dtype = np.dtype(kind)
    if dtype.kind == "b":
        return np.arange(rows) % 3 == 0
    if dtype.kind == "f":
        found = (np.arange(rows) / 7).astype(dtype)
        found[:3] = np.inf, -np.inf, np.nan
        return found
    ends = np.iinfo(dtype)
    return np.resize(np.array([ends.min, ends.max, 0, 1], dtype=dtype), rows)


@pytest.mark.parametrize("rows", [4, 5, 70_001])
@pytest.mark.parametrize("kind", KINDS)
def test_numbers_come_back_to_the_last_bit(kind: str, rows: int) -> None:
    """Of every type, over several pages, beside another column; and the library reads the same."""
    one, flags = values(kind, rows), np.arange(rows) % 2 == 0
    content = parquet_of({"x": one, "flag": flags})
    found = columns_in(content, ["x", "flag"], rows)
    assert found["x"].dtype == physical(one.dtype)
    again = found["x"].astype(one.dtype)
    assert again.tobytes() == one.tobytes()
    assert np.array_equal(found["flag"], flags)
    table = pq.read_table(io.BytesIO(content))
    assert np.array_equal(table["x"].to_numpy().astype(one.dtype), one, equal_nan=np.dtype(kind).kind == "f")
    assert parquet_of({"x": one, "flag": flags}) == content


def test_nothing_is_nothing() -> None:
    """No rows."""
    assert len(columns_in(parquet_of({"x": np.zeros(0)}), ["x"], 0)["x"]) == 0


def test_what_is_asked_for_must_be_there() -> None:
    """Names, their order, and how many rows."""
    content = parquet_of({"x": np.zeros(5), "y": np.zeros(5)})
    for names, rows, words in ((["x"], 5, "other columns"), (["y", "x"], 5, "other columns"), (["x", "y"], 4, "long")):
        with pytest.raises(engine.DataError, match=words):
            columns_in(content, names, rows)


def test_any_byte_may_be_another() -> None:
    """Every byte of a small file in turn, and every length: the values, other values, or one sentence."""
    content = parquet_of({"x": np.arange(6.0), "flag": np.arange(6) % 2 == 0})
    told = 0
    for place in range(len(content)):
        for other in (0, 1, 0x15, 0x7F, 0x80, 0xFF, content[place] ^ 1):
            changed = content[:place] + bytes([other]) + content[place + 1 :]
            try:
                found = columns_in(changed, ["x", "flag"], 6)
            except engine.DataError as error:
                told += 1
                assert str(error).endswith(".")
            else:
                assert {name: (one.shape, one.dtype.kind) for name, one in found.items()} == {
                    "x": ((6,), found["x"].dtype.kind),
                    "flag": ((6,), found["flag"].dtype.kind),
                }
    assert told > 500
    for length in range(len(content)):
        with pytest.raises(engine.DataError):
            columns_in(content[:length], ["x", "flag"], 6)
