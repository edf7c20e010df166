"""The fewest cells of a table of counts whose hiding leaves every small count open, found by integer programming."""

from __future__ import annotations

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import block_array, csr_array, eye_array, kron


def fewest_hidden(counts: np.ndarray, least: int) -> int | None:
    """How many cells are hidden at the least, the small ones among them, where the sums of rows and columns are known.

    For every small cell there must be two other tables of the same sums and the same shown cells, one in which it is 1
    and one in which it is one below the least, as all small cells may be.

    Parameters
    ----------
    counts : (r, c) whole numbers;  a single row has no sums of columns
    least : the smallest count that is shown

    Returns
    -------
    the number, or None where not even hiding all would do
    """
    rows, columns = counts.shape
    flat, size = counts.ravel(), counts.size
    small = np.flatnonzero((flat > 0) & (flat < least))
    wanted = [(cell, value) for cell in small for value in (1, least - 1) if value != flat[cell]]
    k = len(wanted)
    sums = [kron(eye_array(rows), np.ones((1, columns))).toarray()]
    sums += [kron(np.ones((1, rows)), eye_array(columns)).toarray()] if rows > 1 else []
    is_small = np.isin(np.arange(size), small)
    down = np.where(is_small, flat - 1, flat).astype(float)
    up = np.where(is_small, least - 1 - flat, flat.sum()).astype(float)
    # unknown: which cells are hidden (size), then for each of the wanted another table less this one (k * size)
    kept = block_array([[csr_array((k * len(np.vstack(sums)), size)), kron(eye_array(k), csr_array(np.vstack(sums)))]])
    above = np.hstack([-np.tile(np.diag(up), (k, 1)), np.eye(k * size)])
    below = np.hstack([-np.tile(np.diag(down), (k, 1)), -np.eye(k * size)])
    low, high = -np.tile(down, k), np.tile(up, k)
    for i, (cell, value) in enumerate(wanted):
        low[i * size + cell] = high[i * size + cell] = value - flat[cell]
    found = milp(
        np.concatenate([np.ones(size), np.zeros(k * size)]),
        constraints=[
            LinearConstraint(kept, 0, 0),
            LinearConstraint(above, -np.inf, 0),
            LinearConstraint(below, -np.inf, 0),
        ],
        integrality=np.ones(size + k * size),
        bounds=Bounds(np.concatenate([is_small.astype(float), low]), np.concatenate([np.ones(size), high])),
    )
    return round(found.fun) if found.success else None
