"""Contingency counts, the cost of everything here.

Three ways, chosen by size (the figures behind the choice are in `docs/speed.md`):

- **bit planes** while a family has few cells: one bit a row and level, AND, popcount, the last level by subtraction;
  the planes of one parent configuration are built once a block and serve every candidate parent;
- **histograms** of a mixed-radix code when the cells are many;
- **sorting** when parent configurations outnumber the rows, so that only observed ones are stored.

The kernels are numba; `engine.counting.numpy_kernels` has the same functions in plain NumPy, which the tests compare
and which serve where numba cannot be imported.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

MOST_PLANE_CELLS = 256
"""Configurations times child levels up to which bit planes are the fastest way."""

_MOST_SPARSE_TABLE = 1 << 16
"""A histogram up to this many cells is never worth avoiding, however few the rows."""

_kernels: ModuleType | None = None


def kernels() -> ModuleType:
    """The compiled kernels, or their NumPy twins where numba is not to be had; loaded on first use.

    The one place of the engine that loads a module of ours by its name: numba is heavy and may be absent, so which of
    two equal backends serves is known only when the first count is asked for.
    """
    global _kernels
    if _kernels is None:
        try:
            _kernels = importlib.import_module("engine.counting.numba_kernels")
        except ImportError:
            _kernels = importlib.import_module("engine.counting.numpy_kernels")
    return _kernels


@dataclass(frozen=True, eq=False)
class Additions:
    """Counts of the families `parents + (x,)` of one child for many candidates x.

    `tables[m]` holds candidate `candidates[m]` as a flat (q, r, s) array in its first q * r * s entries: q runs over
    parent configurations (all, or only those that occur), r over the child's levels and s over the candidate's.
    """

    candidates: np.ndarray
    tables: np.ndarray
    configurations: int


def addition_counts(data: Dataset, child: int, parents: tuple[int, ...], candidates: np.ndarray) -> Additions | None:
    """Count all single-parent additions in one pass.

    Parameters
    ----------
    data : the rows
    child, parents : positions of a family
    candidates : (m,) positions of the variables that could join the parents

    Returns
    -------
    `Additions`; None when the tables would be too sparse to be stored whole
    """
    arity = data.arity
    r = int(arity[child])
    q = math.prod(int(arity[x]) for x in parents)
    widest = int(arity[candidates].max(initial=1))
    if q * r <= MOST_PLANE_CELLS:
        planes = data.planes
        tables = np.zeros((len(candidates), q * r * widest), dtype=np.int64)
        kernels().plane_additions(
            planes.words,
            planes.starts,
            arity,
            child,
            np.array(parents, np.int64),
            candidates,
            data.n_rows,
            tables,
        )
        return Additions(candidates, tables, q)
    code = np.empty(data.n_rows, dtype=np.uint32)
    if q <= data.n_rows:
        kernels().mixed_radix(data.codes, arity, np.array([*parents, child], np.int64), 0, code)
    else:
        dense, q = configuration_codes(data, parents)
        code[:] = dense * r + data.codes[child]
    if q * r * widest > max(4 * data.n_rows, _MOST_SPARSE_TABLE):
        return None
    tables = np.zeros((len(candidates), q * r * widest), dtype=np.int64)
    kernels().histogram_additions(code, data.codes, arity, candidates, tables)
    return Additions(candidates, tables, q)


def sparse_addition(data: Dataset, child: int, code: np.ndarray, x: int) -> np.ndarray:
    """Counts of one addition by the configurations that occur.

    Parameters
    ----------
    data : the rows
    child, x : positions of the child and of the parent that joins
    code : (n,) number of each row's configuration of the other parents

    Returns
    -------
    (J, r) counts of the child's levels
    """
    r = int(data.arity[child])
    observed, dense = np.unique(code * int(data.arity[x]) + data.codes[x], return_inverse=True)
    return np.bincount(dense * r + data.codes[child], minlength=len(observed) * r).reshape(-1, r)


def configuration_codes(data: Dataset, parents: Sequence[int]) -> tuple[np.ndarray, int]:
    """The number of each row's parent configuration, and how many numbers there are.

    Mixed radix, first parent most significant. Where configurations outnumber the rows they are renumbered to
    those that occur, in the same order, so the numbers never overflow.

    Parameters
    ----------
    data : the rows
    parents : positions

    Returns
    -------
    (n,) int64 numbers from 0, and how many there are
    """
    code = np.zeros(data.n_rows, dtype=np.int64)
    q = 1
    for x in parents:
        code = code * int(data.arity[x]) + data.codes[x]
        q *= int(data.arity[x])
        if q > max(data.n_rows, 1):
            observed, code = np.unique(code, return_inverse=True)
            q = max(len(observed), 1)
    return code, q


def family_counts(data: Dataset, child: int, parents: Sequence[int]) -> np.ndarray:
    """Counts of a child's levels by parent configuration.

    All configurations, or only (a superset of) those that occur where they outnumber the rows: a row of zeros adds
    nothing to any score here.

    Parameters
    ----------
    data : the rows
    child, parents : positions of a family

    Returns
    -------
    (J, r) int64 counts, configurations in mixed-radix order, first parent most significant
    """
    r = int(data.arity[child])
    q = math.prod(int(data.arity[x]) for x in parents)
    which = np.array(parents, np.int64)
    if q * r <= MOST_PLANE_CELLS:
        planes = data.planes
        counts = np.zeros(q * r, dtype=np.int64)
        kernels().plane_family(planes.words, planes.starts, data.arity, child, which, data.n_rows, counts)
        return counts.reshape(q, r)
    if q * r <= max(4 * data.n_rows, _MOST_SPARSE_TABLE):
        counts = np.zeros(q * r, dtype=np.int64)
        kernels().histogram_family(data.codes, data.arity, np.array([*parents, child], np.int64), counts)
        return counts.reshape(q, r)
    code, q = configuration_codes(data, parents)
    return np.bincount(code * r + data.codes[child], minlength=q * r).reshape(q, r)


def family_table(data: Dataset, child: int, parents: Sequence[int]) -> tuple[np.ndarray, np.ndarray]:
    """The parent configurations that occur, and the counts of the child's levels in them.

    Parameters
    ----------
    data : the rows
    child, parents : positions of a family

    Returns
    -------
    (J, k) codes in mixed-radix order, and their (J, r) counts
    """
    arities = [int(data.arity[x]) for x in parents]
    if parents and math.prod(arities) * int(data.arity[child]) <= MOST_PLANE_CELLS:
        counts = family_counts(data, child, parents)  # of all configurations; no pass over the rows
        observed = np.flatnonzero(counts.any(axis=1))
        return np.stack(np.unravel_index(observed, arities), axis=1).astype(data.codes.dtype), counts[observed]
    code, q = configuration_codes(data, parents)
    r = int(data.arity[child])
    counts = np.bincount(code * r + data.codes[child], minlength=q * r).reshape(q, r)
    first = np.full(q, -1, dtype=np.int64)  # a row of the data that shows each configuration
    first[code[::-1]] = np.arange(data.n_rows - 1, -1, -1)
    seen = first >= 0
    return data.codes[np.asarray(parents, dtype=np.int64)][:, first[seen]].T, counts[seen]
