"""One common difference where rows belong together: scores of rows, their variance over the deals that are allowed.

u is the sum of the second group's scores, as without clusters. Its variance is that of deals of whole clusters, or of
the labels inside each cluster where the group varies inside most (before and after); its information stays the rows'.
"""

from __future__ import annotations

import math

import numpy as np

from engine.counting.compiling import njit
from engine.counting.differences.block_keys import DENSE, blocks_of, configure, number_keys, room_of
from engine.counting.differences.common_kernels import score_evidence
from engine.counting.differences.difference_kernels import (
    FARTHEST,
    LEAST_SPREAD,
    ROWS_OF_A_LINE,
    fill_forms,
    fit_line,
    log_mean,
    pool_line,
)
from engine.counting.differences.forms import FORMS, NOMINAL, SCALE


@njit(cache=True, nogil=True)
def _deal(values, unit, second, cluster, crossing):  # type: ignore[no-untyped-def]
    """The second group's sum of (N,) values, NaN where a row says nothing, and its variance over the deals allowed."""
    units = second.shape[0]
    sums, squares, there = np.zeros(units), np.zeros(units), np.zeros(units)
    for row in range(values.shape[0]):
        x, s = values[row], unit[row]
        if not math.isnan(x):
            there[s] += 1
            sums[s] += x
            squares[s] += x * x
    if crossing:
        return _swapped(sums, squares, there, cluster, second)
    return _dealt(sums, there, second)


@njit(cache=True, nogil=True)
def clustered_families(  # type: ignore[no-untyped-def]
    codes, split, arity, child, members, sizes, how, line, scores, unit, units, common, logs, effects
):
    """Fill ln Bayes factors of one common difference of the families of one child, rows belonging together.

    how, line, scores : as of `value_families`
    unit : (N,) numbers from 0: the cluster of each row in its group
    units : second and cluster, (m,) whether a unit is of the second group, and its cluster; and crossing: whether
        labels are dealt inside clusters
    logs, effects : of the last family, see `compare_counts`
    """
    second, cluster, crossing = units
    kind, absent = how.kind, how.absent
    rows, levels = codes.shape[1], arity[child]
    key, slots, places = np.empty(rows, np.int64), np.empty(room_of(rows), np.int64), np.empty(room_of(rows), np.int64)
    lines = np.empty(members.shape[1], np.int64)
    many = levels if kind == NOMINAL else 1
    rest, forms = np.empty(rows), np.empty((FORMS, rows))
    y = np.empty(rows)
    for k in range(members.shape[0]):
        wide = 0
        for i in range(sizes[k]):
            if line[members[k, i]]:
                lines[wide] = members[k, i]
                wide += 1
        blocks = blocks_of(codes, arity, members[k, : sizes[k]], key, slots, places)
        for level in range(many):
            for row in range(rows):
                if kind == NOMINAL:
                    y[row] = 1.0 if codes[child, row] == level else 0.0
                else:
                    y[row] = math.nan if codes[child, row] == absent else scores[child, row]
            information = _residuals(key, blocks, split, y, scores, lines[:wide], kind != NOMINAL, rest, forms)
            if kind == NOMINAL:
                u, v = _deal(rest, unit, second, cluster, crossing)
                logs[level] = score_evidence(u, v, information, 0.0, 0.0, 1.0)
                effects[level] = u / information if information > 0 else 0.0
                if levels == 2:  # the other level's is the same
                    logs[1], effects[1] = logs[0], -effects[0]
                    break
            else:
                for f in range(FORMS):
                    u, v = _deal(forms[f], unit, second, cluster, crossing)
                    logs[f] = score_evidence(u, v, information, 0.0, 0.0, SCALE)
                    effects[f] = u / information if information > 0 else 0.0
        common[k] = log_mean(logs, many if kind == NOMINAL else FORMS)


