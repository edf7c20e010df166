"""Every set of parents that the variables may have, as lists that kernels go through."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.search.constraints import Constraints


@dataclass(frozen=True, eq=False)
class ParentSets:
    """Parent sets of n variables, one child after the other; by position.

    Attributes
    ----------
    starts : (n + 1,) where each child's sets begin
    members : (k, w) the parents of each set ascending, then zeros;  sizes : (k,) how many are meant
    """

    starts: np.ndarray
    members: np.ndarray
    sizes: np.ndarray

    @classmethod
    def listed(cls, sets: Sequence[Sequence[tuple[int, ...]]]) -> ParentSets:
        """Of explicit lists, one a child."""
        flat = [item for group in sets for item in group]
        width = max(map(len, flat), default=0)
        members = np.zeros((len(flat), width), dtype=np.int64)
        sizes = np.array([len(entry) for entry in flat], dtype=np.int64)
        for size in range(1, width + 1):
            rows = np.flatnonzero(sizes == size)
            members[rows, :size] = np.array([flat[row] for row in rows], dtype=np.int64).reshape(-1, size)
        return cls(np.cumsum([0, *map(len, sets)]), members, sizes)

    @property
    def n_variables(self) -> int:
        """Number of children."""
        return len(self.starts) - 1

    @property
    def children(self) -> np.ndarray:
        """(k,) the child of each set."""
        return np.repeat(np.arange(self.n_variables), np.diff(self.starts))

    def of(self, child: int) -> slice:
        """Where the sets of a child are."""
        return slice(int(self.starts[child]), int(self.starts[child + 1]))

    def parents(self, k: int) -> tuple[int, ...]:
        """The parents of a set."""
        return tuple(self.members[k, : self.sizes[k]].tolist())

    def holds(self, parent: int) -> np.ndarray:
        """(k,) bool, whether each set has this parent."""
        meant = np.arange(self.members.shape[1]) < self.sizes[:, None]
        return np.asarray(((self.members == parent) & meant).any(axis=1))

    def with_any(self, which: np.ndarray) -> np.ndarray:
        """(k,) bool, whether each set has one of the variables that are flagged."""
        meant = np.arange(self.members.shape[1]) < self.sizes[:, None]
        return np.asarray((which[self.members] & meant).any(axis=1))

    def masks(self, child: int) -> np.ndarray:
        """(k,) sets of a child as bit masks over the other variables, the child's own bit left out."""
        rows = self.of(child)
        members, sizes = self.members[rows], self.sizes[rows]
        bits = np.int64(1) << (members - (members > child))
        return np.where(np.arange(members.shape[1]) < sizes[:, None], bits, 0).sum(axis=1, dtype=np.int64)

    def blocks(self, arity: np.ndarray) -> np.ndarray:
        """(k,) how many configurations each set can have; floats, since they can pass any integer type."""
        meant = np.arange(self.members.shape[1]) < self.sizes[:, None]
        return np.asarray(np.where(meant, arity[self.members].astype(float), 1.0).prod(axis=1))

    def log_prior(self) -> np.ndarray:
        """(k,) minus ln of how many sets of that size there are among the others: each size is as probable as another.

        Friedman & Koller 2003, section 3; a network counts once for every order that allows it.
        """
        others = self.n_variables - 1
        by_size = [-math.log(math.comb(others, k)) for k in range(self.members.shape[1] + 1) if k <= others]
        return np.asarray(np.array(by_size)[self.sizes])


def all_parent_sets(constraints: Constraints) -> ParentSets:
    """The sets of at most `max_parents` parents that are allowed, with all that are required."""
    return ParentSets.listed([list(_sets(constraints, child, ())) for child in range(len(constraints.required))])


def candidate_parent_sets(constraints: Constraints, candidates: Sequence[Sequence[int]]) -> ParentSets:
    """The same among some candidates of each variable, and with at most one parent that is none of them."""
    result = []
    for child, wanted in enumerate(candidates):
        required = constraints.required[child]
        inside = [x for x in wanted if constraints.allowed[child, x] and x not in required]
        outside = [x for x in np.flatnonzero(constraints.allowed[child]).tolist() if x not in {*inside, *required}]
        own = [()] if not outside else [(), *((x,) for x in outside)]
        result.append([members for extra in own for members in _sets(constraints, child, extra, inside)])
    return ParentSets.listed(result)


def _sets(
    constraints: Constraints, child: int, always: tuple[int, ...], among: Iterable[int] | None = None
) -> Iterable[tuple[int, ...]]:
    """The required parents and these with any of the others, as many as there may be."""
    required = (*constraints.required[child], *always)
    pool = np.flatnonzero(constraints.allowed[child]).tolist() if among is None else list(among)
    free = [x for x in pool if x not in required]
    for more in range(min(constraints.max_parents - len(required), len(free)) + 1):
        for chosen in itertools.combinations(free, more):
            yield tuple(sorted((*required, *chosen)))
