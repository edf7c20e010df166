"""Bit planes: one bit a row for every level of every variable, from which most counts are taken."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Planes:
    """One bit a row for every level of every variable but its last.

    Attributes
    ----------
    words : (sum of arities - p, W) uint64, bit b of word w is row 64 w + b
    starts : (p,) index in `words` of each variable's first plane
    arity : (p,) number of levels
    n_rows : rows; bits past them are zero
    """

    words: np.ndarray
    starts: np.ndarray
    arity: np.ndarray
    n_rows: int


def build_planes(codes: np.ndarray, arity: np.ndarray) -> Planes:
    """Bit planes of (p, n) codes."""
    p, n = codes.shape
    width = max(1, -(-n // 64))
    kept = np.maximum(arity - 1, 0)
    starts = np.concatenate([[0], np.cumsum(kept)[:-1]]).astype(np.int64) if p else np.zeros(0, np.int64)
    bits = np.zeros((int(kept.sum()), width * 8), dtype=np.uint8)
    for i in range(p):
        for level in range(kept[i]):
            packed = np.packbits(codes[i] == level, bitorder="little")
            bits[starts[i] + level, : packed.size] = packed
    return Planes(bits.view("<u8"), starts, arity, n)
