"""How a patient's parents are chosen: order-kept search, or the paper's own.

Order-kept: every variable chooses, for this patient, among the parents it has in the population's DAG.

One topological order of that DAG is kept, so the families stay a proper probability model, every variable is decided on
its own, and the few subsets of its parents are all weighed: the choice is exact, and so is the posterior of every arc.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from engine.errors import SettingsError
from engine.execution import Progress
from engine.graphs.pdag import Pdag, member
from engine.methods.instance_specific.population import Population, linked
from engine.methods.storing import storable
from engine.scores.instance import UNKNOWN, InstanceScore, InstanceTables
from engine.scores.local import GAIN
from engine.search.constraints import Constraints
from engine.search.equivalence import ges

_MOST_KEPT = 1 << 22
"""Weighed subsets, over all answers, that are kept for patients with the same values."""
MOST_PARENTS = 14
"""All subsets of a variable's parents are weighed; with more parents than this they are too many."""


@storable
@dataclass(frozen=True, eq=False)
class NodeChoice:
    """Choice of parents of one variable for one patient. Positions are those of the population network.

    Attributes
    ----------
    population, parents : Pa_pop and Pa_IS, ascending
    gain : IS-Score of Pa_IS minus that of the population's family (natural log);  cost : the kappa term, at most 0
    cases : (r,) child counts among the rows that agree with the patient on Pa_IS (on what is known of it)
    pool : the variables of which every subset was weighed, empty in published mode
    gains, costs : (2^pool,) of every subset (bit i is pool[i]), gain -inf where a subset cannot be chosen
    """

    child: int
    population: tuple[int, ...]
    parents: tuple[int, ...]
    gain: float
    cost: float
    cases: np.ndarray
    pool: tuple[int, ...] = ()
    gains: np.ndarray = field(default_factory=lambda: np.zeros(1))
    costs: np.ndarray = field(default_factory=lambda: np.zeros(1))

    @property
    def changed(self) -> bool:
        """True where the patient's parents are not the population's."""
        return self.parents != self.population

    def posterior(self) -> np.ndarray:
        """(2^pool,) probability of every subset, by the exact sum over all of them."""
        weights = self.gains + self.costs
        weights = np.exp(weights - weights.max())
        return np.asarray(weights / weights.sum())

    @cached_property
    def arc_probabilities(self) -> dict[int, float]:
        """Parent -> probability that it matters for this patient."""
        posterior = self.posterior()
        subsets = np.arange(len(posterior))
        return {x: float(posterior[subsets >> i & 1 == 1].sum()) for i, x in enumerate(self.pool)}

    def subset(self, number: int) -> tuple[int, ...]:
        """The variables of one subset of the pool, ascending."""
        return tuple(sorted(x for i, x in enumerate(self.pool) if number >> i & 1))


