"""How a numba kernel hands its arrays to a routine."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError


def parts_of(context: Any, builder: Any, kind: Any, value: Any) -> tuple[Any, Any]:
    """Where the elements of an array stand, and how many words a row of it takes; of a number itself."""
    if not isinstance(kind, types.Array):
        return value, None
    array = context.make_array(kind)(context, builder, value)
    pointer = builder.bitcast(array.data, ir.IntType(kind.dtype.bitwidth).as_pointer())
    return pointer, cgutils.unpack_tuple(builder, array.shape, kind.ndim)[-1]


def checked(*arrays: Any, bits: tuple[int, ...] = (64,)) -> None:
    """TypingError unless these are arrays of whole numbers without gaps."""
    for array in arrays:
        if not isinstance(array, types.Array) or array.layout != "C" or array.dtype.bitwidth not in bits:
            raise TypingError("counted are arrays without gaps, of numbers of as many bits as the kernels take")
