"""Codes that come in pieces, written as blocks of bit planes."""

from __future__ import annotations

from typing import IO

import numpy as np

from engine.data.digest import ROWS, block_digests
from engine.data.planes import Planes, build_planes
from engine.data.store import Block, code_type

BLOCK_ROWS = 1 << 20
"""Rows of a block: what a thread maps at a time, 25 MB at a hundred variables of three levels."""


class PlaneWriter:
    """Writes rows to a file; memory for one block is all it takes.

    Parameters
    ----------
    file : open for writing
    arity : (p,) number of levels
    block_rows : a multiple of `engine.data.digest.ROWS`

    Attributes
    ----------
    rows : that were handed in so far
    digests : of the blocks that are written, see `engine.data.digest.block_digests`
    """

    def __init__(self, file: IO[bytes], arity: np.ndarray, block_rows: int = BLOCK_ROWS) -> None:
        self._file, self._arity, self._block_rows = file, arity, block_rows
        self._codes = np.empty((len(arity), ROWS), dtype=code_type(arity))
        self._waiting = 0
        kept = np.maximum(arity - 1, 0)
        self._starts = np.cumsum(kept) - kept
        self._words = np.zeros((int(kept.sum()), block_rows // 64), dtype="<u8")
        self._packed = 0
        self.rows = 0
        self.digests = b""

    def add(self, codes: np.ndarray) -> None:
        """Take (p, m) codes."""
        self.rows += codes.shape[1]
        begin = 0
        while begin < codes.shape[1]:
            many = min(codes.shape[1] - begin, ROWS - self._waiting)
            self._codes[:, self._waiting : self._waiting + many] = codes[:, begin : begin + many]
            self._waiting += many
            begin += many
            if self._waiting == ROWS:
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
        if self._packed == self._block_rows:
            self._write()

    def _write(self) -> None:
        words = self._words
        if self._packed < self._block_rows:
            words = np.ascontiguousarray(words[:, : -(-self._packed // 64)])
        self.digests += block_digests(
            Block(Planes(words, self._starts, self._arity, self._packed), self._arity, self._packed)
        )
        words.tofile(self._file)
        self._packed = 0
