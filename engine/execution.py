"""Progress, cancelling, and `map` over many independent pieces of work.

Progress is a callback `progress(fraction, words)` with `fraction` in [0, 1]; it may raise `Cancelled`,
which travels up unchanged. Work is spread by joblib, whose Dask backend is the way off one machine.

`share` is for kernels that free the lock of the interpreter: threads in one process. Pieces are claimed one by one, by
the calling thread too, and what comes back is in their order, so bits are the same whatever the number of threads.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from itertools import pairwise
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from engine.errors import SettingsError

Progress = Callable[[float, str], None]
PATIENCE = 5
"""Seconds that the scheduler of a cluster may take to answer."""
ITEMS_AT_ONCE = 4
"""Most items that one process does at once."""
Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

_allowed: ContextVar[int | None] = ContextVar("threads", default=None)
_followed: Callable[[], int] | None = None


def silent(fraction: float, words: str) -> None:
    """The progress callback of someone who does not watch."""


def as_progress(progress: Any) -> Progress:
    """The callback, after a look at the commonest slip: `progress=True`.

    Parameters
    ----------
    progress : what was given

    Returns
    -------
    a function of a fraction from 0 to 1 and of words

    Raises
    ------
    SettingsError : what is given cannot be called
    """
    if not callable(progress):
        raise SettingsError(
            f"progress is {progress!r}; it is a function that is told fraction and words, such as progress=lambda "
            "fraction, words: print(words). Leave it out to be told nothing.",
            setting="progress",
        )
    found: Progress = progress
    return found


def part(progress: Progress, start: float, end: float) -> Progress:
    """A callback whose own 0..1 is drawn as `start`..`end` of `progress`.

    Parameters
    ----------
    progress : the callback of the whole
    start, end : where the part lies in it, from 0 to 1

    Returns
    -------
    the callback of the part
    """

    def inner(fraction: float, words: str) -> None:
        progress(start + (end - start) * fraction, words)

    return inner


def map(  # the verb everyone knows
    function: Callable[[Item], Outcome],
    items: Iterable[Item],
    *,
    jobs: int = 1,
    cluster: str | None = None,
    threaded: bool = False,
    finished: Callable[[int, Outcome], None] | None = None,
    progress: Progress = silent,
    words: str = "working",
) -> list[Outcome]:
    """`[function(item) for item in items]`, on `jobs` workers, reporting after each piece.

    Results come in the order of the items whatever the number of workers, so a seeded analysis gives the same bits on
    one core and on many. With one job and no cluster nothing is pickled. Reports come in the caller's thread.

    Parameters
    ----------
    function, items : the work; both can be pickled where there are more workers than one
    jobs : workers on this machine; they divide `threads()` among them, so two workers on two cores have a thread each
    cluster : address of a Dask scheduler ("tcp://..."), whose workers are used instead of this machine's
    threaded : one job does several items at once, each in a thread, where there are enough of both: for a function that
        frees the interpreter's lock most of the time and may run in several threads. At most `ITEMS_AT_ONCE`, since
        each item in hand may take the memory of a whole analysis
    finished : called with (place of the item, outcome) as each piece ends, which need not be in order
    progress, words : told after every piece how far it is, and with which words

    Returns
    -------
    the outcomes, in the order of the items

    Raises
    ------
    SettingsError : there is no such cluster, or what is needed to reach it is not installed

    Examples
    --------
    >>> from engine import execution
    >>> execution.map(len, ["a", "bc", "def"])
    [1, 2, 3]
    """
    work = list(items)
    results: dict[int, Outcome] = {}

    def told(place: int, result: Outcome) -> None:
        results[place] = result
        if finished is not None:
            finished(place, result)
        progress(len(results) / len(work), f"{words}: {len(results)} of {len(work)}")

    if threaded and jobs == 1 and cluster is None and 1 < min(threads(), ITEMS_AT_ONCE) <= len(work):
        _in_threads(function, work, told)
    else:
        with _workers(jobs, cluster) as spread:
            for place, result in spread(function, work):
                told(place, result)
    return [results[place] for place in range(len(work))]


Spread = Callable[[Callable[[Any], Any], list[Any]], Iterator[tuple[int, Any]]]
"""(function, items) -> (place, outcome) as they come."""


@contextmanager
def _workers(jobs: int, cluster: str | None) -> Iterator[Spread]:
    if cluster is None:
        yield _here if jobs == 1 else lambda function, work: _joblib(function, work, jobs)
        return
    try:
        from distributed import Client
    except ImportError:
        raise SettingsError('A Dask cluster needs one package more: pip install "diptych[cluster]".') from None
    import joblib

    try:
        client = Client(cluster, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise SettingsError(f"No Dask scheduler answers at {cluster!r}; give the address that it printed.") from error
    with client, joblib.parallel_config("dask", client=client):
        yield lambda function, work: _joblib(function, work, None)


def _here(function: Callable[[Item], Outcome], work: list[Item]) -> Iterator[tuple[int, Outcome]]:
    return ((place, function(item)) for place, item in enumerate(work))


def _in_threads(function: Callable[[Item], Outcome], work: list[Item], told: Callable[[int, Outcome], None]) -> None:
    """Tell of every outcome in the caller's thread, which works too and so tells between two items of its own."""
    caller, done = threading.get_ident(), SimpleQueue[tuple[int, Outcome]]()

    def once(place: int) -> None:
        done.put((place, function(work[place])))
        if threading.get_ident() == caller:
            tell()

    def tell() -> None:
        while not done.empty():
            told(*done.get())

    with using(min(threads(), ITEMS_AT_ONCE)):
        share(once, range(len(work)))
    tell()


