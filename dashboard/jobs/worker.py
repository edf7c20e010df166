"""What runs inside a job's own process: one call, progress and result sent back over a pipe.

What such a process needs is loaded beforehand, see `dashboard.jobs.preload`.
"""

from __future__ import annotations

import importlib
import os
import threading
import time
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from typing import Any

from threadpoolctl import threadpool_limits

from dashboard.server.faults import trace
from engine import execution
from engine.errors import Cancelled, DiptychError

PAUSE_BETWEEN_MESSAGES = 0.05
"""Seconds; a callback that is called a million times must not drown the pipe."""


def run(connection: Connection, threads: Any) -> None:
    """Receive `(function, args)`, call it with `progress=`, send what became of it, end.

    Parameters
    ----------
    connection : to the runner
    threads : its `value` is how many threads the work may use at any moment; the runner changes it
    """
    _lead_own_group()
    execution.follow(lambda: int(threads.value))
    threadpool_limits(1, user_api="blas")  # it would take all cores, whatever the others do; the engine shares its work
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        function, args = connection.recv()
        connection.send(("began",))
        outcome: tuple[Any, ...] = ("done", function(*args, progress=_Reporter(connection)))
    except Cancelled:
        outcome = ("cancelled",)
    except DiptychError as error:
        outcome = ("refused", str(error))
    except BaseException as fault:
        outcome = ("fault", trace(fault))
    try:
        connection.send(outcome)
    except OSError:
        return  # nobody listens any more
    except Exception as fault:  # a result that cannot be pickled
        connection.send(("fault", trace(fault)))


class _Reporter:
    """The progress callback of a job."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._next = 0.0

    def __call__(self, fraction: float, words: str = "") -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + PAUSE_BETWEEN_MESSAGES
        try:
            self._connection.send(("progress", float(fraction), str(words)))
        except OSError:
            raise Cancelled("The dashboard is gone.") from None


def _lead_own_group() -> None:
    """Become leader of a process group, so that stopping the job also stops workers it has started."""
    if hasattr(os, "setpgid"):
        os.setpgid(0, 0)


def _end_with_parent() -> None:
    """A job must not outlive the server that would show its result."""
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def warm(progress: Any = None) -> None:
    """Load what any job needs, where processes are not forked; by name, since the server imports this file."""
    importlib.import_module("dashboard.jobs.preload").warm()
