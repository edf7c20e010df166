"""What both networks say about a patient: probability of the known values, and of a blanked target.

Every variable's distribution is a posterior mean (count + pseudo-count over their sums). Unknown values are summed out
exactly, one variable at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.counting import family_table
from engine.methods.instance_specific.parent_choices import NodeChoice
from engine.methods.storing import storable
from engine.models.elimination import Factor, sum_out
from engine.scores.instance import UNKNOWN, InstanceScore, InstanceTables

DRAWS = 400
"""Draws behind the interval of a prediction."""
TINY = 1e-300
"""For the pseudo-counts of a population row that went to the patient's row whole: it has no rows left either."""


@storable
@dataclass(frozen=True)
class HeldOut:
    """Natural-log probability of a patient's known values under the patient's network and the population's.

    Attributes
    ----------
    instance, population : the two; NaN where too many unknown values hang together
    variables : how many known values they are the probability of
    exact : whether both networks are proper probability models (not so in published mode)
    """

    instance: float
    population: float
    variables: int
    exact: bool

    @property
    def gain(self) -> float:
        """Instance minus population: above 0, the patient's own network foretold better."""
        return self.instance - self.population


@dataclass(frozen=True, eq=False)
class LeftOut:
    """Rows that do not count for a patient: the own one, and with subjects all rows of the own subject.

    Attributes
    ----------
    subject : its number, -1 for a row that stands alone
    codes : (p, k) of the rows
    """

    subject: int
    codes: np.ndarray

    def counts(self, child: int, parents: Sequence[int], values: Sequence[int], levels: int) -> np.ndarray:
        """(levels,) of the child among these rows, as far as they have the patient's values of the parents."""
        own = list(parents)
        agree = (self.codes[own] == np.array([values[x] for x in own], dtype=np.int64)[:, None]).all(axis=0)
        return np.bincount(self.codes[child][agree], minlength=levels)


def key_of(leave_out: LeftOut | None) -> int | None:
    """What a factor hangs on beside the patient's values: whose rows were left out."""
    return None if leave_out is None else leave_out.subject


class Factors:
    """The factors of one population network's tables, each worked out once: they need few of a patient's values."""

    def __init__(self, tables: InstanceTables) -> None:
        self.tables = tables
        self._known: dict[tuple[object, ...], Factor] = {}

    def of_patient(self, choices: Sequence[NodeChoice], values: np.ndarray, leave_out: LeftOut | None) -> list[Factor]:
        """One factor a variable under the patient's network; `leave_out`: rows that do not count."""
        codes = values.tolist()
        result = []
        for choice in choices:
            # published mode scores parents whose value is unknown, or that no row has, as the population's family
            unknown = UNKNOWN in [codes[x] for x in choice.parents] or not choice.cases.any()
            if not choice.changed or unknown or (not choice.parents and self.tables.empty == "population"):
                result.append(self._population(choice.child, choice.population, codes, leave_out))
                continue
            key = (
                choice.child,
                choice.parents,
                tuple([codes[x] for x in choice.parents]),
                codes[choice.child],
                key_of(leave_out),
            )
            if key not in self._known:
                self._known[key] = self._shared(choice, codes, leave_out)
            result.append(self._known[key])
        return result

    def of_population(
        self, parents: Sequence[tuple[int, ...]], values: np.ndarray, leave_out: LeftOut | None
    ) -> list[Factor]:
        """One factor a variable under the population's DAG."""
        codes = values.tolist()
        return [self._population(child, group, codes, leave_out) for child, group in enumerate(parents)]

    def _shared(self, choice: NodeChoice, codes: list[int], leave_out: LeftOut | None) -> Factor:
        """The row of parameters that all cases like the patient share."""
        counts = choice.cases.astype(float)
        code = codes[choice.child]
        if leave_out is not None:
            counts -= leave_out.counts(choice.child, choice.parents, codes, len(counts))
        prior = self.tables.shared_prior(choice.child, choice.parents)
        share = (counts + prior / len(counts)) / (counts.sum() + prior)
        return ((choice.child,), share) if code == UNKNOWN else ((), share[code])

    def _population(self, child: int, group: tuple[int, ...], codes: list[int], leave_out: LeftOut | None) -> Factor:
        key = ("population", child, group, tuple([codes[x] for x in group]), codes[child], key_of(leave_out))
        if key not in self._known:
            self._known[key] = self._population_anew(child, group, codes, leave_out)
        return self._known[key]

    def _population_anew(
        self, child: int, group: tuple[int, ...], codes: list[int], leave_out: LeftOut | None
    ) -> Factor:
        free = [x for x in group if codes[x] == UNKNOWN]
        table = _counted(self.tables, child, group, np.array(codes, dtype=np.int64))
        r = table.shape[-1]
        prior = self.tables.ess / self.tables.configurations(group)
        if leave_out is not None:  # a row of the table is known whole, so its configuration is the only one
            table -= leave_out.counts(child, group, codes, r)
        table = (table + prior / r) / (table.sum(axis=-1, keepdims=True) + prior)
        if codes[child] == UNKNOWN:
            return (*free, child), table
        return tuple(free), table[..., codes[child]]


