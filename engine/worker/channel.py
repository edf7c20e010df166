"""In the process that works: the line to the program, the limits, one call, and how it ended."""

from __future__ import annotations

import importlib
import json
import os
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from engine.errors import Cancelled, DataError, DiptychError

HEAD = struct.Struct("<cQ")
REQUEST, PROGRESS, ERROR, DONE = b"q", b"p", b"e", b"d"
"""Letters that a function of a worker does not use for its own messages: the last two end the work."""
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in which the system counts the peak of memory."""
_BETWEEN_REPORTS = 0.05
"""Seconds; a callback that is called a million times must not drown the line."""


class Channel:
    """The worker's end of the line to the program."""

    def __init__(self, file: BinaryIO, write: Callable[[Any], object]) -> None:
        self._file, self._write = file, write
        self._next_report = 0.0

    def send(self, letter: bytes, content: Any) -> None:
        """One message of bytes."""
        self._write(HEAD.pack(letter, memoryview(content).nbytes))
        self._write(content)

    def send_json(self, letter: bytes, content: Any) -> None:
        """One message of JSON."""
        self.send(letter, json.dumps(content, default=int).encode())  # whole numbers of numpy are written as such

    def progress(self, fraction: float, words: str = "") -> None:
        """How far the work is, from 0 to 1; said at most twenty times a second."""
        now = time.monotonic()
        if now >= self._next_report:
            self._next_report = now + _BETWEEN_REPORTS
            try:
                self.send_json(PROGRESS, [float(fraction), str(words)])
            except OSError:
                raise Cancelled("The program is gone.") from None

    def receive(self) -> bytes:
        """The content of the next message of the program."""
        return self._read(HEAD.unpack(self._read(HEAD.size))[1])

    def _read(self, length: int) -> bytes:
        content = self._file.read(length)
        if len(content) < length:  # the program has gone
            raise EOFError
        return content

    def follow(self, listener: Callable[[bytes], object]) -> None:
        """Hand what the program still says to `listener`, in a thread; end this process when the program is gone."""

        def listen() -> None:
            with suppress(OSError, EOFError):
                while True:
                    listener(self.receive())
            os._exit(1)

        threading.Thread(target=listen, daemon=True).start()


def work(channel: Channel) -> None:
    """Receive the request, do the work, say how it ended."""
    request = json.loads(channel.receive())
    if request["memory_bytes"] is not None:
        _restrict(request["memory_bytes"], request["seconds"])
    try:
        named(request["function"])(channel.receive(), request["options"], channel)
        channel.send_json(DONE, _used())
    except BaseException as error:  # a panic of a reader's own language is no Exception
        channel.send_json(ERROR, {**_described(error), "used": _used()})


def named(function: str) -> Callable[..., Any]:
    """The function of a name "module:function"."""
    module, _, name = function.partition(":")
    result: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return result


def _described(error: BaseException) -> dict[str, Any]:
    """An error as JSON: our own with its sentence and place, any other by its type and the lines it came from."""
    described: dict[str, Any] = {"type": type(error).__name__}
    if isinstance(error, DiptychError):
        described["text"] = str(error)
    if isinstance(error, DataError):
        described |= {"column": error.column, "row": error.row}
    if isinstance(error, MemoryError):  # to format its trace might take more of it
        return {**described, "memory": True, "trace": described["type"]}
    return described if isinstance(error, DiptychError | Cancelled) else {**described, "trace": trace(error)}


def trace(error: BaseException) -> str:
    """Type and code lines of an error and of its causes, without any message: one may quote a cell of the table."""
    chain: list[str] = []
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        lines = "".join(traceback.format_tb(cause.__traceback__))
        chain.append(f"{lines}{type(cause).__module__}.{type(cause).__qualname__}")
        cause = cause.__cause__ or cause.__context__
    return "\ncaused by\n".join(chain)


def _used() -> dict[str, Any]:
    """Seconds of a processor and peak memory of this process, as `Ending` has them."""
    with suppress(ImportError):  # not on Windows
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        return {"cpu_seconds": used.ru_utime + used.ru_stime, "peak_bytes": used.ru_maxrss * PEAK_UNIT}
    return {}


def _restrict(memory_bytes: int, seconds: int) -> None:
    """Bound what this process may take: memory beyond what it has, seconds of a processor, and no file to write."""
    with suppress(ImportError):  # Windows has no such limits
        import resource

        bounds = [(resource.RLIMIT_CPU, seconds), (resource.RLIMIT_FSIZE, 0), (resource.RLIMIT_CORE, 0)]
        size = _own_size()
        if size:
            bounds.append((resource.RLIMIT_AS, size + memory_bytes))
        for which, bound in bounds:
            most = resource.getrlimit(which)[1]
            soft = bound if most == resource.RLIM_INFINITY else min(bound, most)
            with suppress(ValueError, OSError):  # some systems do not bound memory
                resource.setrlimit(which, (soft, most if which == resource.RLIMIT_CPU else soft))


def _own_size() -> int:
    """Bytes of address space that this process has; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def work_alone() -> None:
    """One request on stdin, the answer on stdout: where a process cannot be forked."""
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a library prints is no part of the answer

    def write(content: Any) -> None:
        rest = memoryview(content).cast("B")
        while len(rest):
            rest = rest[out.write(rest) :]

    work(Channel(sys.stdin.buffer, write))
