"""The compiled kernels, loaded on first use, and from when on searches and counts are worth them."""

from __future__ import annotations

import importlib
import math
from functools import cache
from types import ModuleType

_REPAYS = 100_000_000.0
"""Rows times candidate parents whose counts NumPy takes some two seconds for, at which compiling begins to pay."""

_work = 0.0


@cache
def kernels() -> ModuleType:
    """The kernels, loaded by name since numba is heavy: not before they are asked for."""
    return importlib.import_module("engine.counting.numba_kernels")


def worth_compiling(work: float) -> bool:
    """True where so much more work (rows times candidate parents) brings this process to where the compiler pays.

    Until then counts and walks are NumPy's, which finds the same: a small table does not wait for the compiler.
    """
    global _work
    _work += work
    return _work >= _REPAYS and kernels().COMPILED


def prepare_compiled() -> None:
    """Have counts and searches compiled from now on, however small: for what warms a machine up."""
    worth_compiling(math.inf)


def counter(work: float) -> ModuleType:
    """The counter of so much work: compiled, or `engine.counting.numpy_counter`."""
    return kernels() if worth_compiling(work) else importlib.import_module("engine.counting.numpy_counter")
