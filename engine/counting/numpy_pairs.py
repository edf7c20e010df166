"""The functions of `engine.counting.numba_pairs` in plain NumPy."""

from __future__ import annotations

import numpy as np


def plane_pairs(words: np.ndarray, first: int, last: int, begin: int, end: int, counts: np.ndarray) -> None:
    for i in range(first, last):
        both = words[i, begin:end] & words[first:, begin:end]
        counts[i - first, first:] += np.bitwise_count(both).sum(axis=1, dtype=np.int64)


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


def table_information(
    tables: np.ndarray, members: np.ndarray, q: int, r: int, s: int, weights: np.ndarray, out: np.ndarray
) -> None:
    for m, member in enumerate(members):
        table = tables[member, : q * r * s].reshape(q, r, s)
        parts = (table, table.sum(axis=(1, 2)), table.sum(axis=2), table.sum(axis=1))
        joint, alone, first, second = (float(weights[part].sum()) for part in parts)
        out[m] = joint + alone - first - second
