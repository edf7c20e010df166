"""One common difference where rows belong together: scores of rows, their variance over the deals that are allowed.

u is the sum of the second group's scores, as without clusters. Its variance is that of deals of whole clusters, or of the
labels inside each cluster where the group varies inside most (before and after); its information stays the rows'.
"""

from __future__ import annotations

import math

import numpy as np

from engine.counting.block_keys import DENSE, configure, number_keys, room_of
from engine.counting.common_kernels import SCALE, score_evidence
from engine.counting.compiling import njit
from engine.counting.difference_kernels import FORMS, LEAST_SPREAD, NOMINAL, ROWS_OF_A_LINE, fit_line, log_mean


@njit(cache=True, nogil=True)
def _deal(values, split, unit, crossing, second):  # type: ignore[no-untyped-def]
    """The second group's sum of (N,) values and its variance over deals of units, or of labels inside them."""
    units = second.shape[0]
    sums, squares, own = np.zeros(units), np.zeros(units), np.zeros(units)
    rows, labelled = np.zeros(units), np.zeros(units)
    for row in range(values.shape[0]):
        x, s = values[row], unit[row]
        if math.isnan(x):
            continue
        rows[s] += 1
        sums[s] += x
        squares[s] += x * x
        if row >= split:
            labelled[s] += 1
            own[s] += x
    u = v = 0.0
    if crossing:
        for s in range(units):
            n, b = rows[s], labelled[s]
            if n > 1 and 0 < b < n:
                u += own[s] - b * sums[s] / n
                v += b * (n - b) / (n * (n - 1)) * (squares[s] - sums[s] * sums[s] / n)
        return u, v
    many = drawn = mean = 0.0
    for s in range(units):
        if rows[s] > 0:
            many += 1
            drawn += second[s]
            mean += sums[s]
            u += second[s] * sums[s]
    if many < 2:
        return 0.0, 0.0
    for s in range(units):
        if rows[s] > 0:
            v += (sums[s] - mean / many) ** 2
    return u - drawn * mean / many, v * drawn * (many - drawn) / (many * (many - 1))


@njit(cache=True, nogil=True)
def clustered_families(  # type: ignore[no-untyped-def]
    codes, split, arity, child, members, sizes, kind, absent, line, scores, unit, second, crossing, common, logs, effects
):
    """Fill ln Bayes factors of one common difference of the families of one child, rows belonging together.

    kind, absent, line, scores : as of `value_families`
    unit : (N,) numbers from 0: the cluster of each row, in its group unless `crossing`;  second : (m,) 1 where the unit is
        of the second group, else 0
    logs, effects : of the last family, see `compare_counts`
    """
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
        blocks = configure(codes, arity, members[k, : sizes[k]], key)
        if blocks > min(DENSE, rows):
            blocks = number_keys(key, slots, places, key)
        for level in range(many):
            for row in range(rows):
                if kind == NOMINAL:
                    y[row] = 1.0 if codes[child, row] == level else 0.0
                else:
                    y[row] = math.nan if codes[child, row] == absent else scores[child, row]
            information = _residuals(key, blocks, split, y, scores, lines[:wide], kind != NOMINAL, rest, forms)
            if kind == NOMINAL:
                u, v = _deal(rest, split, unit, crossing, second)
                logs[level] = score_evidence(u, v, information, 0.0, 0.0, 1.0)
                effects[level] = u / information if information > 0 else 0.0
                if levels == 2:  # the other level's is the same
                    logs[1], effects[1] = logs[0], -effects[0]
                    break
            else:
                for f in range(FORMS):
                    u, v = _deal(forms[f], split, unit, crossing, second)
                    logs[f] = score_evidence(u, v, information, 0.0, 0.0, SCALE)
                    effects[f] = u / information if information > 0 else 0.0
        common[k] = log_mean(logs, many if kind == NOMINAL else FORMS)


@njit(cache=True, nogil=True)
def _residuals(key, blocks, split, y, scores, lines, scored, rest, forms):  # type: ignore[no-untyped-def]
    """Fill what is left of y inside blocks and along lines (NaN in rows without evidence), and the forms of scores of unit
    variance in each block; the information of the rows."""
    wide = lines.shape[0]
    n, drawn, mean = np.zeros(blocks), np.zeros(blocks), np.zeros(blocks)
    mean_x, to_group, to_child = np.zeros((blocks, wide)), np.zeros((blocks, wide)), np.zeros((blocks, wide))
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
                to_child[q, i] += x * y[row]
                if row >= split:
                    to_group[q, i] += x
                for j in range(wide):
                    products[q, i, j] += x * (scores[lines[j], row] - mean_x[q, j])
    slopes, shares = np.zeros((blocks, wide)), np.zeros((blocks, wide))
    if wide:
        one, other = np.zeros(wide), np.zeros(wide)
        fit_line(products.sum(axis=0), to_child.sum(axis=0), to_group.sum(axis=0), wide, one, other)
        for q in range(blocks):
            if n[q] > ROWS_OF_A_LINE * (wide + 1):
                fit_line(products[q], to_child[q], to_group[q], wide, slopes[q], shares[q])
            else:
                slopes[q] = one
                shares[q] = other
    moments = np.zeros((blocks, 6))
    for row in range(rows):
        rest[row] = math.nan
        q = key[row]
        if math.isnan(y[row]) or drawn[q] == 0 or drawn[q] == n[q]:
            continue
        x = y[row] - mean[q]
        for i in range(wide):
            x -= slopes[q, i] * (scores[lines[i], row] - mean_x[q, i])
        rest[row] = x
        moments[q, 0] += x * x
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
        moments[q, 0] = math.sqrt(moments[q, 0] / n[q])
        if moments[q, 0] >= LEAST_SPREAD:
            information += left if scored else left * moments[q, 0] ** 2
    if not scored:
        return information
    for row in range(rows):
        q = key[row]
        sd = moments[q, 0]
        if math.isnan(rest[row]) or sd < LEAST_SPREAD:
            rest[row] = math.nan
            continue
        z = rest[row] / sd
        moments[q, 1] += abs(z) / n[q]
        moments[q, 2] += z * z * z / n[q]
        moments[q, 3] += z * z * z * z / n[q]
        moments[q, 4] += z * abs(z) / n[q]
        moments[q, 5] += abs(z) ** 3 / n[q]
    shape = np.zeros(blocks)
    for row in range(rows):
        if math.isnan(rest[row]):
            for f in range(FORMS):
                forms[f, row] = math.nan
            continue
        q = key[row]
        z = rest[row] / moments[q, 0]
        qq, zq = moments[q, 3] - 1.0, moments[q, 2]
        det = qq - zq * zq
        forms[0, row] = z
        forms[1, row] = (z * z - 1.0) / math.sqrt(qq) if qq > 1e-6 else 0.0
        forms[2, row] = 0.0
        if det > 1e-9:
            qh = moments[q, 5] - moments[q, 1]
            a, b = (moments[q, 4] * qq - qh * zq) / det, (qh - moments[q, 4] * zq) / det
            forms[2, row] = abs(z) - moments[q, 1] - a * z - b * (z * z - 1.0)
            shape[q] += forms[2, row] ** 2 / n[q]
    for row in range(rows):
        q = key[row]
        if not math.isnan(rest[row]):
            forms[2, row] = forms[2, row] / math.sqrt(shape[q]) if shape[q] > 1e-4 else 0.0
    return information
