"""P(a variable differs) and P(a link), averaged over all orders and parent sets, with the paper's blocks.

For a child i with parents S of q configurations (blocks), and the prior probability p that nothing differs anywhere,
ln p_block = ln p / (n q):

    w_i(S) = prior(S) prod over blocks of [ p_block P(rows of both) + (1 - p_block) P(rows of A) P(rows of B) ]
    v_i(S) = prior(S) prod over blocks of   p_block P(rows of both)

P is the method's own score, prior(S) one over the number of sets of that size; `mixed` below is ln w, `surprise` is
ln w - ln v. Sums over orders of w, with v in place of w for one child, give P(i the same) (Koivisto & Sood 2004). To 20
variables the sums are exact; beyond, orders are drawn (`engine.search.orders.sampling`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.execution import Progress, part, silent
from engine.graphs.dag import Parents, topological_order
from engine.lazy import nx
from engine.methods.cost import Size
from engine.methods.fitting import check_positions, check_shape, check_that
from engine.methods.group_difference.average.families import (
    Families,
    average_constraints,
    list_families,
    mixture,
    outcome_of,
)
from engine.methods.group_difference.cost import average_cost
from engine.methods.group_difference.numbers.movers import explained, going_together, linked_pairs, single_parents
from engine.methods.group_difference.odds import probability
from engine.methods.group_difference.rows.groups import Groups
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.group_difference.verdicts import EVEN
from engine.methods.storing import storable
from engine.search.constraints import Constraints
from engine.search.orders.average import MOST_VARIABLES, average_orders, total_worth
from engine.search.orders.parent_sets import ParentSets, candidate_parent_sets
from engine.search.orders.posterior import split_r_hat
from engine.search.orders.sampling import OrderSample, sample_orders

MOST_ODDS = 700.0
"""ln odds end here: beyond, a probability of 1 or 0 is all that a double knows."""


@storable
@dataclass(frozen=True, eq=False)
class Posterior:
    """The average under one prior.

    Attributes
    ----------
    p_none : prior probability that nothing differs anywhere
    log_odds : (n,) ln of P(differs) over P(the same)
    log_none : ln of P(nothing differs anywhere)
    error : (n,) Monte Carlo standard error of P(differs), 0 where sums are exact
    r_hat : (n,) split R-hat of it, 1 where sums are exact
    likeliest, differing : the parents of highest posterior probability of each variable, and among models in which
        it differs
    shares : (n,) posterior probability of `likeliest`
    arcs : (n, n) probability of each arc [source, target] in the structure that both groups share
    given : (n, n) the least P(i differs) with j among its parents, NaN where it is not asked (`movers.explained`)
    together : pairs of which only how they go together differs
    """

    p_none: float
    log_odds: np.ndarray
    log_none: float
    error: np.ndarray
    r_hat: np.ndarray
    likeliest: Parents
    differing: Parents
    shares: np.ndarray
    arcs: np.ndarray
    given: np.ndarray
    together: tuple[tuple[int, int], ...]

    @property
    def probabilities(self) -> np.ndarray:
        """(n,) P(differs)."""
        return probability(self.log_odds)

    @property
    def claimed(self) -> np.ndarray:
        """(n,) what verdicts go by: the least of P(differs) and of it given each variable that it may go through."""
        result = np.fmin(self.probabilities, np.fmin.reduce(self.given, axis=1, initial=np.inf))
        for pair in self.together:
            result[list(pair)] = np.minimum(result[list(pair)], 1.0 - result[list(pair)])
        return result

    def through(self, i: int) -> tuple[int, ...]:
        """The variables that a difference of i goes through: it vanishes given them, and theirs does not given it."""
        vanishes = self.given < EVEN
        return tuple(np.flatnonzero(vanishes[i] & ~vanishes[:, i]).tolist())

    @property
    def alternatives(self) -> tuple[tuple[int, ...], ...]:
        """Sets of variables whose differences vanish given each other: one of each set differs, which cannot be
        told."""
        mutual = (self.given < EVEN) & (self.given.T < EVEN)
        groups = nx.connected_components(nx.from_numpy_array(mutual))
        return tuple(tuple(sorted(group)) for group in groups if len(group) > 1)

    def _check_read(self) -> None:
        n = len(self.log_odds)
        check_that(0 < self.p_none < 1, "a prior is no probability")
        check_shape(self.arcs, n, n)
        check_shape(self.given, n, n)
        for pair in self.together:
            check_positions(pair, n)
        for numbers in (self.error, self.r_hat, self.shares):
            check_shape(numbers, n)
        for parents in (self.likeliest, self.differing):
            check_that(len(parents) == n, "variables and their parents do not match")
            for parent in parents:
                check_positions(parent, n)


@storable
@dataclass(frozen=True, eq=False)
class Average:
    """A group comparison averaged over orders.

    Attributes
    ----------
    posterior : under the prior of the run
    families : what another prior is worked out from; None where orders were drawn
    arcs : (2, n, n) probability of each arc [source, target] in the first group's network and in the second's
    errors : (2, n, n) Monte Carlo standard error of the probability of each link, either direction
    max_parents : most parents of a variable that were averaged over
    linked : (n, n) how much two variables go together inside the groups (`linked_pairs`)
    scaled : (n,) which variables are compared along a scale
    outcome : position of the variable that was asked about beforehand, whose prior is its own; -1 where there is none
    """

    posterior: Posterior
    families: Families | None
    arcs: np.ndarray
    errors: np.ndarray
    max_parents: int
    linked: np.ndarray
    scaled: np.ndarray
    outcome: int

    def under(self, p_none: float, names: Sequence[str]) -> Posterior:
        """The exact average under another prior."""
        if self.families is None:
            raise RuntimeError("orders were drawn under one prior")
        return posterior_of(self.families, p_none, names, self.outcome, self.linked, self.scaled)

    def _check_read(self) -> None:
        n = len(self.posterior.log_odds)
        check_shape(self.arcs, 2, n, n)
        check_shape(self.errors, 2, n, n)
        check_shape(self.linked, n, n)
        check_shape(self.scaled, n)
        check_that(-1 <= self.outcome < n, "the outcome is no variable")
        check_that(self.families is None or len(self.families.before) == n, "families are of other variables")


OUTCOME_PRIOR = 0.5
"""P(the same) of a variable that was asked about beforehand: one question is not one of many."""


def log_priors(p_none: float, variables: int, outcome: int = -1) -> np.ndarray:
    """(n,) ln P(a variable is the same) before the data are seen: p_none is shared out, an outcome has its own."""
    result = np.full(variables, math.log(p_none) / max(variables - (outcome >= 0), 1))
    if outcome >= 0:
        result[outcome] = math.log(OUTCOME_PRIOR)
    return result


def posterior_of(
    families: Families,
    p_none: float,
    names: Sequence[str],
    outcome: int,
    linked: np.ndarray,
    scaled: np.ndarray,
    progress: Progress = silent,
) -> Posterior:
    """The exact average under a prior; see `Average` for what is given beside it."""
    sets, n = families.sets, len(families.before)
    scores = families.scores + sets.log_prior()
    log_same = log_priors(p_none, n, outcome)
    mixed, surprise = families.weighed(log_same)
    average = average_orders(sets, mixed, families.before, part(progress, 0.0, 0.68))
    progress(0.68, "averaging over orders of the variables")
    none = total_worth(sets, scores + log_same[sets.children], families.before) - average.total
    differs = np.add.reduceat(average.probabilities * -np.expm1(-surprise), sets.starts[:-1])
    same = np.add.reduceat(average.probabilities * np.exp(-surprise), sets.starts[:-1])
    with np.errstate(divide="ignore"):
        odds = np.clip(np.log(differs) - np.log(same), -MOST_ODDS, MOST_ODDS)
    alphabetical = np.argsort(sorted(range(n), key=lambda i: names[i]))
    likeliest = likeliest_of(sets, average.probabilities, -np.expm1(-surprise), alphabetical)
    about = _explained(sets, surprise, odds, likeliest[1], linked, scaled)
    exact = odds, min(none, 0.0), np.zeros(n), np.ones(n)
    return Posterior(p_none, *exact, *likeliest, arcs_of(sets, average.probabilities), *about)


def _linked(method: GroupDifferenceSettings, groups: Groups) -> np.ndarray:
    """Pairs that may explain each other; none where only levels are compared or rows are only counted."""
    n, scales = groups.pooled.n_variables, groups.scales(method)
    if scales.by_levels or not len(scales.rows):
        return np.zeros((n, n))
    return linked_pairs(scales, groups)


def _explained(
    sets: ParentSets, surprise: np.ndarray, odds: np.ndarray, differing: Parents, linked: np.ndarray, scaled: np.ndarray
) -> tuple[np.ndarray, tuple[tuple[int, int], ...]]:
    """`Posterior.given` and `Posterior.together`."""
    p = probability(odds)
    return explained(sets, surprise, p, differing, linked), going_together(single_parents(sets, surprise), p, scaled)


def arcs_of(sets: ParentSets, probabilities: np.ndarray) -> np.ndarray:
    """(n, n) probability of each arc [source, target] from those of the parent sets."""
    n, children = sets.n_variables, sets.children
    result = np.zeros((n, n))
    for place in range(sets.members.shape[1]):
        rows = sets.sizes > place
        np.add.at(result, (sets.members[rows, place], children[rows]), probabilities[rows])
    return result


def likeliest_of(
    sets: ParentSets, probabilities: np.ndarray, differing: np.ndarray, alphabetical: np.ndarray
) -> tuple[Parents, Parents, np.ndarray]:
    """The parents of highest posterior of each variable, those where it differs, and the probability of the first.

    Of sets that are equal up to rounding the one of fewest parents, then that whose names come first, by the place of
    each variable in their `alphabetical` order: a copy of a column stands for it whatever the order of columns.
    """
    first, second, shares = [], [], []
    for child in range(sets.n_variables):
        rows = sets.of(child)
        own = probabilities[rows]
        top = _first_of(own, sets, rows.start, alphabetical)
        first.append(sets.parents(rows.start + top))
        second.append(sets.parents(rows.start + _first_of(own * differing[rows], sets, rows.start, alphabetical)))
        shares.append(float(own[top]))
    return tuple(first), tuple(second), np.array(shares)


def _first_of(values: np.ndarray, sets: ParentSets, start: int, alphabetical: np.ndarray) -> int:
    """The largest of the sets from `start` on; of equal ones, up to rounding, the first as `likeliest_of` has it."""
    equal = np.flatnonzero(values >= values.max() * (1 - 1e-9)).tolist()
    if len(equal) == 1:
        return int(equal[0])
    parents = {row: sets.parents(start + row) for row in equal}
    return int(min(equal, key=lambda row: (len(parents[row]), sorted(alphabetical[list(parents[row])].tolist()))))


MOST_WALKED = 200
"""Variables beyond which no orders are drawn."""
CHAINS, LINK_CHAINS = 8, 4
"""Walks over orders for the differences, whose words hang on them, and for each group's own links."""
_BATCHES = 10
"""Parts of a walk whose means are compared for its error."""
_CANDIDATES, _FEW = 10, 60
"""Candidate parents of a variable, up to so many variables; of more, two fewer."""


