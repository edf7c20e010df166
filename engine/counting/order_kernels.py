"""Kernels of the walk over orders of variables (order MCMC). Written once, see `engine.counting.compiling`.

A variable's parents come before it in the order. They are its required ones, any subset of its candidates, and at most
one variable from outside those. What all that is worth, as the best of it or as the sum of it, is looked up: arguments
as of `engine.search.orders.tables.Space`. Few functions and loops in place of slices, sums and copies: each of those
would be compiled, for tenths of a second, before the first walk begins.
"""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import njit


@njit(cache=True, nogil=True)
def order_node(summing, variables, values, starts, outside, weights, place, i):  # type: ignore[no-untyped-def]
    """What variable i is worth where variable j stands at `place[j]`; -inf where a required parent comes later."""
    row = order_row(variables, place, i)
    return -np.inf if row < 0 else row_worth(summing, values, starts, outside, weights, place, place[i], row)


@njit(cache=True, nogil=True)
def order_row(variables, place, i):  # type: ignore[no-untyped-def]
    """The row of variable i's tables with the candidates before it; -1 where a required parent comes later."""
    here, row, bit = place[i], variables[i, 0], 1
    first = 3 + variables[i, 1]
    for b in range(3, first):
        if place[variables[i, b]] > here:
            return -1
    for b in range(first, first + variables[i, 2]):
        if place[variables[i, b]] < here:
            row += bit
        bit *= 2
    return row


@njit(cache=True, nogil=True)
def row_worth(summing, values, starts, outside, weights, place, here, row):  # type: ignore[no-untyped-def]
    """What a variable is worth at the place `here`, whose candidates before it are those of `row`."""
    total = 1.0
    for e in range(starts[row], starts[row + 1]):
        if place[outside[e]] < here:
            if not summing:
                return weights[e]
            total += weights[e]
    return values[row] + math.log(total) if summing else values[row]


@njit(cache=True, nogil=True)
def order_shares(summing, variables, values, starts, outside, weights, order, shares):  # type: ignore[no-untyped-def]
    """Add to shares[source, target] the probability of each arc given the order, of tables that hold sums."""
    p = order.shape[0]
    place = np.empty(p, np.int64)
    for t in range(p):
        place[order[t]] = t
    for i in range(p):
        here, row, bit = place[i], variables[i, 0], 1
        first = 3 + variables[i, 1]
        whole = order_node(summing, variables, values, starts, outside, weights, place, i)
        for b in range(3, first):
            shares[variables[i, b], i] += 1.0
        for b in range(first, first + variables[i, 2]):
            j = variables[i, b]
            if place[j] < here:
                row += bit
                place[j] += 2 * p  # as if it came later
                less = order_node(summing, variables, values, starts, outside, weights, place, i)
                place[j] -= 2 * p
                shares[j, i] += 1.0 - math.exp(min(less - whole, 0.0))
            bit *= 2
        for e in range(starts[row], starts[row + 1]):
            j = outside[e]
            if place[j] < here:
                shares[j, i] += weights[e] * math.exp(values[row] - whole)


