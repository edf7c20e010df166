"""Kernels of the walk over orders of variables (order MCMC). Written once, see `engine.counting.compiling`.

A variable's parents come before it in the order. They are its required ones, any subset of its candidates, and at most
one variable from outside those. What all that is worth, as the best of it or as the sum of it, is looked up.
"""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import njit


@njit(cache=True, nogil=True)
def order_node(space, place, i):  # type: ignore[no-untyped-def]
    """What variable i is worth where variable j stands at `place[j]`; -inf where a required parent comes later."""
    here = place[i]
    if space.any_required[i]:
        for j in range(place.shape[0]):
            if space.required[i, j] and place[j] > here:
                return -np.inf
    row = space.offsets[i]
    for b in range(space.counts[i]):
        if place[space.candidates[i, b]] < here:
            row += 1 << b
    value = space.values[row]
    if not space.summing:
        for e in range(space.starts[row], space.starts[row + 1]):
            if place[space.outside[e]] < here:
                return space.weights[e]
        return value
    total = 1.0
    for e in range(space.starts[row], space.starts[row + 1]):
        if place[space.outside[e]] < here:
            total += space.weights[e]
    return value + math.log(total)


@njit(cache=True, nogil=True)
def _scan(space, order, place, scores, v, step, worth, other):  # type: ignore[no-untyped-def]
    """Carry v to one end (`step` -1 or 1): worth[t] = gain of all with v at t, other[u] = what a passed u is worth."""
    p = order.shape[0]
    start = place[v]
    passed = 0.0
    t = start + step
    while 0 <= t < p:
        u = order[t]
        place[u], place[v] = t - step, t
        other[u] = order_node(space, place, u)
        own = order_node(space, place, v)
        if other[u] == -np.inf or own == -np.inf:  # a required arc would be turned here and from here on
            break
        passed += other[u] - scores[u]
        worth[t] = passed + own - scores[v]
        t += step
    t = start + step
    while 0 <= t < p:
        place[order[t]] = t
        t += step
    place[v] = start


@njit(cache=True, nogil=True)
def _move(order, place, v, target):  # type: ignore[no-untyped-def]
    """Carry v to a place; those it passes move up by one."""
    t = place[v]
    step = 1 if target > t else -1
    while t != target:
        u = order[t + step]
        order[t], place[u] = u, t
        t += step
    order[t], place[v] = v, t


@njit(cache=True, nogil=True)
def _relocate(space, order, place, scores, v, draw, heat, best, best_order):  # type: ignore[no-untyped-def]
    """Draw a new place for v from all places, by their worth; returns the best total met."""
    p = order.shape[0]
    worth = np.full(p, -np.inf)
    other = np.empty(p)
    worth[place[v]] = 0.0
    _scan(space, order, place, scores, v, -1, worth, other)
    _scan(space, order, place, scores, v, 1, worth, other)
    top = int(np.argmax(worth))
    total = scores.sum()
    if total + worth[top] > best + 1e-9:
        best = total + worth[top]
        _copy(order, best_order)
        origin = place[v]
        _move(best_order, place, v, top)
        _restore(order, place, min(origin, top), max(origin, top))
    chances = np.exp((worth - worth[top]) / heat)
    left = draw * chances.sum()
    target = 0
    while target < p - 1 and left >= chances[target]:
        left -= chances[target]
        target += 1
    if worth[target] == -np.inf:  # the draw fell on the last crumb of rounding
        target = top
    origin = place[v]
    _move(order, place, v, target)
    for t in range(min(origin, target), max(origin, target) + 1):
        u = order[t]
        scores[u] = order_node(space, place, v) if u == v else other[u]
    return best


@njit(cache=True, nogil=True)
def _copy(source, target):  # type: ignore[no-untyped-def]
    for t in range(source.shape[0]):  # a loop: numba takes seconds to compile the errors of an assignment of slices
        target[t] = source[t]


@njit(cache=True, nogil=True)
def _restore(order, place, first, last):  # type: ignore[no-untyped-def]
    for t in range(first, last + 1):
        place[order[t]] = t


@njit(cache=True, nogil=True)
def _swap(space, order, place, scores, a, b, draw, heat, best, best_order, fresh):  # type: ignore[no-untyped-def]
    """Propose to exchange the variables at places a < b; returns the best total met, and whether it was done."""
    order[a], order[b] = order[b], order[a]
    place[order[a]], place[order[b]] = a, b
    gain = 0.0
    for t in range(a, b + 1):
        fresh[t] = order_node(space, place, order[t])
        gain += fresh[t] - scores[order[t]]
    if gain > -np.inf:
        total = scores.sum() + gain
        if total > best + 1e-9:
            best = total
            _copy(order, best_order)
        if gain >= 0.0 or draw < math.exp(gain / heat):
            for t in range(a, b + 1):
                scores[order[t]] = fresh[t]
            return best, True
    order[a], order[b] = order[b], order[a]
    place[order[a]], place[order[b]] = a, b
    return best, False


@njit(cache=True, nogil=True)
def order_shares(space, order, place, shares):  # type: ignore[no-untyped-def]
    """Add to shares[source, target] the probability of each arc given the order; `space` holds sums."""
    p = order.shape[0]
    for i in range(p):
        here = place[i]
        whole = order_node(space, place, i)
        row = space.offsets[i]
        for b in range(space.counts[i]):
            j = space.candidates[i, b]
            if place[j] < here:
                row += 1 << b
                place[j] += 2 * p  # as if it came later
                shares[j, i] += 1.0 - math.exp(min(order_node(space, place, i) - whole, 0.0))
                place[j] -= 2 * p
        for e in range(space.starts[row], space.starts[row + 1]):
            j = space.outside[e]
            if place[j] < here:
                shares[j, i] += space.weights[e] * math.exp(space.values[row] - whole)
        if space.any_required[i]:
            for j in range(p):
                if space.required[i, j]:
                    shares[j, i] += 1.0


@njit(cache=True, nogil=True)
def order_walk(space, order, best_order, best, draws, heats, totals, every, shares):  # type: ignore[no-untyped-def]
    """Walk one step for each row of draws, from `order`; returns the best total met and how many swaps were done.

    order : (p,) changed in place;  best_order : (p,) changed in place where a total above `best` is met
    draws : (steps, 4) uniform numbers: which move, at which two places, and whether
    heats : (steps,) what differences are divided by: 1 to walk by the orders' worth, above it to walk more freely
    totals : (steps,) filled in with the total after each step
    shares : (p, p) see `order_shares`, added to after every `every`-th step; never where that is 0
    """
    p = order.shape[0]
    place, fresh, scores = np.empty(p, np.int64), np.empty(p), np.empty(p)
    _restore(order, place, 0, p - 1)
    for i in range(p):
        scores[i] = order_node(space, place, i)
    done = 0
    for s in range(draws.shape[0]):
        kind, item, two, draw = draws[s, 0], draws[s, 1], draws[s, 2], draws[s, 3]
        first = min(int(item * p), p - 1)
        if kind < 0.6:
            best = _relocate(space, order, place, scores, first, draw, heats[s], best, best_order)
        else:
            second = min(int(two * p), p - 1)
            if kind < 0.8:  # neighbours
                first = min(int(item * (p - 1)), p - 2)
                second = first + 1
            if first != second:
                a, b = min(first, second), max(first, second)
                best, moved = _swap(space, order, place, scores, a, b, draw, heats[s], best, best_order, fresh)
                done += moved
        totals[s] = scores.sum()
        if every and s % every == every - 1:
            order_shares(space, order, place, shares)
    return best, done