def average_groups(
    method: GroupDifferenceSettings, groups: Groups, structures: tuple[Parents, ...], progress: Progress
) -> Average:
    """Average over all orders: exactly to `MOST_VARIABLES`, by walks beyond."""
    n = groups.pooled.n_variables
    if n > MOST_VARIABLES:
        return walk_groups(method, groups, structures, progress)
    constraints = average_constraints(method, groups.pooled)
    scored = _scoring_share(method, groups)
    families, own = list_families(method, groups, constraints, part(progress, 0.0, scored))
    rest = part(progress, scored, 1.0)
    about = outcome_of(groups), _linked(method, groups), groups.scales(method).scaled
    posterior = posterior_of(families, method.p_none, groups.pooled.names, *about, part(rest, 0.0, 0.44))
    arcs = np.empty((2, n, n))
    for g in range(2):
        inner = part(rest, 0.44 + 0.28 * g, 0.72 + 0.28 * g)
        values = own[:, g] + families.sets.log_prior()
        arcs[g] = arcs_of(families.sets, average_orders(families.sets, values, families.before, inner).probabilities)
    linked, scaled = about[1:]
    return Average(posterior, families, arcs, np.zeros((2, n, n)), constraints.max_parents, linked, scaled, about[0])


def log_odds_only(method: GroupDifferenceSettings, groups: Groups, progress: Progress = silent) -> np.ndarray:
    """(n,) ln odds of a difference, without the groups' own links: what permuted labels and other scores are asked."""
    if groups.pooled.n_variables > MOST_VARIABLES:
        return walk_differences(method, groups, (), progress)[0].log_odds
    constraints = average_constraints(method, groups.pooled)
    scored = _scoring_share(method, groups)
    scored /= scored + 0.44 * (1.0 - scored)
    families, _ = list_families(method, groups, constraints, part(progress, 0.0, scored))
    n = groups.pooled.n_variables
    about = outcome_of(groups), np.zeros((n, n)), np.zeros(n, dtype=bool)
    return posterior_of(families, method.p_none, groups.pooled.names, *about, part(progress, scored, 1.0)).log_odds


