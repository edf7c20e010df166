"""One run of the study: two networks, training and test series of both, and what every method makes of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from benchmarks.papers.blocks import Row
from benchmarks.papers.discriminative.conditional import acl_anew, ccl_anew, forced
from benchmarks.papers.discriminative.elr import ascend
from benchmarks.papers.discriminative.plan import (
    ALL,
    ANEW,
    AT_C,
    BEST_ALONE,
    DIFFERENCES,
    ELR,
    FORCED,
    KEPT,
    LEAST_SQUARES,
    NOISE,
    NOISE_OF_SIZES,
    ONE,
    ROTATED,
    SIZE,
    SIZE_ALL,
    SIZE_ONE,
    TIMES_ACL,
)
from benchmarks.papers.discriminative.rotate import rotate_table
from engine.evaluation.lessons.discriminative import (
    ARITY,
    METHODS,
    ML,
    PAIRED,
    SINGLE,
    TESTED,
    ClassSeries,
    draw_series,
    method_of,
)
from engine.methods.discriminative.pipeline import fit_boundary, fit_contrasts, scores_of
from engine.methods.discriminative.structure import fit_pair
from engine.simulation.series import MASKED, DynamicNetwork, four_nodes, random_pair

ORDER = (DIFFERENCES, NOISE, SIZE, SIZE_ONE, SIZE_ALL, ANEW, *ROTATED.values())
"""Experiments by their number among the seeds; never change it, but at its end."""
REPEATED = 5
"""How often a search of milliseconds is timed."""


def generator_of(seed: int, experiment: str, at: float, run: int) -> np.random.Generator:
    """The generator of a run: its own, whatever else a plan has.

    Parameters
    ----------
    seed : of the study
    experiment, at, run : which one
    """
    key = (ORDER.index(experiment), round(1000 * at), run)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def draw(experiment: str, at: float, generator: np.random.Generator, tested: int = TESTED) -> ClassSeries:
    """Networks and series.

    Parameters
    ----------
    experiment, at : which cell
    generator : all randomness comes from it
    tested : test series of each class
    """
    noisy = experiment in (NOISE, ROTATED[NOISE])
    if experiment in (DIFFERENCES, NOISE, *ROTATED.values()):
        c = AT_C if noisy else at
        first, second = four_nodes(c, generator, ARITY)
        if experiment in ROTATED.values():
            second = rotated(first, c, generator)
        changed = first.names[-1]
    else:
        first, second, (changed,) = random_pair(int(at), 1, generator, ARITY)
    rho = int(at) if noisy else NOISE_OF_SIZES if experiment in (SIZE_ONE, SIZE_ALL) else 0
    disturbed = None if experiment == SIZE_ALL else [changed]
    return draw_series(first, second, changed, generator, noise=rho, disturbed=disturbed, tested=tested)


def rotated(first: DynamicNetwork, c: float, generator: np.random.Generator) -> DynamicNetwork:
    """The second class by the second generator: the changed link is weaker by c and leans another way.

    Parameters
    ----------
    first : the first class, as `four_nodes` draws it
    c : what the link loses
    generator : draws the other lean
    """
    even = np.full((ARITY, ARITY), 1 / ARITY**2)
    last = rotate_table(first.tables[-1], even, 1, MASKED - c, generator)
    return replace(first, tables=(*first.tables[:-1], last))


def accuracies(drawn: ClassSeries) -> Iterator[Row]:
    """A row a method: share of the test series classified correctly, and which networks have the changed link."""
    link = (drawn.child, drawn.parent)
    for name in METHODS:
        for families in (ALL, ONE) if name in BEST_ALONE else (ALL,):
            one = fit_contrasts(
                drawn.counted, drawn.side, 2, method_of(name, 1 if families == ONE else None), drawn.known
            )[0]
            has = [link[1] in net.parents[link[0]] for net in (one.pair.others, one.pair.own)]
            yield _row(name, families, drawn.accuracy(one.scores), has)
            if name in LEAST_SQUARES:
                yield _by_least_squares(drawn, name, one.likelihoods, has)
    for name, paired in FORCED.items():
        found = forced(drawn.counted, drawn.side, paired=paired)
        has = [bool(one[link[0]] == link[1]) for one in found.parents]
        yield _row(name, ALL, drawn.accuracy(found.scores), has)
        yield _by_least_squares(drawn, name, found.likelihoods, has)
        ascent = ascend(drawn.counted, drawn.side, found.parents[:, :, None].tolist())
        yield _row(ELR[name], ALL, drawn.accuracy(ascent.scores), has)


def _by_least_squares(drawn: ClassSeries, name: str, likelihoods: np.ndarray, has: list[bool]) -> Row:
    """The row of a method with ACL's boundary, of log-likelihoods by side."""
    boundary = fit_boundary(likelihoods, drawn.side, "least_squares", balance=False)
    return _row(LEAST_SQUARES[name], ALL, drawn.accuracy(scores_of(likelihoods, boundary)), has)


def _row(method: str, families: str, accuracy: float, has: list[bool]) -> Row:
    return {
        "families": families,
        "method": method,
        "accuracy": accuracy,
        "first": float(has[0]),
        "second": float(has[1]),
    }


def times(drawn: ClassSeries) -> Iterator[Row]:
    """A row a method: CPU seconds of the search of both networks, counted before, without a memory and with one."""
    counted, side, p = drawn.counted, drawn.side, drawn.counted.slices.n_variables
    for child in range(p):  # counting is no part of a search
        for parents in ((), *((x,) for x in range(p))):
            counted.counts_by_point(child, parents)
    searches: dict[str, Callable[[], Any]] = {
        ML: lambda: acl_anew(counted, side).scored,
        SINGLE: lambda: ccl_anew(counted, side, paired=False).scored,
        PAIRED: lambda: ccl_anew(counted, side, paired=True).scored,
    }
    base = 0.0
    for name, search in searches.items():
        spent, scored = _timed(search, REPEATED if name == ML else 1)
        base = base or spent
        yield _time_row(ANEW, name, spent, spent / base, scored)
    base = 0.0
    for name in searches:
        fit = partial(fit_pair, counted, side, method_of(name), drawn.known)
        fit()
        spent, _ = _timed(fit, REPEATED)
        base = base or spent
        yield _time_row(KEPT, name, spent, spent / base, None)


def _timed(work: Callable[[], Any], often: int) -> tuple[float, Any]:
    """CPU seconds of some work, done so often or until the clock has moved, and what it gives."""
    start, rounds = time.process_time(), 0
    while rounds < often or time.process_time() == start:
        found = work()
        rounds += 1
    return (time.process_time() - start) / rounds, found


def _time_row(experiment: str, method: str, seconds: float, ratio: float, scored: int | None) -> Row:
    more = {} if method == ML else {TIMES_ACL: ratio}
    more |= {} if scored is None else {"families scored": float(scored)}
    return {"experiment": experiment, "families": ALL, "method": method, "seconds": seconds, **more}
