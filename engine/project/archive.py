"""The container of our files: a zip whose every part is looked at before, and counted while, it is unpacked.

A file may come from anybody, and what its directory says of sizes may be a lie; so parts are read in pieces, and
reading stops at a limit whatever was said.
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, NoReturn

from engine.data.reading.filetype import is_plain_file
from engine.errors import DataError, Retold
from engine.words import short

Target = str | os.PathLike[str] | IO[bytes]
Source = str | os.PathLike[str] | bytes | bytearray | IO[bytes]

MOST_FILE = 500_000_000
"""Bytes of a file as it is: the largest table that is read (200 MB) with its analyses, with room."""
MOST_BYTES = 2_000_000_000
"""Bytes of all parts once unpacked; a table of 5 million rows and 50 columns of numbers is that large."""
MOST_JSON = 200_000_000
"""Bytes of one part that is JSON; the largest of our own answers have a tenth of it."""
MOST_VALUES = 10_000_000
"""Values of all parts that are JSON: each costs some 60 bytes of memory once it is read."""
MOST_MEMBERS = 20_000
"""Parts of a file; an answer has one, and one for each long array."""
MOST_RATIO, FREE_BYTES = 500, 10_000_000
"""Unpacked over packed size of JSON, looked at from 10 MB on; a column of one code packs as well as anything can."""
MOST_DEPTH = 64
"""How deep brackets nest; our own go some 20 deep."""
MOST_TEXT = 1_000_000
"""Characters of one text; a level, a note or a name has far fewer."""
MOST_DIGITS = 4_000
"""Digits of a whole number; a set of 12,000 variables is written with 3,613."""
MOST_DIRECTORY = 100 * MOST_MEMBERS
"""Bytes of the directory: each part takes some 70 there, and a kilobyte of memory."""
_PIECE = 1 << 20
_END, _LARGE, _TAIL = b"PK\x05\x06", b"PK\x06\x07", 22 + 65_535
"""What begins the end of a zip, and of one so large that ours never are; how far from the end it can stand."""
_NAME = re.compile(r"(?:[a-z]{1,20}/)?[a-z0-9]{1,20}\.(?:json|npy|parquet)", re.ASCII)
NOT_OURS = "This is no file of Diptych, or it is damaged; save it again."
TOO_LARGE = "This file would fill the memory when opened; it is not one that Diptych wrote."


def refuse(sentence: str = NOT_OURS) -> NoReturn:
    """Say why a file is not read."""
    raise DataError(sentence)


def zipped(members: Mapping[str, bytes]) -> bytes:
    """The parts as one file; equal parts give equal bytes, since no part has a time of day."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as whole:
        for name, part in members.items():
            member = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            member.compress_type = zipfile.ZIP_DEFLATED
            whole.writestr(member, part)
    return content.getvalue()


def as_json(value: Any) -> bytes:
    """Plain values as JSON; half a letter, which hostile names may hold, is written as an escape."""
    return json.dumps(value, allow_nan=False).encode("ascii")


class Archive:
    """A file that is open for reading; a context.

    Parameters
    ----------
    source : a path, the content as bytes, or a file opened for bytes

    Raises
    ------
    DataError : there is no such file, it is no zip, or its directory is not one that we write
    """

    def __init__(self, source: Source) -> None:
        try:
            self._whole = zipfile.ZipFile(_opened(source))
        except FileNotFoundError:
            raise DataError(f"There is no file '{short(Path(str(source)).name, 100)}' at the path given.") from None
        except DataError:
            raise
        except (OSError, ValueError, TypeError, AttributeError, NotImplementedError, zipfile.BadZipFile):
            raise DataError(NOT_OURS) from None
        try:
            self._members = _checked(self._whole.infolist())
        except DataError:
            self._whole.close()
            raise
        self._left, self._values = MOST_BYTES, MOST_VALUES
        self._read: set[str] = set()

    def __enter__(self) -> Archive:
        return self

    def __exit__(self, *error: object) -> None:
        self._whole.close()

    def __contains__(self, name: str) -> bool:
        return name in self._members

    def bytes(self, name: str, most: int = MOST_BYTES) -> bytes:
        """A part as it is, of at most so many bytes."""
        if name not in self._members:
            refuse()
        self._read.add(name)
        result, most = bytearray(), min(most, self._left)
        damage = OSError, ValueError, EOFError, RuntimeError, NotImplementedError, zipfile.BadZipFile, zlib.error
        with Retold(DataError(NOT_OURS), *damage), self._whole.open(self._members[name]) as part:
            while piece := part.read(_PIECE):
                result += piece
                if len(result) > most:
                    refuse(TOO_LARGE)
        self._left -= len(result)
        return bytes(result)

    def spend(self, size: int) -> None:
        """Count memory that a part asks for beyond its own bytes: a column of one value is a few bytes in Parquet."""
        self._left -= size
        if self._left < 0:
            refuse(TOO_LARGE)

    def check_all_read(self) -> None:
        """Raise `DataError` unless every part was asked for: a file holds nothing beside what it says it holds."""
        if set(self._members) - self._read:
            refuse("This file holds parts that nothing in it speaks of; it is not one that Diptych wrote.")

    def json(self, name: str) -> Any:
        """A part that is JSON; see `read_json`."""
        content = self.bytes(name, MOST_JSON)
        self._values -= _values_in(content)
        if self._values < 0:
            refuse(TOO_LARGE)
        return read_json(content)


