"""Kernels of what differs between two groups: families of one child compared by values (NUMBERS, Evidence 1 to 3).

A number or an ordered variable is compared by segments in every block, and by three scores over all blocks: the normal
scores of the whole table, divided by their root mean square in the block; the squares of these; and how far from the
middle they are where these two agree. Parents that are numbers are taken out by a line inside each block.
"""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import njit
from engine.counting.differences.block_keys import blocks_of, room_of
from engine.counting.differences.common_kernels import cumulants_of_sum, odds_evidence, score_evidence
from engine.counting.differences.forms import FORMS, MOST_CELLS, NOMINAL, NUMBER, ROWS_OF_A_CELL, SCALE
from engine.counting.differences.segment_kernels import most_alike, segment_evidence, segments_of

FARTHEST = 9.0
"""Squares of scores end here."""
LEAST_SPREAD = 1e-3
"""Standard deviation of scores in a block below which they are what the parents say, and carry no evidence."""
FEW_ROWS, LEAST_EXPECTED, ROWS_OF_A_LINE = 20, 10.0, 8
"""Rows of a group from which its scores' sums are normal; expected rows from which those of a level are; and rows a
parent from which a block has a line of its own."""


@njit(cache=True, nogil=True)
def fill_forms(values, first, second, items, forms):  # type: ignore[no-untyped-def]
    """Fill (3, items) scores of one block: z, how far from the middle it is squared, and not squared where these agree.

    values : of the items, centred;  first, second : how often each is in either group

    Squares end at 9: a single far row shall not speak for its group. Whether the values vary at all.
    """
    m = squares = q1 = size = 0.0
    for i in range(items):
        n = first[i] + second[i]
        m += n
        squares += n * values[i] * values[i]
    sd = math.sqrt(squares / m)
    if sd < LEAST_SPREAD:
        return False
    for i in range(items):
        n, z = first[i] + second[i], values[i] / sd
        forms[0, i] = z
        q1 += n * min(z * z, FARTHEST) / m
        size += n * abs(z) / m
    zq = qq = zh = qh = 0.0
    for i in range(items):
        n, z = first[i] + second[i], forms[0, i]
        q, h = min(z * z, FARTHEST) - q1, abs(z) - size
        zq += n * z * q / m
        qq += n * q * q / m
        zh += n * z * h / m
        qh += n * q * h / m
    det = qq - zq * zq
    a = b = 0.0
    if det > 1e-9:
        a, b = (zh * qq - qh * zq) / det, (qh - zh * zq) / det
    total = 0.0
    for i in range(items):
        n, z = first[i] + second[i], forms[0, i]
        q = min(z * z, FARTHEST) - q1
        forms[1, i] = q * math.sqrt(0.5)
        forms[2, i] = abs(z) - size - a * z - b * q if det > 1e-9 else 0.0
        total += n * forms[2, i] * forms[2, i] / m
    scale = math.sqrt(total)
    for i in range(items):
        forms[2, i] = forms[2, i] / scale if scale > 10 * LEAST_SPREAD else 0.0
    return True


@njit(cache=True, nogil=True)
def add_form(values, first, second, items, share, free, sums):  # type: ignore[no-untyped-def]
    """Add one block's centred scores to `sums`: the second group's sum, its variance, third and fourth cumulant.

    share : what is left of the group's variance after the line, 1 without;  free : rows less what was fitted
    """
    n1 = n2 = u = s2 = s3 = s4 = 0.0
    for i in range(items):
        n, w = first[i] + second[i], values[i]
        n1 += first[i]
        n2 += second[i]
        u += second[i] * w
        s2 += n * w * w
        s3 += n * w**3
        s4 += n * w**4
    sums[0] += u
    sums[1] += s2 / free * n1 * n2 / (n1 + n2) * share
    if min(n1, n2) < FEW_ROWS:
        _, third, fourth = cumulants_of_sum(int(n1 + n2), int(n2), s2, s3, s4)
        sums[2] += third * share**1.5
        sums[3] += fourth * share * share


