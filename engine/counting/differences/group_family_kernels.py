"""Kernels of families counted in two groups and in clusters. Written once, see `engine.counting.compiling`."""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import njit
from engine.counting.differences.block_keys import DENSE, configure, number_keys, room_of
from engine.counting.differences.difference_kernels import compare_counts
from engine.counting.differences.forms import BLOCKS, BOTH, COMMON, FORMS, LEVELS

WIDE = 8
"""Blocks a row of a unit up to which all blocks are looked at: quicker than to find those that it has rows of."""


@njit(cache=True, nogil=True)
def _score_blocks(  # type: ignore[no-untyped-def]
    first, second, block, cells, blocks, levels, alpha, a, b, own, scores, factors, used
):
    """Score one family whose cells are counted, and add its blocks' factors to the `used` ones; how many there are."""
    for q in range(blocks):
        a[q] = b[q] = 0
        own[q, 0] = own[q, 1] = own[q, 2] = 0.0
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
    scores[:] = 0.0
    for q in range(blocks):
        if a[q] + b[q] == 0:
            continue
        own[q, 2] += whole - math.lgamma(alpha * levels + a[q] + b[q])
        if a[q]:
            own[q, 0] += whole - math.lgamma(alpha * levels + a[q])
        if b[q]:
            own[q, 1] += whole - math.lgamma(alpha * levels + b[q])
        for g in range(3):
            scores[g] += own[q, g]
        if a[q] and b[q]:
            factors[used] = own[q, 0] + own[q, 1] - own[q, 2]
            used += 1
    return used


@njit(cache=True, nogil=True)
def group_families(  # type: ignore[no-untyped-def]
    codes, split, arity, child, members, sizes, alphas, how, scores, common, starts, factors
):
    """Score the families of one child in two groups and in both together, block by block (equations 3, 6 and 7).

    codes : (n, N) unsigned, the rows of the first group before `split`
    members, sizes : (k, w), (k,) its parent sets;  alphas : (k,) pseudo-counts of a cell
    how : the child is compared, see `forms.ChildComparison`
    scores : (k, 3) filled: the first group's rows, the second's, both together, under one table of their own
    common : (k,) filled: ln Bayes factor of one difference over all blocks, where the child is compared beyond its
    blocks starts : (k + 1,) filled: where each family's log Bayes factors begin
    factors : room for ln P(first) P(second) / P(both) of every block that has rows of both groups; 0 for all others. Of
        a child whose levels have an order, the evidence of segments in its place

    Returns how many factors there are.
    """
    rows, levels = codes.shape[1], arity[child]
    slots, places = np.empty(room_of(rows), np.int64), np.empty(room_of(rows), np.int64)
    key, cell = np.empty(rows, np.int64), np.empty(rows, np.int64)
    room = max(DENSE, rows)
    first, second, block = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room, np.int64)
    a, b = np.empty(room, np.int64), np.empty(room, np.int64)
    own = np.empty((room, 3))
    logs, effects = np.empty(levels + FORMS), np.empty(levels + FORMS)
    used = 0
    starts[0] = 0
    for k in range(members.shape[0]):
        blocks = configure(codes, arity, members[k, : sizes[k]], key)
        dense = blocks * levels <= DENSE
        if dense:
            cells = blocks * levels
            for row in range(rows):
                cell[row] = key[row] * levels + codes[child, row]
        else:
            blocks = number_keys(key, slots, places, key)
            for row in range(rows):
                cell[row] = key[row] * levels + codes[child, row]
            cells = number_keys(cell, slots, places, cell)
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
        used = _score_blocks(
            first, second, block, cells, blocks, levels, alphas[k], a, b, own, scores[k], factors, used
        )
        if how.kind != LEVELS:
            one, other = (first, second) if dense else _by_block(key, codes[child], split, blocks, levels)
            alpha = alphas[k] * levels / 2
            common[k] = compare_counts(how, one, other, blocks, levels, alpha, factors, starts[k], logs, effects)
        starts[k + 1] = used
    return used


@njit(cache=True, nogil=True)
def _by_block(key, codes, split, blocks, levels):  # type: ignore[no-untyped-def]
    """(blocks x levels) rows of either group, of blocks that were numbered as they occurred."""
    first, second = np.zeros(blocks * levels, np.int64), np.zeros(blocks * levels, np.int64)
    for row in range(key.shape[0]):
        if row < split:
            first[key[row] * levels + codes[row]] += 1
        else:
            second[key[row] * levels + codes[row]] += 1
    return first, second


