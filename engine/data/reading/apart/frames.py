"""A pandas table as messages, a column each, and the table back to the last type.

Numbers, codes and flags travel as they lie in memory, since a table may have millions of them; all else as an arrow
stream.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

_HEAD = struct.Struct("<Q")
_ALIGN = 64
NUMBERS, MASKED, FLAGS, WORDS, OTHER = "numbers", "masked", "flags", "words", "other"


def column_parts(series: pd.Series) -> Iterator[Any]:
    """A column as the buffers of one message: a head in JSON that says what follows, then that."""
    import pandas as pd

    dtype = series.dtype
    told: dict[str, Any] = {"kind": OTHER, "ordered": False}
    parts: list[np.ndarray]
    if isinstance(dtype, pd.CategoricalDtype):
        told = {"kind": WORDS, "ordered": bool(dtype.ordered)}
        parts = [series.cat.codes.to_numpy(), _stream(pd.Series(dtype.categories))]
    elif isinstance(dtype, np.dtype) and dtype.kind == "f":
        told["kind"], parts = NUMBERS, [series.to_numpy()]
    elif pd.api.types.is_extension_array_dtype(dtype) and dtype.kind in "iub":
        told["kind"], parts = (FLAGS if dtype.kind == "b" else MASKED), [series.array._data, series.array._mask]
    else:
        parts = [_stream(series)]
    plain = [
        np.ascontiguousarray(one) if isinstance(one, np.ndarray) else np.frombuffer(one, np.uint8) for one in parts
    ]
    told["buffers"] = [[one.dtype.str, len(one)] for one in plain]
    head = json.dumps(told).encode()
    yield _padded(_HEAD.pack(len(head)) + head)
    for one in plain:
        yield one.view(np.uint8).data
        yield b"\0" * (-one.nbytes % _ALIGN)


def column_of(content: np.ndarray) -> pd.Series:
    """The column that `column_parts` wrote; checked whole, since the reader may have been led astray."""
    import pandas as pd

    told, parts = _parts(content)
    if told["kind"] == NUMBERS:
        return pd.Series(_typed(parts[0], "f"), copy=False)
    if told["kind"] == MASKED:
        return pd.Series(pd.arrays.IntegerArray(_typed(parts[0], "iu"), parts[1].view(np.uint8) != 0), copy=False)
    if told["kind"] == FLAGS:
        flags = parts[0].view(np.uint8) != 0
        return pd.Series(pd.arrays.BooleanArray(flags, parts[1].view(np.uint8) != 0), copy=False)
    if told["kind"] == WORDS:
        names = pd.Index(_streamed(parts[1]), dtype="str")
        codes = _typed(parts[0], "i")
        return pd.Series(pd.Categorical.from_codes(codes, names, ordered=bool(told["ordered"])), copy=False)
    return _streamed(parts[0])


def _parts(content: np.ndarray) -> tuple[dict[str, Any], list[np.ndarray]]:
    """The head, and arrays that lie in the message, which is ours: they cost no copy and can be written to."""
    length = _HEAD.unpack(bytes(content[: _HEAD.size]))[0]
    told = json.loads(bytes(content[_HEAD.size : _HEAD.size + length]))
    place, parts = len(_padded(b"\0" * (_HEAD.size + length))), []
    for kind, count in told["buffers"]:
        dtype = np.dtype(kind)
        if dtype.kind not in "fiub" or not 0 <= count <= len(content):
            raise ValueError(kind)
        parts.append(np.frombuffer(content, dtype, count, place))  # refuses what goes beyond the message
        place += parts[-1].nbytes + (-parts[-1].nbytes % _ALIGN)
    return told, parts


def _typed(values: np.ndarray, kinds: str) -> np.ndarray:
    if values.dtype.kind not in kinds:
        raise ValueError(values.dtype)
    return values


def _padded(head: bytes) -> bytes:
    return head + b" " * (-len(head) % _ALIGN)


def _stream(series: pd.Series) -> np.ndarray:
    """A column as an arrow stream: texts, times."""
    import pandas as pd
    import pyarrow as pa

    timed = isinstance(series.dtype, pd.DatetimeTZDtype) or series.dtype.kind == "M"
    array = pa.array(series) if timed else pa.array(series, pa.large_string(), from_pandas=True)
    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, pa.schema([("x", array.type)])) as stream:
        stream.write_batch(pa.record_batch([array], names=["x"]))
    return np.frombuffer(out.getvalue(), np.uint8)


def _streamed(content: np.ndarray) -> pd.Series:
    import pandas as pd
    import pyarrow as pa

    with pa.ipc.open_stream(pa.py_buffer(content)) as stream:
        table = stream.read_all()
    table.validate(full=True)
    array = table.column(0)
    if pa.types.is_timestamp(array.type):
        return array.to_pandas().rename(None)
    if not pa.types.is_large_string(array.type):
        raise ValueError(array.type)
    return pd.Series(pd.array(array.to_pandas(), dtype="str"))
