"""What a count contributes to a message length or a likelihood: ln n! or n ln n, for every n from 0 to the rows.

Where rows belong together every count is divided by the design effect d before it is weighed, so n stands for n / d.
This is the one place where that is done for a search. The information of an edge is then that of the divided counts: by
n ln n exactly 1 / d of what it was (Rao & Scott's correction of G), by ln n! nearly.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

MOST_TABLED = 1 << 22
"""Rows up to which the weights of all counts stand in a table; of more they are worked out where they are asked for."""
_CHUNK = 1 << 14  # numbers that are worked out in one go: they stay in the processor's cache


class Computed:
    """Weights without a table: `weights[counts]` gives what a table would, counts below 0 from its end.

    Parameters
    ----------
    function : of an array of counts
    n : the largest count
    effect : what every count is divided by first
    """

    def __init__(self, function: Callable[[np.ndarray], np.ndarray], n: int, effect: float = 1.0) -> None:
        self._function, self._n, self._effect = function, n, effect

    def __getitem__(self, counts: np.ndarray | int) -> np.ndarray:
        given = np.asarray(counts)
        return np.asarray(self._function(np.where(given < 0, given + self._n + 1, given) / self._effect))


Weights = np.ndarray | Computed


def log_factorials(n: int, effect: float = 1.0) -> np.ndarray:
    """(n + 1,) ln 0! to ln n!; summed in the widest floating type there is.

    Parameters
    ----------
    n : at least 0
    effect : what every count is divided by first
    """
    if effect != 1.0:
        return _log_factorial(np.arange(n + 1) / effect)
    result = np.zeros(n + 1)
    last = np.longdouble(0)
    for first in range(1, n + 1, _CHUNK):
        part = result[first : first + _CHUNK]
        logs = np.log(np.arange(first, first + len(part))).astype(np.longdouble)
        logs[0] += last
        np.cumsum(logs, out=logs)
        part[:], last = logs, logs[-1]
    return result


def entropy_terms(n: int, effect: float = 1.0) -> np.ndarray:
    """(n + 1,) k ln k for k = 0 to n, with 0 ln 0 = 0.

    Parameters
    ----------
    n : at least 0
    effect : what every count is divided by first
    """
    if effect != 1.0:
        return _entropy_term(np.arange(n + 1) / effect)
    result = np.zeros(n + 1)
    for first in range(1, n + 1, _CHUNK):
        part = result[first : first + _CHUNK]
        k = np.arange(first, first + len(part))
        np.multiply(np.log(k), k, out=part)
    return result


def shared_log_factorials(n: int, effect: float = 1.0) -> Weights:
    """`log_factorials`, made once for all tables with so many rows, or `Computed` where they are very many.

    Parameters
    ----------
    n : rows
    effect : what every count is divided by first
    """
    return _tabled(log_factorials, n, effect) if n <= MOST_TABLED else Computed(_log_factorial, n, effect)


def shared_entropy_terms(n: int, effect: float = 1.0) -> Weights:
    """`entropy_terms`, made once for all tables with so many rows, or `Computed` where they are very many.

    Parameters
    ----------
    n : rows
    effect : what every count is divided by first
    """
    return _tabled(entropy_terms, n, effect) if n <= MOST_TABLED else Computed(_entropy_term, n, effect)


@lru_cache(maxsize=2)
def _tabled(function: Callable[[int, float], np.ndarray], n: int, effect: float) -> np.ndarray:
    return function(n, effect)  # writable, as kernels are compiled for; nobody writes


def _log_factorial(n: np.ndarray) -> np.ndarray:
    from scipy.special import gammaln

    return np.asarray(gammaln(n + 1))


def _entropy_term(n: np.ndarray) -> np.ndarray:
    return np.asarray(n * np.log(np.where(n > 0, n, 1)))
