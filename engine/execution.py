"""Progress, cancelling, and `map` over many independent pieces of work.

Progress is a callback `progress(fraction, words)` with `fraction` in [0, 1]; it may raise `Cancelled`,
which travels up unchanged. Work is spread by joblib, whose Dask backend is the way off one machine.

`share` is for kernels that free the lock of the interpreter: threads in one process. Pieces are claimed one by one, by
the calling thread too, and what comes back is in their order, so bits are the same whatever the number of threads.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar, copy_context
from functools import cache
from itertools import pairwise
from queue import SimpleQueue
from typing import Any, TypeVar

from engine.errors import SettingsError

Progress = Callable[[float, str], None]
LOG = logging.getLogger("engine")
"""What runs say of themselves: progress where it was asked for, and that kernels are compiled."""
PATIENCE = 5
"""Seconds that the scheduler of a cluster may take to answer."""
ITEMS_AT_ONCE = 4
"""Most items that one process does at once."""
_MOST_HELPERS = 256
"""Threads of all that is shared at one time; what finds none free is done by the thread that shares it."""
Item = TypeVar("Item")
Outcome = TypeVar("Outcome")

_allowed: ContextVar[int | None] = ContextVar("threads", default=None)
_followed: Callable[[], int] | None = None


def silent(fraction: float, words: str) -> None:
    """The progress callback of someone who does not watch."""


def as_progress(progress: Any) -> Progress:
    """The callback; for True one that writes to the logger "engine".

    Parameters
    ----------
    progress : what was given

    Returns
    -------
    a function of a fraction from 0 to 1 and of words

    Raises
    ------
    SettingsError : what is given is neither True nor can be called
    """
    if progress is True:
        show_log()
        return logged_progress()
    if not callable(progress):
        raise SettingsError(
            f"progress is {progress!r}; it is True, or a function that is told fraction and words, such as "
            "progress=lambda fraction, words: print(words). Leave it out to be told nothing.",
            setting="progress",
        )
    result: Progress = progress
    return result


def logged_progress() -> Progress:
    """A callback that writes a line to the logger "engine" (level INFO) whenever another tenth is done.

    Returns
    -------
    a function of a fraction from 0 to 1 and of words
    """
    written = -1

    def log(fraction: float, words: str) -> None:
        nonlocal written
        tenth = int(10 * fraction + 1e-9)
        if tenth > written:
            written = tenth
            LOG.info("%3.0f %%  %s", 100 * fraction, words)

    return log


def show_log() -> None:
    """Write the lines of the logger "engine" to the standard error stream, where nobody has set up logging."""
    if not LOG.hasHandlers():
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("engine: %(message)s"))
        LOG.addHandler(handler)
    if not LOG.isEnabledFor(logging.INFO):
        LOG.setLevel(logging.INFO)


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
    """`[function(item) for item in items]`, on `jobs` workers, reporting as pieces end.

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
    progress, words : told before the first piece and after every one how far it is, and with which words

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
    progress(0.0, f"{words}: 0 of {len(work)}")

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


def _in_threads(
    function: Callable[[Item], Outcome], work: list[Item], outcomes: Callable[[int, Outcome], None]
) -> None:
    """Tell of every outcome in the caller's thread, which works too and so tells between two items of its own."""
    caller, done = threading.get_ident(), SimpleQueue[tuple[int, Outcome]]()

    def once(place: int) -> None:
        done.put((place, function(work[place])))
        if threading.get_ident() == caller:
            tell()

    def tell() -> None:
        while not done.empty():
            outcomes(*done.get())

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
    """Number of threads that one computation may use.

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
    wanted = os.environ.get("DIPTYCH_THREADS", "")
    return max(1, int(wanted)) if wanted.isdecimal() else cores()


def cores() -> int:
    """Number of processors that this process may run on.

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


@cache
def _blas() -> Any:
    """Looking for the libraries takes longer than many a product."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def one_blas_thread() -> AbstractContextManager[object]:
    """One thread of BLAS inside: where matrices are small, more would wait for each other."""
    limited: AbstractContextManager[object] = _blas().limit(limits=1, user_api="blas")
    return limited


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
    ends = [size * item // many for item in range(many + 1)]
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
    numbers = iter(range(len(pieces)))  # whoever asks it for the next gets one that nobody else gets
    outcomes: list[Any] = [None] * len(pieces)
    failed: dict[int, BaseException] = {}
    over = threading.Event()

    def work() -> None:
        try:
            for number in numbers:
                try:
                    outcomes[number] = function(pieces[number])
                except BaseException as error:  # the caller's thread raises it
                    failed[number] = error
                if failed or over.is_set():
                    break
        finally:  # also where an interrupt comes between two pieces: nobody begins one more
            over.set()

    with using(1):
        helpers = [_helpers.submit(copy_context().run, work) for _ in range(many - 1)]
        try:
            work()
        finally:
            wait([helper for helper in helpers if not helper.cancel()])
    if failed:
        try:
            raise failed[min(failed)]
        finally:
            failed.clear()  # or the exception holds this frame, which holds the exception
    return outcomes


def _new_helpers() -> ThreadPoolExecutor:
    """Threads that wait for pieces, as many as were ever asked for at once; they end with the process."""
    return ThreadPoolExecutor(max_workers=_MOST_HELPERS, thread_name_prefix="diptych-share")


_helpers = _new_helpers()


def _renew_helpers() -> None:
    """After a fork: the threads were not copied, and nobody gives back a lock that one of them held."""
    global _helpers
    _helpers = _new_helpers()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_helpers)
