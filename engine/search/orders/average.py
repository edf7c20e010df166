"""How probable every parent set is, averaged over all orders of the variables: exact sums (Koivisto & Sood 2004).

With W_i(U) = sum of the worth of i's parent sets inside U, f over sets of first variables and g over sets of last ones,

    P(S are the parents of i) = w_i(S) sum over U that hold S of f(U) g(U + i) / f(all).

A network counts once for every order that allows it, as in `engine.search.orders.posterior`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.counting.backend import kernels
from engine.execution import Progress, part, share, silent, threads
from engine.search.constraints import Constraints
from engine.search.orders.parent_sets import ParentSets

MOST_VARIABLES = 20
"""Beyond these the 2^n sets are walked over, not summed."""


@dataclass(frozen=True, eq=False)
class OrderAverage:
    """Sums over orders.

    Attributes
    ----------
    total : ln of the worth of all orders
    probabilities : (k,) of every parent set, those of one child sum to 1
    """

    total: float
    probabilities: np.ndarray


def memory_needed(variables: int) -> int:
    """Bytes that the sums over all orders of so many variables take."""
    return (12 * (variables + 6)) << max(variables - 1, 0)


def masks_before(constraints: Constraints) -> np.ndarray:
    """(n,) for each variable a bit mask of those that come before it in every order."""
    n = len(constraints.required)
    if constraints.before is None:
        return np.zeros(n, dtype=np.int64)
    return np.asarray((constraints.before * (np.int64(1) << np.arange(n))).sum(axis=1, dtype=np.int64))


def average_orders(
    sets: ParentSets, values: np.ndarray, earlier: np.ndarray, progress: Progress = silent
) -> OrderAverage:
    """Average over all orders."""
    n = sets.n_variables
    tops = np.maximum.reduceat(values, sets.starts[:-1])  # digits are not wasted on what all sets of a child share
    values = values - tops[sets.children]
    sums, powers = _set_sums(sets, values, part(progress, 0.0, 0.3))
    first, last = _sums_over_orders(sums, powers, earlier)
    total = _logarithm(first)
    result = np.empty(len(values))

    def weigh(child: int) -> None:
        rows = sets.of(child)
        room = np.empty(1 << (n - 1)), np.empty(1 << (n - 1), dtype=np.int32)
        kernels().order_weights(child, earlier[child], *first, *last, sets.masks(child), *room, result[rows])

    progress_of_sums = part(progress, 0.6, 1.0)
    step = min(threads(), _TOGETHER)
    for begin in range(0, n, step):
        progress_of_sums(begin / n, f"averaging over orders of the variables: variable {begin + 1} of {n}")
        share(weigh, range(begin, min(begin + step, n)))
    return OrderAverage(total + float(tops.sum()), np.exp(values + result - total))


def total_worth(sets: ParentSets, values: np.ndarray, earlier: np.ndarray) -> float:
    """ln of the worth of all orders, without the probabilities."""
    tops = np.maximum.reduceat(values, sets.starts[:-1])
    sums, powers = _set_sums(sets, values - tops[sets.children], silent)
    return _logarithm(_one_way(sums, powers, earlier, True)) + float(tops.sum())


_TOGETHER = 4
"""Most variables between two looks at whether to go on."""


def _set_sums(sets: ParentSets, values: np.ndarray, progress: Progress) -> tuple[np.ndarray, np.ndarray]:
    """W_i(U) of every variable and set of the others, as `order_sum_kernels` writes numbers."""
    n = sets.n_variables
    sums, powers = np.empty((n, 1 << (n - 1))), np.empty((n, 1 << (n - 1)), dtype=np.int32)

    def fill(child: int) -> None:
        kernels().subset_sums(sets.masks(child), values[sets.of(child)], sums[child], powers[child])

    step = min(threads(), _TOGETHER)
    for begin in range(0, n, step):
        progress(begin / n, f"summing over parent sets: variable {begin + 1} of {n}")
        share(fill, range(begin, min(begin + step, n)))
    return sums, powers


def _sums_over_orders(
    sums: np.ndarray, powers: np.ndarray, earlier: np.ndarray
) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """f and g."""
    first, last = share(lambda forward: _one_way(sums, powers, earlier, forward), (True, False))
    return first, last


def _one_way(sums: np.ndarray, powers: np.ndarray, earlier: np.ndarray, forward: bool) -> tuple[np.ndarray, np.ndarray]:
    """f where forward, else g."""
    n = len(earlier)
    m, e = np.empty(1 << n), np.empty(1 << n, dtype=np.int32)
    kernels().order_sums(sums, powers, earlier, forward, m, e)
    return m, e


def _logarithm(pair: tuple[np.ndarray, np.ndarray]) -> float:
    """ln of the last sum."""
    return float(kernels().log_of(float(pair[0][-1]), int(pair[1][-1])))


def draw_orders(
    sets: ParentSets,
    values: np.ndarray,
    earlier: np.ndarray,
    among: int,
    draws: int,
    generator: np.random.Generator,
    progress: Progress = silent,
) -> np.ndarray:
    """Orders of some variables drawn from their posterior, the last one first (Koivisto & Sood 2004).

    Parameters
    ----------
    sets, values : the parent sets, and ln of what each is worth
    earlier : (n,) masks of the variables that come before each in every order
    among : mask of the variables that are ordered; what comes before one of them is among them
    draws : how many
    generator : of what is drawn
    progress : called with a fraction from 0 to 1 and words

    Returns
    -------
    (draws, n) mask of those before each variable; of one that is not ordered, all that are
    """
    n, children = sets.n_variables, np.arange(sets.n_variables)
    tops = np.maximum.reduceat(values, sets.starts[:-1])
    sums, powers = _set_sums(sets, values - tops[sets.children], part(progress, 0.0, 0.6))
    progress(0.6, "drawing orders of the variables")
    m, e = _one_way(sums, powers, earlier, True)
    left, before = np.full(draws, among), np.full((draws, n), among)
    lower, unit = (1 << children) - 1, 256 * np.log(2.0)
    while left.any():
        ahead = left[:, None] & ~(1 << children)
        inner = (ahead & lower) | ((ahead >> (children + 1)) << children)  # the others, without the variable's own bit
        with np.errstate(divide="ignore"):
            worth = np.log(m[ahead]) + np.log(sums[children, inner])
        worth += unit * (e[ahead].astype(float) + powers[children, inner])
        worth[((left[:, None] >> children) & 1 == 0) | (earlier & ~ahead != 0)] = -np.inf
        last = np.argmax(worth + generator.gumbel(size=worth.shape), axis=1)  # by what each order is worth
        rows = np.arange(draws)
        before[rows, last] = ahead[rows, last]
        left = ahead[rows, last]
    return before