class OrderKept:
    """Chooses for many patients of one population network; answers are kept by (child, values of its parents)."""

    def __init__(
        self,
        tables: InstanceTables,
        order: Sequence[int],
        log_kappa: float,
        constraints: Constraints,
        additions: bool = False,
    ) -> None:
        self.tables, self.log_kappa = tables, log_kappa
        self.additions, self.constraints = additions, constraints
        self.place = {x: place for place, x in enumerate(order)}
        self._known: dict[tuple[int, tuple[int, ...]], NodeChoice] = {}
        self._kept = 0
        for child, group in enumerate(tables.parents):
            if len(group) > MOST_PARENTS:
                raise SettingsError(
                    f"'{tables.data.names[child]}' has {len(group)} parents in the population network, too many to "
                    f"weigh every subset of them; set the most parents of a variable to {MOST_PARENTS} or fewer."
                )

    def choose(self, values: np.ndarray) -> tuple[NodeChoice, ...]:
        """The choice of every variable for a patient with these (p,) codes."""
        codes = values.tolist()
        result = []
        for child, group in enumerate(self.tables.parents):
            key = (child, tuple([codes[x] for x in group]))
            choice = self._known.get(key)
            if choice is None:
                choice = self._deletions(child, key[1])
                self._kept += len(choice.gains)
                if self._kept > _MOST_KEPT:
                    self._known.clear()
                    self._kept = len(choice.gains)
                self._known[key] = choice
            result.append(choice)
        if self.additions:
            score = InstanceScore(self.tables, values)
            result = [self._with_additions(score, choice) for choice in result]
        return tuple(result)

    def _deletions(self, child: int, values: tuple[int, ...]) -> NodeChoice:
        """The best subset of the population's parents."""
        group = self.tables.parents[child]
        if len(group) < 2 and self.tables.empty == "population":
            return self._only(child, values)
        gains, cases = self.tables.subsets(child, values)
        whole = len(gains) - 1
        gains = gains.copy()
        unknown = sum(1 << i for i, value in enumerate(values) if value == UNKNOWN)
        subsets = np.arange(len(gains))
        gains[(subsets & unknown != 0) & (subsets != whole)] = -np.inf  # an unknown value is no condition
        if unknown:  # nothing is conditioned on: the family as the population has it, plain BDeu under either prior
            gains += self.tables.family(child).scores.sum() - self.tables.plain(child)
            gains[whole] = 0.0
        must = sum(1 << i for i, x in enumerate(group) if x in self.constraints.required[child])
        gains[subsets & must != must] = -np.inf
        if group and self.tables.empty == "population":
            gains[0] = -np.inf  # that reading of "no parents" *is* the population's family, which is weighed already
        return self._best(child, group, gains, cases[whole & ~unknown], cases)

    def _only(self, child: int, values: tuple[int, ...]) -> NodeChoice:
        """A variable with at most one parent, which has no context to choose: the population's family."""
        family = self.tables.family(child)
        agree = [] if UNKNOWN in values else (family.configurations == values).all(axis=1).nonzero()[0].tolist()
        cases = family.counts[agree[0]] if agree else family.counts.sum(axis=0) * (UNKNOWN in values)
        gains = np.array([0.0]) if not family.parents else np.array([-np.inf, 0.0])
        costs = np.array([len(family.parents) * self.log_kappa + 0.0, 0.0])[-len(gains) :]
        return NodeChoice(child, family.parents, family.parents, 0.0, 0.0, cases, family.parents, gains, costs)

    def _best(
        self, child: int, pool: tuple[int, ...], gains: np.ndarray, unchanged: np.ndarray, cases: np.ndarray | None
    ) -> NodeChoice:
        group = self.tables.parents[child]
        own = sum(1 << i for i, x in enumerate(pool) if x in group)
        subsets = np.arange(len(gains))
        changes = np.bitwise_count(subsets ^ own)
        costs = changes * self.log_kappa + 0.0
        net = gains + costs
        tolerance = GAIN * max(1.0, float(np.abs(self.tables.family(child).scores.sum())))
        ties = np.flatnonzero(net >= net.max() - tolerance)
        best = int(ties[np.lexsort((ties, changes[ties]))[0]])  # among equals the one nearest to the population
        parents = tuple(sorted(x for i, x in enumerate(pool) if best >> i & 1))
        similar = unchanged if best == own or cases is None else cases[best]
        gain, cost = float(gains[best]), float(costs[best]) + 0.0
        return NodeChoice(child, group, parents, gain, cost, similar, pool, gains, costs)

    def _with_additions(self, score: InstanceScore, choice: NodeChoice) -> NodeChoice:
        """Take further parents into the pool, one at a time, as long as the best subset gains."""
        child, group = choice.child, choice.population
        known = score.values != UNKNOWN
        earlier = np.array([self.place[x] < self.place[child] for x in range(score.n_variables)])
        tolerance = GAIN * max(1.0, float(np.abs(self.tables.family(child).scores.sum())))
        base = score.local(child, group)
        while len(choice.pool) < MOST_PARENTS:
            room = len(choice.parents) < self.constraints.max_parents
            among = known & earlier & self.constraints.allowed[child]
            among[list(choice.pool)] = False
            # where no row is alike the prior alone would decide, which takes a part of the population's rows' away
            among &= score.match[:, score.agreeing(choice.parents)].any(axis=1)
            if not room or not among.any():
                return choice
            result = score.additions(child, choice.parents, among) - base + choice.cost + self.log_kappa
            x = int(np.argmax(result))
            if result[x] <= choice.gain + choice.cost + tolerance:
                return choice
            choice = self._over(score, choice, tuple(sorted((*choice.pool, x))), base)
        return choice

    def _over(self, score: InstanceScore, choice: NodeChoice, pool: tuple[int, ...], base: float) -> NodeChoice:
        """The best of all subsets of a wider pool."""
        child, group = choice.child, choice.population
        own = sum(1 << i for i, x in enumerate(pool) if x in group)
        gains = np.full(1 << len(pool), -np.inf)
        required = set(self.constraints.required[child])
        for subset in range(len(gains)):
            parents = tuple(x for i, x in enumerate(pool) if subset >> i & 1)
            conditions = UNKNOWN not in score.values[list(parents)]
            full = len(parents) > self.constraints.max_parents or not required <= set(parents)
            if subset == own:
                gains[subset] = 0.0
            elif not conditions or full or (not parents and self.tables.empty == "population"):
                continue
            elif not subset & ~own or len(score.agreeing(parents)):
                gains[subset] = score.local(child, parents) - base
        result = self._best(child, pool, gains, choice.cases, None)
        agree = score.match[list(result.parents)].all(axis=0)
        r = int(self.tables.data.arity[child])
        cases = np.bincount(self.tables.data.codes_of([child])[0][agree], minlength=r)
        return replace(result, cases=cases)


