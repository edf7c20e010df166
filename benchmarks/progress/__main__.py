"""How right the time left is that a page shows: every kind of long work, looked at ten times a second.

    python -m benchmarks.progress                        # everything, some ten minutes on one core
    python -m benchmarks.progress cohort log-linear      # the works whose names have one of these words

A line a work: its seconds, the worst ratio of the time left shown and the true one from a tenth of the time on (or the
other way round; what lies within a second counts as right), and for which share of that time none was shown. Seconds
are those of the processor, one thread, so that whatever else the machine does counts for nothing.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import engine
import sample_data
from benchmarks.tables import SEED, Size, dataset, draw, random_network, two_groups
from dashboard.jobs import process
from dashboard.jobs.pace import Pace
from dashboard.session.comparing import BATCH, compared, shuffled
from engine import execution
from engine.comparison.difference import Compare
from engine.evaluation.lessons.discriminative import lesson
from engine.evaluation.lessons.ordinal import EXAMPLES, cutting
from engine.evaluation.trials.group_difference import GroupTrial
from engine.evaluation.trials.repeat import repeat
from engine.simulation.ordinal import full_sample, random_latent_model

Work = tuple[Callable[..., Any], tuple[Any, ...]]
LOOK = 0.1
"""Seconds between two looks."""
FROM = 0.1
"""Share of the time from which on what is shown has to be right."""
SLACK = 1.0
"""Seconds that nobody minds."""


@dataclass(frozen=True)
class Look:
    """What a page would show at a moment.

    Attributes
    ----------
    elapsed : seconds since the work began
    fraction, words : how far it is
    left : seconds left, where they are shown
    """

    elapsed: float
    fraction: float
    words: str
    left: float | None


@dataclass(frozen=True)
class Watched:
    """A work that is over.

    Attributes
    ----------
    seconds : that it took
    looks : while it ran
    """

    seconds: float
    looks: tuple[Look, ...]

    @property
    def judged(self) -> list[Look]:
        """The looks from a tenth of the time on."""
        return [look for look in self.looks if look.elapsed >= FROM * self.seconds]

    @property
    def worst(self) -> tuple[float, Look | None]:
        """The largest ratio of a time left that was shown and the true one, and where that was."""
        return max(
            ((_ratio(look.left, self.seconds - look.elapsed), look) for look in self.judged if look.left is not None),
            key=lambda item: item[0],
            default=(1.0, None),
        )

    @property
    def silent(self) -> float:
        """The share of the time without a time left."""
        return 1.0 - sum(look.left is not None for look in self.judged) / max(len(self.judged), 1)


def _ratio(shown: float, true: float) -> float:
    if abs(shown - true) <= SLACK:
        return 1.0
    return max(shown, true) / max(min(shown, true), SLACK)


def watch(function: Callable[..., Any], args: tuple[Any, ...]) -> Watched:
    """Do a work, and look at its reports as a page would have done."""
    reports: list[tuple[float, float, str]] = []
    began = time.process_time()
    with execution.using(1):
        function(
            *args,
            progress=lambda fraction, words: reports.append((time.process_time() - began, fraction, words)),
        )
    return replay(reports, time.process_time() - began)


def replay(reports: list[tuple[float, float, str]], seconds: float) -> Watched:
    """What a page shows in the course of these reports (second, share done, words)."""
    pace, looks, fraction, words, coming = Pace(), [], 0.0, "", iter(reports)
    report = next(coming, None)
    for number in range(1, int(seconds / LOOK)):
        now = number * LOOK
        while report is not None and report[0] <= now:
            fraction, words = min(max(report[1], fraction), 1.0), report[2]
            pace.add(report[0], fraction)
            report = next(coming, None)
        looks.append(Look(now, fraction, words, pace.seconds_left(now)))
    return Watched(seconds, tuple(looks))


# -- tables -----------------------------------------------------------------------------------------------------------


def _table(variables: int, rows: int, levels: tuple[int, int] = (2, 3)) -> engine.Dataset:
    rng = np.random.default_rng(SEED)
    network = random_network(Size(rows, variables, round(1.5 * variables), levels), rng)
    return dataset(draw(network, rows, rng), network.arity)


def _ratings(variables: int, rows: int) -> engine.Dataset:
    rng = np.random.default_rng(SEED)
    return full_sample(random_latent_model(variables, rng, 4.0, 4), rows, rng)[1]


# -- works ------------------------------------------------------------------------------------------------------------


def _groups(variables: int, rows: int, call: str = "run", *more: Any, **settings: Any) -> Work:
    return getattr(engine.GroupDifference(group="arm", **settings), call), (two_groups(variables, rows), *more)


def _patients(variables: int, rows: int, call: str, *, population: bool, more: tuple[Any, ...] = ()) -> Work:
    method, data = engine.InstanceSpecific(), _table(variables, rows)
    given = (method.learn_population(data),) if population else ()
    return _Patients(method, call, given), (data, *more)


@dataclass(frozen=True)
class _Patients:
    """A call with a population's network that is there already."""

    method: engine.InstanceSpecific
    call: str
    given: tuple[Any, ...]

    def __call__(self, *args: Any, progress: Any) -> Any:
        more = {"population": self.given[0]} if self.given else {}
        return getattr(self.method, self.call)(*args, **more, progress=progress)


