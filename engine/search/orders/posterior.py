"""How probable every arc is, by order MCMC: averages over the orders that a walk meets.

Friedman & Koller 2003. An order is worth the sum over all DAGs that it allows, so the probability of an arc given the
order is exact, and only orders are drawn. **The prior is over orders: a DAG counts once for every order that allows
it**, which favours DAGs with many orders, such as those with few arcs or with all arcs out of one variable.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from engine import execution
from engine.data.dataset import Dataset, as_dataset
from engine.errors import SettingsError
from engine.execution import Progress, part, silent
from engine.lazy import pd
from engine.scores.dirichlet import BDeu
from engine.scores.local import LocalScore
from engine.search.knowledge import Knowledge
from engine.search.learn import as_score, problem_of
from engine.search.orders.mcmc import OrderMCMC, Walk, explore, random_order, walk
from engine.search.orders.tables import Space, space
from engine.search.problem import Problem, Structure

_SOME = 4
"""One variable in so many is moved between two orders whose arcs are added up: orders next door tell little more."""
_WARMING = 5
"""A walk's first part, not counted: one step for so many that are."""


@dataclass(frozen=True, eq=False)
class OrderPosterior:
    """Arc probabilities from several walks, by position in the data.

    Attributes
    ----------
    by_chain : (chains, p, p) probability of each arc [chain, source, target]
    log_scores : (chains, steps) natural logarithm of the orders' worth after each step
    swaps : (chains,) share of the steps that were swaps, and accepted
    structure : the best DAG that the search met beforehand
    """

    by_chain: np.ndarray
    log_scores: np.ndarray
    swaps: np.ndarray
    structure: Structure

    @property
    def probabilities(self) -> np.ndarray:
        """(p, p) probability of each arc [source, target], the mean of the chains."""
        return np.asarray(self.by_chain.mean(axis=0))

    @property
    def largest_difference(self) -> float:
        """The largest difference between two chains in the probability of an arc; 0 with one chain."""
        return float(np.ptp(self.by_chain, axis=0).max(initial=0.0))

    @property
    def r_hat(self) -> float:
        """Split R-hat of the orders' worth (Gelman et al. 2013); near 1 where the chains agree."""
        return split_r_hat(self.log_scores)


@dataclass(frozen=True, eq=False)
class EdgePosteriors:
    """Arc probabilities as a table, and how far the chains agree.

    Attributes
    ----------
    table : a row for each ordered pair: source, target, probability, and the lowest and highest of the chains (low,
        high); the most probable first
    largest_difference : between two chains in the probability of an arc
    r_hat : split R-hat of the orders' worth; above about 1.05 the walks should be longer
    posterior : the numbers behind, by position
    """

    table: pd.DataFrame
    largest_difference: float
    r_hat: float
    posterior: OrderPosterior


def edge_posteriors(
    data: Dataset,
    score: LocalScore | None = None,
    search: OrderMCMC | None = None,
    *,
    knowledge: Knowledge | None = None,
    jobs: int = 1,
    progress: Progress = silent,
) -> EdgePosteriors:
    """The probability of every arc given the data, averaged over orders of the variables (Friedman & Koller 2003).

    Each DAG counts once for every order that allows it. Parents are drawn from the candidates that the search for the
    best DAG ends with and at most one other variable; with nine variables or fewer from all.

    Parameters
    ----------
    data : the rows that are explained
    score : BDeu() where None; every decomposable score serves
    search : OrderMCMC(chains=4) where None; its chains, steps and seed
    knowledge : what is known of the arcs
    jobs : workers on this machine; equal bits whatever their number
    progress : called with a fraction from 0 to 1 and words

    Returns
    -------
    `EdgePosteriors`

    Raises
    ------
    SettingsError : search is no OrderMCMC, score is no score, or the knowledge contradicts itself
    DataError : something else than a data set

    Examples
    --------
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 0, 1, 1] * 9], [2, 2], ["a", "b"])
    >>> engine.edge_posteriors(data, search=engine.OrderMCMC(steps=2000)).table["probability"].sum().round(3)
    np.float64(1.0)
    """
    data = as_dataset(data, "engine.edge_posteriors(data, ...)")
    searching = OrderMCMC(chains=4) if search is None else search
    if not isinstance(searching, OrderMCMC):
        raise SettingsError(f"search is {search!r}; give a value such as engine.OrderMCMC(chains=4).", setting="search")
    chosen = BDeu() if score is None else as_score(score)
    problem = problem_of(data, chosen, knowledge or Knowledge(), progress)
    result = posterior(searching, problem, jobs=jobs)
    low, high = result.by_chain.min(axis=0), result.by_chain.max(axis=0)
    pairs = [(a, b) for a in problem.order for b in problem.order if a != b]
    rows = [
        (data.names[a], data.names[b], result.probabilities[a, b], low[a, b], high[a, b])
        for a, b in sorted(pairs, key=lambda pair: -result.probabilities[pair])
    ]
    table = pd.DataFrame(rows, columns=["source", "target", "probability", "low", "high"])
    return EdgePosteriors(table, result.largest_difference, result.r_hat, result)


def posterior(search: OrderMCMC, problem: Problem, *, jobs: int = 1) -> OrderPosterior:
    """The probability of every arc, from walks over orders.

    The first chain begins with the best order that the search met, the others at random; a fifth as many steps as asked
    for go before those that count.
    """
    progress = problem.progress
    explored = explore(search, problem, part(progress, 0.0, 0.5))
    p = len(explored.parents)
    tables = space((family.tables() for family in explored.families), summing=True)
    seeds = np.random.SeedSequence([search.seed, 1]).spawn(search.chains)
    generators = [np.random.default_rng(seed) for seed in seeds]
    orders = [explored.order, *(random_order(problem.allowed.required, generator) for generator in generators[1:])]
    task, starts = partial(_chain, tables, search.steps), list(zip(orders, generators, strict=True))
    words = "sampling orders of the variables, chains"
    walks = execution.map(task, starts, jobs=jobs, progress=part(progress, 0.5, 1.0), words=words)
    back = np.argsort(problem.order) if p else np.empty(0, dtype=np.int64)
    return OrderPosterior(
        np.array([walk.shares[np.ix_(back, back)] for walk in walks]),
        np.array([walk.totals for walk in walks]),
        np.array([walk.swaps for walk in walks]),
        problem.dag(explored.parents),
    )


def _chain(tables: Space, steps: int, start: tuple[np.ndarray, np.random.Generator]) -> Walk:
    order, generator = start
    order = order.copy()
    walk(tables, order, generator, max(steps // _WARMING, 1), silent, "")
    return walk(tables, order, generator, steps, silent, "", every=min(max(len(order) // _SOME, 1), steps))


def split_r_hat(values: np.ndarray) -> float:
    """R-hat of chains cut in halves: the root of (variance between and within) over (variance within).

    Examples
    --------
    >>> round(split_r_hat(np.array([[0.0, 1.0] * 50, [3.0, 4.0] * 50])), 2)
    3.57
    """
    half = values.shape[1] // 2
    if half < 2:
        return float("nan")
    halves = np.concatenate([values[:, :half], values[:, values.shape[1] - half :]])
    within = float(halves.var(axis=1, ddof=1).mean())
    between = float(halves.mean(axis=1).var(ddof=1))
    if within == 0:
        return 1.0 if between == 0 else float("inf")
    return float(np.sqrt((half - 1) / half + between / within))
