"""Sums and walks over orders against writing every order out."""

from __future__ import annotations

import itertools
import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.execution import silent
from engine.search.constraints import Constraints
from engine.search.orders import sampling
from engine.search.orders.average import average_orders, masks_before, total_worth
from engine.search.orders.parent_sets import ParentSets, all_parent_sets, candidate_parent_sets

NAMES = tuple("abcdef")


def enumerated(sets: ParentSets, values: np.ndarray, constraints: Constraints) -> tuple[float, np.ndarray]:
    """ln of the worth of all orders and the probability of every parent set, order by order."""
    n = sets.n_variables
    orders, shares = [], []
    before = constraints.before if constraints.before is not None else np.zeros((n, n), dtype=bool)
    for order in itertools.permutations(range(n)):
        place = {x: position for position, x in enumerate(order)}
        if any(before[later, earlier] and place[earlier] > place[later] for later in range(n) for earlier in range(n)):
            continue
        worth, share = 0.0, np.full(len(values), -np.inf)
        for child in range(n):
            rows = range(sets.starts[child], sets.starts[child + 1])
            allowed = [k for k in rows if all(place[x] < place[child] for x in sets.parents(k))]
            whole = np.logaddexp.reduce(values[allowed])
            share[allowed] = values[allowed] - whole
            worth += whole
        orders.append(worth)
        shares.append(share)
    total = float(np.logaddexp.reduce(orders))
    weights = np.exp(np.array(orders) - total)
    return total, (weights[:, None] * np.exp(np.array(shares))).sum(axis=0)


KNOWN = {
    "nothing": engine.Knowledge(max_parents=3),
    "two parents": engine.Knowledge(max_parents=2),
    "tiers": engine.Knowledge(tiers=[["b", "d"], ["a"]], max_parents=3),
    "forbidden": engine.Knowledge(forbidden=[("a", "b"), ("c", "a"), ("c", "b")], max_parents=3),
    "required": engine.Knowledge(required=[("c", "a"), ("a", "e")], max_parents=3),
    "order": engine.Knowledge(order=["c", "a", "e", "b", "d"], max_parents=3),
    "all at once": engine.Knowledge(
        tiers=[["c"], ["a", "b", "e"]], forbidden=[("c", "e")], required=[("a", "b")], max_parents=2
    ),
}


@pytest.mark.parametrize("spread", [1.0, 40.0, 900.0, 20_000.0])
@pytest.mark.parametrize("known", KNOWN)
def test_sums_over_orders_equal_all_orders_written_out(known: str, spread: float) -> None:
    """Probabilities of all parent sets and the worth of all orders, be values a nat or twenty thousand apart."""
    constraints = KNOWN[known].constraints(NAMES[:5])
    sets = all_parent_sets(constraints)
    values = np.random.default_rng(int(spread)).normal(-5000.0, spread, len(sets.sizes))
    average = average_orders(sets, values, masks_before(constraints))
    total, probabilities = enumerated(sets, values, constraints)
    assert average.total == pytest.approx(total, rel=1e-13)
    np.testing.assert_allclose(average.probabilities, probabilities, atol=1e-10)
    assert total_worth(sets, values, masks_before(constraints)) == pytest.approx(total, rel=1e-13)


def test_two_that_are_worth_nothing_alone_are_not_rounded_away() -> None:
    """Each is best with the other as its parent, by thousands of nats: one must do without, in any order."""
    constraints = KNOWN["nothing"].constraints(NAMES[:3])
    sets = all_parent_sets(constraints)
    values = np.where([sets.parents(k) in ((0,), (1,), (0, 1)) for k in range(len(sets.sizes))], 0.0, -4000.0)
    average = average_orders(sets, values, masks_before(constraints))
    assert math.isfinite(average.total)
    np.testing.assert_allclose(average.probabilities, enumerated(sets, values, constraints)[1], atol=1e-12)


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.permutations(range(4)))
def test_the_names_of_variables_move_nothing(seed: int, permutation: list[int]) -> None:
    """Another numbering of the variables gives the same probabilities, and those of a child sum to one."""
    constraints = KNOWN["nothing"].constraints(NAMES[:4])
    sets = all_parent_sets(constraints)
    values = np.random.default_rng(seed).normal(0.0, 5.0, len(sets.sizes))
    worth = {
        (permutation[child], frozenset(permutation[x] for x in sets.parents(k))): values[k]
        for child in range(4)
        for k in range(sets.starts[child], sets.starts[child + 1])
    }
    children = sets.children
    moved = np.array([worth[int(children[k]), frozenset(sets.parents(k))] for k in range(len(values))])
    before = masks_before(constraints)
    one, other = (average_orders(sets, each, before).probabilities for each in (values, moved))
    found = {(int(children[k]), frozenset(sets.parents(k))): other[k] for k in range(len(values))}
    for k in range(len(values)):
        key = permutation[int(children[k])], frozenset(permutation[x] for x in sets.parents(k))
        assert found[key] == pytest.approx(one[k], abs=1e-12)
    np.testing.assert_allclose(np.bincount(children, one), 1.0)


