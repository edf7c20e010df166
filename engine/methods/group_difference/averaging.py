"""P(a variable differs) and P(a link), averaged over all orders and parent sets, with the paper's blocks.

For a child i with parents S of q configurations (blocks), and the prior probability p that nothing differs anywhere,
ln p_block = ln p / (n q):

    w_i(S) = prior(S) prod over blocks of [ p_block P(rows of both) + (1 - p_block) P(rows of A) P(rows of B) ]
    v_i(S) = prior(S) prod over blocks of   p_block P(rows of both)

P is the method's own score, prior(S) one over the number of sets of that size; `mixed` below is ln w, `surprise` is
ln w - ln v. Sums over orders of w, with v in place of w for one child, give P(i the same) (Koivisto & Sood 2004). To 20
variables the sums are exact; beyond, orders are drawn (`engine.search.order_sampling`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from engine import words
from engine.counting import kernels
from engine.errors import SettingsError
from engine.execution import Progress, part, share, silent
from engine.graphs.dag import Parents, topological_order
from engine.methods.cost import gigabytes
from engine.methods.fitting import check_positions, check_shape, check_that
from engine.methods.group_difference.groups import Groups
from engine.methods.group_difference.odds import probability
from engine.methods.group_difference.settings import GroupDifferenceSettings
from engine.methods.storing import storable
from engine.search.constraints import Constraints
from engine.search.order_average import MOST_VARIABLES, average_orders, masks_before, memory_needed, total_worth
from engine.search.order_posterior import split_r_hat
from engine.search.order_sampling import OrderSample, sample_orders
from engine.search.parent_sets import ParentSets, all_parent_sets, candidate_parent_sets

if TYPE_CHECKING:
    from engine.data.dataset import Dataset

USUAL_PARENTS = 3
"""Most parents of a variable where the settings name no number."""
MOST_WALKED = 200
"""Variables beyond which no orders are drawn."""
MOST_BYTES = 1_000_000_000
"""What the families and the sums over orders may take."""
CHAINS, DRAWS, STEPS = 4, 200, 50_000
"""Walks over orders: how many, orders taken of each, steps of each."""
_MOST_CELLS = float(1 << 62)
_MOST_ODDS = 700.0
"""ln odds end here: beyond, a probability of 1 or 0 is all that a double knows."""
_TOGETHER = 4
"""Variables between two looks at whether to go on."""
_BATCHES = 10
"""Parts of a walk whose means are compared for its error."""
_CANDIDATES, _FEW = 10, 60
"""Candidate parents of a variable, up to so many variables; of more, two fewer."""


@storable
@dataclass(frozen=True, eq=False)
class Families:
    """Every family that is averaged over, scored in both groups; kept, so that another prior counts nothing again.

    Attributes
    ----------
    starts, members, sizes : of `ParentSets`, by position
    scores : (k,) ln P(rows of both groups) of each family
    factor_starts, factors : (k + 1,), ln P(one) P(other) / P(both) of the blocks that have rows of both groups
    blocks : (k,) how many blocks each family could have
    before : (n,) masks of the variables that come first in every order
    """

    starts: np.ndarray
    members: np.ndarray
    sizes: np.ndarray
    scores: np.ndarray
    factor_starts: np.ndarray
    factors: np.ndarray
    blocks: np.ndarray
    before: np.ndarray

    @property
    def sets(self) -> ParentSets:
        """The parent sets."""
        return ParentSets(self.starts, self.members, self.sizes)

    def _check_read(self) -> None:
        """Kernels read these without a look at their bounds."""
        n, many = len(self.before), len(self.sizes)
        check_that(1 <= n <= MOST_VARIABLES, "orders of so many variables are not summed over")
        check_shape(self.starts, n + 1)
        check_shape(self.members, many, None)
        check_shape(self.factor_starts, many + 1)
        for numbers in (self.scores, self.blocks):
            check_shape(numbers, many)
        for steps, end in ((self.starts, many), (self.factor_starts, len(self.factors))):
            check_that(steps[0] == 0 and steps[-1] == end and (np.diff(steps) >= 0).all(), "families overlap")
        check_that((np.diff(self.starts) > 0).all(), "a variable has no family")
        width = self.members.shape[1]
        check_that(((self.sizes >= 0) & (self.sizes <= width)).all(), "a family has no such size")
        meant = np.arange(width) < self.sizes[:, None]
        check_that(((self.members >= 0) & (self.members < n)).all(), "a parent is no variable")
        check_that(not (meant & (self.members == self.sets.children[:, None])).any(), "a variable is its own parent")
        rising = np.diff(self.members, axis=1) > 0
        check_that((rising | ~meant[:, 1:]).all(), "parents are not in order")
        check_that((self.blocks >= 1).all(), "a family has no blocks")


@storable
@dataclass(frozen=True, eq=False)
class Posterior:
    """What the average says under one prior.

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

    @property
    def probabilities(self) -> np.ndarray:
        """(n,) P(differs)."""
        return probability(self.log_odds)

    def _check_read(self) -> None:
        n = len(self.log_odds)
        check_that(0 < self.p_none < 1, "a prior is no probability")
        check_shape(self.arcs, n, n)
        for numbers in (self.error, self.r_hat, self.shares):
            check_shape(numbers, n)
        for parents in (self.likeliest, self.differing):
            check_that(len(parents) == n, "variables and their parents do not match")
            for one in parents:
                check_positions(one, n)


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
    """

    posterior: Posterior
    families: Families | None
    arcs: np.ndarray
    errors: np.ndarray
    max_parents: int

    def _check_read(self) -> None:
        n = len(self.posterior.log_odds)
        check_shape(self.arcs, 2, n, n)
        check_shape(self.errors, 2, n, n)
        check_that(self.families is None or len(self.families.before) == n, "families are of other variables")


def prior_of_difference(p_none: float, variables: int) -> float:
    """P(a variable differs) before the data are seen: 1 - p_none^(1/n).

    Parameters
    ----------
    p_none : prior probability that nothing differs anywhere;  variables : n
    """
    return -math.expm1(math.log(p_none) / max(variables, 1))


def average_groups(
    method: GroupDifferenceSettings, groups: Groups, structures: tuple[Parents, ...], progress: Progress
) -> Average:
    """Average over all orders: exactly to `MOST_VARIABLES`, by walks beyond.

    Parameters
    ----------
    method, groups : the settings and the rows, at most `MOST_WALKED` variables
    structures : networks that were found, which walks begin with
    progress : told how far it is

    Returns
    -------
    `Average`

    Raises
    ------
    SettingsError : knowledge that does not fit the variables, or more parents than memory holds
    """
    n = groups.pooled.n_variables
    constraints = average_constraints(method, groups.pooled)
    if n > MOST_VARIABLES:
        return _walked(method, groups, structures, constraints, progress)
    families, own = _families(method, groups, constraints, part(progress, 0.0, 0.2))
    posterior = posterior_of(families, method.p_none, part(progress, 0.2, 0.5))
    arcs = np.empty((2, n, n))
    for g in range(2):
        inner = part(progress, 0.5 + 0.25 * g, 0.75 + 0.25 * g)
        values = own[:, g] + families.sets.log_prior()
        arcs[g] = _arcs(families.sets, average_orders(families.sets, values, families.before, inner).probabilities)
    return Average(posterior, families, arcs, np.zeros((2, n, n)), constraints.max_parents)


def probabilities_only(method: GroupDifferenceSettings, groups: Groups, progress: Progress = silent) -> np.ndarray:
    """(n,) P(differs), without the groups' own links: what shuffled labels and other scores are asked.

    Parameters
    ----------
    method, groups : the settings and the rows;  progress : told how far it is
    """
    constraints = average_constraints(method, groups.pooled)
    if groups.pooled.n_variables > MOST_VARIABLES:
        return _walk_differences(method, groups, (), constraints, progress)[0].probabilities
    families, _ = _families(method, groups, constraints, part(progress, 0.0, 0.3))
    return posterior_of(families, method.p_none, part(progress, 0.3, 1.0)).probabilities


def average_constraints(method: GroupDifferenceSettings, data: Dataset) -> Constraints:
    """What is known of the arcs, with the most parents that are averaged over: three, unless the settings say.

    Fewer where three would not fit into memory and the settings do not insist.

    Parameters
    ----------
    method, data : the settings, and the rows of both groups

    Returns
    -------
    `Constraints`

    Raises
    ------
    SettingsError : the parents that the settings ask for do not fit
    """
    known = method.known()
    constraints = known.constraints(data.names)
    n = data.n_variables
    least = max(map(len, constraints.required), default=0)
    wanted = min(max(USUAL_PARENTS, least) if known.max_parents is None else known.max_parents, max(n - 1, 0))
    if n > MOST_VARIABLES:
        return replace(constraints, max_parents=max(min(wanted, USUAL_PARENTS), least))
    arity, rows = data.arity.astype(float), data.n_rows
    fits = next((k for k in range(wanted, least, -1) if memory_of(constraints, arity, rows, k) <= MOST_BYTES), least)
    if known.max_parents is not None and fits < wanted:
        size = memory_of(constraints, arity, rows, wanted)
        taken = f"about {gigabytes(size)} of memory" if size < 1e15 else "more memory than there is"
        raise SettingsError(
            f"max_parents is {wanted}, which takes {taken} for {words.count(n, 'variable')}; at most {fits} fit. Or "
            "choose fewer variables.",
            setting="max_parents",
        )
    return replace(constraints, max_parents=fits)


def memory_of(constraints: Constraints, arity: np.ndarray, rows: int, max_parents: int) -> float:
    """About how many bytes the families and the sums over orders take.

    Parameters
    ----------
    constraints, arity, rows : of the table;  max_parents : most parents of a variable
    """
    size = float(memory_needed(len(arity)))
    for child, required in enumerate(constraints.required):
        free = constraints.allowed[child].copy()
        free[list(required)] = False
        always = float(arity[list(required)].prod())
        room = min(max_parents - len(required), int(free.sum()))
        blocks = np.zeros(room + 1)  # of all sets of a size together: elementary symmetric sums of the levels
        blocks[0] = always
        for levels in arity[free]:
            blocks[1:] += levels * blocks[:-1]
        many = np.array([math.comb(int(free.sum()), k) for k in range(room + 1)], dtype=float)
        size += float((many * (80 + 8 * max_parents) + 8 * np.minimum(blocks, many * rows / 2)).sum())
    largest = np.sort(arity)[::-1][: max_parents + 1].prod()
    return size if largest < _MOST_CELLS else math.inf


def posterior_of(families: Families, p_none: float, progress: Progress = silent) -> Posterior:
    """The exact average under a prior.

    Parameters
    ----------
    families : scored;  p_none : prior probability that nothing differs anywhere;  progress : told how far it is

    Returns
    -------
    `Posterior`
    """
    sets, n = families.sets, len(families.before)
    scores = families.scores + sets.log_prior()
    mixed, surprise = np.empty(len(scores)), np.empty(len(scores))
    log_same = math.log(p_none) / n
    kernels().mixed_families(
        scores, families.factor_starts, families.factors, log_same, families.blocks, mixed, surprise
    )
    average = average_orders(sets, mixed, families.before, part(progress, 0.0, 0.8))
    progress(0.8, "averaging over orders")
    none = total_worth(sets, scores + log_same, families.before) - average.total
    differs = np.add.reduceat(average.probabilities * -np.expm1(-surprise), sets.starts[:-1])
    same = np.add.reduceat(average.probabilities * np.exp(-surprise), sets.starts[:-1])
    with np.errstate(divide="ignore"):
        odds = np.log(differs) - np.log(same)
    return Posterior(
        p_none,
        np.clip(odds, -_MOST_ODDS, _MOST_ODDS),
        min(none, 0.0),
        np.zeros(n),
        np.ones(n),
        *_likeliest(sets, average.probabilities, -np.expm1(-surprise)),
        _arcs(sets, average.probabilities),
    )


# -- families ---------------------------------------------------------------------------------------------------------


def _families(
    method: GroupDifferenceSettings, groups: Groups, constraints: Constraints, progress: Progress
) -> tuple[Families, np.ndarray]:
    """All families with their blocks' factors, and (k, 2) their scores in either group alone."""
    sets = all_parent_sets(constraints)
    scores = np.empty((len(sets.sizes), 3))
    starts, factors, used = [np.zeros(1, dtype=np.int64)], [np.empty(0)], 0
    for rows, own, begins, found in _scored(method, groups, sets, progress):
        scores[rows] = own
        starts.append(begins[1:] + used)
        factors.append(found)
        used += len(found)
    kept = Families(
        sets.starts,
        sets.members,
        sets.sizes,
        scores[:, 2].copy(),
        np.concatenate(starts),
        np.concatenate(factors),
        sets.blocks(groups.pooled.arity),
        masks_before(constraints),
    )
    return kept, scores[:, :2]


