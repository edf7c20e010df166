"""The number of bits set in a 64-bit word, as one instruction of the processor."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic


@intrinsic
def _popcount(_typing_context, word):  # type: ignore[no-untyped-def]
    """How many bits of a uint64 are set."""

    def generate(_context, builder, _signature, arguments):  # type: ignore[no-untyped-def]
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


popcount: Any = _popcount  # its type is for the compiler, not for the reader
