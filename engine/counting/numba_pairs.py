"""Kernels for association: all pairs of bit planes at once, and how much two variables tell of each other.

`weights[n]` is what a count of n contributes: ln n! for a message length, n ln n for the likelihood. With
w(A) the sum over the cells of a table of the variables A, and w() = weights[N], the information of a and b given S is

    w(S+a+b) + w(S) - w(S+a) - w(S+b)
"""

from __future__ import annotations

import numpy as np
from numba import njit

from engine.counting.loops.pairs import PANEL, add_pairs


@njit(cache=True, nogil=True, error_model="numpy")
def plane_pairs(words, first, last, begin, end, counts):  # type: ignore[no-untyped-def]
    """Add to `counts` (last - first, planes) how many rows planes `first` to `last` share with every later one,
    in the words `begin` to `end`.
    """
    rows = np.empty(words.shape[0], np.int64)
    panel = np.empty(words.shape[0] * PANEL + 8, np.int64)
    add_pairs(words, first, last, begin, end, counts, rows, panel)


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
        found = weights[total] - own
        for k in range(s):
            columns[k] = margins[offsets[b] + k]
            found -= weights[columns[k]]
        for i in range(r):
            rest = margins[offsets[a] + i]
            for k in range(s - 1):
                cell = counts[row + i, starts[b] + k] if i < r - 1 else columns[k]
                columns[k] -= cell
                rest -= cell
                found += weights[cell]
            found += weights[rest]
        out[b] = found


@njit(cache=True, nogil=True)
def table_information(tables, members, q, r, s, weights, out):  # type: ignore[no-untyped-def]
    """out[m] = information of two variables given others, from the flat (q, r, s) table `members[m]` of `tables`."""
    columns = np.empty(s, np.int64)
    for m in range(members.shape[0]):
        table = tables[members[m]]
        found = 0.0
        for j in range(q):
            columns[:] = 0
            everything = 0
            for i in range(r):
                line = 0
                for k in range(s):
                    cell = table[(j * r + i) * s + k]
                    line += cell
                    columns[k] += cell
                    found += weights[cell]
                found -= weights[line]
                everything += line
            found += weights[everything]
            for k in range(s):
                found -= weights[columns[k]]
        out[m] = found
