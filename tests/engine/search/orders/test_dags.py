"""Drawn networks: frequencies against all orders and parent sets written out."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

import engine
from engine.scores.dirichlet import BDeu
from engine.search.knowledge import Knowledge
from engine.search.learn import problem_of
from engine.search.orders.dags import draw_dags
from engine.search.orders.mcmc import OrderMCMC

SEARCH = OrderMCMC(steps=20_000, chains=2)


def four(seed: int = 0, n: int = 14) -> engine.Dataset:
    """A short table: a, b -> c -> d, so little of it that nothing is sure."""
    generator = np.random.default_rng(seed)
    a, b = generator.integers(0, 2, (2, n))
    c = (a + b + (generator.random(n) < 0.4)) > 1
    d = c ^ (generator.random(n) < 0.35)
    return engine.Dataset.from_codes(np.array([a, b, c, d]).astype(np.uint8), [2] * 4, list("abcd"))


def exactly(data: engine.Dataset, knowledge: Knowledge) -> tuple[np.ndarray, np.ndarray]:
    """(p, p) of each arc, and of two variables that are parents of one child, by all orders and all parent sets."""
    problem = problem_of(data, BDeu(), knowledge, lambda *_: None)
    p = data.n_variables
    arcs, wed, total = np.zeros((p, p)), np.zeros((p, p)), 0.0
    for order in permutations(range(p)):
        worth, own_arcs, apart = 1.0, np.zeros((p, p)), np.ones((p, p))
        for place, child in enumerate(order):
            pool = [x for x in order[:place] if problem.allowed.allowed[child, x]]
            sets = [group for size in range(len(pool) + 1) for group in combinations(sorted(pool), size)]
            sets = [group for group in sets if set(problem.allowed.required[child]) <= set(group)]
            if not sets:
                worth = 0.0
                break
            weights = np.exp([problem.bound.local(child, group) + 40 for group in sets])
            for group, chance in zip(sets, weights / weights.sum(), strict=True):
                own_arcs[list(group), child] += chance
            for i, j in permutations(range(p), 2):
                both = [{i, j} <= set(group) for group in sets]
                apart[i, j] *= 1 - weights[both].sum() / weights.sum()
            worth *= weights.sum()
        total += worth
        arcs += worth * own_arcs
        wed += worth * (1 - apart)
    return arcs / total, wed / total


@pytest.mark.parametrize("knowledge", [Knowledge(), Knowledge(tiers=[["a", "b"], ["c", "d"]])])
def test_frequencies_are_those_of_all_orders(knowledge: Knowledge) -> None:
    """Of arcs and of married parents, within four standard errors of 2,000 draws that are not independent."""
    data = four()
    problem = problem_of(data, BDeu(), knowledge, lambda *_: None)
    sample = draw_dags(SEARCH, problem, draws=1000)
    arcs, wed = exactly(data, knowledge)
    drawn = sample.arcs.reshape(-1, 4, 4)
    assert drawn.mean(axis=0) == pytest.approx(arcs, abs=0.06)
    counts = drawn.astype(float)
    married = (counts @ counts.transpose(0, 2, 1)) > 0
    off = ~np.eye(4, dtype=bool)
    assert married.mean(axis=0)[off] == pytest.approx(wed[off], abs=0.06)
    assert 0.1 < wed[0, 1] < 0.95  # or nothing was tested
    assert sample.r_hat < 1.05


def test_every_draw_is_a_dag_and_equal_seeds_give_equal_bits() -> None:
    """No circle in any of them."""
    problem = problem_of(four(1), BDeu(), Knowledge(), lambda *_: None)
    first, second = (draw_dags(OrderMCMC(steps=500, chains=2, seed=3), problem, draws=50) for _ in range(2))
    assert (first.arcs == second.arcs).all()
    for arcs in first.arcs.reshape(-1, 4, 4):
        assert not np.linalg.matrix_power(arcs.astype(int), 4).any()  # no path of four arcs among four variables
