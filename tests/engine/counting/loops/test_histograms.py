"""Histograms of several candidates at once, for processors of every kind, against the twin."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.counting import numpy_kernels as twins
from tests.engine.counting.loops.made_for import kernels

__all__ = ["kernels"]


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([1, 2, 15, 2047, 2048, 2049, 5000, 40_000]),
    st.lists(st.integers(1, 6), max_size=9),
    st.sampled_from([1, 3, 64, 300, 1000, 5000]),
    st.sampled_from([np.uint8, np.uint16, np.uint32]),
    st.integers(0, 9999),
)
def test_histograms_equal_the_twin(
    kernels: SimpleNamespace, rows: int, arity: list[int], cells: int, kind: type, seed: int
) -> None:
    """Few rows and many, few cells and many, candidates of mixed levels in any order, rows from the middle on."""
    rng = np.random.default_rng(seed)
    levels = np.array(arity, dtype=np.int64)
    first = int(rng.integers(0, 9))
    codes = rng.integers(0, levels[:, None], (len(arity), first + rows)).astype(kind)
    code = (rng.random(rows) ** rng.integers(1, 6) * cells).astype(np.uint32)
    candidates = rng.permutation(len(arity))
    before = rng.integers(0, 9, (len(candidates), cells * max(arity, default=1) + 1))
    fast, slow = before.copy(), before.copy()
    kernels.histogram_additions(code, codes, first, levels, candidates, fast)
    twins.histogram_additions(code, codes, first, levels, candidates, slow)
    assert (fast == slow).all()


@pytest.mark.parametrize("rows", [0, 100])
def test_nothing_to_count(kernels: SimpleNamespace, rows: int) -> None:
    """No rows or no candidates are no error."""
    codes, levels = np.zeros((2, 100), np.uint8), np.array([2, 2])
    tables = np.zeros((2, 4), dtype=np.int64)
    kernels.histogram_additions(np.zeros(rows, np.uint32), codes, 0, levels, np.arange(0 if rows else 2), tables)
    assert not tables.any()
