"""Codes that come in pieces, written as blocks of bit planes."""

from __future__ import annotations

from typing import IO

import numpy as np

from engine.data.digest import ROWS, block_digests
from engine.data.planes import Planes, build_planes
from engine.data.store import Block, code_type

BLOCK_ROWS = 1 << 20
"""Rows of a block: what a thread maps at a time, 25 MB at a hundred variables of three levels."""
_WORDS, _CODES = 112 << 20, 16 << 20
"""Bytes that a block's planes and the codes that wait for it may take, as long as it has `ROWS` rows and they 64."""


def rows_together(arity: np.ndarray) -> tuple[int, int]:
    """How many rows a block has, and how many are packed at a time: fewer where variables are many."""
    planes = int(np.maximum(arity - 1, 0).sum())
    block = min(BLOCK_ROWS, 8 * _WORDS // max(planes, 1))
    fit = _CODES // max(len(arity) * np.dtype(code_type(arity)).itemsize, 1)
    return max(block // ROWS * ROWS, ROWS), min(max(1 << fit.bit_length() >> 1, 64), ROWS)


class PlaneWriter:
    """Writes rows to a file; memory for one block is all it takes.

    Parameters
    ----------
    file : open for writing
    arity : (p,) number of levels
    block_rows : a multiple of `engine.data.digest.ROWS`; see `rows_together` where None

    Attributes
    ----------
    block_rows : of every block but the last
    rows : that were handed in so far
    digests : of the blocks that are written, see `engine.data.digest.block_digests`
    """

    def __init__(self, file: IO[bytes], arity: np.ndarray, block_rows: int | None = None) -> None:
        usual, together = rows_together(arity)
        self.block_rows = usual if block_rows is None else block_rows
        self._file, self._arity = file, arity
        self._codes = np.empty((len(arity), together), dtype=code_type(arity))
        self._waiting = 0
        kept = np.maximum(arity - 1, 0)
        self._starts = np.cumsum(kept) - kept
        self._words = np.zeros((int(kept.sum()), self.block_rows // 64), dtype="<u8")
        self._packed = 0
        self.rows = 0
        self.digests = b""

    def add(self, codes: np.ndarray) -> None:
        """Take (p, m) codes."""
        self.rows += codes.shape[1]
        begin, together = 0, self._codes.shape[1]
        while begin < codes.shape[1]:
            many = min(codes.shape[1] - begin, together - self._waiting)
            self._codes[:, self._waiting : self._waiting + many] = codes[:, begin : begin + many]
            self._waiting += many
            begin += many
            if self._waiting == together:
                self._pack()

    def end(self) -> None:
        """Write what is left."""
        if self._waiting:
            self._pack()
        if self._packed:
            self._write()
        self._file.flush()

    def _pack(self) -> None:
        first = self._packed // 64
        words = build_planes(self._codes[:, : self._waiting], self._arity).words
        self._words[:, first : first + words.shape[1]] = words
        self._packed += self._waiting
        self._waiting = 0
        if self._packed == self.block_rows:
            self._write()

    def _write(self) -> None:
        words = self._words[:, : -(-self._packed // 64)]
        self.digests += block_digests(
            Block(Planes(words, self._starts, self._arity, self._packed), self._arity, self._packed)
        )
        whole = words.flags.c_contiguous  # else the last block: narrower, and not copied to be written
        for some in [words] if whole else words:
            self._file.write(some.data)
        self._packed = 0