def _scored(
    method: GroupDifferenceSettings, groups: Groups, sets: ParentSets, progress: Progress
) -> Iterator[tuple[slice, np.ndarray, np.ndarray, np.ndarray]]:
    """Child by child: its places among the sets, scores in the first group, the second and both, and block factors."""
    arity = groups.pooled.arity.astype(np.int64)
    codes = np.concatenate([groups.first.codes, groups.second.codes], axis=1)
    split, fewer = groups.first.n_rows, min(groups.first.n_rows, groups.second.n_rows)
    blocks = sets.blocks(arity)
    levels = arity[sets.children].tolist()
    alphas = np.array([method.score.cell_prior(*family) for family in zip(blocks.tolist(), levels, strict=True)])

    def count(child: int) -> tuple[slice, np.ndarray, np.ndarray, np.ndarray]:
        rows = sets.of(child)
        scores = np.empty((rows.stop - rows.start, 3))
        starts = np.empty(rows.stop - rows.start + 1, dtype=np.int64)
        factors = np.empty(int(np.minimum(blocks[rows], fewer).sum()))
        members, sizes = sets.members[rows], sets.sizes[rows]
        used = kernels().group_families(
            codes, split, arity, child, members, sizes, alphas[rows], scores, starts, factors
        )
        return rows, scores, starts, factors[:used].copy()

    for child in range(0, sets.n_variables, _TOGETHER):
        progress(child / sets.n_variables, "scoring parent sets in both groups")
        yield from share(count, range(child, min(child + _TOGETHER, sets.n_variables)))