Parents = tuple[tuple[int, ...], ...]
PARTS = ("reversed arcs", "undirected edges", "dropped arcs", "added arcs")


def search_network(
    tables: InstanceTables,
    population: Population,
    values: np.ndarray,
    log_kappa: float,
    known: Constraints,
    progress: Progress,
) -> tuple[Pdag, Parents]:
    """The patient's CPDAG and one DAG of it; a variable whose value is unknown gains no arc."""
    met = values != UNKNOWN
    allowed = met[None, :] & met[:, None] & known.allowed
    near = linked(population.cpdag).astype(bool)
    constraints = Constraints(allowed | (near & known.allowed), known.required, known.max_parents)
    result = ges(InstanceScore(tables, values, log_kappa), constraints, progress, start=population.cpdag)
    return result, member(result)


def network_choices(
    tables: InstanceTables, parents: Parents, values: np.ndarray, log_kappa: float
) -> tuple[NodeChoice, ...]:
    """Gain of every variable of the patient's DAG over the population's directed parents."""
    score, charged = InstanceScore(tables, values), InstanceScore(tables, values, log_kappa)
    codes = tables.data.codes
    result = []
    for child, group in enumerate(parents):
        gain = score.local(child, group) - tables.plain(child)
        cost = charged.cost(child, group)
        known = [x for x in group if values[x] != UNKNOWN]
        agree = score.match[known].all(axis=0) if known else np.ones(tables.data.n_rows, dtype=bool)
        cases = np.bincount(codes[child][agree], minlength=int(tables.data.arity[child]))
        result.append(NodeChoice(child, tables.parents[child], group, gain, cost, cases))
    return tuple(result)


def ratio_terms(tables: InstanceTables, patient: Parents, population: Population, values: np.ndarray) -> np.ndarray:
    """(p,) terms of equation 14: IS-Score of the patient's DAG minus that of the population's, by variable."""
    score = InstanceScore(tables, values)
    return np.array(
        [
            score.local(child, own) - score.local(child, other)
            for child, (own, other) in enumerate(zip(patient, population.parents, strict=True))
        ]
    )


def ratio_part(child: int, patient: Parents, population: Population) -> str:
    """Where a variable's term of equation 14 comes from: the first of `PARTS` that holds for its arcs."""
    own, other = set(patient[child]), set(population.parents[child])
    lost, gained = other - own, own - other
    turned_in = any(child in population.parents[x] for x in gained)
    turned_out = any(child in patient[x] for x in lost)
    if turned_in or turned_out:
        return PARTS[0]
    if population.cpdag.neighbours[child]:
        return PARTS[1]
    return PARTS[2] if lost and not gained else PARTS[3] if gained else PARTS[2]
