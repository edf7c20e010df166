"""Bit planes against a walk over rows and levels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.data import planes as module
from engine.data.planes import build_planes


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from([0, 1, 7, 8, 9, 63, 64, 65, 200]),
    st.lists(st.integers(1, 5), max_size=9),
    st.sampled_from([np.uint8, np.uint16, np.uint32]),
    st.sampled_from([1, 100]),
    st.integers(0, 9999),
)
def test_every_plane_has_the_rows_of_its_level(rows: int, arity: list[int], kind: type, long: int, seed: int) -> None:
    """Packed together or one by one; what lies past the last row is zero."""
    levels = np.array(arity, dtype=np.int64)
    codes = np.random.default_rng(seed).integers(0, levels[:, None], (len(arity), rows)).astype(kind)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_LONG", long)
        patch.setattr(module, "_AT_ONCE", 3 * max(rows, 1))
        planes = build_planes(codes, levels)
    assert planes.n_rows == rows
    assert planes.words.shape == (sum(arity) - len(arity), max(1, -(-rows // 64)))
    bits = np.unpackbits(planes.words.view(np.uint8), axis=1, bitorder="little")
    assert not bits[:, rows:].any()
    for i, start in enumerate(planes.starts.tolist()):
        for level in range(arity[i] - 1):
            assert bits[start + level, :rows].tolist() == (codes[i] == level).astype(int).tolist()