@njit(cache=True, nogil=True)
def _residuals(key, blocks, split, y, scores, lines, scored, rest, forms):  # type: ignore[no-untyped-def]
    """Fill what is left of y inside blocks and along lines (NaN in rows without evidence), and the forms of scores of
    unit variance in each block; the information of the rows."""
    wide = lines.shape[0]
    n, drawn, mean = np.zeros(blocks), np.zeros(blocks), np.zeros(blocks)
    mean_x, to_group, to_child = np.zeros((blocks, wide)), np.zeros((blocks, wide)), np.zeros((blocks, 1, wide))
    products = np.zeros((blocks, wide, wide))
    rows = y.shape[0]
    for row in range(rows):
        if math.isnan(y[row]):
            continue
        q = key[row]
        n[q] += 1
        drawn[q] += row >= split
        mean[q] += y[row]
        for i in range(wide):
            mean_x[q, i] += scores[lines[i], row]
    for q in range(blocks):
        if n[q]:
            mean[q] /= n[q]
            for i in range(wide):
                mean_x[q, i] /= n[q]
    if wide:
        for row in range(rows):
            if math.isnan(y[row]):
                continue
            q = key[row]
            for i in range(wide):
                x = scores[lines[i], row] - mean_x[q, i]
                to_child[q, 0, i] += x * y[row]
                if row >= split:
                    to_group[q, i] += x
                for j in range(wide):
                    products[q, i, j] += x * (scores[lines[j], row] - mean_x[q, j])
    slopes, shares = np.zeros((blocks, wide)), np.zeros((blocks, wide))
    one_slope, one_share = np.zeros(wide), np.zeros(wide)
    if wide:
        one, other = np.zeros(wide), np.zeros(wide)
        pool_line(products, to_child, 0, to_group, blocks, wide, one, other)
        for q in range(blocks):
            if n[q] > ROWS_OF_A_LINE * (wide + 1):
                fit_line(products[q], to_child[q, 0], to_group[q], wide, slopes[q], shares[q])
            else:
                slopes[q] = one
                shares[q] = other
    spread = np.zeros(blocks)
    for row in range(rows):
        rest[row] = math.nan
        q = key[row]
        if math.isnan(y[row]) or drawn[q] == 0 or drawn[q] == n[q]:
            continue
        x = y[row] - mean[q]
        for i in range(wide):
            x -= slopes[q, i] * (scores[lines[i], row] - mean_x[q, i])
        rest[row] = x
        spread[q] += x * x
    information = 0.0
    for q in range(blocks):
        if n[q] == 0 or drawn[q] == 0 or drawn[q] == n[q]:
            continue
        whole = left = drawn[q] * (n[q] - drawn[q]) / n[q]
        for i in range(wide):
            left -= 2 * shares[q, i] * to_group[q, i]
            for j in range(wide):
                left += shares[q, i] * products[q, i, j] * shares[q, j]
        left = min(max(left, 0.0), whole)
        spread[q] = math.sqrt(spread[q] / n[q])
        if spread[q] >= LEAST_SPREAD:
            information += left if scored else left * spread[q] ** 2
    if not scored:
        return information
    forms[:] = math.nan
    starts = np.zeros(blocks + 1, np.int64)
    for row in range(rows):
        starts[key[row] + 1] += not math.isnan(rest[row])
    for q in range(blocks):
        starts[q + 1] += starts[q]
    fill, place = starts.copy(), np.empty(rows, np.int64)
    for row in range(rows):
        if not math.isnan(rest[row]):
            place[fill[key[row]]] = row
            fill[key[row]] += 1
    ones, nothing, own, values = np.ones(rows), np.zeros(rows), np.empty((FORMS, rows)), np.empty(rows)
    along, there = np.zeros((blocks, FORMS, wide)), np.zeros(blocks, np.bool_)
    for q in range(blocks):
        m = starts[q + 1] - starts[q]
        for t in range(m):
            values[t] = rest[place[starts[q] + t]]
        there[q] = m > 0 and fill_forms(values, ones, nothing, m, own[:, starts[q] :])
        for t in range(starts[q], starts[q + 1] if there[q] else starts[q]):
            for i in range(wide):
                for f in range(1, FORMS):
                    along[q, f, i] += (scores[lines[i], place[t]] - mean_x[q, i]) * own[f, t]
        if not there[q]:
            products[q] = 0.0
            to_group[q] = 0.0
    for f in range(FORMS):
        if f and wide:
            pool_line(products, along, f, to_group, blocks, wide, one_slope, one_share)
        for q in range(blocks):
            if not there[q]:
                continue
            m = starts[q + 1] - starts[q]
            if f and wide and n[q] > ROWS_OF_A_LINE * (wide + 1):
                fit_line(products[q], along[q, f], to_group[q], wide, slopes[q], shares[q])
            elif f and wide:
                slopes[q] = one_slope
            square = 0.0
            for t in range(starts[q], starts[q + 1]):
                for i in range(wide if f else 0):
                    own[f, t] -= slopes[q, i] * (scores[lines[i], place[t]] - mean_x[q, i])
                square += own[f, t] ** 2
            scale = math.sqrt(square / m)
            for t in range(starts[q], starts[q + 1]):
                forms[f, place[t]] = own[f, t] / scale if scale > 10 * LEAST_SPREAD else 0.0
    return information


