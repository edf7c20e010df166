"""Asking every worker of a cluster at once, by tasks of its scheduler: one question there, sums back.

A task a thread counts the blocks that its worker holds; tasks add the answers on the workers, eight at a time. Where a
worker has gone the scheduler has its blocks made again from the collection.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from engine.data.cluster.pieces import OTHER_ROWS, Answer, added, answered, chosen, counted, digested, packed
from engine.data.store import Question, Store, code_type
from engine.errors import DiptychError, InputError, SettingsError
from engine.execution import Progress, silent
from engine.words import short

if TYPE_CHECKING:
    from distributed import Client, Future

TOGETHER = 8
"""Answers that one task adds."""
LOOK = 1.0
"""Seconds between two looks whether tasks are done."""
LOST = 60.0
"""Seconds that a cluster may be without any worker: one that starts again needs some."""
WORKER_LOST = "A worker was lost; its part was counted again."


class Rounds:
    """Blocks of rows that the workers keep, and the way to ask them all.

    Parameters
    ----------
    client : of the cluster
    blocks : futures of `RowBlock`, in the order of the rows
    sizes : rows of each
    marks : of each

    Attributes
    ----------
    published : whether another process that connects to the scheduler finds the rows too
    known_digests, variables : of all rows with all so many variables, where that is known
    asked : times that all workers were asked
    lost : workers that were lost while the rows were coded
    """

    published: ClassVar[bool] = False
    known_digests: bytes = b""
    variables: int = 0

    def __init__(
        self, client: Client, blocks: Sequence[Future], sizes: Sequence[int], marks: Sequence[int], lost: int = 0
    ) -> None:
        self.client = client
        self.blocks = list(blocks)
        self.marks = list(marks)
        self.sizes = np.array(sizes, dtype=np.int64)
        self.asked = 0
        self.lost = lost

    def ask(self, function: Any, items: Sequence[Any], positions: np.ndarray | None) -> list[Any]:
        """Ask all blocks and add their answers: one round."""
        self._check_open()
        work = packed(function, items, positions)
        answer = _plainly(self.client, lambda: self._counted(work))
        self.asked += 1
        if answer.mark != sum(self.marks):
            raise InputError(OTHER_ROWS)
        return answer.outcomes

    def each(self, function: Any, positions: Sequence[int], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Ask single blocks, by tasks of the scheduler."""
        self._check_open()
        calls = zip(positions, arguments, strict=True)
        futures = [
            self.client.submit(answered, self.blocks[place], function, *item, pure=False) for place, item in calls
        ]
        answers = outcomes(self.client, futures) if futures else []
        if [mark for mark, _ in answers] != [self.marks[place] for place in positions]:
            raise InputError(OTHER_ROWS)
        return [answer for _, answer in answers]

    def close(self) -> None:
        """Let the workers forget the rows."""
        self.blocks.clear()

    def count_lost(self) -> int:
        """Number of workers lost, as far as this process has seen."""
        return self.lost

    def adopt(self) -> None:
        """Nothing of them was made elsewhere."""

    def _check_open(self) -> None:
        if not self.blocks:
            raise InputError("This data set was closed, so the workers hold its rows no more. Make it again.")
        check_scheduler(self.client)

    def _counted(self, work: bytes) -> Answer:
        try:
            holders, threads = self.client.who_has(self.blocks), self.client.nthreads()
        except OSError as error:
            check_scheduler(self.client)
            raise SettingsError("The scheduler of the cluster does not answer any more; connect again.") from error
        futures = {block.key: block for block in self.blocks}
        parts = []
        for worker, keys in shares(holders, list(futures)).items():
            here = {"workers": [worker], "allow_other_workers": True} if worker else {}
            many = min(threads.get(worker, 1), len(keys))
            own = [[futures[key] for key in keys[i::many]] for i in range(many)]
            parts += [self.client.submit(counted, blocks, work, pure=False, **here) for blocks in own]
        while len(parts) > 1:
            together = [parts[i : i + TOGETHER] for i in range(0, len(parts), TOGETHER)]
            parts = [self.client.submit(added, some, pure=False) if len(some) > 1 else some[0] for some in together]
        answer: Answer = outcomes(self.client, parts)[0]
        return answer


def shares(holders: Mapping[Any, Iterable[str]], keys: Sequence[Any]) -> dict[str, list[Any]]:
    """Worker -> the blocks that it answers for, each block once; "" for those that nobody holds just now."""
    result: dict[str, list[Any]] = {}
    for key in keys:
        least = min(sorted(holders.get(key, ())), key=lambda worker: len(result.get(worker, ())), default="")
        result.setdefault(least, []).append(key)
    return result


def outcomes(client: Client, futures: Sequence[Future]) -> list[Any]:
    """Wait for tasks and return their answers."""
    settled(client, futures)
    return _plainly(client, lambda: list(client.gather(futures)))


class WorkerWatch:
    """Counts the workers of a cluster that go.

    Attributes
    ----------
    client : of the cluster
    lost : workers that have gone since it was begun
    """

    def __init__(self, client: Client) -> None:
        self.client, self.lost = client, 0
        self._there = set(client.nthreads())

    def look(self) -> int:
        """Number of them now."""
        there = set(self.client.nthreads())
        self.lost += len(self._there - there)
        self._there = there
        return len(there)


