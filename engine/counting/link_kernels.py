"""Kernels of signed links, the counting of `engine.comparison`: common log odds ratios over contexts, and separators.

The estimate solves  sum_s (1 / n_s) sum_{i < j in s} d_ij sigma(-theta d_ij) = 0  with d_ij = (x_i - x_j)(y_i - y_j)
over the contexts s: of two levels each Mantel and Haenszel's (1959) log odds ratio, of ordered ones uniform
association.
"""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import njit

_STEPS = 60
_UNKNOWN = 100.0
"""Variance of what no row tells of, far above that of any that a row does."""
_LONGEST = 1.0
"""Largest step of Newton's method."""
_SPREAD = 2.0
"""Rows that are spread over every table's cells beforehand, two in all as with Haldane's halves."""


@njit(cache=True, nogil=True)
def contexts_of(codes, levels, given, into, label):  # type: ignore[no-untyped-def]
    """Number the rows' contexts in the order of their first row; how many there are.

    Parameters
    ----------
    codes : (p, n);  levels : (p,) how many each variable can have
    given : (g,) the variables that make a context
    into : (n,) is filled with the number of each row's context
    label : a table of at least n times the most levels; what it holds is lost
    """
    n = codes.shape[1]
    into[:] = 0
    many = min(n, 1)
    for variable in given:
        size = levels[variable]
        label[: many * size] = -1
        many = 0
        for row in range(n):
            place = into[row] * size + codes[variable, row]
            if label[place] < 0:
                label[place] = many
                many += 1
            into[row] = label[place]
    return many


@njit(cache=True, nogil=True)
def odds_ratio(x, y, first, second, K, L, context, many, table, rows, influence):  # type: ignore[no-untyped-def]
    """One common log odds ratio a step, and the influence of every row.

    Parameters
    ----------
    x, y : (n,) codes;  first, second : level -> step of the scale, -1 for rows that are left out
    K, L : how many steps there are
    context : (n,) from 0 to many - 1
    many : how many contexts there are
    table, rows : room for at least many * K * L and many floats; what they hold is lost
    influence : (n,) is filled with what each row adds to the estimate

    Returns
    -------
    estimate; its variance is the sum of squares of the influence
    """
    n = x.size
    t = table[: many * K * L].reshape((many, K, L))
    t[:] = 0.0
    for row in range(n):
        a, b = first[x[row]], second[y[row]]
        if a >= 0 and b >= 0:
            t[context[row], a, b] += 1.0
    total = 0.0
    for s in range(many):
        rows[s] = t[s].sum()
        total += rows[s]
    if total == 0.0:
        influence[:] = math.sqrt(_UNKNOWN / n)
        return 0.0
    top = (K - 1) * (L - 1) + 1
    with_it, against = np.zeros(top), np.zeros(top)
    for s in range(many):
        if rows[s] == 0.0:
            continue
        t[s] += _SPREAD / (K * L) * rows[s] / total
        size = rows[s] + _SPREAD * rows[s] / total
        for k in range(K - 1):
            for m in range(L - 1):
                for k2 in range(k + 1, K):
                    for m2 in range(m + 1, L):
                        d = (k2 - k) * (m2 - m)
                        with_it[d] += t[s, k, m] * t[s, k2, m2] / size
                        against[d] += t[s, k, m2] * t[s, k2, m] / size
    theta, slope = 0.0, 1.0
    for _ in range(_STEPS):
        value, slope = 0.0, 1e-12
        for d in range(1, top):
            share = 1.0 / (1.0 + math.exp(-theta * d))
            value += d * (with_it[d] * (1.0 - share) - against[d] * share)
            slope += d * d * (with_it[d] + against[d]) * share * (1.0 - share)
        step = min(max(value / slope, -_LONGEST), _LONGEST)
        theta += step
        if abs(step) < 1e-10:
            break
    pull = np.empty(2 * top - 1)  # d sigma(-theta d), d from -(top - 1)
    for d in range(1 - top, top):
        pull[d + top - 1] = d / (1.0 + math.exp(theta * d))
    variance = 1e-12
    for s in range(many):
        if rows[s] == 0.0:
            continue
        size = rows[s] + _SPREAD * rows[s] / total
        h, mean = np.zeros((K, L)), 0.0
        for k in range(K):
            for m in range(L):
                sum_h = 0.0
                for k2 in range(K):
                    for m2 in range(L):
                        sum_h += t[s, k2, m2] * pull[(k2 - k) * (m2 - m) + top - 1]
                h[k, m] = sum_h / size
                mean += t[s, k, m] * h[k, m] / size
        scale = math.sqrt(rows[s] / max(rows[s] - 1.0, 1.0)) / slope
        for k in range(K):
            for m in range(L):
                e = (h[k, m] - 0.5 * mean) * scale
                variance += t[s, k, m] * e * e
                t[s, k, m] = e  # the counts of this context are needed no more
    influence[:] = 0.0
    square = 0.0
    for row in range(n):
        a, b = first[x[row]], second[y[row]]
        if a >= 0 and b >= 0:
            e = t[context[row], a, b]
            influence[row] = e
            square += e * e
    if square > 1e-6 * variance:
        influence *= math.sqrt(variance / square)  # a cell without a row has a variance too: the other rows carry it
    else:
        influence[:] = math.sqrt(variance / n)
    return theta


