"""The digest of a table: that of its rows wherever they are, and the old one for what was saved before."""

from __future__ import annotations

import numpy as np
import pytest
from xxhash import xxh3_128

import sample_data
from engine.data.digest import ROWS, block_digests
from engine.data.store import Block
from tests.engine.data.blocks import block_of
from tests.engine.data.test_store import drawn


def slow_digests(codes: np.ndarray, arity: list[int]) -> bytes:
    """Piece by piece, variable by variable, level by level, from codes alone."""
    found = b""
    for begin in range(0, codes.shape[1], ROWS):
        piece, whole = codes[:, begin : begin + ROWS], b""
        for row, r in zip(piece, arity, strict=True):
            if r > 9:
                whole += row.astype("<u1" if r <= 256 else "<u2").tobytes()
                continue
            for level in range(r - 1):
                bits = np.packbits(row == level, bitorder="little").tobytes()
                whole += bits + bytes(-len(bits) % 8)
        found += xxh3_128(whole).digest()
    return found


@pytest.mark.parametrize("rows", [1, 64, ROWS - 1, ROWS, ROWS + 1, 2 * ROWS + 70])
@pytest.mark.parametrize("arity", [[2, 3], [1, 9, 10], [300, 2], [300, 20]])
def test_digests_are_of_planes_or_of_codes_whichever_is_less(rows: int, arity: list[int]) -> None:
    """As a slow walk makes them, with codes kept or not."""
    codes = drawn(arity, rows, 1)
    expected = slow_digests(codes, arity)
    block = block_of(codes, np.array(arity))
    assert block_digests(block) == expected
    assert block_digests(Block(block.planes, block.arity, rows, codes)) == expected


def test_the_fingerprint_is_short_and_tells_whose_answer_it_is() -> None:
    """128 bits, of all rows."""
    data = sample_data.dataset("two_hospitals")
    assert len(data.fingerprint) == 32
    assert data.is_of(data.fingerprint)
    assert not data.is_of("0" * 32) and not data.is_of("0" * 64) and not data.is_of("")
    assert not data.rows(np.arange(9)).is_of(data.fingerprint)
