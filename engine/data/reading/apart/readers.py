"""The processes that read: forked by the resident one where the system can, else started anew for each request."""

from __future__ import annotations

import atexit
import json
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from engine.data.reading.apart.deaths import Verdict, not_started

_SETTINGS = {
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # the others reserve more address space than a reader may have
    "JE_ARROW_MALLOC_CONF": "background_thread:false",  # a fork must have one thread only
    "MALLOC_MMAP_THRESHOLD_": "4294967296",  # what one step gives back is there for the next: a reader lives for one
    "MALLOC_TRIM_THRESHOLD_": "4294967296",  # table, and fresh pages were a quarter of its time
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
}
_RESIDENT = (
    "import sys, json, socket; sys.path[:] = json.loads(sys.argv[1]); "
    "from engine.data.reading.apart.resident import main; main(socket.socket(fileno=int(sys.argv[2])))"
)
_ALONE = (
    "import sys, json; sys.path[:] = json.loads(sys.argv[1]); "
    "from engine.data.reading.apart.child import alone; alone()"
)
_ROOM = 1 << 22
"""Bytes that may be under way: with less, the two sides of a large table wake each other all the time."""
_LAST_WORDS_WITHIN = 10.0
"""Seconds that a reader which has said everything may take to end."""


class Gone(Exception):
    """The reader has ended in the middle of its answer."""


class Late(Exception):
    """The reader has taken too long."""


class Forked:
    """A reader that the resident process has forked."""

    def __init__(self, talk: socket.socket, verdict: socket.socket) -> None:
        self._talk, self._verdict = talk, verdict
        self.deadline = 0.0

    def write(self, content: Any) -> None:
        """Send all of it."""
        self._talk.settimeout(self._left())
        try:
            self._talk.sendall(content)
        except TimeoutError:
            raise Late from None
        except OSError:
            raise Gone from None

    def into(self, place: np.ndarray, tick: float | None) -> int:
        """Fill `place` as far as there are bytes; 0 when none came within `tick` seconds."""
        left = self._left()
        self._talk.settimeout(left if tick is None else min(tick, left))
        try:
            got = self._talk.recv_into(place.data)
        except TimeoutError:
            if tick is None:
                raise Late from None
            return 0
        except OSError:
            raise Gone from None
        if not got:
            raise Gone
        return got

    def verdict(self) -> Verdict | None:
        """How it ended, which is waited for; None when the resident process did not live to tell."""
        self._verdict.settimeout(_LAST_WORDS_WITHIN)
        words = b""
        with suppress(OSError):
            while piece := self._verdict.recv(1 << 16):
                words += piece
        return Verdict(**json.loads(words)) if words else None

    def end(self) -> None:
        """Whether it has finished or not: the resident process ends it when it sees this side closed."""
        self._talk.close()
        self._verdict.close()

    def _left(self) -> float:
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise Late
        return left


class Fresh:
    """A reader in a process started for it alone: slower, but every system can."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", "-c", _ALONE, _search_path()],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_SETTINGS},
        )
        self._pipe_in: Any = self._process.stdin
        self._pipe_out: Any = self._process.stdout
        self._late = False
        self._timer: threading.Timer | None = None
        self.deadline = 0.0

    def write(self, content: Any) -> None:
        """Send all of it."""
        if self._timer is None:
            self._timer = threading.Timer(max(self.deadline - time.monotonic(), 0), self._out_of_time)
            self._timer.daemon = True
            self._timer.start()
        try:
            self._pipe_in.write(content)
            self._pipe_in.flush()
        except OSError:
            raise Gone from None

    def into(self, place: np.ndarray, tick: float | None) -> int:
        """Fill `place` as far as there are bytes."""
        got = self._pipe_out.readinto1(place.data)
        if not got:
            raise Late if self._late else Gone
        return int(got)

    def verdict(self) -> Verdict:
        """How it ended; what it used is not known."""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LAST_WORDS_WITHIN)
        return Verdict(code=self._process.returncode or 0)

    def end(self) -> None:
        """Whether it has finished or not."""
        if self._timer is not None:
            self._timer.cancel()
        self._process.kill()
        with suppress(OSError):
            self._process.communicate()

    def _out_of_time(self) -> None:
        self._late = True
        self._process.kill()


class _Resident:
    """The resident process of this program, if there is one."""

    def __init__(self) -> None:
        self._begin()

    def forget(self) -> None:
        """Begin anew: a fork of the program must not speak to the resident process of its parent."""
        if self.process is not None:
            self.process.returncode = 0  # it is not this process's child, and nothing to wait for
        if self.control is not None:
            self.control.close()
        self._begin()

    def _begin(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        self.control: socket.socket | None = None

    def ask(self) -> Forked:
        """A new reader; the resident process is started first where there is none, or has been ended."""
        talk, theirs = socket.socketpair()
        for end in (talk, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _ROOM)
        verdict, told = socket.socketpair()
        with theirs, told:
            handles = [theirs.fileno(), told.fileno()]
            with self.lock:
                for attempt in range(2):
                    try:
                        socket.send_fds(self._running(), [b"r"], handles)
                        return Forked(talk, verdict)
                    except OSError:
                        self.stop()
                        if attempt:
                            talk.close()
                            verdict.close()
                            raise not_started() from None
        raise AssertionError

    def _running(self) -> socket.socket:
        if self.control is not None and self.process is not None and self.process.poll() is None:
            return self.control
        self.stop()
        self.control, theirs = socket.socketpair()
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603
                [sys.executable, "-P", "-c", _RESIDENT, _search_path(), str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                env={**os.environ, **_SETTINGS},
            )
        return self.control

    def stop(self) -> None:
        """End it; the next request starts another."""
        if self.control is not None:
            self.control.close()  # it then ends its readers, and itself
        if self.process is not None:
            try:
                self.process.wait(_LAST_WORDS_WITHIN)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.control = self.process = None


_RESIDENT_PROCESS = _Resident()
atexit.register(_RESIDENT_PROCESS.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_RESIDENT_PROCESS.forget)


def resident_reader() -> Forked:
    """A reader forked by the resident process."""
    return _RESIDENT_PROCESS.ask()


def start() -> None:
    """Start the resident process, so that it loads its libraries while something else is done."""
    if hasattr(os, "fork"):
        resident_reader().end()


def _search_path() -> str:
    """Where modules are found here, so that the package is the same one, installed or in its checkout."""
    return json.dumps([str(Path(one).absolute()) for one in sys.path])