def _joblib(function: Callable[[Item], Outcome], work: list[Item], jobs: int | None) -> Iterator[tuple[int, Outcome]]:
    import joblib

    own = max(1, threads() // jobs) if jobs is not None and jobs > 0 else 1
    calls = (joblib.delayed(_placed)(function, place, item, own) for place, item in enumerate(work))
    yield from joblib.Parallel(n_jobs=jobs, return_as="generator_unordered")(calls)


def _placed(function: Callable[[Item], Outcome], place: int, item: Item, own: int) -> tuple[int, Outcome]:
    with using(own):
        return place, function(item)


def threads() -> int:
    """How many threads one computation may use.

    Inside `using` it is what that says. Else it is what the function says that `follow` was given; where there is none,
    DIPTYCH_THREADS where that is a number; else one for each processor that this process may run on.

    Returns
    -------
    at least 1
    """
    given = _allowed.get()
    if given is not None:
        return given
    if _followed is not None:
        return max(1, _followed())
    asked = os.environ.get("DIPTYCH_THREADS", "")
    return max(1, int(asked)) if asked.isdecimal() else cores()


def cores() -> int:
    """How many processors this process may run on.

    Returns
    -------
    at least 1
    """
    if hasattr(os, "sched_getaffinity"):  # not on every system
        return len(os.sched_getaffinity(0)) or 1
    return os.cpu_count() or 1


@contextmanager
def using(number: int) -> Iterator[None]:
    """Bound the threads of what runs inside.

    Parameters
    ----------
    number : at least 1
    """
    token = _allowed.set(max(1, number))
    try:
        yield
    finally:
        _allowed.reset(token)


def follow(number: Callable[[], int] | None) -> None:
    """Let somebody else say how many threads this process may use; asked whenever work is about to be shared.

    Parameters
    ----------
    number : gives the number at any moment, from any thread, in no time; None for nobody
    """
    global _followed
    _followed = number


def ranges(size: int, many: int) -> list[tuple[int, int]]:
    """0 to `size` in at most so many ranges of about equal length, in order: pieces for `share`.

    Parameters
    ----------
    size : at least 0
    many : at least 1

    Returns
    -------
    (first, one past the last) of every range; none of them is empty

    Examples
    --------
    >>> ranges(10, 3)
    [(0, 3), (3, 6), (6, 10)]
    """
    many = max(1, min(size, many))
    ends = [size * one // many for one in range(many + 1)]
    return [(begin, end) for begin, end in pairwise(ends) if begin < end]


def share(function: Callable[[Item], Outcome], pieces: Sequence[Item]) -> list[Outcome]:
    """`[function(piece) for piece in pieces]`, on as many threads as there may be.

    Whoever is free takes the next piece. Context variables are the caller's in every thread. A `share` inside a piece
    has one thread, its own. A helper costs some 45 microseconds: work below a fifth of a millisecond is not worth it.

    Parameters
    ----------
    function : frees the interpreter's lock in nearly all of its time, and may run in several threads at once
    pieces : of work, some four a thread

    Returns
    -------
    the outcomes, in the order of the pieces

    Raises
    ------
    Exception : what the function raised, of several pieces the first one's; pieces that nobody has begun are left

    Examples
    --------
    >>> share(len, ["a", "bc", "def"])
    [1, 2, 3]
    """
    if (many := min(threads(), len(pieces))) < 2:
        return [function(piece) for piece in pieces]
    shared = _Shared(function, pieces)
    with using(1):
        _helpers.ask(many - 1, shared.work)
        shared.work()
    return shared.outcomes()


class _Shared(Generic[Item, Outcome]):
    """Pieces that several threads work on."""

    def __init__(self, function: Callable[[Item], Outcome], pieces: Sequence[Item]) -> None:
        self._function, self._pieces = function, pieces
        self._found: list[Any] = [None] * len(pieces)
        self._failed: dict[int, BaseException] = {}
        self._next, self._end, self._running = 0, len(pieces), 0
        self._lock, self._over = threading.Lock(), threading.Lock()
        self._over.acquire()

    def work(self) -> None:
        """Take pieces until none is left to be begun; for any thread, at any time, also when all is over."""
        try:
            place = self._claim()
            while place >= 0:
                try:
                    self._found[place] = self._function(self._pieces[place])
                except BaseException as error:  # the caller's thread raises it
                    self._failed[place] = error
                place = self._claim(place)
        finally:  # also where an interrupt comes between two pieces: nobody begins one more
            self._end = self._next

    def outcomes(self) -> list[Outcome]:
        """Wait for the pieces that others have begun; what became of all."""
        self._over.acquire()
        failed, self._failed = self._failed, {}
        self._pieces = ()  # a helper who comes late must not keep them alive
        del self._function
        if failed:
            try:
                raise failed[min(failed)]
            finally:
                del failed  # or the exception holds this frame, which holds the exception
        return self._found

    def _claim(self, done: int = -1) -> int:
        """Lay down a piece and take the next, -1 where there is none: pieces are begun in order, so of those that
        fail the first by order is among them."""
        with self._lock:
            if done >= 0:
                self._running -= 1
                if done in self._failed:
                    self._end = self._next
            if self._next < self._end:
                self._next += 1
                self._running += 1
                return self._next - 1
            if done >= 0 and not self._running:
                self._over.release()
            return -1


class _Helpers:
    """Threads that wait for work and never end; more are begun when more are asked for."""

    def __init__(self) -> None:
        self._asked: SimpleQueue[tuple[Context, Callable[[], None]]] = SimpleQueue()
        self._many, self._lock = 0, threading.Lock()

    def ask(self, many: int, work: Callable[[], None]) -> None:
        """Let so many threads do the same work, each in a copy of the caller's context, as soon as they are free."""
        if self._many < many:
            with self._lock:
                while self._many < many:
                    self._many += 1
                    threading.Thread(target=self._serve, name=f"diptych-share-{self._many}", daemon=True).start()
        for _ in range(many):
            self._asked.put((copy_context(), work))

    def _serve(self) -> None:
        while True:
            context, work = self._asked.get()
            context.run(work)
            del context, work  # or the last work stays alive until the next


_helpers = _Helpers()


def _begin_anew() -> None:
    """After a fork: the threads were not copied, and nobody gives back a lock that one of them held."""
    global _helpers
    _helpers = _Helpers()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)
