"""A foreign file is read in a process that may die of it: the request, the table that comes back, or a sentence.

A job is a function that the program names, `job(data, options, limits, talk)`; it returns a table or None and what
there is to say of it as plain JSON. What a reader says may be under the control of a hostile file: it is JSON or an
Arrow stream, so nothing of it is ever unpickled or run, and it may be no longer than the memory that the reader has.
"""

from __future__ import annotations

import gc
import json
import signal
import threading
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

from engine.data.reading.limits import MEGABYTE, Limits, remedy
from engine.errors import DataError, InputError
from engine.lazy import pa, pd
from engine.worker.channel import PROGRESS, Channel, named
from engine.worker.host import DeadlinePassed, Died, Ending, Host, NotStarted, Refused, TooLong

Progress = Callable[[float], None]
Job = Callable[[bytes, dict[str, Any], Limits, "ReaderChannel"], tuple["pd.DataFrame | None", dict[str, Any]]]
KIND, FACTS, COLUMN = b"k", b"f", b"c"
"""What the file is; the facts; one column."""
PATIENCE = 3
"""Seconds on the clock for each second of a processor: a busy machine is slow, and that is not the file's fault."""
UNFORESEEN = "The file holds something that its reader does not know"
"""How a sentence on an unforeseen error begins; tests look for it."""
_OUT_OF_MEMORY = ("memory allocation of", "bad_alloc", "out of memory", "MemoryError", "capacity overflow")
_ENVIRONMENT = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # the others reserve more address space than a reader may have
    "JE_ARROW_MALLOC_CONF": "background_thread:false",  # a fork must have one thread only
    "MALLOC_MMAP_THRESHOLD_": "4294967296",  # what one step gives back is there for the next: a reader lives for one
    "MALLOC_TRIM_THRESHOLD_": "4294967296",  # table, and fresh pages were a quarter of its time
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
}
_ANSWER = "engine.data.reading.foreign:answer"
READERS = Host("engine.data.reading.parse:warm", _ENVIRONMENT, captures=True)
_PART = 1 << 26
"""Bytes of columns that become columns of pandas at a time."""
_last = threading.local()


# -- in the process that reads ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ReaderChannel:
    """The messages of a reader while it reads."""

    channel: Channel

    def progress(self, fraction: float) -> None:
        """Tell how far it is, from 0 to 1."""
        self.channel.progress(fraction)

    def kind(self, kind: str) -> None:
        """Tell what the file is, for the sentence on the reader's death."""
        self.channel.send_json(KIND, kind)


def answer(data: bytes, options: dict[str, Any], channel: Channel) -> None:
    """Do the job and send its facts and its table, a column each."""
    gc.disable()  # it would touch, and so copy, what is shared with the host; a reader does not live long
    job: Job = named(options["job"])
    table, facts = job(data, options["options"], Limits(**options["limits"]), ReaderChannel(channel))
    del data
    names = [] if table is None else [str(name) for name in table.columns]
    channel.send_json(FACTS, {"facts": facts, "names": names, "rows": 0 if table is None else len(table)})
    for position in range(len(names)):
        if table is not None:
            channel.send(COLUMN, column_stream(table.iloc[:, position]))


def column_stream(series: pd.Series) -> pa.Buffer:
    """A column as an Arrow stream."""
    if series.dtype == object:
        array = pa.array(series, pa.large_string(), from_pandas=True)
    else:
        is_float = not pd.api.types.is_extension_array_dtype(series.dtype) and series.dtype.kind == "f"
        array = pa.array(series, from_pandas=not is_float)  # a float that is missing stays the number that it is
    batch = pa.record_batch([array], names=["x"])
    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, batch.schema) as stream:
        stream.write_batch(batch)
    return out.getvalue()


# -- in the program ---------------------------------------------------------------------------------------------------


@dataclass
class _Answer:
    """What the reader has said so far."""

    kind: str = "file"
    fraction: float = 0.0
    facts: dict[str, Any] = field(default_factory=dict)
    names: list[str] = field(default_factory=list)
    rows: int = 0
    columns: list[pa.ChunkedArray] = field(default_factory=list)

    def take(self, letter: bytes, content: bytearray) -> None:
        """One message of the reader."""
        if letter == COLUMN:
            self.columns.append(_streamed(content))
        elif letter == FACTS:
            message = json.loads(content)
            self.facts, self.names = dict(message["facts"]), [str(name) for name in message["names"]]
            self.rows = int(message["rows"])
        elif letter == KIND:
            self.kind = str(json.loads(content))[:40]
        elif letter == PROGRESS:
            self.fraction = min(max(self.fraction, float(json.loads(content)[0])), 1.0)

    def table(self) -> pd.DataFrame | None:
        """The table that was sent; None where the job makes none."""
        if not self.names:
            return None
        if len(self.names) != len(self.columns) or any(len(column) != self.rows for column in self.columns):
            raise InputError("The reader of this file gave half an answer. Read it again, or save it as CSV.")
        return frame(self.columns, self.names)


def _streamed(content: bytearray) -> pa.ChunkedArray:
    """A column that `column_stream` wrote; checked whole, since the reader may have been led astray."""
    with pa.ipc.open_stream(pa.py_buffer(content)) as stream:
        table = stream.read_all()
    table.validate(full=True)
    column = table.column(0)
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    known = (
        pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_timestamp, pa.types.is_string,
        pa.types.is_large_string,
    )  # fmt: skip
    if not any(is_of(kind) for is_of in known):
        raise ValueError(kind)
    return column


