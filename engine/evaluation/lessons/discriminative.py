"""Two lessons: classes that differ by c in the strength of one masked link, and a link that switches with the class.

The classes, the series and the methods of the first are those of the study of Burge & Lane 2005 in `benchmarks/papers`,
which draws with what stands here. The second is their Figure 1: of X1, X2 and X3 the first two are drawn evenly and by
themselves; in the first class X3 follows X1, in the second X2, with probability `FOLLOWS`, and else has another level.
One network for both classes needs a table of X3 with both others and the class as parents; in a network for each class
one link is enough.
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
from engine.scores.discriminative import log_parameters
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
    """The outcome at one difference.

    Attributes
    ----------
    c : difference in strength
    accuracies : method -> (runs,) share of the test series classified correctly
    """

    c: float
    accuracies: Mapping[str, np.ndarray]

    def interval(self, method: str) -> tuple[float, float, float]:
        """Mean over the runs, and the ends of its 95 % interval."""
        return _mean_interval(self.accuracies[method])

    def headline(self) -> str:
        """Number of 100 that every method classifies correctly."""
        best = max(self.accuracies, key=lambda name: self.accuracies[name].mean())
        parts = "; ".join(f"{name} {100 * self.interval(name)[0]:.0f}" for name in self.accuracies)
        return (
            f"One link is {MASKED:g} strong in one class and {MASKED - self.c:.3g} in the other. Of 100 new series are "
            f"classified correctly by {parts}. Chance is 50; the best here is {best}."
        )


def _mean_interval(shares: np.ndarray) -> tuple[float, float, float]:
    """Mean over the runs, and the ends of its 95 % interval, within 0 to 1."""
    half = 1.96 * float(shares.std(ddof=1)) / len(shares) ** 0.5 if len(shares) > 1 else float("nan")
    mean = float(shares.mean())
    return mean, max(0.0, mean - half), min(1.0, mean + half)


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


# -- a link that switches with the class ------------------------------------------------------------------------------

FOLLOWS = 0.6
"""Probability that X3 has the level of the variable that it follows."""
LEVELS = (2, 3, 4, 6, 8)
ROWS = (25, 50, 100, 200, 500, 1000)
"""Training rows of each class."""
SWITCHING_RUNS = 20
NEW_ROWS = 1000
"""New rows of each class in a run."""
CHILD = 2
"""Position of X3."""
SINGLE_NETWORK = "One network with the class"
NETWORKS: Mapping[str, Mapping[str, Any]] = {
    "A network for each class (BDE)": {"score": "bde"},
    "A network for each class (ACL-ML)": {"score": "acl", "boundary": "ratio"},
}
"""Settings of `engine.Discriminative`."""


@dataclass(frozen=True, eq=False)
class Switching:
    """The outcome with so many levels and rows.

    Attributes
    ----------
    levels : of every variable
    rows : training rows of each class
    accuracies : approach -> (runs,) share of new rows classified correctly
    parameters : approach -> free parameters of all tables, of both classes together, mean over the runs
    best : the share that nobody can be above, who knows what was drawn from
    """

    levels: int
    rows: int
    accuracies: Mapping[str, np.ndarray]
    parameters: Mapping[str, float]
    best: float

    def interval(self, approach: str) -> tuple[float, float, float]:
        """Mean over the runs, and the ends of its 95 % interval.

        Parameters
        ----------
        approach : one of `accuracies`

        Returns
        -------
        Mean, lower and upper end.
        """
        return _mean_interval(self.accuracies[approach])

    def headline(self) -> str:
        """Number of 100 that every approach classifies correctly, and with how many parameters.

        Returns
        -------
        Sentences with the numbers of this run.
        """
        parts = "; ".join(
            f"{name}, {100 * self.interval(name)[0]:.0f} with {self.parameters[name]:,.0f} parameters"
            for name in self.accuracies
        )
        return (
            f"{self.levels} levels, {self.rows:,} training rows of each class. Of 100 new rows classified correctly: "
            f"{parts}. The best possible is {100 * self.best:.0f}."
        )


def switching(
    levels: int, rows: int, runs: int = SWITCHING_RUNS, seed: int = 0, progress: Progress = silent
) -> Switching:
    """Draw both classes, learn in three ways, and classify new rows; again and again.

    Parameters
    ----------
    levels : of every variable, 2 or more
    rows : training rows of each class
    runs : each with rows of its own
    seed : all randomness comes from it
    progress : called with a fraction from 0 to 1 and words; it may raise `Cancelled`

    Returns
    -------
    The accuracies of the runs and what the networks cost in parameters.

    Examples
    --------
    >>> result = switching(4, 100, runs=2)
    >>> result.parameters["One network with the class"], round(result.best, 3)
    (102.0, 0.675)
    """
    accuracies: dict[str, list[float]] = {name: [] for name in (*NETWORKS, SINGLE_NETWORK)}
    parameters: dict[str, list[float]] = {name: [] for name in accuracies}
    for run in range(runs):
        progress(run / runs, f"simulated tables: {run + 1} of {runs}")
        generator = np.random.default_rng([seed, levels, rows, run])
        counted, truth, side = _drawn(levels, rows, generator)
        tested = side < 0
        known = Constraints(~np.eye(3, dtype=bool), ((),) * 3, 3)
        for name, settings in NETWORKS.items():
            method = Discriminative("class", max_parents=1, balance=False, eps=EPS, **settings)
            contrast = fit_contrasts(counted, side, 2, method, known)[0]
            accuracies[name].append(float(((contrast.scores > 0) == truth)[tested].mean()))
            networks = [net.parents for net in (contrast.pair.others, contrast.pair.own)]
            sizes = [(levels - 1) * levels ** len(family) for parents in networks for family in parents]
            parameters[name].append(sum(sizes))
        scores = _single_scores(counted, side)
        accuracies[SINGLE_NETWORK].append(float(((scores > 0) == truth)[tested].mean()))
        parameters[SINGLE_NETWORK].append(2 * (levels - 1) * (1 + levels**2))
    progress(1.0, "done")
    return Switching(
        levels,
        rows,
        {name: np.array(values) for name, values in accuracies.items()},
        {name: float(np.mean(values)) for name, values in parameters.items()},
        best_accuracy(levels),
    )


def best_accuracy(levels: int) -> float:
    """The share of rows that is classified correctly by who knows the tables, classes equally likely.

    Parameters
    ----------
    levels : of every variable

    Returns
    -------
    A share from 0.5 to 1.

    Examples
    --------
    >>> round(best_accuracy(2), 3)
    0.55
    """
    other = (1 - FOLLOWS) / (levels - 1)
    # X1 and X2 differ in all but 1 / levels of the rows; only then does it matter which of them X3 follows
    differ = 1 - 1 / levels
    return 0.5 + differ * abs(FOLLOWS - other) / 2


def _drawn(levels: int, rows: int, generator: np.random.Generator) -> tuple[Counted, np.ndarray, np.ndarray]:
    """Rows of both classes, their classes, and their side: below 0 for new rows."""
    many = rows + NEW_ROWS
    truth = np.repeat([0, 1], many)
    codes = generator.integers(0, levels, (3, len(truth)))
    followed = np.where(truth == 0, codes[0], codes[1])
    other = (followed + generator.integers(1, levels, len(truth))) % levels
    codes[CHILD] = np.where(generator.random(len(truth)) < FOLLOWS, followed, other)
    side = np.where(np.arange(len(truth)) % many < rows, truth, -1)
    coded = codes.astype(np.uint8)
    return Counted(Slices(coded, coded, np.full(3, levels)), np.arange(len(truth)), len(truth)), truth, side


def _single_scores(counted: Counted, side: np.ndarray) -> np.ndarray:
    """Log-likelihood ratio of every row by one network in which X3 has X1, X2 and the class as parents."""
    family = counted.family(CHILD, (0, 1), side)
    logs = [log_parameters(own, np.zeros_like(own), "ml", EPS) for own in family]
    others, own = (counted.log_likelihood(CHILD, (0, 1), log) for log in logs)
    ratio: np.ndarray = own - others
    return ratio