@njit(cache=True, nogil=True)
def log_mean(logs, many):  # type: ignore[no-untyped-def]
    """ln of the mean of numbers whose logarithms are given."""
    top = -np.inf
    for k in range(many):
        top = max(top, logs[k])
    total = 0.0
    for k in range(many):
        total += math.exp(logs[k] - top)
    return top + math.log(total / many)


@njit(cache=True, nogil=True)
def score_forms(sums, logs, effects):  # type: ignore[no-untyped-def]
    """Fill ln Bayes factors and estimates of a common difference of each of the scores that `add_form` added up."""
    for f in range(FORMS):
        v = sums[f, 1]
        effects[f] = sums[f, 0] / v if v > 0 else 0.0
        logs[f] = score_evidence(sums[f, 0], v, v, sums[f, 2], sums[f, 3], SCALE)


@njit(cache=True, nogil=True)
def missing_evidence(lost, kept, alpha):  # type: ignore[no-untyped-def]
    """ln Bayes factor of a difference in how often a value is missing, of (2,) rows without and with one."""
    result = 0.0
    for g in range(3):
        x, y = (lost[0] + lost[1], kept[0] + kept[1]) if g == 2 else (lost[g], kept[g])
        own = math.lgamma(alpha + x) + math.lgamma(alpha + y) - math.lgamma(2 * alpha + x + y)
        own += math.lgamma(2 * alpha) - 2 * math.lgamma(alpha)
        result += -own if g == 2 else own
    return result


