"""Kernels of segments: where along a scale the share of the second group changes, given the values (NUMBERS, Evidence
1).

Rows are in cells in the order of the scale. With m(a, b) = B(a + 1/2, b + 1/2) / B(1/2, 1/2), what rows of both groups
with one unknown share are worth, the evidence is the mean over r = 2 .. 8 of P_r, itself the mean over all partitions
of the cells into r segments of the product of m, over P_1. Labels are given values, so no distribution is assumed.
"""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import njit
from engine.counting.differences.forms import FEW, MOST_CELLS, MOST_SEGMENTS, ROWS_OF_A_CELL

LOG_PI = math.log(math.pi)


@njit(cache=True, nogil=True)
def half_at(half, n):  # type: ignore[no-untyped-def]
    """ln Gamma(n + 1/2), looked up where the table has it."""
    return half[n] if n < half.shape[0] else math.lgamma(n + 0.5)


@njit(cache=True, nogil=True)
def whole_at(whole, n):  # type: ignore[no-untyped-def]
    """ln n!, looked up where the table has it."""
    return whole[n] if n < whole.shape[0] else math.lgamma(n + 1.0)


@njit(cache=True, nogil=True)
def log_share(r, cells, whole):  # type: ignore[no-untyped-def]
    """Minus ln of how many partitions into r segments so many cells have."""
    return whole_at(whole, r - 1) + whole_at(whole, cells - r) - whole_at(whole, cells - 1)


@njit(cache=True, nogil=True)
def cell_ends(values, m, most, ends):  # type: ignore[no-untyped-def]
    """Fill where the cells of `m` rising values end; how many there are. Equal values share a cell.

    Each value is a cell where there are at most `most`; else cells have about equally many rows.
    """
    many = 0
    for i in range(1, m):
        if values[i] != values[i - 1]:
            if many < most:
                ends[many] = i
            many += 1
    if many < most:
        ends[many] = m
        return many + 1
    many = last = 0
    for i in range(1, most):
        p = i * m // most
        if p <= last:
            continue
        while p > last and values[p - 1] == values[p]:
            p -= 1
        if p > last:
            ends[many] = p
            many += 1
            last = p
    ends[many] = m
    return many + 1


@njit(cache=True, nogil=True)
def segment_evidence(first, second, cells, tables, room):  # type: ignore[no-untyped-def]
    """ln Bayes factor of different shares along the cells, of integer counts of both groups.

    tables : ln Gamma(n + 1/2) and ln n! by n, and `legendre_table`;  room : (2, MOST_CELLS + 1, MOST_CELLS + 1)
    """
    half, whole, legendre = tables
    worth, sums, more = room[0], room[1, 0], room[1, 1]
    a = b = 0
    for c in range(cells):
        a += first[c]
        b += second[c]
    m = a + b
    most = min(MOST_SEGMENTS, cells)
    if most < 2 or a == 0 or b == 0:
        return 0.0
    log_a, log_b = math.log(a / m), math.log(b / m)
    for i in range(cells):
        x = y = 0
        for j in range(i, cells):
            x += first[j]
            y += second[j]
            log = half_at(half, x) + half_at(half, y) - whole_at(whole, x + y) - LOG_PI - x * log_a - y * log_b
            worth[i, j + 1] = math.exp(log) if log < 700.0 else np.inf
    for j in range(1, cells + 1):
        sums[j] = worth[0, j]
    sums[0] = 0.0
    total = 0.0
    for r in range(2, most + 1):
        for j in range(cells + 1):
            more[j] = 0.0
        for i in range(r - 1, cells):
            x = sums[i]
            for j in range(i + 1, cells + 1):
                more[j] += x * worth[i, j]
        total += more[cells] * math.exp(log_share(r, cells, whole))
        for j in range(cells + 1):
            sums[j] = more[j]
    if total < 1e300:
        result = math.log(total / (most - 1)) - math.log(worth[0, cells])
    else:
        result = _log_segments(first, second, cells, most, half, whole, room)
    if m < FEW:
        result -= math.log(_mean_over_labels(first, second, cells, most, a, m, whole, legendre))
    return result


