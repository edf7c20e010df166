"""How probable every parent set is where orders are too many to sum over: averages over the orders that walks meet.

The walk is that of `engine.search.orders.mcmc`; of every so many steps the order is taken, and under an order the
parent sets' probabilities are exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.counting.backend import kernels
from engine.execution import Progress, part, share, silent
from engine.search.constraints import Constraints
from engine.search.orders.mcmc import random_order, walk
from engine.search.orders.parent_sets import ParentSets
from engine.search.orders.tables import Space, Tables, space

DRAWS, STEPS = 200, 50_000
"""Orders taken of a walk, and its steps."""
_WARMING = 4
"""A walk's first part, not counted: one step for so many that are."""
_HEAT = 20.0
"""How freely that part begins: walks that start in the same valley tell nothing of others."""


@dataclass(frozen=True, eq=False)
class OrderSample:
    """Orders that several walks met, and what parent sets are worth under them.

    Attributes
    ----------
    probabilities : (chains, k) of every parent set, means over a walk's orders
    shares : (chains, t, n) mean of `parts` over the parent sets of each variable, under each order
    totals : (chains, t) ln of the worth of each order
    """

    probabilities: np.ndarray
    shares: np.ndarray
    totals: np.ndarray


def sample_orders(
    sets: ParentSets,
    values: np.ndarray,
    parts: np.ndarray,
    constraints: Constraints,
    candidates: Sequence[Sequence[int]],
    start: np.ndarray,
    chains: int,
    seed: int,
    progress: Progress,
) -> OrderSample:
    """Walk over orders, and weigh the parent sets under those that are met."""
    n = sets.n_variables
    if _only_order(constraints) is not None:
        only = np.array([[_only_order(constraints)]])
        return OrderSample(*_weighed(sets, values, parts, only))
    tables = _space(sets, values, constraints, candidates)
    generators = [np.random.default_rng(item) for item in np.random.SeedSequence([seed, n]).spawn(chains)]
    orders = [start.copy(), *(random_order(_earlier(constraints), generator) for generator in generators[1:])]
    every = max(STEPS // DRAWS, 1)
    taken = np.empty((chains, DRAWS, n), dtype=np.int64)

    def warm(chain: int) -> None:
        walk(tables, orders[chain], generators[chain], max(STEPS // _WARMING, 1), silent, "", heat=_HEAT)

    def go(chain: int) -> None:
        walk(tables, orders[chain], generators[chain], every, silent, "")

    progress(0.0, "sampling orders of the variables: burn-in")
    share(warm, range(chains))
    drawing = part(progress, 0.17, 0.83)
    for number in range(DRAWS):
        drawing(number / DRAWS, f"sampling orders of the variables: {number} of {DRAWS}")
        share(go, range(chains))
        taken[:, number] = orders
    progress(0.83, "averaging over the orders sampled")
    return OrderSample(*_weighed(sets, values, parts, taken))


def _weighed(
    sets: ParentSets, values: np.ndarray, parts: np.ndarray, orders: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Probabilities, shares and totals of (chains, t, n) orders."""
    chains, draws, n = orders.shape
    probabilities = np.zeros((chains, len(values)))
    shares, sums = np.empty((chains, draws, n)), np.empty((chains, draws, n))

    def weigh(chain: int) -> None:
        out = sums[chain], shares[chain], probabilities[chain]
        kernels().weigh_orders(orders[chain], sets.starts, sets.members, sets.sizes, values, parts, *out)

    share(weigh, range(chains))
    return probabilities / draws, shares, sums.sum(axis=2)


def _only_order(constraints: Constraints) -> np.ndarray | None:
    """The order of the variables where everything is known of it."""
    earlier = constraints.before
    if earlier is None:
        return None
    n = len(earlier)
    ranks = earlier.sum(axis=1)
    return np.argsort(ranks) if earlier.sum() == n * (n - 1) // 2 and len(set(ranks.tolist())) == n else None


def _earlier(constraints: Constraints) -> tuple[tuple[int, ...], ...]:
    """Of each variable those that must come earlier."""
    if constraints.before is None:
        return ((),) * len(constraints.required)
    return tuple(tuple(np.flatnonzero(row).tolist()) for row in constraints.before)


def _space(
    sets: ParentSets, values: np.ndarray, constraints: Constraints, candidates: Sequence[Sequence[int]]
) -> Space:
    """The parent sets as the walk looks them up; who must come first counts as a parent that is required."""
    n = sets.n_variables
    families = []
    for child in range(n):
        rows = sets.of(child)
        members, sizes, own = sets.members[rows], sets.sizes[rows], values[rows]
        required = constraints.required[child]
        wanted = [x for x in candidates[child] if constraints.allowed[child, x] and x not in required]
        bit = np.zeros(n, dtype=np.int64)
        bit[wanted] = 1 << np.arange(len(wanted))
        meant = np.arange(members.shape[1]) < sizes[:, None]
        row = np.where(meant, bit[members], 0).sum(axis=1)
        free = constraints.allowed[child].copy()
        free[[*wanted, *required]] = False
        extra = np.where(meant & free[members], members + 1, 0).sum(axis=1) - 1  # at most one is from outside
        alone, wider = np.full(1 << len(wanted), -np.inf), np.full((1 << len(wanted), n), -np.inf)
        alone[row[extra < 0]] = own[extra < 0]
        wider[row[extra >= 0], extra[extra >= 0]] = own[extra >= 0]
        first = required if constraints.before is None else np.flatnonzero(constraints.before[child]).tolist()
        families.append(Tables(first, wanted, np.flatnonzero(free), alone, wider))
    return space(families, summing=True)
