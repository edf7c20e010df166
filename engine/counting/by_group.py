"""Counts of candidate parents and children by group of rows: by series, or by class.

What comes before (candidate parents) and what comes after (children) may be two slices of a series or the same rows.
Cells of all variables stand side by side: those of variable x are `starts[x]` to `starts[x + 1]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from engine.counting.backend import kernels
from engine.execution import one_blas_thread

_EXACT = 1 << 24
"""Counts below this are exact in single precision."""
_WORTH_THREADS = 1 << 27
"""Multiplications of a product from which on the threads of BLAS do not only wait for each other."""


@dataclass(frozen=True, eq=False)
class Slices:
    """Values before and after, a column an observation.

    Attributes
    ----------
    before, after : (p, m) unsigned codes; the same array where a row is an observation by itself
    arity : (p,) number of levels of each variable
    """

    before: np.ndarray
    after: np.ndarray
    arity: np.ndarray

    @property
    def plain(self) -> bool:
        """True where rows stand by themselves, so that a network over them must have no circle."""
        return self.before is self.after

    @property
    def n_variables(self) -> int:
        """p."""
        return len(self.arity)

    @cached_property
    def starts(self) -> np.ndarray:
        """(p + 1,) where each variable's cells begin."""
        return np.concatenate([[0], np.cumsum(self.arity)])

    def codes(self, parents: Sequence[int]) -> tuple[np.ndarray, int]:
        """(m,) configuration of these parents, the first changing slowest, and how many there can be.

        Parameters
        ----------
        parents : positions
        """
        result, many = np.zeros(self.before.shape[1], dtype=np.int64), 1
        for x in parents:
            result = result * int(self.arity[x]) + self.before[x]
            many *= int(self.arity[x])
        return result, many

    def sizes(self, group: np.ndarray, groups: int) -> np.ndarray:
        """(groups,) observations of each group; those below 0 are left out.

        Parameters
        ----------
        group, groups : as `addition_counts` takes them
        """
        return np.bincount(group[group >= 0], minlength=groups)

    def family(self, child: int, parents: Sequence[int], group: np.ndarray, groups: int) -> np.ndarray:
        """(groups, q, r) counts of one family.

        Parameters
        ----------
        child, parents, group, groups : as `addition_counts` takes them
        """
        return family_counts(self, child, parents, group, groups)[0]

    def additions(self, child: int, parents: Sequence[int], group: np.ndarray, groups: int) -> np.ndarray:
        """(groups, q, R, r) counts, see `addition_counts`.

        Parameters
        ----------
        child, parents, group, groups : as there
        """
        return addition_counts(self, child, parents, group, groups)


def pair_counts(slices: Slices, group: np.ndarray, groups: int) -> np.ndarray:
    """Count how often each level of each variable is followed by each level of each, group by group: a matrix product.

    Parameters
    ----------
    slices : the observations
    group : (m,) group of each, rising
    groups : how many there are

    Returns
    -------
    (groups, R, R) floating counts, R cells in all: [g, starts[x] + a, starts[i] + b]
    """
    cells = int(slices.starts[-1])
    m = slices.before.shape[1]
    result = np.zeros((groups, cells, cells), dtype=np.float32 if m < _EXACT else np.float64)
    ends = np.searchsorted(group, np.arange(groups + 1))
    # more threads than one of BLAS would wait for each other in every series, where products are small
    with nullcontext() if cells * cells * m // max(groups, 1) >= _WORTH_THREADS else one_blas_thread():
        for g in range(groups):
            here = slice(ends[g], ends[g + 1])
            before = _indicators(slices.before[:, here], slices)
            after = before if slices.plain else _indicators(slices.after[:, here], slices)
            np.matmul(before, after.T, out=result[g])
    return result


def _indicators(codes: np.ndarray, slices: Slices) -> np.ndarray:
    """(R, m) whether each level holds, in single precision, in which the product is fastest and still exact."""
    kind = np.float32 if codes.shape[1] < _EXACT else np.float64
    result = np.zeros((int(slices.starts[-1]), codes.shape[1]), dtype=kind)
    result[slices.starts[:-1, None] + codes, np.arange(codes.shape[1])] = 1
    return result


def addition_counts(slices: Slices, child: int, parents: Sequence[int], group: np.ndarray, groups: int) -> np.ndarray:
    """Counts of the families `parents + (x,)` of one child for every x, group by group, in one pass.

    Parameters
    ----------
    slices : the observations
    child, parents : positions
    group : (m,) group of each observation, below 0 where it is left out
    groups : how many there are

    Returns
    -------
    (groups, q, R, r) counts: configuration of the parents, cell of x, level of the child
    """
    config, many = slices.codes(parents)
    result = np.zeros((groups, many, int(slices.starts[-1]), int(slices.arity[child])))
    kernels().count_additions_by_group(
        slices.before, slices.after[child], config, group.astype(np.int64), slices.starts, result
    )
    return result


def family_counts(
    slices: Slices, child: int, parents: Sequence[int], group: np.ndarray, groups: int
) -> tuple[np.ndarray, np.ndarray]:
    """Counts of one family group by group, and in which of its cells every observation lies.

    Parameters
    ----------
    slices, child, parents, group, groups : as `addition_counts` takes them

    Returns
    -------
    (groups, q, r) counts, and (m,) cells as configuration times r plus level
    """
    config, many = slices.codes(parents)
    r = int(slices.arity[child])
    cell = config * r + slices.after[child]
    inside = group >= 0
    flat = np.bincount(group[inside] * (many * r) + cell[inside], minlength=groups * many * r)
    return flat.reshape(groups, many, r).astype(float), cell
