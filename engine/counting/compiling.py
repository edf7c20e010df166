"""The compiler of the kernels: where numba cannot be imported they run as plain Python, slow and right."""

from __future__ import annotations

from typing import Any

try:
    import numba
except ImportError:
    numba = None  # type: ignore[assignment]

COMPILED = numba is not None


def njit(**options: Any) -> Any:
    """Numba's compiler; without numba a function is left as it is."""
    return (lambda function: function) if numba is None else numba.njit(**options)
