"""The messages between the program and a reader: a letter, a length, and so many bytes.

Everything that a reader says is JSON, plain numbers or an arrow stream. It may be under the control of a hostile file,
so nothing of it is ever unpickled or run, and no message may be longer than the memory that the reader was given.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Iterable
from typing import Any

HEAD = struct.Struct("<cQ")
PROGRESS, KIND, FACTS, COLUMN, ERROR, DONE = b"p", b"k", b"f", b"c", b"e", b"d"
"""A fraction; what the file is; the facts; one column; a sentence that refuses; the end."""

Write = Callable[[Any], object]
Read = Callable[[int], Any]
"""Exactly so many bytes."""


def send(write: Write, letter: bytes, content: Any) -> None:
    """One message of bytes."""
    write(HEAD.pack(letter, len(memoryview(content).cast("B"))))
    write(content)


def send_parts(write: Write, letter: bytes, parts: Iterable[Any]) -> None:
    """One message of several buffers, none of them copied."""
    given = list(parts)
    write(HEAD.pack(letter, sum(len(one) for one in given)))
    for one in given:
        write(one)


def send_json(write: Write, letter: bytes, content: Any) -> None:
    """One message of JSON."""
    send(write, letter, json.dumps(content, default=int).encode())  # whole numbers of numpy are written as such


def head(read: Read) -> tuple[bytes, int]:
    """Letter and length of the next message."""
    letter, length = HEAD.unpack(read(HEAD.size))
    return letter, length
