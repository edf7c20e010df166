"""Counting in plain NumPy: what serves until the kernels are worth compiling, and what the tests hold them against."""

from __future__ import annotations

import numpy as np


def plane_additions(
    words: np.ndarray,
    starts: np.ndarray,
    arity: np.ndarray,
    family: np.ndarray,
    candidates: np.ndarray,
    n_rows: int,
    first: int,
    last: int,
    tables: np.ndarray,
) -> None:
    """Add to `tables[m]` the (cells, s) counts of a family with candidate m in the words `first` to `last`."""
    every = np.packbits(np.arange(words.shape[1] * 64) < n_rows, bitorder="little").view("<u8")[first:last]

    def levels_of(x: int) -> np.ndarray:
        """(levels, width) planes of a variable, its last one included."""
        stored = words[starts[x] : starts[x] + arity[x] - 1, first:last]
        return np.vstack([stored, every & ~np.bitwise_or.reduce(stored, axis=0)[None]])

    cells = every[None]
    for x in family:
        cells = (cells[:, None] & levels_of(x)[None]).reshape(-1, len(every))
    for table, x in zip(tables, candidates, strict=True):
        for level, plane in enumerate(levels_of(x)):
            shared = np.bitwise_count(cells & plane).sum(axis=1, dtype=np.int64)
            table[level : len(cells) * arity[x] : arity[x]] += shared


def plane_pairs(words: np.ndarray, first: int, last: int, begin: int, end: int, counts: np.ndarray) -> None:
    """Add to `counts` how many rows planes `first` to `last` share with every later one, in some words."""
    for i in range(first, last):
        both = words[i, begin:end] & words[i:, begin:end]
        counts[i - first, i:] += np.bitwise_count(both).sum(axis=1, dtype=np.int64)


def histogram_additions(
    code: np.ndarray, codes: np.ndarray, first: int, arity: np.ndarray, candidates: np.ndarray, tables: np.ndarray
) -> None:
    """Add the same counts from a ready code (configuration * r + child level) of the rows from `first` on."""
    for table, x in zip(tables, candidates, strict=True):
        both = code.astype(np.int64) * int(arity[x]) + codes[x, first : first + len(code)]
        table += np.bincount(both, minlength=len(table))


def mixed_radix(codes: np.ndarray, arity: np.ndarray, variables: np.ndarray, first: int, out: np.ndarray) -> None:
    """Write the mixed-radix code of some variables, the first changing slowest, for the rows from `first` on."""
    out[:] = 0
    for x in variables:
        out *= np.uint32(arity[x])
        out += codes[x, first : first + len(out)]


def histogram_family(
    codes: np.ndarray, arity: np.ndarray, family: np.ndarray, first: int, last: int, counts: np.ndarray
) -> None:
    """Add the counts of one family in the rows `first` to `last`."""
    code = np.zeros(last - first, dtype=np.uint32)
    mixed_radix(codes, arity, family, first, code)
    counts += np.bincount(code, minlength=len(counts))


def table_information(
    tables: np.ndarray, members: np.ndarray, q: int, r: int, s: int, weights: np.ndarray, out: np.ndarray
) -> None:
    """The kernel of this name, for weights that are worked out without a table."""
    for m, member in enumerate(members):
        table = tables[member, : q * r * s].reshape(q, r, s)
        parts = (table, table.sum(axis=(1, 2)), table.sum(axis=2), table.sum(axis=1))
        joint, alone, first, second = (float(weights[part].sum()) for part in parts)
        out[m] = joint + alone - first - second


def plane_sets(
    words: np.ndarray,
    starts: np.ndarray,
    arity: np.ndarray,
    members: np.ndarray,
    sizes: np.ndarray,
    begins: np.ndarray,
    first: int,
    last: int,
    counts: np.ndarray,
) -> None:
    """Add how many rows have each combination of levels but the last of each set of variables."""
    for variables, size, begin in zip(members.tolist(), sizes.tolist(), begins.tolist(), strict=True):
        cells = np.full((1, last - first), 2**64 - 1, dtype=np.uint64)
        for x in variables[:size]:
            planes = words[starts[x] : starts[x] + arity[x] - 1, first:last]
            cells = (cells[:, None] & planes[None]).reshape(len(cells) * len(planes), last - first)
        counts[begin : begin + len(cells)] += np.bitwise_count(cells).sum(axis=1, dtype=np.int64)


def compress_planes(words: np.ndarray, which: np.ndarray, mask: np.ndarray, first: int, out: np.ndarray) -> None:
    """Write to `out` the rows of some planes that a mask has, side by side."""
    flags = np.unpackbits(mask.view(np.uint8), bitorder="little").astype(bool)
    for plane, target in zip(which, out, strict=True):
        own = np.ascontiguousarray(words[plane, first : first + len(mask)])
        packed = np.packbits(np.unpackbits(own.view(np.uint8), bitorder="little")[flags], bitorder="little")
        target.view(np.uint8)[: len(packed)] = packed
