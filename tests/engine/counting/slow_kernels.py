"""Slow and plain twins of the kernels that score and inform, in NumPy: what the tests hold those against.

`engine.counting.numpy_counter` is the twin of those that count.
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammaln

from engine.counting.numpy_counter import table_information

__all__ = ["table_information"]  # with everything below


def lgamma_rise(start: float, out: np.ndarray) -> None:
    out[:] = gammaln(start + np.arange(len(out))) - gammaln(start)


def dirichlet_additions(
    tables: np.ndarray,
    members: np.ndarray,
    s: int,
    q: int,
    r: int,
    alpha: float,
    cells: np.ndarray,
    rows: np.ndarray,
    scores: np.ndarray,
) -> None:
    for m in members:
        table = tables[m, : q * r * s].reshape(q, r, s).transpose(0, 2, 1).reshape(q * s, r)
        scores[m] = dirichlet_family(table, alpha)


def dirichlet_family(counts: np.ndarray, alpha: float) -> float:
    totals = counts.sum(axis=1)
    counts, totals = counts[totals > 0], totals[totals > 0]
    row = counts.shape[1] * alpha
    cells = (gammaln(alpha + counts) - gammaln(alpha)).sum()
    return float(cells + (gammaln(row) - gammaln(row + totals)).sum())


def dirichlet_row(counts: np.ndarray, alpha: float) -> float:
    total = counts.sum()
    if not total:
        return 0.0
    share = alpha / len(counts)
    seen = counts[counts > 0]
    cells = (gammaln(share + seen) - gammaln(share)).sum()
    return float(cells + gammaln(alpha) - gammaln(alpha + total))


def dirichlet_rows(counts: np.ndarray, alpha: float, out: np.ndarray) -> None:
    out[:] = [dirichlet_row(row, alpha) for row in counts]


def subset_gains(
    configurations: np.ndarray,
    counts: np.ndarray,
    scores: np.ndarray,
    values: np.ndarray,
    alphas: np.ndarray,
    gains: np.ndarray,
    cases: np.ndarray,
) -> None:
    m = configurations.shape[1]
    agree = ((configurations == values) @ (1 << np.arange(m))).astype(np.int64)
    for subset in range(len(gains)):
        inside = agree & subset == subset
        cases[subset] = counts[inside].sum(axis=0)
        gains[subset] = dirichlet_row(cases[subset], alphas[subset]) - scores[inside].sum()


def matched_additions(
    rows: np.ndarray, match: np.ndarray, cell: np.ndarray, candidates: np.ndarray, out: np.ndarray
) -> None:
    for c, x in enumerate(candidates):
        out[c] = np.bincount(cell[rows[match[x, rows] > 0]], minlength=out.shape[1])


def instance_scores(
    matched: np.ndarray,
    counts: np.ndarray,
    agrees: np.ndarray,
    shared: np.ndarray,
    agreeing: np.ndarray,
    other: float,
    out: np.ndarray,
) -> None:
    for c, own in enumerate(matched):
        left = [
            dirichlet_row(n, agreeing[c] if same else other) for n, same in zip(counts - own, agrees[c], strict=True)
        ]
        out[c] = dirichlet_row(own.sum(axis=0), shared[c]) + sum(left)


def pair_information(
    a: int,
    counts: np.ndarray,
    row: int,
    starts: np.ndarray,
    arity: np.ndarray,
    margins: np.ndarray,
    offsets: np.ndarray,
    weights: np.ndarray,
    total: int,
    out: np.ndarray,
) -> None:
    r = int(arity[a])
    lines = margins[offsets[a] : offsets[a] + r]
    for b in range(a + 1, len(arity)):
        s = int(arity[b])
        columns = margins[offsets[b] : offsets[b] + s]
        table = np.zeros((r, s), dtype=np.int64)
        table[:-1, :-1] = counts[row : row + r - 1, starts[b] : starts[b] + s - 1]
        table[:-1, -1] = lines[:-1] - table[:-1, :-1].sum(axis=1)
        table[-1] = columns - table[:-1].sum(axis=0)
        out[b] = weights[table].sum() + weights[total] - weights[lines].sum() - weights[columns].sum()


def count_additions_by_group(
    before: np.ndarray,
    after: np.ndarray,
    config: np.ndarray,
    group: np.ndarray,
    starts: np.ndarray,
    counts: np.ndarray,
) -> None:
    """See the kernel of this name."""
    inside = group >= 0
    for x in range(len(before)):
        np.add.at(counts, (group[inside], config[inside], starts[x] + before[x, inside], after[inside]), 1)
