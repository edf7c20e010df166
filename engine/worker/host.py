"""In the program: what forks workers, one worker, and the ways in which it ends."""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.worker.channel import DONE, ERROR, HEAD, REQUEST

_IDLE = 0.1
"""Seconds between two calls of a callback that may want to stop the work."""
_LAST_WORDS_WITHIN = 10.0
"""Seconds that a worker which has said everything may take to end."""
_UNDER_WAY = 1 << 22
"""Bytes that may be under way: with less, the two sides of a large table wake each other all the time."""
_FORKS = hasattr(os, "fork")


class Died(Exception):
    """The worker has ended in the middle of its answer."""


class DeadlinePassed(Exception):
    """The worker has taken too long on the clock."""


class TooLong(Exception):
    """The worker wants to say more than it may."""


class NotStarted(Exception):
    """No worker comes to life on this computer."""


class Refused(Exception):
    """The work raised an error; `error` holds what the worker said of it, see `_described`."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__()
        self.error = error


@dataclass(frozen=True)
class Ending:
    """The end of a worker, and what it used.

    `code` is 0, the number it left with, or minus the signal that ended it; `peak_bytes` counts the libraries that it
    began with (some 200 MB); `words` is what it printed last.
    """

    code: int = 0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    words: str = ""


class Worker:
    """The program's end of the line to a worker that a host has forked."""

    _expired = False
    _timer: threading.Timer | None = None
    used = Ending()

    def __init__(self, line: socket.socket, ending: socket.socket) -> None:
        self._line, self._ending = line, ending

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def request(
        self,
        function: str,
        data: bytes,
        options: Mapping[str, Any],
        memory_bytes: int | None = None,
        seconds: int | None = None,
        clock: float | None = None,
        file_bytes: int = 0,
    ) -> None:
        """Ask for `function(data, options, channel)` within so much memory, processor time and seconds on the clock.

        Where memory is bounded, `file_bytes` are what a file may have that is written.
        """
        if clock is not None:
            self._timer = threading.Timer(max(clock, 0.0), self._expire)
            self._timer.daemon = True
            self._timer.start()
        limits = {"memory_bytes": memory_bytes, "seconds": seconds, "file_bytes": file_bytes}
        request = {"function": function, "options": options, **limits}
        self.send(json.dumps(request).encode())
        self.send(data)

    def send(self, content: bytes | memoryview) -> None:
        """One more message; a worker that has gone meanwhile may have said why, so that is not an end yet."""
        with suppress(OSError):
            self._write(HEAD.pack(REQUEST, len(content)))
            self._write(content)

    def messages(
        self, most: int | None = None, idle: Callable[[], object] | None = None
    ) -> Iterator[tuple[bytes, bytearray]]:
        """What the worker says (letter, content) until its work is done.

        `most` bytes are taken in all. While nothing comes `idle` is called; what it raises goes on. Raises `Refused`,
        `Died`, `DeadlinePassed` or `TooLong`.
        """
        left = most
        while True:
            letter, length = HEAD.unpack(self._awaited(HEAD.size, idle))
            if left is not None:
                left -= length
                if left < 0:
                    raise TooLong
            content = self._awaited(length, idle)
            if letter not in (ERROR, DONE):
                yield letter, content
                continue
            try:
                facts = dict(json.loads(content))
                self.used = Ending(**(facts if letter == DONE else facts["used"]))
            except Exception:  # a worker that a file has led astray may say anything
                raise Died from None
            if letter == ERROR:
                raise Refused(facts)
            return

    def ending(self) -> Ending | None:
        """Wait for its end and tell how it was; None when its host did not live to tell."""
        self._ending.settimeout(_LAST_WORDS_WITHIN)
        words = b""
        with suppress(OSError):
            while piece := self._ending.recv(1 << 16):
                words += piece
        return Ending(**json.loads(words)) if words else None

    def stop(self) -> None:
        """End it now, from any thread; whoever listens to it hears that it died."""
        with suppress(OSError):
            self._ending.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        """Whether it has finished or not: its host ends it when it sees this side closed."""
        if self._timer is not None:
            self._timer.cancel()
        self._line.close()
        self._ending.close()

    def _expire(self) -> None:
        self._expired = True
        self.stop()

    def _awaited(self, length: int, idle: Callable[[], object] | None) -> bytearray:
        content = bytearray(length)
        rest = memoryview(content)
        while len(rest):
            try:
                got = self._read_into(rest, None if idle is None else _IDLE)
            except TimeoutError:
                if idle is not None:
                    idle()
                continue
            except OSError:
                got = 0
            if not got:
                raise DeadlinePassed if self._expired else Died
            rest = rest[got:]
        return content

    def _write(self, content: bytes | memoryview) -> None:
        self._line.settimeout(None)
        self._line.sendall(content)

    def _read_into(self, place: memoryview, seconds: float | None) -> int:
        self._line.settimeout(seconds)
        return self._line.recv_into(place)