def interval_of_shares(
    tables: InstanceTables,
    parents: Sequence[tuple[int, ...]],
    values: np.ndarray,
    target: int,
    generator: np.random.Generator,
    draws: int = DRAWS,
    by: float = 1.0,
) -> np.ndarray | None:
    """(2, r) ends of the central 95 % interval of a target's shares under a DAG, given the known values.

    All distributions are drawn many times from their posteriors (Jeffreys' prior, half a row a cell), and the shares
    worked out for every draw, counts divided by `by`; None where too many unknown values hang together.
    """
    arity = np.append(tables.data.arity, draws)
    last = len(parents)
    codes = values.tolist()
    factors: list[Factor] = []
    for child, group in enumerate(parents):
        free = tuple(x for x in group if codes[x] == UNKNOWN)
        counts = _counted(tables, child, group, values) / by
        weights = generator.gamma(counts[..., None, :] + 0.5, size=(*counts.shape[:-1], draws, counts.shape[-1]))
        drawn = weights / weights.sum(axis=-1, keepdims=True)
        if codes[child] == UNKNOWN:
            factors.append(((*free, last, child), drawn))
        else:
            factors.append(((*free, last), drawn[..., codes[child]]))
    result = sum_out(factors, arity, (last, target))
    if result is None:
        return None
    shares = result[1] / result[1].sum(axis=1, keepdims=True)
    return np.quantile(shares, (0.025, 0.975), axis=0)


def _counted(tables: InstanceTables, child: int, group: tuple[int, ...], values: np.ndarray) -> np.ndarray:
    """(levels of each unknown parent ..., r) rows that have the patient's values of the known parents."""
    if group == tables.parents[child]:
        configurations, counts = tables.family(child).configurations, tables.family(child).counts
    else:
        configurations, counts = family_table(tables.data, child, group)
    own = values[list(group)]
    known = own != UNKNOWN
    free = [int(tables.data.arity[x]) for x in np.array(group, dtype=np.int64)[~known]]
    result = np.zeros((*free, counts.shape[1]))
    seen = (configurations[:, known] == own[known]).all(axis=1)
    for row, count in zip(configurations[seen], counts[seen], strict=True):
        result[tuple(row[~known].tolist())] = count
    return result


def log_probabilities(
    tables: InstanceTables, choices: Sequence[NodeChoice], values: np.ndarray, cases: np.ndarray
) -> np.ndarray:
    """(n,) log probability of (p, n) whole cases under one patient's network.

    A case that agrees with the patient on Pa_IS of a variable takes the row of parameters of the similar cases, any
    other case the population's row, learned from the rows that do not agree. In order-kept mode this is a proper
    distribution; where an arc is turned it need not be.
    """
    result = np.zeros(cases.shape[1])
    score = InstanceScore(tables, values)
    for choice in choices:
        family = tables.family(choice.child)
        own = list(choice.parents)
        shared = UNKNOWN not in values[own] and (own or tables.empty == "all_rows") and choice.changed
        agree = (cases[own] == values[own, None]).all(axis=0) if shared else np.zeros(cases.shape[1], dtype=bool)
        matched = score.matched(choice.child, choice.parents) if shared else np.zeros_like(family.counts)
        prior = tables.shared_prior(choice.child, own)
        row = (matched.sum(axis=0) + prior / matched.shape[1]) / (matched.sum() + prior)
        result[agree] += np.log(row[cases[choice.child][agree]])
        left = family.counts - matched
        plain = tables.ess / family.possible  # BDeu, where the family is the population's as it stands
        priors = np.full((len(left), 1), tables.population_prior(choice.child) if choice.changed else plain)
        if shared:
            priors = np.maximum(score.remaining_priors(choice.child, choice.parents)[:, None], TINY)
        shares = (left + priors / left.shape[1]) / (left.sum(axis=1, keepdims=True) + priors)
        number = {tuple(configuration): j for j, configuration in enumerate(family.configurations.tolist())}
        shares = np.vstack([shares, np.full(left.shape[1], 1 / left.shape[1])])  # the last: no such row was seen
        which = [number.get(tuple(item), -1) for item in cases[list(family.parents)].T.tolist()]
        result += np.where(agree, 0.0, np.log(shares[which, cases[choice.child]]))
    return result
