"""Rows on the workers of a Dask cluster, as a store."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, NoReturn

import numpy as np

from engine.data.cluster.pieces import chosen, digested
from engine.data.cluster.rounds import Rounds, Traffic
from engine.data.store import Question, Store, code_type
from engine.errors import DataError


class ClusterStore(Store):
    """Rows that the workers of a cluster keep as bit planes; questions go there, sums come back.

    Parameters
    ----------
    rounds : the blocks and the way to them
    arity : (p,) number of levels of each variable
    positions : (p,) places of the variables in the blocks
    """

    in_memory: ClassVar[bool] = False
    where: ClassVar[str] = "on a cluster"

    def __init__(self, rounds: Rounds, arity: np.ndarray, positions: np.ndarray) -> None:
        self.rounds = rounds
        self.arity = arity
        self.positions = positions
        self.n_rows = int(rounds.sizes.sum())

    @property
    def traffic(self) -> Traffic:
        """What counting has sent so far."""
        return self.rounds.traffic

    def totals(self, function: Question, items: Sequence[Any], work: float = 0.0) -> list[Any]:
        """See `Store.totals`: one round, whatever the number of items."""
        return self.rounds.ask(function, items, self.positions) if len(items) else []

    def select(self, positions: Sequence[int]) -> ClusterStore:
        """See `Store.select`: nothing moves."""
        which = np.asarray(positions, dtype=np.int64)
        return ClusterStore(self.rounds, self.arity[which], self.positions[which])

    def some(self, rows: np.ndarray) -> np.ndarray:
        """See `Store.some`."""
        rows = np.asarray(rows, dtype=np.int64)
        ends = np.cumsum(self.rounds.sizes)
        block_of = np.searchsorted(ends, rows, side="right")
        blocks = np.unique(block_of).tolist()
        local = [
            (self.positions, rows[block_of == place] - (ends[place] - self.rounds.sizes[place])) for place in blocks
        ]
        result = np.empty((len(self.arity), len(rows)), dtype=code_type(self.arity))
        for place, codes in zip(blocks, self.rounds.each(chosen, blocks, local), strict=True):
            result[:, block_of == place] = codes
        return result

    def digests(self) -> bytes:
        """See `Store.digests`."""
        blocks = range(len(self.rounds.sizes))
        return b"".join(self.rounds.each(digested, blocks, [(self.positions,)] * len(blocks)))

    def close(self) -> None:
        """Let the workers forget the rows; every selection of these variables ends too."""
        self.rounds.close()

    def __getstate__(self) -> NoReturn:
        raise DataError(
            "The rows of this data set are on a cluster, so it cannot be saved or sent to another process; "
            "save its recipe, or take rows into memory: data.rows(numbers of rows)."
        )