def _classes(variables: int, rows: int, shuffles: int, call: str = "run", **more: Any) -> Work:
    return _Call(engine.Discriminative("arm", shuffles=shuffles), call, more), (two_groups(variables, rows),)


@dataclass(frozen=True)
class _Call:
    """A call with arguments by name."""

    method: Any
    call: str
    more: dict[str, Any]

    def __call__(self, *args: Any, progress: Any) -> Any:
        return getattr(self.method, self.call)(*args, **self.more, progress=progress)


def _comparison(variables: int, rows: int, function: Callable[..., Any]) -> Work:
    parts = list(engine.by_group(two_groups(variables, rows), "arm").values())
    answers = [engine.LogLinear().run(part) for part in parts]
    if function is compared:
        return compared, (answers, parts, Compare())
    return shuffled, (engine.compare(*answers, data=parts), parts)


WORKS: dict[str, Callable[[], Work]] = {
    "group difference, all orders, 20 variables": lambda: _groups(20, 3_000),
    "group difference, all orders, many rows": lambda: _groups(16, 200_000),
    "group difference, all orders, 18 variables": lambda: _groups(18, 60_000),
    "group difference, sampled orders, 30 variables": lambda: _groups(30, 1_000),
    "group difference, sampled orders, 60 variables": lambda: _groups(60, 1_000),
    "group difference, the paper's order, 900 variables": lambda: _groups(900, 3_000, average="none"),
    "group difference, the paper's order, 250 variables, few rows": lambda: _groups(250, 150, average="none"),
    "group difference, permutations": lambda: _groups(14, 1_000, "null", 99),
    "group difference, resampled tables": lambda: _groups(14, 1_000, "stability", 99),
    "group difference, another score": lambda: _groups(20, 20_000, "check_score"),
    "patient, 100 variables": lambda: _patients(100, 2_000, "run", population=False, more=(0,)),
    "population, 150 variables": lambda: _patients(150, 2_000, "learn_population", population=False),
    "population, 11 variables": lambda: _patients(11, 20_000, "learn_population", population=False),
    "population, 400 variables": lambda: _patients(400, 2_000, "learn_population", population=False),
    "cohort with its network": lambda: _patients(20, 20_000, "run_cohort", population=False),
    "cohort": lambda: _patients(30, 10_000, "run_cohort", population=True),
    "cohort, tables without interaction": lambda: _patients(20, 1_000, "without_context", population=True),
    "patient, support of links": lambda: _patients(30, 2_000, "link_support", population=False),
    "log-linear, 1,000 variables": lambda: (engine.LogLinear().run, (_table(1_000, 20_000),)),
    "log-linear, 2,500 variables": lambda: (engine.LogLinear().run, (_table(2_500, 3_000),)),
    "log-linear, stability": lambda: (engine.LogLinear().stability, (_table(30, 3_000), 100)),
    "class networks, 12 variables": lambda: _classes(12, 300, 199),
    "class networks, 30 variables": lambda: _classes(30, 300, 99),
    "class networks, evaluated 5 times": lambda: _classes(12, 200, 99, "evaluate", repeats=5),
    "class networks, settings chosen": lambda: _classes(
        12, 100, 0, "evaluate", choose=("max_parents",), second="naive_bayes", repeats=3
    ),
    "class networks, series": lambda: (
        engine.Discriminative("diagnosis", shuffles=199).run,
        (sample_data.dataset("regions"),),
    ),
    "class networks, lesson": lambda: (lesson, (0.1,)),
    "ordinal, 30 variables": lambda: (engine.Ordinal().run, (_ratings(30, 2_000),)),
    "ordinal, 80 variables": lambda: (engine.Ordinal().run, (_ratings(80, 3_000),)),
    "ordinal, as published": lambda: (engine.Ordinal(mode="published").run, (_ratings(60, 5_000),)),
    "ordinal with its bootstrap": lambda: (engine.Ordinal(bootstrap=20).run, (_ratings(10, 500),)),
    "ordinal, half samples": lambda: (engine.Ordinal().half_samples, (_ratings(10, 500),)),
    "ordinal, other seeds": lambda: (engine.Ordinal().monte_carlo, (_ratings(15, 1_000),)),
    "ordinal, penalties": lambda: (_Call(engine.Ordinal(), "lambda_path", {"repeats": 3}), (_ratings(10, 500),)),
    "ordinal, held-out loss": lambda: (engine.Ordinal().log_loss, (_ratings(10, 500),)),
    "ordinal, bge": lambda: (engine.Ordinal(approach="bge").run, (_ratings(120, 3_000),)),
    "ordinal, bde": lambda: (engine.Ordinal(approach="bde").run, (_ratings(60, 2_000),)),
    "ordinal, gpc": lambda: (engine.Ordinal(approach="gpc").run, (_ratings(100, 2_000),)),
    "ordinal, opc": lambda: (engine.Ordinal(approach="opc").run, (_ratings(30, 2_000),)),
    "ordinal, npc": lambda: (engine.Ordinal(approach="npc").run, (_ratings(40, 2_000),)),
    "ordinal, lesson": lambda: (cutting, (EXAMPLES["A chain"], 4, 500)),
    "comparison, 100 variables": lambda: _comparison(100, 1_000, compared),
    f"comparison, {BATCH} permutations": lambda: _comparison(30, 1_000, shuffled),
    "trial, repeated": lambda: (repeat, (GroupTrial(), engine.GroupDifference(group="group"), None, 20)),
}


def main() -> None:
    """Run what is asked for, one after the other, and say how right the time left was."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("words", nargs="*")
    words = parser.parse_args().words
    process.warm()
    print(f"{'seconds':>8} {'worst':>6} {'no time':>8}  work")
    for name, work in WORKS.items():
        if words and not any(word in name for word in words):
            continue
        function, args = work()
        say(name, watch(function, args))


def say(name: str, watched: Watched) -> None:
    """A line of the table; a second one where the worst time left was wrong."""
    worst, look = watched.worst
    print(f"{watched.seconds:>8.1f} {worst:>6.2f} {watched.silent:>8.0%}  {name}", flush=True)
    if worst > 1.5 and look is not None:
        true = watched.seconds - look.elapsed
        print(f"{'':>25}at {look.fraction:.0%} {look.left:.1f} s instead of {true:.1f} s: {look.words}", flush=True)


if __name__ == "__main__":
    main()
