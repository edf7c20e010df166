"""Bit planes against histograms: microseconds a candidate parent, by the cells of the family it would join.

    python -m benchmarks.counting_ways

The limit `engine.counting.MOST_PLANE_CELLS` stands where one overtakes the other.
"""

from __future__ import annotations

import statistics
import time

import numpy as np

import engine
from benchmarks.tables import dataset
from engine import counting

CANDIDATES = 20
MOST_PARENTS = 9


def seconds(data: engine.Dataset, parents: int, limit: int) -> float:
    """Median CPU seconds of counting all additions to a child with so many binary parents."""
    before, counting.MOST_PLANE_CELLS = counting.MOST_PLANE_CELLS, limit
    candidates = np.arange(MOST_PARENTS + 1, MOST_PARENTS + 1 + CANDIDATES)
    taken = []
    try:
        for _ in range(7):
            start = time.process_time()
            counting.addition_counts(data, 0, tuple(range(1, parents + 1)), candidates)
            taken.append(time.process_time() - start)
    finally:
        counting.MOST_PLANE_CELLS = before
    return statistics.median(taken)


def main() -> None:
    """Print the table: binary child and parents, candidates of three levels."""
    print("rows      cells  planes us  histogram us")
    for rows in (2_000, 20_000, 100_000, 1_000_000):
        arity = np.array([2] * (MOST_PARENTS + 1) + [3] * CANDIDATES)
        codes = np.random.default_rng(0).integers(0, arity[:, None], (len(arity), rows))
        data = dataset(codes, arity)
        seconds(data, 0, 1 << 20), seconds(data, 0, 0)  # planes built, kernels compiled
        for parents in range(MOST_PARENTS + 1):
            planes, histogram = (seconds(data, parents, limit) / CANDIDATES * 1e6 for limit in (1 << 20, 0))
            print(f"{rows:<9} {2 ** (parents + 1):<6} {planes:9.2f}  {histogram:12.2f}", flush=True)


if __name__ == "__main__":
    main()
