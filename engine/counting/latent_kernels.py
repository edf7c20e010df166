"""Normal vectors that are known only to lie in a box: draws of them, the cost of the ordinal E-step, and how probable
a box is. Compiled by numba.

A row's box says between which cuts every latent value lies. One chain a row; a sweep draws every coordinate given the
others from its univariate normal, truncated to the coordinate's interval (Geman & Geman 1984), by inverting the
distribution function: the interval's two tail probabilities, a uniform number between them, and the normal quantile.
Where an interval lies so far out that the tail underflows, all that is done with logarithms.

The probability of a box is an integral over the unit cube by separation of variables (Genz 1992), taken by a rank-one
lattice that is shifted at random several times; the shifts' spread says how far to trust it. In every row the narrowest
intervals come first, which keeps the integrand flat, and coordinates without bounds are left out.
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from engine.counting.compiling import njit
from engine.execution import ranges, share, threads

_FAR = -30.0  # below this an upper bound sends a draw to the logarithms: the tail probability is about 1e-197
_SQRT_HALF = math.sqrt(0.5)
_LOG_SQRT_2PI = 0.5 * math.log(2.0 * math.pi)


def mix(z):  # type: ignore[no-untyped-def]
    """The finalizer of splitmix64 (Steele, Lea & Flood 2014)."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


_STEP = np.uint64(0x9E3779B97F4A7C15)
_mix = njit(cache=True, nogil=True)(mix)


def random_states(seed: np.uint64, rows: int) -> np.ndarray:
    """(rows,) uint64, from which the random numbers of each row come."""
    return np.asarray(mix(seed + np.arange(1, rows + 1, dtype=np.uint64) * _STEP))


@njit(cache=True, nogil=True)
def normal_cdf(x):  # type: ignore[no-untyped-def]
    """P(X <= x) of a standard normal."""
    return 0.5 * math.erfc(-x * _SQRT_HALF)


@njit(cache=True, nogil=True)
def log_normal_cdf(x):  # type: ignore[no-untyped-def]
    """ln P(X <= x) of a standard normal, also where the probability underflows (an asymptotic series)."""
    if x > -30.0:
        return math.log(0.5 * math.erfc(-x * _SQRT_HALF))
    square = 1.0 / (x * x)
    series = 1.0 - square * (1.0 - 3.0 * square * (1.0 - 5.0 * square * (1.0 - 7.0 * square)))
    return -0.5 * x * x - math.log(-x) - _LOG_SQRT_2PI + math.log(series)