def frame(columns: list[pa.ChunkedArray], names: list[str]) -> pd.DataFrame:
    """Arrow columns as a pandas table with the types that `read_table` promises; the columns are used up."""
    types = {pa.bool_(): pd.BooleanDtype(), pa.string(): pd.StringDtype(na_value=float("nan"))}
    types[pa.large_string()] = types[pa.string()]
    for bits in (8, 16, 32, 64):
        types[getattr(pa, f"int{bits}")()] = getattr(pd, f"Int{bits}Dtype")()
        types[getattr(pa, f"uint{bits}")()] = getattr(pd, f"UInt{bits}Dtype")()
    parts: list[pd.DataFrame] = []
    columns.reverse()
    while columns:  # a part is let go once it is one of pandas, so that a large table is never held twice
        part, size = [], 0
        while columns and size < _PART:
            part.append(columns.pop())
            size += part[-1].nbytes
        coded_places = [place for place, column in enumerate(part) if pa.types.is_dictionary(column.type)]
        table = pa.table(part, names=list(map(str, range(len(part))))).to_pandas(types_mapper=types.get)
        for place in coded_places:  # their codes are read-only, their levels objects where there are none
            coded = table.iloc[:, place].array
            levels = pd.CategoricalDtype(pd.Index(coded.categories, dtype="str"), coded.ordered)
            table.isetitem(place, pd.Categorical.from_codes(coded.codes.copy(), dtype=levels))
        parts.append(table)
    whole = parts[0] if len(parts) == 1 else pd.concat(parts, axis=1)
    whole.columns = pd.Index(names)
    return whole


def last_read() -> Ending | None:
    """Seconds of a processor and peak memory that this thread's last reader used; None where they are not known."""
    return getattr(_last, "ending", None)


def read_foreign(
    job: str,
    data: bytes,
    options: dict[str, Any],
    limits: Limits,
    progress: Progress | None = None,
) -> tuple[pd.DataFrame | None, dict[str, Any]]:
    """The table (None where there is none) and the facts that `job` ("module:function") makes of foreign bytes.

    `progress` is told the fraction that is read; what it raises ends the reader and goes on. A `DataError` is the
    job's own, or says that the reader took too much memory or time, or died of the file.
    """
    _last.ending = None
    request = {"job": job, "options": options, "limits": asdict(limits)}
    try:
        try:
            answer = _listen(request, data, limits, progress)
        except NotStarted:  # the host was ended: another one is started
            answer = _listen(request, data, limits, progress)
    except NotStarted:
        raise InputError(
            "The process that reads files cannot be started. Close other programs and try again; if that does not "
            "help, install Diptych again."
        ) from None
    return answer.table(), answer.facts


def _listen(request: dict[str, Any], data: bytes, limits: Limits, progress: Progress | None) -> _Answer:
    """Take what the reader says until its end; raises the error with which it ends, `NotStarted` where its host did."""
    answer = _Answer()
    idle = None if progress is None else lambda: progress(answer.fraction)
    with READERS.worker() as worker:
        clock = PATIENCE * limits.seconds + 5
        worker.request(_ANSWER, data, request, limits.memory_bytes, limits.seconds, clock)
        try:
            for letter, content in worker.messages(limits.memory_bytes + MEGABYTE, idle):
                try:
                    answer.take(letter, content)
                except Exception:  # a reader that a file has led astray may say anything
                    raise Died from None
                if progress is not None and letter == PROGRESS:
                    progress(answer.fraction)
        except DeadlinePassed:
            _last.ending = worker.ending()
            raise too_slow(answer.kind, limits) from None
        except TooLong:
            worker.stop()
            _last.ending = worker.ending()
            raise out_of_memory(answer.kind, limits) from None
        except Refused as refused:
            _last.ending = worker.used
            raise _refusal(refused.error, answer.kind, limits) from None
        except Died:
            _last.ending = ending = worker.ending()
            if ending is None:
                raise NotStarted from None
            raise of_death(ending, answer.kind, limits) from None
        except BaseException:  # it was stopped, by whoever reads or since it said too much
            worker.stop()
            _last.ending = worker.ending()
            raise
        _last.ending = worker.used
    if progress is not None:
        progress(1.0)
    return answer


def _refusal(error: dict[str, Any], kind: str, limits: Limits) -> DataError:
    """The error with which a job ended, as a sentence."""
    if error.get("memory"):
        return out_of_memory(kind, limits)
    if "text" in error:
        row = error.get("row")
        return InputError(str(error["text"]), column=error.get("column"), row=int(row) if row is not None else None)
    return InputError(f"{UNFORESEEN} ({error.get('type')}). Open it in the program that made it and save it as CSV.")


def out_of_memory(kind: str, limits: Limits) -> DataError:
    """The sentence on a file that takes too much memory."""
    return InputError(
        f"Reading this {kind} takes more than the {limits.memory_bytes / MEGABYTE:,.0f} MB that one read may use. "
        f"{remedy(kind)}"
    )


def too_slow(kind: str, limits: Limits) -> DataError:
    """The sentence on a file that takes too long."""
    return InputError(f"Reading this {kind} takes more than {limits.seconds:,} seconds. {remedy(kind)}")


def of_death(ending: Ending, kind: str, limits: Limits) -> DataError:
    """The sentence on a reader that ended without an answer."""
    if ending.code == -getattr(signal, "SIGXCPU", 0) and ending.code:
        return too_slow(kind, limits)
    if ending.code == -getattr(signal, "SIGKILL", 0) and ending.code:  # by the system or by a person: neither says why
        return InputError(f"The process that read this {kind} was killed from outside. Try again. {remedy(kind)}")
    if any(words in ending.words for words in _OUT_OF_MEMORY):
        return out_of_memory(kind, limits)
    return InputError(
        f"This {kind} ended its reader: it is damaged, or of a version that is not known. "
        "Open it in the program that made it and save it again, or save it as CSV."
    )
