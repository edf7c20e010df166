"""Kernels of sums over all orders (Koivisto & Sood 2004). Written once, see `engine.counting.compiling`.

A sum over 2^n sets of products of likelihoods has terms hundreds of powers of ten apart, so every number here is a pair
(m, e) that stands for m * 2^(256 e), |ln m| at most about 89: as good as logarithms, at the cost of an addition. Sets
are bit masks; those of the others of variable i leave bit i out.
"""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import njit

LN_RADIX = 256 * math.log(2.0)
_UP, _DOWN = 2.0**128, 2.0**-128
_SHRINK, _GROW = 2.0**-256, 2.0**256
_NONE = -(1 << 28)  # exponent of zero


@njit(cache=True, nogil=True)
def _settle(m, e):  # type: ignore[no-untyped-def]
    """Bring every m back between 2^-128 and 2^128."""
    for s in range(m.shape[0]):
        if m[s] > _UP:
            m[s] *= _SHRINK
            e[s] += 1
        while 0.0 < m[s] < _DOWN:
            m[s] *= _GROW
            e[s] -= 1


@njit(cache=True, nogil=True)
def _add_run(m, e, to, start, many):  # type: ignore[no-untyped-def]
    """Add `many` numbers from `start` on to those from `to` on; without branches, so that it is done in vectors."""
    for s in range(many):
        d = e[to + s] - e[start + s]
        own = 1.0 if d >= 0 else (_SHRINK if d == -1 else 0.0)
        other = 1.0 if d <= 0 else (_SHRINK if d == 1 else 0.0)
        m[to + s] = own * m[to + s] + other * m[start + s]
        e[to + s] = max(e[to + s], e[start + s])


@njit(cache=True, nogil=True)
def _share_power(m, e, anchor):  # type: ignore[no-untyped-def]
    """Give all numbers one e where that loses nothing beside entry `anchor`, which is in every sum; whether it did."""
    most = e.max()
    if e[anchor] < most - 2:
        return False
    for s in range(m.shape[0]):
        for _ in range(min(most - e[s], 4)):
            m[s] *= _SHRINK
        e[s] = most
    return True


@njit(cache=True, nogil=True)
def _sums(m, e, up):  # type: ignore[no-untyped-def]
    """Put in place of each entry the sum over the sets inside its set, or (not `up`) over those that hold it."""
    size = m.shape[0]
    plain = _share_power(m, e, 0 if up else size - 1)
    bit = 1
    while bit < size:
        for s in range(0, size, 2 * bit):
            to, start = (s + bit, s) if up else (s, s + bit)
            if plain:
                for k in range(bit):
                    m[to + k] += m[start + k]
            else:
                _add_run(m, e, to, start, bit)
        bit *= 2
    _settle(m, e)


@njit(cache=True, nogil=True)
def log_of(m, e):  # type: ignore[no-untyped-def]
    """Natural logarithm of m * 2^(256 e)."""
    return math.log(m) + e * LN_RADIX if m > 0.0 else -np.inf


@njit(cache=True, nogil=True)
def without(s, i):  # type: ignore[no-untyped-def]
    """The set s as a mask of the others of variable i."""
    return (s & ((1 << i) - 1)) | ((s >> (i + 1)) << i)


@njit(cache=True, nogil=True)
def subset_sums(masks, values, m, e):  # type: ignore[no-untyped-def]
    """Fill (2^b,) m and e with the sum over all given sets inside each set.

    masks : (k,) int64, each at most once;  values : (k,) natural logarithms
    """
    m[:] = 0.0
    e[:] = _NONE
    for k in range(masks.shape[0]):
        if values[k] > -np.inf:
            part = math.floor(values[k] / LN_RADIX + 0.5)
            m[masks[k]] = math.exp(values[k] - part * LN_RADIX)
            e[masks[k]] = int(part)
    _sums(m, e, True)