def settled(
    client: Client,
    futures: Sequence[Future],
    progress: Progress = silent,
    words: str = "tasks",
    watch: WorkerWatch | None = None,
) -> None:
    """Wait for tasks; the first that fails ends it."""
    seen = time.monotonic()
    left = True
    watched = WorkerWatch(client) if watch is None else watch
    while left:
        left = not _plainly(client, lambda: _all_there(client, futures))
        check_scheduler(client)
        for future in futures:
            if future.status == "error":
                _plainly(client, future.result)
        there = watched.look()
        done = sum(future.done() for future in futures)
        progress(done / len(futures), f"{words}: {done} of {len(futures)}{f'. {WORKER_LOST}' if watched.lost else ''}")
        if there:
            seen = time.monotonic()
        elif time.monotonic() - seen > LOST:
            raise SettingsError(
                "All workers of the cluster have gone, and none came back; start some, and make the data set again."
            )


def _all_there(client: Client, futures: Sequence[Future]) -> bool:
    """Wait until all are done, one has failed or it is time for another look, and say if it was one of the first."""
    from distributed import wait

    try:
        with client.as_current():
            wait(futures, timeout=LOOK)
    except TimeoutError:
        return False
    return True


def _plainly(client: Client, call: Callable[[], Any]) -> Any:
    """What Dask answers, its errors in one sentence each."""
    from distributed import CancelledError, KilledWorker

    try:
        return call()
    except DiptychError:
        raise
    except CancelledError as error:
        check_scheduler(client)
        raise SettingsError(
            "The cluster has lost what it held of these rows and cannot make it again; make the data set again."
        ) from error
    except KilledWorker as error:
        raise SettingsError(
            "Workers of the cluster died again and again over the same rows; most often their memory is too small. "
            "Give them more, or a collection of more and smaller parts."
        ) from error
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and (error.name or "").partition(".")[0] == "engine":
            words = "The workers of the cluster need Diptych installed, in the version that is used here."
            raise SettingsError(words) from error
        words = f"{type(error).__name__}: {short(str(error), 200)}"
        raise InputError(f"A part of the collection could not be worked out ({words}).") from error


def check_scheduler(client: Client) -> None:
    """Refuse a client without a scheduler."""
    if client.status != "running":
        raise SettingsError(
            "The Dask client is not connected to a scheduler any more; connect again.", setting="client"
        )


class ClusterStore(Store):
    """Rows that the workers of a cluster keep as bit planes; questions go there, sums come back.

    Parameters
    ----------
    rounds : the blocks and the way to them
    arity : (p,) number of levels of each variable
    positions : (p,) places of the variables in the blocks
    """

    in_memory: ClassVar[bool] = False
    where: str = "on a cluster"

    def __init__(self, rounds: Rounds, arity: np.ndarray, positions: np.ndarray) -> None:
        self.rounds = rounds
        self.arity = arity
        self.positions = positions
        self.n_rows = int(rounds.sizes.sum())

    @classmethod
    def of(cls, rounds: Rounds, arity: np.ndarray, variables: int) -> ClusterStore:
        """The first variables of the blocks, which have so many levels each; what stands after them is beside."""
        result, every = cls(rounds, arity[:variables], np.arange(variables)), np.arange(len(arity))
        result.beside = cls(rounds, arity, every)
        return result

    def totals(self, function: Question, items: Sequence[Any], work: float = 0.0) -> list[Any]:
        """See `Store.totals`: one round, whatever the number of items."""
        return self.rounds.ask(function, items, self.positions) if len(items) else []

    def select(self, positions: Sequence[int]) -> ClusterStore:
        """See `Store.select`: nothing moves."""
        which = np.asarray(positions, dtype=np.int64)
        return ClusterStore(self.rounds, self.arity[which], self.positions[which])

    def some(self, rows: np.ndarray) -> np.ndarray:
        """See `Store.some`."""
        rows = np.asarray(rows, dtype=np.int64)
        ends = np.cumsum(self.rounds.sizes)
        block_of = np.searchsorted(ends, rows, side="right")
        blocks = np.unique(block_of).tolist()
        local = [
            (self.positions, rows[block_of == place] - (ends[place] - self.rounds.sizes[place])) for place in blocks
        ]
        result = np.empty((len(self.arity), len(rows)), dtype=code_type(self.arity))
        for place, codes in zip(blocks, self.rounds.each(chosen, blocks, local), strict=True):
            result[:, block_of == place] = codes
        return result

    def digests(self) -> bytes:
        """See `Store.digests`."""
        known = self.rounds.known_digests
        if known and np.array_equal(self.positions, np.arange(self.rounds.variables)):
            return known
        blocks = range(len(self.rounds.sizes))
        return b"".join(self.rounds.each(digested, blocks, [(self.positions,)] * len(blocks)))

    def close(self) -> None:
        """Let the workers forget the rows; every selection of these variables ends too."""
        self.rounds.close()

    def count_lost(self) -> int:
        """See `Store.count_lost`."""
        return self.rounds.count_lost()

    def adopt(self) -> None:
        """Let rows that another process has published go with this store."""
        self.rounds.adopt()

    def __getstate__(self) -> dict[str, Any]:
        if self.rounds.published:
            return self.__dict__
        raise InputError(
            "The rows of this data set are on a cluster, so it cannot be saved or sent to another process; "
            "save its recipe, or take rows into memory: data.rows(numbers of rows)."
        )