def _arcs(sets: ParentSets, probabilities: np.ndarray) -> np.ndarray:
    """(n, n) probability of each arc [source, target] from those of the parent sets."""
    n, children = sets.n_variables, sets.children
    found = np.zeros((n, n))
    for place in range(sets.members.shape[1]):
        rows = sets.sizes > place
        np.add.at(found, (sets.members[rows, place], children[rows]), probabilities[rows])
    return found


def _likeliest(
    sets: ParentSets, probabilities: np.ndarray, differing: np.ndarray
) -> tuple[Parents, Parents, np.ndarray]:
    """The parents of highest posterior of each variable, those where it differs, and the probability of the first."""
    first, second, shares = [], [], []
    for child in range(sets.n_variables):
        rows = sets.of(child)
        own = probabilities[rows]
        top = _first_of(own)
        first.append(sets.parents(rows.start + top))
        second.append(sets.parents(rows.start + _first_of(own * differing[rows])))
        shares.append(float(own[top]))
    return tuple(first), tuple(second), np.array(shares)


def _first_of(values: np.ndarray) -> int:
    """The largest; of equal ones, up to rounding, the first, which has the fewest parents or those that come first."""
    return int(np.flatnonzero(values >= values.max() * (1 - 1e-9))[0])


# -- more than twenty variables ---------------------------------------------------------------------------------------


