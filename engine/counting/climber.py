"""Greedy search over DAGs of discrete rows under a Dirichlet score, compiled whole: counting, scores and moves.

A table of gains says what every addition and removal of one arc would change. After a move only the child that it
touched is weighed again, with all its candidate parents: by bit planes while its family has few cells, else by
histograms. A reversal is a removal and an addition. `engine.search.walks.ReadableWalk` says the same in NumPy.
"""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import njit
from engine.counting.plane_kernels import plane_additions
from engine.counting.walk_state import (
    ADD,
    ALLOWED,
    CLIMB,
    GROW,
    LARGE_COUNT,
    LONG_TABLE,
    PLANE_CELLS_LONG,
    PLANE_CELLS_SHORT,
    REMOVE,
    REQUIRED,
    REVERSE,
    RISES,
    SHRINK,
)

_FAST = {"cache": True, "nogil": True, "error_model": "numpy"}
_ONE = np.uint64(1)
_SHORT_CODES = 1 << 16  # cells up to which the joined codes of rows are counted in 16 bits
_COMMON_CELLS = 4096  # cells of some candidates with a family: 32 KiB, first-level cache
_HALF_LOG_2_PI = 0.5 * math.log(2.0 * math.pi)


# ---- counts and scores ----


@njit(**_FAST)
def number_configurations(rows, room, group):  # type: ignore[no-untyped-def]
    """Every row's parent configuration, and how many numbers there are; in one of the first two lines of `room`.

    Where there could be more than rows, those that occur are numbered.
    """
    n = rows.codes.shape[1]
    code, spare = room[0, :n], room[1, :n]
    code[:] = 0
    many = 1
    for x in group:
        many = extend_configurations(code, many, rows.codes[x], rows.arity[x], spare)
        code, spare = spare, code
    return code, many


@njit(**_FAST)
def extend_configurations(code, many, column, levels, out):  # type: ignore[no-untyped-def]
    """Write to `out` the configurations with one parent more; how many numbers there are."""
    n = code.shape[0]
    join_codes(code, column, levels, out)
    many *= levels
    if many <= n:
        return many
    numbers, seen = np.full(many, -1, np.int64), 0
    for i in range(n):
        if numbers[out[i]] < 0:
            numbers[out[i]] = seen
            seen += 1
        out[i] = numbers[out[i]]
    return seen


@njit(**_FAST)
def log_gamma(x):  # type: ignore[no-untyped-def]
    """lnGamma of a large number by Stirling's series; from 1,024 on the terms left out are below 1e-24."""
    inverse = 1.0 / x
    square = inverse * inverse
    series = inverse * (1.0 / 12.0 - square * (1.0 / 360.0 - square * (1.0 / 1260.0)))
    return (x - 0.5) * math.log(x) - x + _HALF_LOG_2_PI + series


@njit(**_FAST)
def find_rises(rises, owners, number, alpha, other):  # type: ignore[no-untyped-def]
    """The row of `rises` that has lnGamma(alpha + count) - lnGamma(alpha), not `other`; and lnGamma(alpha).

    `number` is what alpha is made of. Here and in `is_below` arrays are handed over by themselves: a tuple of many
    would cost more than what is asked. Both live to the last line, so that numba need not count references to them.
    """
    at = ((np.int64(number) * 0x9E3779B1) >> 12) & (RISES - 1)
    if at == other:
        at ^= 1
    if owners[at, 0] != number:
        owners[at, 0], owners[at, 1] = number, math.lgamma(alpha)
        for count in range(1, rises.shape[1]):
            rises[at, count] = np.nan
    rises[at, 0] = 0.0
    return at, owners[at, 1]


@njit(inline="always", **_FAST)
def rise(rises, at, alpha, start, count):  # type: ignore[no-untyped-def]
    """lnGamma(alpha + count) - lnGamma(alpha), looked up where the count is small; `start` is lnGamma(alpha)."""
    if count >= LARGE_COUNT:
        return log_gamma(alpha + count) - start
    if rises[at, count] != rises[at, count]:
        rises[at, count] = math.lgamma(alpha + count) - start
    return rises[at, count]


