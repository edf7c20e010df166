"""Blocks are cut so that memory for one is bounded, however wide a table is; the bits are the same."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.data.digest import ROWS
from engine.data.memory_store import MemoryStore
from engine.data.planes import build_planes
from engine.data.store import code_type
from engine.data.stored import disk_store
from engine.data.stored.disk_store import BLOCK_ROWS, PlaneWriter, rows_together
from tests.engine.data.test_store import drawn


@given(st.integers(1, 20_000), st.integers(2, 300))
def test_memory_for_a_block_does_not_grow_with_the_table(variables: int, levels: int) -> None:
    """Planes and the codes that wait for them: 128 MiB, unless the fewest rows that a block may have take more."""
    arity = np.full(variables, levels)
    block, together = rows_together(arity)
    assert block % ROWS == 0
    assert ROWS <= block <= BLOCK_ROWS
    assert ROWS % together == 0
    assert together >= 64
    words = variables * (levels - 1) * block // 8
    codes = variables * together * np.dtype(code_type(arity)).itemsize
    assert codes <= 16 << 20
    assert words + codes <= 128 << 20 or block == ROWS


def test_tables_of_the_usual_width_keep_their_blocks() -> None:
    """A million rows of a hundred variables; of ten thousand as few as may be."""
    assert rows_together(np.full(100, 3)) == (BLOCK_ROWS, ROWS)
    assert rows_together(np.full(10_000, 3)) == (ROWS, 1024)
    assert rows_together(np.zeros(0, np.int64)) == (BLOCK_ROWS, ROWS)
    writer = PlaneWriter(io.BytesIO(), np.full(10_000, 3), ROWS)
    assert writer._words.nbytes + writer._codes.nbytes < 200 << 20


@pytest.mark.parametrize("rows", [1, 63, 4_097, ROWS + 70, 2 * ROWS])
def test_the_bits_are_those_of_codes_packed_at_once(rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is packed at a time."""
    arity = np.array([3, 2, 12])
    codes = drawn(arity.tolist(), rows, 3)
    monkeypatch.setattr(disk_store, "_CODES", 3 * 128)
    assert rows_together(arity)[1] == 128
    file = io.BytesIO()
    writer = PlaneWriter(file, arity, ROWS)
    for begin in range(0, rows, 5_000):
        writer.add(codes[:, begin : begin + 5_000])
    writer.end()
    parts = [build_planes(codes[:, begin : begin + ROWS], arity).words for begin in range(0, rows, ROWS)]
    assert file.getvalue() == b"".join(one.tobytes() for one in parts)
    assert writer.digests == MemoryStore(arity, codes).digests()