@njit(cache=True, nogil=True)
def clustered_cells(  # type: ignore[no-untyped-def]
    codes, times, arity, child, members, sizes, how, begins, units, common, logs, effects
):
    """`clustered_families` from counts: of children without scores of their own, and without lines.

    codes, times, begins : see `cluster_families`;  how, units : see `clustered_families`
    The same is added up in the same order however often a row stands there, or how often it is listed.
    """
    kind, order, absent = how.kind, how.order, how.absent
    second, cluster, crossing = units
    rows, levels, m = codes.shape[1], arity[child], second.shape[0]
    key, slots, places = np.empty(rows, np.int64), np.empty(room_of(rows), np.int64), np.empty(room_of(rows), np.int64)
    raw = np.empty(rows, np.int64)
    many = levels if kind == NOMINAL else FORMS
    scale = 1.0 if kind == NOMINAL else SCALE
    for k in range(members.shape[0]):
        blocks = configure(codes, arity, members[k, : sizes[k]], key)
        raw[:] = key
        if blocks > min(DENSE, rows):
            blocks = number_keys(key, slots, places, key)
        counts = np.zeros((blocks, levels, 2))
        for u in range(m):
            for row in range(begins[u], begins[u + 1]):
                counts[key[row], codes[child, row], second[u]] += times[row]
        scores, information = _cell_scores(counts, kind, absent, order, many)
        sums = np.zeros((m, many))
        squares = np.zeros((m, many))
        there = np.zeros(m)
        for u in range(m):
            own = raw[begins[u] : begins[u + 1]] * levels + codes[child, begins[u] : begins[u + 1]]
            for place in np.argsort(own, kind="mergesort"):
                row = begins[u] + place
                q, c = key[row], codes[child, row]
                if counts[q, :, 0].sum() == 0 or counts[q, :, 1].sum() == 0 or (kind != NOMINAL and c == absent):
                    continue
                for _ in range(times[row]):  # one by one, so that counted rows have the bits of rows in memory
                    there[u] += 1
                    for f in range(many):
                        sums[u, f] += scores[q, c, f]
                        squares[u, f] += scores[q, c, f] ** 2
        for f in range(many):
            if crossing:
                u_sum, v = _swapped(sums[:, f], squares[:, f], there, cluster, second)
            else:
                u_sum, v = _dealt(sums[:, f], there, second)
            logs[f] = score_evidence(u_sum, v, information[f], 0.0, 0.0, scale)
            effects[f] = u_sum / information[f] if information[f] > 0 else 0.0
        if kind == NOMINAL and levels == 2:  # the other level's is the same
            logs[1], effects[1] = logs[0], -effects[0]
        common[k] = log_mean(logs, many)


