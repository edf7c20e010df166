"""The instance-specific score (IS-Score) of Jabbari, Visweswaran & Cooper 2018, equations 6 to 9.

For a child, a patient, the patient's parent set Pa_IS and the population's Pa_pop: the rows that agree with the patient
on Pa_IS share one row of parameters, all other rows keep those of Pa_pop.

    score = row(N_IS; a_IS) + sum over configurations j of Pa_pop of row(N_j - N_j,IS; a_j)

with `row` the Dirichlet-multinomial log marginal likelihood of one row of counts. Two priors:

- "union": `ess` spread evenly over the joint configurations of Pa_IS and Pa_pop; the patient's row takes what agrees
  with it, every population row keeps its remainder. With Pa_IS = Pa_pop this is BDeu, exactly.
- "paper": equation 8, `ess / (q + 1)` for every row, q configurations of Pa_pop.

An empty Pa_IS is the population's family on all rows ("population"), or one row for everybody ("all_rows", the paper's
text).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from engine.counting.backend import kernels
from engine.counting.requests import configuration_codes, family_table, level_counts
from engine.data.dataset import Dataset
from engine.errors import DataError, SettingsError, check_choice, check_number
from engine.scores.dirichlet import row_scores

Prior = Literal["union", "paper"]
EmptyParents = Literal["population", "all_rows"]
PRIORS: tuple[Prior, ...] = get_args(Prior)
EMPTY: tuple[EmptyParents, ...] = get_args(EmptyParents)
_MOST_KEPT = 500_000
"""Scores of single families that are kept."""
UNKNOWN = -1
"""The code of a value that is not known."""


def instance_score(
    data: Dataset,
    instance: Mapping[str, object],
    child: str,
    instance_parents: Sequence[str],
    population_parents: Sequence[str],
    ess: float = 1.0,
    prior: Prior = "union",
    empty: EmptyParents = "population",
) -> float:
    """Natural-log IS-Score of one family for one patient, without the structure priors.

    Equation 9 of Jabbari, Visweswaran & Cooper 2018; the head of the file says which rows have which parameters.

    Parameters
    ----------
    data : the rows of the population
    instance : name -> level of the patient, at least of `instance_parents`
    child : name of the variable
    instance_parents, population_parents : Pa_IS and Pa_pop, names in any order
    ess : prior equivalent sample size (PESS), above 0
    prior : "union" or "paper" (equation 8)
    empty : what an empty Pa_IS means, "population" or "all_rows"

    Returns
    -------
    the score, in nats

    Raises
    ------
    DataError : an unknown variable or level, or no value for one of `instance_parents`
    SettingsError : a prior, reading or ess that does not exist, a variable that is its own parent

    Examples
    --------
    >>> data = sample_data.dataset("cough_and_smoke")
    >>> patient = {"smoking": "no"}
    >>> print(f"{engine.instance_score(data, patient, 'cough', ['smoking'], ['age', 'smoking']):.3f}")
    -927.768
    """
    families: list[tuple[int, ...]] = [()] * data.n_variables
    target = data.index(child)
    own = tuple(sorted({data.index(name) for name in instance_parents}))
    families[target] = tuple(sorted({data.index(name) for name in population_parents}))
    if target in own + families[target]:
        raise SettingsError(f"{child!r} cannot be its own parent.")
    values = patient_codes(data, {name: instance[name] for name in instance if name in map(str, instance_parents)})
    for x in own:
        if values[x] == UNKNOWN:
            raise DataError(f"The patient's value of {data.names[x]!r} is unknown, so it cannot be among the parents.")
    tables = InstanceTables(data, tuple(families), ess, prior, empty)
    return InstanceScore(tables, values).local(target, own)


def patient_codes(data: Dataset, patient: Mapping[str, object]) -> np.ndarray:
    """(p,) codes of a patient's known values, `UNKNOWN` elsewhere; `DataError` for a strange name or level."""
    values = np.full(data.n_variables, UNKNOWN, dtype=np.int64)
    for name, level in patient.items():
        i = data.index(name)
        if str(level) not in data.levels[name]:
            known = ", ".join(map(repr, data.levels[name][:6]))
            more = ", ..." if len(data.levels[name]) > 6 else ""
            raise DataError(
                f"'{name}' has no level {str(level)!r}; it has {known}{more}. Leave it out where the value is unknown.",
                column=name,
            )
        values[i] = data.levels[name].index(str(level))
    return values


