"""In the program: a request to a reader, its answer as a table, its death as a sentence."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.data.reading.apart import wire
from engine.data.reading.apart.deaths import Verdict, not_started, of_death, out_of_memory, too_slow
from engine.data.reading.apart.frames import column_of
from engine.data.reading.apart.readers import Fresh, Gone, Late, resident_reader
from engine.data.reading.limits import Limits
from engine.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

Progress = Callable[[float], None]
PATIENCE = 3
"""Seconds on the clock for each second of a processor: a busy machine is slow, and that is not the file's fault."""
_TICK = 0.1
"""Seconds between two calls of a callback that may want to stop the work."""
_last = threading.local()
_reader_of = resident_reader if hasattr(os, "fork") else Fresh


@dataclass
class _Heard:
    """What the reader has said so far."""

    kind: str = "file"
    fraction: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)
    columns: list[pd.Series] = field(default_factory=list)
    used: Verdict = field(default_factory=Verdict)


def last_read() -> Verdict | None:
    """What the last reader of this thread used: seconds of a processor and peak memory; None before the first."""
    return getattr(_last, "verdict", None)


def run(
    job: str,
    data: bytes,
    options: dict[str, Any],
    limits: Limits,
    progress: Progress | None = None,
) -> tuple[pd.DataFrame | None, dict[str, Any]]:
    """Do `job` ("module:function") on foreign bytes in a process that may die.

    Parameters
    ----------
    job, data, options : what is to be done, see `engine.data.reading.apart.child`
    limits : memory and time that the reader may take
    progress : told the fraction that is read; what it raises ends the reader and goes on

    Returns
    -------
    the table, or None where the job makes none; what the job says of it

    Raises
    ------
    DataError : as the job raised it; or the reader took too much memory or time, or died of the file
    """
    request = {"job": job, "options": options, "limits": asdict(limits)}
    for again in (True, False):
        heard = _Heard()
        with _reader() as reader:
            reader.deadline = time.monotonic() + PATIENCE * limits.seconds + 5
            try:
                _tell(reader, request, data)
                refusal = _listen(reader, heard, limits, progress)
            except Late:
                raise too_slow(heard.kind, limits) from None
            except Gone:
                verdict = reader.verdict()
                if verdict is None and again:  # the resident process was ended, not the reader by the file
                    continue
                refusal = not_started() if verdict is None else of_death(verdict, heard.kind, limits)
            else:
                verdict = heard.used
            _last.verdict = verdict
        break
    if refusal is not None:
        raise refusal
    return _table(heard), heard.facts.get("facts", {})


@contextmanager
def _reader() -> Iterator[Any]:
    reader = _reader_of()
    try:
        yield reader
    finally:
        reader.end()


def _tell(reader: Any, request: dict[str, Any], data: bytes) -> None:
    """The request; a reader that has gone meanwhile may have said why, so that is not an end yet."""
    with suppress(Gone):
        wire.send_json(reader.write, wire.DONE, request)
        wire.send(reader.write, wire.DONE, data)


def _listen(reader: Any, heard: _Heard, limits: Limits, progress: Progress | None) -> DataError | None:
    """Take what the reader says until its end; the sentence with which it refuses, if it does."""
    left = limits.memory_bytes + (1 << 20)
    while True:
        letter, length = wire.head(lambda size: _awaited(reader, size, heard, progress))
        left -= length
        if left < 0:
            return out_of_memory(heard.kind, limits)
        content = _awaited(reader, length, heard, progress)
        try:
            done, refusal = _heed(letter, content, heard, limits)
        except Exception:  # a reader that a file has led astray may say anything
            raise Gone from None
        if progress is not None and letter == wire.PROGRESS:
            progress(heard.fraction)
        if refusal is not None:
            return refusal
        if done:
            if progress is not None:
                progress(1.0)
            return None


def _heed(letter: bytes, content: np.ndarray, heard: _Heard, limits: Limits) -> tuple[bool, DataError | None]:
    """Take one message in; whether it is the last, and the sentence with which the reader refuses."""
    if letter == wire.COLUMN:
        heard.columns.append(column_of(content))
        return False, None
    said = json.loads(bytes(content))
    if letter == wire.PROGRESS:
        heard.fraction = min(max(heard.fraction, float(said)), 1.0)
    elif letter == wire.KIND:
        heard.kind = str(said)[:40]
    elif letter == wire.FACTS:
        heard.facts = {"facts": dict(said["facts"]), "names": list(said["names"]), "rows": int(said["rows"])}
    elif letter == wire.ERROR:
        heard.used = Verdict(**said["used"])
        return True, _refusal(said, heard.kind, limits)
    else:
        heard.used = Verdict(**said)
    return letter == wire.DONE, None


def _awaited(reader: Any, length: int, heard: _Heard, progress: Progress | None) -> np.ndarray:
    """So many bytes; while they are awaited the callback is called, which may want to stop the work."""
    content = np.empty(length, np.uint8)
    place = 0
    while place < length:
        got = reader.into(content[place:], _TICK if progress is not None else None)
        place += got
        if not got and progress is not None:
            progress(heard.fraction)
    return content


def _refusal(said: dict[str, Any], kind: str, limits: Limits) -> DataError:
    if said.get("memory"):
        return out_of_memory(kind, limits)
    row = said.get("row")
    return DataError(str(said["text"]), column=said.get("column"), row=int(row) if row is not None else None)


def _table(heard: _Heard) -> pd.DataFrame | None:
    names = [str(name) for name in heard.facts.get("names", ())]
    if not names:
        return None
    import pandas as pd

    rows = int(heard.facts["rows"])
    if len(names) != len(heard.columns) or any(len(one) != rows for one in heard.columns):
        raise DataError("The reader of this file gave half an answer. Read it again, or save it as CSV.")
    return pd.DataFrame(dict(zip(names, heard.columns, strict=True)), copy=False)
