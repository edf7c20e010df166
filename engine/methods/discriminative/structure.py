"""The two networks of a contrast, class against class or class against all others: parents, scores, likelihoods.

Side 1 is the class, side 0 the others, below 0 what is left out (a fold). Every family of a series is a problem by
itself, since arcs run from one step to the next and close no circle; networks over rows are climbed to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from engine.graphs.dag import Parents, ancestors
from engine.methods.discriminative.coding import Counted
from engine.methods.storing import storable
from engine.scores.dirichlet import row_scores
from engine.scores.discriminative import BoundACL, balance_weight, log_parameters, pacl_cells
from engine.scores.local import GAIN
from engine.search.constraints import Constraints
from engine.search.hill_climbing import hill_climbing

if TYPE_CHECKING:
    from engine.methods.discriminative.settings import DiscriminativeSettings


@dataclass(frozen=True, eq=False)
class Families:
    """The families of one network of a contrast, and what they are worth.

    Attributes
    ----------
    parents : of every variable
    pacl : (p,) PACL of every family, natural log
    alone : (p,) PACL of every variable without parents
    added : (p,) parameters that its parents add
    """

    parents: Parents
    pacl: np.ndarray
    alone: np.ndarray
    added: np.ndarray

    @property
    def penalised_pacl(self) -> np.ndarray:
        """(p,) PACL minus added parameters: by what the families that decide on a class are chosen."""
        return self.pacl - self.added

    @property
    def gain(self) -> np.ndarray:
        """(p,) what the parents add to PACL, less their parameters: how much a link says beyond the child's levels."""
        return self.pacl - self.alone - self.added


@dataclass(frozen=True, eq=False)
class ClassNetwork(Families):
    """One network of a contrast; `likelihoods` gives `log_likelihood`, which shuffles do not need."""

    likelihoods: Callable[[], np.ndarray]

    @cached_property
    def log_likelihood(self) -> np.ndarray:
        """(S, p) log P of every point's observations, family by family, divided by how many there are."""
        return self.likelihoods()


@dataclass(frozen=True, eq=False)
class Pair:
    """The networks of a contrast: of the others (side 0) and of the class (side 1)."""

    others: ClassNetwork
    own: ClassNetwork

    def used(self, most: int | None, *, shared: bool) -> tuple[np.ndarray, np.ndarray]:
        """(p,) flags of the families that are used, in either network: the best by `penalised_pacl`."""
        scores = (self.others.penalised_pacl, self.own.penalised_pacl)
        if shared:
            scores = (scores[0] + scores[1],) * 2
        return best(scores[0], most), best(scores[1], most)

    def summed(self, most: int | None, *, shared: bool) -> np.ndarray:
        """(S, 2) log-likelihood of every point by the families used, of the others' network and the class's."""
        used = self.used(most, shared=shared)
        both = (self.others.log_likelihood, self.own.log_likelihood)
        return np.stack([item[:, flags].sum(axis=1) for item, flags in zip(both, used, strict=True)], axis=1)


def best(scores: np.ndarray, most: int | None) -> np.ndarray:
    """(p,) flags of the largest; ties go to the first."""
    flags = np.zeros(len(scores), dtype=bool)
    flags[np.argsort(-scores, kind="stable")[:most]] = True
    return flags


def fit_pair(counted: Counted, side: np.ndarray, method: DiscriminativeSettings, known: Constraints) -> Pair:
    """Learn both networks of a contrast."""
    limits = limits_of(method, known)
    parameters = method.parameters if method.score == "acl" else "ml"
    if method.score == "acl" and not counted.slices.plain and set(limits) <= {0, 1} and not any(known.required):
        return _fast_pair(counted, side, method, known)
    if method.score in ("ccl", "ccl_single"):
        paired = method.score == "ccl"
        structures = conditional_structures(counted, side, method.eps, limits, known, paired=paired)
    elif method.score == "bde":
        others, own = (_climbed(BoundBDeu(counted, side == item, method.ess), known, limits) for item in (0, 1))
        structures = others, own
    else:
        structures = _acl_structures(counted, side, method, known, limits)
    weights = weights_of(counted, side, method)
    swapped = np.where(side >= 0, 1 - side, side)
    return Pair(
        _measured(counted, swapped, structures[0], parameters, method.eps, weights[1]),
        _measured(counted, side, structures[1], parameters, method.eps, weights[0]),
    )


