"""Long work outside the web process: one process a job, progress, cancel, and whose job begins next.

Nothing here knows Streamlit; `dashboard.views.shared.running` draws a job on a page. Sessions take turns, and nobody
waits for the long work of others. At most `limit` jobs run at a time. Beside them there is one more place, the lane,
for a session that has no work of its own running that somebody pressed a button for: its job begins at once however
long the others' queue is. A job that turns out to be long leaves the lane after `LANE_SECONDS` to the next such session
and goes on beside the rest.
"""

from __future__ import annotations

import atexit
import json
import pickle
import signal
import threading
import time
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from dashboard.jobs.pace import Pace
from dashboard.jobs.spending import Spending
from dashboard.server.faults import report, report_trace
from dashboard.server.log import Action, Subject, log_action
from engine import execution
from engine.errors import check_number
from engine.worker.channel import PROGRESS
from engine.worker.host import DeadlinePassed, Died, Ending, Host, Refused, Worker

LANE_SECONDS = 1.5
"""How long a job holds the lane. Two newcomers in a row still begin within two seconds."""
MOST_IN_LANE = 4
"""Jobs that may run beyond the limit: each is a process with a copy of its table."""


class Scheduler:
    """The jobs that wait, by session.

    Parameters
    ----------
    limit : jobs that run at a time, the lane not counted
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.waiting: list[Job] = []
        self._served: dict[Hashable, int] = {}
        self._turn = 0

    def add(self, job: Job) -> None:
        """A job waits for its turn."""
        self.waiting.append(job)

    def drop(self, job: Job) -> bool:
        """A job waits no longer; whether it did."""
        if job not in self.waiting:
            return False
        self.waiting.remove(job)
        return True

    def next(self, running: Collection[Job]) -> Job | None:
        """The job that begins now, taken out of those that wait; None where all have to go on waiting."""
        for job in self.order(running):
            if len(running) - self._in_lane(running) < self.limit:
                job.lane = False
            elif self._lane_open(job, running):
                job.lane = True
            else:
                continue
            self.waiting.remove(job)
            self._turn += 1
            self._served[job.owner] = self._turn
            return job
        return None

    def order(self, running: Collection[Job]) -> Sequence[Job]:
        """The jobs that wait, the next first: of each session what was pressed before what began by itself.

        Sessions with the least running come first, then the one that was served longest ago.
        """
        busy: dict[Hashable, int] = {}
        for job in running:
            busy[job.owner] = busy.get(job.owner, 0) + 1
        ahead: dict[Hashable, int] = {}
        ranks = []
        for position, job in sorted(enumerate(self.waiting), key=lambda item: (item[1].quiet, item[0])):
            mine = busy.get(job.owner, 0) + ahead.get(job.owner, 0)
            ahead[job.owner] = ahead.get(job.owner, 0) + 1
            ranks.append((mine, self._served.get(job.owner, 0), job.quiet, position, job))
        return [place[-1] for place in sorted(ranks, key=lambda item: item[:-1])]

    def _in_lane(self, running: Collection[Job]) -> int:
        return sum(item.lane for item in running)

    def _lane_open(self, job: Job, running: Collection[Job]) -> bool:
        if job.quiet or self._in_lane(running) >= MOST_IN_LANE:
            return False
        if any(item.lane and item.elapsed < LANE_SECONDS for item in running):
            return False
        return not any(entry.owner == job.owner and not entry.quiet for entry in running)


State = Literal["queued", "running", "done", "failed", "cancelled"]

_ACTIONS: dict[State, Action] = {"done": "run", "failed": "failure", "cancelled": "cancel"}
"""How an ending is called in the log."""
_CALL = "dashboard.jobs.process:call"
_SINGLE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""BLAS would take all cores, whatever the others do; the engine shares its work itself."""
BEGAN, RESULT = b"b", b"r"
"""What a process says beside its progress: the work begins; the pickled result."""
PROCESSES = Host("dashboard.jobs.process:warm", _SINGLE_THREAD, captures=False)
"""What forks the processes of jobs."""

PATIENCE = 3
"""Seconds on the clock for each second of a processor that a job with a budget has."""
APART = 1 << 16
"""Bytes of an array from which on it is handed over as it lies in memory, without a copy."""

_CRASHED = (
    "The analysis stopped without an answer: its process ended unexpectedly{why}. "
    "Nothing else is affected. Fewer variables or rows take less memory and time."
)


