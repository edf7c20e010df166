"""Rows in memory: as codes, as bit planes, or as both.

Large tables are kept as bit planes only, where those are smaller: counting needs no more, and codes are made of them
again for whoever asks.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np

from engine.data.digest import block_digests
from engine.data.planes import Planes, build_planes, plane_starts
from engine.data.store import Block, Question, Store, code_type, combined, decoded
from engine.execution import share, threads

LARGE = 32 << 20
"""Bytes of codes from which a table is kept as planes, if those are fewer bytes."""

_WORTH = 150_000.0
"""Nanoseconds of work that repay another thread, which costs some 30,000 to be told."""


class MemoryStore(Store):
    """Rows of this process.

    Parameters
    ----------
    arity : (p,) number of levels of each variable
    codes : (p, n) C-contiguous, unsigned and read-only, or None where there are planes
    planes : of the same rows, or None: packed when first needed
    """

    in_memory: ClassVar[bool] = True
    where: str = "in memory"

    def __init__(self, arity: np.ndarray, codes: np.ndarray | None, planes: Planes | None = None) -> None:
        self.arity = arity
        self._given, self._packed = codes, planes
        self.n_rows = int(codes.shape[1]) if codes is not None else planes.n_rows if planes is not None else 0
        self._decoded: weakref.ref[np.ndarray] | None = None

    @classmethod
    def of(cls, codes: np.ndarray, arity: np.ndarray) -> MemoryStore:
        """Codes as they are given, kept in the way that suits their size."""
        kind = code_type(arity)
        size = codes.size * np.dtype(kind).itemsize
        if size >= LARGE and planes_size(arity, codes.shape[1]) < size:
            return cls(arity, None, build_planes(codes, arity))
        if codes.flags.writeable or codes.dtype != kind or not codes.flags.c_contiguous:
            codes = np.array(codes, dtype=kind, order="C")
            codes.flags.writeable = False
        return cls(arity, codes)

    @property
    def codes(self) -> np.ndarray:
        """(p, n) unsigned codes; made of the planes where only those are kept, and then gone when nobody holds them."""
        if self._given is not None:
            return self._given
        result = self._decoded() if self._decoded is not None else None
        if result is None:
            result = decoded(self.planes, range(len(self.arity)), 0, self.n_rows)
            self._decoded = weakref.ref(result)
        return result

    def codes_of(self, which: Sequence[int] | np.ndarray) -> np.ndarray:
        """(k, n) unsigned codes of some variables."""
        return self.block.codes(which, 0, self.n_rows)

    @property
    def planes(self) -> Planes:
        """Bit planes of all variables, packed on first use and kept."""
        if self._packed is None:
            self._packed = build_planes(self.codes, self.arity)
        return self._packed

    @property
    def nbytes(self) -> int:
        """Bytes that the rows take as they are kept now."""
        given = 0 if self._given is None else self._given.nbytes
        return given + (0 if self._packed is None else self._packed.words.nbytes)

    @property
    def block(self) -> Block:
        """All rows."""
        return Block(self._packed or self._pack, self.arity, self.n_rows, self._given)

    def _pack(self) -> Planes:
        return self.planes

    def totals(self, function: Question, items: Sequence[Any], work: float = 0.0) -> list[Any]:
        """See `Store.totals`."""
        block = self.block
        n_threads = int(work * (block.last - block.first) / _WORTH)
        many = min(threads(), n_threads) if n_threads > 1 else 1
        if many < 2:
            return [function(block, item) for item in items]
        block.planes  # noqa: B018  # packed once, before several threads would each do it
        if len(items) >= 4 * many:
            ends = [len(items) * i // (4 * many) for i in range(4 * many + 1)]
            spans = list(pairwise(ends))
            result = share(lambda span: [function(block, item) for item in items[slice(*span)]], spans)
            return [answer for answers in result for answer in answers]
        result = share(lambda part: [function(part, item) for item in items], block.parts(min(2 * many, n_threads)))
        return list(combined(result))

    def select(self, positions: Sequence[int]) -> MemoryStore:
        """See `Store.select`; what is kept of the others goes when their data set goes."""
        which = np.asarray(positions, dtype=np.int64)
        if self._given is not None:
            return MemoryStore.of(locked(self._given[which]), self.arity[which])
        return MemoryStore(self.arity[which], None, _selected(self.planes, which))

    def some(self, rows: np.ndarray) -> np.ndarray:
        """See `Store.some`."""
        return self.block.some(rows)

    def digests(self) -> bytes:
        """See `Store.digests`."""
        return block_digests(self.block)

    def __getstate__(self) -> dict[str, Any]:
        """Codes travel to another process, or planes where there are no codes; never both."""
        packed = self._packed if self._given is None else None
        return {"arity": self.arity, "n_rows": self.n_rows, "_given": self._given, "_packed": packed, "_decoded": None}


def planes_size(arity: np.ndarray, rows: int) -> int:
    """Bytes that bit planes take."""
    return int(np.maximum(arity - 1, 0).sum()) * max(1, -(-rows // 64)) * 8


def _selected(planes: Planes, which: np.ndarray) -> Planes:
    arity = planes.arity[which]
    n_stored, starts = np.maximum(arity - 1, 0), plane_starts(arity)
    rows = np.repeat(planes.starts[which] - starts, n_stored) + np.arange(int(n_stored.sum()))
    return Planes(planes.words[rows], starts, arity, planes.n_rows)


def locked(codes: np.ndarray) -> np.ndarray:
    """Codes that were made just now, so that nobody else can write to them; from now on nobody can."""
    codes.flags.writeable = False
    return codes
