"""Kernels of one common difference over all contexts: of scores, and of the odds of a level (NUMBERS, Evidence 3)."""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import njit
from engine.counting.differences.segment_kernels import whole_at

TRUSTED = 1.25
"""Mean of the evidence over labels up to which its normal form is trusted, once divided by it."""
WIDE, APART, SHORT, LARGE, LARGEST, FAR, CLEAR = 7.0, 1.25, 16, 8.0, 50.0, 600.0, 2.5
"""Standard deviations of a count that are looked at, and of which one may be skipped; counts of a context up to which
their chances need no common measure; information from which nodes follow the likelihood, which is then narrower than
those of the prior are apart, and from which half as many nodes are as exact; exponents that a double holds; and
standard errors from 0 from which the likeliest log odds ratio is looked for, since it is no longer that of a normal
likelihood."""


@njit(cache=True, nogil=True)
def score_evidence(u, v, j, third, fourth, scale):  # type: ignore[no-untyped-def]
    """ln Bayes factor of one common difference from a sum of scores.

    u : the second group's scores less the mean of their context;  v : its variance over permuted labels
    j : the information of the rows: u is normal with mean effect x j; an effect is normal with `scale`
    third, fourth : cumulants of u over labels in contexts with few rows: the evidence is divided by its mean over
        labels, to the sixth order of Hermite polynomials; where that is far from 1, u is not normal and speaks for no
        difference
    """
    if v <= 1e-12:
        return 0.0
    wide = scale * scale * j * j / v
    rho = wide / (1.0 + wide)
    mean = 1.0 + rho * rho * fourth / (8.0 * v * v) + 10.0 * rho**3 * third * third / (48.0 * v**3)
    result = 0.5 * (u * u / v * rho - math.log1p(wide)) - math.log(max(mean, 0.5))
    return min(result, 0.0) if mean > TRUSTED else result


@njit(cache=True, nogil=True)
def cumulants_of_sum(many, second, squares, cubes, fourths):  # type: ignore[no-untyped-def]
    """Variance, third and fourth cumulant of the sum of `second` of `many` centred numbers drawn without
    replacement."""
    n, m = float(many), float(second)
    p1 = m / n
    p2 = p1 * (m - 1) / (n - 1) if many > 1 else 0.0
    p3 = p2 * (m - 2) / (n - 2) if many > 2 else 0.0
    p4 = p3 * (m - 3) / (n - 3) if many > 3 else 0.0
    v = (p1 - p2) * squares
    third = cubes * (p1 - 3 * p2 + 2 * p3)
    moment = fourths * (p1 - 7 * p2 + 12 * p3 - 6 * p4) + 3 * squares * squares * (p2 - 2 * p3 + p4)
    return v, third, moment - 3 * v * v


@njit(cache=True, nogil=True)
def _log_chance(x, n1, n2, some, whole):  # type: ignore[no-untyped-def]
    """ln of the hypergeometric chance that x of the second group's n2 rows are of the `some` that have the level."""
    result = whole_at(whole, n2) - whole_at(whole, x) - whole_at(whole, n2 - x)
    result += whole_at(whole, n1) - whole_at(whole, some - x) - whole_at(whole, n1 - some + x)
    return result - whole_at(whole, n1 + n2) + whole_at(whole, some) + whole_at(whole, n1 + n2 - some)


@njit(cache=True, nogil=True)
def _width_at(x, n1, n2, some):  # type: ignore[no-untyped-def]
    """Standard deviation of a count that is tilted to have its top at x."""
    near = 1.0 / (x + 1.0) + 1.0 / (some - x + 1.0) + 1.0 / (n2 - x + 1.0)
    return 1.0 / math.sqrt(near + 1.0 / (n1 - some + x + 1.0))


@njit(cache=True, nogil=True)
def _tilted(low, high, n1, n2, some, theta, whole):  # type: ignore[no-untyped-def]
    """ln sum of the hypergeometric chances times exp(theta x), and mean and variance of x under these weights.

    x of the second group's n2 rows are of the `some` that have the level. A sum of so smooth terms may skip some of
    them.
    """
    psi = math.exp(theta)
    a, b = psi - 1.0, some - n1 - (n2 + some + 2.0) * psi
    c = (n2 + 1.0) * (some + 1.0) * psi
    centre = min(max(math.floor(-2.0 * c / (b - math.sqrt(max(b * b - 4.0 * a * c, 0.0)))), low), high)
    sd = _width_at(centre, n1, n2, some)
    step = max(1, int(sd / APART))
    begin = max(low, int(centre - WIDE * sd) - 1)
    end = min(high, int(centre + WIDE * sd) + 1)
    if begin == low or end == high:
        step = 1  # an end cuts through the terms, so that none may be left out
    ways = (
        whole_at(whole, n2)
        + whole_at(whole, n1)
        - whole_at(whole, n1 + n2)
        + whole_at(whole, some)
        + whole_at(whole, n1 + n2 - some)
    )
    top = ways - whole_at(whole, int(centre)) - whole_at(whole, n2 - int(centre)) - whole_at(whole, some - int(centre))
    top += theta * centre - whole_at(whole, n1 - some + int(centre))
    total = first = second = 0.0
    for x in range(begin, end + 1, step):
        log = (
            ways
            - whole_at(whole, x)
            - whole_at(whole, n2 - x)
            - whole_at(whole, some - x)
            - whole_at(whole, n1 - some + x)
            + theta * x
        )
        weight = math.exp(log - top)
        total += weight
        first += weight * (x - centre)
        second += weight * (x - centre) ** 2
    mean = first / total
    return top + math.log(total * step), centre + mean, second / total - mean * mean


