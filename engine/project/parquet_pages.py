"""Parquet as we write it, read without a library: columns that are plain, whole, required and not packed.

The library's own reader was met to end the whole process over one changed byte in a column's description (an exception
of C++ that nobody catches), and it unpacks whatever a page claims to hold. Ours are written so simply that their values
stand in the file one after the other: they are taken from there, and what is not so simple is refused. Other programs
read these files as any Parquet.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import numpy as np

from engine.project.archive import refuse

_DAMAGED = "A table or array in this file is damaged; save the file again."
_TYPES: dict[int, str] = {0: "?", 1: "<i4", 2: "<i8", 4: "<f4", 5: "<f8"}
"""Physical type of Parquet -> how its values stand in the file; flags as bits."""
_MARK, _DEEPEST, _LONGEST = b"PAR1", 12, 10
"""What a file begins and ends with, how deep its description nests, and bytes of a number in it."""


def physical(kind: np.dtype[Any]) -> np.dtype[Any]:
    """The type in which values of a type are written: Parquet has few.

    Parameters
    ----------
    kind : of numbers or flags

    Returns
    -------
    bool, int32, int64, float32 or float64, which hold them without loss (of the largest whole ones the bits)
    """
    if kind.kind == "b":
        return np.dtype(bool)
    if kind.kind == "f":
        return np.dtype("<f4" if kind.itemsize <= 4 else "<f8")
    narrow = kind.itemsize <= 2 or (kind.itemsize == 4 and kind.kind == "i")
    return np.dtype("<i4" if narrow else "<i8")


def parquet_of(columns: Mapping[str, np.ndarray]) -> bytes:
    """Columns of numbers and flags as Parquet.

    Parameters
    ----------
    columns : name -> array of one axis; all as long

    Returns
    -------
    the content; equal columns give equal bytes
    """
    import pyarrow
    import pyarrow.parquet

    written = {name: np.ascontiguousarray(one.astype(physical(one.dtype))) for name, one in columns.items()}
    arrays = [pyarrow.array(one, from_pandas=False) for one in written.values()]
    fields = [pyarrow.field(name, one.type, nullable=False) for name, one in zip(written, arrays, strict=True)]
    content = io.BytesIO()
    pyarrow.parquet.write_table(
        pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields)),
        content,
        compression="none",
        use_dictionary=False,
        write_statistics=False,
        data_page_version="1.0",
        store_schema=False,
    )
    return content.getvalue()


def columns_in(content: bytes, names: list[str], rows: int) -> dict[str, np.ndarray]:
    """The columns that `parquet_of` wrote.

    Parameters
    ----------
    content : the file
    names : of its columns, in order
    rows : how long they are

    Returns
    -------
    name -> array of a physical type

    Raises
    ------
    DataError : other columns, another length, values that are not plain, or a damaged file
    """
    try:
        return _columns(content, names, rows)
    except (IndexError, KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        refuse(str(error) if type(error).__name__ == "DataError" else _DAMAGED)


def _columns(content: bytes, names: list[str], rows: int) -> dict[str, np.ndarray]:
    length = int.from_bytes(content[-8:-4], "little")
    if content[:4] != _MARK or content[-4:] != _MARK or length > len(content) - 12:
        refuse(_DAMAGED)
    about, _ = _struct(content, len(content) - 8 - length, 0)
    if about[3] != rows:
        refuse("A table or array in this file is not as long as the file says; it is damaged.")
    schema = about[2][1:]
    if [one[4].decode("utf-8") for one in schema] != names or any(one.get(5) for one in schema):
        refuse("A table in this file has other columns than the file says; it is damaged.")
    if any(one[1] not in _TYPES for one in schema):
        refuse("A table in this file has a column that holds no plain numbers; it is damaged.")
    if any(one[3] != 0 for one in schema):
        refuse("A table or array in this file can have holes, and ours have none; it is damaged.")
    pieces: list[list[np.ndarray]] = [[] for _ in names]
    for group in about[4]:
        if len(group[1]) != len(names):
            refuse(_DAMAGED)
        for place, chunk in enumerate(group[1]):
            pieces[place] += _pages(content, chunk[3], schema[place][1], rows)
    found = {name: np.concatenate(own) if own else np.zeros(0) for name, own in zip(names, pieces, strict=True)}
    if any(len(one) != rows for one in found.values()):
        refuse("A table or array in this file is not as long as the file says; it is damaged.")
    return found


def _pages(content: bytes, chunk: Mapping[int, Any], kind: int, rows: int) -> list[np.ndarray]:
    """The values of one column of one group of rows, page by page."""
    if chunk[1] != kind or chunk[4] != 0 or 11 in chunk:
        refuse("A table in this file is packed in a way in which Diptych writes none.")
    left, place = chunk[5], chunk[9]
    found = []
    while left > 0:
        header, start = _struct(content, place, 0)
        size, number = header[3], header[5][1]
        if header[1] != 0 or header[5][2] != 0 or header[2] != size or not 0 < number <= min(left, rows):
            refuse("A table in this file is packed in a way in which Diptych writes none.")
        place = start + size
        if size < 0 or place > len(content):
            refuse(_DAMAGED)
        found.append(_values(content[start:place], kind, number))
        left -= number
    return found


def _values(piece: bytes, kind: int, number: int) -> np.ndarray:
    if kind == 0:
        if len(piece) != -(-number // 8):
            refuse(_DAMAGED)
        return np.unpackbits(np.frombuffer(piece, np.uint8), count=number, bitorder="little").astype(bool)
    values = np.frombuffer(piece, _TYPES[kind])
    return values if len(values) == number else refuse(_DAMAGED)


# -- the description: structures in Thrift's compact form -------------------------------------------------------------


def _struct(content: bytes, place: int, depth: int) -> tuple[dict[int, Any], int]:
    """Number of a field -> value, and where the structure ends."""
    if depth > _DEEPEST or place < 0:
        refuse(_DAMAGED)
    found: dict[int, Any] = {}
    field = 0
    while True:
        head = content[place]
        place += 1
        if head == 0:
            return found, place
        step, kind = head >> 4, head & 15
        if step:
            field += step
        else:
            field, place = _whole(content, place)
        if kind in (1, 2):
            found[field] = kind == 1
        else:
            found[field], place = _value(content, place, kind, depth)


def _value(content: bytes, place: int, kind: int, depth: int) -> tuple[Any, int]:
    if kind in (1, 2, 3):  # flags in a list, and single bytes
        return content[place], place + 1
    if kind in (4, 5, 6):
        return _whole(content, place)
    if kind == 7:
        return content[place : place + 8], place + 8
    if kind == 8:
        size, place = _natural(content, place)
        return content[place : place + size], place + size
    if kind == 12:
        return _struct(content, place, depth + 1)
    if kind != 9:
        refuse(_DAMAGED)
    size, inner = content[place] >> 4, content[place] & 15
    place += 1
    if size == 15:
        size, place = _natural(content, place)
    if size > len(content) - place or depth > _DEEPEST:  # each takes a byte at least
        refuse(_DAMAGED)
    found = []
    for _ in range(size):
        one, place = _value(content, place, inner, depth + 1)
        found.append(one)
    return found, place


def _natural(content: bytes, place: int) -> tuple[int, int]:
    found = shift = 0
    while True:
        byte = content[place]
        place += 1
        found |= (byte & 127) << shift
        if byte < 128:
            return found, place
        shift += 7
        if shift >= 7 * _LONGEST:
            refuse(_DAMAGED)


def _whole(content: bytes, place: int) -> tuple[int, int]:
    found, place = _natural(content, place)
    return (found >> 1) ^ -(found & 1), place
