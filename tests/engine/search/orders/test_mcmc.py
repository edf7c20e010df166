"""Order MCMC against the exact search, against all DAGs and their orders, and against the truth it was drawn from."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.counting.order_kernels import order_node, order_shares
from engine.graphs.dag import check_acyclic, to_networkx, topological_order
from engine.scores.local import BoundScore
from engine.search.exact import exact
from engine.search.orders.mcmc import OrderMCMC
from engine.search.orders.posterior import posterior, split_r_hat
from engine.search.orders.tables import FamilyTables, space
from engine.search.problem import Problem
from tests.engine.make import random_data
from tests.engine.search.made_up import MadeUp, nameless
from tests.engine.search.normal import network, problem, total

QUICK = OrderMCMC(steps=2000)


def discrete(seed: int, variables: int = 7, knowledge: engine.Knowledge | None = None) -> Problem:
    """A search on rows of levels."""
    data = random_data(120, variables, 9, seed)
    return Problem(data, engine.BDeu(), (knowledge or engine.Knowledge()).constraints(data.names))


@pytest.mark.parametrize("seed", range(8))
def test_few_variables_get_the_best_dag_there_is(seed: int) -> None:
    """As the exact search has it, with normal and with discrete variables."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(4, 9))
    rows = rng.normal(size=(60, size)) @ np.linalg.cholesky(network(size, seed)[0]).T
    for asked in (problem(np.corrcoef(rows.T), 60, 0.5), discrete(seed, size)):
        best = total(asked, exact(asked.bound, asked.allowed))
        found = QUICK.find(asked).parents
        assert found is not None
        assert total(asked, found) == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_knowledge_is_kept_and_the_best_dag_under_it_found(seed: int) -> None:
    """Forbidden, required, tiers and a limit, as the exact search keeps them."""
    names = random_data(10, 7, 9, seed).names
    knowledge = engine.Knowledge(
        forbidden=[(names[0], names[1])],
        required=[(names[5], names[2]), (names[3], names[2])],
        tiers=[names[3:], names[:3]],
        max_parents=2,
    )
    asked = discrete(seed, knowledge=knowledge)
    found = QUICK.find(asked).parents
    assert found is not None
    assert total(asked, found) == pytest.approx(total(asked, exact(asked.bound, asked.allowed)), rel=1e-9)
    assert {3, 5} <= set(found[2])
    assert 0 not in found[1]
    assert max(map(len, found)) <= 2


@pytest.mark.parametrize("seed", [100, 102, 114])
def test_it_reaches_the_true_dag_and_its_pattern(seed: int) -> None:
    """On the true correlation nothing scores below the truth, and the pattern is nearly right."""
    matrix, parents = network(20, seed)
    asked = problem(matrix)
    found = OrderMCMC().find(asked).parents
    assert found is not None
    assert total(asked, found) >= total(asked, parents) - 1e-6
    graphs = [to_networkx(each, asked.data.names) for each in (found, parents)]
    assert engine.measures.patterns(*graphs).distance <= 2


def test_a_hundred_variables() -> None:
    """The candidates stay few enough, and the truth is reached."""
    matrix, parents = network(100, 1, neighbours=2.0)
    asked = problem(matrix)
    found = OrderMCMC(steps=5000, chains=1).find(asked).parents
    assert found is not None
    check_acyclic(found)
    assert total(asked, found) >= total(asked, parents) - 1e-6


def test_candidates_that_are_too_many_are_the_best() -> None:
    """With room for two candidates a node still gets three parents, one of them from outside."""
    rng = np.random.default_rng(3)
    causes = rng.normal(size=(400, 3))
    others = rng.normal(size=(400, 9))
    rows = np.column_stack([causes, causes.sum(axis=1) + rng.normal(size=400), others])
    asked = problem(np.corrcoef(rows.T), 400)
    found = OrderMCMC(steps=1000, candidates=2).find(asked).parents
    assert found is not None
    assert found[3] == (0, 1, 2)