@dataclass(frozen=True)
class Budget:
    """Limits of a job's process.

    Attributes
    ----------
    memory_bytes : beyond what it begins with and what it is given
    seconds : of a processor; three times as many on the clock
    file_bytes : that a file may have which it writes
    """

    memory_bytes: int
    seconds: int
    file_bytes: int = 0


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
    threads : how many the job may use at this moment; its process is told when it changes
    owner : the session it belongs to, for taking turns
    quiet : nobody pressed a button for it
    opened : it began since its page was opened, without a press, but is what its reader waits for
    lane : it runs in the place that is kept for short work, see `Scheduler`
    pid : of its process, once the work has begun
    worker : its process, while it runs
    began : when its process was ready and the work began
    pace : its reports, which say how long the rest takes
    kind, subject : for the log: what is called, and for whom on which table; without them it is no user's
    budget : what its process may take; None for as much as there is
    column : of the table that `error` is about, None where it is about none
    cpu_seconds : that its process took, once it has ended
    refused : `error` is what the work itself says of its input
    """

    key: Hashable
    payload: Payload | None
    runner: JobRunner
    owner: Hashable = None
    quiet: bool = False
    opened: bool = False
    lane: bool = False
    state: State = "queued"
    fraction: float = 0.0
    words: str = ""
    result: Any = None
    error: str | None = None
    started: float | None = None
    ended: float | None = None
    threads: int = 1
    pid: int = 0
    worker: Worker | None = None
    began: float | None = None
    pace: Pace = field(default_factory=Pace)
    kind: str = ""
    subject: Subject | None = None
    budget: Budget | None = None
    column: str | None = None
    cpu_seconds: float = 0.0
    refused: bool = False
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
        """See `Pace`; None as well where the job does not run."""
        return self.pace.seconds_left(time.monotonic()) if self.state == "running" else None

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
    """Starts at most `limit` job processes at a time, and one in the lane; the others wait, see `Scheduler`.

    The jobs that run divide the processors: one that is alone has all of them, and gives way when another begins.

    Parameters
    ----------
    limit : jobs that run at a time, the lane not counted
    cores : processors to be divided; None for what this process may use, see `engine.execution.threads`
    """

    def __init__(self, limit: int, cores: int | None = None) -> None:
        check_number("jobs", limit, least=1, whole=True)
        self.limit = limit
        self.cores = execution.threads() if cores is None else cores
        self._lock = threading.RLock()
        self._scheduler = Scheduler(limit)
        self._running: set[Job] = set()
        self.spending = Spending()
        atexit.register(self.close)

    def submit(
        self,
        key: Hashable,
        function: Callable[..., Any],
        args: tuple[Any, ...] = (),
        *,
        owner: Hashable = None,
        quiet: bool = False,
        opened: bool = False,
        budget: Budget | None = None,
        subject: Subject | None = None,
    ) -> Job:
        """Queue `function(*args, progress=callback)`; both must be picklable, the function importable."""
        job = Job(key, Payload.of(function, args), self, owner, quiet, opened, budget=budget)
        job.kind, job.subject = getattr(function, "__qualname__", ""), subject
        with self._lock:
            self._scheduler.add(job)
        self._start_waiting()
        return job

    def refuse(self, key: Hashable, sentence: str) -> Job:
        """A job that is not begun, since its user may not."""
        job = Job(key, None, self, state="failed", error=sentence)
        job.finished.set()
        return job

    def active(self, owner: Hashable) -> int:
        """Number of a user's jobs that run or wait."""
        with self._lock:
            return sum(job.owner == owner for job in [*self._scheduler.waiting, *self._running])

    @property
    def opened(self) -> int:
        """Number of jobs that run or wait since a page was opened."""
        with self._lock:
            return sum(job.opened for job in [*self._scheduler.waiting, *self._running])

    def spent(self, owner: Hashable) -> float:
        """Seconds of a processor that a user's jobs have taken in the last hour, those that run included."""
        with self._lock:
            running = sum(job.worked * job.threads for job in self._running if job.owner == owner)
            return self.spending.of(owner) + running

    def spend(self, owner: Hashable, seconds: float) -> None:
        """Something else has worked for a user: so many seconds of a processor."""
        with self._lock:
            self.spending.add(owner, seconds)

    def position(self, job: Job) -> int | None:
        """1 for the job that starts next, None when it is not waiting."""
        with self._lock:
            order = self._scheduler.order(self._running)
            return list(order).index(job) + 1 if job in order else None

    def cancel(self, job: Job) -> None:
        with self._lock:
            if not job.active:
                return
            job.state = "cancelled"  # from here on the supervisor takes no more messages
            if self._scheduler.drop(job):
                self._end(job)
            if job.worker is not None:
                job.worker.stop()

    def close(self) -> None:
        """Stop everything; for the end of the server."""
        with self._lock:
            jobs = [*self._scheduler.waiting, *self._running]
        for job in jobs:
            self.cancel(job)

    def _start_waiting(self) -> None:
        """Begin what may begin; without the lock, since a thread that starts may have to cancel the jobs of a session.

        Memory is collected in any thread at any moment, and a session that goes with it cancels its jobs there.
        """
        threads: list[threading.Thread] = []
        with self._lock:
            while (job := self._scheduler.next(self._running)) is not None:
                self._running.add(job)
                job.state, job.started = "running", time.monotonic()
                threads.append(threading.Thread(target=self._supervise, args=(job,), daemon=True))
                if job.lane:  # whoever comes next may have the lane when this one turns out to be long
                    threads.append(threading.Timer(LANE_SECONDS + 0.05, self._start_waiting))
                    threads[-1].daemon = True
            self._divide()
        for thread in threads:
            thread.start()

    def _divide(self) -> None:
        """Tell every job how many threads it may use: equal parts, and what is left over to the oldest."""
        jobs = sorted(self._running, key=lambda job: (job.quiet, job.started))
        for position, job in enumerate(jobs):
            threads = max(1, self.cores // len(jobs) + (position < self.cores % len(jobs)))
            if threads != job.threads and job.worker is not None:
                job.worker.send(json.dumps(threads).encode())
            job.threads = threads

    def _supervise(self, job: Job) -> None:
        """Have the job done, take what its process says, and let the next begin."""
        try:
            with PROCESSES.worker() as worker:
                threads = job.threads
                if job.payload is not None:
                    job.payload.send(worker, threads, job.budget)
                job.payload = None
                with self._lock:
                    job.worker = worker
                    if job.threads != threads:
                        worker.send(json.dumps(job.threads).encode())
                if job.state == "cancelled":  # between its place in the queue and its process
                    worker.stop()
                self._listen(job, worker)
                job.cpu_seconds = worker.used.cpu_seconds
        except Exception as fault:
            self._settle(job, "failed", error=report(fault))
        finally:
            with self._lock:
                job.worker = None
                self._running.discard(job)
                self.spending.add(job.owner, job.cpu_seconds)
                self._end(job)
            self._start_waiting()

    def _listen(self, job: Job, worker: Worker) -> None:
        """Take messages until the process has said its last."""
        result = None
        try:
            for letter, content in worker.messages():
                if letter == RESULT:
                    result = pickle.loads(content)  # noqa: S301 - our own process pickled it
                elif letter == BEGAN:
                    job.began, job.pid = time.monotonic(), int(content)
                elif letter == PROGRESS and job.state == "running":
                    _advance(job, *json.loads(content))
        except Refused as refused:
            error = refused.error
            if error["type"] == "Cancelled":
                self._settle(job, "cancelled")
            elif error.get("memory"):
                self._settle(job, "failed", error=_CRASHED.format(why=_TOO_LARGE))
            else:
                job.column, job.refused = error.get("column"), "text" in error
                self._settle(job, "failed", error=error.get("text") or report_trace(error["trace"]))
        except DeadlinePassed:
            self._settle(job, "failed", error=_CRASHED.format(why=_TOO_LONG))
        except Died:
            ending = worker.ending()
            worker.used = ending or worker.used
            self._settle(job, "failed", error=_CRASHED.format(why=_why(ending)))
        else:
            self._settle(job, "done", result=result)

    def _settle(self, job: Job, state: State, *, result: Any = None, error: str | None = None) -> None:
        with self._lock:
            if job.state == "running":
                job.result, job.error = result, error
                job.fraction = 1.0 if state == "done" else job.fraction
                job.state = state

    def _end(self, job: Job) -> None:
        job.ended = time.monotonic()
        job.payload = None
        if job.subject is not None:
            log_action(_ACTIONS[job.state], job.kind, job.subject, job.worked)
        job.finished.set()


def _advance(job: Job, fraction: float, words: str) -> None:
    """Take what a job says of how far it is; its bar only rises."""
    job.fraction, job.words = min(max(fraction, job.fraction), 1.0), words
    job.pace.add(time.monotonic(), job.fraction)


@dataclass(frozen=True)
class Payload:
    """(function, args) on its way to a process: pickled, and the large arrays in it as they lie in memory."""

    pickled: bytes
    arrays: tuple[memoryview, ...]

    @classmethod
    def of(cls, function: Callable[..., Any], args: tuple[Any, ...]) -> Payload:
        """The arrays stay those of the arguments, which nobody may change until they were sent."""
        arrays: list[memoryview] = []

        def stays(buffer: pickle.PickleBuffer) -> bool:
            content = buffer.raw()
            if content.nbytes >= APART:
                arrays.append(content)
            return content.nbytes < APART

        content = pickle.dumps((function, args), pickle.HIGHEST_PROTOCOL, buffer_callback=stays)
        return cls(content, tuple(arrays))

    def send(self, worker: Worker, threads: int, budget: Budget | None) -> None:
        """Ask a process for the work."""
        options = {"threads": threads, "arrays": len(self.arrays)}
        if budget is None:
            worker.request(_CALL, self.pickled, options)
        else:
            given = len(self.pickled) + sum(array.nbytes for array in self.arrays)
            clock = PATIENCE * budget.seconds
            memory = budget.memory_bytes + given
            worker.request(_CALL, self.pickled, options, memory, budget.seconds, clock, budget.file_bytes)
        for array in self.arrays:
            worker.send(array)


_TOO_LARGE = " (it took more memory than it may)"
_TOO_LONG = " (it took longer than it may)"


def _why(ending: Ending | None) -> str:
    if ending is None or ending.code >= 0:
        return ""
    if ending.code == -9:  # by the system or by a person: neither says why
        return " (it was killed from outside)"
    if ending.code == -getattr(signal, "SIGXCPU", 0):
        return _TOO_LONG
    return f" (signal {-ending.code})"
