"""Bit planes: one bit a row for every level of every variable, from which most counts are taken."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

_AT_ONCE = 1 << 18  # codes of short variables that are packed at once: they and their bits fit the second-level cache
_LONG = 1 << 16  # rows from which a variable is packed by itself


@dataclass(frozen=True, eq=False)
class Planes:
    """One bit a row for every level of every variable but its last.

    Attributes
    ----------
    words : (sum of arities - p, W) uint64, bit b of word w is row 64 w + b
    starts : (p,) index in `words` of each variable's first plane
    arity : (p,) number of levels
    n_rows : rows; bits past them are zero
    shown : (sum of arities - p,) how many bits of a plane are set, -1 while nobody has counted them; whoever counts a
        whole plane writes it here
    """

    words: np.ndarray
    starts: np.ndarray
    arity: np.ndarray
    n_rows: int

    @cached_property
    def shown(self) -> np.ndarray:
        return np.full(len(self.words), -1, dtype=np.int64)


def plane_starts(arity: np.ndarray) -> np.ndarray:
    """(p,) index of each variable's first plane."""
    n_stored = np.maximum(arity - 1, 0)
    return np.cumsum(n_stored, dtype=np.int64) - n_stored


def build_planes(codes: np.ndarray, arity: np.ndarray) -> Planes:
    """Bit planes of (p, n) codes.

    Short variables are packed together, since a call costs more than their rows; long ones one by one, so that what is
    made on the way stays in the caches.
    """
    p, n = codes.shape
    width = max(1, -(-n // 64))
    n_stored, starts = np.maximum(arity - 1, 0), plane_starts(arity)
    bits = np.zeros((int(n_stored.sum()), width * 8), dtype=np.uint8)
    if n > _LONG:
        _pack_long(codes, starts.tolist(), n_stored.tolist(), bits)
    elif n:
        together = _AT_ONCE // n
        for begin in range(0, p, together):
            some = slice(begin, begin + together)
            _pack_short(codes[some], starts[some], n_stored[some], bits)
    return Planes(bits.view("<u8"), starts, arity, n)


def _pack_long(codes: np.ndarray, starts: list[int], n_stored: list[int], bits: np.ndarray) -> None:
    n = codes.shape[1]
    size, same = -(-n // 8), np.empty(n, dtype=bool)
    for row, start, levels in zip(codes, starts, n_stored, strict=True):
        for level in range(levels):
            plane = bits[start + level]
            if level:
                plane[:size] = np.packbits(np.equal(row, level, out=same), bitorder="little")
            else:  # level 0: where no bit would be set, as packing sets it for any other number
                np.invert(np.packbits(row, bitorder="little"), out=plane[:size])
                plane[size - 1] &= 0xFF >> (-n % 8)


def _pack_short(codes: np.ndarray, starts: np.ndarray, n_stored: np.ndarray, bits: np.ndarray) -> None:
    for level in range(int(n_stored.max())):
        which = np.flatnonzero(n_stored > level)
        rows = codes if len(which) == len(codes) else codes[which]
        packed = np.packbits(rows == level, axis=1, bitorder="little")
        bits[starts[which] + level, : packed.shape[1]] = packed
