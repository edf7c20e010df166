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
from engine.methods.group_difference.families import average_constraints, list_families, mixture
from engine.methods.group_difference.groups import Groups
from engine.methods.group_difference.posterior import (
    MOST_ODDS,
    Average,
    Posterior,
    arcs_of,
    likeliest_of,
    posterior_of,
)
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.search.constraints import Constraints
from engine.search.orders.average import MOST_VARIABLES, average_orders
from engine.search.orders.parent_sets import ParentSets, candidate_parent_sets
from engine.search.orders.posterior import split_r_hat
from engine.search.orders.sampling import OrderSample, sample_orders

MOST_WALKED = 200
"""Variables beyond which no orders are drawn."""
CHAINS, LINK_CHAINS = 8, 4
"""Walks over orders for the differences, whose words hang on them, and for each group's own links."""
DRAWS, STEPS = 200, 50_000
"""Orders taken of a walk, and its steps."""
_BATCHES = 10
"""Parts of a walk whose means are compared for its error."""
_CANDIDATES, _FEW = 10, 60
"""Candidate parents of a variable, up to so many variables; of more, two fewer."""


def average_groups(
    method: GroupDifferenceSettings, groups: Groups, structures: tuple[Parents, ...], progress: Progress
) -> Average:
    """Average over all orders: exactly to `MOST_VARIABLES`, by walks beyond."""
    n = groups.pooled.n_variables
    constraints = average_constraints(method, groups.pooled)
    if n > MOST_VARIABLES:
        return walk_groups(method, groups, structures, constraints, progress)
    families, own = list_families(method, groups, constraints, part(progress, 0.0, 0.2))
    posterior = posterior_of(families, method.p_none, part(progress, 0.2, 0.5))
    arcs = np.empty((2, n, n))
    for g in range(2):
        inner = part(progress, 0.5 + 0.25 * g, 0.75 + 0.25 * g)
        values = own[:, g] + families.sets.log_prior()
        arcs[g] = arcs_of(families.sets, average_orders(families.sets, values, families.before, inner).probabilities)
    return Average(posterior, families, arcs, np.zeros((2, n, n)), constraints.max_parents)


def log_odds_only(method: GroupDifferenceSettings, groups: Groups, progress: Progress = silent) -> np.ndarray:
    """(n,) ln odds of a difference, without the groups' own links: what shuffled labels and other scores are asked."""
    constraints = average_constraints(method, groups.pooled)
    if groups.pooled.n_variables > MOST_VARIABLES:
        return walk_differences(method, groups, (), constraints, progress)[0].log_odds
    families, _ = list_families(method, groups, constraints, part(progress, 0.0, 0.3))
    return posterior_of(families, method.p_none, part(progress, 0.3, 1.0)).log_odds


def walk_groups(
    method: GroupDifferenceSettings,
    groups: Groups,
    structures: tuple[Parents, ...],
    constraints: Constraints,
    progress: Progress,
) -> Average:
    """The average by walks over orders: of both groups for the differences, and of each by itself for its links."""
    n = groups.pooled.n_variables
    posterior, walk = walk_differences(method, groups, structures, constraints, part(progress, 0.0, 0.4))
    arcs, errors = np.empty((2, n, n)), np.empty((2, n, n))
    for g in range(2):
        inner = part(progress, 0.4 + 0.3 * g, 0.7 + 0.3 * g)
        result = walk.sample(
            walk.own[:, g] + walk.sets.log_prior(), np.zeros(len(walk.own)), structures[g : g + 1], LINK_CHAINS, inner
        )
        by_chain = np.array([walk.back(arcs_of(walk.sets, probability)) for probability in result.probabilities])
        arcs[g] = by_chain.mean(axis=0)
        errors[g] = _standard_error(by_chain + by_chain.transpose(0, 2, 1))
    return Average(posterior, None, arcs, errors, constraints.max_parents)


