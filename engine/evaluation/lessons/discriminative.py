"""A lesson: classes that differ by c in the strength of one masked link, and how well every method tells them.

The classes, the series and the methods are those of the study of Burge & Lane 2005 in `benchmarks/papers`, which draws
with what stands here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from engine.counting.by_group import Slices
from engine.execution import Progress, silent
from engine.methods.discriminative.coding import Counted
from engine.methods.discriminative.method import Discriminative
from engine.methods.discriminative.pipeline import fit_contrasts
from engine.search.constraints import Constraints
from engine.simulation.series import MASKED, DynamicNetwork, four_nodes, sample_subjects, with_noise

RUNS = 100
STOPS = (0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.114, 0.13, 0.15, 0.17, 0.2)
"""Differences that the paper's Figure 3 runs over."""
ARITY = 4
STEPS = 500
TRAINED = TESTED = 5
"""Series of each class."""
EPS = 1.0
ML, MID, MAX, BDE = "ACL-ML", "ACL-Mid", "ACL-Max", "BDE"
SINGLE, PAIRED = "CCL single", "CCL paired"
METHODS: Mapping[str, Mapping[str, Any]] = {
    ML: {"score": "acl", "parameters": "ml"},
    MID: {"score": "acl", "parameters": "mid"},
    MAX: {"score": "acl", "parameters": "max"},
    BDE: {"score": "bde"},
    SINGLE: {"score": "ccl_single"},
    PAIRED: {"score": "ccl"},
}
"""Settings of `engine.Discriminative`."""


@dataclass(frozen=True, eq=False)
class Lesson:
    """What came out at one difference.

    Attributes
    ----------
    c : difference in strength
    accuracies : method -> (runs,) share of the test series classified correctly
    """

    c: float
    accuracies: Mapping[str, np.ndarray]

    def interval(self, method: str) -> tuple[float, float, float]:
        """Mean over the runs, and the ends of its 95 % interval."""
        shares = self.accuracies[method]
        half = 1.96 * float(shares.std(ddof=1)) / len(shares) ** 0.5 if len(shares) > 1 else float("nan")
        mean = float(shares.mean())
        return mean, max(0.0, mean - half), min(1.0, mean + half)

    def headline(self) -> str:
        """Who tells how many of 100."""
        best = max(self.accuracies, key=lambda name: self.accuracies[name].mean())
        parts = "; ".join(f"{name} {100 * self.interval(name)[0]:.0f}" for name in self.accuracies)
        return (
            f"One link is {MASKED:g} strong in one class and {MASKED - self.c:.3g} in the other. Of 100 new series are "
            f"classified correctly by {parts}. Chance is 50; the best here is {best}."
        )


@dataclass(frozen=True, eq=False)
class ClassSeries:
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
        """Share of the test series that are classified correctly; scores above 0 are for the second class."""
        tested = self.side < 0
        return float(((scores > 0) == self.truth)[tested].mean())


def lesson(c: float, runs: int = RUNS, seed: int = 0, progress: Progress = silent) -> Lesson:
    """`runs` times: draw classes that differ by `c` (0 to .22), learn, and tell ten new series."""
    accuracies: dict[str, list[float]] = {name: [] for name in METHODS}
    for run in range(runs):
        progress(run / runs, f"simulated tables: {run + 1} of {runs}")
        generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0, round(1000 * c), run)))
        first, second = four_nodes(c, generator, ARITY)
        series = draw_series(first, second, first.names[-1], generator)
        for name in METHODS:
            contrast = fit_contrasts(series.counted, series.side, 2, method_of(name), series.known)[0]
            accuracies[name].append(series.accuracy(contrast.scores))
    progress(1.0, "done")
    return Lesson(c, {name: np.array(values) for name, values in accuracies.items()})


def draw_series(
    first: DynamicNetwork,
    second: DynamicNetwork,
    changed: str,
    generator: np.random.Generator,
    *,
    noise: int = 0,
    disturbed: Sequence[str] | None = None,
    tested: int = TESTED,
) -> ClassSeries:
    """Series of two classes, `tested` of each to be told; `noise` draws disturb the tables of each subject."""
    many = TRAINED + tested
    networks = [with_noise(network, noise, generator, disturbed) for network in (first, second) for _ in range(many)]
    truth = np.repeat([0, 1], many)
    side = np.where(np.arange(len(truth)) % many < TRAINED, truth, -1)
    child = first.names.index(changed)
    return ClassSeries(count_series(networks, generator), truth, side, child, first.parents[child][1])


def count_series(networks: list[DynamicNetwork], generator: np.random.Generator) -> Counted:
    """One series of each network; what comes before and what after, never from one series to the next."""
    codes = sample_subjects(networks, STEPS, generator)
    p, subjects, steps = codes.shape
    before, after = (np.ascontiguousarray(part.reshape(p, -1)) for part in (codes[:, :, :-1], codes[:, :, 1:]))
    return Counted(
        Slices(before, after, np.array(networks[0].arities)), np.repeat(np.arange(subjects), steps - 1), subjects
    )


@cache
def method_of(name: str, top_families: int | None = None) -> Discriminative:
    """The method of a name; extra counts as they are, which is as published (classes are equal)."""
    return Discriminative("class", eps=EPS, balance=False, top_families=top_families, **METHODS[name])