def limits_of(method: DiscriminativeSettings, known: Constraints) -> tuple[int, ...]:
    """Most parents of each variable: as the settings and what is known say, and as many as it must have."""
    most = method.max_parents
    if method.knowledge.max_parents is not None:
        most = min(most, method.knowledge.max_parents)
    return tuple(max(most, len(required)) for required in known.required)


def weights_of(counted: Counted, side: np.ndarray, method: DiscriminativeSettings) -> tuple[float, float]:
    """The factors of extra counts, in the class's network and in the others'."""
    if not method.balance:
        return 1.0, 1.0
    weight = balance_weight(counted.slices.sizes(counted.group(side), 2))
    return weight, 1 / weight if weight else 1.0


def _acl_structures(
    counted: Counted, side: np.ndarray, method: DiscriminativeSettings, known: Constraints, limits: tuple[int, ...]
) -> tuple[Parents, Parents]:
    own, others = _scored_pair(counted, side, method, known)
    result = []
    for net, scored in enumerate((others, own)):
        group = counted.group(side)
        group = group if net or method.shared else np.where(group >= 0, 1 - group, group)
        bound = BoundACL(counted.slices, group, method.parameters, method.eps, method.balance, method.shared)
        result.append(_climbed(_Foreknown(bound, *scored.chosen_by), known, limits))
    return result[0], result[1]


class _Foreknown:
    """A score whose families of at most one parent are known already, all from one matrix product."""

    def __init__(self, bound: BoundACL, by_parent: np.ndarray, without: np.ndarray) -> None:
        """`by_parent` (p, p) parent and child, `without` (p,)."""
        self.bound, self.by_parent, self.without = bound, by_parent, without
        self.slices, self.n_variables = bound.slices, bound.n_variables

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        """Natural-log score of one family."""
        if len(parents) > 1:
            return self.bound.local(child, parents)
        return float(self.by_parent[parents[0], child] if parents else self.without[child])

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        """(p,) scores of `parents + (x,)` for every x; -inf where x is in the family, or not asked about."""
        if parents:
            return self.bound.additions(child, parents, among)
        result = self.by_parent[:, child] if among is None else np.where(among, self.by_parent[:, child], -np.inf)
        if self.slices.plain:
            result = result.copy()
            result[child] = -np.inf
        return result


def _climbed(bound: _Foreknown | BoundBDeu, known: Constraints, limits: tuple[int, ...]) -> Parents:
    """The parents of all variables: by hill climbing over rows, family by family over series."""
    if bound.slices.plain:
        return hill_climbing(_Limited(bound, limits), replace(known, max_parents=max(limits)), tabu=0)
    return tuple(_greedy(bound, child, known, limits[child]) for child in range(bound.n_variables))


class _Limited:
    """A score that offers a variable no more parents than it may have; searches know one limit for all."""

    def __init__(self, bound: _Foreknown | BoundBDeu, limits: tuple[int, ...]) -> None:
        self.bound, self.limits, self.n_variables = bound, limits, bound.n_variables
        self.local = bound.local

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        """(p,) scores of `parents + (x,)` for every x; -inf where the family is full."""
        if len(parents) >= self.limits[child]:
            return np.full(self.n_variables, -np.inf)
        return self.bound.additions(child, parents, among)


def _greedy(bound: _Foreknown | BoundBDeu, child: int, known: Constraints, limit: int) -> tuple[int, ...]:
    """Parents of one variable of a series: the best one more, while one helps; no parent competes."""
    parents = known.required[child]
    now = bound.local(child, parents)
    while len(parents) < limit:
        scores = np.where(known.allowed[child], bound.additions(child, parents), -np.inf)
        x = int(scores.argmax())
        if not scores[x] > now + GAIN * max(1.0, abs(now)):
            break
        parents, now = tuple(sorted((*parents, x))), float(scores[x])
    return parents


def _measured(
    counted: Counted, side: np.ndarray, parents: Parents, parameters: str, eps: float, weight: float
) -> ClassNetwork:
    """A network with what its families are worth and how likely they make every point."""
    p = len(parents)
    pacl, alone, added = np.zeros(p), np.zeros(p), np.zeros(p)
    tables = []
    for child in range(p):
        extra, intra = counted.family(child, parents[child], side)
        theta = log_parameters(intra, weight * extra, parameters, eps)
        pacl[child] = float(((intra - weight * extra) * theta).sum())
        alone[child] = pacl_cells(intra.sum(axis=0), weight * extra.sum(axis=0), parameters, eps).sum()
        added[child] = (len(theta) - 1) * (theta.shape[1] - 1)
        tables.append(theta)

    def likelihoods() -> np.ndarray:
        result = [counted.log_likelihood(child, parents[child], tables[child]) for child in range(p)]
        return np.stack(result, axis=1) / np.maximum(counted.lengths, 1)[:, None]

    return ClassNetwork(parents, pacl, alone, added, likelihoods)


