"""Progress, cancelling, and `map` over many independent pieces of work.

Progress is a callback `progress(fraction, words)` with `fraction` in [0, 1]; it may raise `Cancelled`,
which travels up unchanged. Work is spread by joblib, whose Dask backend is the way off one machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

Progress = Callable[[float, str], None]
Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


def silent(fraction: float, words: str) -> None:
    """The progress callback of someone who does not watch."""


def part(progress: Progress, start: float, end: float) -> Progress:
    """A callback whose own 0..1 is drawn as `start`..`end` of `progress`."""

    def inner(fraction: float, words: str) -> None:
        progress(start + (end - start) * fraction, words)

    return inner


def map(  # the verb everyone knows
    function: Callable[[Item], Outcome],
    items: Iterable[Item],
    *,
    jobs: int = 1,
    progress: Progress = silent,
    words: str = "working",
) -> list[Outcome]:
    """`[function(item) for item in items]`, on `jobs` workers, reporting after each piece.

    Results come in the order of the items whatever the number of workers, so a seeded analysis gives
    the same bits on one core and on many. With one job nothing is pickled.
    """
    work = list(items)
    results: list[Outcome] = []
    if jobs == 1:
        stream: Iterable[Outcome] = (function(item) for item in work)
    else:
        import joblib

        stream = joblib.Parallel(n_jobs=jobs, return_as="generator")(joblib.delayed(function)(item) for item in work)
    for result in stream:
        results.append(result)
        progress(len(results) / len(work), f"{words}: {len(results)} of {len(work)}")
    return results