def _opened(source: Source) -> IO[bytes]:
    """The content, open, after a look at its size and at that of its directory, which is read whole."""
    if isinstance(source, str | os.PathLike):
        if Path(source).exists() and not is_plain_file(Path(source)):
            raise OSError
        result: IO[bytes] = Path(source).open("rb")  # noqa: SIM115 - the zip closes it
    elif isinstance(source, bytes | bytearray):
        result = io.BytesIO(source)
    else:
        source.seek(0)
        result = io.BytesIO(source.read(MOST_FILE + 1))
    size = result.seek(0, io.SEEK_END)
    if size > MOST_FILE:
        refuse(f"This file has {size / 1e6:,.0f} MB; up to {MOST_FILE / 1e6:,.0f} MB are opened.")
    result.seek(max(0, size - _TAIL))
    tail = result.read()
    place = tail.rfind(_END)
    if place < 0 or len(tail) < place + 22 or tail[max(0, place - 20) : place].startswith(_LARGE):
        refuse()
    if int.from_bytes(tail[place + 12 : place + 16], "little") > MOST_DIRECTORY:
        refuse(TOO_LARGE)
    result.seek(0)
    return result


def _checked(members: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    """Name -> part, where the directory is one that we could have written."""
    if len(members) > MOST_MEMBERS or sum(part.file_size for part in members) > MOST_BYTES:
        refuse(TOO_LARGE)
    result: dict[str, zipfile.ZipInfo] = {}
    for member in members:
        if member.filename in result:
            refuse("Two parts of this file have the same name; it is not one that Diptych wrote.")
        if not _NAME.fullmatch(member.orig_filename) or stat.S_ISLNK(member.external_attr >> 16):
            refuse("This file has a part whose name leads elsewhere or is not ours; it is not one that Diptych wrote.")
        if member.flag_bits & 1:
            refuse("This file is protected with a password; save it without one.")
        if member.compress_type not in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
            refuse()
        packed = member.file_size > FREE_BYTES and member.file_size > MOST_RATIO * max(member.compress_size, 1)
        if packed and member.filename.endswith(".json"):
            refuse(TOO_LARGE)
        result[member.filename] = member
    return result


def read_json(content: bytes) -> Any:
    """JSON as we write it: every key once, numbers finite and of a sane length, brackets not too deep."""
    with Retold(DataError(NOT_OURS), ValueError, RecursionError):
        result = json.loads(
            content, parse_constant=_constant, parse_int=_whole, parse_float=_finite, object_pairs_hook=_unique_keys
        )
    check_plain(result)
    return result


def _values_in(content: bytes) -> int:
    """At most how many values JSON holds, before it is read."""
    return content.count(b",") + content.count(b"[") + content.count(b"{")


def check_plain(value: Any) -> None:
    """Raise `DataError` unless plain values nest no deeper, and their texts are no longer, than ours."""
    waiting = [(value, 0)]
    while waiting:
        item, depth = waiting.pop()
        if isinstance(item, str):
            if len(item) > MOST_TEXT:
                refuse("This file holds a text of more than a million characters; it is not one that Diptych wrote.")
        elif isinstance(item, list | dict):
            if depth >= MOST_DEPTH:
                refuse("The brackets of this file nest too deep; it is not one that Diptych wrote.")
            parts = item if isinstance(item, list) else [*item, *item.values()]
            waiting += [(part, depth + 1) for part in parts if isinstance(part, str | list | dict)]


def _constant(word: str) -> NoReturn:
    refuse(f"This file holds {word}, which is no number; it is not one that Diptych wrote.")


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        refuse(f"This file holds a number of more than {MOST_DIGITS:,} digits; it is not one that Diptych wrote.")
    return int(text)


def _finite(text: str) -> float:
    result = float(text)
    if not math.isfinite(result):
        refuse("This file holds a number that is too large; it is not one that Diptych wrote.")
    return result


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        refuse("An object in this file has the same key twice; it is not one that Diptych wrote.")
    return result
