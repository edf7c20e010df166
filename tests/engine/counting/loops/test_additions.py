"""Counts of families and of all their additions, for processors of every kind, against the twins."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.counting import numba_kernels as compiled
from engine.counting import numpy_kernels as twins
from engine.data.planes import build_planes
from tests.engine.counting.loops.made_for import kernels

__all__ = ["kernels"]

ROWS = [1, 63, 64, 65, 127, 128, 129, 300, 511, 512, 513, 1000, 4097, 33_000]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(ROWS), st.lists(st.integers(1, 5), min_size=2, max_size=10), st.integers(0, 9999), st.data())
def test_additions_equal_the_twin(
    kernels: SimpleNamespace, rows: int, arity: list[int], seed: int, draw: st.DataObject
) -> None:
    """Any family and any candidates, any range of words, beside what is in the tables already; no child as well."""
    rng = np.random.default_rng(seed)
    levels = np.array(arity)
    planes = build_planes(rng.integers(0, levels[:, None], (len(arity), rows)).astype(np.uint8), levels)
    order = rng.permutation(len(arity))
    many = draw.draw(st.integers(0, min(3, len(arity) - 2)))
    child = int(order[0]) if draw.draw(st.booleans()) else -1
    parents, candidates = order[1 : many + 1].copy(), order[many + 1 :].copy()
    n_words = planes.words.shape[1]
    first = draw.draw(st.integers(0, n_words))
    last = draw.draw(st.integers(first, n_words))
    family = levels[parents].tolist() + ([arity[child]] if child >= 0 else [])
    before = rng.integers(0, 9, (len(candidates), int(np.prod(family, dtype=int)) * int(levels[candidates].max()) + 2))
    fast, slow = before.copy(), before.copy()
    rest = (candidates, rows, first, last)
    kernels.plane_additions(planes.words, planes.starts, levels, child, parents, *rest, fast)
    if child >= 0:
        twins.plane_additions(planes.words, planes.starts, levels, child, parents, *rest, slow)
    else:
        for m, x in enumerate(candidates):
            size = int(np.prod(family, dtype=int)) * arity[x]
            table = (planes.words, planes.starts, levels, int(x), parents, rows, first, last, slow[m, :size])
            twins.plane_family(*table)
    assert (fast == slow).all()


@pytest.mark.parametrize("rows", [512, 16_384, 16_385, 20_000, 40_000])
@pytest.mark.parametrize("part", ["all", "some"])
def test_three_binary_variables(kernels: SimpleNamespace, rows: int, part: str) -> None:
    """The loop of its own that they have gives what the twin gives."""
    rng = np.random.default_rng(rows)
    codes = (rng.random((3, rows)) < np.array([[0.2], [0.5], [0.9]])).astype(np.uint8)
    planes = build_planes(codes, np.array([2, 2, 2]))
    n_words = planes.words.shape[1]
    first, last = (0, n_words) if part == "all" else (n_words // 7, n_words - n_words // 5)
    if last - first < 8:
        first, last = 0, n_words
    fast, slow = np.arange(8), np.arange(8)
    parents = np.array([2, 0])
    starts = planes.starts
    kernels.plane_three(planes.words, planes.shown, starts[2], starts[0], starts[1], rows, first, last, fast)
    whole = (first, last) == (0, n_words)
    assert planes.shown.tolist() == [int(np.bitwise_count(plane).sum()) if whole else -1 for plane in planes.words]
    kernels.plane_three(planes.words, planes.shown, starts[2], starts[0], starts[1], rows, first, last, fast)
    fast -= (fast - np.arange(8)) // 2  # twice the same
    twins.plane_family(planes.words, starts, planes.arity, 1, parents, rows, first, last, slow)
    again = np.arange(8)
    compiled.plane_family(planes.words, starts, planes.arity, 1, parents, rows, first, last, again)
    assert fast.tolist() == slow.tolist() == again.tolist()


@pytest.mark.parametrize("rows", [512, 16_384, 16_385, 20_001])
def test_rows_of_a_plane_are_counted_once(kernels: SimpleNamespace, rows: int) -> None:
    """Looked up where they were noted; some words of a plane are neither noted nor looked up."""
    planes = build_planes(np.random.default_rng(rows).integers(0, 3, (2, rows)).astype(np.uint8), np.array([3, 3]))
    words, shown, width = planes.words, planes.shown, planes.words.shape[1]
    each = np.bitwise_count(words).sum(axis=1, dtype=np.int64).tolist()
    empty = np.zeros(0, np.int64)
    assert [kernels.plane_rows(words, empty, plane, 0, width) for plane in range(4)] == each
    assert shown.tolist() == [-1] * 4
    assert kernels.plane_rows(words, shown, 2, 0, width) == each[2]
    assert shown.tolist() == [-1, -1, each[2], -1]
    shown[2] = 7
    assert kernels.plane_rows(words, shown, 2, 0, width) == 7
    if width > 8:
        assert kernels.plane_rows(words, shown, 2, 0, width - 1) == np.bitwise_count(words[2, :-1]).sum()


@pytest.mark.parametrize("parents", [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4)])
def test_families_equal_the_twin_at_every_size(parents: tuple[int, ...]) -> None:
    """As the program asks for them: whole columns of any length."""
    rng = np.random.default_rng(len(parents))
    arity = np.array([3, 2, 4, 2, 3])
    for rows in ROWS:
        planes = build_planes(rng.integers(0, arity[:, None], (5, rows)).astype(np.uint8), arity)
        size = 3 * int(np.prod(arity[list(parents)], dtype=int))
        fast, slow = np.zeros(size, np.int64), np.zeros(size, np.int64)
        for module, out in ((compiled, fast), (twins, slow)):
            which = np.array(parents, dtype=np.int64)
            module.plane_family(planes.words, planes.starts, arity, 0, which, rows, 0, planes.words.shape[1], out)
        assert fast.tolist() == slow.tolist()
        assert fast.sum() == rows
