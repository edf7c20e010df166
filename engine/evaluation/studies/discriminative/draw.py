"""One run of the study: two networks, training and test series of both, and what every method makes of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numpy as np

from engine.counting.by_group import Slices
from engine.evaluation.studies.blocks import Row
from engine.evaluation.studies.discriminative.conditional import Forced, acl_anew, ccl_anew, forced
from engine.evaluation.studies.discriminative.plan import (
    ALL,
    ANEW,
    ARITY,
    AT_C,
    BEST_ALONE,
    DIFFERENCES,
    EPS,
    FORCED,
    KEPT,
    METHODS,
    ML,
    NOISE,
    NOISE_OF_SIZES,
    ONE,
    PAIRED,
    SINGLE,
    SIZE,
    SIZE_ALL,
    SIZE_ONE,
    STEPS,
    TESTED,
    TIMES_ACL,
    TRAINED,
)
from engine.methods.discriminative.counted import Counted
from engine.methods.discriminative.method import Discriminative
from engine.methods.discriminative.pipeline import fit_contrasts
from engine.methods.discriminative.structure import fit_pair
from engine.search.constraints import Constraints
from engine.simulation.series import DynamicNetwork, four_nodes, random_pair, sample_subjects, with_noise

ORDER = (DIFFERENCES, NOISE, SIZE, SIZE_ONE, SIZE_ALL, ANEW)
"""Experiments by their number among the seeds; never change it."""
REPEATED = 5
"""How often a search of milliseconds is timed."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """The series of a run.

    Attributes
    ----------
    counted : all series, those of the first class first
    truth : (S,) 0 or 1
    side : (S,) the same for training series, -1 for those to be tested on
    child, parent : the changed link, by position
    """

    counted: Counted
    truth: np.ndarray
    side: np.ndarray
    child: int
    parent: int

    @property
    def known(self) -> Constraints:
        """Any variable may follow any, itself too."""
        p = self.counted.slices.n_variables
        return Constraints(np.ones((p, p), dtype=bool), ((),) * p, p)

    def accuracy(self, scores: np.ndarray) -> float:
        """Share of the test series that are rightly told; scores above 0 are for the second class."""
        tested = self.side < 0
        return float(((scores > 0) == self.truth)[tested].mean())


def generator_of(seed: int, experiment: str, at: float, run: int) -> np.random.Generator:
    """The generator of a run: its own, whatever else a plan has.

    Parameters
    ----------
    seed : of the study
    experiment, at, run : which one
    """
    key = (ORDER.index(experiment), round(1000 * at), run)
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def draw(experiment: str, at: float, generator: np.random.Generator, tested: int = TESTED) -> Drawn:
    """Networks and series.

    Parameters
    ----------
    experiment, at : which cell
    generator : all randomness comes from it
    tested : test series of each class
    """
    if experiment in (DIFFERENCES, NOISE):
        first, second = four_nodes(at if experiment == DIFFERENCES else AT_C, generator, ARITY)
        changed = first.names[-1]
    else:
        first, second, (changed,) = random_pair(int(at), 1, generator, ARITY)
    rho = int(at) if experiment == NOISE else NOISE_OF_SIZES if experiment in (SIZE_ONE, SIZE_ALL) else 0
    disturbed = None if experiment == SIZE_ALL else [changed]
    many = TRAINED + tested
    networks = [with_noise(one, rho, generator, disturbed) for one in (first, second) for _ in range(many)]
    truth = np.repeat([0, 1], many)
    side = np.where(np.arange(len(truth)) % many < TRAINED, truth, -1)
    child = first.names.index(changed)
    return Drawn(counted_of(networks, generator), truth, side, child, first.parents[child][1])


def counted_of(networks: list[DynamicNetwork], generator: np.random.Generator) -> Counted:
    """One series of each network; what comes before and what after, never from one series to the next."""
    codes = sample_subjects(networks, STEPS, generator)
    p, subjects, steps = codes.shape
    before, after = (np.ascontiguousarray(part.reshape(p, -1)) for part in (codes[:, :, :-1], codes[:, :, 1:]))
    return Counted(
        Slices(before, after, np.array(networks[0].arities)), np.repeat(np.arange(subjects), steps - 1), subjects
    )


@cache
def method_of(name: str, families: str = ALL) -> Discriminative:
    """The method of a name; extra counts as they are, which is as published (classes are equal)."""
    top = 1 if families == ONE else None
    return Discriminative("class", eps=EPS, balance=False, top_families=top, **METHODS[name])


def accuracies(drawn: Drawn) -> Iterator[Row]:
    """A row a method: share of the test series rightly told, and which networks have the changed link."""
    link = (drawn.child, drawn.parent)
    for name in METHODS:
        for families in (ALL, ONE) if name in BEST_ALONE else (ALL,):
            one = fit_contrasts(drawn.counted, drawn.side, 2, method_of(name, families), drawn.known)[0]
            has = [link[1] in net.parents[link[0]] for net in (one.pair.others, one.pair.own)]
            yield _row(name, families, drawn.accuracy(one.scores), has)
    for name, paired in FORCED.items():
        found: Forced = forced(drawn.counted, drawn.side, paired=paired)
        yield _row(name, ALL, drawn.accuracy(found.scores), [bool(one[link[0]] == link[1]) for one in found.parents])


def _row(method: str, families: str, accuracy: float, has: list[bool]) -> Row:
    return {
        "families": families,
        "method": method,
        "accuracy": accuracy,
        "first": float(has[0]),
        "second": float(has[1]),
    }


def times(drawn: Drawn) -> Iterator[Row]:
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
    """CPU seconds of some work, and what it gives."""
    start = time.process_time()
    for _ in range(often):
        found = work()
    return (time.process_time() - start) / often, found


def _time_row(experiment: str, method: str, seconds: float, ratio: float, scored: int | None) -> Row:
    more = {} if method == ML else {TIMES_ACL: ratio}
    more |= {} if scored is None else {"families scored": float(scored)}
    return {"experiment": experiment, "families": ALL, "method": method, "seconds": seconds, **more}
