"""What a patient's network and the population's say about her: probability of her values, and of a blanked target.

Every variable's distribution is a posterior mean (count + pseudo-count over their sums). Unknown values are summed out
exactly, one variable at a time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.counting import family_table
from engine.methods.instance_specific.order_kept import NodeChoice
from engine.scores.instance import UNKNOWN, InstanceScore, InstanceTables

MOST_CELLS = 1 << 22
"""A table larger than this is not built: too many unknown values hang together."""

TINY = 1e-300
"""For the pseudo-counts of a population row that went to the patient's row whole: it has no rows left either."""

Factor = tuple[tuple[int, ...], np.ndarray]


@dataclass(frozen=True)
class HeldOut:
    """Natural-log probability of a patient's known values under her network and under the population's.

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
        """Instance minus population: above 0, her own network foretold her better."""
        return self.instance - self.population


class Factors:
    """The factors of one population network's tables, each worked out once: they need few of a patient's values."""

    def __init__(self, tables: InstanceTables) -> None:
        self.tables = tables
        self._known: dict[tuple[object, ...], Factor] = {}

    def of_patient(self, choices: Sequence[NodeChoice], values: np.ndarray, leave_out: bool) -> list[Factor]:
        """One factor a variable under the patient's network; `leave_out`: her row does not count."""
        codes = values.tolist()
        found = []
        for choice in choices:
            unknown = UNKNOWN in [codes[x] for x in choice.parents]  # (published mode) scored as the population's too
            if not choice.changed or unknown or (not choice.parents and self.tables.empty == "population"):
                found.append(self._population(choice.child, choice.population, codes, leave_out))
                continue
            key = (
                choice.child,
                choice.parents,
                tuple([codes[x] for x in choice.parents]),
                codes[choice.child],
                leave_out,
            )
            if key not in self._known:
                self._known[key] = self._shared(choice, codes[choice.child], leave_out)
            found.append(self._known[key])
        return found

    def of_population(self, parents: Sequence[tuple[int, ...]], values: np.ndarray, leave_out: bool) -> list[Factor]:
        """One factor a variable under the population's DAG."""
        codes = values.tolist()
        return [self._population(child, group, codes, leave_out) for child, group in enumerate(parents)]

    def _shared(self, choice: NodeChoice, code: int, leave_out: bool) -> Factor:
        """The row of parameters that all cases like the patient share."""
        counts = choice.cases.astype(float)
        if leave_out:
            counts[code] -= 1
        prior = self.tables.shared_prior(choice.child, choice.parents)
        share = (counts + prior / len(counts)) / (counts.sum() + prior)
        return ((choice.child,), share) if code == UNKNOWN else ((), share[code])

    def _population(self, child: int, group: tuple[int, ...], codes: list[int], leave_out: bool) -> Factor:
        key = ("population", child, group, tuple([codes[x] for x in group]), codes[child], leave_out)
        if key not in self._known:
            self._known[key] = self._population_anew(child, group, codes, leave_out)
        return self._known[key]

    def _population_anew(self, child: int, group: tuple[int, ...], codes: list[int], leave_out: bool) -> Factor:
        tables = self.tables
        if group == tables.parents[child]:
            family = tables.family(child)
            configurations, counts = family.configurations, family.counts
        else:
            configurations, counts = family_table(tables.data, child, group)
        r = counts.shape[1]
        prior = tables.ess / tables.configurations(group)
        hers = np.array([codes[x] for x in group], dtype=np.int64)
        known = hers != UNKNOWN
        free = [x for x in group if codes[x] == UNKNOWN]
        table = np.zeros((*(int(tables.data.arity[x]) for x in free), r))
        seen = (configurations[:, known] == hers[known]).all(axis=1)
        for row, count in zip(configurations[seen], counts[seen], strict=True):
            table[tuple(row[~known].tolist())] = count
        if leave_out:  # a row of the table is known whole, so its cell is the only one
            table[codes[child]] -= 1
        table = (table + prior / r) / (table.sum(axis=-1, keepdims=True) + prior)
        if codes[child] == UNKNOWN:
            return (*free, child), table
        return tuple(free), table[..., codes[child]]


