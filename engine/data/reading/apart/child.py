"""In the process that reads: its limits, the work, the answer.

The work is a function that the program names, `job(data, options, limits, talk)`; it returns a table or None and what
there is to say of it as plain JSON.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.data.reading.apart import wire
from engine.data.reading.apart.frames import column_parts
from engine.data.reading.limits import Limits
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

Job = Callable[[bytes, dict[str, Any], Limits, "Talk"], tuple["pd.DataFrame | None", dict[str, Any]]]
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in which the system counts the peak of memory."""
UNFORESEEN = "The file holds something that its reader does not know"
"""How a sentence on an unforeseen error begins; tests look for it."""


@dataclass
class Talk:
    """What a reader says while it reads."""

    write: wire.Write
    said: float = 0.0

    def progress(self, fraction: float) -> None:
        """How far it is, from 0 to 1; said at most twenty times a second."""
        now = time.monotonic()
        if now - self.said >= 0.05:
            self.said = now
            wire.send_json(self.write, wire.PROGRESS, min(max(float(fraction), 0.0), 1.0))

    def kind(self, kind: str) -> None:
        """What the file is, for the sentence on the reader's death."""
        wire.send_json(self.write, wire.KIND, kind)


def answer(read: wire.Read, write: wire.Write) -> None:
    """Read the request, do the work, say what came of it."""
    request = json.loads(read(wire.head(read)[1]))
    limits = Limits(**request["limits"])
    restrict(limits)
    try:
        data = read(wire.head(read)[1])
        module, _, name = request["job"].partition(":")
        job: Job = getattr(importlib.import_module(module), name)
        table, facts = job(data, request["options"], limits, Talk(write))
        del data
        names = [] if table is None else [str(name) for name in table.columns]
        rows = 0 if table is None else len(table)
        wire.send_json(write, wire.FACTS, {"facts": facts, "names": names, "rows": rows})
        for position in range(len(names)):
            if table is not None:
                wire.send_parts(write, wire.COLUMN, column_parts(table.iloc[:, position]))
        wire.send_json(write, wire.DONE, _used())
    except BaseException as error:  # a panic of a reader's own language is no Exception
        _refuse(write, error)


def _used() -> dict[str, Any]:
    """Seconds of a processor and peak memory of this process, as `Verdict` has them."""
    with suppress(ImportError):  # not on Windows
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        return {"cpu_seconds": used.ru_utime + used.ru_stime, "peak_bytes": used.ru_maxrss * PEAK_UNIT}
    return {}


def _refuse(write: wire.Write, error: BaseException) -> None:
    said: dict[str, Any]
    if isinstance(error, DataError):
        said = {"text": str(error), "column": error.column, "row": error.row}
    elif isinstance(error, MemoryError):
        said = {"memory": True}
    else:
        name = type(error).__name__
        said = {"text": f"{UNFORESEEN} ({name}). Open it in the program that made it and save it as CSV."}
    wire.send_json(write, wire.ERROR, {**said, "used": _used()})


def restrict(limits: Limits) -> None:
    """Bound what this process may take: memory beyond what it has, seconds of a processor, and no file to write."""
    with suppress(ImportError):  # Windows has no such limits
        import resource

        bounds = [
            (resource.RLIMIT_CPU, limits.seconds),
            (resource.RLIMIT_FSIZE, 0),
            (resource.RLIMIT_CORE, 0),
        ]
        size = own_size()
        if size:
            bounds.append((resource.RLIMIT_AS, size + limits.memory_bytes))
        for which, bound in bounds:
            most = resource.getrlimit(which)[1]
            soft = bound if most == resource.RLIM_INFINITY else min(bound, most)
            with suppress(ValueError, OSError):  # some systems do not bound memory
                resource.setrlimit(which, (soft, most if which == resource.RLIMIT_CPU else soft))


def own_size() -> int:
    """Bytes of address space that this process has; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def alone() -> None:
    """One request on stdin, the answer on stdout: where a process cannot be forked."""
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # what a library prints is no part of the answer

    def write(content: Any) -> None:
        rest = memoryview(content).cast("B")
        while len(rest):
            rest = rest[out.write(rest) :]

    answer(sys.stdin.buffer.read, write)
