"""Scores of rows that belong together: counts are divided by the design effect before anything is scored.

Shown counts stay whole, and where the divisor is 1 the plain scores serve, to the bit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from engine.counting.requests import Additions, sparse_additions
from engine.scores.dirichlet import BDe, BDeu, BoundDirichlet, row_scores
from engine.scores.gaussian import BGe, BoundGaussian
from engine.scores.instance import InstanceScore, InstanceTables, PopulationFamily

if TYPE_CHECKING:
    from engine.data.dataset import Dataset


@dataclass(frozen=True)
class DividedBGe(BGe):
    """BGe of so many times fewer rows with the same means and correlations.

    Parameters
    ----------
    effect : what the rows are divided by
    """

    effect: float = 1.0

    def bind(self, data: Dataset) -> BoundGaussian:
        """This score with its data, as a search wants it; see `BGe.bind`."""
        n, rows, am = data.n_variables, data.n_rows / self.effect, float(self.am)
        whole = BGe(self.am).bind(data)
        t = am * am / (am + 1)  # aw = n + am + 1
        scatter = (whole._matrix - t * np.eye(n)) / self.effect
        degrees = am + 1 + np.arange(1, n + 2)
        constants = np.array([math.lgamma((d + rows) / 2) - math.lgamma(d / 2) for d in degrees])
        constants += -rows / 2 * math.log(math.pi) + math.log(am / (am + rows)) / 2
        constants += (degrees + np.arange(n + 1)) / 2 * math.log(t)
        return BoundGaussian(
            t * np.eye(n) + scatter, whole.correlation, round(rows), constants, (degrees + rows) / 2, 0.5
        )


@dataclass(frozen=True)
class DividedBDeu(BDeu):
    """BDeu of divided counts.

    Parameters
    ----------
    effect : what counts are divided by
    """

    effect: float = 1.0

    def bind(self, data: Dataset) -> BoundDirichlet:
        """This score with its data, as a search wants it; see `BDeu.bind`."""
        return BoundDivided(self, data)


@dataclass(frozen=True)
class DividedBDe(BDe):
    """BDe of divided counts.

    Parameters
    ----------
    effect : what counts are divided by
    """

    effect: float = 1.0

    def bind(self, data: Dataset) -> BoundDirichlet:
        """This score with its data, as a search wants it; see `BDe.bind`."""
        return BoundDivided(self, data)


class BoundDivided(BoundDirichlet):
    """The same sums over divided counts."""

    score: DividedBDeu | DividedBDe

    def _addition_scores(
        self, child: int, parents: tuple[int, ...], candidates: np.ndarray, counts: Additions | None
    ) -> np.ndarray:
        if counts is None:
            tables = list(sparse_additions(self.data, child, parents, candidates))
        else:
            q, r, levels = counts.configurations, int(self.data.arity[child]), self.data.arity[candidates].tolist()
            whole = [table[: q * r * s].reshape(q, r, s) for table, s in zip(counts.tables, levels, strict=False)]
            tables = [table.transpose(0, 2, 1).reshape(-1, r) for table in whole]
        families = [(*parents, x) for x in candidates.tolist()]
        return np.array([self._score(child, own, table) for own, table in zip(families, tables, strict=True)])

    def _score(self, child: int, parents: tuple[int, ...], table: np.ndarray | None) -> float:
        return super()._score(child, parents, None if table is None else table / self.score.effect)


class DividedTables(InstanceTables):
    """`InstanceTables` that scores divided counts; the counts that are shown stay whole."""

    def __init__(
        self, data: Dataset, parents: tuple[tuple[int, ...], ...], ess: float, prior: str, empty: str, by: float
    ) -> None:
        super().__init__(data, parents, ess, prior, empty)
        self.by = by
        self._divided: dict[int, PopulationFamily] = {}

    def family(self, child: int) -> PopulationFamily:
        """A child's population family: whole counts, scores of divided ones."""
        if child not in self._divided:
            whole = super().family(child)
            scores = _rows(whole.counts / self.by, self.population_prior(child))
            self._divided[child] = replace(whole, scores=scores)
        return self._divided[child]

    def plain(self, child: int) -> float:
        """BDeu of the population's family on all rows, under either prior."""
        family = self.family(child)
        return float(_rows(family.counts / self.by, self.ess / family.possible).sum())

    def subsets(self, child: int, values: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Every subset of the population's parents as Pa_IS; see `InstanceTables.subsets`."""
        family = self.family(child)
        _, cases = super().subsets(child, values)
        m = len(family.parents)
        agree = np.column_stack(
            [family.configurations[:, i] == value for i, value in enumerate(values)]
            or [np.zeros((len(family.counts), 0), dtype=bool)]
        )
        gains = np.empty(1 << m)
        for subset in range(1 << m):
            inside = [i for i in range(m) if subset >> i & 1]
            alpha = self.shared_prior(child, [family.parents[i] for i in inside])
            own = _rows(cases[subset][None] / self.by, alpha)[0]
            gains[subset] = own - family.scores[agree[:, inside].all(axis=1)].sum()
        return gains, cases


class DividedScore(InstanceScore):
    """`InstanceScore` over `DividedTables`."""

    tables: DividedTables

    def _score(self, child: int, families: Sequence[tuple[int, ...]], matched: np.ndarray) -> np.ndarray:
        tables, result = self.tables, []
        counts = tables.family(child).counts
        for group, own in zip(families, matched.reshape(len(families), *counts.shape), strict=True):
            shared = _rows(own.sum(axis=0, keepdims=True) / tables.by, tables.shared_prior(child, group))
            rest = _rows((counts - own) / tables.by, self.remaining_priors(child, group))
            result.append(float(rest.sum() + shared[0]))
        return np.array(result)


def score_of_patient(tables: InstanceTables, values: np.ndarray, log_kappa: float = 0.0) -> InstanceScore:
    """The IS-Score of one patient over these tables."""
    kind = DividedScore if isinstance(tables, DividedTables) else InstanceScore
    return kind(tables, values, log_kappa)


def _rows(counts: np.ndarray, alpha: float | np.ndarray) -> np.ndarray:
    """(J,) Dirichlet-multinomial log score of every row of (J, r) counts whose pseudo-counts add up to `alpha`."""
    with np.errstate(invalid="ignore"):  # a row without pseudo-counts has no rows either
        return np.where(counts.sum(axis=1) > 0, row_scores(counts, np.asarray(alpha) / counts.shape[1]), 0.0)