@njit(cache=True, nogil=True)
def merged_cells(first, second, levels, absent, one, two):  # type: ignore[no-untyped-def]
    """Fill both groups' counts of at most MOST_CELLS cells of levels in order, without the absent one; how many."""
    m = there = 0
    for k in range(levels):
        n = first[k] + second[k]
        if k != absent and n:
            m += n
            there += 1
    most = min(MOST_CELLS, m // ROWS_OF_A_CELL)
    if most < 2:
        return 0
    many, last, done, x, y = 0, 0, 0, 0, 0
    place = 1
    for k in range(levels):
        n = first[k] + second[k]
        if k == absent or n == 0:
            continue
        if there > most and many < most - 1 and done > last:
            while place < most and place * m // most < done:
                place += 1
            if place < most and place * m // most < done + n:  # a bound falls among this level's rows: it begins a cell
                one[many], two[many] = x, y
                many += 1
                last, x, y = done, 0, 0
        x += first[k]
        y += second[k]
        done += n
        if there <= most:
            one[many], two[many] = x, y
            many += 1
            x = y = 0
    if there > most:
        one[many], two[many] = x, y
        many += 1
    return many


@njit(cache=True, nogil=True)
def compare_counts(  # type: ignore[no-untyped-def]
    how, first, second, blocks, levels, alpha, factors, begin, logs, effects
):
    """ln Bayes factor of a common difference of one family from (blocks x levels) counts of both groups.

    Of an ordered child, or a number in cells, the blocks' `factors` from `begin` on are replaced by segments.

    how : see `forms.ChildComparison`
    logs, effects : (max(levels, FORMS + 1),) filled: ln Bayes factors of the common differences, and their estimates
    """
    kind, scores, absent, tables, nodes = how
    hits, drawn = np.empty(blocks, np.int64), np.empty(blocks, np.int64)
    some, rows = np.empty(blocks, np.int64), np.empty(blocks, np.int64)
    if kind == NOMINAL:
        both = np.empty((blocks, 3), np.int64)
        shared = 0
        for q in range(blocks):
            a = b = 0
            for c in range(q * levels, (q + 1) * levels):
                a += first[c]
                b += second[c]
            if a and b:
                both[shared, 0], both[shared, 1], both[shared, 2] = q * levels, b, a + b
                shared += 1
        for k in range(levels):
            used = 0
            for q in range(shared):
                c = both[q, 0] + k
                x, y = first[c], second[c]
                if x + y and x + y < both[q, 2]:
                    hits[used], drawn[used], some[used], rows[used] = y, both[q, 1], x + y, both[q, 2]
                    used += 1
            logs[k], effects[k] = odds_evidence(hits, drawn, some, rows, used, nodes, tables[1])
            if levels == 2:  # the other level's is the same
                logs[1], effects[1] = logs[0], -effects[0]
                break
        return log_mean(logs, levels)
    sums, forms = np.zeros((FORMS, 4)), np.empty((FORMS, levels))
    values, a_of, b_of = np.empty(levels), np.empty(levels), np.empty(levels)
    one, two = np.empty(MOST_CELLS, np.int64), np.empty(MOST_CELLS, np.int64)
    room = np.empty((2, MOST_CELLS + 1, MOST_CELLS + 1))
    lost, kept = np.zeros(2), np.zeros(2)
    used = lacking = 0
    for q in range(blocks):
        at = q * levels
        a = b = items = 0
        mean = 0.0
        for k in range(levels):
            x, y = first[at + k], second[at + k]
            if k == absent or x + y == 0:
                continue
            a += x
            b += y
            values[items], a_of[items], b_of[items] = scores[k], x, y
            mean += (x + y) * scores[k]
            items += 1
        gone, left = (first[at + absent], second[at + absent]) if absent >= 0 else (0, 0)
        if a + gone == 0 or b + left == 0:
            continue
        factor = 0.0
        if gone + left:
            lost[0], lost[1], kept[0], kept[1] = gone, left, a, b
            factor = missing_evidence(lost, kept, alpha)
            if a + b:
                hits[lacking], drawn[lacking], some[lacking], rows[lacking] = (
                    left,
                    b + left,
                    gone + left,
                    a + b + gone + left,
                )
                lacking += 1
        if a and b and items > 1:
            for i in range(items):
                values[i] -= mean / (a + b)
            if fill_forms(values, a_of, b_of, items, forms):
                for f in range(FORMS):
                    add_form(forms[f], a_of, b_of, items, 1.0, a + b - 1.0, sums[f])
            cells = merged_cells(first[at : at + levels], second[at : at + levels], levels, absent, one, two)
            factor += segment_evidence(one, two, cells, tables, room)
        factors[begin + used] = factor
        used += 1
    score_forms(sums, logs, effects)
    return _with_missing(hits, drawn, some, rows, lacking, nodes, tables, logs, effects)


@njit(cache=True, nogil=True)
def _with_missing(hits, drawn, some, rows, lacking, nodes, tables, logs, effects):  # type: ignore[no-untyped-def]
    """ln of the mean of the forms' evidence, and of that for a difference in how often a value is missing."""
    if not lacking:
        return log_mean(logs, FORMS)
    logs[FORMS], effects[FORMS] = odds_evidence(hits, drawn, some, rows, lacking, nodes, tables[1])
    return log_mean(logs, FORMS + 1)


@njit(cache=True, nogil=True)
def fit_line(products, targets, group, lines, slopes, shares):  # type: ignore[no-untyped-def]
    """Fill the least squares slopes of the child and of the group on the parents, from centred products."""
    matrix = np.empty((lines, lines))
    for i in range(lines):
        for j in range(lines):
            matrix[i, j] = products[i, j]
        matrix[i, i] += 1e-9
    inverse = np.linalg.inv(matrix)
    for i in range(lines):
        slopes[i] = shares[i] = 0.0
        for j in range(lines):
            slopes[i] += inverse[i, j] * targets[j]
            shares[i] += inverse[i, j] * group[j]


@njit(cache=True, nogil=True)
def pool_line(products, to_child, k, to_group, blocks, lines, slopes, shares):  # type: ignore[no-untyped-def]
    """Fill the slopes of `fit_line` over all blocks together."""
    matrix, child, group = np.zeros((lines, lines)), np.zeros(lines), np.zeros(lines)
    for q in range(blocks):
        for i in range(lines):
            child[i] += to_child[q, k, i]
            group[i] += to_group[q, i]
            for j in range(lines):
                matrix[i, j] += products[q, i, j]
    fit_line(matrix, child, group, lines, slopes, shares)


@njit(cache=True, nogil=True)
def compare_values(  # type: ignore[no-untyped-def]
    how, key, blocks, split, y, codes, levels, lines, scores, alpha, factors, begin, rest, logs, effects
):
    """ln Bayes factor of a common difference of one family from its rows, and how many block factors were filled.

    how : see `forms.ChildComparison`
    key : (N,) block of each row, those before `split` of the first group
    y, codes, levels : of the child;  lines : parents that are numbers;  scores : (n, N)
    rest : (N,) filled, of a child with scores: what is left of them in each row, in blocks with rows of both groups
    logs, effects : see `compare_counts`
    """
    kind, order, absent, tables, nodes = how
    rows, wide = order.shape[0], lines.shape[0]
    starts = np.zeros(blocks + 1, np.int64)
    for t in range(rows):
        starts[key[order[t]] + 1] += 1
    for q in range(blocks):
        starts[q + 1] += starts[q]
    fill, place = starts.copy(), np.empty(rows, np.int64)
    for t in range(rows):
        q = key[order[t]]
        place[fill[q]] = order[t]
        fill[q] += 1
    many = levels if kind == NOMINAL else 1
    second, mean_x = np.zeros(blocks), np.zeros((blocks, wide))
    products, to_group = np.zeros((blocks, wide, wide)), np.zeros((blocks, wide))
    to_child, mean_y = np.zeros((blocks, many, wide)), np.zeros((blocks, many))
    for q in range(blocks):
        m = starts[q + 1] - starts[q]
        for t in range(starts[q], starts[q + 1]):
            row = place[t]
            second[q] += row >= split
            for i in range(wide):
                mean_x[q, i] += scores[lines[i], row] / m
            if kind == NOMINAL:
                mean_y[q, codes[row]] += 1.0 / m
            else:
                mean_y[q, 0] += y[row] / m
        for t in range(starts[q], starts[q + 1]):
            row = place[t]
            for i in range(wide):
                x = scores[lines[i], row] - mean_x[q, i]
                for j in range(i + 1):
                    products[q, i, j] += x * (scores[lines[j], row] - mean_x[q, j])
                if row >= split:
                    to_group[q, i] += x
                if kind == NOMINAL:
                    to_child[q, codes[row], i] += x
                else:
                    to_child[q, 0, i] += x * y[row]
        for i in range(wide):
            for j in range(i):
                products[q, j, i] = products[q, i, j]
    slopes, shares = np.zeros(max(wide, 1)), np.zeros(max(wide, 1))
    pooled_slopes, pooled_shares = np.zeros((many, max(wide, 1))), np.zeros(max(wide, 1))
    for k in range(many if wide else 0):
        pool_line(products, to_child, k, to_group, blocks, wide, pooled_slopes[k], pooled_shares)
    sums, odds, own_sums = np.zeros((FORMS, 4)), np.zeros((levels, 2)), np.empty(4)
    own_rest, one, two = np.empty(rows), np.empty(rows), np.empty(rows)
    forms, along = np.zeros((FORMS, rows)), np.zeros((blocks, FORMS, wide))
    left_of, free_of = np.zeros(blocks), np.zeros(blocks)
    ends, ordered = np.empty(MOST_CELLS, np.int64), np.empty(rows)
    a_of, b_of = np.empty(MOST_CELLS, np.int64), np.empty(MOST_CELLS, np.int64)
    room = np.empty((2, MOST_CELLS + 1, MOST_CELLS + 1))
    lost, kept = np.zeros((blocks, 2)), np.zeros(2)
    if absent >= 0 and kind != NOMINAL:
        for row in range(key.shape[0]):
            if codes[row] == absent:
                lost[key[row], 1 if row >= split else 0] += 1
    hits, drawn = np.empty(blocks, np.int64), np.empty(blocks, np.int64)
    some, whole_rows = np.empty(blocks, np.int64), np.empty(blocks, np.int64)
    used = lacking = 0
    for q in range(blocks):
        m, b = starts[q + 1] - starts[q], second[q]
        a = m - b
        gone, left = lost[q, 0], lost[q, 1]
        if a + gone == 0 or b + left == 0:
            continue
        factor = 0.0
        if gone + left > 0:
            kept[0], kept[1] = a, b
            factor = missing_evidence(lost[q], kept, alpha)
            if m:
                hits[lacking], drawn[lacking] = int(left), int(b + left)
                some[lacking], whole_rows[lacking] = int(gone + left), int(m + gone + left)
                lacking += 1
        if a > 0 and b > 0 and m > 3:
            own = wide > 0 and m > ROWS_OF_A_LINE * (wide + 1)
            share, free = 1.0, m - 1.0
            for k in range(many):
                if wide:
                    if own:
                        fit_line(products[q], to_child[q, k], to_group[q], wide, slopes, shares)
                        free = m - 1.0 - wide
                    else:
                        slopes[:] = pooled_slopes[k]
                        shares[:] = pooled_shares
                    left_over = a * b / m
                    for i in range(wide):
                        left_over -= 2 * shares[i] * to_group[q, i]
                        for j in range(wide):
                            left_over += shares[i] * products[q, i, j] * shares[j]
                    share = min(max(left_over / (a * b / m), 0.0), 1.0)
                if kind != NOMINAL:
                    continue
                c = mean_y[q, k] * m
                expected = min(a, b) * min(c, m - c) / m
                if expected < LEAST_EXPECTED:
                    continue
                squares = c * (m - c) / m
                u = 0.0
                for t in range(starts[q], starts[q + 1]):
                    if place[t] >= split:
                        u += (codes[place[t]] == k) - mean_y[q, k]
                for i in range(wide):
                    u -= slopes[i] * to_group[q, i]
                    squares -= 2 * slopes[i] * to_child[q, k, i]
                    for j in range(wide):
                        squares += slopes[i] * products[q, i, j] * slopes[j]
                v = max(squares, 0.0) / free * share * a * b / m
                odds[k, 0] += u
                odds[k, 1] += v
                one[k] = u
                two[k] = v
            if kind == NOMINAL:
                there = 0
                for k in range(levels):
                    c = mean_y[q, k] * m
                    if min(a, b) * min(c, m - c) / m >= LEAST_EXPECTED:
                        logs[there] = score_evidence(one[k], two[k], two[k], 0.0, 0.0, 1.0)
                        there += 1
                if there:
                    factor += log_mean(logs, there)
            else:
                here = starts[q]
                for t in range(here, starts[q + 1]):
                    row = place[t]
                    x = y[row] - mean_y[q, 0]
                    for i in range(wide):
                        x -= slopes[i] * (scores[lines[i], row] - mean_x[q, i])
                    own_rest[t] = rest[row] = x
                    one[t], two[t] = (0.0, 1.0) if row >= split else (1.0, 0.0)
                if free >= 1 and fill_forms(own_rest[here:], one[here:], two[here:], m, forms[:, here:]):
                    left_of[q], free_of[q] = share, free
                    if wide and most_alike(y, place[here : starts[q + 1]]) > 2 * max(ROWS_OF_A_CELL, m // MOST_CELLS):
                        own_sums[:] = 0.0  # what the line leaves of equal values is in the order of the parents
                        add_form(forms[0, here:], one[here:], two[here:], m, share, free, own_sums)
                        u, v = own_sums[0], own_sums[1]
                        factor += score_evidence(u, v, v, own_sums[2], own_sums[3], SCALE)
                    else:
                        factor += segments_of(
                            own_rest[here:], two[here:], m, wide > 0, ordered, ends, a_of, b_of, tables, room
                        )
                    for t in range(here, starts[q + 1] if wide else here):
                        for i in range(wide):
                            x = scores[lines[i], place[t]] - mean_x[q, i]
                            for f in range(1, FORMS):
                                along[q, f, i] += x * forms[f, t]
        factors[begin + used] = factor
        used += 1
    if kind == NOMINAL:
        for k in range(levels):
            logs[k] = score_evidence(odds[k, 0], odds[k, 1], odds[k, 1], 0.0, 0.0, 1.0)
            effects[k] = odds[k, 0] / odds[k, 1] if odds[k, 1] > 0 else 0.0
        return log_mean(logs, levels), used
    for f in range(FORMS):
        if f and wide:  # spread that follows a parent, as location does, is the parent's
            for q in range(blocks):
                if free_of[q] == 0:
                    products[q] = 0.0
                    to_group[q] = 0.0
            pool_line(products, along, f, to_group, blocks, wide, pooled_slopes[0], pooled_shares)
        for q in range(blocks):
            if free_of[q] == 0:
                continue
            here, m = starts[q], starts[q + 1] - starts[q]
            if f and wide:
                if m > ROWS_OF_A_LINE * (wide + 1):
                    fit_line(products[q], along[q, f], to_group[q], wide, slopes, shares)
                else:
                    slopes[:] = pooled_slopes[0]
                for t in range(here, starts[q + 1]):
                    for i in range(wide):
                        forms[f, t] -= slopes[i] * (scores[lines[i], place[t]] - mean_x[q, i])
            add_form(forms[f, here:], one[here:], two[here:], m, left_of[q], free_of[q], sums[f])
    score_forms(sums, logs, effects)
    return _with_missing(hits, drawn, some, whole_rows, lacking, nodes, tables, logs, effects), used


@njit(cache=True, nogil=True)
def value_families(  # type: ignore[no-untyped-def]
    codes, split, arity, child, members, sizes, alphas, how, line, scores, common, old, used
):
    """Compare the families of one child by its rows where they are a number's or have one among the parents.

    how : see `forms.ChildComparison`;  line : (n,) which variables are numbers
    common, old, used : (k,) and (k + 1,), factors: what `group_families` filled, which stays for the other families;
        filled anew, with room for the factors in the first `used` of them, those of the last call
    """
    starts, factors = old
    was_starts, was = used
    rows, levels = codes.shape[1], arity[child]
    key, slots, places = np.empty(rows, np.int64), np.empty(room_of(rows), np.int64), np.empty(room_of(rows), np.int64)
    lines = np.empty(members.shape[1], np.int64)
    rest, logs, effects = np.empty(rows), np.empty(max(levels, FORMS + 1)), np.empty(max(levels, FORMS + 1))
    begin = 0
    starts[0] = 0
    for k in range(members.shape[0]):
        many = 0
        for i in range(sizes[k]):
            if line[members[k, i]]:
                lines[many] = members[k, i]
                many += 1
        if how.kind != NUMBER and many == 0:
            for place in range(was_starts[k], was_starts[k + 1]):
                factors[begin] = was[place]
                begin += 1
        else:
            blocks = blocks_of(codes, arity, members[k, : sizes[k]], key, slots, places)
            alpha, own = alphas[k] * levels / 2, lines[:many]
            y, values = scores[child], codes[child]
            common[k], more = compare_values(
                how, key, blocks, split, y, values, levels, own, scores, alpha, factors, begin, rest, logs, effects
            )
            begin += more
        starts[k + 1] = begin
    return begin