@njit(cache=True, nogil=True)
def _log_segments(first, second, cells, most, half, whole, room):  # type: ignore[no-untyped-def]
    """`segment_evidence` in logarithms, where numbers would pass what a double holds."""
    worth, sums, more = room[0], room[1, 0], room[1, 1]
    for i in range(cells):
        x = y = 0
        for j in range(i, cells):
            x += first[j]
            y += second[j]
            worth[i, j + 1] = half_at(half, x) + half_at(half, y) - whole_at(whole, x + y) - LOG_PI
    for j in range(1, cells + 1):
        sums[j] = worth[0, j]
    sums[0] = total = -np.inf
    for r in range(2, most + 1):
        for j in range(cells + 1):
            top = -np.inf
            for i in range(r - 1, j):
                top = max(top, sums[i] + worth[i, j])
            more[j] = top
            if top > -np.inf:
                rest = 0.0
                for i in range(r - 1, j):
                    rest += math.exp(sums[i] + worth[i, j] - top)
                more[j] += math.log(rest)
        x = more[cells] + log_share(r, cells, whole)
        top = max(total, x)
        total = top + math.log(math.exp(total - top) + math.exp(x - top))
        for j in range(cells + 1):
            sums[j] = more[j]
    return total - math.log(most - 1) - worth[0, cells]


@njit(cache=True, nogil=True)
def _mean_over_labels(first, second, cells, most, a, m, whole, legendre):  # type: ignore[no-untyped-def]
    """The mean evidence of all labels with these totals in these cells.

    It is the chance that segments with one unknown share each have `a` rows of the first group together, over that of
    one segment: a Fourier sum over products of Legendre polynomials.
    """
    table, points = legendre[m], (m + 1) // 2 + 1
    sums, more = np.empty((cells + 1, points)), np.empty((cells + 1, points))
    sizes = np.empty(cells, np.int64)
    for c in range(cells):
        sizes[c] = first[c] + second[c]
    size = 0
    for j in range(1, cells + 1):
        size += sizes[j - 1]
        for t in range(points):
            sums[j, t] = table[size, t]
    total = np.zeros(points)
    for r in range(2, most + 1):
        for j in range(r, cells + 1):
            for t in range(points):
                more[j, t] = 0.0
            size = 0
            for i in range(j - 1, r - 2, -1):
                size += sizes[i]
                for t in range(points):
                    more[j, t] += sums[i, t] * table[size, t]
        share = math.exp(log_share(r, cells, whole)) / (most - 1)
        for t in range(points):
            total[t] += share * more[cells, t]
        for j in range(r, cells + 1):
            for t in range(points):
                sums[j, t] = more[j, t]
    chance = 0.0
    for t in range(points):
        twice = 1.0 if t == 0 or 2 * t == m + 1 else 2.0
        chance += twice * total[t] * math.cos((2 * a - m) * math.pi * t / (m + 1))
    b = m - a
    alone = math.exp(
        whole_at(whole, 2 * a)
        - 2 * whole_at(whole, a)
        + whole_at(whole, 2 * b)
        - 2 * whole_at(whole, b)
        - m * math.log(4.0)
    ) * (m + 1)
    return max(chance / alone, 1e-12)


