"""One file for an answer: a zip of JSON and Parquet, versioned, no pickle. `engine.save` and `engine.load`.

`about.json` says what the file is, `document.json` holds the answer (see `engine.methods.storing`), and arrays that are
long stand beside it as Parquet. A file may come from anybody: sizes are looked at before anything is unpacked.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import IO, Any

import numpy as np

from engine.errors import DataError
from engine.methods import METHODS
from engine.methods.result import Result
from engine.methods.storing import decode

FORMAT = "diptych/file"
NEWEST = 1
"""Version of the file; an older one is read, a newer one refused."""
ENDING = ".diptych"
LONG = 4096
"""Entries from which an array is written as Parquet."""
MOST_BYTES = 2_000_000_000
MOST_MEMBERS = 20_000

Target = str | os.PathLike[str] | IO[bytes]
Source = str | os.PathLike[str] | bytes | IO[bytes]


def save(result: Result, path: Target) -> None:
    """Write an answer into one file, from which `load` gives an equal one.

    It holds settings, names, levels and counts of the table, but none of its rows, except of patients it is about.

    Parameters
    ----------
    result : what a method's run gave
    path : a path, or a file opened for bytes; the usual ending is ".diptych"

    Raises
    ------
    DataError : something else than an answer, or the file cannot be written

    Examples
    --------
    >>> import io
    >>> file = io.BytesIO()
    >>> engine.save(engine.LogLinear().run(sample_data.dataset("two_hospitals")), file)
    >>> engine.load(file.getvalue()).separators[0]
    ('age',)
    """
    if not isinstance(result, Result):
        raise DataError(f"engine.save writes the result of a method's run, not a {type(result).__name__}.")
    content = to_bytes(result)
    if not isinstance(path, str | os.PathLike):
        path.write(content)
        return
    try:
        Path(path).write_bytes(content)
    except OSError as error:
        raise DataError(f"The file '{Path(path).name}' cannot be written: {error.strerror}.") from None


def to_bytes(result: Result) -> bytes:
    """The content of the file, for a download.

    Parameters
    ----------
    result : what a method's run gave

    Returns
    -------
    a zip; equal answers give equal bytes
    """
    about = {"format": FORMAT, "version": NEWEST, "kind": "result", "method": result.slug, "diptych": _own_version()}
    arrays: list[np.ndarray] = []
    document = _taken_out(result.to_dict(), arrays)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, part in (("about.json", about), ("document.json", document)):
            _write(whole, name, json.dumps(part, ensure_ascii=False, allow_nan=False).encode("utf-8"))
        for number, array in enumerate(arrays):
            _write(whole, f"arrays/{number}.parquet", _parquet(array))
    return content.getvalue()


def load(path: Source) -> Result:
    """The answer that `save` wrote; it answers every question it answered then.

    Parameters
    ----------
    path : a path, the content as bytes, or a file opened for bytes

    Returns
    -------
    a result equal to the one saved

    Raises
    ------
    DataError : no file of Diptych, one of a newer version, or a damaged one

    Examples
    --------
    >>> from engine.project.file import to_bytes
    >>> result = engine.LogLinear().run(sample_data.dataset("two_hospitals"))
    >>> engine.load(to_bytes(result)) == result
    True
    """
    try:
        with zipfile.ZipFile(_opened(path)) as whole:
            _check_size(whole)
            about = json.loads(whole.read("about.json"))
            _check_about(about)
            document = _put_back(json.loads(whole.read("document.json")), whole)
    except DataError:
        raise
    except FileNotFoundError:
        raise DataError(f"There is no file '{Path(str(path)).name}' at the path given.") from None
    except (OSError, KeyError, ValueError, TypeError, RecursionError, NotImplementedError, zipfile.BadZipFile):
        raise DataError("This is no file of Diptych, or it is damaged; save it again.") from None
    found = decode(document)
    if not isinstance(found, Result):
        raise DataError("This file holds no answer of a method.")
    return found


def _opened(path: Source) -> Any:
    return io.BytesIO(path) if isinstance(path, bytes | bytearray) else path


def _check_size(whole: zipfile.ZipFile) -> None:
    members = whole.infolist()
    if len(members) > MOST_MEMBERS or sum(one.file_size for one in members) > MOST_BYTES:
        raise DataError("This file would fill the memory when opened; it is not one that Diptych wrote.")


def _check_about(about: Any) -> None:
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise DataError("This is no file of Diptych, or it is damaged; save it again.")
    if not isinstance(about.get("version"), int) or about["version"] > NEWEST:
        raise DataError("This file was written by a newer version of Diptych; open it with that one.")
    if about.get("method") not in METHODS:
        raise DataError("This file holds an answer of a method that this version of Diptych does not have.")


def _write(whole: zipfile.ZipFile, name: str, content: bytes) -> None:
    """A member without the time of day, so that equal answers make equal files."""
    member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
    member.compress_type = zipfile.ZIP_DEFLATED
    whole.writestr(member, content)


def _taken_out(document: Any, arrays: list[np.ndarray]) -> Any:
    """The document without its long arrays, which are put into `arrays`."""
    if isinstance(document, list):
        return [_taken_out(one, arrays) for one in document]
    if not isinstance(document, dict):
        return document
    if "$array" in document and len(document["data"]) >= LONG:
        arrays.append(np.asarray(decode(document)))
        return {"$stored": len(arrays) - 1, "$array": document["$array"], "shape": document["shape"]}
    return {name: _taken_out(part, arrays) for name, part in document.items()}


def _put_back(document: Any, whole: zipfile.ZipFile) -> Any:
    """The document with its long arrays, read from the file."""
    if isinstance(document, list):
        return [_put_back(one, whole) for one in document]
    if not isinstance(document, dict):
        return document
    if "$stored" in document:
        values = _from_parquet(whole.read(f"arrays/{int(document['$stored'])}.parquet"))
        return {"$array": document["$array"], "shape": document["shape"], "data": values}
    return {name: _put_back(part, whole) for name, part in document.items()}


def _parquet(array: np.ndarray) -> bytes:
    import pyarrow
    import pyarrow.parquet

    content = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({"value": array.ravel()}), content, compression="zstd")
    return content.getvalue()


def _from_parquet(content: bytes) -> np.ndarray:
    import pyarrow.parquet

    return np.asarray(pyarrow.parquet.read_table(io.BytesIO(content))["value"].to_numpy())


def _own_version() -> str:
    try:
        return version("diptych")
    except PackageNotFoundError:  # run from a source tree that nobody installed
        return "unknown"
