"""Long work outside the web process: one process a job, progress, cancel, a queue.

Nothing here knows Streamlit; `dashboard.views.shared.running` draws a job on a page.
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from multiprocessing import spawn
from multiprocessing.connection import Connection, wait
from typing import Any, Literal

from dashboard.jobs import worker as job_worker
from dashboard.jobs.turns import LANE_SECONDS, Turns
from dashboard.server.faults import report_trace
from engine import execution
from engine.errors import SettingsError

State = Literal["queued", "running", "done", "failed", "cancelled"]

PROCESS_NAME = "diptych-job"

_CRASHED = (
    "The analysis stopped without an answer: its process ended unexpectedly{why}. "
    "Nothing else is affected. Try it with fewer variables or rows; if that works, memory was the reason."
)


@dataclass(eq=False)
class Job:
    """One piece of work; every field may be read at any time from any thread.

    Attributes
    ----------
    key : what the work is, for the cache
    state : "queued", "running", "done", "failed" or "cancelled"
    fraction, words : the progress reported last
    result : what the function returned, when done
    error : the sentence to show, when failed
    threads : its `value` is how many the job may use at this moment; its process sees it change
    owner : the session it belongs to, for taking turns
    quiet : nobody pressed a button for it
    lane : it runs in the place that is kept for short work, see `dashboard.jobs.turns`
    began : when its process was ready and the work began
    first, last : when something was done first and last, and the fraction then
    """

    key: Hashable
    payload: bytes | None
    runner: JobRunner
    threads: Any
    owner: Hashable = None
    quiet: bool = False
    lane: bool = False
    state: State = "queued"
    fraction: float = 0.0
    words: str = ""
    result: Any = None
    error: str | None = None
    started: float | None = None
    ended: float | None = None
    process: Any = None
    began: float | None = None
    first: tuple[float, float] | None = None
    last: tuple[float, float] | None = None
    finished: threading.Event = field(default_factory=threading.Event)

    @property
    def active(self) -> bool:
        return self.state in ("queued", "running")

    @property
    def elapsed(self) -> float:
        """Seconds since the process started; 0 while queued."""
        if self.started is None:
            return 0.0
        return (time.monotonic() if self.ended is None else self.ended) - self.started

    @property
    def worked(self) -> float:
        """Seconds since the work began, without those that its process took to start."""
        begun = self.started if self.began is None else self.began
        return (
            max(self.elapsed - (begun - self.started), 0.0) if self.started is not None and begun is not None else 0.0
        )

    @property
    def seconds_left(self) -> float | None:
        """Estimate from the pace since something was done first; None while there is too little to tell.

        Starting the process and loading what it needs is no part of the pace.
        """
        if self.state != "running" or self.fraction < 0.02 or self.elapsed < 1.0:
            return None
        if self.first is None or self.last is None or self.last[1] <= self.first[1]:
            return self.elapsed * (1.0 - self.fraction) / self.fraction
        (begun, before), (then, now) = self.first, self.last
        rest = (then - begun) * (1.0 - now) / (now - before)
        return max(rest - (time.monotonic() - then), 0.0)

    @property
    def queue_position(self) -> int | None:
        """1 for the job that starts next, None when it is not waiting."""
        return self.runner.position(self)

    def cancel(self) -> None:
        """Stop the work now; its process is dead within two seconds."""
        self.runner.cancel(self)

    def wait(self, seconds: float | None = None) -> bool:
        """Block until the job has ended one way or another; False when `seconds` ran out first."""
        return self.finished.wait(seconds)


class JobRunner:
    """Starts at most `limit` job processes at a time, and one in the lane; the others wait, see `Turns`.

    The jobs that run divide the processors: one that is alone has all of them, and gives way when another begins.

    Parameters
    ----------
    limit : jobs that run at a time, the lane not counted
    cores : processors to be divided; None for what this process may use, see `engine.execution.threads`
    """

    def __init__(self, limit: int, cores: int | None = None) -> None:
        if limit < 1:
            raise SettingsError(f"jobs is {limit}; it must be at least 1.")
        self.limit = limit
        self.cores = execution.threads() if cores is None else cores
        self._context = _process_context()
        self._lock = threading.RLock()
        self._turns: Turns[Job] = Turns(limit)
        self._running: set[Job] = set()
        atexit.register(self.close)

    @property
    def start_method(self) -> str:
        """How processes begin on this system: "forkserver" or "spawn"."""
        return str(self._context.get_start_method())

    def submit(
        self,
        key: Hashable,
        function: Callable[..., Any],
        args: tuple[Any, ...] = (),
        *,
        owner: Hashable = None,
        quiet: bool = False,
    ) -> Job:
        """Queue `function(*args, progress=callback)`; both must be picklable, the function importable."""
        job = Job(key, _pickled((function, args)), self, self._context.RawValue("i", 1), owner, quiet)
        with self._lock:
            self._turns.add(job)
            self._start_waiting()
        return job

    def position(self, job: Job) -> int | None:
        """1 for the job that starts next, None when it is not waiting."""
        with self._lock:
            order = self._turns.order(self._running)
            return list(order).index(job) + 1 if job in order else None

    @property
    def processes(self) -> int:
        """How many jobs run."""
        return len(self._running)

    def cancel(self, job: Job) -> None:
        with self._lock:
            if not job.active:
                return
            job.state = "cancelled"  # from here on the supervisor takes no more messages
            if self._turns.drop(job):
                self._end(job)
            process = job.process
        if process is not None:
            _stop(process)

    def close(self) -> None:
        """Stop everything; for the end of the server."""
        with self._lock:
            jobs = [*self._turns.waiting, *self._running]
        for job in jobs:
            self.cancel(job)

    def _start_waiting(self) -> None:
        with self._lock:
            while (job := self._turns.next(self._running)) is not None:
                self._running.add(job)
                job.state, job.started = "running", time.monotonic()
                threading.Thread(target=self._supervise, args=(job,), daemon=True).start()
                if job.lane:  # whoever comes next may have the lane when this one turns out to be long
                    later = threading.Timer(LANE_SECONDS + 0.05, self._start_waiting)
                    later.daemon = True
                    later.start()
            self._divide()

    def _divide(self) -> None:
        """Tell every job how many threads it may use: equal parts, and what is left over to the oldest."""
        jobs = sorted(self._running, key=lambda job: (job.quiet, job.started))
        for place, job in enumerate(jobs):
            job.threads.value = max(1, self.cores // len(jobs) + (place < self.cores % len(jobs)))

    def _supervise(self, job: Job) -> None:
        ours, theirs = self._context.Pipe()
        try:
            process = self._context.Process(target=job_worker.run, args=(theirs, job.threads), name=PROCESS_NAME)
            process.start()
            theirs.close()
            with self._lock:
                job.process = process
            if job.state == "cancelled":  # between its place in the queue and its process
                _stop(process)
            self._converse(job, ours)
            process.join()
            if job.state == "running":
                self._settle(job, "failed", error=_CRASHED.format(why=_why(process.exitcode)))
        except Exception as fault:
            self._settle(job, "failed", error=report_trace(job_worker.trace(fault)))
        finally:
            ours.close()
            with self._lock:
                self._running.discard(job)
                self._end(job)
                self._start_waiting()

    def _converse(self, job: Job, pipe: Connection) -> None:
        """Send the work, take messages until the process has said its last."""
        try:
            pipe.send_bytes(job.payload or b"")
            job.payload = None
            while job.state == "running":
                wait([pipe, job.process.sentinel])
                if not pipe.poll():
                    return
                self._take(job, pipe.recv())
        except (OSError, EOFError):
            return  # the process is gone; its exit code says why

    def _take(self, job: Job, message: tuple[Any, ...]) -> None:
        kind, *content = message
        if kind == "began":
            job.began = time.monotonic()
        elif kind == "progress":
            fraction, words = content
            if fraction > job.fraction:
                job.last = time.monotonic(), min(fraction, 1.0)
                job.first = job.first or job.last
            job.fraction, job.words = min(max(fraction, job.fraction), 1.0), words
        elif kind == "done":
            self._settle(job, "done", result=content[0])
        elif kind == "refused":
            self._settle(job, "failed", error=content[0])
        elif kind == "cancelled":
            self._settle(job, "cancelled")
        else:
            self._settle(job, "failed", error=report_trace(content[0]))

    def _settle(self, job: Job, state: State, *, result: Any = None, error: str | None = None) -> None:
        with self._lock:
            if job.state == "running":
                job.result, job.error = result, error
                job.fraction = 1.0 if state == "done" else job.fraction
                job.state = state

    def _end(self, job: Job) -> None:
        job.ended = time.monotonic()
        job.payload = None
        job.finished.set()


def _process_context() -> Any:
    """Fork server where there is one, else spawn; neither runs the page script again in the child."""
    _keep_main_out_of_jobs()
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["dashboard.jobs.worker", "dashboard.jobs.preload"])
    return context


def _keep_main_out_of_jobs() -> None:
    """Stop multiprocessing from importing `__main__` in a job.

    Streamlit puts the page being drawn in its place, so each job would draw that page before it works.
    """
    original = spawn.get_preparation_data
    if getattr(original, "without_main", False):
        return

    def prepared(name: str) -> dict[str, Any]:
        data = original(name)
        if name.startswith(PROCESS_NAME):
            data.pop("init_main_from_name", None)
            data.pop("init_main_from_path", None)
        return data

    prepared.without_main = True  # type: ignore[attr-defined]
    spawn.get_preparation_data = prepared


def _pickled(work: tuple[Any, ...]) -> bytes:
    from multiprocessing.reduction import ForkingPickler

    return bytes(ForkingPickler.dumps(work))


def _stop(process: Any) -> None:
    """End a process and the workers it has started: ask, then after half a second insist."""
    for sign in ("SIGTERM", "SIGKILL"):
        if not process.is_alive():
            return
        try:
            os.killpg(process.pid, getattr(signal, sign))
        except (AttributeError, OSError):  # no groups here, or not its leader yet
            process.terminate() if sign == "SIGTERM" else process.kill()
        process.join(0.5)


def _why(exitcode: int | None) -> str:
    if exitcode is None or exitcode >= 0:
        return ""
    if exitcode == -9:
        return ", probably because the computer's memory was full"
    return f" (signal {-exitcode})"
