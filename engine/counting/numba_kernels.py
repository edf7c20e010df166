"""The counting kernels, compiled by numba (cached on disk, released from the interpreter lock)."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from engine.counting.box_kernels import box_probabilities
from engine.counting.gaussian_kernels import gaussian_additions, gaussian_local, gaussian_many, partial_correlations
from engine.counting.latent_kernels import sweep_rows
from engine.counting.numba_groups import count_additions_by_group
from engine.counting.numba_pairs import pair_information, plane_pairs, table_information
from engine.counting.order_kernels import order_walk
from engine.counting.popcount import popcount

__all__ = [
    "box_probabilities",
    "count_additions_by_group",
    "gaussian_additions",
    "gaussian_local",
    "gaussian_many",
    "order_walk",
    "pair_information",
    "partial_correlations",
    "plane_pairs",
    "sweep_rows",
    "table_information",
]  # with everything below, what `kernels()` gives

_BUFFER = 32768  # words that the cell planes of a row block may fill: 256 KiB, inside the second-level cache
_BLOCK = 512  # most words of a row block


@njit(cache=True, nogil=True)
def _expand(old, new, n_old, words, start, levels, base, width):  # type: ignore[no-untyped-def]
    """Split every plane of `old` by one more variable; its last level is what the others leave."""
    for j in range(n_old):
        for w in range(width):
            new[j * levels + levels - 1, w] = old[j, w]
        for level in range(levels - 1):
            for w in range(width):
                both = old[j, w] & words[start + level, base + w]
                new[j * levels + level, w] = both
                new[j * levels + levels - 1, w] ^= both


@njit(cache=True, nogil=True)
def _cell_planes(words, starts, arity, child, parents, n_rows, base, width, one, two):  # type: ignore[no-untyped-def]
    """Planes of every (parent configuration, child level) of one row block; returns the buffer they are in."""
    full = np.uint64(0xFFFFFFFFFFFFFFFF)
    for w in range(width):
        left = n_rows - (base + w) * 64
        one[0, w] = full if left >= 64 else (np.uint64(1) << np.uint64(max(left, 0))) - np.uint64(1)
    count = 1
    for x in parents:
        _expand(one, two, count, words, starts[x], arity[x], base, width)
        count *= arity[x]
        one, two = two, one
    _expand(one, two, count, words, starts[child], arity[child], base, width)
    return two


@njit(cache=True, nogil=True)
def _cells(arity, child, parents):  # type: ignore[no-untyped-def]
    cells = arity[child]
    for x in parents:
        cells *= arity[x]
    return cells


@njit(cache=True, nogil=True)
def plane_family(words, starts, arity, child, parents, n_rows, counts):  # type: ignore[no-untyped-def]
    """Add the counts of one family to `counts`, (q * r,) int64."""
    cells = _cells(arity, child, parents)
    block = min(_BLOCK, max(_BUFFER // cells, 64), words.shape[1])
    one = np.empty((cells, block), np.uint64)
    two = np.empty((cells, block), np.uint64)
    for base in range(0, words.shape[1], block):
        width = min(block, words.shape[1] - base)
        planes = _cell_planes(words, starts, arity, child, parents, n_rows, base, width, one, two)
        for c in range(cells):
            total = np.uint64(0)
            for w in range(width):
                total += popcount(planes[c, w])
            counts[c] += np.int64(total)


@njit(cache=True, nogil=True)
def _count_one(planes, cells, words, first, base, width, table, levels, level):  # type: ignore[no-untyped-def]
    """Rows of a block in every cell and in one level of a candidate; two cells share the reading of its plane."""
    plane = words[first, base : base + width]
    for c in range(0, cells - 1, 2):
        one, two = planes[c], planes[c + 1]
        t, u = np.uint64(0), np.uint64(0)
        for w in range(width):
            t += popcount(one[w] & plane[w])
            u += popcount(two[w] & plane[w])
        table[c * levels + level] += np.int64(t)
        table[(c + 1) * levels + level] += np.int64(u)
    if cells % 2:
        t = np.uint64(0)
        for w in range(width):
            t += popcount(planes[cells - 1, w] & plane[w])
        table[(cells - 1) * levels + level] += np.int64(t)


@njit(cache=True, nogil=True)
def _count_two(planes, cells, words, first, base, width, table, levels, level):  # type: ignore[no-untyped-def]
    """The same for two levels at once: two cells by two levels are four counts for four readings."""
    a, b = words[first, base : base + width], words[first + 1, base : base + width]
    for c in range(0, cells - 1, 2):
        one, two = planes[c], planes[c + 1]
        t, u, v, z = np.uint64(0), np.uint64(0), np.uint64(0), np.uint64(0)
        for w in range(width):
            t += popcount(one[w] & a[w])
            u += popcount(one[w] & b[w])
            v += popcount(two[w] & a[w])
            z += popcount(two[w] & b[w])
        table[c * levels + level] += np.int64(t)
        table[c * levels + level + 1] += np.int64(u)
        table[(c + 1) * levels + level] += np.int64(v)
        table[(c + 1) * levels + level + 1] += np.int64(z)
    if cells % 2:
        t, u = np.uint64(0), np.uint64(0)
        for w in range(width):
            t += popcount(planes[cells - 1, w] & a[w])
            u += popcount(planes[cells - 1, w] & b[w])
        table[(cells - 1) * levels + level] += np.int64(t)
        table[(cells - 1) * levels + level + 1] += np.int64(u)


@njit(cache=True, nogil=True)
def plane_additions(words, starts, arity, child, parents, candidates, n_rows, tables):  # type: ignore[no-untyped-def]
    """Add to `tables[m]` the (q, r, s) counts with candidate m, for all candidates in one pass over the rows."""
    cells = _cells(arity, child, parents)
    block = min(_BLOCK, max(_BUFFER // cells, 64), words.shape[1])
    one = np.empty((cells, block), np.uint64)
    two = np.empty((cells, block), np.uint64)
    totals = np.zeros(cells, np.int64)
    for base in range(0, words.shape[1], block):
        width = min(block, words.shape[1] - base)
        planes = _cell_planes(words, starts, arity, child, parents, n_rows, base, width, one, two)
        for c in range(cells):
            total = np.uint64(0)
            for w in range(width):
                total += popcount(planes[c, w])
            totals[c] += np.int64(total)
        for m in range(candidates.shape[0]):
            x = candidates[m]
            levels = arity[x]
            level = 0
            while level + 2 < levels:
                _count_two(planes, cells, words, starts[x] + level, base, width, tables[m], levels, level)
                level += 2
            if level + 1 < levels:
                _count_one(planes, cells, words, starts[x] + level, base, width, tables[m], levels, level)
    for m in range(candidates.shape[0]):
        levels = arity[candidates[m]]
        for c in range(cells):
            rest = totals[c]
            for level in range(levels - 1):
                rest -= tables[m, c * levels + level]
            tables[m, c * levels + levels - 1] = rest


@njit(cache=True, nogil=True)
def histogram_additions(code, codes, arity, candidates, tables):  # type: ignore[no-untyped-def]
    """The same counts from a ready code (configuration * r + child level) of every row.

    Four sub-histograms side by side, so that a row does not wait for the store of the row before it.
    """
    n = code.shape[0]
    for m in range(candidates.shape[0]):
        row = codes[candidates[m]]
        levels = np.uint32(arity[candidates[m]])
        size = tables.shape[1]
        if size > 4096:
            for i in range(n):
                tables[m, code[i] * levels + row[i]] += 1
            continue
        parts = np.zeros((4, size), np.int32)
        for i in range(0, n - 3, 4):
            parts[0, code[i] * levels + row[i]] += 1
            parts[1, code[i + 1] * levels + row[i + 1]] += 1
            parts[2, code[i + 2] * levels + row[i + 2]] += 1
            parts[3, code[i + 3] * levels + row[i + 3]] += 1
        for i in range(n - n % 4, n):
            parts[0, code[i] * levels + row[i]] += 1
        for c in range(size):
            tables[m, c] += parts[0, c] + parts[1, c] + parts[2, c] + parts[3, c]


@njit(cache=True, nogil=True)
def mixed_radix(codes, arity, variables, first, out):  # type: ignore[no-untyped-def]
    """Write the mixed-radix code of some variables, first one most significant, for rows `first` on into `out`."""
    out[:] = 0
    for x in variables:
        levels, row = np.uint32(arity[x]), codes[x, first : first + out.shape[0]]
        for i in range(out.shape[0]):
            out[i] = out[i] * levels + row[i]


@njit(cache=True, nogil=True)
def histogram_family(codes, arity, family, counts):  # type: ignore[no-untyped-def]
    """Add the counts of one family (parents, then child) to `counts`, (q * r,) int64, a row block at a time."""
    n = codes.shape[1]
    code = np.empty(2048, np.uint32)
    for base in range(0, n, 2048):
        width = min(2048, n - base)
        mixed_radix(codes, arity, family, base, code[:width])
        for i in range(width):
            counts[code[i]] += 1


@njit(cache=True, nogil=True)
def lgamma_rise(start, out):  # type: ignore[no-untyped-def]
    """out[n] = lnGamma(start + n) - lnGamma(start)."""
    base = math.lgamma(start)
    for n in range(out.shape[0]):
        out[n] = math.lgamma(start + n) - base


@njit(cache=True, nogil=True)
def dirichlet_additions(tables, members, s, q, r, alpha, cells, rows, scores):  # type: ignore[no-untyped-def]
    """Dirichlet-multinomial log score of the tables `members` of `plane_additions`, candidates of s levels each.

    `alpha` is the pseudo-count of a cell. `cells` and `rows` are `lgamma_rise` from alpha and from alpha * r, long
    enough for every count, or empty: then lnGamma is computed.
    """
    look_up = cells.shape[0] > 0
    cell, row = math.lgamma(alpha), math.lgamma(alpha * r)
    for m in members:
        score = 0.0
        for j in range(q):
            for level in range(s):
                total = 0
                for k in range(r):
                    count = tables[m, (j * r + k) * s + level]
                    total += count
                    if look_up:
                        score += cells[count]
                    elif count > 0:
                        score += math.lgamma(alpha + count) - cell
                if look_up:
                    score -= rows[total]
                elif total > 0:
                    score += row - math.lgamma(alpha * r + total)
        scores[m] = score


@njit(cache=True, nogil=True)
def dirichlet_family(counts, alpha):  # type: ignore[no-untyped-def]
    """Dirichlet-multinomial log score of a (J, r) table with `alpha` in every cell."""
    rows, r = counts.shape
    cell, row = math.lgamma(alpha), math.lgamma(alpha * r)
    score = 0.0
    for j in range(rows):
        total = 0
        for k in range(r):
            if counts[j, k] > 0:
                total += counts[j, k]
                score += math.lgamma(alpha + counts[j, k]) - cell
        if total > 0:
            score += row - math.lgamma(alpha * r + total)
    return score


@njit(cache=True, nogil=True)
def dirichlet_row(counts, alpha):  # type: ignore[no-untyped-def]
    """Dirichlet-multinomial log score of one row of counts whose pseudo-counts add up to `alpha`; 0 without rows."""
    total, score = 0, 0.0
    share = alpha / counts.shape[0]
    for k in range(counts.shape[0]):
        if counts[k] > 0:
            total += counts[k]
            score += math.lgamma(share + counts[k]) - math.lgamma(share)
    return score if total == 0 else score + math.lgamma(alpha) - math.lgamma(alpha + total)


@njit(cache=True, nogil=True)
def dirichlet_rows(counts, alpha, out):  # type: ignore[no-untyped-def]
    """`dirichlet_row` of every row of (J, r) counts."""
    for j in range(counts.shape[0]):
        out[j] = dirichlet_row(counts[j], alpha)


@njit(cache=True, nogil=True)
def subset_gains(configurations, counts, scores, values, alphas, gains, cases):  # type: ignore[no-untyped-def]
    """For every subset S of a child's m parents: what one shared row for all rows that agree with `values` on S gains.

    `configurations` (J, m) and `counts` (J, r) of the parents, `scores` (J,) their log scores, `values` (m,) codes
    (-1 agrees with nothing), `alphas` (2^m,) pseudo-counts of the shared row. Bit i of a subset is parent i. Writes
    `gains` (2^m,) and `cases` (2^m, r), the counts of the rows that agree: sums over supersets, one bit at a time.
    """
    m, r = configurations.shape[1], counts.shape[1]
    cases[:] = 0
    replaced = np.zeros(gains.shape[0])
    for j in range(counts.shape[0]):
        agree = 0
        for i in range(m):
            if configurations[j, i] == values[i]:
                agree |= 1 << i
        replaced[agree] += scores[j]
        for k in range(r):
            cases[agree, k] += counts[j, k]
    for i in range(m):
        for subset in range(gains.shape[0]):
            if not subset >> i & 1:
                replaced[subset] += replaced[subset | 1 << i]
                for k in range(r):
                    cases[subset, k] += cases[subset | 1 << i, k]
    for subset in range(gains.shape[0]):
        gains[subset] = dirichlet_row(cases[subset], alphas[subset]) - replaced[subset]


@njit(cache=True, nogil=True)
def matched_additions(rows, match, cell, candidates, out):  # type: ignore[no-untyped-def]
    """out[c, cell[row]] = how many of `rows` also match the patient in `candidates[c]`; `match` (p, n) is 0 or 1."""
    out[:] = 0
    for c in range(candidates.shape[0]):
        column = match[candidates[c]]
        for row in rows:
            out[c, cell[row]] += column[row]


@njit(cache=True, nogil=True)
def instance_scores(matched, counts, agrees, shared, agreeing, other, out):  # type: ignore[no-untyped-def]
    """Equation 9 for several parent sets of one patient.

    `matched` (c, J, r) rows that agree with her, by population configuration; `counts` (J, r) all rows; `agrees` (c, J)
    which configurations agree with her; `shared` (c,) pseudo-counts of her own row; `agreeing` (c,) and `other` those
    of a population row that agrees with her and of any other.
    """
    r = counts.shape[1]
    left, own = np.empty(r, np.int64), np.empty(r, np.int64)
    for c in range(matched.shape[0]):
        score = 0.0
        own[:] = 0
        for j in range(counts.shape[0]):
            for k in range(r):
                own[k] += matched[c, j, k]
                left[k] = counts[j, k] - matched[c, j, k]
            score += dirichlet_row(left, agreeing[c] if agrees[c, j] else other)
        out[c] = score + dirichlet_row(own, shared[c])
