"""Order MCMC: a walk over orders of the variables, each worth what the parent sets it allows are worth.

Friedman & Koller 2003; the restricted parent sets with one free parent, and their growth, after Kuipers, Suter & Moffa
2022 (as in BiDAG). A variable's *candidates* are those it touches in a PC-stable skeleton; where there are few
variables, all. Its parents are any of the candidates that come before it in the order, and at most one other variable.
A step moves two neighbours, any two variables, or one variable to a place drawn from all places by their worth.

To find the best DAG an order is worth its best DAG, a walk begins hot and cools down, and what it found is climbed from
(the one step that is not tied to the candidates). The candidates then grow by what the best DAG joins, or where that is
nothing new by those that come nearest to being a parent, and the walk is done again until neither gains anything. The
best DAG ever scored is the answer, whenever it was met.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.counting.backend import kernels
from engine.errors import SettingsError, check_number
from engine.execution import Progress, part
from engine.graphs.dag import Parents, bits, children_masks, mask_of, topological_order
from engine.scores.local import GAIN
from engine.search.constraint import skeleton
from engine.search.hill_climbing import hill_climbing
from engine.search.independence import bound_test
from engine.search.orders.tables import FamilyTables, Space, best_dag, most_candidates, space
from engine.search.problem import Problem, Structure, check_whole_numbers

_ALL_CANDIDATES = 8
"""With so many others at most, every one is a candidate."""
_TESTS_OF_A_PAIR = 50.0
"""Tests given sets of one size, on average: rows drawn with replacement take part of nothing for independent."""
_ROUNDS = 10
"""Most walks of a chain."""
_WIDER = 4
"""How many candidates a variable gets at once when the DAG itself asks for none."""
_HEAT = 20.0
"""How freely a walk for the best DAG begins: it climbs out of what it met first."""
_CHUNK = 5000  # steps between two looks at whether to go on


@dataclass(frozen=True)
class OrderMCMC:
    """Order MCMC, as a value: for every decomposable score, and up to a hundred variables and more.

    Parameters
    ----------
    steps : of every walk, from 1 up
    chains : walks from different orders, from 1 up
    seed : equal seeds give equal bits
    alpha : of the PC-stable skeleton that the candidates come from, between 0 and 1
    candidates : most candidates of a variable, from 1 to 16; fewer where memory asks for it. Those that score best

    Raises
    ------
    SettingsError : a number that cannot be

    Examples
    --------
    >>> data = engine.Dataset.from_codes([[0, 0, 1, 1] * 9, [0, 0, 1, 1] * 9], [2, 2], ["a", "b"])
    >>> engine.learn(data, search=engine.OrderMCMC(steps=100)).number_of_edges()
    1
    """

    steps: int = 25_000
    chains: int = 2
    seed: int = 0
    alpha: float = 0.05
    candidates: int = 12

    def __post_init__(self) -> None:
        check_whole_numbers(self, steps=1, chains=1, seed=0, candidates=1)
        if self.candidates > 16:
            raise SettingsError(
                f"candidates is {self.candidates}; more than 16 would make too many parent sets.", setting="candidates"
            )
        check_number("alpha", self.alpha, above=0, below=1)

    def find(self, problem: Problem) -> Structure:
        """The best DAG met.

        Parameters
        ----------
        problem : data, score and knowledge

        Returns
        -------
        `Structure` with a DAG
        """
        return problem.dag(explore(self, problem, problem.progress).parents)


@dataclass(frozen=True, eq=False)
class Explored:
    """The outcome of the search for the best DAG.

    Attributes
    ----------
    total, parents : of the best DAG met, variables in the order of priority
    order : (p,) one that allows it
    families : the tables of the candidates at the end
    """

    total: float
    parents: Parents
    order: np.ndarray
    families: list[FamilyTables]


def explore(search: OrderMCMC, problem: Problem, progress: Progress) -> Explored:
    """Walk, let the candidates grow by what the best DAG joins, and again until that gains nothing."""
    bound, allowed = problem.bound, problem.allowed
    if bound.n_variables == 0:
        return Explored(0.0, (), np.empty(0, np.int64), [])
    families = _first_families(search, problem, part(progress, 0.0, 0.1))
    generators = [np.random.default_rng(item) for item in np.random.SeedSequence(search.seed).spawn(search.chains)]
    orders = [random_order(allowed.required, generator) for generator in generators]
    best: Explored | None = None
    widened = False
    for number in range(_ROUNDS):
        done = 1 - 0.9 * 0.5**number  # nobody knows how many rounds there will be: each is half of what is left
        standing = part(progress, done, done)
        result = _round(search, families, orders, generators, standing, f"pass {number + 1}")
        result = _climbed(result, problem, standing)
        rose = best is None or result.total > best.total + GAIN * max(1.0, abs(best.total))
        if best is None or rose:
            best, widened = result, False
            orders[0] = best.order.copy()
            if _grow(search, problem, families, best.parents):
                continue
        if widened or not _widen(search, families):
            break
        widened = True
    if best is None:
        raise RuntimeError("a search without a round")
    return Explored(best.total, best.parents, best.order, families)


def walk(
    tables: Space,
    order: np.ndarray,
    generator: np.random.Generator,
    steps: int,
    progress: Progress,
    words: str,
    *,
    heat: float = 1.0,
    every: int = 0,
) -> Walk:
    """Walk over orders from one of them."""
    p = len(order)
    best, best_order, swaps = -np.inf, order.copy(), 0
    totals, shares = np.empty(steps), np.zeros((p, p))
    heats = np.maximum(heat ** (1 - 2 * np.arange(steps) / steps), 1.0)
    for first in range(0, steps, _CHUNK):
        progress(first / steps, f"{words}: step {first:,} of {steps:,}")
        draws = generator.random((min(_CHUNK, steps - first), 4))
        stride = every or _CHUNK
        for begin in range(0, len(draws), stride):
            own = draws[begin : begin + stride]
            here = slice(first + begin, first + begin + len(own))
            best, done = kernels().order_walk(*tables, order, best_order, best, own, heats[here], totals[here])
            swaps += int(done)
            if len(own) == every:
                kernels().order_shares(*tables, order, shares)
    return Walk(best_order, totals, shares / max(steps // every, 1) if every else shares, swaps / steps)


@dataclass(frozen=True, eq=False)
class Walk:
    """The outcome of a walk.

    Attributes
    ----------
    best_order : (p,)
    totals : (steps,) worth of the order after every step, natural logarithm
    shares : (p, p) mean probability of the arcs [source, target]
    swaps : share of the steps that were swaps, and accepted
    """

    best_order: np.ndarray
    totals: np.ndarray
    shares: np.ndarray
    swaps: float


def random_order(earlier: Parents, generator: np.random.Generator) -> np.ndarray:
    """A random order in which each variable stands behind those that must come earlier."""
    ranks = generator.permutation(len(earlier)).tolist()
    return np.array(topological_order(earlier, ranks), dtype=np.int64)


def _round(
    search: OrderMCMC,
    families: list[FamilyTables],
    orders: list[np.ndarray],
    generators: list[np.random.Generator],
    progress: Progress,
    words: str,
) -> Explored:
    """One walk of every chain; the orders are left where they end."""
    tables = space((family.tables() for family in families), summing=False)
    best: Explored | None = None
    for chain, (order, generator) in enumerate(zip(orders, generators, strict=True)):
        share = part(progress, chain / len(orders), (chain + 1) / len(orders))
        text = f"sampling orders of the variables, {words}, chain {chain + 1}"
        walked = walk(tables, order, generator, search.steps, share, text, heat=_HEAT)
        total, parents = best_dag(families, walked.best_order)
        if best is None or total > best.total + GAIN * max(1.0, abs(best.total)):
            best = Explored(total, parents, walked.best_order, families)
    if best is None:
        raise RuntimeError("a round without a chain")
    return best


def _climbed(explored: Explored, problem: Problem, progress: Progress) -> Explored:
    """Climb from a DAG, with arcs too that the candidates do not have."""
    bound = problem.bound
    parents = hill_climbing(bound, problem.allowed, progress, start=explored.parents)
    old, after = (sum(bound.local(i, group) for i, group in enumerate(each)) for each in (explored.parents, parents))
    if after <= old + GAIN * max(1.0, abs(old)):
        return explored
    return Explored(after, parents, np.array(topological_order(parents), dtype=np.int64), explored.families)


def _first_families(search: OrderMCMC, problem: Problem, progress: Progress) -> list[FamilyTables]:
    """The tables of the candidates to begin with: all variables where they are few, else what a PC skeleton joins."""
    bound, allowed = problem.bound, problem.allowed
    p = bound.n_variables
    if p - 1 <= min(_ALL_CANDIDATES, search.candidates):
        near = [(1 << p) - 1] * p
    else:
        names = problem.data.names
        test = bound_test("auto", problem.data.select(names[i] for i in problem.order), bound)
        most = _TESTS_OF_A_PAIR * p**2
        near = list(skeleton(test, allowed, search.alpha, part(progress, 0.0, 0.5), most).adjacent)
    result = []
    for child in range(p):
        progress(0.5 + 0.5 * child / p, f"scoring parent sets: variable {child + 1} of {p}")
        wanted = [x for x in bits(near[child]) if allowed.allowed[child, x] and x not in allowed.required[child]]
        result.append(FamilyTables(bound, allowed, child, _chosen(search, problem, child, wanted)))
    return result


def _grow(search: OrderMCMC, problem: Problem, families: list[FamilyTables], parents: Parents) -> bool:
    """Let the candidates grow by what the DAG joins; whether there was anything to add."""
    children = children_masks(parents)
    grown = False
    most = most_candidates(len(families), search.candidates)
    for child, family in enumerate(families):
        near = mask_of(parents[child]) | children[child]
        fresh = [x for x in bits(near) if x in family.outside()]
        if not fresh:
            continue
        if len(family.candidates) + len(fresh) <= most:
            for x in fresh:
                family.widen(x)
            grown = True
            continue
        wanted = _chosen(search, problem, child, [*family.candidates, *fresh], parents[child])
        if set(wanted) != set(family.candidates):
            families[child] = FamilyTables(problem.bound, problem.allowed, child, wanted)
            grown = True
    return grown


def _widen(search: OrderMCMC, families: list[FamilyTables]) -> bool:
    """Let the candidates grow by those that come nearest to being a parent beside some of them; whether there are any.

    A cause that only shows beside others is found neither by the tests nor by a walk with one from outside.
    """
    most = most_candidates(len(families), search.candidates)
    grown = False
    for family in families:
        free = family.outside()
        near = free[np.argsort(-family.wider[:, free].max(axis=0), kind="stable")]
        for x in near[: max(min(_WIDER, most - len(family.candidates)), 0)].tolist():
            family.widen(x)
            grown = True
    return grown


def _chosen(
    search: OrderMCMC, problem: Problem, child: int, wanted: list[int], first: tuple[int, ...] = ()
) -> list[int]:
    """As many of the wanted candidates as may be: those of `first`, then those that score best on their own."""
    most = most_candidates(problem.data.n_variables, search.candidates)
    if len(wanted) <= most:
        return wanted
    gains = problem.bound.additions(child, problem.allowed.required[child])
    ranked = sorted(wanted, key=lambda x: (x not in first, -gains[x], x))
    return sorted(ranked[:most])