def log_probabilities(
    tables: InstanceTables, choices: Sequence[NodeChoice], values: np.ndarray, cases: np.ndarray
) -> np.ndarray:
    """(n,) log probability of (p, n) whole cases under one patient's network.

    A case that agrees with her on Pa_IS of a variable takes the row of parameters of her similar cases, any other case
    the population's row, learned from the rows that do not agree with her. In order-kept mode this is a proper
    distribution; where an arc is turned it need not be.
    """
    found = np.zeros(cases.shape[1])
    score = InstanceScore(tables, values)
    for choice in choices:
        family = tables.family(choice.child)
        own = list(choice.parents)
        shared = UNKNOWN not in values[own] and (own or tables.empty == "all_rows") and choice.changed
        agree = (cases[own] == values[own, None]).all(axis=0) if shared else np.zeros(cases.shape[1], dtype=bool)
        matched = score.matched(choice.child, choice.parents) if shared else np.zeros_like(family.counts)
        prior = tables.shared_prior(choice.child, own)
        row = (matched.sum(axis=0) + prior / matched.shape[1]) / (matched.sum() + prior)
        found[agree] += np.log(row[cases[choice.child][agree]])
        left = family.counts - matched
        priors = np.full((len(left), 1), tables.population_prior(choice.child))
        if shared:
            priors = np.maximum(score.remaining_priors(choice.child, choice.parents)[:, None], TINY)
        shares = (left + priors / left.shape[1]) / (left.sum(axis=1, keepdims=True) + priors)
        number = {tuple(one): j for j, one in enumerate(family.configurations.tolist())}
        shares = np.vstack([shares, np.full(left.shape[1], 1 / left.shape[1])])  # the last: no such row was seen
        which = [number.get(tuple(one), -1) for one in cases[list(family.parents)].T.tolist()]
        found += np.where(agree, 0.0, np.log(shares[which, cases[choice.child]]))
    return found


def sum_out(factors: Sequence[Factor], arity: np.ndarray, keep: int | None = None) -> tuple[float, np.ndarray] | None:
    """Multiply all factors and sum out every variable but `keep`, the one with the fewest partners first.

    Returns
    -------
    (log scale, array): the scalar 1 without `keep`, else (r,) shares that add up to 1; None where a table would pass
    `MOST_CELLS`
    """
    log_scale, left = 0.0, []
    for scope, table in factors:
        if scope:
            left.append((scope, table))
        else:
            log_scale += math.log(table)
    if not left:
        return log_scale, np.ones(())
    waiting = {x for scope, _ in left for x in scope} - {keep}
    while waiting:
        partners = {x: {y for scope, _ in left if x in scope for y in scope} for x in waiting}
        x = min(waiting, key=lambda v: (len(partners[v]), v))
        if np.prod(arity[list(partners[x])], dtype=float) > MOST_CELLS:
            return None
        touching = [factor for factor in left if x in factor[0]]
        left = [factor for factor in left if x not in factor[0]]
        scope, table = _product(touching, tuple(sorted(partners[x] - {x})))
        largest = float(table.max())
        log_scale += math.log(largest)
        left.append((scope, table / largest))
        waiting.discard(x)
    _, last = _product(left, () if keep is None else (keep,))
    total = float(last.sum())
    return log_scale + math.log(total), np.asarray(last / total)


def _product(factors: Sequence[Factor], keep: tuple[int, ...]) -> Factor:
    """The product of some factors with only the variables `keep` left; the others are summed out."""
    if not factors:
        return (), np.ones(())
    letters = {x: i for i, x in enumerate(sorted({y for scope, _ in factors for y in scope}))}
    operands: list[Any] = []
    for scope, table in factors:
        operands += [table, [letters[x] for x in scope]]
    return keep, np.asarray(np.einsum(*operands, [letters[x] for x in keep], optimize="greedy"))