@njit(cache=True, nogil=True)
def segment_shares(first, second, cells, tables, higher):  # type: ignore[no-untyped-def]
    """Fill the posterior probability that the second group's share in each cell is above its share of all rows.

    Over partitions into 2 .. 8 segments, as `segment_evidence` weighs them; the share of a segment has the distribution
    Beta(b + 1/2, a + 1/2), whose chance above a point is its normal approximation's.
    """
    half, whole, _ = tables
    most = min(MOST_SEGMENTS, cells)
    a = b = 0
    for c in range(cells):
        a += first[c]
        b += second[c]
    share = b / (a + b)
    worth = np.full((cells + 1, cells + 1), -np.inf)
    above = np.zeros((cells + 1, cells + 1))
    for i in range(cells):
        x = y = 0
        for j in range(i, cells):
            x += first[j]
            y += second[j]
            worth[i, j + 1] = half_at(half, x) + half_at(half, y) - whole_at(whole, x + y) - LOG_PI
            p, n = (y + 0.5) / (x + y + 1.0), x + y + 2.0
            above[i, j + 1] = 0.5 * math.erfc((share - p) / math.sqrt(2.0 * p * (1.0 - p) / n))
    ahead, behind = np.full((most + 1, cells + 1), -np.inf), np.full((most + 1, cells + 1), -np.inf)
    ahead[0, 0] = behind[0, cells] = 0.0
    for r in range(1, most + 1):
        for j in range(1, cells + 1):
            for i in range(j):
                ahead[r, j] = _log_add(ahead[r, j], ahead[r - 1, i] + worth[i, j])
        for i in range(cells):
            for j in range(i + 1, cells + 1):
                behind[r, i] = _log_add(behind[r, i], worth[i, j] + behind[r - 1, j])
    higher[:] = 0.0
    total = -np.inf
    for r in range(2, most + 1):
        total = _log_add(total, ahead[r, cells] + log_share(r, cells, whole))
    for r in range(2, most + 1):
        parts = log_share(r, cells, whole)
        for before in range(r):
            for i in range(cells):
                if ahead[before, i] == -np.inf:
                    continue
                for j in range(i + 1, cells + 1):
                    log = ahead[before, i] + worth[i, j] + behind[r - 1 - before, j] + parts - total
                    if log > -40.0:
                        weight = math.exp(log) * above[i, j]
                        for c in range(i, j):
                            higher[c] += weight
    for c in range(cells):
        higher[c] = min(max(higher[c], 0.0), 1.0)


@njit(cache=True, nogil=True)
def _log_add(a, b):  # type: ignore[no-untyped-def]
    if a == -np.inf:
        return b
    return max(a, b) + math.log1p(math.exp(-abs(a - b)))


@njit(cache=True, nogil=True)
def most_alike(values, rows):  # type: ignore[no-untyped-def]
    """How many rows, which are in the order of their values, have the value that most have."""
    most = begin = 0
    for t in range(1, rows.shape[0] + 1):
        if t == rows.shape[0] or values[rows[t]] != values[rows[begin]]:
            most = max(most, t - begin)
            begin = t
    return most


@njit(cache=True, nogil=True)
def segments_of(rest, second, m, mixed, ordered, ends, a_of, b_of, tables, room):  # type: ignore[no-untyped-def]
    """The evidence of segments of one block; `mixed` where its values are not in order yet."""
    most = min(MOST_CELLS, m // ROWS_OF_A_CELL)
    if most < 2:
        return 0.0
    for t in range(m):
        ordered[t] = rest[t]
    if mixed:
        ordered[:m].sort()
    cells = cell_ends(ordered, m, most, ends)
    for c in range(cells):
        a_of[c] = b_of[c] = 0
    if mixed:
        for t in range(m):
            x, low, high = rest[t], 0, cells - 1
            while low < high:  # the first cell whose largest value is not below
                middle = (low + high) // 2
                if ordered[ends[middle] - 1] < x:
                    low = middle + 1
                else:
                    high = middle
            if second[t] > 0:
                b_of[low] += 1
            else:
                a_of[low] += 1
    else:
        c = 0
        for t in range(m):
            if t >= ends[c]:
                c += 1
            if second[t] > 0:
                b_of[c] += 1
            else:
                a_of[c] += 1
    return segment_evidence(a_of, b_of, cells, tables, room)
