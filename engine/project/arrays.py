"""Long arrays stand beside the JSON of an answer, each a Parquet file of one column.

They are written without compression of their own (the zip compresses them); see `engine.project.parquet_pages`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from engine.errors import DataError
from engine.methods.storing import array_type, decode
from engine.project.archive import TOO_LARGE, Archive, refuse
from engine.project.parquet_pages import columns_in, physical

LONG = 4096
"""Entries from which an array is written as Parquet."""
MOST_ENTRIES = 50_000_000
"""Entries of one array: 100,000 patients and 500 arcs."""
MOST_ARRAY = 1_000_000_000
"""Bytes of one such part: entries of 8 bytes, twice."""
_AT_ONCE = 65_536
_COPIES = 4
"""Of an array while it is read: Parquet, Arrow, numpy, and the type it is to have."""


def taken_out(document: Any, arrays: list[np.ndarray]) -> Any:
    """The document without its long arrays, which are put into `arrays`.

    Parameters
    ----------
    document : what `encode` gave
    arrays : those taken out so far; changed

    Returns
    -------
    plain values
    """
    if isinstance(document, list):
        return [taken_out(one, arrays) for one in document]
    if not isinstance(document, dict):
        return document
    if "$array" in document and len(document["data"]) >= LONG:
        arrays.append(np.asarray(decode(document)))
        return {"$stored": len(arrays) - 1, "$array": document["$array"], "shape": document["shape"]}
    return {name: taken_out(part, arrays) for name, part in document.items()}


def put_back(document: Any, archive: Archive, *, packed: bool = False) -> Any:
    """The document with its long arrays, read from the file.

    Parameters
    ----------
    document : plain values, as `taken_out` left them
    archive : the file
    packed : whether arrays may be compressed by themselves, as in version 1

    Returns
    -------
    plain values, and arrays

    Raises
    ------
    DataError : an array that is not there, or not of the shape it is said to have
    """
    if isinstance(document, list):
        return [put_back(one, archive, packed=packed) for one in document]
    if not isinstance(document, dict):
        return document
    if "$stored" not in document:
        return {name: put_back(part, archive, packed=packed) for name, part in document.items()}
    number, shape = document["$stored"], document.get("shape")
    if set(document) != {"$stored", "$array", "shape"} or type(number) is not int or not isinstance(shape, list):
        refuse()
    if not all(type(one) is int and 0 <= one <= MOST_ENTRIES for one in shape) or math.prod(shape) > MOST_ENTRIES:
        refuse(TOO_LARGE)
    archive.spend(_COPIES * array_type(document["$array"]).itemsize * math.prod(shape))
    content = archive.bytes(f"arrays/{number}.parquet", MOST_ARRAY)
    rows, kind = math.prod(shape), array_type(document["$array"])
    if packed:
        values = _packed_values(content, rows)
    else:
        values = columns_in(content, ["value"], rows)["value"]
        if values.dtype != physical(kind):
            refuse("An array in this file holds other numbers than the file says; it is damaged.")
    return {"$array": document["$array"], "shape": shape, "data": values}


def _packed_values(content: bytes, rows: int) -> np.ndarray:
    """An array of version 1, which may be packed: read in pieces, and no further than it is said to go."""
    import pyarrow
    import pyarrow.parquet
    from pyarrow import types

    found = []
    try:
        file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(content))
        kinds = file.schema_arrow.types
        if file.schema_arrow.names != ["value"] or file.metadata.num_rows != rows:
            refuse("A table or array in this file is not as long as the file says; it is damaged.")
        if not (types.is_integer(kinds[0]) or types.is_floating(kinds[0]) or types.is_boolean(kinds[0])):
            refuse("A table in this file has a column that holds no plain numbers; it is damaged.")
        for batch in file.iter_batches(_AT_ONCE, use_threads=False):
            if batch.column(0).null_count:
                refuse("A table or array in this file can have holes, and ours have none; it is damaged.")
            found.append(batch.column(0).to_numpy(zero_copy_only=False))
            rows -= len(found[-1])
            if rows < 0:
                break
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError, MemoryError) as error:
        refuse(str(error) if isinstance(error, DataError) else "An array in this file is damaged; save it again.")
    return np.concatenate(found) if found and not rows else np.zeros(0)