@njit(cache=True, nogil=True)
def normal_quantile(p):  # type: ignore[no-untyped-def]
    """The x with P(X <= x) = p, for p in (0, 1): algorithm AS 241 of Wichura (1988), to about 1e-16."""
    q = p - 0.5
    if abs(q) <= 0.425:
        r = 0.180625 - q * q
        top = (
            (
                (
                    (
                        ((2.5090809287301226727e3 * r + 3.3430575583588128105e4) * r + 6.7265770927008700853e4) * r
                        + 4.5921953931549871457e4
                    )
                    * r
                    + 1.3731693765509461125e4
                )
                * r
                + 1.9715909503065514427e3
            )
            * r
            + 1.3314166789178437745e2
        ) * r + 3.3871328727963666080e0
        bottom = (
            (
                (
                    (
                        ((5.2264952788528545610e3 * r + 2.8729085735721942674e4) * r + 3.9307895800092710610e4) * r
                        + 2.1213794301586595867e4
                    )
                    * r
                    + 5.3941960214247511077e3
                )
                * r
                + 6.8718700749205790830e2
            )
            * r
            + 4.2313330701600911252e1
        ) * r + 1.0
        return q * top / bottom
    r = math.sqrt(-math.log(p if q < 0.0 else 1.0 - p))
    if r <= 5.0:
        r -= 1.6
        top = (
            (
                (
                    (
                        ((7.74545014278341407640e-4 * r + 2.27238449892691845833e-2) * r + 2.41780725177450611770e-1)
                        * r
                        + 1.27045825245236838258e0
                    )
                    * r
                    + 3.64784832476320460504e0
                )
                * r
                + 5.76949722146069140550e0
            )
            * r
            + 4.63033784615654529590e0
        ) * r + 1.42343711074968357734e0
        bottom = (
            (
                (
                    (
                        ((1.05075007164441684324e-9 * r + 5.47593808499534494600e-4) * r + 1.51986665636164571966e-2)
                        * r
                        + 1.48103976427480074590e-1
                    )
                    * r
                    + 6.89767334985100004550e-1
                )
                * r
                + 1.67638483018380384940e0
            )
            * r
            + 2.05319162663775882187e0
        ) * r + 1.0
    else:
        r -= 5.0
        top = (
            (
                (
                    (
                        ((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 1.24266094738807843860e-3)
                        * r
                        + 2.65321895265761230930e-2
                    )
                    * r
                    + 2.96560571828504891230e-1
                )
                * r
                + 1.78482653991729133580e0
            )
            * r
            + 5.46378491116411436990e0
        ) * r + 6.65790464350110377720e0
        bottom = (
            (
                (
                    (
                        ((2.04426310338993978564e-15 * r + 1.42151175831644588870e-7) * r + 1.84631831751005468180e-5)
                        * r
                        + 7.86869131145613259100e-4
                    )
                    * r
                    + 1.48753612908506148525e-2
                )
                * r
                + 1.36929880922735805310e-1
            )
            * r
            + 5.99832206555887937690e-1
        ) * r + 1.0
    return -top / bottom if q < 0.0 else top / bottom


@njit(cache=True, nogil=True)
def _far_quantile(low, high, u):  # type: ignore[no-untyped-def]
    """The same as `truncated` far in the lower tail: Newton's method on the logarithm of the distribution function."""
    top = log_normal_cdf(high)
    gap = math.exp(log_normal_cdf(low) - top) if low > -math.inf else 0.0
    wanted = top + math.log(gap + u * (1.0 - gap)) if gap + u * (1.0 - gap) > 0.0 else -math.inf
    if wanted == -math.inf:
        return low
    x = -math.sqrt(-2.0 * wanted)
    for _ in range(60):
        value = log_normal_cdf(x)
        slope = math.exp(-0.5 * x * x - _LOG_SQRT_2PI - value)  # d ln Phi / dx
        step = (value - wanted) / slope
        x -= step
        if abs(step) < 1e-13 * abs(x):
            break
    return low if x < low else high if x > high else x


@njit(cache=True, nogil=True)
def truncated(low, high, u):  # type: ignore[no-untyped-def]
    """The u-quantile of a standard normal between two bounds, for u in (0, 1); bounds may be infinite."""
    flipped = low > 0.0  # small tail probabilities keep their digits, those near one do not
    if flipped:
        low, high, u = -high, -low, 1.0 - u
    if high < _FAR:
        x = _far_quantile(low, high, u)
    else:
        below = 0.0 if low == -math.inf else 0.5 * math.erfc(-low * _SQRT_HALF)
        upto = 1.0 if high == math.inf else 0.5 * math.erfc(-high * _SQRT_HALF)
        p = below + u * (upto - below)
        x = low if p <= 0.0 else high if p >= 1.0 else normal_quantile(p)
        x = low if x < low else high if x > high else x
    return -x if flipped else x


_ROWS = 64
"""Rows drawn side by side: enough to fill the vector units, few enough to stay in the first-level cache."""
_AT_ONCE = 1 << 21
"""Draws that wait to be added: 16 MB, few enough for the third-level cache."""
_PIECES = 16
"""Of one thread: a thread that others hold up has a piece more or less to wait for."""
_TINY = 1e-300
_LEAST_ROWS = 32
"""Of a piece whose boxes are weighed: fewer are not worth the hand-over."""


def sweep_rows(
    latent: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    weights: np.ndarray,
    spread: np.ndarray,
    seed: np.uint64,
    skip: int,
    kept: int,
    total: np.ndarray,
) -> None:
    """Gibbs sweeps of every row, which moves `latent` in place; adds the sums of products of the kept draws to `total`.

    On as many threads as there may be, with equal bits: every row has random numbers of its own, and every sum adds in
    the order of the rows, whoever drew them.

    Parameters
    ----------
    latent : (p, n) where the chains stand
    low, high : (p, n) bounds of every coordinate, infinite at the ends and where an answer is unknown
    weights : (p, p) `weights[i] @ x` is the mean of coordinate i given the others; zero on the diagonal
    spread : (p,) standard deviation of a coordinate given the others
    seed : of the random numbers: every row has a stream of its own
    skip, kept : sweeps before the first draw that counts, and sweeps that count
    total : (p + 1, p) to its lower triangle the sum of x x' over rows and kept draws is added, to row p that of x
    """
    p, n = latent.shape
    blocks, many = -(-n // _ROWS), threads()
    step = max(1, min(blocks, max(many, _AT_ONCE // max(1, kept * p * _ROWS))))
    draws, state = np.empty((step, kept, p, _ROWS)), random_states(seed, n)
    ends = [round(p * math.sqrt(item / many)) for item in range(many + 1)]  # the last coordinates have most products
    coordinates = [(entry, other) for entry, other in pairwise(ends) if entry < other]
    for begin in range(0, blocks, step):
        now = min(step, blocks - begin)

        def drawn(piece: tuple[int, int], begin: int = begin) -> None:
            rows = (begin + piece[0]) * _ROWS, min(n, (begin + piece[1]) * _ROWS)
            draw_rows(latent, low, high, weights, spread, state, skip, kept, *rows, draws[piece[0] : piece[1]])

        def added(piece: tuple[int, int], now: int = now) -> None:
            add_products(draws[:now], *piece, total)

        share(drawn, ranges(now, _PIECES * many))
        share(added, coordinates)


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def draw_rows(latent, low, high, weights, spread, state, skip, kept, begin, end, draws):  # type: ignore[no-untyped-def]
    """Gibbs sweeps of the rows from `begin`, a multiple of `_ROWS`, to `end`; the others see nothing of it.

    Parameters
    ----------
    latent, low, high, weights, spread, skip, kept : as `sweep_rows` takes them
    state : (n,) `random_states`, changed in place
    begin, end : the rows, see above
    draws : (blocks, kept, p, _ROWS) is filled with the kept draws, with 0 behind the last row
    """
    p = latent.shape[0]
    scale = 1.0 / 9007199254740992.0  # 2^-53
    sharpness = 1.0 / spread
    x, loose = np.empty((p + 1, _ROWS)), np.empty(p, np.bool_)
    mean = x[p]
    for first in range(begin, end, _ROWS):
        width = min(_ROWS, end - first)
        for i in range(p):  # loops, not slices: numba takes seconds to compile the errors of an assignment of slices
            loose[i] = False  # a number is known, so its chains stand still
            for row in range(width):
                loose[i] |= low[i, first + row] < high[i, first + row]
            for row in range(_ROWS):
                x[i, row] = latent[i, first + row] if row < width else 0.0
        for sweep in range(skip + kept):
            for i in range(p):
                if not loose[i]:
                    continue
                for row in range(_ROWS):
                    mean[row] = 0.0
                for j in range(p):
                    weight = weights[i, j]
                    if weight != 0.0:
                        for row in range(_ROWS):
                            mean[row] += weight * x[j, row]
                for row in range(width):
                    if low[i, first + row] == high[i, first + row]:
                        continue
                    state[first + row] += _STEP
                    u = (float(_mix(state[first + row]) >> np.uint64(11)) + 0.5) * scale
                    a = (low[i, first + row] - mean[row]) * sharpness[i]
                    b = (high[i, first + row] - mean[row]) * sharpness[i]
                    x[i, row] = mean[row] + spread[i] * truncated(a, b, u)
            if sweep >= skip:
                for i in range(p):
                    for row in range(_ROWS):
                        draws[(first - begin) // _ROWS, sweep - skip, i, row] = x[i, row]
        for i in range(p):
            for row in range(width):
                latent[i, first + row] = x[i, row]


@njit(cache=True, nogil=True, fastmath={"reassoc", "contract"})
def add_products(draws, begin, end, total):  # type: ignore[no-untyped-def]
    """Add the draws of the coordinates from `begin` to `end`, and their products with those before, to `total`.

    Parameters
    ----------
    draws : (blocks, kept, p, _ROWS), added in this order
    begin, end : the coordinates
    total : as `sweep_rows` takes it
    """
    p = draws.shape[2]
    for block in range(draws.shape[0]):
        for sweep in range(draws.shape[1]):
            x = draws[block, sweep]
            for i in range(begin, end):
                for j in range(i + 1):
                    product = 0.0
                    for row in range(_ROWS):
                        product += x[i, row] * x[j, row]
                    total[i, j] += product
                for row in range(_ROWS):
                    total[p, i] += x[i, row]


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

    share(filled, ranges(len(out), min(_PIECES * threads(), -(-len(out) // _LEAST_ROWS))))


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
