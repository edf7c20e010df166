"""Kernels compiled for a processor that is named, whatever this one is."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from numba import njit

from engine.counting import numba_kernels, numba_pairs
from engine.counting.loops import additions, histograms, pairs
from engine.counting.loops.code import Processor

PROCESSORS = [
    Processor(2, counts=True, ternary=False),
    Processor(2, counts=False, ternary=False),
    Processor(4, counts=False, ternary=False),
    Processor(8, counts=False, ternary=False),
    Processor(8, counts=True, ternary=False),
]
"""Vectors of every width, with adders and without; the compiler cuts what this machine does not have."""


@pytest.fixture(params=PROCESSORS, scope="module", ids=str)
def kernels(request: pytest.FixtureRequest) -> Iterator[SimpleNamespace]:
    """The kernels that write their own loops, compiled anew for one processor and kept nowhere."""
    fresh = SimpleNamespace()
    with pytest.MonkeyPatch.context() as patch:
        for module in (additions, histograms, pairs):
            patch.setattr(module, "processor", lambda *_: request.param)
        for module, name in (
            (numba_kernels, "plane_additions"),
            (numba_kernels, "plane_rows"),
            (numba_kernels, "plane_three"),
            (numba_kernels, "histogram_additions"),
            (numba_pairs, "plane_pairs"),
        ):
            setattr(fresh, name, njit(error_model="numpy")(getattr(module, name).py_func))
        yield fresh
