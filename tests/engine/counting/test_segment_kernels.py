"""Segments along a scale against the sum over all partitions, and their mean over all labels against all of them."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy.special import logsumexp

from engine.counting.differences import forms
from engine.counting.differences import segment_kernels as kernels
from engine.methods.group_difference.numbers.scales import tables
from tests.engine.methods.group_difference.numbers.plain_evidence import (
    cut_cells,
    enumerated_segments,
    mean_over_labels,
    partitions,
    worth,
)


def evidence(first: np.ndarray, second: np.ndarray) -> float:
    """Of the kernel."""
    room = np.empty((2, forms.MOST_CELLS + 1, forms.MOST_CELLS + 1))
    first, second = first.astype(np.int64), second.astype(np.int64)
    return float(kernels.segment_evidence(first, second, len(first), tables(int(first.sum() + second.sum())), room))


@pytest.mark.parametrize(
    ("rows", "cells", "share"),
    [(104, 8, 0.5), (500, 8, 0.5), (2000, 8, 0.02), (130, 12, 0.3), (120, 2, 0.5), (110, 3, 0.9)],
)
def test_large_blocks_equal_all_partitions_written_out(rows: int, cells: int, share: float) -> None:
    """Blocks of 104 rows and more: the mean over partitions into 2 to 8 segments over one segment."""
    rng = np.random.default_rng(rows)
    for tilt in (0.0, 0.6):
        sizes = rng.multinomial(rows, rng.dirichlet(np.full(cells, 2.0)))
        second = rng.binomial(sizes, np.clip(share + tilt * (np.arange(cells) == 1), 0, 1))
        assert evidence(sizes - second, second) == pytest.approx(enumerated_segments(sizes - second, second), abs=1e-10)


@pytest.mark.parametrize(
    ("sizes", "a"),
    [((2, 1, 1, 1, 1, 2, 1, 1), 5), ((2, 1, 2, 3, 1, 2, 1, 1), 2), ((5, 4, 6), 7), ((9, 9), 5), ((3, 3, 3, 2), 1)],
)
def test_small_blocks_are_divided_by_their_mean_over_all_labels(sizes: tuple[int, ...], a: int) -> None:
    """Every way to label the rows written out: the mean of the evidence is 1, and each is what partitions say."""
    totals = np.array(sizes)
    cell, logs, own = np.repeat(np.arange(len(totals)), totals), [], []
    weights: dict[tuple[int, ...], int] = {}
    for chosen in itertools.combinations(range(len(cell)), a):
        first = tuple(np.bincount(cell[list(chosen)], minlength=len(totals)).tolist())
        weights[first] = weights.get(first, 0) + 1
    ways = np.log(np.array(list(weights.values())) / math.comb(len(cell), a))
    for first in weights:
        logs.append(enumerated_segments(np.array(first), totals - np.array(first)))
        own.append(evidence(np.array(first), totals - np.array(first)))
    mean = logsumexp(np.array(logs) + ways)
    np.testing.assert_allclose(own, np.array(logs) - mean, atol=1e-10)
    assert logsumexp(np.array(own) + ways) == pytest.approx(0.0, abs=1e-10)
    assert math.log(mean_over_labels(totals, a)) == pytest.approx(mean, abs=1e-10), "as the other proofs have it"


@pytest.mark.parametrize("rows", [8, 23, 40, 59, 90, 102, 103])
def test_the_mean_over_labels_holds_to_the_last_row_before_it_is_left_out(rows: int) -> None:
    """Many cells and very unequal groups: Legendre sums against ways counted by polynomials."""
    rng = np.random.default_rng(rows)
    cells = min(8, rows // 4)
    for a in (1, 2, rows // 3, rows // 2, rows - 1):
        sizes = rng.multinomial(rows - cells, np.full(cells, 1 / cells)) + 1
        first = rng.multivariate_hypergeometric(sizes, a)
        expected = enumerated_segments(first, sizes - first) - math.log(mean_over_labels(sizes, a))
        assert evidence(first, sizes - first) == pytest.approx(expected, abs=1e-8)


def test_thousands_of_nats_do_not_overflow() -> None:
    """Groups that never meet: the sum in logarithms, as partitions written out have it."""
    first, second = np.array([4000, 0, 3000, 0, 2000, 0, 1, 5000]), np.array([0, 5000, 0, 3000, 10, 2500, 0, 0])
    expected = enumerated_segments(first, second)
    assert expected > 5000
    assert evidence(first, second) == pytest.approx(expected, rel=1e-12)


def test_a_group_without_rows_or_a_single_cell_says_nothing() -> None:
    """There is nothing to compare."""
    assert evidence(np.array([3, 4]), np.array([0, 0])) == 0.0
    assert evidence(np.array([30]), np.array([40])) == 0.0


@pytest.mark.parametrize("rows", [8, 40, 128, 500])
@pytest.mark.parametrize("decimals", [0, 1, 6])
def test_cells_keep_ties_together(rows: int, decimals: int) -> None:
    """One a distinct value where these are few, else about equally many rows, at most 32 and one for four rows."""
    values = np.sort(np.random.default_rng(rows).normal(size=rows).round(decimals))
    ends, most = np.empty(forms.MOST_CELLS, np.int64), min(forms.MOST_CELLS, rows // forms.ROWS_OF_A_CELL)
    cells = kernels.cell_ends(values, rows, most, ends)
    found = np.searchsorted(ends[:cells], np.arange(rows), side="right")
    np.testing.assert_array_equal(found, cut_cells(values))
    assert cells <= most


def test_where_along_the_scale_is_the_partitions_posterior() -> None:
    """P(the second group's share in a cell is above its share) averaged over all partitions, as these are weighed."""
    first, second = np.array([20, 18, 9, 11, 30, 28]), np.array([19, 22, 30, 25, 12, 30])
    share, higher, weights = second.sum() / (first + second).sum(), np.zeros(6), []
    parts = []
    for many in range(2, 7):
        for cut in partitions(6, many):
            weight = sum(worth(first[i:j].sum(), second[i:j].sum()) for i, j in cut)
            weights.append(weight - math.log(math.comb(5, many - 1)))
            parts.append(cut)
    for weight, cut in zip(np.exp(np.array(weights) - logsumexp(weights)), parts, strict=True):
        for i, j in cut:
            b, n = second[i:j].sum() + 0.5, (first + second)[i:j].sum() + 1.0
            z = (share - b / n) / math.sqrt(b / n * (1 - b / n) / (n + 1))
            higher[i:j] += weight * 0.5 * math.erfc(z / math.sqrt(2))
    found = np.empty(6)
    kernels.segment_shares(first, second, 6, tables(int((first + second).sum())), found)
    np.testing.assert_allclose(found, higher, atol=1e-10)