@dataclass(frozen=True, eq=False)
class PopulationFamily:
    """One child and its population parents in the data.

    Attributes
    ----------
    parents : positions, ascending;  possible : q, the number of configurations there could be
    configurations, counts : those that occur, (J, m) codes, and their (J, r) counts
    scores : (J,) log score of every row of counts under the prior of a population row
    """

    parents: tuple[int, ...]
    possible: float
    configurations: np.ndarray
    counts: np.ndarray
    scores: np.ndarray


class InstanceTables:
    """The common part of all patients of one population network: its families in the data, and known scores."""

    def __init__(
        self,
        data: Dataset,
        parents: tuple[tuple[int, ...], ...],
        ess: float = 1.0,
        prior: Prior = "union",
        empty: EmptyParents = "population",
        by: float = 1.0,
    ) -> None:
        check_number("ess", ess, above=0)
        check_choice("prior", prior, PRIORS)
        check_choice("empty", empty, EMPTY)
        self.data, self.parents = data, parents
        self.ess, self.prior, self.empty, self.by = float(ess), prior, empty, by
        self.memo: dict[tuple[int, tuple[int, ...], tuple[int, ...]], float] = {}
        self._families: dict[int, PopulationFamily] = {}
        self._cells: dict[int, np.ndarray] = {}

    def configurations(self, parents: Sequence[int]) -> float:
        """Number of configurations of these variables; a float, since it can pass any integer type."""
        return math.prod(float(self.data.arity[x]) for x in parents)

    def population_prior(self, child: int) -> float:
        """Pseudo-counts of one whole row of the population's family."""
        q = self.configurations(self.parents[child])
        return self.ess / (q if self.prior == "union" else q + 1)

    def shared_prior(self, child: int, parents: Sequence[int]) -> float:
        """Pseudo-counts of the row that all who agree with the patient on `parents` share."""
        if self.prior == "union":
            return self.ess / self.configurations(parents)
        return self.ess / (self.configurations(self.parents[child]) + 1)

    def family(self, child: int) -> PopulationFamily:
        """A child's population family, counted once."""
        if child not in self._families:
            group = self.parents[child]
            configurations, counts = family_table(self.data, child, group)
            configurations, counts = np.ascontiguousarray(configurations), np.ascontiguousarray(counts)
            scores = self.row_scores(counts, self.population_prior(child))
            self._families[child] = PopulationFamily(group, self.configurations(group), configurations, counts, scores)
        return self._families[child]

    def plain(self, child: int) -> float:
        """BDeu of the population's family on all rows, under either prior."""
        family = self.family(child)
        if self.prior == "union":
            return float(family.scores.sum())
        return float(self.row_scores(family.counts, self.ess / family.possible).sum())

    def row_scores(self, counts: np.ndarray, prior: float | np.ndarray) -> np.ndarray:
        """(rows,) log worth of rows of counts, divided by `by`, that hold so many pseudo-counts each."""
        if self.by == 1.0:
            scores = np.empty(len(counts))
            kernels().dirichlet_rows(counts, prior, scores)
            return scores
        with np.errstate(invalid="ignore"):  # a row without pseudo-counts has no rows either
            scores = row_scores(counts / self.by, np.asarray(prior) / counts.shape[1])
        return np.where(counts.sum(axis=1) > 0, scores, 0.0)

    def subsets(self, child: int, values: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
        """Every subset of the population's parents as Pa_IS, for a patient with these `values` of them."""
        family = self.family(child)
        m = len(family.parents)
        alphas = np.empty(1 << m)
        for subset in range(1 << m):
            alphas[subset] = self.shared_prior(child, [x for i, x in enumerate(family.parents) if subset >> i & 1])
        gains = np.empty(1 << m)
        cases = np.empty((1 << m, family.counts.shape[1]), dtype=np.int64)
        kernels().subset_gains(
            family.configurations, family.counts, family.scores, np.array(values, np.int64), alphas, gains, cases
        )
        if self.by != 1.0:
            agree = family.configurations == np.array(values, np.int64)
            for subset, alpha in enumerate(alphas):
                replaced = agree[:, [i for i in range(m) if subset >> i & 1]].all(axis=1)
                gains[subset] = self.row_scores(cases[subset][None], alpha)[0] - family.scores[replaced].sum()
        return gains, cases

    @cached_property
    def level_rows(self) -> list[np.ndarray]:
        """Per variable the rows with each level, counted once for all patients."""
        return level_counts(self.data)

    def cells(self, child: int) -> np.ndarray:
        """(n,) for each row the cell of `family(child).counts` that it is counted in."""
        if child not in self._cells:
            code, _ = configuration_codes(self.data, self.parents[child])
            _, dense = np.unique(code, return_inverse=True)  # the order of `family_table`: those that occur
            r = int(self.data.arity[child])
            self._cells[child] = (dense * r + self.data.codes_of([child])[0]).astype(np.int64)
        return self._cells[child]


class InstanceScore:
    """The IS-Score of one patient as a score that a search can climb: a `BoundScore`.

    `log_kappa` is added for every parent in which Pa_IS and Pa_pop differ (equation 12), so a reversed arc costs twice,
    once at each end. A parent whose value is not known leaves the family as the population has it, and is no addition.
    """

    def __init__(self, tables: InstanceTables, values: np.ndarray, log_kappa: float = 0.0) -> None:
        self.tables = tables
        self.values = values
        self.log_kappa = log_kappa
        self.n_variables = tables.data.n_variables

    @cached_property
    def match(self) -> np.ndarray:
        """(p, n) uint8, whether a row has the patient's value of a variable."""
        return (self.tables.data.codes == self.values[:, None]).view(np.uint8)

    def cost(self, child: int, parents: Sequence[int]) -> float:
        """The kappa term of one family (equation 12), at most 0."""
        population = self.tables.parents[child]
        dropped = sum(x not in parents for x in population)
        # an edge without direction counts as added (see `published`); one from an unknown value is free to stay
        added = sum(x not in population and self.values[x] != UNKNOWN for x in parents)
        return self.log_kappa * (dropped + added) + 0.0  # no -0.0

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        """Equation 9 plus the kappa term; `parents` (Pa_IS) in ascending order."""
        key = (child, parents, tuple(self.values[list(parents)].tolist()))
        memo = self.tables.memo
        if len(memo) > _MOST_KEPT:
            memo.clear()
        if key not in memo:
            if UNKNOWN in key[2] or (not parents and self.tables.empty == "population"):
                memo[key] = self.tables.plain(child)
            else:
                memo[key] = float(self._score(child, [parents], self.matched(child, parents)[None])[0])
        return memo[key] + self.cost(child, parents)

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        """(p,) scores of `parents + (x,)` for every x; -inf where x is in the family.

        `among` (p,) bool: the x that are asked about, all where None; the others are -inf too.
        """
        scores = np.full(self.n_variables, -np.inf)
        wanted = np.ones(self.n_variables, dtype=bool) if among is None else among.copy()
        wanted[[child, *parents]] = False
        candidates = np.flatnonzero(wanted)
        families = {int(x): tuple(sorted((*parents, int(x)))) for x in candidates}
        if UNKNOWN not in self.values[list(parents)]:
            memo = self.tables.memo
            own = {x: (child, group, tuple(self.values[list(group)].tolist())) for x, group in families.items()}
            new = np.array(
                [x for x in candidates if self.values[x] != UNKNOWN and own[int(x)] not in memo], dtype=np.int64
            )
            if len(new):
                matched = np.empty((len(new), self.tables.family(child).counts.size), dtype=np.int64)
                kernels().matched_additions(self.agreeing(parents), self.match, self.tables.cells(child), new, matched)
                result = self._score(child, [families[int(x)] for x in new], matched)
                memo.update({own[int(x)]: float(value) for x, value in zip(new, result, strict=True)})
        for x, group in families.items():
            scores[x] = self.local(child, group)
        return scores

    def matched(self, child: int, parents: Sequence[int]) -> np.ndarray:
        """(J, r) counts of the rows that agree with the patient on `parents`, by configuration of the population's."""
        counts = self.tables.family(child).counts
        cells = self.tables.cells(child)[self.agreeing(parents)]
        return np.bincount(cells, minlength=counts.size).reshape(counts.shape)

    def remaining_priors(self, child: int, parents: Sequence[int]) -> np.ndarray:
        """(J,) pseudo-counts that the population's rows of parameters keep beside the patient's."""
        agrees = self._same(child)[:, self._places(child, parents)].all(axis=1)
        return np.where(agrees, self._agreeing_prior(child, parents), self.tables.population_prior(child))

    def _same(self, child: int) -> np.ndarray:
        """(J, m) whether a configuration of the population's parents has the patient's value of each."""
        family = self.tables.family(child)
        same: np.ndarray = family.configurations == self.values[list(family.parents)]
        return same

    def _places(self, child: int, parents: Sequence[int]) -> list[int]:
        """Which of the population's parents are among `parents`."""
        return [i for i, x in enumerate(self.tables.parents[child]) if x in parents]

    def _agreeing_prior(self, child: int, parents: Sequence[int]) -> float:
        """Pseudo-counts that a population row which agrees with the patient keeps."""
        tables, other = self.tables, self.tables.population_prior(child)
        if tables.prior != "union":
            return other
        # of the `beyond` joint configurations inside such a row, one went to the patient's row
        beyond = tables.configurations([x for x in parents if x not in tables.parents[child]])
        return other * (1 - 1 / beyond)

    def agreeing(self, parents: Sequence[int]) -> np.ndarray:
        """(k,) the rows that agree with the patient on `parents`, all where there are none."""
        if not parents:
            return np.arange(self.tables.data.n_rows)
        return np.flatnonzero(self.match[list(parents)].all(axis=0))

    def _score(self, child: int, families: Sequence[tuple[int, ...]], matched: np.ndarray) -> np.ndarray:
        """Equation 9 for several Pa_IS, from the (c, J r) counts of the rows that agree with the patient."""
        tables, family = self.tables, self.tables.family(child)
        counts = matched.reshape(len(families), *family.counts.shape)
        if tables.by != 1.0:
            result = [
                tables.row_scores(own.sum(axis=0, keepdims=True), tables.shared_prior(child, group))[0]
                + tables.row_scores(family.counts - own, self.remaining_priors(child, group)).sum()
                for group, own in zip(families, counts, strict=True)
            ]
            return np.array(result)
        other = tables.population_prior(child)
        same, agrees = self._same(child), np.empty((len(families), len(family.counts)), dtype=bool)
        shared, agreeing = np.empty(len(families)), np.empty(len(families))
        for c, group in enumerate(families):
            agrees[c] = same[:, self._places(child, group)].all(axis=1)
            shared[c] = tables.shared_prior(child, group)
            agreeing[c] = self._agreeing_prior(child, group)
        out = np.empty(len(families))
        kernels().instance_scores(counts, family.counts, agrees, shared, agreeing, other, out)
        return out