@njit(inline="always", **_FAST)
def find_prior(rises, owners, ess, cells, r):  # type: ignore[no-untyped-def]
    """Row of `rises`, alpha and lnGamma(alpha) of every cell of a family, then of every configuration.

    cells : configurations times child levels that there could be, seen or not; alpha is ess / cells, of K2 (ess 0) 1
    """
    cell, row, alpha, alphas = cells, cells / r, ess / cells, ess / cells * r
    if ess == 0.0:
        cell, row, alpha, alphas = 1.0, float(r), 1.0, float(r)
    of_cell, start = find_rises(rises, owners, cell, alpha, -1)
    of_row, starts = find_rises(rises, owners, row, alphas, of_cell)
    return of_cell, alpha, start, of_row, alphas, starts


@njit(inline="always", **_FAST)
def sum_rises(rises, prior, tables, m, q, r, s):  # type: ignore[no-untyped-def]
    """Dirichlet score of table m, (q, r, s): of q * s configurations."""
    of_cell, alpha, start, of_row, alphas, starts = prior
    score = 0.0
    for j in range(q):
        for level in range(s):
            total, part = 0, 0.0
            for k in range(r):
                count = tables[m, (j * r + k) * s + level]
                total += count
                part += rise(rises, of_cell, alpha, start, count)
            score += part - rise(rises, of_row, alphas, starts, total)
    return score


@njit(**_FAST)
def score_tables(rises, owners, ess, tables, levels, s, q, r, cells, scores):  # type: ignore[no-untyped-def]
    """Write the scores of those (q, r, s) tables whose candidate has s levels: all of a child in one call."""
    prior = find_prior(rises, owners, ess, cells, r)
    for m in range(levels.shape[0]):
        if levels[m] == s:
            scores[m] = sum_rises(rises, prior, tables, m, q, r, s)


@njit(**_FAST)
def score_table(rises, owners, ess, tables, q, r, s, cells):  # type: ignore[no-untyped-def]
    """Score of the first of such tables."""
    return sum_rises(rises, find_prior(rises, owners, ess, cells, r), tables, 0, q, r, s)


@njit(**_FAST)
def weigh_child(t, rows, child, mode):  # type: ignore[no-untyped-def]
    """Write what a child's family is worth and what every addition and removal of one parent gains."""
    p, n, size, r = t.add.shape[0], rows.codes.shape[1], t.sizes[child], rows.arity[child]
    family, candidates = np.empty(size + 1, np.int64), np.empty(p, np.int64)
    family[:size], family[size] = t.parents[child, :size], child
    whole = 1.0  # configurations that there could be
    for i in range(size):
        whole *= rows.arity[family[i]]
    m, widest = 0, 1
    if size < t.now[0].most_parents and mode != SHRINK:
        # nothing is taken away while arcs are only added: what closes a circle now does so ever after
        for x in range(p):
            open_ = t.rules[child, x] & ALLOWED and not (mode == GROW and is_below(t.below, child, x))
            for i in range(size):
                open_ &= family[i] != x
            if open_:
                candidates[m] = x
                widest = max(widest, rows.arity[x])
                m += 1
    t.add[child] = -np.inf
    planes = whole * r <= (PLANE_CELLS_LONG if n >= LONG_TABLE else PLANE_CELLS_SHORT)
    q, tables = np.int64(min(whole, n)), np.empty((0, 0), np.int64)
    if planes:
        q = np.int64(whole)
        tables = np.zeros((m + 1, q * r * widest), np.int64)
        last = rows.words.shape[1]
        plane_additions(rows.words, rows.starts, rows.arity, family, candidates[:m], n, 0, last, tables)
        counts = tables[m:]
        if m:
            s = rows.arity[candidates[0]]
            for cell in range(q * r):
                for level in range(s):
                    counts[0, cell] += tables[0, cell * s + level]
        else:
            plane_additions(rows.words, rows.starts, rows.arity, family[:size], family[size:], n, 0, last, counts)
    else:
        if whole * r * widest <= _SHORT_CODES:
            q, counts = weigh_histograms(t, rows, rows.room.view(np.uint16), family, candidates[:m], whole)
        else:
            q, counts = weigh_histograms(t, rows, rows.room, family, candidates[:m], whole)
    base = score_table(rows.rises, rows.owners, rows.ess, counts, q, r, 1, whole * r) + rows.by_size[size]
    t.local[child] = base
    weigh_removals(t, rows, child, family, counts, q, whole, base)
    if planes:
        levels, scores = rows.arity[candidates[:m]], np.empty(m)
        for s in range(1, widest + 1):
            score_tables(rows.rises, rows.owners, rows.ess, tables, levels, s, q, r, whole * s * r, scores)
        for c in range(m):
            t.add[child, candidates[c]] = scores[c] + rows.by_size[size + 1]
    for x in candidates[:m]:
        t.add[child, x] -= base


