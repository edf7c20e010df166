"""The process that forks workers: it has one thread and the libraries loaded, so that a worker begins at once."""

from __future__ import annotations

import gc
import json
import os
import selectors
import signal
import socket
import time
from contextlib import suppress
from dataclasses import dataclass

from engine.worker.channel import PEAK_UNIT, Channel, named, work

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