@njit(cache=True, nogil=True)
def order_sums(worth, powers, before, forward, m, e):  # type: ignore[no-untyped-def]
    """Fill (2^n,) m and e with sums over the orders of every set of first variables, or of what follows on each.

    worth, powers : (n, 2^(n-1)) sums over the parent sets of a variable inside each set of others
    before : (n,) masks of the variables that must come before each
    forward : the set's own orders (sums from the empty set on), else the orders of all others after it
    """
    n = before.shape[0]
    full = (1 << n) - 1
    m[:] = 0.0
    e[:] = _NONE
    start = 0 if forward else full
    m[start] = 1.0
    e[start] = 0
    for step in range(1, 1 << n):
        s = step if forward else full - step
        total, power = 0.0, _NONE
        for i in range(n):
            bit = 1 << i
            if ((s & bit) != 0) != forward:
                continue
            ahead = s ^ bit if forward else s  # who stands before i
            if before[i] & ~ahead:
                continue
            other = s ^ bit
            w = without(ahead, i)
            x = m[other] * worth[i, w]
            k = e[other] + powers[i, w]
            if x > 0.0:
                if x > _UP:
                    x *= _SHRINK
                    k += 1
                elif x < _DOWN:
                    x *= _GROW
                    k -= 1
                if k > power:
                    total = total * (_SHRINK if k == power + 1 else 0.0) + x
                    power = k
                elif k >= power - 1:
                    total += x * (1.0 if k == power else _SHRINK)
        m[s], e[s] = total, power
        if total > _UP:
            m[s] *= _SHRINK
            e[s] += 1
        elif 0.0 < total < _DOWN:
            m[s] *= _GROW
            e[s] -= 1


@njit(cache=True, nogil=True)
def order_weights(i, before, first, first_powers, last, last_powers, masks, m, e, out):  # type: ignore[no-untyped-def]
    """Fill out[k] with ln of the worth of all orders that put the set masks[k] before variable i, but for i's own part.

    first, last : what `order_sums` gave, forward and not;  m, e : (2^(n-1),) room
    """
    for s in range(m.shape[0]):
        ahead = (s & ((1 << i) - 1)) | ((s >> i) << (i + 1))
        after = ahead | (1 << i)
        m[s] = 0.0
        e[s] = _NONE
        if not before & ~ahead and first_powers[ahead] > _NONE and last_powers[after] > _NONE:
            m[s] = first[ahead] * last[after]
            e[s] = first_powers[ahead] + last_powers[after]
    _settle(m, e)
    _sums(m, e, False)
    for k in range(masks.shape[0]):
        out[k] = log_of(m[masks[k]], e[masks[k]])


@njit(cache=True, nogil=True)
def weigh_orders(orders, starts, members, sizes, values, parts, sums, shares, weights):  # type: ignore[no-untyped-def]
    """What parent sets are worth under each of some orders.

    orders : (t, n), parents first
    starts : (n + 1,), members : (k, w), sizes : (k,), the parent sets of every child, one child after the other
    values, parts : (k,) their natural logarithms, and a number of each
    sums : (t, n) filled with ln of the sum over the sets that an order allows a child
    shares : (t, n) filled with the mean of `parts` over those sets
    weights : (k,) the probability of each set under an order, summed over the orders, is added
    """
    n = starts.shape[0] - 1
    place = np.empty(n, np.int64)
    allowed = np.empty(members.shape[0], np.int64)
    for t in range(orders.shape[0]):
        for position in range(n):
            place[orders[t, position]] = position
        for child in range(n):
            here = place[child]
            top, many = -np.inf, 0
            for k in range(starts[child], starts[child + 1]):
                if values[k] > top - 40.0:
                    later = False
                    for j in range(sizes[k]):
                        if place[members[k, j]] > here:
                            later = True
                            break
                    if not later:
                        allowed[many] = k
                        many += 1
                        top = max(top, values[k])
            total = share = 0.0
            for h in range(many):
                x = math.exp(values[allowed[h]] - top)
                total += x
                share += x * parts[allowed[h]]
            sums[t, child] = top + math.log(total) if many else -np.inf
            shares[t, child] = share / total if many else 0.0
            for h in range(many):
                weights[allowed[h]] += math.exp(values[allowed[h]] - top) / total
