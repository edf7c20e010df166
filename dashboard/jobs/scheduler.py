"""Whose job begins next: sessions take turns, and nobody waits for the long work of others.

At most `limit` jobs run at a time. Beside them there is one more place, the lane, for a session that has no work of
its own running that somebody pressed a button for: its job begins at once however long the others' queue is. A job
that turns out to be long leaves the lane after `LANE_SECONDS` to the next such session and goes on beside the rest.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Generic, Protocol, TypeVar

LANE_SECONDS = 1.5
"""How long a job holds the lane. Two newcomers in a row still begin within two seconds."""
MOST_IN_LANE = 4
"""Jobs that may run beyond the limit: each is a process with a copy of its table."""


class Waiting(Protocol):
    """A job as far as this file looks at it."""

    owner: Hashable
    quiet: bool
    lane: bool

    @property
    def elapsed(self) -> float: ...


Job = TypeVar("Job", bound=Waiting)


class Scheduler(Generic[Job]):
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
        """Those that wait, the next first: of each session what was pressed before what began by itself.

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
