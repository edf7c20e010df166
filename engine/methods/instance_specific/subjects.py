"""Rows of one subject are one unit: counts are divided by the design effect before anything is scored.

The design effect is the mean over pairs of variables (`engine.counting.design_effect`): one number for the data set.
Without subjects nothing here is used, and every figure is what it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from engine import words
from engine.counting import configuration_codes, family_counts, kernels
from engine.counting.design_effect import design_effect_of
from engine.data.rows.relations import FEWEST
from engine.methods.instance_specific.contrasts import FamilyRows, Subjects
from engine.methods.result import RunRecord
from engine.scores.dirichlet import BDeu
from engine.scores.instance import InstanceScore, InstanceTables, PopulationFamily

if TYPE_CHECKING:
    from engine.data.dataset import Dataset
    from engine.scores.local import BoundScore, LocalScore


def provenance_of(data: Dataset) -> RunRecord:
    """Where an answer comes from, with what the rows of a subject are worth."""
    provenance, counted = RunRecord.of(data), data.subject_count
    if counted is None:
        return provenance
    text = words.few_subjects(data.subject_column, counted.subjects, FEWEST)
    if not counted.too_few:
        effective_rows = data.n_rows / design_effect_of(data)
        text = words.together(data.subject_column, data.n_rows, counted.subjects, effective_rows, counted.alone)
    return replace(provenance, rows=(text, *provenance.rows))


def score_of_rows(ess: float, by: float) -> LocalScore:
    """BDeu of counts that are divided by a number."""
    return BDeu(ess) if by == 1 else DividedBDeu(ess, by)


@dataclass(frozen=True)
class DividedBDeu:
    """BDeu with every count divided by one number, at least 1. Natural log; score-equivalent.

    Attributes
    ----------
    ess : equivalent sample size
    by : what counts are divided by
    """

    ess: float
    by: float
    equivalent: ClassVar[bool] = True

    def bind(self, data: Dataset) -> BoundScore:
        """This score with its data."""
        return _BoundDivided(self, data)

    def family(self, data: Dataset, child: str, parents: Sequence[str]) -> float:
        """Natural-log score of one family, by names."""
        return self.bind(data).local(data.index(child), tuple(sorted(data.index(name) for name in parents)))


class _BoundDivided:
    """`DividedBDeu` bound to a data set; remembers families."""

    def __init__(self, score: DividedBDeu, data: Dataset) -> None:
        self.score, self.data, self.n_variables = score, data, data.n_variables
        self._known: dict[tuple[int, tuple[int, ...]], float] = {}

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        """Natural-log score of one family; `parents` in ascending order."""
        key = (child, parents)
        if key not in self._known:
            cells = float(np.prod(self.data.arity[[child, *parents]].astype(float)))
            counts = family_counts(self.data, child, parents) / self.score.by
            self._known[key] = float(kernels().dirichlet_family(counts, self.score.ess / cells))
        return self._known[key]

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        """(p,) scores of `parents + (x,)`; -inf where x is in the family or not among those asked about."""
        result = np.full(self.n_variables, -np.inf)
        for x in range(self.n_variables):
            if x != child and x not in parents and (among is None or among[x]):
                result[x] = self.local(child, tuple(sorted((*parents, x))))
        return result


class DividedTables(InstanceTables):
    """`InstanceTables` that scores divided counts; the counts that are shown stay whole."""

    def __init__(
        self,
        data: Dataset,
        parents: tuple[tuple[int, ...], ...],
        ess: float,
        prior: str,
        empty: str,
        by: float,
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

    def _score(self, child: int, families: Sequence[tuple[int, ...]], matched: np.ndarray) -> np.ndarray:
        tables = self.tables
        counts, other = tables.family(child).counts, tables.population_prior(child)
        by = tables.by if isinstance(tables, DividedTables) else 1.0
        same, result = self._same(child), []
        for group, own in zip(families, matched.reshape(len(families), *counts.shape), strict=True):
            agrees = same[:, self._places(child, group)].all(axis=1)
            priors = np.where(agrees, self._agreeing_prior(child, group), other)
            shared = _rows(own.sum(axis=0, keepdims=True) / by, tables.shared_prior(child, group))
            result.append(float(_rows((counts - own) / by, priors).sum() + shared[0]))
        return np.array(result)


def score_of_patient(tables: InstanceTables, values: np.ndarray, log_kappa: float = 0.0) -> InstanceScore:
    """The IS-Score of one patient over these tables."""
    kind = DividedScore if isinstance(tables, DividedTables) else InstanceScore
    return kind(tables, values, log_kappa)


def _rows(counts: np.ndarray, alpha: float | np.ndarray) -> np.ndarray:
    """(J,) Dirichlet-multinomial log score of every row of (J, r) counts whose pseudo-counts add up to `alpha`."""
    from scipy.special import gammaln

    total, r = counts.sum(axis=1), counts.shape[1]
    whole = np.broadcast_to(np.asarray(alpha, dtype=float), total.shape)
    with np.errstate(invalid="ignore"):  # a row without pseudo-counts has no rows either
        cells = (gammaln(whole[:, None] / r + counts) - gammaln(whole[:, None] / r)).sum(axis=1)
        result = cells + gammaln(whole) - gammaln(whole + total)
    return np.where(total > 0, result, 0.0)


def subjects_of_family(data: Dataset, child: int, parents: tuple[int, ...]) -> Subjects | None:
    """Which rows of a family belong together."""
    if data.clusters is None:
        return None
    code, _ = configuration_codes(data, parents)
    configuration = np.unique(code, return_inverse=True)[1].astype(np.int64)
    r = int(data.arity[child])
    cell = configuration * r + data.codes_of([child])[0].astype(np.int64)
    cells = int(cell.max(initial=-1)) + 1
    keys, count = np.unique(data.clusters.astype(np.int64) * cells + cell, return_counts=True)
    return Subjects(keys // cells, keys % cells // r, keys % cells % r, count)


def without_subject(family: PopulationFamily, subjects: Subjects, number: int) -> FamilyRows:
    """A family's rows of all other subjects."""
    counts, own = family.counts.copy(), subjects.number == number
    np.subtract.at(counts, (subjects.configuration[own], subjects.level[own]), subjects.count[own])
    return FamilyRows(replace(family, counts=counts), subjects.without(number))