# -- one parent at most, of series: all families of both networks at once ---------------------------------------------


def _fast_pair(counted: Counted, side: np.ndarray, method: DiscriminativeSettings, known: Constraints) -> Pair:
    own, others = _scored_pair(counted, side, method, known)
    return Pair(others.network(known), own.network(known))


def _scored_pair(
    counted: Counted, side: np.ndarray, method: DiscriminativeSettings, known: Constraints
) -> tuple[_Scored, _Scored]:
    """All small families of the class's network, and of the others'."""
    counts = counted.pairs(side)
    weights = weights_of(counted, side, method)
    own = _Scored(counted, counts, weights[0], method, known)
    others = _Scored(counted, counts[::-1], weights[1], method, known)
    if method.shared:
        own.chosen_by = others.chosen_by = [a + b for a, b in zip(own.scores, others.scores, strict=True)]
    return own, others


class _Scored:
    """Every family of at most one parent of one network: (R, R) cells, then (p, p) scores of parent and child."""

    def __init__(
        self, counted: Counted, counts: np.ndarray, weight: float, method: DiscriminativeSettings, known: Constraints
    ) -> None:
        self.counted, self.most = counted, np.array(limits_of(method, known))
        self.starts = counted.slices.starts[:-1]
        extra, intra = counts
        alone = slice(0, int(counted.slices.arity[0]))  # any variable's rows sum to the child's own counts
        self.theta, by_row = self._table(intra, weight * extra, method)
        self.theta_alone, without = self._table(intra[alone].sum(axis=0), weight * extra[alone].sum(axis=0), method)
        self.scores = self.chosen_by = [np.add.reduceat(by_row, self.starts, axis=0), without]

    def _table(
        self, intra: np.ndarray, extra: np.ndarray, method: DiscriminativeSettings
    ) -> tuple[np.ndarray, np.ndarray]:
        """log theta of every cell, and PACL summed over each child's levels."""
        theta = log_parameters(intra, extra, method.parameters, method.eps, self.starts)
        return theta, np.add.reduceat((intra - extra) * theta, self.starts, axis=-1)

    def network(self, known: Constraints) -> ClassNetwork:
        """The best parent of each child by the scores that choose, or none where none is better."""
        scores = self.chosen_by
        by_parent = np.where(known.allowed.T, scores[0], -np.inf)
        chosen = by_parent.argmax(axis=0)
        children = np.arange(len(chosen))
        better = by_parent[chosen, children] > scores[1] + GAIN * np.maximum(1.0, np.abs(scores[1]))
        has = better & (self.most > 0)
        arity = self.counted.slices.arity
        return ClassNetwork(
            tuple((int(x),) if there else () for x, there in zip(chosen, has, strict=True)),
            np.where(has, self.scores[0][chosen, children], self.scores[1]),
            self.scores[1],
            np.where(has, (arity[chosen] - 1) * (arity - 1), 0).astype(float),
            lambda: self._likelihood(np.where(has, chosen, 0), has),
        )

    def _likelihood(self, parent: np.ndarray, has: np.ndarray) -> np.ndarray:
        """(S, p) mean log-likelihoods; a child without a parent has the first variable's rows, all alike."""
        arity, total = self.counted.slices.arity, len(self.theta)
        variable = np.repeat(np.arange(len(arity)), arity)
        column, row = np.nonzero(variable == parent[variable][:, None])  # child by child, since columns rise
        theta = np.where(has[variable[column]], self.theta[row, column], self.theta_alone[column])
        seen = self.counted.by_point[:, row * total + column] * theta
        first = np.concatenate([[0], np.cumsum(arity[parent] * arity)[:-1]])
        return np.add.reduceat(seen, first, axis=1) / np.maximum(self.counted.lengths, 1)[:, None]


# -- networks of each class's own data --------------------------------------------------------------------------------


