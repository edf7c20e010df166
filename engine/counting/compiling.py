"""The compiler of the kernels: where numba cannot be imported they run as plain Python, slow and right."""

from __future__ import annotations

from typing import Any

try:
    from numba import njit

    COMPILED = True
except ImportError:
    COMPILED = False

    def njit(**options: Any) -> Any:  # type: ignore[misc]
        """In place of numba's: it leaves a function as it is."""
        return lambda function: function
