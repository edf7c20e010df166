"""Rows and a Dirichlet score as the kernels of `engine.counting.climbing.run` read them; loads no compiler."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.data.planes import Planes

NOTED = 1 << 15
"""lnGammas that are kept: with their keys half a MiB, inside most second-level caches."""
MOST_LEVELS = 255
"""Levels up to which codes are bytes and the keys of lnGammas are different numbers."""
KINDS = MOST_LEVELS + 1
"""Keys of lnGammas that a pseudo-count has beside those of its counts: a cell's, and a row's of so many cells."""
N_ROWS, MOST_PLANE_CELLS, MOST_STORED = 0, 1, 2
"""Places in `Rows.sizes`."""
ESS, COST, PRIORS = 0, 1, 2
"""Places in `Rows.prior`: equivalent sample size, 0 for K2; what a parent costs; from the third on the logarithm of the
prior probability of a family by its number of parents."""


class Rows(NamedTuple):
    """Rows, score and what was looked up lately.

    Attributes
    ----------
    words, starts : bit planes, see `engine.data.planes`
    codes : (p, n) uint8, read-only
    arity : (p,) int64
    sizes : rows; cells up to which planes count; cells up to which any table is stored whole
    prior : see the names of the places
    keys, noted : (2^m,) uint64 what was asked for, and its lnGamma
    """

    words: np.ndarray
    starts: np.ndarray
    codes: np.ndarray
    arity: np.ndarray
    sizes: np.ndarray
    prior: np.ndarray
    keys: np.ndarray
    noted: np.ndarray


def new_rows(
    planes: Planes | None,
    codes: np.ndarray | None,
    arity: np.ndarray,
    sizes: tuple[int, int, int],
    prior: tuple[float, float],
    by_parents: np.ndarray | None = None,
) -> Rows:
    """Rows for the kernels; without planes and codes they weigh what is counted elsewhere, and do not count.

    Parameters
    ----------
    planes, codes : of the rows, in memory
    arity : numbers of levels
    sizes, prior : see `Rows`
    by_parents : (p,) or more, logarithm of the prior probability by the number of parents, all 0 where None

    Returns
    -------
    `Rows`
    """
    p = len(arity)
    table = np.zeros((p, 0), dtype=np.uint8) if codes is None else codes.view()
    table.flags.writeable = False  # as the codes of any data set, so that the kernels are compiled once
    priors = np.zeros(p + 1) if by_parents is None else by_parents
    return Rows(
        words=np.zeros((0, 1), dtype=np.uint64) if planes is None else planes.words,
        starts=np.zeros(p, dtype=np.int64) if planes is None else planes.starts,
        codes=table,
        arity=arity,
        sizes=np.array(sizes, dtype=np.int64),
        prior=np.concatenate([prior, priors, [0.0]]),
        keys=np.zeros(NOTED, dtype=np.uint64),
        noted=np.zeros(NOTED),
    )
