"""The kernels of `engine.counting.numba_kernels` in plain NumPy: same names, same arguments, same numbers."""

from __future__ import annotations

import numpy as np

from engine.counting.box_kernels import box_probabilities
from engine.counting.gaussian_kernels import gaussian_additions, gaussian_local, gaussian_many, partial_correlations
from engine.counting.group_family_kernels import (
    cluster_families,
    cluster_spread,
    group_families,
    mixed_families,
    pair_effects,
)
from engine.counting.latent_kernels import sweep_rows
from engine.counting.links.odds_ratio_kernels import odds_ratios
from engine.counting.links.separator_kernels import add_separators
from engine.counting.numpy_groups import count_additions_by_group
from engine.counting.numpy_pairs import pair_information, plane_pairs, table_information
from engine.counting.order_kernels import order_walk
from engine.counting.order_sum_kernels import log_of, order_sums, order_weights, subset_sums, weigh_orders

__all__ = [
    "add_separators",
    "box_probabilities",
    "cluster_families",
    "cluster_spread",
    "count_additions_by_group",
    "gaussian_additions",
    "gaussian_local",
    "gaussian_many",
    "group_families",
    "log_of",
    "mixed_families",
    "odds_ratios",
    "order_sums",
    "order_walk",
    "order_weights",
    "pair_effects",
    "pair_information",
    "partial_correlations",
    "plane_pairs",
    "subset_sums",
    "sweep_rows",
    "table_information",
    "weigh_orders",
]  # with everything below, what `kernels()` gives


def _all_rows(words: np.ndarray, n_rows: int) -> np.ndarray:
    bits = np.zeros(words.shape[1] * 64, dtype=np.uint8)
    bits[:n_rows] = 1
    return np.packbits(bits, bitorder="little").view("<u8")


def _levels(words: np.ndarray, start: int, levels: int, everything: np.ndarray) -> np.ndarray:
    """(levels, W) planes of one variable, its last one included."""
    given = words[start : start + levels - 1]
    last = everything & ~np.bitwise_or.reduce(given, axis=0) if levels > 1 else everything
    return np.vstack([given, last])


def _cell_planes(
    words: np.ndarray, starts: np.ndarray, arity: np.ndarray, child: int, parents: np.ndarray, n_rows: int
) -> np.ndarray:
    everything = _all_rows(words, n_rows)
    planes = everything[None, :]
    for x in [*parents, child]:
        split = _levels(words, int(starts[x]), int(arity[x]), everything)
        planes = (planes[:, None, :] & split[None, :, :]).reshape(-1, words.shape[1])
    return planes


def plane_family(
    words: np.ndarray,
    starts: np.ndarray,
    arity: np.ndarray,
    child: int,
    parents: np.ndarray,
    n_rows: int,
    first: int,
    last: int,
    counts: np.ndarray,
    shown: np.ndarray | None = None,
) -> None:
    planes = _cell_planes(words, starts, arity, child, parents, n_rows)[:, first:last]
    counts += np.bitwise_count(planes).sum(axis=1, dtype=np.int64)


def plane_additions(
    words: np.ndarray,
    starts: np.ndarray,
    arity: np.ndarray,
    child: int,
    parents: np.ndarray,
    candidates: np.ndarray,
    n_rows: int,
    first: int,
    last: int,
    tables: np.ndarray,
) -> None:
    planes = _cell_planes(words, starts, arity, child, parents, n_rows)[:, first:last]
    everything = _all_rows(words, n_rows)
    for m, x in enumerate(candidates):
        for level, plane in enumerate(_levels(words, int(starts[x]), int(arity[x]), everything)):
            counted = np.bitwise_count(planes & plane[first:last]).sum(axis=1, dtype=np.int64)
            tables[m, level : len(planes) * arity[x] : arity[x]] += counted


def histogram_additions(
    code: np.ndarray, codes: np.ndarray, first: int, arity: np.ndarray, candidates: np.ndarray, tables: np.ndarray
) -> None:
    for m, x in enumerate(candidates):
        both = code.astype(np.int64) * int(arity[x]) + codes[x, first : first + len(code)]
        tables[m] += np.bincount(both, minlength=tables.shape[1])


def mixed_radix(codes: np.ndarray, arity: np.ndarray, variables: np.ndarray, first: int, out: np.ndarray) -> None:
    out[:] = 0
    for x in variables:
        out *= np.uint32(arity[x])
        out += codes[x, first : first + len(out)]


def histogram_family(
    codes: np.ndarray, arity: np.ndarray, family: np.ndarray, first: int, last: int, counts: np.ndarray
) -> None:
    code = np.zeros(last - first, dtype=np.uint32)
    mixed_radix(codes, arity, family, first, code)
    counts += np.bincount(code, minlength=len(counts))


def lgamma_rise(start: float, out: np.ndarray) -> None:
    from scipy.special import gammaln

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
    from scipy.special import gammaln

    totals = counts.sum(axis=1)
    counts, totals = counts[totals > 0], totals[totals > 0]
    row = counts.shape[1] * alpha
    cells = (gammaln(alpha + counts) - gammaln(alpha)).sum()
    return float(cells + (gammaln(row) - gammaln(row + totals)).sum())


def dirichlet_row(counts: np.ndarray, alpha: float) -> float:
    from scipy.special import gammaln

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
