"""Greedy search over DAGs in compiled code, and the question whether that code is there.

Compiling it takes seconds, once for a machine. The first small networks of a machine do not wait for it: they are found
by `engine.search.moves`, which says the same readably, to the same bits.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from engine.counting.backend import kernels

_AT_ONCE = 300 * 300
"""Pairs of variables from which the readable way would take longer than the compiler."""
_PATIENCE = 2.0
"""Seconds that a process may spend in the readable way before it compiles."""

_spent = 0.0
_module: ModuleType | None = None
_missing = False


def compiled(variables: int) -> ModuleType | None:
    """The compiled search; None where there is no compiler, or where waiting for it does not pay yet.

    Parameters
    ----------
    variables : of the search at hand

    Returns
    -------
    `engine.counting.climbing.run`, or None
    """
    global _module, _missing
    if _module is None and not _missing:
        try:
            kernels()  # before anything is loaded from disk, it removes what was compiled of older sources
            module = importlib.import_module("engine.counting.climbing.run")
        except ImportError:
            _missing = True
            return None
        if variables**2 < _AT_ONCE and _spent < _PATIENCE and not _on_disk(module.run):
            return None
        _module = module
    return _module


def spend(seconds: float) -> None:
    """Say how long a search took in the readable way.

    Parameters
    ----------
    seconds : of the processor
    """
    global _spent
    _spent += seconds


def prepare() -> None:
    """Have the search compiled from now on, however small: for what warms a machine up."""
    spend(_PATIENCE)


def _on_disk(kernel: Any) -> bool:
    """Whether numba keeps the machine code of a kernel for this processor; it has no public word for that."""
    try:
        cache = kernel._cache
        mine = cache._index_key((), kernel.targetctx.codegen())
        return any(key[1:] == mine[1:] for key in cache._cache_file._load_index())
    except Exception:  # another numba: compile when it pays
        return False
