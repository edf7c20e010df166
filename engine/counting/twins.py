"""The kernels of `engine.counting.compiled` in plain NumPy: same names, same arguments, same numbers."""

from __future__ import annotations

import numpy as np


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
    counts: np.ndarray,
) -> None:
    planes = _cell_planes(words, starts, arity, child, parents, n_rows)
    counts += np.bitwise_count(planes).sum(axis=1, dtype=np.int64)


def plane_additions(
    words: np.ndarray,
    starts: np.ndarray,
    arity: np.ndarray,
    child: int,
    parents: np.ndarray,
    candidates: np.ndarray,
    n_rows: int,
    tables: np.ndarray,
) -> None:
    planes = _cell_planes(words, starts, arity, child, parents, n_rows)
    everything = _all_rows(words, n_rows)
    for m, x in enumerate(candidates):
        for level, plane in enumerate(_levels(words, int(starts[x]), int(arity[x]), everything)):
            counted = np.bitwise_count(planes & plane).sum(axis=1, dtype=np.int64)
            tables[m, level : len(planes) * arity[x] : arity[x]] += counted


def histogram_additions(
    code: np.ndarray, codes: np.ndarray, arity: np.ndarray, candidates: np.ndarray, tables: np.ndarray
) -> None:
    for m, x in enumerate(candidates):
        both = code.astype(np.int64) * int(arity[x]) + codes[x]
        tables[m] += np.bincount(both, minlength=tables.shape[1])


def mixed_radix(codes: np.ndarray, arity: np.ndarray, variables: np.ndarray, first: int, out: np.ndarray) -> None:
    out[:] = 0
    for x in variables:
        out *= np.uint32(arity[x])
        out += codes[x, first : first + len(out)]


def histogram_family(codes: np.ndarray, arity: np.ndarray, family: np.ndarray, counts: np.ndarray) -> None:
    code = np.zeros(codes.shape[1], dtype=np.uint32)
    mixed_radix(codes, arity, family, 0, code)
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