@given(st.integers(0, 10_000), st.booleans())
@settings(max_examples=30, deadline=None)
def test_an_orders_worth_is_that_of_its_parent_sets(seed: int, summing: bool) -> None:
    """Every node's table entry is the best, or the sum, over all sets that come before it, by brute force."""
    rng = np.random.default_rng(seed)
    names = "abcdef"
    bound = MadeUp(seed, most=9, rounding=0.3).bind(nameless(names))
    forbidden = [tuple(rng.permutation(list(names))[:2]) for _ in range(3)]
    required = [pair for pair in [("b", "e"), ("e", "f")] if pair not in forbidden][: int(rng.integers(0, 3))]
    known = engine.Knowledge(forbidden=forbidden, required=required, max_parents=int(rng.integers(1, 6)))
    allowed = known.constraints(list(names))
    candidates = [
        [x for x in range(6) if allowed.allowed[i, x] and x not in allowed.required[i] and rng.random() < 0.4]
        for i in range(6)
    ]
    tables = space([FamilyTables(bound, allowed, i, candidates[i]).tables() for i in range(6)], summing=summing)
    order = np.array(topological_order(allowed.required, rng.permutation(6).tolist()))
    place = np.argsort(order)
    for i in range(6):
        values = [
            bound.local(i, group)
            for size in range(known.max_parents or 0, -1, -1)
            for group in itertools.combinations([x for x in range(6) if allowed.allowed[i, x]], size)
            if set(allowed.required[i]) <= set(group)
            and all(place[x] < place[i] for x in group)
            and sum(x not in candidates[i] and x not in allowed.required[i] for x in group) <= 1
        ]
        expected = np.logaddexp.reduce(values) if summing else max(values)
        assert order_node(*tables, place, i) == pytest.approx(expected, abs=1e-9)


def all_orders(bound: BoundScore) -> np.ndarray:
    """(p, p) probability of every arc, every DAG counted once for every order that allows it."""
    p = bound.n_variables
    orders: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for order in itertools.permutations(range(p)):
        before = {x: sorted(order[:place]) for place, x in enumerate(order)}
        sets = [[g for size in range(p) for g in itertools.combinations(before[x], size)] for x in range(p)]
        orders.update(itertools.product(*sets))
    dags = list(orders)
    assert len(dags) == 29281  # of five variables
    worth = np.array([sum(bound.local(child, group) for child, group in enumerate(dag)) for dag in dags])
    weights = np.exp(worth - worth.max()) * [orders[dag] for dag in dags]
    shares = np.zeros((p, p))
    for dag, weight in zip(dags, weights / weights.sum(), strict=True):
        for child, group in enumerate(dag):
            shares[list(group), child] += weight
    return shares


def by_all_tables(bound: BoundScore) -> np.ndarray:
    """The same from what the walk looks up, without a walk: with all candidates but one, which comes from outside."""
    p = bound.n_variables
    allowed = engine.Knowledge().constraints([str(i) for i in range(p)])
    tables = space(
        [FamilyTables(bound, allowed, i, [x for x in range(p - 1, -1, -1) if x != i][1:]).tables() for i in range(p)],
        summing=True,
    )
    worth, shares = [], []
    for order in itertools.permutations(range(p)):
        place, here = np.argsort(order), np.zeros((p, p))
        order_shares(*tables, np.array(order), here)
        worth.append(sum(order_node(*tables, place, i) for i in range(p)))
        shares.append(here)
    weights = np.exp(np.array(worth) - max(worth))
    return np.tensordot(weights / weights.sum(), np.array(shares), 1)


def test_posteriors_are_those_of_all_dags() -> None:
    """Every arc's probability, over all 29,281 DAGs of five variables, and with the columns in another order."""
    data = random_data(60, 5, 6, 4)
    bound = engine.BDeu().bind(data)
    expected = all_orders(bound)
    assert by_all_tables(bound) == pytest.approx(expected, abs=1e-10)
    found = engine.edge_posteriors(data, search=OrderMCMC(steps=25_000, chains=2))
    assert found.posterior.probabilities == pytest.approx(expected, abs=0.015)
    assert 0.05 < expected.max() < 0.999
    assert found.largest_difference < 0.02
    assert found.r_hat < 1.02
    turned = [3, 0, 4, 2, 1]
    other = engine.edge_posteriors(
        data.select([data.names[i] for i in turned]), search=OrderMCMC(steps=25_000, chains=2)
    )
    assert (other.posterior.probabilities == found.posterior.probabilities[np.ix_(turned, turned)]).all()
    assert other.table.equals(found.table)


