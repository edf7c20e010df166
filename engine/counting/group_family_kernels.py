"""Kernel of families counted in two groups. Written once, see `engine.counting.compiling`."""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import njit

DENSE = 4096
"""Cells up to which a family is counted in a table of all its cells; of more, only those that occur are numbered."""


@njit(cache=True, nogil=True)
def _number(keys, slots, places, out):  # type: ignore[no-untyped-def]
    """Number the different keys in the order in which they occur; `slots`, `places`: a hash table of 2^b entries."""
    last = slots.shape[0] - 1
    for s in range(slots.shape[0]):
        places[s] = -1
    many = 0
    for row in range(keys.shape[0]):
        key = keys[row]
        s = (key ^ (key >> 17) ^ (key >> 37)) * 0x9E3779B1 & last
        while places[s] >= 0 and slots[s] != key:
            s = (s + 1) & last
        if places[s] < 0:
            slots[s] = key
            places[s] = many
            many += 1
        out[row] = places[s]
    return many


@njit(cache=True, nogil=True)
def group_families(codes, split, arity, child, members, sizes, alphas, scores, starts, factors):  # type: ignore[no-untyped-def]
    """Score the families of one child in two groups and in both together, block by block (equations 3, 6 and 7).

    codes : (n, N) unsigned, the rows of the first group before `split`
    members, sizes : (k, w), (k,) its parent sets;  alphas : (k,) pseudo-counts of a cell
    scores : (k, 3) filled: the first group's rows, the second's, both together, under one table of their own
    starts : (k + 1,) filled: where each family's log Bayes factors begin
    factors : room for ln P(first) P(second) / P(both) of every block that has rows of both groups; 0 for all others

    Returns how many factors there are.
    """
    rows, levels = codes.shape[1], arity[child]
    size = 1
    while size < 2 * rows:
        size *= 2
    slots, places = np.empty(size, np.int64), np.empty(size, np.int64)
    key, cell = np.empty(rows, np.int64), np.empty(rows, np.int64)
    room = max(DENSE, rows)
    first, second, block = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
    a, b = np.empty(room, np.int64), np.empty(room, np.int64)
    own = np.empty((room, 3))
    used = 0
    starts[0] = 0
    for k in range(members.shape[0]):
        blocks = 1
        for row in range(rows):
            key[row] = 0
        for j in range(sizes[k]):
            x = members[k, j]
            for row in range(rows):
                key[row] = key[row] * arity[x] + codes[x, row]
            blocks *= arity[x]
        dense = blocks * levels <= DENSE
        if dense:
            cells = blocks * levels
            for row in range(rows):
                cell[row] = key[row] * levels + codes[child, row]
        else:
            blocks = _number(key, slots, places, key)
            for row in range(rows):
                cell[row] = key[row] * levels + codes[child, row]
            cells = _number(cell, slots, places, cell)
        for c in range(cells):
            first[c] = second[c] = 0
            block[c] = c // levels
        for row in range(split):
            first[cell[row]] += 1
        for row in range(split, rows):
            second[cell[row]] += 1
        if not dense:
            for row in range(rows):
                block[cell[row]] = key[row]
        for q in range(blocks):
            a[q] = b[q] = 0
            own[q, 0] = own[q, 1] = own[q, 2] = 0.0
        alpha = alphas[k]
        rest = math.lgamma(alpha)
        for c in range(cells):
            x, y, q = first[c], second[c], block[c]
            if x:
                own[q, 0] += math.lgamma(alpha + x) - rest
                a[q] += x
            if y:
                own[q, 1] += math.lgamma(alpha + y) - rest
                b[q] += y
            if x + y:
                own[q, 2] += math.lgamma(alpha + x + y) - rest
        whole = math.lgamma(alpha * levels)
        scores[k, 0] = scores[k, 1] = scores[k, 2] = 0.0
        for q in range(blocks):
            if a[q] + b[q] == 0:
                continue
            own[q, 2] += whole - math.lgamma(alpha * levels + a[q] + b[q])
            if a[q]:
                own[q, 0] += whole - math.lgamma(alpha * levels + a[q])
            if b[q]:
                own[q, 1] += whole - math.lgamma(alpha * levels + b[q])
            for g in range(3):
                scores[k, g] += own[q, g]
            if a[q] and b[q]:
                factors[used] = own[q, 0] + own[q, 1] - own[q, 2]
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