@njit(cache=True, nogil=True)
def counted_families(  # type: ignore[no-untyped-def]
    first, second, cells, levels, alphas, how, scores, common, starts, factors
):
    """Score the families of one child that were counted, as `group_families` scores them of rows.

    first, second : (C,) rows of each group in the cells of all families, the child's level changing fastest
    cells : (k + 1,) where the cells of each family begin;  levels : of the child
    """
    most = 0
    for k in range(cells.shape[0] - 1):
        most = max(most, cells[k + 1] - cells[k])
    block = np.arange(most) // levels
    a, b, own = np.empty(most, np.int64), np.empty(most, np.int64), np.empty((most, 3))
    logs, effects = np.empty(levels + FORMS), np.empty(levels + FORMS)
    used = 0
    starts[0] = 0
    for k in range(cells.shape[0] - 1):
        begin, many = cells[k], cells[k + 1] - cells[k]
        one, other, blocks = first[begin : begin + many], second[begin : begin + many], many // levels
        used = _score_blocks(one, other, block, many, blocks, levels, alphas[k], a, b, own, scores[k], factors, used)
        if how.kind != LEVELS:
            alpha = alphas[k] * levels / 2
            common[k] = compare_counts(how, one, other, blocks, levels, alpha, factors, starts[k], logs, effects)
        starts[k + 1] = used
    return used


@njit(cache=True, nogil=True)
def _add_rows(cell, times, units, second, weight, counts):  # type: ignore[no-untyped-def]
    """Fill (2, levels, blocks) rows of each group, each of its unit's weight; `cell` is level x blocks + block."""
    flat = counts.reshape(2, counts.shape[1] * counts.shape[2])
    flat[:] = 0.0
    for u in range(second.shape[0]):
        g, w = second[u], weight[u]
        for row in range(units[u], units[u + 1]):
            for _ in range(times[row]):  # one by one, so that counted rows have the bits of rows in memory
                flat[g, cell[row]] += w


@njit(cache=True, nogil=True)
def _about_groups(counts, about):  # type: ignore[no-untyped-def]
    """Fill, by group and block: 1 / rows, the other group's part of the rows (0 where one has none), the chance that
    two rows differ, and the share of each level."""
    levels, blocks = counts.shape[1:]
    for q in range(blocks):
        first = second = 0.0
        for k in range(levels):
            first += counts[0, k, q]
            second += counts[1, k, q]
        both = first + second
        about[0, 0, q] = 1 / first if first > 0 else 0.0
        about[1, 0, q] = 1 / second if second > 0 else 0.0
        about[0, 1, q] = second / both if first > 0 else 0.0
        about[1, 1, q] = first / both if second > 0 else 0.0
        for g in range(2):
            same = 0.0
            for k in range(levels):
                share = counts[g, k, q] * about[g, 0, q]
                about[g, 3 + k, q] = share
                same += share * share
            about[g, 2, q] = 1.0 - same