def _scoring_share(method: GroupDifferenceSettings, groups: Groups) -> float:
    """The share of the seconds of an average goes into the scores of families."""
    cost = average_cost(method, Size.of(groups.pooled))
    return cost.scoring / cost.seconds


def walk_groups(
    method: GroupDifferenceSettings, groups: Groups, structures: tuple[Parents, ...], progress: Progress
) -> Average:
    """The average by walks over orders: of both groups for the differences, and of each by itself for its links."""
    n = groups.pooled.n_variables
    scored = _scoring_share(method, groups)
    ends = [scored + (1.0 - scored) * chains for chains in (0.5, 0.75, 1.0)]  # eight of sixteen walks, and twice four
    posterior, walk = walk_differences(method, groups, structures, part(progress, 0.0, ends[0]))
    arcs, errors = np.empty((2, n, n)), np.empty((2, n, n))
    for g in range(2):
        inner = part(progress, *ends[g : g + 2])
        values = walk.own[:, g] + walk.sets.log_prior()
        result = walk.sample(values, np.zeros(len(values)), structures[g : g + 1], LINK_CHAINS, inner)
        by_chain = np.array([walk.back(arcs_of(walk.sets, probability)) for probability in result.probabilities])
        arcs[g] = by_chain.mean(axis=0)
        errors[g] = _standard_error(by_chain + by_chain.transpose(0, 2, 1))
    scaled, linked = groups.scales(method).scaled, _linked(method, groups)
    about = walk.constraints.max_parents, linked, scaled, outcome_of(groups)
    return Average(posterior, None, arcs, errors, *about)


