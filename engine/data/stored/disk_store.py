"""Rows on disk: bit planes in one file, block after block, of which a pass over the rows maps one at a time and thread.

A block holds all planes of some rows side by side, so a pass reads the file from front to back, and what is asked of a
few variables touches only their planes. What is mapped is given back before the next block is.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, ClassVar, NamedTuple

import numpy as np

from engine.data.digest import ROWS, block_digests
from engine.data.planes import Planes, build_planes, plane_starts
from engine.data.store import Block, Question, Store, code_type, combined, count_blocks, report_block
from engine.data.stored.folder import Folder
from engine.errors import InputError
from engine.execution import share, threads

PLANES = "planes.bin"
"""The file of the planes: little-endian words of 64 rows."""
MANIFEST = "table.json"
"""Read what a kept folder says of its rows."""


class Layout(NamedTuple):
    """Layout of the file of the planes.

    Attributes
    ----------
    rows : of the whole table
    block_rows : of every block but the last, which may have fewer
    arity : levels of every variable in the file
    """

    rows: int
    block_rows: int
    arity: tuple[int, ...]

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return -(-self.rows // self.block_rows)

    @property
    def planes(self) -> int:
        """Number of planes of a block."""
        return sum(max(r - 1, 0) for r in self.arity)

    def rows_of(self, block: int) -> int:
        """Number of rows of a block."""
        return min(self.block_rows, self.rows - block * self.block_rows)

    def place(self, block: int) -> tuple[int, int]:
        """Where a block begins in the file, and its bytes."""
        begin = block * self.planes * (self.block_rows // 64) * 8
        return begin, self.planes * -(-self.rows_of(block) // 64) * 8

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return sum(self.place(self.blocks - 1)) if self.rows else 0


class DiskStore(Store):
    """Rows of a folder that `engine.data.stored` has written.

    Parameters
    ----------
    folder : where the file is; it stays as long as a store needs it, but for those that were copied by `pickle` or
        `copy.deepcopy`: these are told that it has gone
    layout : of the file
    positions : the variables that are meant, in their order; all where None
    digests : of all rows with all variables, where they are known
    """

    in_memory: ClassVar[bool] = False
    where: str = "on disk"

    def __init__(
        self,
        folder: Folder,
        layout: Layout,
        positions: Sequence[int] | np.ndarray | None = None,
        digests: bytes = b"",
    ) -> None:
        self.folder, self.layout, self._digests = folder, layout, digests
        every = np.array(layout.arity, dtype=np.int64)
        self.positions = np.arange(len(every)) if positions is None else np.asarray(positions, dtype=np.int64)
        self.arity = every[self.positions]
        self.n_rows = layout.rows
        self._starts = plane_starts(every)[self.positions]

    @property
    def path(self) -> Path:
        """The file of the planes."""
        return self.folder.path / PLANES

    def block(self, number: int) -> Block:
        """One block, mapped as long as somebody holds it."""
        begin, size = self.layout.place(number)
        rows = self.layout.rows_of(number)
        shape = (self.layout.planes, -(-rows // 64))
        if not size:
            words = np.zeros(shape, dtype="<u8")
        else:
            before = begin % mmap.ALLOCATIONGRANULARITY
            with self._opened() as file:
                # private and writable: kernels are compiled for arrays that can be written to, and nobody writes
                pages = mmap.mmap(file.fileno(), size + before, access=mmap.ACCESS_COPY, offset=begin - before)
            words = np.frombuffer(pages, dtype="<u8", offset=before, count=size // 8).reshape(shape)
        return Block(Planes(words, self._starts, self.arity, rows), self.arity, rows)

    def _opened(self) -> Any:
        try:
            file = self.path.open("rb")
        except OSError:
            raise InputError(
                f"The rows of this data set were in '{self.path.parent.name}', and are not there any more; "
                "read the table again."
            ) from None
        if os.fstat(file.fileno()).st_size != self.layout.size:
            file.close()
            raise InputError(f"'{self.path.name}' of this data set has changed its size; read the table again.")
        return file

    def totals(self, function: Question, items: Sequence[Any], work: float = 0.0) -> list[Any]:
        """See `Store.totals`."""
        if not len(items):
            return []
        numbers = iter(range(self.layout.blocks))  # every thread takes the next block

        def taken() -> Iterator[Block]:
            for number in numbers:
                yield self.block(number)
                report_block(number, self.layout.blocks)

        def count(_: int) -> list[Any] | None:
            return count_blocks(taken(), function, items)

        parts = share(count, range(min(threads(), self.layout.blocks)))
        return list(combined([part for part in parts if part is not None]))

    def select(self, positions: Sequence[int]) -> DiskStore:
        """See `Store.select`; the file stays as it is."""
        return DiskStore(self.folder, self.layout, self.positions[np.asarray(positions, dtype=np.int64)])

    def some(self, rows: np.ndarray) -> np.ndarray:
        """See `Store.some`."""
        rows = np.asarray(rows, dtype=np.int64)
        result = np.empty((len(self.arity), len(rows)), dtype=code_type(self.arity))
        numbers = rows // self.layout.block_rows
        for number in np.unique(numbers).tolist():
            here = np.flatnonzero(numbers == number)
            result[:, here] = self.block(number).some(rows[here] - number * self.layout.block_rows)
        return result

    def digests(self) -> bytes:
        """See `Store.digests`."""
        if not self._digests:
            result = share(lambda number: block_digests(self.block(number)), range(self.layout.blocks))
            self._digests = b"".join(result)
        return self._digests

    def adopt(self) -> None:
        """Let what another process has written and kept go with this store."""
        self.folder.adopt((PLANES, MANIFEST))

    def close(self) -> None:
        """Remove what was written, unless it is to be kept."""
        self.folder.remove()


BLOCK_ROWS = 1 << 20
"""Rows of a block: what a thread maps at a time, 25 MB at a hundred variables of three levels."""
_WORDS, _CODES = 112 << 20, 16 << 20
"""Bytes that a block's planes and the codes that wait for it may take, as long as it has `ROWS` rows and they 64."""