@njit(cache=True, nogil=True)
def order_walk(  # type: ignore[no-untyped-def]
    summing, variables, values, starts, outside, weights, order, best_order, best, draws, heats, totals
):
    """Walk one step for each row of draws, from `order`; returns the best total met and how many swaps were done.

    order : (p,) changed in place;  best_order : (p,) changed in place where a total above `best` is met
    draws : (steps, 4) uniform numbers: which move, at which two places, and whether
    heats : (steps,) what differences are divided by: 1 to walk by the orders' worth, above it to walk more freely
    totals : (steps,) filled in with the total after each step
    """
    p, swaps, total = order.shape[0], 0, 0.0
    whole, room = np.empty((4, p), np.int64), np.empty((5, p))
    place, rows, other_rows, own_rows = whole[0], whole[1], whole[2], whole[3]
    scores, other, own, worth, chances = room[0], room[1], room[2], room[3], room[4]
    pairs = np.zeros((2, p, p), np.int64)
    added, needed = pairs[0], pairs[1]  # [i, j]: how far i's row moves where j comes before it; whether it has to
    for i in range(p):
        bit, first = 1, 3 + variables[i, 1]
        for b in range(3, first):
            needed[i, variables[i, b]] = 1
        for b in range(first, first + variables[i, 2]):
            added[i, variables[i, b]] = bit
            bit *= 2
    for t in range(p):
        place[order[t]] = t
    for i in range(p):
        rows[i] = order_row(variables, place, i)
        scores[i] = row_worth(summing, values, starts, outside, weights, place, place[i], rows[i])
        total += scores[i]
    for s in range(draws.shape[0]):
        a, b = min(int(draws[s, 1] * p), p - 1), min(int(draws[s, 2] * p), p - 1)
        if draws[s, 0] < 0.6:  # v gets a place drawn from all places by what all are worth with it there
            v = a
            a = top = place[v]
            for t in range(p):
                worth[t] = -np.inf
            worth[a], own[a], own_rows[a] = 0.0, scores[v], rows[v]
            for step in range(-1, 2, 2):  # carry v to either end; other[u] is what u is worth once v has passed it
                gain, t, row = 0.0, a + step, rows[v]
                while 0 <= t < p:
                    u = order[t]
                    if (needed[u, v] if step > 0 else needed[v, u]) > 0:
                        break
                    place[u], place[v] = t - step, t
                    row += step * added[v, u]
                    other_rows[u], own_rows[t] = rows[u] - step * added[u, v], row
                    other[u] = row_worth(summing, values, starts, outside, weights, place, t - step, other_rows[u])
                    own[t] = row_worth(summing, values, starts, outside, weights, place, t, row)
                    if other[u] == -np.inf or own[t] == -np.inf:
                        break
                    gain += other[u] - scores[u]
                    worth[t] = gain + own[t] - scores[v]
                    t += step
                for t in range(p):
                    place[order[t]] = t
            for t in range(p):
                if worth[t] > worth[top] or (worth[t] == worth[top] and t < top):
                    top = t
            if total + worth[top] > best + 1e-9:
                best = total + worth[top]
                for t in range(p):
                    best_order[t] = order[t]
                carry(best_order, a, top)
            left = 0.0
            for t in range(p):
                chances[t] = math.exp((worth[t] - worth[top]) / heats[s])
                left += chances[t]
            left *= draws[s, 3]
            b = 0
            while b < p - 1 and left >= chances[b]:
                left -= chances[b]
                b += 1
            if worth[b] == -np.inf:  # the draw fell on the last crumb of rounding
                b = top
            carry(order, a, b)
            for t in range(min(a, b), max(a, b) + 1):
                place[order[t]] = t
                scores[order[t]], rows[order[t]] = other[order[t]], other_rows[order[t]]
            scores[v], rows[v] = own[b], own_rows[b]
        else:  # two variables change places, neighbours or any
            if draws[s, 0] < 0.8:
                a = min(int(draws[s, 1] * (p - 1)), p - 2)
                b = a + 1
            a, b = min(a, b), max(a, b)
            if a != b:
                u, v = order[a], order[b]
                order[a], order[b], place[u], place[v] = v, u, b, a
                gain = 0.0
                for t in range(a, b + 1):
                    w = order[t]
                    other_rows[t] = order_row(variables, place, w)
                    other[t] = -np.inf
                    if other_rows[t] >= 0:
                        other[t] = row_worth(summing, values, starts, outside, weights, place, t, other_rows[t])
                    gain += other[t] - scores[w]
                if total + gain > best + 1e-9:
                    best = total + gain
                    for t in range(p):
                        best_order[t] = order[t]
                if gain >= 0.0 or (gain > -np.inf and draws[s, 3] < math.exp(gain / heats[s])):
                    for t in range(a, b + 1):
                        scores[order[t]], rows[order[t]] = other[t], other_rows[t]
                    swaps += 1
                else:
                    order[a], order[b], place[u], place[v] = u, v, a, b
        total = 0.0
        for t in range(p):
            total += scores[t]
        totals[s] = total
    return best, swaps


@njit(cache=True, nogil=True)
def carry(order, origin, target):  # type: ignore[no-untyped-def]
    """Move what stands at one place to another; those that it passes move up by one."""
    v, step = order[origin], 1 if target > origin else -1
    while origin != target:
        order[origin] = order[origin + step]
        origin += step
    order[target] = v