@njit(cache=True, nogil=True)
def _cell_scores(counts, kind, absent, order, many):  # type: ignore[no-untyped-def]
    """(blocks, levels, forms) scores of rows in the cells, centred in each block, and the rows' information of each
    form."""
    blocks, levels, _ = counts.shape
    scores, information = np.zeros((blocks, levels, many)), np.zeros(many)
    for q in range(blocks):
        a = b = 0.0
        for c in range(levels):
            if kind == NOMINAL or c != absent:
                a += counts[q, c, 0]
                b += counts[q, c, 1]
        n = a + b
        if a == 0 or b == 0:
            continue
        if kind == NOMINAL:
            for f in range(levels):
                share = (counts[q, f, 0] + counts[q, f, 1]) / n
                information[f] += a * b / n * share * (1 - share)
                for c in range(levels):
                    scores[q, c, f] = (1.0 if c == f else 0.0) - share
            continue
        mean = square = 0.0
        for c in range(levels):
            if c != absent:
                mean += (counts[q, c, 0] + counts[q, c, 1]) * order[c] / n
        for c in range(levels):
            if c != absent:
                square += (counts[q, c, 0] + counts[q, c, 1]) * (order[c] - mean) ** 2 / n
        if math.sqrt(square) < LEAST_SPREAD:
            continue
        moments = np.zeros(6)
        for c in range(levels):
            if c == absent:
                continue
            z, m = (order[c] - mean) / math.sqrt(square), (counts[q, c, 0] + counts[q, c, 1]) / n
            moments[0] += m * min(z * z, FARTHEST)
            moments[1] += m * abs(z)
            moments[2] += m * z * min(z * z, FARTHEST)
            moments[3] += m * min(z * z, FARTHEST) ** 2
            moments[4] += m * z * abs(z)
            moments[5] += m * abs(z) * min(z * z, FARTHEST)
        qq, zq, qh = moments[3] - moments[0] ** 2, moments[2], moments[5] - moments[0] * moments[1]
        det = qq - zq * zq
        slope, curve = (0.0, 0.0)
        if det > 1e-9:
            slope, curve = (moments[4] * qq - qh * zq) / det, (qh - moments[4] * zq) / det
        shape = 0.0
        for c in range(levels):
            if c == absent:
                continue
            z = (order[c] - mean) / math.sqrt(square)
            far = min(z * z, FARTHEST) - moments[0]
            scores[q, c, 0] = z
            scores[q, c, 1] = far / math.sqrt(qq) if qq > 1e-6 else 0.0
            if det > 1e-9:
                scores[q, c, 2] = abs(z) - moments[1] - slope * z - curve * far
                shape += (counts[q, c, 0] + counts[q, c, 1]) * scores[q, c, 2] ** 2 / n
        for c in range(levels):
            scores[q, c, 2] = scores[q, c, 2] / math.sqrt(shape) if shape > 1e-4 else 0.0
        for f in range(many):
            information[f] += a * b / n
    return scores, information


@njit(cache=True, nogil=True)
def _dealt(sums, there, second):  # type: ignore[no-untyped-def]
    """The second group's sum and its variance over deals of whole units, as `_deal` has them."""
    many = drawn = mean = u = v = 0.0
    for s in range(sums.shape[0]):
        if there[s] > 0:
            many += 1
            drawn += second[s]
            mean += sums[s]
            u += second[s] * sums[s]
    if many < 2:
        return 0.0, 0.0
    for s in range(sums.shape[0]):
        if there[s] > 0:
            v += (sums[s] - mean / many) ** 2
    return u - drawn * mean / many, v * drawn * (many - drawn) / (many * (many - 1))


@njit(cache=True, nogil=True)
def _swapped(sums, squares, there, cluster, second):  # type: ignore[no-untyped-def]
    """The second group's sum and its variance over labels dealt inside clusters, whose units in either group are
    two."""
    clusters = cluster.max() + 1
    own, rows, labelled = np.zeros(clusters), np.zeros(clusters), np.zeros(clusters)
    whole, square = np.zeros(clusters), np.zeros(clusters)
    for u in range(sums.shape[0]):
        s = cluster[u]
        rows[s] += there[u]
        whole[s] += sums[u]
        square[s] += squares[u]
        if second[u]:
            labelled[s] += there[u]
            own[s] += sums[u]
    total = v = 0.0
    for s in range(clusters):
        n, b = rows[s], labelled[s]
        if n > 1 and 0 < b < n:
            total += own[s] - b * whole[s] / n
            v += b * (n - b) / (n * (n - 1)) * (square[s] - whole[s] * whole[s] / n)
    return total, v
