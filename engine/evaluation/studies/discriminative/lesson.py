"""A lesson: classes that differ by c in the strength of one masked link, and how well every method tells them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from engine.evaluation.studies.discriminative.draw import draw, generator_of, method_of
from engine.evaluation.studies.discriminative.plan import DIFFERENCES, METHODS
from engine.execution import Progress, silent
from engine.methods.discriminative.pipeline import fit_contrasts
from engine.simulation.series import MASKED

RUNS = 100
STOPS = (0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.114, 0.13, 0.15, 0.17, 0.2)
"""Differences that the paper's Figure 3 runs over."""


@dataclass(frozen=True, eq=False)
class Lesson:
    """What came out at one difference.

    Attributes
    ----------
    c : difference in strength
    accuracies : method -> (runs,) share of the test series rightly told
    """

    c: float
    accuracies: Mapping[str, np.ndarray]

    def interval(self, method: str) -> tuple[float, float, float]:
        """Mean over the runs, and the ends of its 95 % interval."""
        found = self.accuracies[method]
        half = 1.96 * float(found.std(ddof=1)) / len(found) ** 0.5 if len(found) > 1 else float("nan")
        mean = float(found.mean())
        return mean, max(0.0, mean - half), min(1.0, mean + half)

    def headline(self) -> str:
        """Who tells how many of 100."""
        best = max(self.accuracies, key=lambda name: self.accuracies[name].mean())
        said = "; ".join(f"{name} {100 * self.interval(name)[0]:.0f}" for name in self.accuracies)
        return (
            f"One link is {MASKED:g} strong in one class and {MASKED - self.c:.3g} in the other. Of 100 new series are "
            f"rightly told by {said}. Chance is 50; the best here is {best}."
        )


def lesson(c: float, runs: int = RUNS, seed: int = 0, progress: Progress = silent) -> Lesson:
    """Draw classes, learn, and tell ten new series, again and again.

    Parameters
    ----------
    c : difference in the link's strength, from 0 to .22
    runs : how often
    seed : of everything that is drawn
    progress : told how far it is

    Returns
    -------
    `Lesson`
    """
    found: dict[str, list[float]] = {name: [] for name in METHODS}
    for run in range(runs):
        progress(run / runs, f"classes drawn: {run + 1} of {runs}")
        drawn = draw(DIFFERENCES, c, generator_of(seed, DIFFERENCES, c, run))
        for name in METHODS:
            one = fit_contrasts(drawn.counted, drawn.side, 2, method_of(name), drawn.known)[0]
            found[name].append(drawn.accuracy(one.scores))
    progress(1.0, "done")
    return Lesson(c, {name: np.array(values) for name, values in found.items()})