def rows_together(arity: np.ndarray) -> tuple[int, int]:
    """Rows of a block, and rows packed at a time: fewer where variables are many."""
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
    block_rows : of every block but the last; a multiple of `engine.data.digest.ROWS`, see `rows_together`
    variables : how many of these are variables, all where None; after them stands what is kept beside

    Attributes
    ----------
    rows : that were handed in so far
    digests, beside : of the variables, and of what is beside them, see `engine.data.digest.block_digests`
    """

    def __init__(self, file: IO[bytes], arity: np.ndarray, block_rows: int, variables: int | None = None) -> None:
        together = rows_together(arity)[1]
        self.block_rows = block_rows
        self._file, self._arity = file, arity
        self._codes = np.empty((len(arity), together), dtype=code_type(arity))
        self._waiting = 0
        self._starts = plane_starts(arity)
        self._words = np.zeros((int(np.maximum(arity - 1, 0).sum()), block_rows // 64), dtype="<u8")
        self._packed = 0
        self.rows = 0
        self._variables = len(arity) if variables is None else variables
        self.digests = self.beside = b""

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
        self.digests += self._digest(words, slice(self._variables))
        if self._variables < len(self._arity):
            self.beside += self._digest(words, slice(self._variables, None))
        whole = words.flags.c_contiguous  # else the last block: narrower, and not copied to be written
        for some in [words] if whole else words:
            self._file.write(some.data)
        self._packed = 0

    def _digest(self, words: np.ndarray, which: slice) -> bytes:
        starts, arity = self._starts[which], self._arity[which]
        return block_digests(Block(Planes(words, starts, arity, self._packed), arity, self._packed))
