"""All pairs of planes, for processors of every kind, against the twin."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.counting import numpy_pairs as twins
from tests.engine.counting.loops.made_for import kernels

__all__ = ["kernels"]


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 14),
    st.sampled_from([1, 2, 7, 8, 9, 31, 64, 65, 255, 256, 257, 700]),
    st.integers(0, 9999),
    st.data(),
)
def test_pairs_equal_the_twin(
    kernels: SimpleNamespace, planes: int, width: int, seed: int, draw: st.DataObject
) -> None:
    """Any stripe of planes and any words of them; an odd number of planes and of words as well."""
    rng = np.random.default_rng(seed)
    words = rng.integers(0, 1 << 63, (planes, width)).astype(np.uint64) * np.uint64(2) + np.uint64(1)
    first = draw.draw(st.integers(0, planes))
    last = draw.draw(st.integers(first, planes))
    begin = draw.draw(st.integers(0, width))
    end = draw.draw(st.integers(begin, width))
    before = rng.integers(0, 9, (last - first, planes))
    fast, slow = before.copy(), before.copy()
    kernels.plane_pairs(words, first, last, begin, end, fast)
    twins.plane_pairs(words, first, last, begin, end, slow)
    for i in range(last - first):
        assert fast[i, first + i :].tolist() == slow[i, first + i :].tolist()
