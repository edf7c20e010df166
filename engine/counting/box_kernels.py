"""How probable a box is under a normal distribution, compiled by numba: separation of variables (Genz 1992).

The probability is an integral over the unit cube, taken by a rank-one lattice that is shifted at random several times;
the shifts' spread says how far to trust it. In every row the narrowest intervals come first, which keeps the integrand
flat, and coordinates without bounds are left out.
"""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import njit
from engine.counting.latent_kernels import normal_cdf, normal_quantile
from engine.execution import ranges, share, threads

_TINY = 1e-300
_PIECES, _LEAST = 16, 32
"""Of one thread, and rows of a piece: fewer are not worth the hand-over."""


@njit(cache=True, nogil=True)
def _between(low, high):  # type: ignore[no-untyped-def]
    """P(low < X < high) and P(X <= low), each with its digits; from the other tail where both bounds are above 0."""
    below = 0.0 if low == -math.inf else normal_cdf(low)
    upto = 1.0 if high == math.inf else normal_cdf(high)
    if low > 0.0:
        return normal_cdf(-low) - (0.0 if high == math.inf else normal_cdf(-high)), below
    return upto - below, below


def box_probabilities(
    low: np.ndarray,
    high: np.ndarray,
    correlation: np.ndarray,
    lattice: np.ndarray,
    shifts: np.ndarray,
    points: int,
    out: np.ndarray,
) -> None:
    """Probability of every row's box, once for every shift of the lattice; on as many threads as there may be.

    Parameters
    ----------
    low, high : (p, n) bounds, infinite where there is none
    correlation : (p, p) positive definite
    lattice : (p,) generating numbers between 0 and 1;  shifts : (s, p) between 0 and 1
    points : how many points a shift
    out : (n, s) is filled with probabilities
    """

    def filled(rows: tuple[int, int]) -> None:
        box_rows(low, high, correlation, lattice, shifts, points, *rows, out)

    share(filled, ranges(len(out), min(_PIECES * threads(), -(-len(out) // _LEAST))))


@njit(cache=True, nogil=True)
def box_rows(low, high, correlation, lattice, shifts, points, begin, end, out):  # type: ignore[no-untyped-def]
    """The same for the rows from `begin` to `end`."""
    p = low.shape[0]
    order, room = np.empty(p, np.int64), np.empty((p + 2, p))  # its last rows: widths of the intervals, what is drawn
    for row in range(begin, end):
        size = 0
        for i in range(p):
            if low[i, row] > -math.inf or high[i, row] < math.inf:
                chance, _ = _between(low[i, row], high[i, row])
                place = size
                while place > 0 and room[p, place - 1] > chance:
                    order[place], room[p, place] = order[place - 1], room[p, place - 1]
                    place -= 1
                order[place], room[p, place] = i, chance
                size += 1
        for i in range(size):  # Cholesky's factor of the rows and columns in this order
            for j in range(i + 1):
                left = correlation[order[i], order[j]]
                for k in range(j):
                    left -= room[i, k] * room[j, k]
                room[i, j] = math.sqrt(left if left > 1e-12 else 1e-12) if i == j else left / room[j, j]
        for shift in range(shifts.shape[0]):
            mean = 0.0
            for point in range(points):
                product = 1.0
                for k in range(size):
                    i = order[k]
                    centre = 0.0
                    for m in range(k):
                        centre += room[k, m] * room[p + 1, m]
                    a, b = (low[i, row] - centre) / room[k, k], (high[i, row] - centre) / room[k, k]
                    chance, below = _between(a, b)
                    product *= chance
                    if k + 1 < size:
                        spot = (point + 1) * lattice[k] + shifts[shift, k]
                        spot = abs(2.0 * (spot - math.floor(spot)) - 1.0)  # the tent makes the integrand periodic
                        room[p + 1, k] = _inside(a, b, chance, below, spot)
                mean += (product - mean) / (point + 1)
            out[row, shift] = mean


@njit(cache=True, nogil=True)
def _inside(low, high, chance, below, spot):  # type: ignore[no-untyped-def]
    """The value at this share of the interval's probability."""
    if low > 0.0:  # counted from the upper tail
        p = normal_cdf(-low) - spot * chance
        x = -normal_quantile(p if p > _TINY else _TINY)
    else:
        p = below + spot * chance
        x = normal_quantile(_TINY if p < _TINY else 1.0 - 1e-16 if p > 1.0 - 1e-16 else p)
    return low if x < low else high if x > high else x
