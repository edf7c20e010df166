"""Where along a number the classes' shares change: the likeliest segments of its cells, given values and classes.

A partition of the cells into r segments is worth the product of what each segment's rows are worth with one unknown
share of every class (Dirichlet, 1/2 a class). One segment has half of the prior, two to as many as allowed the other
half in equal parts, and all partitions into r segments the same.
"""

from __future__ import annotations

import numpy as np

from engine.lazy import special

MOST_CELLS = 32
"""Cells of a number, of about equally many rows."""


def likeliest_segments(counts: np.ndarray, cells: np.ndarray, most: int) -> list[tuple[int, ...]]:
    """Before which cells a segment begins, of several numbers; none where one segment of all is likeliest.

    Parameters
    ----------
    counts : (p, C, K) rows of each class in each cell, cells in the order of the number
    cells : (p,) how many of the C cells each number has, from the first
    most : segments at most
    """
    p, width, classes = counts.shape
    below = np.concatenate([np.zeros((p, 1, classes), dtype=np.int64), counts.cumsum(axis=1)], axis=1)
    inside = below[:, None] - below[:, :, None]  # (p, i, j, K): rows of the cells i to j - 1
    log_half, log_all = (
        special.gammaln(np.arange(int(counts.sum(axis=(1, 2)).max(initial=0)) + 1) + add) for add in (0.5, classes / 2)
    )
    start = np.arange(width + 1)
    ahead = start[:, None] < start
    inside = np.where(ahead[..., None], inside, 0)
    worth = log_half[inside].sum(axis=3) - log_all[inside.sum(axis=3)] - classes * log_half[0] + log_all[0]
    worth = np.where(ahead, worth, -np.inf)
    number, reach = np.arange(p), np.minimum(cells, most)
    best, ends = worth[:, 0], np.zeros((most + 1, p, width + 1), dtype=np.int64)
    top, segments = best[number, cells].copy(), np.ones(p, dtype=np.int64)
    for r in range(2, int(reach.max(initial=1)) + 1):
        sums = best[:, :, None] + worth
        ends[r], best = sums.argmax(axis=1), sums.max(axis=1)
        many = special.gammaln(cells) - special.gammaln(r) - special.gammaln(np.maximum(cells - r + 1, 1))
        here = best[number, cells] - many - np.log(np.maximum(reach - 1, 1))
        better = (r <= reach) & (here > top)
        top, segments = np.where(better, here, top), np.where(better, r, segments)
    result = []
    for i in range(p):
        at, starts = int(cells[i]), []
        for r in range(int(segments[i]), 1, -1):
            at = int(ends[r, i, at])
            starts.append(at)
        result.append(tuple(starts[::-1]))
    return result
