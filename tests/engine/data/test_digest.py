"""The digest of a table: that of its rows wherever they are, and the old one for what was saved before."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest
from xxhash import xxh3_128

import sample_data
from engine.data import digest
from engine.data.dataset import Dataset
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


def test_the_fingerprint_is_short_and_the_old_one_can_be_had() -> None:
    """128 bits; the old digest is SHA-256 of schema and codes, and both tell whether an answer is of a table."""
    data = sample_data.dataset("two_hospitals")
    assert len(data.fingerprint) == 32 and len(data.fingerprint_sha256) == digest.OLD_DIGITS
    schema = {
        "names": data.names,
        "levels": [data.levels[name] for name in data.names],
        "kinds": [data.kinds[name] for name in data.names],
        "cuts": {name: list(data.cuts[name]) for name in sorted(data.cuts)},
        "shape": data.codes.shape,
        "type": data.codes.dtype.str,
    }
    plain = hashlib.sha256(json.dumps(schema).encode() + data.codes.tobytes()).hexdigest()
    assert data.fingerprint_sha256 == plain
    assert data.is_of(data.fingerprint) and data.is_of(plain)
    assert not data.is_of("0" * 32) and not data.is_of("0" * 64) and not data.is_of("")
    assert not data.rows(np.arange(9)).is_of(data.fingerprint)


def test_an_old_digest_is_worked_out_only_where_one_is_asked_about(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is slow."""
    data = Dataset.from_codes(np.array([[0, 1, 1]]), [2], ["a"])
    monkeypatch.setattr("engine.data.coded_table.fingerprint_sha256", lambda data: pytest.fail("worked out"))
    assert data.is_of(data.fingerprint) and not data.is_of("1" * 32)
