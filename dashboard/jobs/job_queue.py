"""The jobs of one session, remembered by what they compute; and the one runner of this server."""

from __future__ import annotations

import importlib
import os
import threading
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

from dashboard.jobs.runner import PROCESSES, Budget, Job, JobRunner
from dashboard.server.log import log_action, subject_of
from dashboard.server.memory import memory
from engine import DataError, Dataset, read_table
from engine.data.reading.foreign import last_read
from engine.words import duration

if TYPE_CHECKING:
    import pandas as pd

Value = TypeVar("Value")
REMEMBERED = 16
"""Finished jobs one session keeps; the oldest goes first."""
MOST_OPENED = 10
"""Pages of a server whose answers are computed at a time since they were opened; further ones have their button."""


class JobQueue:
    """The jobs of one session: a job asked for twice is computed once, and all end with the session.

    Attributes
    ----------
    owner : whose they are, for taking turns and for what one user may take
    """

    def __init__(self, runner: JobRunner, remembered: int = REMEMBERED) -> None:
        self.runner = runner
        self.remembered = remembered
        self._jobs: OrderedDict[Hashable, Job] = OrderedDict()
        self._latest: dict[str, Job] = {}
        self.owner: Hashable = id(self)
        self._finalizer = weakref.finalize(self, _cancel_all, self._jobs)

    def start(
        self,
        key: Hashable,
        function: Callable[..., Any],
        *args: Any,
        place: str = "",
        quiet: bool = False,
        opened: bool = False,
        budget: Budget | None = None,
    ) -> Job:
        """The job of this key: one that runs or is done already, else a new one.

        Parameters
        ----------
        place : where on the pages it was asked for; what still runs for the same place is withdrawn
        quiet : nobody pressed a button for it; it lets others go first
        opened : nobody did either, but its page was opened and waits for it
        budget : what its process may take; None for as much as there is
        """
        earlier = self._latest.get(place) if place else None
        job = self.get(key)
        anew = job is None or job.state in ("failed", "cancelled")
        refusal = self.refusal() if anew else ""
        if earlier is not None and earlier.key != key and not refusal:
            self.withdraw(earlier)
        if job is None or anew:
            if refusal:
                log_action("refusal", "limit")
                job = self.runner.refuse(key, refusal)
            else:
                subject = subject_of(next((item for item in args if isinstance(item, Dataset)), None))
                job = self.runner.submit(
                    key,
                    function,
                    args,
                    owner=self.owner,
                    quiet=quiet,
                    opened=opened,
                    budget=budget,
                    subject=subject,
                )
            self._jobs[key] = job
        if place and not refusal:
            self._latest[place] = job
        self._jobs.move_to_end(key)
        old = [entry for entry, other in self._jobs.items() if not other.active]
        for item in old[: max(0, len(self._jobs) - self.remembered)]:
            del self._jobs[item]
        return job

    @property
    def has_room(self) -> bool:
        """True where a page may have its answer computed without a press: within its user's limits and the server's."""
        return self.runner.opened < MOST_OPENED and not self.refusal()

    def refusal(self) -> str:
        """Why this user may begin no job now; "" where one may begin."""
        limits = memory().limits
        if limits is None:
            return ""
        if self.runner.active(self.owner) >= limits.jobs:
            return (
                f"You have {limits.jobs} analyses running or waiting, which is the limit. "
                "Wait until one has ended, or cancel one."
            )
        return self._spent_all()

    def _spent_all(self) -> str:
        """Why nothing more is computed for this user for a while; "" where something is."""
        limits = memory().limits
        if limits is None or self.runner.spent(self.owner) < limits.cpu_seconds:
            return ""
        return (
            f"Your tables and analyses have taken the {duration(limits.cpu_seconds)} of a processor that each user has "
            f"an hour. Try again in {duration(max(self.runner.spending.free_in(self.owner), 60.0))}."
        )

    def read_table(self, content: bytes, **options: Any) -> pd.DataFrame:
        """`engine.read_table`; what its reader costs counts as a job does. `DataError` where all is spent."""
        self._refuse_spent()
        try:
            return read_table(content, **options)
        finally:
            used = last_read()
            self.runner.spend(self.owner, used.cpu_seconds if used is not None else 0.0)

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count what this thread does within as a job: a file that is read or made. `DataError` as above."""
        self._refuse_spent()
        begun = time.thread_time()
        try:
            yield
        finally:
            self.runner.spend(self.owner, time.thread_time() - begun)

    def _refuse_spent(self) -> None:
        if refusal := self._spent_all():
            log_action("refusal", "limit")
            raise DataError(refusal)

    def run(self, method: Any, data: Any) -> Job:
        """Start `method.run(data, progress=...)`, or return the job that already did."""
        return self.start(method_key(method, data), method.run, data)

    def get(self, key: Hashable) -> Job | None:
        return self._jobs.get(key)

    def result(self, key: Hashable) -> Any | None:
        """Return what the job of this key gave; None before it is done, or where there is none."""
        job = self.get(key)
        return None if job is None else job.result

    def forget(self, key: Hashable) -> None:
        """Hold no job of this key any more, nor what it gave."""
        self._jobs.pop(key, None)
        self._latest = {place: job for place, job in self._latest.items() if job.key != key}

    def withdraw(self, job: Job) -> None:
        """End a job that its reader has not stopped: asked for again, it begins anew."""
        if job.active:
            job.cancel()
            self.forget(job.key)

    def close(self) -> None:
        """Cancel what still runs and forget every result."""
        _cancel_all(self._jobs)
        self._jobs.clear()
        self._latest.clear()

    @property
    def active(self) -> int:
        """Number of jobs that run or wait."""
        return sum(job.active for job in list(self._jobs.values()))


def method_key(method: Any, data: Any, *more: Any) -> tuple[str, ...]:
    """Key of a run: the data to the last code and number, every setting, and what else `run` takes."""
    kind = type(method)
    settings = f"{kind.__module__}.{kind.__qualname__}", repr(method)
    return data.fingerprint, data.numbers_digest, *settings, *map(repr, more)


def _cancel_all(jobs: OrderedDict[Hashable, Job]) -> None:
    for job in list(jobs.values()):
        job.cancel()


_runner: JobRunner | None = None
_runner_lock = threading.Lock()


def server_runner(limit: int | None = None) -> JobRunner:
    """The one runner of this server; `limit` counts only for the call that makes it."""
    global _runner
    with _runner_lock:
        if _runner is None:
            _runner = JobRunner(limit if limit is not None else default_limit())
        return _runner


def default_limit() -> int:
    return max(1, (os.cpu_count() or 2) - 1)


def warm_up(limit: int | None = None) -> None:
    """Make the runner and let engine and kernels load in the background; returns at once."""
    runner = server_runner(limit)
    if PROCESSES.forks:
        PROCESSES.start()
    else:
        runner.submit("warm-up", _warm)


def _warm(progress: Any = None) -> None:
    """Warm up, in a job: by name, since the server imports this file."""
    importlib.import_module("dashboard.jobs.process").warm()


def timed(function: Callable[[], Value]) -> tuple[Value, float]:
    """Call a function and time it here, for those who would rather not wait for a job."""
    start = time.perf_counter()
    result = function()
    return result, time.perf_counter() - start