@njit(cache=True, nogil=True)
def odds_evidence(hits, second, some, rows, blocks, nodes, whole):  # type: ignore[no-untyped-def]
    """ln Bayes factor of one log odds ratio of a level against the rest, normal (0, 1), and its estimate.

    The exact conditional likelihood: noncentral hypergeometric chances given both margins of every block.

    hits, second, some, rows : (blocks,) integers: rows of the second group with the level, of the second group, with
        the level, and all
    nodes : `hermite_nodes`;  whole : ln n! by n
    """
    v = u = 0.0
    for q in range(blocks):
        n, s, m = float(rows[q]), float(some[q]), float(second[q])
        if n > 1:
            u += hits[q] - s * m / n
            v += s * (n - s) * m * (n - m) / (n * n * (n - 1))
    if v <= 0.0:
        return 0.0, 0.0
    points, log_weights, centre, width = nodes[0], nodes[1], 0.0, 1.0
    if v > LARGE:
        points, log_weights = nodes[2], nodes[3]
        centre, width = min(max(u / (v + 1.0), -3.0), 3.0), 1.0 / math.sqrt(v + 1.0)
        if u * u > CLEAR * CLEAR * v:
            centre, width = _likeliest(hits, second, some, rows, blocks, centre, whole)
        elif v > LARGEST:
            points, log_weights = nodes[4], nodes[5]
    many = points.shape[0]
    logs, products, sums = np.zeros(many), np.ones(many), np.empty(many)
    at, weights, powers = points.copy(), log_weights.copy(), np.empty(many)
    bases = np.empty(many)
    farthest = 0.0
    for k in range(many):
        at[k] = centre + width * points[k]
        weights[k] += 0.5 * (points[k] * points[k] - at[k] * at[k]) + math.log(width)
        bases[k] = math.exp(at[k])
        farthest = max(farthest, abs(at[k]))
    moved = grown = 0.0
    last = 0
    for q in range(blocks):
        n1, n2, n = rows[q] - second[q], second[q], float(rows[q])
        least, most = max(0, some[q] - n1), min(some[q], n2)
        if least == most:
            continue
        mean = some[q] * n2 / n
        own = mean * (n - some[q]) * n1 / (n * max(n - 1.0, 1.0))
        reach = WIDE * math.sqrt(own) + farthest * own + 2.0  # what no node gives weight is left out
        low, high, weight = max(least, int(mean - reach)), min(most, int(mean + reach) + 1), 1.0
        step = 1
        exponent = (high - low) * farthest
        if high - low > SHORT:
            top = _log_chance(high, n1, n2, some[q], whole)
            if exponent > FAR or min(top, _log_chance(low, n1, n2, some[q], whole)) < -FAR:
                for k in range(many):
                    logs[k] += hits[q] * at[k] - _tilted(least, most, n1, n2, some[q], at[k], whole)[0]
                continue
            weight = math.exp(top)
            if low > least and high < most:  # so smooth that some may be skipped
                shift = farthest * own
                narrow = min(_width_at(mean - shift, n1, n2, some[q]), _width_at(mean + shift, n1, n2, some[q]))
                step = max(1, int(narrow / APART))
                high -= (high - low) % step
        if grown + exponent > FAR:
            for k in range(many):
                logs[k] -= math.log(products[k])
                products[k] = 1.0
            grown = 0.0
        for k in range(many):
            sums[k] = weight
        usual = weight
        if step != last:
            last = step
            powers[:] = bases
            for _ in range(1, step):
                powers *= bases
        for end in range(high, low, -step):  # chances of fewer, from the top, as Horner sums a polynomial
            if step < 8:
                up = down = 1.0
                for x in range(end, end - step, -1):
                    up *= x * float(n1 - some[q] + x)
                    down *= float(n2 - x + 1) * float(some[q] - x + 1)
                weight *= up / down
            else:
                weight = math.exp(_log_chance(end - step, n1, n2, some[q], whole))
            usual += weight
            for k in range(many):
                sums[k] = sums[k] * powers[k] + weight
        usual = 1.0 / usual
        for k in range(many):
            products[k] *= sums[k] * usual
        moved += hits[q] - low
        grown += exponent
    top = -np.inf
    for k in range(many):
        logs[k] += moved * at[k] + weights[k] - math.log(products[k])
        top = max(top, logs[k])
    total = mean = 0.0
    for k in range(many):
        weight = math.exp(logs[k] - top)
        total += weight
        mean += weight * at[k]
    return top + math.log(total), mean / total


@njit(cache=True, nogil=True)
def _likeliest(hits, second, some, rows, blocks, theta, whole):  # type: ignore[no-untyped-def]
    """The log odds ratio of highest posterior density, by Newton's steps, and the standard deviation about it."""
    width = 1.0
    for _ in range(12):
        slope, curve = -theta, 1.0
        for q in range(blocks):
            low, high = max(0, some[q] - rows[q] + second[q]), min(some[q], second[q])
            if low < high:
                _, mean, variance = _tilted(low, high, rows[q] - second[q], second[q], some[q], theta, whole)
                slope += hits[q] - mean
                curve += variance
        width = 1.0 / math.sqrt(curve)
        move = min(max(slope / curve, -1.0), 1.0)
        theta += move
        if abs(move) < 0.02 * width:
            break
    return theta, width