class BoundBDeu:
    """BDeu of one class's observations by themselves; see `engine.BDeu`. The other class is not looked at."""

    def __init__(self, counted: Counted, taken: np.ndarray, ess: float) -> None:
        """`taken` (S,) flags the points of the class."""
        self.slices, self.ess = counted.slices, ess
        self.group = counted.group(np.where(taken, 0, -1))
        self.n_variables = self.slices.n_variables

    def local(self, child: int, parents: tuple[int, ...]) -> float:
        """Natural-log score of one family."""
        counts = self.slices.family(child, parents, self.group, 1)[0]
        return float(row_scores(counts, np.full(len(counts), self.ess / counts.size)).sum())

    def additions(self, child: int, parents: tuple[int, ...], among: np.ndarray | None = None) -> np.ndarray:
        """(p,) scores of `parents + (x,)` for every x; -inf where x is in the family, or not asked about."""
        counts = self.slices.additions(child, parents, self.group, 1)[0]
        q, _, r = counts.shape
        alpha = self.ess / (q * r * np.repeat(self.slices.arity, self.slices.arity))
        result = np.add.reduceat(row_scores(counts, alpha).sum(axis=0), self.slices.starts[:-1])
        wanted = np.ones(self.n_variables, dtype=bool) if among is None else among.copy()
        wanted[list(parents)] = False
        if self.slices.plain:
            wanted[child] = False
        return np.where(wanted, result, -np.inf)


@storable
@dataclass(frozen=True, eq=False)
class LearnedNetwork(Families):
    """One network: of a class, or of all others together.

    Attributes
    ----------
    parents : of every variable, by position
    pacl : (p,) PACL of every family
    alone : (p,) PACL of every variable without parents
    added : (p,) parameters that its parents add
    used : (p,) which families are used to tell
    counts : of every family (2, q, r): of the data that the network is not of, and of those that it is of
    weight : what the former are multiplied by
    effects : (p, 5) largest difference of a share, its interval, configuration and level; see `effect_of`
    shifts : (p, m, 2, 3) how far each parent shifts its child, with the interval, in the data that the network is not
        of and in those that it is of; not numbers behind the last parent; see `shifts_of`
    """

    used: np.ndarray
    counts: tuple[np.ndarray, ...]
    weight: float
    effects: np.ndarray
    shifts: np.ndarray

    def log_theta(self, child: int, parameters: str, eps: float) -> np.ndarray:
        """(q, r) log probabilities of a child's levels by configuration of its parents."""
        extra, intra = self.counts[child]
        return log_parameters(intra, self.weight * extra, parameters, eps)


@storable
@dataclass(frozen=True, eq=False)
class Learned:
    """A class against the others.

    Attributes
    ----------
    others, own : the two networks
    boundary : c1, c2, c3 of c1 + c2 l(own) + c3 l(others), which is above 0 for the class
    usual : (p,) what each family pushes a point half-way between the classes, which every push is told beside
    """

    others: LearnedNetwork
    own: LearnedNetwork
    boundary: np.ndarray
    usual: np.ndarray

    @property
    def networks(self) -> tuple[LearnedNetwork, LearnedNetwork]:
        """Others first."""
        return self.others, self.own


def log_ccl(own: np.ndarray, others: np.ndarray, side: np.ndarray) -> float:
    """Natural log of CCL: the sum over points of log P(own network) - log(sum of both), classes equally likely."""
    gap = np.where(side == 1, own - others, others - own)[side >= 0]
    return -float(np.logaddexp(0.0, -gap).sum())


def conditional_structures(
    counted: Counted, side: np.ndarray, eps: float, limits: Sequence[int], known: Constraints, *, paired: bool
) -> tuple[Parents, Parents]:
    """The parents in the network of the others and in that of the class."""
    state = _State(counted, side, eps, limits, known)
    while state.step(paired=paired):
        pass
    return state.parents[0], state.parents[1]