def walk_differences(
    method: GroupDifferenceSettings,
    groups: Groups,
    structures: tuple[Parents, ...],
    constraints: Constraints,
    progress: Progress,
) -> tuple[Posterior, _Walk]:
    """P(differs) by walks, and what the walks of the groups' own networks need."""
    n = groups.pooled.n_variables
    order = np.array(sorted(range(n), key=lambda i: groups.pooled.names[i]))
    place = np.argsort(order)
    turned = groups.selected([groups.pooled.names[i] for i in order])
    known = constraints.permuted(order.tolist())
    log_same = math.log(method.p_none) / n
    joined = [[set(place[list(structure[column])].tolist()) for column in order] for structure in structures]
    candidates = _candidates(method, turned, known, joined, log_same)
    sets = candidate_parent_sets(known, candidates)
    own, mixed, surprise = mixture(method, turned, sets, log_same, part(progress, 0.0, 0.3))
    walk = _Walk(method, order, known, candidates, sets, own)
    sample = walk.sample(mixed, -np.expm1(-surprise), structures[2:3], CHAINS, part(progress, 0.3, 1.0))
    mean = sample.shares.mean(axis=(0, 1))
    probabilities = sample.probabilities.mean(axis=0)
    likeliest, differing, shares = likeliest_of(sets, probabilities, -np.expm1(-surprise))
    with np.errstate(divide="ignore"):
        odds = np.log(mean) - np.log1p(-mean)
        none = float(np.log(np.exp(np.log1p(-np.minimum(sample.shares, 1 - 1e-16)).sum(axis=2)).mean()))
    halves = (
        sample.shares.reshape(-1, max(sample.shares.shape[1] // _BATCHES, 1), n) if len(sample.shares) > 1 else None
    )
    error = np.zeros(n)
    if halves is not None:
        error = np.maximum(_standard_error(sample.shares.mean(axis=1)), _standard_error(halves.mean(axis=1)))
    r_hat = np.array([split_r_hat(sample.shares[:, :, i]) for i in range(n)]) if halves is not None else np.ones(n)

    def by_column(parents: Parents) -> Parents:
        return tuple(tuple(sorted(order[list(parents[place[i]])].tolist())) for i in range(n))

    result = Posterior(
        method.p_none,
        np.clip(odds, -MOST_ODDS, MOST_ODDS)[place],
        max(none, -MOST_ODDS),
        error[place],
        r_hat[place],
        by_column(likeliest),
        by_column(differing),
        shares[place],
        walk.back(arcs_of(sets, probabilities)),
    )
    return result, walk


@dataclass(frozen=True, eq=False)
class _Walk:
    """What the walks of one comparison share; variables by name, so that the order of columns moves no draw.

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
                result = tuple(
                    tuple({*own, *np.flatnonzero(row).tolist()}) for own, row in zip(result, predecessors, strict=True)
                )
            first = np.array(topological_order(result), dtype=np.int64)
        return sample_orders(
            self.sets,
            values,
            parts,
            self.constraints,
            self.candidates,
            first,
            steps=STEPS,
            draws=DRAWS,
            chains=chains,
            seed=self.method.seed,
            progress=progress,
        )

    def back(self, table: np.ndarray) -> np.ndarray:
        """(n, n) by column."""
        place = np.argsort(self.order)
        return table[np.ix_(place, place)]


def _standard_error(means: np.ndarray) -> np.ndarray:
    """Of the mean of (m, ...) independent means; 0 of a single one, which is exact."""
    return (
        np.zeros(means.shape[1:]) if len(means) < 2 else np.asarray(means.std(axis=0, ddof=1) / math.sqrt(len(means)))
    )


def _candidates(
    method: GroupDifferenceSettings,
    groups: Groups,
    constraints: Constraints,
    joined: Sequence[Sequence[set[int]]],
    log_same: float,
) -> list[list[int]]:
    """Parents that stand in any combination: those of networks that were found, then those worth most by themselves."""
    n = groups.pooled.n_variables
    most = _CANDIDATES if n <= _FEW else _CANDIDATES - 2
    sets = candidate_parent_sets(constraints, [()] * n)
    mixed = mixture(method, groups, sets, log_same, silent)[1]
    result = []
    for child in range(n):
        rows = sets.of(child)
        required = set(constraints.required[child])
        gain_of = {
            x: value
            for k, value in zip(range(rows.start, rows.stop), mixed[rows].tolist(), strict=True)
            for x in set(sets.parents(k)) - required
        }
        near = {x for item in joined for x in item[child]} | {
            x for entry in joined for x in range(n) if child in entry[x]
        }
        result.append(sorted(sorted(gain_of, key=lambda x: (x not in near, -gain_of[x], x))[:most]))
    return result