def test_the_table_of_posteriors_is_of_all_pairs() -> None:
    """The most probable first, with the lowest and highest chain, as the numbers behind have them."""
    data = random_data(100, 4, 5, 1)
    found = engine.edge_posteriors(data, engine.GaussianBIC(), OrderMCMC(steps=500, chains=3))
    table, inner = found.table, found.posterior
    assert list(table.columns) == ["source", "target", "probability", "low", "high"]
    assert len(table) == 12
    assert table["probability"].is_monotonic_decreasing
    assert ((table["low"] <= table["probability"] + 1e-12) & (table["probability"] <= table["high"] + 1e-12)).all()
    for row in table.itertuples():
        a, b = data.index(row.source), data.index(row.target)
        assert row.high == inner.by_chain[:, a, b].max()
    assert inner.log_scores.shape == (3, 500)
    assert ((inner.swaps >= 0) & (inner.swaps <= 0.4)).all()


def test_required_arcs_have_probability_one_and_forbidden_ones_none() -> None:
    """In every chain."""
    data = random_data(100, 12, 14, 1)
    a, b, c = data.names[:3]
    knowledge = engine.Knowledge(required=[(a, b)], forbidden=[(b, c)])
    found = engine.edge_posteriors(data, search=OrderMCMC(steps=500), knowledge=knowledge).posterior
    assert (found.by_chain[:, 0, 1] == 1).all()
    assert (found.by_chain[:, 1, 2] == 0).all()
    assert (found.probabilities + found.probabilities.T <= 1 + 1e-9).all()


def test_equal_seeds_give_equal_bits_whatever_jobs_and_columns() -> None:
    """Found DAG and posteriors; another seed walks elsewhere."""
    data = random_data(150, 12, 16, 2)
    search = OrderMCMC(steps=1000, seed=7)
    shuffled = data.select([data.names[i] for i in np.random.default_rng(0).permutation(12)])
    assert set(engine.learn(data, search=search).edges) == set(engine.learn(shuffled, search=search).edges)
    asked = Problem(data, engine.BGe(), engine.Knowledge().constraints(data.names))
    one, two, three = posterior(search, asked), posterior(search, asked, jobs=2), posterior(OrderMCMC(1000), asked)
    assert (one.by_chain == two.by_chain).all()
    assert (one.log_scores == two.log_scores).all()
    assert (one.by_chain != three.by_chain).any()


def test_it_can_be_cancelled_and_tells_how_far_it_is() -> None:
    """The fraction rises from 0 to 1, and what the callback raises comes through."""
    told: list[float] = []
    data = random_data(100, 10, 12, 1)
    engine.edge_posteriors(data, search=OrderMCMC(steps=200), progress=lambda fraction, words: told.append(fraction))
    assert np.diff(told).min() >= -1e-12
    assert told[-1] == 1.0

    def stop(fraction: float, words: str) -> None:
        if "sampling orders" in words:
            raise engine.Cancelled

    with pytest.raises(engine.Cancelled):
        engine.learn(data, search="order_mcmc", progress=stop)


def test_split_r_hat_is_large_where_chains_differ() -> None:
    """And one where they are alike, or where nothing varies."""
    values = np.random.default_rng(0).normal(size=(3, 2000))
    assert split_r_hat(values) == pytest.approx(1.0, abs=0.01)
    assert split_r_hat(values + np.array([[0.0], [2.0], [4.0]])) > 1.5
    assert split_r_hat(np.ones((2, 10))) == 1.0
    assert np.isnan(split_r_hat(np.ones((2, 3))))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"steps": 0}, "steps is 0"),
        ({"chains": 1.5}, "chains is 1.5"),
        ({"seed": -1}, "seed is -1"),
        ({"candidates": 17}, "candidates is 17"),
        ({"alpha": 0.0}, "alpha is 0.0"),
    ],
)
def test_options_that_cannot_be_are_refused(options: dict[str, float], words: str) -> None:
    """With the number that was given."""
    with pytest.raises(engine.SettingsError, match=words):
        OrderMCMC(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize("variables", [1, 2])
def test_very_few_variables(variables: int) -> None:
    """One has nothing to do, and two have one arc or none."""
    data = random_data(50, 2, 1, 0).select([f"v{i:02d}" for i in range(variables)])
    assert len(engine.learn(data, search="order_mcmc", steps=50)) == variables
    assert len(engine.edge_posteriors(data, search=OrderMCMC(steps=50)).table) == variables * (variables - 1)