class _State:
    """Both networks on their way, and what every addition would change at every training point."""

    def __init__(
        self, counted: Counted, side: np.ndarray, eps: float, limits: Sequence[int], known: Constraints
    ) -> None:
        self.counted, self.side, self.eps, self.limits, self.known = counted, side, eps, limits, known
        self.inside = np.flatnonzero(side >= 0)
        self.sign = np.where(side[self.inside] == 1, 1.0, -1.0)
        p = counted.slices.n_variables
        self.parents: list[Parents] = [tuple(known.required), tuple(known.required)]
        self.now = np.zeros((2, len(self.inside), p))
        self.change = np.zeros((2, p, p, len(self.inside)))  # network, child, parent added, point
        self.both: np.ndarray | None = None  # what a link to both networks changes
        self.open = np.zeros((2, p, p), dtype=bool)
        for net in (0, 1):
            if counted.slices.plain or any(known.required) or min(limits) < 1:
                for child in range(p):
                    self._refresh(net, child)
            else:
                self._begin(net)

    def _begin(self, net: int) -> None:
        """The same as `_refresh` of every child of a series, all pairs at once."""
        starts = self.counted.slices.starts[:-1]
        counts = self.counted.pairs(self.side)[net]
        alone = counts[: self.counted.slices.arity[0]].sum(axis=0)
        theta = log_parameters(counts, np.zeros_like(counts), "ml", self.eps, starts)
        without = log_parameters(alone, np.zeros_like(alone), "ml", self.eps, starts)
        tables = self.counted.by_point.reshape(-1, *counts.shape)
        for at, point in enumerate(self.inside.tolist()):  # one after the other stays inside the cache
            by_row = np.add.reduceat(tables[point] * theta, starts, axis=1)
            none = tables[point, : self.counted.slices.arity[0]].sum(axis=0) * without
            self.now[net, at] = np.add.reduceat(none, starts)
            self.change[net, :, :, at] = np.add.reduceat(by_row, starts, axis=0).T
        self.change[net] -= self.now[net].T[:, None]
        self.open[net] = self.known.allowed

    def _refresh(self, net: int, child: int) -> None:
        """The log-likelihood of a child's family now, and with any one parent more."""
        parents = self.parents[net][child]
        self.now[net, :, child] = self._says(net, child, parents)
        self.open[net, child] = False
        if len(parents) >= self.limits[child]:
            return
        above = ancestors(self.parents[net]) if self.counted.slices.plain else (0,) * len(self.known.allowed)
        for x in np.flatnonzero(self.known.allowed[child]).tolist():
            if x not in parents and not above[x] >> child & 1:  # or an arc would close a circle
                self.open[net, child, x] = True
                more = self._says(net, child, tuple(sorted((*parents, x))))
                self.change[net, child, x] = more - self.now[net, :, child]

    def _says(self, net: int, child: int, parents: tuple[int, ...]) -> np.ndarray:
        """(training points,) log-likelihood of a family with the parameters of its own side."""
        counts = self.counted.family(child, parents, self.side)[net]
        theta = log_parameters(counts, np.zeros_like(counts), "ml", self.eps)
        return self.counted.log_likelihood(child, parents, theta)[self.inside]

    def step(self, *, paired: bool) -> bool:
        """Make the best move, if one raises CCL."""
        gap = self.sign * (self.now[1] - self.now[0]).sum(axis=1)
        value = -float(np.logaddexp(0.0, -gap).sum())
        if paired:
            if self.both is None:
                self.both = self.change[1] - self.change[0]
            result = self._after(gap, self.both, self.open[0] & self.open[1])[None]
        else:
            changes = zip((-self.change[0], self.change[1]), self.open, strict=True)
            result = np.stack([self._after(gap, change, free) for change, free in changes])
        at = np.unravel_index(int(result.argmax()), result.shape)
        if not result[at] > value + GAIN * max(1.0, abs(value)):
            return False
        child, x = int(at[1]), int(at[2])
        for net in (0, 1) if paired else (int(at[0]),):
            families = list(self.parents[net])
            families[child] = tuple(sorted((*families[child], x)))
            self.parents[net] = tuple(families)
            self._refresh(net, child)
            if self.both is not None:
                self.both[child] = self.change[1, child] - self.change[0, child]
            if self.counted.slices.plain:
                self._close(net)
        return True

    def _after(self, gap: np.ndarray, change: np.ndarray, allowed: np.ndarray) -> np.ndarray:
        """(p, p) log CCL after each move; -inf where it may not be made."""
        result = np.full(allowed.shape, -np.inf)
        result[allowed] = -np.logaddexp(0.0, -(gap + self.sign * change[allowed])).sum(axis=-1)
        return result

    def _close(self, net: int) -> None:
        """Moves that would now close a circle are made no more."""
        above = ancestors(self.parents[net])
        for child, x in np.argwhere(self.open[net]).tolist():
            if above[x] >> child & 1:
                self.open[net, child, x] = False
