"""The counting kernels, compiled by numba (cached on disk, released from the interpreter lock).

Kernels for association take `weights[n]`, what a count of n contributes: ln n! for a message length, n ln n for the
likelihood. With w(A) the sum over the cells of a table of the variables A, and w() = weights[N], the information of a
and b given S is

    w(S+a+b) + w(S) - w(S+a) - w(S+b)
"""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import COMPILED, njit
from engine.counting.differences.clustered_kernels import clustered_cells, clustered_families
from engine.counting.differences.difference_kernels import compare_counts, compare_values, fill_forms, value_families
from engine.counting.differences.group_family_kernels import (
    cluster_families,
    cluster_spread,
    counted_families,
    group_families,
    mixed_families,
    pair_effects,
)
from engine.counting.differences.segment_kernels import cell_ends, segment_shares
from engine.counting.gaussian_kernels import gaussian_additions, gaussian_local, partial_correlations
from engine.counting.latent_kernels import box_probabilities, sweep_rows
from engine.counting.link_kernels import add_separators, odds_ratios
from engine.counting.order_kernels import order_shares, order_walk
from engine.counting.order_sum_kernels import log_of, order_sums, order_weights, subset_sums, weigh_orders
from engine.counting.plane_kernels import compress_planes, plane_additions, plane_pairs, plane_sets

__all__ = [
    "COMPILED",
    "add_separators",
    "box_probabilities",
    "cell_ends",
    "cluster_families",
    "cluster_spread",
    "clustered_cells",
    "clustered_families",
    "compare_counts",
    "compare_values",
    "compress_planes",
    "counted_families",
    "fill_forms",
    "gaussian_additions",
    "gaussian_local",
    "group_families",
    "log_of",
    "mixed_families",
    "odds_ratios",
    "order_shares",
    "order_sums",
    "order_walk",
    "order_weights",
    "pair_effects",
    "partial_correlations",
    "plane_additions",
    "plane_pairs",
    "plane_sets",
    "segment_shares",
    "subset_sums",
    "sweep_rows",
    "value_families",
    "weigh_orders",
]  # with everything below, what `kernels()` gives

_TOGETHER = 4096
"""Rows whose codes are worked on together: they stay in the first-level cache."""


@njit(cache=True, nogil=True, error_model="numpy")
def histogram_additions(code, codes, first, arity, candidates, tables):  # type: ignore[no-untyped-def]
    """Add to `tables[m]` the (q, r, s) counts with candidate m from a ready code (configuration * r + child level) of
    the rows from `first` on.
    """
    rows = code.shape[0]
    for base in range(0, rows, _TOGETHER):
        end = min(base + _TOGETHER, rows)
        for m in range(candidates.shape[0]):
            table, levels, column = tables[m], arity[candidates[m]], codes[candidates[m]]
            for i in range(base, end):
                table[code[i] * levels + column[first + i]] += 1


@njit(cache=True, nogil=True)
def mixed_radix(codes, arity, variables, first, out):  # type: ignore[no-untyped-def]
    """Write the mixed-radix code of some variables, first one most significant, for rows `first` on into `out`."""
    out[:] = 0
    for x in variables:
        levels, row = np.uint32(arity[x]), codes[x, first : first + out.shape[0]]
        for i in range(out.shape[0]):
            out[i] = out[i] * levels + row[i]


@njit(cache=True, nogil=True)
def histogram_family(codes, arity, family, first, last, counts):  # type: ignore[no-untyped-def]
    """Add the counts of one family (parents, then child) in the rows `first` to `last` to `counts`, (q * r,) int64."""
    code = np.empty(2048, np.uint32)
    for base in range(first, last, 2048):
        width = min(2048, last - base)
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


@njit(cache=True, nogil=True)
def pair_information(a, counts, row, starts, arity, margins, offsets, weights, total, out):  # type: ignore[no-untyped-def]
    """out[b] = information of a and every later variable b, from the plane pairs of a (rows from `row` of `counts`).

    `margins` holds the counts of all levels of all variables, variable x from `offsets[x]`.
    """
    r = arity[a]
    own = 0.0
    for i in range(r):
        own += weights[margins[offsets[a] + i]]
    columns = np.zeros(arity.max(), np.int64)
    for b in range(a + 1, arity.shape[0]):
        s = arity[b]
        result = weights[total] - own
        for k in range(s):
            columns[k] = margins[offsets[b] + k]
            result -= weights[columns[k]]
        for i in range(r):
            rest = margins[offsets[a] + i]
            for k in range(s - 1):
                cell = counts[row + i, starts[b] + k] if i < r - 1 else columns[k]
                columns[k] -= cell
                rest -= cell
                result += weights[cell]
            result += weights[rest]
        out[b] = result


@njit(cache=True, nogil=True)
def table_information(tables, members, q, r, s, weights, out):  # type: ignore[no-untyped-def]
    """out[m] = information of two variables given others, from the flat (q, r, s) table `members[m]` of `tables`."""
    columns = np.empty(s, np.int64)
    for m in range(members.shape[0]):
        table = tables[members[m]]
        result = 0.0
        for j in range(q):
            columns[:] = 0
            everything = 0
            for i in range(r):
                line = 0
                for k in range(s):
                    cell = table[(j * r + i) * s + k]
                    line += cell
                    columns[k] += cell
                    result += weights[cell]
                result -= weights[line]
                everything += line
            result += weights[everything]
            for k in range(s):
                result -= weights[columns[k]]
        out[m] = result


@njit(cache=True, nogil=True)
def count_additions_by_group(before, after, config, group, starts, counts):  # type: ignore[no-untyped-def]
    """Add every observation to `counts[group, config, starts[x] + before[x], after]`, for all x.

    before : (p, m) codes of the candidates;  after : (m,) codes of the child
    config : (m,) configuration of the parents there are;  group : (m,), left out where below 0
    """
    p, m = before.shape
    for x in range(p):
        start = starts[x]
        for row in range(m):
            if group[row] >= 0:
                counts[group[row], config[row], start + before[x, row], after[row]] += 1