def walk_differences(
    method: GroupDifferenceSettings, groups: Groups, structures: tuple[Parents, ...], progress: Progress
) -> tuple[Posterior, _Walk]:
    """P(differs) by walks, and what the walks of the groups' own networks need."""
    n = groups.pooled.n_variables
    order = np.array(sorted(range(n), key=lambda i: groups.pooled.names[i]))
    place = np.argsort(order)
    turned = groups.selected([groups.pooled.names[i] for i in order])
    known = average_constraints(method, groups.pooled).permuted(order.tolist())
    log_same = log_priors(method.p_none, n, outcome_of(groups))[order]
    joined = [[set(place[list(structure[column])].tolist()) for column in order] for structure in structures]
    candidates = _candidates(method, turned, known, joined)
    sets = candidate_parent_sets(known, candidates)
    scored = _scoring_share(method, groups)
    scored /= scored + 0.5 * (1.0 - scored)
    own, mixed, surprise = mixture(method, turned, sets, log_same, part(progress, 0.0, scored))
    walk = _Walk(method, order, known, candidates, sets, own)
    sample = walk.sample(mixed, -np.expm1(-surprise), structures[2:3], CHAINS, part(progress, scored, 1.0))
    mean = sample.shares.mean(axis=(0, 1))
    probabilities = sample.probabilities.mean(axis=0)
    likeliest, differing, shares = likeliest_of(sets, probabilities, -np.expm1(-surprise), np.arange(n))
    with np.errstate(divide="ignore"):
        odds = np.log(mean) - np.log1p(-mean)
        none = float(np.log(np.exp(np.log1p(-np.minimum(sample.shares, 1 - 1e-16)).sum(axis=2)).mean()))
    error, r_hat = np.zeros(n), np.ones(n)
    if len(sample.shares) > 1:
        batches = sample.shares.reshape(-1, max(sample.shares.shape[1] // _BATCHES, 1), n)
        error = np.maximum(_standard_error(sample.shares.mean(axis=1)), _standard_error(batches.mean(axis=1)))
        r_hat = np.array([split_r_hat(sample.shares[:, :, i]) for i in range(n)])

    def by_column(parents: Parents) -> Parents:
        return tuple(tuple(sorted(order[list(parents[place[i]])].tolist())) for i in range(n))

    odds = np.clip(odds, -MOST_ODDS, MOST_ODDS)
    scaled, linked = turned.scales(method).scaled, _linked(method, turned)
    given, pairs = _explained(sets, surprise, odds, differing, linked, scaled)
    together = tuple((min(pair), max(pair)) for pair in ((int(order[i]), int(order[j])) for i, j in pairs))
    measured = odds[place], max(none, -MOST_ODDS), error[place], r_hat[place]
    parents = by_column(likeliest), by_column(differing), shares[place]
    about = walk.back(arcs_of(sets, probabilities)), walk.back(given), together
    return Posterior(method.p_none, *measured, *parents, *about), walk


@dataclass(frozen=True, eq=False)
class _Walk:
    """Data that the walks of one comparison share; variables by name, so that the order of columns moves no draw.

    Attributes
    ----------
    order : (n,) the column of each position here
    """

    method: GroupDifferenceSettings
    order: np.ndarray
    constraints: Constraints
    candidates: Sequence[Sequence[int]]
    sets: ParentSets
    own: np.ndarray

    def sample(
        self, values: np.ndarray, parts: np.ndarray, start: tuple[Parents, ...], chains: int, progress: Progress
    ) -> OrderSample:
        """Walks by what the parent sets are worth, the first from an order that a network found before allows."""
        place = np.argsort(self.order)
        first = np.arange(len(place))
        if start:
            result = tuple(tuple(sorted(place[list(start[0][column])].tolist())) for column in self.order)
            predecessors = self.constraints.before
            if predecessors is not None:
                earlier = [np.flatnonzero(row).tolist() for row in predecessors]
                result = tuple(tuple({*own, *before}) for own, before in zip(result, earlier, strict=True))
            first = np.array(topological_order(result), dtype=np.int64)
        about = self.constraints, self.candidates, first, chains, self.method.seed
        return sample_orders(self.sets, values, parts, *about, progress)

    def back(self, table: np.ndarray) -> np.ndarray:
        """(n, n) by column."""
        place = np.argsort(self.order)
        return table[np.ix_(place, place)]


def _standard_error(means: np.ndarray) -> np.ndarray:
    """Of the mean of (m, ...) independent means; 0 of a single one, which is exact."""
    if len(means) < 2:
        return np.zeros(means.shape[1:])
    return np.asarray(means.std(axis=0, ddof=1) / math.sqrt(len(means)))


def _candidates(
    method: GroupDifferenceSettings, groups: Groups, constraints: Constraints, joined: Sequence[Sequence[set[int]]]
) -> list[list[int]]:
    """Parents that stand in any combination: those of networks that were found, then those worth most by themselves."""
    n = groups.pooled.n_variables
    most = _CANDIDATES if n <= _FEW else _CANDIDATES - 2
    sets = candidate_parent_sets(constraints, [()] * n)
    mixed = mixture(method, groups, sets, log_priors(method.p_none, n, outcome_of(groups)), silent)[1]
    result = []
    for child in range(n):
        rows = sets.of(child)
        required = set(constraints.required[child])
        gain_of = {
            x: value
            for k, value in zip(range(rows.start, rows.stop), mixed[rows].tolist(), strict=True)
            for x in set(sets.parents(k)) - required
        }
        near = {x for parents in joined for x in range(n) if x in parents[child] or child in parents[x]}
        result.append(sorted(sorted(gain_of, key=lambda x: (x not in near, -gain_of[x], x))[:most]))
    return result
