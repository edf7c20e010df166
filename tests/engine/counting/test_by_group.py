"""Counts by group of rows: a matrix product and a kernel against walks over observations."""

from __future__ import annotations

import numpy as np
import pytest

from engine.counting import numba_kernels
from engine.counting.by_group import Slices, addition_counts, family_counts, pair_counts
from tests.engine.counting import slow_kernels

ARITY = np.array([2, 3, 4, 1])


def slices(rows: int = 60, seed: int = 0, *, plain: bool = False) -> Slices:
    """Random codes of four variables."""
    rng = np.random.default_rng(seed)
    before, after = (np.array([rng.integers(0, r, rows) for r in ARITY], dtype=np.uint8) for _ in range(2))
    return Slices(before, before if plain else after, ARITY)


@pytest.mark.parametrize("plain", [True, False])
def test_all_pairs_are_those_of_a_walk(plain: bool) -> None:
    """Every cell of every pair, group by group."""
    found, group = slices(plain=plain), np.sort(np.random.default_rng(1).integers(0, 3, 60))
    counts = pair_counts(found, group, 3)
    slow = np.zeros_like(counts)
    for t in range(60):
        for x in range(4):
            for i in range(4):
                slow[group[t], found.starts[x] + found.before[x, t], found.starts[i] + found.after[i, t]] += 1
    assert np.array_equal(counts, slow)


@pytest.mark.parametrize("parents", [(), (1,), (0, 2)])
def test_additions_are_those_of_families(parents: tuple[int, ...]) -> None:
    """One pass over all candidates, and each family by itself; what has no group is left out."""
    found, group = slices(), np.random.default_rng(2).integers(-1, 2, 60)
    counts = addition_counts(found, 2, parents, group, 2)
    for x in range(4):
        alone, cell = family_counts(found, 2, (*parents, x), group, 2)
        block = counts[:, :, found.starts[x] : found.starts[x + 1]]
        assert np.array_equal(block.reshape(alone.shape), alone)
        assert alone.sum() == (group >= 0).sum()
        assert np.array_equal(np.bincount(cell[group == 1], minlength=alone[1].size), alone[1].ravel())


def test_the_kernel_and_its_twin_agree() -> None:
    """Bit for bit."""
    found, group = slices(), np.random.default_rng(3).integers(-1, 3, 60)
    config, many = found.codes((1,))
    counts = np.zeros((2, 3, many, 10, 4))
    for which, kernels in enumerate((numba_kernels, slow_kernels)):
        kernels.count_additions_by_group(found.before, found.after[2], config, group, found.starts, counts[which])
    assert np.array_equal(counts[0], counts[1])
    assert counts[0].sum() == 4 * (group >= 0).sum()