def _walked(
    method: GroupDifferenceSettings,
    groups: Groups,
    structures: tuple[Parents, ...],
    constraints: Constraints,
    progress: Progress,
) -> Average:
    """The average by walks over orders: of both groups for the differences, and of each by itself for its links."""
    n = groups.pooled.n_variables
    posterior, walk = _walk_differences(method, groups, structures, constraints, part(progress, 0.0, 0.4))
    arcs, errors = np.empty((2, n, n)), np.empty((2, n, n))
    for g in range(2):
        inner = part(progress, 0.4 + 0.3 * g, 0.7 + 0.3 * g)
        found = walk.sample(
            walk.own[:, g] + walk.sets.log_prior(), np.zeros(len(walk.own)), structures[g : g + 1], inner
        )
        by_chain = np.array([walk.back(_arcs(walk.sets, one)) for one in found.probabilities])
        arcs[g] = by_chain.mean(axis=0)
        errors[g] = _standard_error(by_chain + by_chain.transpose(0, 2, 1))
    return Average(posterior, None, arcs, errors, constraints.max_parents)


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
        self, values: np.ndarray, parts: np.ndarray, start: tuple[Parents, ...], progress: Progress
    ) -> OrderSample:
        """Walks by what the parent sets are worth, the first from an order that a network found before allows."""
        place = np.argsort(self.order)
        first = np.arange(len(place))
        if start:
            found = tuple(tuple(sorted(place[list(start[0][column])].tolist())) for column in self.order)
            before = self.constraints.before
            if before is not None:
                found = tuple(
                    tuple({*own, *np.flatnonzero(row).tolist()}) for own, row in zip(found, before, strict=True)
                )
            first = np.array(topological_order(found), dtype=np.int64)
        return sample_orders(
            self.sets,
            values,
            parts,
            self.constraints,
            self.candidates,
            first,
            steps=STEPS,
            draws=DRAWS,
            chains=CHAINS,
            seed=self.method.seed,
            progress=progress,
        )

    def back(self, table: np.ndarray) -> np.ndarray:
        """(n, n) by column."""
        place = np.argsort(self.order)
        return table[np.ix_(place, place)]


