"""The same trial with many seeds: how the area varies, and which of two scores is ahead how often."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from engine.errors import check_number
from engine.evaluation.trials.outcome import Outcome, Score, Trial
from engine.execution import Progress, map, silent
from engine.lazy import special
from engine.measures.bootstrap import bootstrap_interval
from engine.measures.curves import Pooled, auc, pool
from engine.telling.charts.curves import area
from engine.words import count

MOST_TIMES = 200


class Mean(NamedTuple):
    """Mean area over the runs that have one, its 95 % interval (Student's t), the standard deviation, and the runs."""

    value: float
    low: float
    high: float
    deviation: float
    runs: int


@dataclass(frozen=True, eq=False)
class Repeated:
    """The outcomes of many tries.

    Attributes
    ----------
    trial, method, second : as asked; the first run has the trial's own seed, each further one the next
    runs : in the order of their seeds, without labels and pictures
    """

    trial: Trial
    method: Any
    second: str | None
    runs: tuple[Outcome, ...]

    @property
    def scores(self) -> tuple[Score, ...]:
        """The scores of the first run, for their names, units and thresholds."""
        return self.runs[0].scores

    @cached_property
    def areas(self) -> np.ndarray:
        """(runs, scores) areas under the ROC curve; not a number for a run without cases or without others."""
        return np.array(
            [
                [auc(score.values, run.truth).value if run.has_curve else math.nan for score in run.scores]
                for run in self.runs
            ]
        )

    def mean(self, score: int = 0) -> Mean:
        """The mean area of a score."""
        values = self.areas[:, score]
        values = values[~np.isnan(values)]
        n = len(values)
        value = float(values.mean()) if n else math.nan
        deviation = float(values.std(ddof=1)) if n > 1 else math.nan
        reach = float(special.stdtrit(n - 1, 0.975)) * deviation / math.sqrt(n) if n > 1 else math.nan
        low, high = np.clip([value - reach, value + reach], 0.0, 1.0)
        return Mean(value, float(low), float(high), deviation, n)

    def pooled(self, score: int = 0) -> Pooled:
        """All items of all runs: (n,) values of a score, (n,) truth, and (n,) the number of the run."""
        return pool((run.scores[score].values, run.truth) for run in self.runs)

    @cached_property
    def intervals(self) -> tuple[tuple[float, float], ...]:
        """For every score the 95 % interval of its pooled area, whole runs being drawn again (bootstrap)."""
        result = []
        for score in range(len(self.scores)):
            values, truth, run = self.pooled(score)
            draws = int(np.clip(20_000_000 // max(len(run), 1), 100, 1000))
            result.append(bootstrap_interval(values, truth, clusters=run, runs=draws, seed=self.trial.seed))
        return tuple(result)

    def claim_counts(self) -> pd.DataFrame:
        """How many of the cases and of the others of all runs are said to be what; intervals keep runs together."""
        return self.trial.claim_counts(*self._all_claimed())

    def _all_claimed(self) -> tuple[np.ndarray | None, np.ndarray, np.ndarray]:
        """What is said of the items of all runs, their truth, and the number of their run."""
        truth = np.concatenate([run.truth for run in self.runs])
        block = np.repeat(np.arange(len(self.runs)), [len(run.truth) for run in self.runs])
        parts = [run.claimed for run in self.runs if run.claimed is not None]
        return np.concatenate(parts) if len(parts) == len(self.runs) else None, truth, block

    @property
    def has_curve(self) -> bool:
        """True where a run has both cases and others."""
        return any(run.has_curve for run in self.runs)

    def ahead(self) -> tuple[int, int, int]:
        """Runs in which the first score has the larger area, the second, and in which they are equal."""
        gaps = self.areas[:, 0] - self.areas[:, 1]
        return tuple(int(np.sum(which)) for which in (gaps > 1e-12, gaps < -1e-12, np.abs(gaps) <= 1e-12))  # type: ignore

    def spread(self) -> str:
        """Say in sentences how far runs lie apart, and which score is ahead how often."""
        first, items = self.mean(), self.trial.items
        words = "Only one run has an AUC, so nothing shows how far runs lie apart."
        if first.runs > 1:
            words = f"A single run is off the mean by {first.deviation:.2f} as a rule (standard deviation)."
        if without := len(self.runs) - first.runs:
            words += (
                f" {count(without, 'run')} had not both {items.case} and {items.other} {items.many}, and so no AUC."
            )
        if len(self.scores) < 2:
            return words
        ahead, behind, equal = self.ahead()
        return (
            f"{words} The second score, {self.scores[1].name}, comes to {area(self.mean(1).value)} on average: it is "
            f"ahead in {count(behind, 'run')}, behind in {ahead}, and equal in {equal}."
        )

    def headline(self) -> str:
        """The answer in a sentence."""
        if not self.has_curve:
            others, wrong = self._others()
            if not others:
                return f"No run has {self.trial.items.many} that are {self.trial.items.other}, so there is no AUC."
            runs = sum(count > 0 for count in wrong)
            return (
                f"In {runs} of {len(self.runs)} runs the method calls something that is not there; it calls "
                f"{sum(wrong)} of {others:,} {self.trial.items.other} {self.trial.items.many} in all."
            )
        first = self.mean()
        if first.runs == 1:
            return f"The AUC of the one run that has one is {area(first.value)}."
        between = f" ({area(first.low)} to {area(first.high)})" if first.low < first.high else ""
        return f"Over {first.runs} runs the AUC is {area(first.value)} on average{between}."

    def _others(self) -> tuple[int, list[int]]:
        """Items of all runs that are no cases and were asked about, and how many of them each run calls."""
        return (
            sum(int((run.tested & ~run.truth).sum()) for run in self.runs),
            [int((run.case_claims & ~run.truth).sum()) for run in self.runs],
        )

    def table(self) -> pd.DataFrame:
        """One row a run: seed, items, cases, called, false alarms, and the area of every score."""
        rows = []
        for run, areas, wrong in zip(self.runs, self.areas, self._others()[1], strict=True):
            row: dict[str, Any] = {
                "seed": run.trial.seed,
                self.trial.items.many: len(run.truth),
                self.trial.items.case: int(run.truth.sum()),
                "called": int(run.case_claims.sum()),
                "false alarms": wrong,
            }
            if self.has_curve:
                row |= {f"AUC, {score.name}": value for score, value in zip(self.scores, areas.tolist(), strict=True)}
            rows.append(row)
        return pd.DataFrame(rows)


def repeat(
    trial: Trial,
    method: Any,
    second: str | None = None,
    times: int = 20,
    jobs: int = 1,
    progress: Progress = silent,
) -> Repeated:
    """`trial.run(method, second)` with `times` seeds, the trial's own first; equal bits whatever the number of `jobs`.

    Examples
    --------
    >>> from engine.evaluation.trials.log_linear import AssociationTrial
    >>> from engine.methods.log_linear.method import LogLinear
    >>> found = repeat(AssociationTrial(shape="nine", rows=5000), LogLinear(), times=3)
    >>> print(found.headline())
    Over 3 runs the AUC is 0.71 on average (0.62 to 0.81).
    """
    check_number("times", times, least=1, most=MOST_TIMES, whole=True)
    trials = [replace(trial, seed=trial.seed + i) for i in range(times)]  # type: ignore[type-var]
    runs = map(partial(_run_once, method, second), trials, jobs=jobs, progress=progress, words="runs")
    done = Repeated(trial, method, second, tuple(runs))
    if done.has_curve:
        _ = done.areas, done.intervals  # here, where nobody waits for a page
    return done


def _run_once(method: Any, second: str | None, trial: Trial) -> Outcome:
    """One try, without what nobody looks at among many."""
    return replace(trial.run(method, second), labels=(), pictures=())