@njit(cache=True, nogil=True)
def odds_ratios(  # type: ignore[no-untyped-def]
    codes, levels, pairs, given, starts, of_pair, steps, sizes, begin, end, estimate, influence
):
    """The log odds ratios from `begin` to `end`.

    Parameters
    ----------
    codes : (p, n);  levels : (p,)
    pairs : (m, 2) variables;  given, starts : the contexts' variables of pair i are given[starts[i] : starts[i + 1]]
    of_pair : (q,) the pair that an odds ratio is of, in rising order
    steps : (q, 2, most levels) level -> step of the scale on either side, -1 left out
    sizes : (q, 2) how many steps there are
    begin, end : which of the odds ratios
    estimate, influence : (q,) and (q, n), are filled
    """
    n = codes.shape[1]
    context = np.zeros(n, dtype=np.int64)
    label = np.empty(max(n, 1) * levels.max(), dtype=np.int64)
    most = 1
    for q in range(begin, end):
        most = max(most, sizes[q, 0] * sizes[q, 1])
    table, rows = np.empty(max(n, 1) * most), np.empty(max(n, 1))
    own, last, many = np.empty(n), -1, 0
    for q in range(begin, end):
        pair = of_pair[q]
        if pair != last:
            many = contexts_of(codes, levels, given[starts[pair] : starts[pair + 1]], context, label)
            last = pair
        u, v = pairs[pair]
        estimate[q] = odds_ratio(
            codes[u], codes[v], steps[q, 0], steps[q, 1], sizes[q, 0], sizes[q, 1], context, many, table, rows, own
        )
        influence[q] = own


@njit(cache=True, nogil=True)
def _near(adjacent, u, v, seen, stack):  # type: ignore[no-untyped-def]
    """Count the neighbours of u that reach v without passing another one; flags of them are in row 1 of `seen`."""
    p = adjacent.shape[0]
    reached, chosen = seen[0], seen[1]
    reached[:] = False
    chosen[:] = False
    reached[v] = True
    stack[0], depth, many = v, 1, 0
    while depth:
        depth -= 1
        w = stack[depth]
        for x in range(p):
            if adjacent[w, x] and x != u:
                if adjacent[u, x] and x != v:
                    if not chosen[x]:
                        chosen[x] = True
                        many += 1
                elif not reached[x]:
                    reached[x] = True
                    stack[depth] = x
                    depth += 1
    return many


@njit(cache=True, nogil=True)
def add_separators(adjacent, pairs, given):  # type: ignore[no-untyped-def]
    """Mark what separates each pair: neighbours of u that reach v's component, from u or from v, the smaller set.

    Parameters
    ----------
    adjacent : (p, p) flags of an undirected graph
    pairs : (m, 2); of two sets of one size that from the first is taken
    given : (m, p) flags, to which those of this graph are added
    """
    p = adjacent.shape[0]
    from_u, from_v = np.empty((2, p), dtype=np.bool_), np.empty((2, p), dtype=np.bool_)
    stack = np.empty(p, dtype=np.int64)
    for i in range(pairs.shape[0]):
        u, v = pairs[i]
        many = _near(adjacent, u, v, from_u, stack)
        more = _near(adjacent, v, u, from_v, stack)
        chosen = from_u[1] if many <= more else from_v[1]
        for x in range(p):
            if chosen[x]:
                given[i, x] = True
