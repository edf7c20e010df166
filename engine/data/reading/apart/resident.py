"""The resident process: it has the libraries loaded, has one thread, and forks a reader for every request.

It hears from the program on one socket: a byte with two sockets of a new request, the reader's own and one for the
verdict. When the program ends, the socket does, and so does this process with all its readers.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import selectors
import signal
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from engine.data.reading.apart import child

PARSE = "engine.data.reading.parse"
PRELOADED = (
    "numpy", "pandas", "pyarrow", "pyarrow.compute", "pyarrow.csv", "pyarrow.parquet", "python_calamine", "pyreadstat",
)  # fmt: skip
"""By name: what is loaded here belongs to the readers, and the readers' code does not load it for the program."""
LONGEST_LAST_WORDS = 4096


@dataclass
class Reader:
    """A reader: what it prints, and where its end is told."""

    printed: int
    verdict: socket.socket


def main(control: socket.socket) -> None:
    """Load what readers need, then fork them until the program is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is meant for the program, which then kills its readers
    for name in PRELOADED:
        importlib.import_module(name)
    importlib.import_module(PARSE).warm()
    gc.collect()
    gc.freeze()  # a collection in a reader must not copy every page
    _Resident(control).serve()


class _Resident:
    """Forks a reader for each request and tells how it ends."""

    def __init__(self, control: socket.socket) -> None:
        self.control = control
        self.ended, self.woken = socket.socketpair()
        self.ended.setblocking(False)
        self.woken.setblocking(False)
        self.watched = selectors.DefaultSelector()
        self.readers: dict[int, Reader] = {}

    def serve(self) -> None:
        """Give each request to a reader; tell how each ends."""
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self.woken.fileno(), warn_on_full_buffer=False)
        self.watched.register(self.control, selectors.EVENT_READ)
        self.watched.register(self.ended, selectors.EVENT_READ)
        while True:
            for key, _ in self.watched.select():
                if key.fileobj is self.control:
                    if not self._take():
                        return
                elif key.fileobj is self.ended:
                    with suppress(BlockingIOError):
                        self.ended.recv(4096)
                    for pid in list(self.readers):
                        self._bury(pid)
                elif key.data in self.readers:  # the program has heard all, asks for the end, or has gone
                    self.watched.unregister(key.fileobj)
                    os.kill(key.data, signal.SIGKILL)

    def _take(self) -> bool:
        """Hand a request on; whether there was one, and not the end of the program."""
        _, handles, _, _ = socket.recv_fds(self.control, 1, 2)
        if len(handles) < 2:
            for pid in self.readers:
                os.kill(pid, signal.SIGKILL)
            return False
        talk, verdict = (socket.socket(fileno=handle) for handle in handles)
        pid, printed = self._fork(talk, verdict)
        talk.close()
        self.readers[pid] = Reader(printed, verdict)
        self.watched.register(verdict, selectors.EVENT_READ, pid)
        return True

    def _fork(self, talk: socket.socket, verdict: socket.socket) -> tuple[int, int]:
        """A reader of this request: its process, and what it prints."""
        heard, printed = os.pipe()
        for end in (heard, printed):
            os.set_blocking(end, False)
        pid = os.fork()
        if pid == 0:
            try:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                gc.disable()  # it would touch, and so copy, what is shared; a reader does not live long
                os.dup2(printed, 2)
                os.close(printed)
                os.close(heard)
                for one in (self.control, self.ended, self.woken, self.watched, verdict):
                    one.close()
                for reader in self.readers.values():
                    reader.verdict.close()
                child.answer(lambda length: _received(talk, length), talk.sendall)
            except BaseException:  # whatever happens, this copy of the resident process ends here
                os._exit(70)
            os._exit(0)
        os.close(printed)
        return pid, heard

    def _bury(self, pid: int) -> None:
        """When this reader has ended: say of what, and what it used."""
        done, status, used = os.wait4(pid, os.WNOHANG)
        if not done:
            return
        reader = self.readers.pop(pid)
        words = b""
        with suppress(BlockingIOError):
            words = os.read(reader.printed, LONGEST_LAST_WORDS)
        os.close(reader.printed)
        with suppress(OSError):
            reader.verdict.sendall(_verdict(status, used, words.decode("utf-8", "replace")))
        with suppress(KeyError, ValueError):
            self.watched.unregister(reader.verdict)
        reader.verdict.close()


def _received(talk: socket.socket, length: int) -> bytes:
    data = talk.recv(length, socket.MSG_WAITALL) if length else b""
    if len(data) < length:  # the program has gone, or a signal came between
        more = bytearray(data)
        while len(more) < length:
            piece = talk.recv(min(length - len(more), 1 << 20))
            if not piece:
                raise EOFError
            more += piece
        return bytes(more)
    return data


def _verdict(status: int, used: Any, words: str) -> bytes:
    return json.dumps(
        {
            "code": os.waitstatus_to_exitcode(status),
            "cpu_seconds": used.ru_utime + used.ru_stime,
            "peak_bytes": used.ru_maxrss * child.PEAK_UNIT,
            "words": words,
        }
    ).encode()
