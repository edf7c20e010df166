"""What an average over orders says of every variable: P(differs), its likeliest parents, and P(link)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from engine.counting import kernels
from engine.execution import Progress, part, silent
from engine.graphs.dag import Parents
from engine.methods.fitting import check_positions, check_shape, check_that
from engine.methods.group_difference.families import Families
from engine.methods.group_difference.odds import probability
from engine.methods.storing import storable
from engine.search.orders.average import average_orders, total_worth
from engine.search.orders.parent_sets import ParentSets

MOST_ODDS = 700.0
"""ln odds end here: beyond, a probability of 1 or 0 is all that a double knows."""


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
    """P(a variable differs) before the data are seen: 1 - p_none^(1/n)."""
    return -math.expm1(math.log(p_none) / max(variables, 1))


def posterior_of(families: Families, p_none: float, progress: Progress = silent) -> Posterior:
    """The exact average under a prior."""
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
        np.clip(odds, -MOST_ODDS, MOST_ODDS),
        min(none, 0.0),
        np.zeros(n),
        np.ones(n),
        *likeliest_of(sets, average.probabilities, -np.expm1(-surprise)),
        arcs_of(sets, average.probabilities),
    )


def arcs_of(sets: ParentSets, probabilities: np.ndarray) -> np.ndarray:
    """(n, n) probability of each arc [source, target] from those of the parent sets."""
    n, children = sets.n_variables, sets.children
    result = np.zeros((n, n))
    for place in range(sets.members.shape[1]):
        rows = sets.sizes > place
        np.add.at(result, (sets.members[rows, place], children[rows]), probabilities[rows])
    return result


def likeliest_of(
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
