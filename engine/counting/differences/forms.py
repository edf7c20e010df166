"""What the kernels of differences and those who call them share, without numba: forms, limits and tables."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

LEVELS, NOMINAL, ORDERED, NUMBER = -1, 0, 1, 2
"""How a child is compared: not at all beyond its blocks' levels, by the odds of its levels, by its order, by its
values."""
SCALE = 0.5
"""Standard deviation of the prior of a common difference of scores of unit variance."""
FORMS = 3
"""Scores of a number: location, spread, shape."""
BLOCKS, BOTH, COMMON = 0, 1, 2
"""What a difference of a family may be, see `mixed_families`."""
MOST_SEGMENTS, MOST_CELLS, ROWS_OF_A_CELL = 8, 32, 4
"""Segments of a partition; cells of a context; and the fewest rows of a cell, on average."""
FEW = 104
"""Rows of a context below which its evidence is divided by its mean over all labels with these totals."""


class ChildComparison(NamedTuple):
    """The comparison of a child beyond its blocks' levels.

    Attributes
    ----------
    kind : see `LEVELS`
    order : scores of the levels where they have an order; where rows are compared one by one, those with a value of the
        child, by its score ascending, and of a nominal child in any order
    absent : the level of missing values, -1 where there is none
    tables, nodes : what `segment_kernels` and `common_kernels` look up
    """

    kind: int
    order: np.ndarray
    absent: int
    tables: tuple[np.ndarray, ...]
    nodes: tuple[np.ndarray, ...]


def hermite_nodes() -> tuple[np.ndarray, ...]:
    """31 nodes and ln weights of the standard normal distribution; 16 and 8 for where nodes follow the likelihood."""
    result: list[np.ndarray] = []
    for many in (31, 16, 8):
        nodes, weights = np.polynomial.hermite_e.hermegauss(many)
        result += [nodes, np.log(weights / weights.sum())]
    return tuple(result)


def legendre_table() -> np.ndarray:
    """(FEW, FEW, FEW // 2 + 1) Legendre polynomial P_s(cos(pi t / (m + 1))) by m, s and t.

    P_s(cos x) = sum_a m(a, s - a) C(s, a) exp(i (2a - s) x): of s rows with one unknown share the chances of a rows of
    the second group, so that products of these tell the chances of sums.
    """
    rows = np.arange(FEW)[:, None]
    x = np.cos(np.pi * np.arange(FEW // 2 + 1) / (rows + 1))
    result = np.ones((FEW, FEW, FEW // 2 + 1))
    result[:, 1] = x
    for s in range(1, FEW - 1):
        result[:, s + 1] = ((2 * s + 1) * x * result[:, s] - s * result[:, s - 1]) / (s + 1)
    return result