@njit(cache=True, nogil=True, fastmath=True, error_model="numpy")
def _spread(cell, times, units, size, second, cluster, crossing, about, place):  # type: ignore[no-untyped-def]
    """The intraclass correlation of a child given its parents, and the design effect of the groups' difference.

    cell : (N,) the child's code times the number of blocks, and the block, rows by unit
    times, units, size, second, cluster : see `cluster_families`
    crossing : whether the design effect is asked; it is 1 else
    about : see `_about_groups`;  place : at least as long as there are blocks, of -1, and left so

    A unit's residuals from its group's shares are divided by sqrt(1 - h), h its share of the group's rows of a block;
    blocks that only one group or one unit of a group has rows of are left out.
    """
    blocks, levels = about.shape[2], about.shape[1] - 3
    signed = np.zeros((cluster.max() + 1 if crossing else 1, levels))
    cells, which = np.empty(blocks * levels), np.empty(blocks, np.int64)
    own, scale, near = np.empty(blocks), np.empty(blocks), np.empty((1, levels + 3, blocks))
    sized = extra = expected = 0.0
    for u in range(second.shape[0]):
        begin, end, g = units[u], units[u + 1], second[u]
        if size[u] < 2 and not crossing:
            continue
        if blocks <= WIDE * size[u]:
            many = blocks
            for c in range(many * levels):
                cells[c] = 0.0
            for row in range(begin, end):
                cells[cell[row]] += times[row]
            group, i = about, g
        else:
            many = 0
            for row in range(begin, end):
                q = cell[row] % blocks
                if place[q] < 0:
                    place[q] = 0
                    which[many] = q
                    many += 1
            which[:many].sort()  # whatever the order of the rows
            for t in range(many):
                place[which[t]] = t
            for c in range(many * levels):
                cells[c] = 0.0
            for row in range(begin, end):
                cells[cell[row] // blocks * many + place[cell[row] % blocks]] += times[row]
            for t in range(many):
                place[which[t]] = -1
                for j in range(levels + 3):
                    near[0, j, t] = about[g, j, which[t]]
            group, i = near, 0
        rows = free = 0.0
        for q in range(many):
            n = cells[q]
            for k in range(1, levels):
                n += cells[k * many + q]
            rest = 1 - n * group[i, 0, q]
            kept = 1.0 if rest > 1e-12 and group[i, 1, q] > 0 else 0.0
            scale[q] = kept / math.sqrt(max(rest, 1e-12))
            own[q] = kept * n
            rows += own[q]
            free += own[q] * group[i, 2, q]
        squares = last = 0.0
        for k in range(1, levels):  # the residuals of all levels add up to nothing
            total = 0.0
            for q in range(many):
                total += (cells[k * many + q] - own[q] * group[i, 3 + k, q]) * scale[q]
            squares += total * total
            last -= total
        if rows > 1:
            sized += (squares + last * last - free) / rows
            extra += free * (rows - 1) / rows
        if crossing:
            for q in range(many):
                expected += group[i, 1, q] ** 2 * own[q] * group[i, 2, q]
                for k in range(levels):
                    e = (cells[k * many + q] - own[q] * group[i, 3 + k, q]) * scale[q] * group[i, 1, q]
                    signed[cluster[u], k] += e if g == 0 else -e
    icc = min(max(sized / extra, 0.0), 1.0) if extra > 0 else 0.0
    phi = max(1.0, (signed**2).sum() / expected) if crossing and expected > 0 else 1.0
    return icc, phi


@njit(cache=True, nogil=True)
def cluster_spread(codes, times, arity, child, parents, units, size, second, cluster):  # type: ignore[no-untyped-def]
    """The intraclass correlation and the design effect of one family; arguments as of `cluster_families`."""
    rows, levels = codes.shape[1], arity[child]
    key, places = np.empty(rows, np.int64), np.empty(room_of(rows), np.int64)
    blocks = configure(codes, arity, parents, key)
    if blocks > DENSE:
        blocks = number_keys(key, np.empty_like(places), places, key)
    counts, about = np.empty((2, levels, blocks)), np.empty((2, levels + 3, blocks))
    for row in range(rows):
        key[row] += codes[child, row] * blocks
    _add_rows(key, times, units, second, np.ones(second.shape[0]), counts)
    _about_groups(counts, about)
    return _spread(key, times, units, size, second, cluster, True, about, np.full(blocks, -1))


@njit(cache=True, nogil=True)
def _add_scores(counts, effect, alpha, own):  # type: ignore[no-untyped-def]
    """ln P(rows) of each block, of (levels, blocks) counts that need not be whole, and of all blocks."""
    levels, blocks = counts.shape
    rest, whole = math.lgamma(alpha), math.lgamma(alpha * levels)
    total = 0.0
    for q in range(blocks):
        n = result = 0.0
        for k in range(levels):
            x = counts[k, q] / effect
            if x > 0:
                n += x
                result += math.lgamma(alpha + x) - rest
        own[q] = result + whole - math.lgamma(alpha * levels + n) if n > 0 else 0.0
        total += own[q]
    return total


@njit(cache=True, nogil=True)
def cluster_families(  # type: ignore[no-untyped-def]
    codes, times, arity, child, members, sizes, alphas, clusters, effect, crossing, scores, starts, factors
):
    """Score the families of one child where rows belong together; as `group_families` beside these.

    codes, times : (n, N) unsigned, by unit, and (N,) how many rows each of them stands for
    clusters : units, size, second and cluster: (m + 1,) the first row of each unit, the rows of one cluster in one
        group; (m,) how many rows it has; (m,) 1 where it is of the second group, else 0; and (m,) its cluster
    effect : the design effect that counts are divided by for the scores of groups and of both together
    crossing : whether the group varies inside most clusters: then factors come of counts over the family's own design
        effect, else of counts in which each row weighs 1 / (1 + (rows of its unit - 1) ICC of the family)
    """
    units, size, second, cluster = clusters
    rows, levels = codes.shape[1], arity[child]
    key, weight = np.empty(rows, np.int64), np.ones(units.shape[0] - 1)
    slots, places = np.empty(room_of(rows), np.int64), np.empty(room_of(rows), np.int64)
    room = max(DENSE, rows)
    place, own, store = np.full(room, -1), np.empty((3, room)), np.empty(0)
    values = codes[child]
    used = 0
    starts[0] = 0
    for k in range(members.shape[0]):
        blocks = configure(codes, arity, members[k, : sizes[k]], key)
        if blocks > DENSE:
            blocks = number_keys(key, slots, places, key)
        if store.shape[0] < (8 * levels + 6) * blocks:
            store = np.empty((8 * levels + 6) * blocks)
        counts = store[: 6 * levels * blocks].reshape(6, levels, blocks)
        about = store[6 * levels * blocks : (8 * levels + 6) * blocks].reshape(2, levels + 3, blocks)
        for row in range(rows):
            key[row] += values[row] * blocks
        weight[:] = 1.0
        _add_rows(key, times, units, second, weight, counts[:2])
        _about_groups(counts[:2], about)
        icc, phi = _spread(key, times, units, size, second, cluster, crossing, about, place)
        for u in range(weight.shape[0]):
            weight[u] = 1 / phi if crossing else 1 / (1 + (size[u] - 1) * icc)
        _add_rows(key, times, units, second, weight, counts[3:5])
        for level in range(levels):
            for q in range(blocks):
                counts[2, level, q] = counts[0, level, q] + counts[1, level, q]
                counts[5, level, q] = counts[3, level, q] + counts[4, level, q]
        for g in range(3):
            scores[k, g] = _add_scores(counts[g], effect, alphas[k], own[g])
        for g in range(3):
            _add_scores(counts[3 + g], 1.0, alphas[k], own[g])
        for q in range(blocks):
            if about[0, 1, q] > 0 and about[1, 1, q] > 0:
                factors[used] = own[0, q] + own[1, q] - own[2, q]
                used += 1
        starts[k + 1] = used
    return used


@njit(cache=True, nogil=True)
def mixed_families(scores, starts, factors, common, halves, log_same, blocks, mixed, surprise):  # type: ignore[no-untyped-def]
    """Fill ln of what families are worth where each block may differ, and -ln P(no block differs | the family).

    scores : (k,) of both groups together, with the prior of the parents
    starts, factors : as `group_families` gave them;  blocks : (k,) how many blocks a family could have
    common, halves : (k,) ln Bayes factor of one difference over all blocks, and what a difference may be: BLOCKS (each
        may differ), BOTH (half of the prior is one common difference, half that at least one block differs) or COMMON
    log_same : (k,) ln of the prior probability that a variable is the same everywhere, spread evenly over its blocks
    """
    for k in range(scores.shape[0]):
        same = log_same[k] / blocks[k]
        odds = math.log(-math.expm1(same)) - same
        result = -same * (
            blocks[k] - (starts[k + 1] - starts[k])
        )  # blocks without rows of both groups keep their prior
        for place in range(starts[k], starts[k + 1]):
            x = odds + factors[place]
            result += max(0.0, x) + math.log1p(math.exp(-abs(x)))
        if halves[k] != BLOCKS:
            one = math.log(-math.expm1(log_same[k])) - log_same[k] + common[k]
            some = result + math.log(-math.expm1(-result))  # of blocks, given that one of them differs
            top = one if halves[k] == COMMON else max(one, some)
            rest = math.log((math.exp(one - top) + math.exp(some - top)) / 2) if halves[k] == BOTH else 0.0
            x = top + rest
            result = max(0.0, x) + math.log1p(math.exp(-abs(x)))
        surprise[k] = result
        mixed[k] = scores[k] + log_same[k] + result


@njit(cache=True, nogil=True)
def pair_effects(codes, arity, starts, pairs):  # type: ignore[no-untyped-def]
    """Sum of squares of clusters' sums over sum of squares of rows, for each pair; NaN where a variable is constant."""
    n = codes.shape[1]
    result = np.empty(pairs.shape[0])
    for k in range(pairs.shape[0]):
        x, y = codes[pairs[k, 0]], codes[pairs[k, 1]]
        r, s = arity[pairs[k, 0]], arity[pairs[k, 1]]
        both = np.zeros((r, s))
        for row in range(n):
            both[x[row], y[row]] += 1
        p, q = both.sum(axis=1) / n, both.sum(axis=0) / n
        mean = both / n - np.outer(p, q)
        across, down = (p**2).sum(), (q**2).sum()
        rows = -n * (mean**2).sum()
        for row in range(n):
            rows += (1 - 2 * p[x[row]] + across) * (1 - 2 * q[y[row]] + down)
        within = 0.0
        a, b, cells = np.zeros(r), np.zeros(s), np.zeros((r, s))
        for c in range(starts.shape[0] - 1):
            a[:] = 0.0
            b[:] = 0.0
            cells[:] = 0.0
            for row in range(starts[c], starts[c + 1]):
                a[x[row]] += 1
                b[y[row]] += 1
                cells[x[row], y[row]] += 1
            m = starts[c + 1] - starts[c]
            for i in range(r):
                for j in range(s):
                    e = cells[i, j] - q[j] * a[i] - p[i] * b[j] + m * (p[i] * q[j] - mean[i, j])
                    within += e * e
        result[k] = within / rows if rows > 1e-9 * n else np.nan
    return result
