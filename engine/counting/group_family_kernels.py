"""Kernel of families counted in two groups. Written once, see `engine.counting.compiling`."""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import njit

_DENSE = 4096
"""Cells up to which a family is counted in a table; above it, and above the rows, its rows are sorted."""


@njit(cache=True, nogil=True)
def _dirichlet_rows(counts, levels, alpha, rest):  # type: ignore[no-untyped-def]
    """ln of the likelihood of one block (3, r): rows of the first group, of the second, of both. `rest` = lnG(alpha)."""
    whole = math.lgamma(alpha * levels)
    out = np.zeros(3)
    for g in range(3):
        total = 0
        for k in range(levels):
            v = counts[g, k]
            if v:
                out[g] += math.lgamma(alpha + v) - rest
                total += v
        if total:
            out[g] += whole - math.lgamma(alpha * levels + total)
    return out


@njit(cache=True, nogil=True)
def group_families(codes, split, arity, child, members, sizes, alphas, scores, starts, factors):  # type: ignore[no-untyped-def]
    """Score the families of one child in two groups and in both together, block by block (equations 3, 6 and 7).

    codes : (n, N) unsigned, the rows of the first group before `split`
    members, sizes : (k, w), (k,) its parent sets;  alphas : (k,) pseudo-counts of a cell
    scores : (k, 3) filled: the first group's rows, the second's, both together, under one table of their own
    starts : (k + 1,) filled: where each family's log Bayes factors begin
    factors : room for ln P(first) P(second) / P(both) of every block that has rows of both groups; 0 for all others

    Returns how many factors there are; where the room is too small, what would be needed so far, negative.
    """
    rows = codes.shape[1]
    levels = arity[child]
    key = np.empty(rows, np.int64)
    table = np.zeros(max(_DENSE, rows), np.int64)
    block = np.zeros((3, levels), np.int64)
    used = 0
    starts[0] = 0
    for k in range(members.shape[0]):
        cells = levels
        key[:] = codes[child]
        for j in range(sizes[k]):
            x = members[k, j]
            for row in range(rows):
                key[row] += cells * codes[x, row]
            cells *= arity[x]
        alpha = alphas[k]
        rest = math.lgamma(alpha)
        scores[k] = 0.0
        if 2 * cells <= table.shape[0]:
            table[: 2 * cells] = 0
            for row in range(split):
                table[key[row]] += 1
            for row in range(split, rows):
                table[cells + key[row]] += 1
            for q in range(cells // levels):
                a = b = 0
                for r in range(levels):
                    x, y = table[q * levels + r], table[cells + q * levels + r]
                    block[0, r], block[1, r], block[2, r] = x, y, x + y
                    a += x
                    b += y
                if a + b:
                    own = _dirichlet_rows(block, levels, alpha, rest)
                    scores[k] += own
                    if a and b:
                        if used == factors.shape[0]:
                            return -used - 1
                        factors[used] = own[0] + own[1] - own[2]
                        used += 1
        else:
            order = np.argsort(key)
            at = 0
            while at < rows:
                q = key[order[at]] // levels
                block[:] = 0
                while at < rows and key[order[at]] // levels == q:
                    row = order[at]
                    r = key[row] % levels
                    block[0 if row < split else 1, r] += 1
                    block[2, r] += 1
                    at += 1
                own = _dirichlet_rows(block, levels, alpha, rest)
                scores[k] += own
                if block[0].sum() and block[1].sum():
                    if used == factors.shape[0]:
                        return -used - 1
                    factors[used] = own[0] + own[1] - own[2]
                    used += 1
        starts[k + 1] = used
    return used


@njit(cache=True, nogil=True)
def mixed_families(scores, starts, factors, log_same, blocks, mixed, surprise):  # type: ignore[no-untyped-def]
    """Fill ln of what families are worth where each block may differ, and -ln P(no block differs | the family).

    scores : (k,) of both groups together, with the prior of the parents
    starts, factors : as `group_families` gave them;  blocks : (k,) how many blocks a family could have
    log_same : ln of the prior probability that a variable is the same everywhere, spread evenly over its blocks
    """
    for k in range(scores.shape[0]):
        same = log_same / blocks[k]
        odds = math.log(-math.expm1(same)) - same
        found = -same * (blocks[k] - (starts[k + 1] - starts[k]))  # blocks without rows of both groups keep their prior
        for place in range(starts[k], starts[k + 1]):
            x = odds + factors[place]
            found += max(0.0, x) + math.log1p(math.exp(-abs(x)))
        surprise[k] = found
        mixed[k] = scores[k] + log_same + found
