"""Where the rows of a data set are: a store answers questions about them block by block.

Counts add. So whoever wants to know something of all rows hands a function of one block to `Store.totals`, which asks
it of every block, wherever that is, and puts the answers together: arrays are added, observed cells merged in order.
The bits are the same however the rows are cut and in whatever order the blocks are done.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple

import numpy as np

from engine.data.planes import Planes
from engine.errors import DataError, InputError
from engine.execution import Progress

Question = Callable[["Block", Any], Any]
"""A function of a block and an item: of a module, so that it can be sent to another process."""

_MOST_FETCHED = 64 << 20
"""Bytes of codes that are fetched from far away."""


class Cells(NamedTuple):
    """Cells that rows have, and how many rows.

    Attributes
    ----------
    keys : (J, c) int64, each once, rising: first column first
    counts : (J,) int64
    """

    keys: np.ndarray
    counts: np.ndarray


class Block:
    """Rows that lie side by side, of all variables of a data set.

    Attributes
    ----------
    arity : (p,) number of levels of each variable
    n_rows : rows in `words`; bits past them are zero
    first, last : the words that are meant, `last` not included; the others belong to somebody else's part
    given : (p, n_rows) codes where they are kept beside the planes, else None
    """

    def __init__(
        self,
        planes: Planes | Callable[[], Planes],
        arity: np.ndarray,
        n_rows: int,
        given: np.ndarray | None = None,
        words: tuple[int, int] | None = None,
    ) -> None:
        self._planes = planes
        self.arity, self.n_rows, self.given = arity, n_rows, given
        self.first, self.last = (0, max(1, -(-n_rows // 64))) if words is None else words

    @property
    def planes(self) -> Planes:
        """The planes of these rows, packed now where they are not yet."""
        if not isinstance(self._planes, Planes):
            self._planes = self._planes()
        return self._planes

    @property
    def words(self) -> np.ndarray:
        """(planes, W) uint64; other variables' planes may be among them, so go by `starts`."""
        return self.planes.words

    @property
    def starts(self) -> np.ndarray:
        """(p,) the first plane of each variable."""
        return self.planes.starts

    @property
    def rows(self) -> tuple[int, int]:
        """The rows that are meant, the last not included."""
        return self.first * 64, min(self.last * 64, self.n_rows)

    def parts(self, many: int, step: int = 512) -> list[Block]:
        """The same rows in about equal pieces.

        Parameters
        ----------
        many : how many pieces, if the rows suffice
        step : words that stay together
        """
        steps = -(-(self.last - self.first) // step)
        ends = [min(self.first + step * (steps * i // many), self.last) for i in range(many)] + [self.last]
        return [
            Block(self.planes, self.arity, self.n_rows, self.given, (begin, end))
            for begin, end in pairwise(ends)
            if begin < end
        ]

    def codes(self, variables: Sequence[int] | np.ndarray, begin: int, end: int) -> np.ndarray:
        """(k, m) unsigned codes of some variables.

        Parameters
        ----------
        variables : k positions
        begin, end : rows, the first a multiple of 64, the last not included
        """
        if self.given is not None:
            return self.given[np.asarray(variables, dtype=np.int64), begin:end]
        return decoded(self.planes, variables, begin, end)

    def some(self, rows: np.ndarray) -> np.ndarray:
        """(p, k) unsigned codes of some rows, by their numbers from 0 in any order."""
        return picked(self.planes, rows) if self.given is None else self.given.take(rows, axis=1)


def code_type(arity: np.ndarray) -> type[np.unsignedinteger[Any]]:
    """The smallest unsigned type that holds codes of variables with so many levels."""
    widest = int(arity.max(initial=1))
    return np.uint8 if widest <= 256 else np.uint16 if widest <= 65536 else np.uint32


def decoded(planes: Planes, variables: Sequence[int] | np.ndarray, begin: int, end: int) -> np.ndarray:
    """Codes made of planes again.

    Parameters
    ----------
    planes : of the rows
    variables : k positions
    begin, end : rows, the first a multiple of 64, the last not included

    Returns
    -------
    (k, end - begin) unsigned codes
    """
    many = end - begin
    which = np.asarray(variables, dtype=np.int64)
    kind = code_type(planes.arity)
    result = np.empty((len(which), many), dtype=kind)
    words = slice(begin // 64, begin // 64 + -(-many // 64))
    for row, x in zip(result, which.tolist(), strict=True):
        last = max(int(planes.arity[x]) - 1, 0)
        row[:] = last  # what no plane shows
        for level in range(last):
            plane = np.ascontiguousarray(planes.words[planes.starts[x] + level, words]).view(np.uint8)
            bits = np.unpackbits(plane, count=many, bitorder="little")
            row -= bits if last - level == 1 else bits * kind(last - level)
    result.flags.writeable = False  # as all codes are: kernels are compiled for those
    return result


def picked(planes: Planes, rows: np.ndarray) -> np.ndarray:
    """Codes of some rows.

    Parameters
    ----------
    planes : of a block
    rows : (k,) numbers from 0, in any order

    Returns
    -------
    (p, k) unsigned codes
    """
    kind = code_type(planes.arity)
    result = np.empty((len(planes.arity), len(rows)), dtype=kind)
    if len(rows) * 8 > planes.n_rows:  # quicker to unpack all, one variable after the other
        for x in range(len(result)):
            result[x] = decoded(planes, [x], 0, planes.n_rows)[0].take(rows)
        return result
    word, bit = rows // 64, (rows % 64).astype(np.uint64)
    for x, row in enumerate(result):
        last = max(int(planes.arity[x]) - 1, 0)
        row[:] = last
        for level in range(last):
            shown = planes.words[planes.starts[x] + level, word] >> bit & np.uint64(1)
            row -= shown.astype(kind) * kind(last - level)
    return result


def combined(outcomes: Sequence[Any]) -> Any:
    """Add what several blocks answered, as if they were one.

    Parameters
    ----------
    outcomes : at least one: arrays, which are added; `Cells`, which are merged; lists or tuples of these; or None

    Returns
    -------
    the same of all rows
    """
    first = outcomes[0]
    if first is None or len(outcomes) == 1:
        return first
    if isinstance(first, Cells):
        return _merged(outcomes)
    if isinstance(first, np.ndarray):
        total = first + outcomes[1]  # a new array: what came from elsewhere may be read-only
        for outcome in outcomes[2:]:
            total += outcome
        return total
    return type(first)(combined(items) for items in zip(*outcomes, strict=True))


def count_blocks(blocks: Iterable[Block], function: Question, items: Sequence[Any]) -> list[Any] | None:
    """Call a function on some blocks together, for each of some items; None where there is no block."""
    total: list[Any] | None = None
    for block in blocks:
        result = [function(block, item) for item in items]
        total = result if total is None else combined([total, result])
    return total


_watched: ContextVar[tuple[Progress, str, int] | None] = ContextVar("watched", default=None)


@contextmanager
def watched_pass(progress: Progress, words: str) -> Iterator[None]:
    """Report how many blocks are done of the pass that is made inside, in this thread alone: it may be cancelled there.

    Parameters
    ----------
    progress : the callback of this pass
    words : what is counted
    """
    token = _watched.set((progress, words, threading.get_ident()))
    try:
        yield
    finally:
        _watched.reset(token)


def report_block(number: int, blocks: int) -> None:
    """Say that a block of a pass is done, where somebody watches it and this is his thread.

    Parameters
    ----------
    number, blocks : which one, from 0, and of how many
    """
    watched = _watched.get()
    if watched is not None and watched[2] == threading.get_ident():
        progress, words, _ = watched
        progress((number + 1) / blocks, f"{words}: block {number + 1} of {blocks}")


def _merged(parts: Sequence[Cells]) -> Cells:
    keys = np.concatenate([part.keys for part in parts])
    counts = np.concatenate([part.counts for part in parts])
    order = np.argsort(keys[:, 0], kind="stable") if keys.shape[1] == 1 else np.lexsort(keys.T[::-1])
    keys, counts = keys[order], counts[order]
    begins = np.flatnonzero(np.concatenate([[True], (keys[1:] != keys[:-1]).any(axis=1)])) if len(keys) else order
    return Cells(keys[begins], np.add.reduceat(counts, begins) if len(begins) else counts)


class Store(ABC):
    """Rows, wherever they are.

    Attributes
    ----------
    arity : (p,) number of levels of each variable
    n_rows : of all blocks
    in_memory : whether a row can be had as quickly as a count
    where : the place, for sentences
    beside : the same rows with these variables and what is kept after them, where something is
    """

    arity: np.ndarray
    n_rows: int
    in_memory: ClassVar[bool] = False
    where: str = "elsewhere"
    beside: Store | None = None

    @abstractmethod
    def totals(self, function: Question, items: Sequence[Any], work: float = 0.0) -> list[Any]:
        """Call a function on all blocks together, for each of some items.

        Parameters
        ----------
        function : of a block and an item; of a module, so that it can be pickled. Its answers suit `combined`
        items : what is asked; all of them in one pass over the blocks
        work : about how many nanoseconds 64 rows take for all items, by which threads are chosen

        Returns
        -------
        one answer an item, in their order
        """

    @abstractmethod
    def select(self, positions: Sequence[int]) -> Store:
        """The same rows of these variables only, in this order; whatever can stay where it is does."""

    @abstractmethod
    def some(self, rows: np.ndarray) -> np.ndarray:
        """(p, k) unsigned codes of some rows, by their numbers from 0 in any order."""

    @abstractmethod
    def digests(self) -> bytes:
        """`engine.data.digest.block_digests` of all rows in their order."""

    @property
    def nbytes(self) -> int:
        """Bytes that the rows take in the memory of this process."""
        return 0

    def count_lost(self) -> int:
        """Number of those who count the rows that were lost since they were asked first."""
        return 0

    def close(self) -> None:  # noqa: B027  # most stores have nothing to give back
        """Give back what is held outside of this process's memory."""


def remote_refusal(store: Store, what: str) -> DataError:
    """The refusal of whoever needs rows one by one where the rows are far away.

    Parameters
    ----------
    store : of the rows
    what : who needs them, as the subject of a sentence
    """
    return InputError(
        f"{what} needs the rows one by one, and those of this data set are {store.where}; take a sample of them into "
        "memory: data.rows(numbers of rows)."
    )


def row_positions(which: Any, n_rows: int) -> np.ndarray:
    """Numbers of the rows that are meant; memory is asked for these only, not for all rows there are.

    Parameters
    ----------
    which : flags of all rows, or numbers of some: below 0 from the end
    n_rows : how many rows there are

    Returns
    -------
    (k,) int64

    Raises
    ------
    IndexError : a row that is not there
    """
    asked = np.asarray(which)
    if asked.dtype == bool and asked.shape == (n_rows,):
        return np.flatnonzero(asked)
    if asked.ndim != 1 or asked.dtype.kind not in "iu":
        return np.arange(n_rows)[which]
    if asked.size and (asked.min() < -n_rows or asked.max() >= n_rows):
        raise IndexError(f"There are {n_rows:,} rows, and one is asked for that is not among them.")
    places = asked.astype(np.int64)
    places[places < 0] += n_rows
    return places


def fetched(store: Store) -> np.ndarray:
    """All rows of a store that is far away, where they are few enough to be fetched for whoever asks.

    Parameters
    ----------
    store : of the rows

    Returns
    -------
    (p, n) unsigned codes, read-only

    Raises
    ------
    DataError : they are too many
    """
    if store.n_rows * len(store.arity) * np.dtype(code_type(store.arity)).itemsize > _MOST_FETCHED:
        raise remote_refusal(store, "This")
    codes = store.some(np.arange(store.n_rows))
    codes.flags.writeable = False
    return codes
