"""K2, BDeu and BDe for greedy searches: a family, all it is without one parent and all it is with one more, at once.

All of it comes from one set of counts: a candidate's table, summed over the candidate, is the family's own.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from engine.counting import MOST_PLANE_CELLS, Request, many_addition_counts
from engine.counting.climbing import compiled
from engine.counting.climbing.rows import KINDS, MOST_LEVELS, Rows, new_rows
from engine.scores.local import BoundScore, Family, Weighed, weighed

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

_INSIDE = 4_000_000
"""Rows times variables up to which a search counts by itself: beyond, threads and stores are worth a way outside."""
_STORED = 1 << 14
"""Cells up to which a search stores any table whole, however few the rows."""
_MOST_CELLS = 1 << 22
"""Cells of tables that are counted at once: 32 MiB."""
_KEYS = 2**64
"""How many keys there are for pseudo-counts and counts."""


class _Asked(NamedTuple):
    """A family, the counts that tell what it is worth (None: the slow way), how many parents could be added, cells."""

    family: Family
    request: Request | None
    open: int
    cells: int


def dirichlet_weigher(
    data: Dataset, outer: BoundScore, prior: tuple[float, float], priors: np.ndarray | None
) -> DirichletWeigher | None:
    """What weighs families of a Dirichlet score; None where the kernels are not there, or not for such data.

    Parameters
    ----------
    data : the rows
    outer : whose bits are to be met where a family is weighed in the slow way
    prior : equivalent sample size, 0 for K2; what a parent costs
    priors : (p,) or more, added to the score of a family by its number of parents, nothing where None

    Returns
    -------
    `DirichletWeigher` or None
    """
    module = compiled(data.n_variables)
    widest = int(data.arity.max(initial=1))
    if module is None or widest > MOST_LEVELS or not fits(data.n_rows) or not data.n_rows:
        return None
    inside = data.in_memory and data.n_rows * data.n_variables <= _INSIDE
    rows = new_rows(
        data.planes if inside else None,
        data.codes if inside else None,
        data.arity,
        (data.n_rows, MOST_PLANE_CELLS, _STORED),
        prior,
        priors,
    )
    return DirichletWeigher(data, outer, module, rows, inside)


def fits(n_rows: int) -> bool:
    """Whether every pseudo-count, with every count, has a key of its own.

    Parameters
    ----------
    n_rows : of the data; no table that is weighed has more cells than `most_cells` says
    """
    return (most_cells(n_rows) + 1) * KINDS * (n_rows + 1) < _KEYS


def most_cells(n_rows: int) -> int:
    """Cells up to which a table is weighed here.

    Parameters
    ----------
    n_rows : of the data
    """
    return max(min(4 * n_rows, 4 * _INSIDE), 1 << 16)


class DirichletWeigher:
    """Weighs families of a Dirichlet score, many with one pass over the rows."""

    def __init__(self, data: Dataset, outer: BoundScore, module: ModuleType, rows: Rows, inside: bool) -> None:
        self.data, self.outer, self.rows, self.inside = data, outer, rows, inside
        self._kernel = module.weigh

    def weighed(self, families: Iterable[Family]) -> Iterator[Weighed]:
        """What each family is worth and every change of it gains, in their order.

        Parameters
        ----------
        families : asked for in batches whose tables fit into some memory
        """
        batch: list[_Asked] = []
        cells = 0
        for family in families:
            asked = self._asked(family)
            if batch and cells + asked.cells > _MOST_CELLS:
                yield from self._answers(batch)
                batch, cells = [], 0
            batch.append(asked)
            cells += asked.cells
        yield from self._answers(batch)

    def _asked(self, family: Family) -> _Asked:
        child, parents, _, among = family
        arity = self.data.arity
        if among is None:
            candidates = np.zeros(0, dtype=np.int64)
        else:
            wanted = among.copy()
            wanted[[child, *parents]] = False
            candidates = np.flatnonzero(wanted)
        many = len(candidates)
        if not many and parents:  # the family's own counts, asked for in the same form
            parents, candidates = parents[:-1], np.array(parents[-1:], dtype=np.int64)
        elif not many:
            candidates = np.array([(child + 1) % len(arity)], dtype=np.int64)
        q = math.prod(int(arity[x]) for x in parents)
        cells = q * int(arity[child]) * int(arity[candidates].max())
        if len(arity) == 1 or q > self.data.n_rows or cells > most_cells(self.data.n_rows):
            return _Asked(family, None, many, 0)
        return _Asked(family, Request(child, parents, candidates), many, len(candidates) * cells)

    def _answers(self, batch: Sequence[_Asked]) -> Iterator[Weighed]:
        counted = iter(many_addition_counts(self.data, [one.request for one in batch if one.request is not None]))
        for family, request, many, _ in batch:
            found = next(counted) if request is not None else None
            if found is None:
                yield weighed(self.outer, family)
                continue
            size, rows = len(family.parents), self.rows
            removals, additions = np.empty(size), np.empty(len(rows.arity))
            local = self._kernel(
                np.require(found.tables, requirements="W"),  # the kernel is compiled for such
                found.candidates, many, family.child, np.array([size, *family.parents], dtype=np.int64),
                family.rules, not many and size > 0, rows.arity, self.data.n_rows, rows.prior, rows.keys, rows.noted,
                removals, additions,
            )  # fmt: skip
            yield Weighed(local, removals, additions)
