"""Whether the classes' shares change along a number: all partitions of its cells into segments, weighed.

A partition of the cells into r segments is worth the product of what each segment's rows are worth with one unknown
share of every class (Dirichlet, 1/2 a class). One segment has half of the prior, two to as many as allowed the other
half in equal parts, and all partitions into r segments the same.
"""

from __future__ import annotations

import math

import numpy as np

from engine.lazy import special

MOST_CELLS = 32
"""Cells of a number, of about equally many rows."""
MOST_SEGMENTS = 8


def log_evidence(counts: np.ndarray, most: int = MOST_SEGMENTS) -> float:
    """ln Bayes factor of shares that change along the cells, over all partitions, to shares that do not.

    Parameters
    ----------
    counts : (C, K) rows of each class in each cell, two cells and more
    most : segments at most
    """
    worth, cells = log_worth(counts[None])[0], len(counts)
    sums, parts = worth[0], []
    for r in range(2, min(most, cells) + 1):
        sums = special.logsumexp(sums[:, None] + worth, axis=0)
        parts.append(sums[cells] - math.log(math.comb(cells - 1, r - 1)))
    return float(special.logsumexp(parts) - math.log(len(parts)) - worth[0, cells])


def log_worth(counts: np.ndarray) -> np.ndarray:
    """(p, C + 1, C + 1) ln of what the cells i to j - 1 are worth as one segment, -inf where there are none."""
    p, width, classes = counts.shape
    below = np.concatenate([np.zeros((p, 1, classes), dtype=np.int64), counts.cumsum(axis=1)], axis=1)
    ahead = np.triu(np.ones((width + 1, width + 1), dtype=bool), 1)
    inside = np.where(ahead[..., None], below[:, None] - below[:, :, None], 0)
    rows = np.arange(int(counts.sum(axis=(1, 2)).max(initial=0)) + 1)
    log_half, log_all = special.gammaln(rows + 0.5), special.gammaln(rows + classes / 2)
    worth = log_half[inside].sum(axis=3) - log_all[inside.sum(axis=3)] - classes * log_half[0] + log_all[0]
    return np.where(ahead, worth, -np.inf)
