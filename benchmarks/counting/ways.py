"""Bit planes against histograms: microseconds a candidate parent, by the cells of the family it would join.

    python -m benchmarks.counting.ways

The limit `engine.counting.MOST_PLANE_CELLS` stands where one overtakes the other.
"""

from __future__ import annotations

import numpy as np

from benchmarks.counting.clock import seconds
from engine.counting.backend import kernels
from engine.data.planes import Planes, build_planes

CANDIDATES = 20
MOST_PARENTS = 9


def by_planes(planes: Planes, parents: int) -> float:
    """CPU seconds a candidate, from bit planes."""
    candidates = np.arange(MOST_PARENTS + 1, MOST_PARENTS + 1 + CANDIDATES)
    tables = np.zeros((CANDIDATES, 3 << (parents + 1)), dtype=np.int64)
    family = np.arange(parents + 1)
    words = planes.words
    taken = seconds(
        lambda: kernels().plane_additions(
            words, planes.starts, planes.arity, family, candidates, planes.n_rows, 0, words.shape[1], tables
        )
    )
    return taken / CANDIDATES


def by_histogram(codes: np.ndarray, arity: np.ndarray, parents: int) -> float:
    """CPU seconds a candidate, from the codes of all rows."""
    candidates = np.arange(MOST_PARENTS + 1, MOST_PARENTS + 1 + CANDIDATES)
    tables = np.zeros((CANDIDATES, 3 << (parents + 1)), dtype=np.int64)
    code = np.empty(codes.shape[1], dtype=np.uint32)

    def count() -> None:
        kernels().mixed_radix(codes, arity, np.arange(parents + 1), 0, code)
        kernels().histogram_additions(code, codes, 0, arity, candidates, tables)

    return seconds(count) / CANDIDATES


def main() -> None:
    """Print the table: binary child and parents, candidates of three levels."""
    print("rows      cells  planes us  histogram us")
    for rows in (2_000, 20_000, 100_000, 1_000_000):
        arity = np.array([2] * (MOST_PARENTS + 1) + [3] * CANDIDATES)
        codes = np.random.default_rng(0).integers(0, arity[:, None], (len(arity), rows)).astype(np.uint8)
        planes = build_planes(codes, arity)
        for parents in range(MOST_PARENTS + 1):
            found = (1e6 * by_planes(planes, parents), 1e6 * by_histogram(codes, arity, parents))
            print(f"{rows:<9} {2 ** (parents + 1):<6} {found[0]:9.2f}  {found[1]:12.2f}", flush=True)


if __name__ == "__main__":
    main()
