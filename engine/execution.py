"""Progress, cancelling, and `map` over many independent pieces of work.

Progress is a callback `progress(fraction, words)` with `fraction` in [0, 1]; it may raise `Cancelled`,
which travels up unchanged. Work is spread by joblib, whose Dask backend is the way off one machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from engine.errors import SettingsError

Progress = Callable[[float, str], None]
PATIENCE = 5
"""Seconds that the scheduler of a cluster may take to answer."""
Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


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
    finished: Callable[[int, Outcome], None] | None = None,
    progress: Progress = silent,
    words: str = "working",
) -> list[Outcome]:
    """`[function(item) for item in items]`, on `jobs` workers, reporting after each piece.

    Results come in the order of the items whatever the number of workers, so a seeded analysis gives
    the same bits on one core and on many. With one job and no cluster nothing is pickled.

    Parameters
    ----------
    function, items : the work; both can be pickled where there are more workers than one
    jobs : workers on this machine
    cluster : address of a Dask scheduler ("tcp://..."), whose workers are used instead of this machine's
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
    with _workers(jobs, cluster) as spread:
        for place, result in spread(function, work):
            results[place] = result
            if finished is not None:
                finished(place, result)
            progress(len(results) / len(work), f"{words}: {len(results)} of {len(work)}")
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


def _joblib(function: Callable[[Item], Outcome], work: list[Item], jobs: int | None) -> Iterator[tuple[int, Outcome]]:
    import joblib

    calls = (joblib.delayed(_placed)(function, place, item) for place, item in enumerate(work))
    yield from joblib.Parallel(n_jobs=jobs, return_as="generator_unordered")(calls)


def _placed(function: Callable[[Item], Outcome], place: int, item: Item) -> tuple[int, Outcome]:
    return place, function(item)
