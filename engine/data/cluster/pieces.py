"""What the workers of a cluster do with their rows: coded part by part, cut into blocks, counted."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any, NamedTuple

import numpy as np
from xxhash import xxh3_64_intdigest

from engine.data.digest import block_digests
from engine.data.memory_store import planes_size
from engine.data.planes import Planes, build_planes
from engine.data.preparing.choices import FrameChoices
from engine.data.store import Block, code_type, combined, count_blocks
from engine.data.stored.coding import Coder
from engine.errors import InputError
from engine.execution import using
from engine.lazy import pd

OTHER_ROWS = (
    "The collection did not give the same rows when a part of it had to be worked out again. Give one that gives the "
    "same rows every time, such as one of files that stay."
)


@dataclass(frozen=True, eq=False)
class RowBlock:
    """Rows that a worker keeps.

    Attributes
    ----------
    planes : of all variables
    given : (p, n) codes where they are fewer bytes than the planes, else None
    mark : a number that other rows would not have
    tally : what is to be told of them, while that is wanted
    """

    planes: Planes
    given: np.ndarray | None
    mark: int
    tally: Any = None

    @classmethod
    def of(cls, codes: np.ndarray, arity: np.ndarray, tally: Any = None) -> RowBlock:
        """(p, n) codes, packed."""
        many_levels = planes_size(arity, codes.shape[1]) > codes.nbytes
        planes = build_planes(codes, arity)
        return cls(planes, codes if many_levels else None, xxh3_64_intdigest(planes.words.data), tally)

    def block(self, positions: np.ndarray | None = None) -> Block:
        """These rows with some variables, in the order of their positions; all where None."""
        planes, given = self.planes, self.given
        if positions is not None:
            planes = replace(planes, starts=planes.starts[positions], arity=planes.arity[positions])
            given = None if given is None else given[positions]
        return Block(planes, planes.arity, planes.n_rows, given)

    def codes(self, begin: int, end: int) -> np.ndarray:
        """(p, m) codes of rows from any one to any other."""
        even = begin // 64 * 64
        return self.block().codes(np.arange(len(self.planes.arity)), even, end)[:, begin - even :]

    def __sizeof__(self) -> int:
        """Bytes: a worker that runs out of memory goes by what its rows say of themselves."""
        return int(self.planes.words.nbytes) + (0 if self.given is None else int(self.given.nbytes)) + 1000


def installed_version() -> str:
    """Which Diptych this process has."""
    return version("diptych")


class Piece(NamedTuple):
    """Some rows of a part: `rows` is how many the part had when it was counted first."""

    begin: int
    end: int
    rows: int


class Answer(NamedTuple):
    """Answer of some blocks together; `mark` is the sum of theirs, and tells that it was these blocks, each once."""

    mark: int
    outcomes: list[Any]


def coded(part: pd.DataFrame, recipe: FrameChoices) -> RowBlock:
    """The rows of a part that are known whole, packed; the part itself may go."""
    if not hasattr(part, "columns") or not hasattr(part, "iloc"):
        raise InputError(
            f"A part of the collection is a {type(part).__name__}; every part of it has to be a pandas table."
        )
    coder = Coder(recipe)
    nothing = np.empty((len(coder.stored), 0), dtype=code_type(coder.arity))
    codes = coder.code(part) if len(part) else nothing  # a collection that was filtered often has parts without rows
    return RowBlock.of(codes, coder.stored, coder.tally)


def cut_off(block: RowBlock, piece: Piece) -> np.ndarray:
    """(p, m) codes of some rows of a part: fewer than a digest stands for, so they are quickly sent."""
    _unchanged(block, piece)
    return block.codes(piece.begin, piece.end)


def joined(block: RowBlock, piece: Piece, more: Sequence[np.ndarray]) -> RowBlock:
    """A block: rows of a part and what was cut off those that come next."""
    _unchanged(block, piece)
    if piece.begin == 0 and piece.end == piece.rows and not more:
        return replace(block, tally=None)
    return RowBlock.of(np.concatenate([block.codes(piece.begin, piece.end), *more], axis=1), block.planes.arity)


def _unchanged(block: RowBlock, piece: Piece) -> None:
    if block.planes.n_rows != piece.rows:
        raise InputError(OTHER_ROWS)


def packed(function: Any, items: Sequence[Any], positions: np.ndarray | None) -> bytes:
    """The question, ready to be sent: made once, however many workers there are."""
    return pickle.dumps((function, list(items), positions), protocol=pickle.HIGHEST_PROTOCOL)


def counted(blocks: Sequence[RowBlock], work: bytes) -> Answer:
    """Add what the blocks of one worker answer."""
    function, items, positions = pickle.loads(work)  # noqa: S301  # from the client that this worker serves
    with using(1):
        total = count_blocks((rows.block(positions) for rows in blocks), function, items)
    return Answer(sum(rows.mark for rows in blocks), total or [])


def added(answers: Sequence[Answer]) -> Answer:
    """Answers of several workers, added."""
    outcomes = [combined(item) for item in zip(*(answer.outcomes for answer in answers), strict=True)]
    return Answer(sum(answer.mark for answer in answers), outcomes)


def answered(block: RowBlock, function: Callable[..., Any], *arguments: Any) -> tuple[int, Any]:
    """The mark of a block, and what it answers."""
    return block.mark, function(block, *arguments)


def chosen(block: RowBlock, positions: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """(p, k) codes of some rows of a block, numbered from 0 in it, in any order."""
    return block.block(positions).some(rows)


def digested(block: RowBlock, positions: np.ndarray) -> bytes:
    """The digests of a block's rows."""
    return block_digests(block.block(positions))