def _walk_differences(
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
    joined = [[set(place[list(one[column])].tolist()) for column in order] for one in structures]
    candidates = _candidates(method, turned, known, joined, log_same)
    sets = candidate_parent_sets(known, candidates)
    own, mixed, surprise = _mixture(method, turned, sets, log_same, part(progress, 0.0, 0.3))
    walk = _Walk(method, order, known, candidates, sets, own)
    sample = walk.sample(mixed, -np.expm1(-surprise), structures[2:3], part(progress, 0.3, 1.0))
    mean = sample.shares.mean(axis=(0, 1))
    probabilities = sample.probabilities.mean(axis=0)
    likeliest, differing, shares = _likeliest(sets, probabilities, -np.expm1(-surprise))
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

    found = Posterior(
        method.p_none,
        np.clip(odds, -_MOST_ODDS, _MOST_ODDS)[place],
        max(none, -_MOST_ODDS),
        error[place],
        r_hat[place],
        by_column(likeliest),
        by_column(differing),
        shares[place],
        walk.back(_arcs(sets, probabilities)),
    )
    return found, walk


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
    mixed = _mixture(method, groups, sets, log_same, silent)[1]
    found = []
    for child in range(n):
        rows = sets.of(child)
        required = set(constraints.required[child])
        worth = {
            x: value
            for k, value in zip(range(rows.start, rows.stop), mixed[rows].tolist(), strict=True)
            for x in set(sets.parents(k)) - required
        }
        near = {x for one in joined for x in one[child]} | {x for one in joined for x in range(n) if child in one[x]}
        found.append(sorted(sorted(worth, key=lambda x: (x not in near, -worth[x], x))[:most]))
    return found


def _mixture(
    method: GroupDifferenceSettings, groups: Groups, sets: ParentSets, log_same: float, progress: Progress
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(k, 2) scores in either group, ln w and surprise of listed families; the blocks' factors are not kept."""
    own, mixed, surprise = np.empty((len(sets.sizes), 2)), np.empty(len(sets.sizes)), np.empty(len(sets.sizes))
    blocks, prior = sets.blocks(groups.pooled.arity), sets.log_prior()
    for rows, scores, starts, factors in _scored(method, groups, sets, progress):
        own[rows] = scores[:, :2]
        both = scores[:, 2] + prior[rows]
        kernels().mixed_families(both, starts, factors, log_same, blocks[rows], mixed[rows], surprise[rows])
    return own, mixed, surprise
