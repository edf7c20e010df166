"""Counting against the memory: CPU time of the kernels beside that of a plain sum over the same bytes.

    python -m benchmarks.counting.bandwidth

What another processor would run is measured by naming it before numba is loaded, with kernels of its own:

    export NUMBA_CPU_NAME=haswell NUMBA_CPU_FEATURES=+popcnt NUMBA_CACHE_DIR=$(mktemp -d)
"""

from __future__ import annotations

from collections.abc import Callable

import numba
import numpy as np

from benchmarks.counting.clock import seconds
from engine.counting.backend import kernels
from engine.data.planes import Planes, build_planes


def drawn(arity: list[int], rows: int) -> tuple[np.ndarray, Planes]:
    """Codes drawn evenly, and their planes."""
    levels = np.array(arity)
    codes = np.random.default_rng(0).integers(0, levels[:, None], (len(arity), rows)).astype(np.uint8)
    return codes, build_planes(codes, levels)


def told(what: str, rows: int, counting: Callable[[], object], summing: Callable[[], object]) -> None:
    """Print one line."""
    ours, plain = (1e6 * seconds(one) for one in (counting, summing))
    print(f"{what:<58} {rows:>9,} {ours:>12,.2f} {plain:>10,.2f} {ours / plain:>8.2f}", flush=True)


def family(rows: int) -> None:
    """Three binary variables."""
    _, planes = drawn([2, 2, 2], rows)
    words, counts = planes.words, np.zeros((1, 8), dtype=np.int64)
    arguments = (words, planes.starts, planes.arity, np.arange(2), np.array([2]), rows, 0, words.shape[1], counts)
    told("family of three binary variables", rows, lambda: kernels().plane_additions(*arguments), words.sum)


def additions(rows: int, parents: int, levels: int) -> None:
    """Twenty candidates of three levels."""
    _, planes = drawn([levels] * (parents + 1) + [3] * 20, rows)
    words, candidates = planes.words, np.arange(parents + 1, parents + 21)
    tables = np.zeros((20, levels ** (parents + 1) * 3), dtype=np.int64)
    family = np.arange(parents + 1)
    arguments = (words, planes.starts, planes.arity, family, candidates, rows, 0, words.shape[1], tables)
    name = f"20 candidates, {parents} parents, {levels ** (parents + 1)} cells"
    told(name, rows, lambda: kernels().plane_additions(*arguments), words.sum)


def pairs(rows: int) -> None:
    """All pairs of 150 ternary variables."""
    _, planes = drawn([3] * 150, rows)
    words = planes.words
    counts = np.zeros((len(words), len(words)), dtype=np.int64)
    arguments = (words, 0, len(words), 0, words.shape[1], counts)
    told("all pairs of 150 ternary variables", rows, lambda: kernels().plane_pairs(*arguments), words.sum)


def histogram(rows: int) -> None:
    """Eleven candidates of three levels beside 512 cells."""
    codes, planes = drawn([3] * 11, rows)
    code = np.random.default_rng(1).integers(0, 512, rows).astype(np.uint32)
    tables = np.zeros((11, 512 * 3), dtype=np.int64)
    arguments = (code, codes, 0, planes.arity, np.arange(11), tables)
    told("11 candidates by histogram, 512 cells", rows, lambda: kernels().histogram_additions(*arguments), codes.sum)


def main() -> None:
    """Print the table."""
    print(numba.config.CPU_NAME or "this processor")
    print(f"{'CPU microseconds':<58} {'rows':>9} {'counting':>12} {'plain sum':>10} {'ratio':>8}")
    for rows in (20_000, 1_000_000):
        family(rows)
        for parents in range(4):
            additions(rows, parents, 2)
        additions(rows, 3, 3)
        histogram(rows)
    pairs(10_000)
    pairs(1_000_000)


if __name__ == "__main__":
    main()
