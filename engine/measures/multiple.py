"""Many tests at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def holm(p: ArrayLike) -> np.ndarray:
    """p of each of several tests after correction for their number, whatever they have to do with each other.

    Parameters
    ----------
    p : (n,) of the tests, each from 0 to 1

    Returns
    -------
    (n,) step-down p of Holm (1979): any wrong rejection at a level happens at most so often

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    """
    p = np.asarray(p, float)
    order = np.argsort(p, kind="stable")
    stepped = np.minimum(np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1)), 1.0)
    result = np.empty(len(p))
    result[order] = stepped
    return result
