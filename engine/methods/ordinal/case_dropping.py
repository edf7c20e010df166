"""Whether the order of the nodes survives with fewer rows: the correlation-stability coefficient.

Epskamp, Borsboom & Fried (2018), as R's bootnet computes it: rows are dropped at random, every node is measured again,
and the values are correlated with those of all rows. The coefficient is the largest share of rows that can be dropped
so that this correlation is above .7 in more than 95 % of the draws.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.execution import Progress, silent
from engine.lazy import pd
from engine.methods import frames
from engine.methods.fitting import check_shape, check_that
from engine.methods.ordinal.answers import Answers
from engine.methods.ordinal.partial_network import MEASURES, PartialNetwork, link_weights, measures_of, units_of
from engine.methods.storing import storable
from engine.models.partial_correlations import boxes_of, estimate

STEPS = tuple(np.linspace(0.05, 0.75, 10).tolist())
"""Shares of the rows that are dropped."""
RUNS = 100
CORRELATED, SURE = 0.7, 0.95
MINIMUM, RECOMMENDED = 0.25, 0.5
"""Below the first the order of nodes is not to be interpreted; from the second on it is stable."""


@storable
@dataclass(frozen=True, eq=False)
class CaseDropping:
    """Nodes measured again after rows were dropped; see `engine.Ordinal.case_dropping`.

    Attributes
    ----------
    names : the variables
    steps : shares of the rows, or subjects, that were dropped
    correlations : measure -> (steps, runs) correlation with the values of all rows; not a number where there is none
    seed : of the draws
    origin : fingerprint of the data
    """

    names: tuple[str, ...]
    steps: tuple[float, ...]
    correlations: Mapping[str, np.ndarray]
    seed: int
    origin: str

    @property
    def runs(self) -> int:
        """Draws a step."""
        return int(next(iter(self.correlations.values())).shape[1])

    def coefficient(self, measure: str) -> float:
        """The correlation-stability coefficient of a measure, 0 where no step passes.

        Parameters
        ----------
        measure : one of `correlations`
        """
        passed = (self.correlations[measure] > CORRELATED).mean(axis=1) > SURE
        return max((step for step, enough in zip(self.steps, passed, strict=True) if enough), default=0.0)

    def frame(self) -> pd.DataFrame:
        """One row a measure and step.

        Returns
        -------
        pandas.DataFrame: measure, dropped (share), correlation (mean), low, high (2.5 and 97.5 % of the draws), passed
        (share of the draws above .7)
        """
        rows = []
        for name, values in self.correlations.items():
            for step, own in zip(self.steps, np.nan_to_num(values), strict=True):
                low, high = np.quantile(own, [0.025, 0.975]).tolist()
                rows.append((name, step, float(own.mean()), low, high, float((own > CORRELATED).mean())))
        return frames.data_frame(rows, columns=["measure", "dropped", "correlation", "low", "high", "passed"])

    def _check_read(self) -> None:
        check_that(set(self.correlations) <= set(MEASURES) and bool(self.correlations), "a measure is not known")
        for values in self.correlations.values():
            check_shape(values, len(self.steps), self.runs)


def drop_cases(
    answers: Answers,
    names: Sequence[str],
    network: PartialNetwork,
    runs: int,
    seed: int,
    progress: Progress = silent,
) -> CaseDropping:
    """Estimate the lines of fewer and fewer rows, or subjects, and measure the nodes again.

    A link counts as drawn where its interval excludes 0, whose width is that of all rows times the square root of all
    rows over those that are left. Where lines are of completed tables, rows of the first are dropped.

    Parameters
    ----------
    answers : the rows
    names : the variables in column order
    network : the lines of all rows
    runs : draws a step
    seed : of the draws
    progress : as for `engine.Ordinal.run`
    """
    order = np.array([answers.data.names.index(name) for name in names])
    whole = answers.tables("latent" if network.completed else "pairwise", network.seed)[0]
    codes, levels = whole.codes[order], np.array(answers.levels)[order]
    numbers = {int(np.flatnonzero(order == i)[0]): scores for i, scores in whole.numbers.items()}
    unit = units_of(answers)
    units, p = int(unit.max()) + 1, len(names)
    items = np.array([name not in network.covariates for name in names])
    measures = measures_of(names, network.scales)
    first, second = np.triu_indices(p, 1)
    ends = np.arctanh(network.high[first, second]) - np.arctanh(network.low[first, second])
    correlations = {name: np.full((len(STEPS), runs), np.nan) for name in measures}
    seeds = np.random.SeedSequence(seed).spawn(len(STEPS) * runs)
    for number, own in enumerate(seeds):
        step, run = divmod(number, runs)
        left = round((1.0 - STEPS[step]) * units)
        if left < p + 3:
            continue
        progress(number / len(seeds), f"dropping cases: {number} of {len(seeds)} samples")
        chosen = np.zeros(units, dtype=bool)
        chosen[np.random.default_rng(own).choice(units, left, replace=False)] = True
        rows = chosen[unit]
        z = estimate(boxes_of(codes[:, rows], levels, {i: scores[rows] for i, scores in numbers.items()})).z
        weights = link_weights(z, 0.5 * ends * np.sqrt(units / left), p)
        for name, measure in measures.items():
            correlations[name][step, run] = _correlation(
                measure(weights)[items], network.centralities[name].value[items]
            )
    return CaseDropping(tuple(names), STEPS, correlations, seed, network.origin)


def _correlation(a: np.ndarray, b: np.ndarray) -> float:
    """Pearson's; not a number where one does not vary."""
    return float(np.corrcoef(a, b)[0, 1]) if np.ptp(a) > 0 and np.ptp(b) > 0 else float("nan")
