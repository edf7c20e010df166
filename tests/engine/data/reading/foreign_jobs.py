"""What a reader may meet: jobs that end badly, for the readers of the tests."""

from __future__ import annotations

import ctypes
import os
import threading
import time
from pathlib import Path
from typing import Any

import pandas as pd

from engine.data.reading.foreign import COLUMN, ReaderChannel
from engine.data.reading.limits import Limits
from engine.errors import DataError
from engine.worker.channel import HEAD


def echo(
    data: bytes, options: dict[str, Any], limits: Limits, talk: ReaderChannel
) -> tuple[pd.DataFrame, dict[str, Any]]:
    """What this process is like."""
    talk.kind("text table")
    return pd.DataFrame({"size": pd.array([len(data)], "Int64")}), {
        "pid": os.getpid(),
        "parent": os.getppid(),
        "threads": threading.active_count(),
        "open": len(list(Path("/proc/self/fd").iterdir())),
    }


def sleep(data: bytes, options: dict[str, Any], limits: Limits, talk: ReaderChannel) -> tuple[None, dict[str, Any]]:
    """Does nothing, for long."""
    talk.kind("workbook")
    time.sleep(options.get("seconds", 600))
    return None, {"pid": os.getpid()}


def spin(data: bytes, options: dict[str, Any], limits: Limits, talk: ReaderChannel) -> tuple[None, dict[str, Any]]:
    """Keeps a processor busy."""
    talk.kind("workbook")
    while True:
        pass


def swell(data: bytes, options: dict[str, Any], limits: Limits, talk: ReaderChannel) -> tuple[None, dict[str, Any]]:
    """Takes ever more memory."""
    talk.kind("workbook")
    held = []
    while True:
        held.append(b"x" * 10_000_000)


def crash(data: bytes, options: dict[str, Any], limits: Limits, talk: ReaderChannel) -> tuple[None, dict[str, Any]]:
    """Reads where nothing is."""
    talk.kind("SPSS file")
    ctypes.string_at(0)
    return None, {}


def abort(data: bytes, options: dict[str, Any], limits: Limits, talk: ReaderChannel) -> tuple[None, dict[str, Any]]:
    """Ends as a program of Rust does that gets no memory."""
    talk.kind("workbook")
    os.write(2, b"memory allocation of 274877906944 bytes failed\n")
    os.abort()


def odd(data: bytes, options: dict[str, Any], limits: Limits, talk: ReaderChannel) -> tuple[None, dict[str, Any]]:
    """Raises what nobody has foreseen."""
    raise ZeroDivisionError


def refuse(data: bytes, options: dict[str, Any], limits: Limits, talk: ReaderChannel) -> tuple[None, dict[str, Any]]:
    """A sentence with its place."""
    raise DataError("It is so.", column="dose", row=7)


def lie(data: bytes, options: dict[str, Any], limits: Limits, talk: ReaderChannel) -> tuple[None, dict[str, Any]]:
    """Says what no reader says: the bytes it was given, under the letter of the options."""
    talk.channel.send(options["letter"].encode(), data)
    return None, {}


def claim(data: bytes, options: dict[str, Any], limits: Limits, talk: ReaderChannel) -> tuple[None, dict[str, Any]]:
    """Announces a message that is longer than all memory."""
    talk.channel._write(HEAD.pack(COLUMN, 2**62))
    time.sleep(600)
    return None, {}


def steps(data: bytes, options: dict[str, Any], limits: Limits, talk: ReaderChannel) -> tuple[None, dict[str, Any]]:
    """Tells how far it is."""
    for done in range(5):
        talk.progress(done / 4)
        time.sleep(0.06)
    return None, {}


def write(data: bytes, options: dict[str, Any], limits: Limits, talk: ReaderChannel) -> tuple[None, dict[str, Any]]:
    """Writes a file."""
    with open(options["path"], "wb") as file:  # noqa: PTH123
        file.write(b"x" * 100_000)
    return None, {}
