"""The compiler of kernels that are written once: where numba cannot be imported they run as plain Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _plain(**options: Any) -> Callable[[Any], Any]:
    """In place of numba's: it leaves a function as it is, slow and right."""
    return lambda function: function


def _compiler() -> Any:
    try:
        from numba import njit
    except ImportError:
        return _plain
    return njit


njit = _compiler()
