"""In the process that works: the line to the program, the limits, one call, and how it ended."""

from __future__ import annotations

import gc
import importlib
import json
import os
import selectors
import signal
import socket
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
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
_STEP = 0.01
"""A rise that is said at once: what comes after it may be silent for long."""


class Channel:
    """The worker's end of the line to the program."""

    def __init__(self, file: BinaryIO, write: Callable[[Any], object]) -> None:
        self._file, self._write = file, write
        self._next_report, self._said = 0.0, 0.0

    def send(self, letter: bytes, content: Any) -> None:
        """One message of bytes."""
        self._write(HEAD.pack(letter, memoryview(content).nbytes))
        self._write(content)

    def send_json(self, letter: bytes, content: Any) -> None:
        """One message of JSON."""
        self.send(letter, json.dumps(content, default=int).encode())  # whole numbers of numpy are written as such

    def progress(self, fraction: float, words: str = "") -> None:
        """Tell how far the work is, from 0 to 1, where it rose by a hundredth, else at most twenty times a second."""
        now = time.monotonic()
        if now >= self._next_report or fraction >= self._said + _STEP:
            self._next_report, self._said = now + _BETWEEN_REPORTS, fraction
            try:
                self.send_json(PROGRESS, [float(fraction), str(words)])
            except OSError:
                raise Cancelled("The program is gone.") from None

    def receive(self) -> bytes:
        """The content of the next message of the program."""
        return self._read(HEAD.unpack(self._read(HEAD.size))[1])

    def receive_array(self) -> bytearray:
        """The same, to be changed in place."""
        content = bytearray(HEAD.unpack(self._read(HEAD.size))[1])
        rest = memoryview(content)
        while len(rest):
            got = self._file.readinto(rest)  # type: ignore[attr-defined]  # of every file that is read here
            if not got:
                raise EOFError
            rest = rest[got:]
        return content

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
        _restrict(request["memory_bytes"], request["seconds"], request["file_bytes"])
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


def _restrict(memory_bytes: int, seconds: int, file_bytes: int) -> None:
    """Bound what this process may take: memory beyond what it has, seconds of a processor, and files it may write."""
    with suppress(ImportError):  # Windows has no such limits
        import resource

        bounds = [(resource.RLIMIT_CPU, seconds), (resource.RLIMIT_FSIZE, file_bytes), (resource.RLIMIT_CORE, 0)]
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


_LAST_WORDS = 4096
_GRACE = 0.5
"""Seconds between the request to end and the order."""


def serve(control: socket.socket, warm: str, captures: bool) -> None:
    """Load what workers need, then fork them until the program is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the program, which then ends its workers
    named(warm)()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # from here on it may have workers, and ends when the program does
    gc.collect()
    gc.freeze()  # a collection in a worker must not copy every page
    _Forks(control, captures).serve()


@dataclass
class _Fork:
    """A worker as its host knows it: what it prints, where its end is told, and when it is killed."""

    printed: int
    ending: socket.socket
    killed_at: float = float("inf")


class _Forks:
    """Forks a worker for each request and tells how it ends.

    It hears from the program on one socket: a byte with two sockets of a new request, the worker's own and one for
    the ending. When the program ends, the socket does, and so does this process with all its workers.
    """

    def __init__(self, control: socket.socket, captures: bool) -> None:
        self.control, self.captures = control, captures
        self.ended, self.woken = socket.socketpair()
        self.ended.setblocking(False)
        self.woken.setblocking(False)
        self.watched = selectors.DefaultSelector()
        self.workers: dict[int, _Fork] = {}

    def serve(self) -> None:
        """Give each request to a worker; end those that are no longer wanted; tell how each ended."""
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self.woken.fileno(), warn_on_full_buffer=False)
        try:
            self._serve()
        finally:
            signal.set_wakeup_fd(-1)  # workers end later still, when what it would write to is closed

    def _serve(self) -> None:
        self.watched.register(self.control, selectors.EVENT_READ)
        self.watched.register(self.ended, selectors.EVENT_READ)
        while True:
            due = min((worker.killed_at for worker in self.workers.values()), default=float("inf"))
            for key, _ in self.watched.select(None if due == float("inf") else max(due - time.monotonic(), 0.0)):
                if key.fileobj is self.control:
                    if not self._take():
                        return
                elif key.fileobj is self.ended:
                    with suppress(BlockingIOError):
                        self.ended.recv(4096)
                    for pid in list(self.workers):
                        self._bury(pid)
                elif key.data in self.workers:  # the program has heard all, asks for the end, or has gone
                    self.watched.unregister(key.fileobj)
                    self.workers[key.data].killed_at = time.monotonic() + _GRACE
                    _signal_group(key.data, signal.SIGTERM)
            for pid, worker in self.workers.items():
                if worker.killed_at <= time.monotonic():
                    worker.killed_at = float("inf")
                    _signal_group(pid, signal.SIGKILL)

    def _take(self) -> bool:
        """Hand a request on; whether there was one, and not the end of the program."""
        _, handles, _, _ = socket.recv_fds(self.control, 1, 2)
        if len(handles) < 2:
            for pid in self.workers:
                _signal_group(pid, signal.SIGKILL)
            return False
        line, ending = (socket.socket(fileno=handle) for handle in handles)
        pid, printed = self._fork(line, ending)
        line.close()
        self.workers[pid] = _Fork(printed, ending)
        self.watched.register(ending, selectors.EVENT_READ, pid)
        return True

    def _fork(self, line: socket.socket, ending: socket.socket) -> tuple[int, int]:
        """A worker for this request: its process, and what it prints."""
        reading, printed = os.pipe()
        for end in (reading, printed):
            os.set_blocking(end, False)
        pid = os.fork()
        if pid == 0:
            try:
                os.setpgid(0, 0)  # so that the processes it starts end with it
                signal.set_wakeup_fd(-1)
                for sign in (signal.SIGCHLD, signal.SIGTERM):
                    signal.signal(sign, signal.SIG_DFL)
                if self.captures:
                    os.dup2(printed, 2)
                os.close(printed)
                os.close(reading)
                for mine in (self.control, self.ended, self.woken, self.watched, ending):
                    mine.close()
                for worker in self.workers.values():
                    worker.ending.close()
                    os.close(worker.printed)
                work(Channel(line.makefile("rb"), line.sendall))
            except BaseException:  # whatever happens, this copy of the host ends here
                os._exit(70)
            os._exit(0)
        with suppress(OSError):  # it has done so itself, or is gone
            os.setpgid(pid, pid)
        os.close(printed)
        return pid, reading

    def _bury(self, pid: int) -> None:
        """When this worker has ended: say of what, and what it used."""
        done, status, used = os.wait4(pid, os.WNOHANG)
        if not done:
            return
        worker = self.workers.pop(pid)
        words = b""
        with suppress(BlockingIOError):
            words = os.read(worker.printed, _LAST_WORDS)
        os.close(worker.printed)
        ending = {
            "code": os.waitstatus_to_exitcode(status),
            "cpu_seconds": used.ru_utime + used.ru_stime,
            "peak_bytes": used.ru_maxrss * PEAK_UNIT,
            "words": words.decode("utf-8", "replace"),
        }
        with suppress(OSError):
            worker.ending.sendall(json.dumps(ending).encode())
        with suppress(KeyError, ValueError):
            self.watched.unregister(worker.ending)
        worker.ending.close()


def _signal_group(pid: int, sign: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.killpg(pid, sign)