class _LoneWorker(Worker):
    """A worker in a process started for it alone: slower, but every system can."""

    def __init__(self, host: Host) -> None:
        self._process = host.begin(_ALONE, [], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._pipe_in: Any = self._process.stdin
        self._pipe_out: Any = self._process.stdout

    def ending(self) -> Ending:
        """How it ended; what it used is not known."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_WORDS_WITHIN)
        return Ending(code=self._process.returncode or 0)

    def stop(self) -> None:
        """End it now."""
        self._process.kill()

    def close(self) -> None:
        """Whether it has finished or not."""
        if self._timer is not None:
            self._timer.cancel()
        self._process.kill()
        with suppress(OSError):
            self._process.communicate()

    def _write(self, content: bytes | memoryview) -> None:
        self._pipe_in.write(content)
        self._pipe_in.flush()

    def _read_into(self, place: memoryview, seconds: float | None) -> int:
        return int(self._pipe_out.readinto1(place))


class Host:
    """The process that forks workers, with libraries loaded, started when it is first needed.

    Parameters
    ----------
    warm : "module:function" that loads what its workers need, and starts no thread
    environment : of its process, beyond the program's own
    captures : what its workers print is kept for `Ending.words`, not shown
    """

    def __init__(self, warm: str, environment: Mapping[str, str], captures: bool) -> None:
        self.warm, self.environment, self.captures = warm, environment, captures
        self.forks = _FORKS
        self._begin()
        atexit.register(self.stop)
        if _FORKS:
            os.register_at_fork(after_in_child=self._forget)

    def _begin(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self.control: socket.socket | None = None

    def _forget(self) -> None:
        """Begin afresh: a fork of the program must not speak to the host of its parent."""
        if self.process is not None:
            self.process.returncode = 0  # it is not this process's child, and nothing to wait for
        if self.control is not None:
            self.control.close()
        self._begin()

    def start(self) -> None:
        """Start the process, so that it loads its libraries while something else is done."""
        if self.forks:
            with self.lock:
                self._running()

    def worker(self) -> Worker:
        """A new worker; the host is started first where it does not run. Raises `NotStarted`."""
        if not self.forks:
            return _LoneWorker(self)
        line, theirs = socket.socketpair()
        for end in (line, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _UNDER_WAY)
        ending, reader = socket.socketpair()
        with theirs, reader, self.lock:
            for _ in range(2):
                try:
                    socket.send_fds(self._running(), [b"r"], [theirs.fileno(), reader.fileno()])
                    return Worker(line, ending)
                except OSError:
                    self.stop()
        line.close()
        ending.close()
        raise NotStarted

    def _running(self) -> socket.socket:
        if self.control is not None and self.process is not None and self.process.poll() is None:
            return self.control
        self.stop()
        self.control, theirs = socket.socketpair()
        output = subprocess.DEVNULL if self.captures else None
        with theirs:
            handle = theirs.fileno()
            arguments = [str(handle), self.warm, str(self.captures)]
            self.process = self.begin(_HOST, arguments, stdin=subprocess.DEVNULL, stdout=output, pass_fds=[handle])
        return self.control

    def begin(self, code: str, arguments: list[str], **streams: Any) -> subprocess.Popen[bytes]:
        """A process that runs a line of Python with the modules of this one; what it prints of errors as `captures`."""
        path = json.dumps([str(Path(folder).absolute()) for folder in sys.path])
        return subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", "-c", code, path, *arguments],
            stderr=subprocess.DEVNULL if self.captures else None,
            env={**os.environ, **self.environment},
            **streams,
        )

    def stop(self) -> None:
        """End it; the next request starts another."""
        if self.control is not None:
            self.control.close()  # it then ends its workers, and itself
        if self.process is not None:
            self.process.terminate()  # while it still loads
            try:
                self.process.wait(_LAST_WORDS_WITHIN)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.control = self.process = None


_HOST = (
    "import sys, json, socket; sys.path[:] = json.loads(sys.argv[1]); from engine.worker.channel import serve; "
    "serve(socket.socket(fileno=int(sys.argv[2])), sys.argv[3], sys.argv[4] == 'True')"
)
_ALONE = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from engine.worker.channel import work_alone; work_alone()"
)