def walked(known: engine.Knowledge, n: int, seed: int, chains: int = 4):  # type: ignore[no-untyped-def]
    """Parent sets among candidates with values of some depth, the exact average, and a sample of orders."""
    rng = np.random.default_rng(seed)
    constraints = known.constraints([f"v{i:02d}" for i in range(n)])
    candidates = [rng.choice(n, 5, replace=False).tolist() for _ in range(n)]
    sets = candidate_parent_sets(constraints, candidates)
    values = rng.normal(0.0, 3.0, len(sets.sizes)) + sets.log_prior()
    parts = rng.random(len(values))
    start = np.array(
        sorted(range(n), key=lambda i: constraints.before[i].sum() if constraints.before is not None else 0)
    )
    with mock.patch.multiple(sampling, STEPS=40_000, DRAWS=400):
        sample = sampling.sample_orders(sets, values, parts, constraints, candidates, start, chains, seed, silent)
    exact = average_orders(sets, values, masks_before(constraints)).probabilities
    share = np.bincount(sets.children, exact * parts)
    return sets, exact, share, sample


@pytest.mark.parametrize("n", [12, 18])
@pytest.mark.parametrize("known", ["nothing", "tiers"])
def test_walks_are_within_their_error_of_the_exact_sums(n: int, known: str) -> None:
    """Over the same candidate parents: most within two standard errors, all within five."""
    tiers = [[f"v{i:02d}" for i in range(4)], [f"v{i:02d}" for i in range(4, n)]]
    knowledge = engine.Knowledge(max_parents=3, tiers=tiers if known == "tiers" else None)
    _, exact, share, sample = walked(knowledge, n, seed=n)
    halves = sample.shares.reshape(40, -1, n).mean(axis=1)
    error = halves.std(axis=0, ddof=1) / math.sqrt(40)
    off = np.abs(sample.shares.mean(axis=(0, 1)) - share)
    assert error.max() < 0.02
    assert (off <= 5 * error + 1e-6).all()
    assert (off <= 2 * error + 1e-6).mean() >= 0.75
    assert np.abs(sample.probabilities.mean(axis=0) - exact).max() < 0.05


def test_walks_keep_to_tiers_and_required_arcs() -> None:
    """Nobody of a later tier is ever a parent, who is required always; a seed gives its bits again."""
    known = engine.Knowledge(max_parents=3, tiers=[["v00", "v01"], ["v02", "v03"]], required=[("v05", "v00")])
    sets, exact, _, sample = walked(known, 12, seed=3, chains=2)
    children = sets.children
    assert np.bincount(children[sets.holds(5)], sample.probabilities[0][sets.holds(5)])[0] == pytest.approx(1.0)
    assert not (sets.holds(2) & (children == 0)).any()
    assert np.abs(sample.probabilities.mean(axis=0) - exact).max() < 0.1
    again = walked(known, 12, seed=3, chains=2)[3]
    assert again.probabilities.tobytes() == sample.probabilities.tobytes()


def test_where_one_order_is_possible_nothing_is_drawn() -> None:
    """A whole order needs no walk: its average is exact."""
    order = [f"v{i:02d}" for i in range(12)][::-1]
    _, exact, share, sample = walked(engine.Knowledge(order=order, max_parents=3), 12, seed=5)
    assert sample.shares.shape[:2] == (1, 1)
    np.testing.assert_allclose(sample.shares[0, 0], share, atol=1e-12)
    np.testing.assert_allclose(sample.probabilities[0], exact, atol=1e-12)