@njit(**_FAST)
def weigh_removals(t, rows, child, family, counts, q, whole, base):  # type: ignore[no-untyped-def]
    """Write what taking each parent away gains: from the family's own counts where all configurations are there."""
    size, r = family.shape[0] - 1, rows.arity[child]
    inner = q * r
    for i in range(size):
        levels = rows.arity[family[i]]
        inner //= levels
        t.drop[child, i] = -np.inf
        if t.rules[child, family[i]] & REQUIRED:
            continue
        if q == whole:
            rest = q // levels
            less = np.zeros((1, rest * r), np.int64)
            for cell in range(q * r):
                less[0, cell // (inner * levels) * inner + cell % inner] += counts[0, cell]
        else:
            others = np.empty(size - 1, np.int64)
            others[:i], others[i:] = family[:i], family[i + 1 : size]
            code, rest = number_configurations(rows, rows.room, others)
            less, both = np.zeros((1, rest * r), np.int64), rows.room[2]
            join_codes(code, rows.codes[child], r, both)
            count_codes(both, less[0])
        score = score_table(rows.rises, rows.owners, rows.ess, less, rest, r, 1, whole / levels * r)
        t.drop[child, i] = score + rows.by_size[size - 1] - base


@njit(**_FAST)
def weigh_histograms(t, rows, room, group, candidates, whole):  # type: ignore[no-untyped-def]
    """Write what a family is worth with each candidate, counted row by row; its configurations and own (q * r) counts.

    `group` is its parents, then the child. Candidates are counted together as long as their common table is small.
    """
    n, size = rows.codes.shape[1], group.shape[0] - 1
    child, r = group[size], rows.arity[group[size]]
    code, q = number_configurations(rows, room, group[:size])
    counts = np.zeros((1, q * r), np.int64)
    family, joined, spare = room[2, :n], room[3, :n], room[4, :n]
    join_codes(code, rows.codes[child], r, family)
    most, m = max(4 * n, 1 << 16) // r, 0  # where q * s are more, few of the cells have rows
    if candidates.shape[0] == 0 or q * rows.arity[candidates[0]] > most:
        count_codes(family, counts[0])
    while m < candidates.shape[0]:
        x, s = candidates[m], rows.arity[candidates[m]]
        if q * s > most:  # those configurations that occur
            many = extend_configurations(code, q, rows.codes[x], s, joined)
            table = np.zeros((1, many * r), np.int64)
            join_codes(joined, rows.codes[child], r, spare)
            count_codes(spare, table[0])
            score = score_table(rows.rises, rows.owners, rows.ess, table, many, r, 1, whole * s * r)
            t.add[child, x] = score + rows.by_size[size + 1]
            m += 1
            continue
        end, cells = m + 1, q * r * s
        join_codes(family, rows.codes[x], s, joined)
        while end < candidates.shape[0] and cells * rows.arity[candidates[end]] <= _COMMON_CELLS:
            join_codes(joined, rows.codes[candidates[end]], rows.arity[candidates[end]], spare)
            joined, spare = spare, joined
            cells *= rows.arity[candidates[end]]
            end += 1
        common = np.zeros(cells, np.int64)
        count_codes(joined, common)
        before, after = 1, cells // (q * r)
        if m == 0:
            sum_cells(common, q * r, 1, 1, after, counts[0])
        for c in range(m, end):
            s = rows.arity[candidates[c]]
            after //= s
            table = np.zeros((1, q * r * s), np.int64)
            sum_cells(common, q * r, before, s, after, table[0])
            score = score_table(rows.rises, rows.owners, rows.ess, table, q, r, s, whole * s * r)
            t.add[child, candidates[c]] = score + rows.by_size[size + 1]
            before *= s
        m = end
    return q, counts


@njit(**_FAST)
def join_codes(code, column, levels, out):  # type: ignore[no-untyped-def]
    """Write `code * levels + column` of every row; not in place, where the compiler would make no vectors of it."""
    wide = np.uint32(levels)
    for i in range(code.shape[0]):
        out[i] = np.uint32(code[i] * wide) + column[i]  # in 32 bits


@njit(**_FAST)
def count_codes(code, table):  # type: ignore[no-untyped-def]
    """Add every row to `table[code]`."""
    for i in range(code.shape[0]):
        table[code[i]] += 1


@njit(**_FAST)
def sum_cells(cells, first, before, levels, after, table):  # type: ignore[no-untyped-def]
    """Add (first, before, levels, after) cells up to the (first, levels) of `table`."""
    at = 0
    for i in range(first):
        for _ in range(before):
            for level in range(levels):
                for _ in range(after):
                    table[i * levels + level] += cells[at]
                    at += 1


# ---- the graph ----


@njit(**_FAST)
def is_below(below, y, x):  # type: ignore[no-untyped-def]
    """Check that a directed path runs from y to x."""
    return (below[y, x >> 6] >> np.uint64(x & 63)) & _ONE != 0


@njit(inline="always", **_FAST)
def find_best_parent(below, add, changed, child, since, short):  # type: ignore[no-untyped-def]
    """Gain and parent of the largest addition to one child that closes no circle.

    Of arcs changed after step `since` only what gains more than `short` counts.
    """
    gain, parent = -np.inf, -1
    for x in range(add.shape[0]):
        value = add[child, x]
        if value > gain and not is_below(below, child, x) and not (value <= short and changed[child, x] > since):
            gain, parent = value, x
    return gain, parent


@njit(**_FAST)
def note_best_parent(below, add, best, best_parent, child):  # type: ignore[no-untyped-def]
    """Note the largest addition to one child."""
    best[child], best_parent[child] = -np.inf, -1
    for x in range(add.shape[0]):
        if add[child, x] > best[child] and not is_below(below, child, x):
            best[child], best_parent[child] = add[child, x], x


@njit(**_FAST)
def join(below, add, best, best_parent, x, child):  # type: ignore[no-untyped-def]
    """Bring the paths up to date after adding x -> child."""
    for y in range(add.shape[0]):
        if (y == x or is_below(below, y, x)) and not is_below(below, y, child):
            for w in range(below.shape[1]):
                below[y, w] |= below[child, w]
            below[y, child >> 6] |= _ONE << np.uint64(child & 63)
            if best_parent[y] >= 0 and is_below(below, y, best_parent[y]):
                note_best_parent(below, add, best, best_parent, y)


@njit(**_FAST)
def find_paths(below, add, best, best_parent, sizes, parents):  # type: ignore[no-untyped-def]
    """Work out all paths, as if every arc were added one by one, and the largest additions."""
    below[:] = 0
    best_parent[:] = -1
    for child in range(add.shape[0]):
        for i in range(sizes[child]):
            join(below, add, best, best_parent, parents[child, i], child)
    for child in range(add.shape[0]):
        note_best_parent(below, add, best, best_parent, child)


@njit(**_FAST)
def best_addition(t, since, short):  # type: ignore[no-untyped-def]
    """Gain, parent and child of the best addition; among equals the lowest parent, then the lowest child.

    With one way out and no call in it, numba need not count references to the arrays of `t`.
    """
    p, top, best = t.add.shape[0], -np.inf, -np.inf
    for child in range(p):
        gain, x = t.best[child], t.best_parent[child]
        if top < gain <= short and t.changed[child, x] > since:
            gain, x = find_best_parent(t.below, t.add, t.changed, child, since, short)
        top = max(top, gain)
    parent, at, least = p, -1, top - t.now[0].tolerance
    for child in range(p):
        if -np.inf < top and t.best[child] >= least:
            for x in range(parent):
                gain = t.add[child, x]
                if (
                    gain >= least
                    and not is_below(t.below, child, x)
                    and not (gain <= short and t.changed[child, x] > since)
                ):
                    best, parent, at = gain, x, child
                    break
    return best, parent, at


@njit(**_FAST)
def best_arc(t, kind, since, short):  # type: ignore[no-untyped-def]
    """The best removal or reversal, as `best_addition`: once over all arcs for the gain, once for the arc."""
    p, top, best, parent, at = t.add.shape[0], -np.inf, -np.inf, t.add.shape[0], -1
    for second in range(2):
        for child in range(p):
            for i in range(t.sizes[child]):
                x, gain = t.parents[child, i], t.drop[child, i]
                if kind == REVERSE:
                    gain += t.add[x, child]
                    if gain > -np.inf and (gain > top or second):
                        for j in range(t.sizes[child]):  # no other path may run from x to child
                            if is_below(t.below, x, t.parents[child, j]):
                                gain = -np.inf
                if gain <= short and t.changed[child, x] > since:
                    continue
                if not second:
                    top = max(top, gain)
                elif gain > -np.inf and gain >= top - t.now[0].tolerance and x < parent:
                    best, parent, at = gain, x, child
    return best, parent, at


@njit(inline="always", **_FAST)
def best_move(t, since, short):  # type: ignore[no-untyped-def]
    """Gain, kind, parent and child: additions before removals before reversals among equals."""
    gain, x, child = best_addition(t, since, short)
    kind = ADD
    for other in (REMOVE, REVERSE):
        value, y, z = best_arc(t, other, since, short)
        if z >= 0 and value > gain + t.now[0].tolerance:
            gain, kind, x, child = value, other, y, z
    return gain, kind, x, child


@njit(**_FAST)
def change_arc(t, mode, kind, x, child):  # type: ignore[no-untyped-def]
    """Make a move; the families that it touches are stale until they are weighed."""
    size = t.sizes[child]
    if kind == ADD:
        t.parents[child, size] = x
        t.sizes[child] = size + 1
        join(t.below, t.add, t.best, t.best_parent, x, child)
    else:
        for i in range(size):
            if t.parents[child, i] == x:
                t.parents[child, i] = t.parents[child, size - 1]
                break
        t.sizes[child] = size - 1
        if kind == REVERSE:
            t.parents[x, t.sizes[x]] = child
            t.sizes[x] += 1
            t.stale[x] = 1
        if mode != SHRINK:  # then no path is asked for
            find_paths(t.below, t.add, t.best, t.best_parent, t.sizes, t.parents)
    t.stale[child] = 1
    t.now[0].steps += 1
    t.changed[child, x] = t.changed[x, child] = t.now[0].steps


@njit(**_FAST)
def note_record(t, total):  # type: ignore[no-untyped-def]
    """Keep the DAG as the best of a climb."""
    t.now[0].record, t.now[0].idle = total, 0
    for child in range(t.add.shape[0]):
        t.record_sizes[child] = t.sizes[child]
        for i in range(t.sizes[child]):
            t.record_parents[child, i] = t.parents[child, i]


@njit(**_FAST)
def make_moves(t, rows, mode, most):  # type: ignore[no-untyped-def]
    """Weigh what is stale and make up to so many moves; whether there may be more.

    A climb goes on for `tabu` moves without a new record. What it changed that lately rests, but not on the way to one.
    """
    now = t.now[0]
    for step in range(most + 1):
        for child in range(t.add.shape[0]):
            if t.stale[child]:
                weigh_child(t, rows, child, mode)
                note_best_parent(t.below, t.add, t.best, t.best_parent, child)
                t.stale[child] = 0
        if step == most:
            break
        if mode == GROW:
            gain, x, child = best_addition(t, 0, -np.inf)
            kind = ADD
        elif mode == SHRINK:
            gain, x, child = best_arc(t, REMOVE, 0, -np.inf)
            kind = REMOVE
        else:
            total = 0.0
            for y in range(t.add.shape[0]):
                total += t.local[y]
            if total > now.record + now.tolerance:
                note_record(t, total)
            elif now.idle >= now.tabu:
                return False
            else:
                now.idle += 1
            short = now.record - total + now.tolerance
            gain, kind, x, child = -np.inf, ADD, -1, -1
            if now.idle == 0:
                gain, kind, x, child = best_move(t, 0, -np.inf)
            if gain <= now.tolerance:
                gain, kind, x, child = best_move(t, max(now.steps - now.tabu, now.begun), short)
        if child < 0 or (gain <= now.tolerance and (mode != CLIMB or now.idle >= now.tabu)):
            return False
        change_arc(t, mode, kind, x, child)
    return True
