"""Shapley shares of a gap against all orders of exchange over plain rows, and Kitagawa's split."""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.methods.group_difference.gap import shares
from engine.methods.group_difference.gap.shares import Mechanism, split_gap


def random_mechanisms(n: int, seed: int, same: float = 0.3, most: int = 3) -> dict[int, Mechanism]:
    """Random tables over random parents, the last variable the outcome, of which the last level is meant."""
    rng = np.random.default_rng(seed)
    arity = rng.integers(2, 4, size=n)
    found = {}
    for v in range(n):
        parents = tuple(sorted(rng.choice(v, size=int(rng.integers(0, min(v, most) + 1)), replace=False).tolist()))
        table = rng.dirichlet(np.ones(arity[v]), size=(1 + (rng.random() > same), *arity[list(parents)]))
        found[v] = Mechanism(parents, table[..., -1] if v == n - 1 else table)
    return found


def slow(mechanisms: dict[int, Mechanism], outcome: int) -> dict[int, float]:
    """Every order of exchange, each mixture by a sum over all combinations of values."""
    arity = {v: item.tables.shape[-1] for v, item in mechanisms.items() if v != outcome}

    @cache
    def worth(second: frozenset[int]) -> float:
        total = 0.0
        for values in itertools.product(*(range(r) for r in arity.values())):
            at = dict(zip(arity, values, strict=True))
            chance = 1.0
            for v, item in mechanisms.items():
                table = item.tables[-1 if v in second else 0]
                chance *= table[(*(at[p] for p in item.parents), *(() if v == outcome else (at[v],)))]
            total += chance
        return total

    differing = [v for v, item in mechanisms.items() if item.differs]
    found = dict.fromkeys(differing, 0.0)
    orders = list(itertools.permutations(differing))
    for order in orders:
        for place, v in enumerate(order):
            found[v] += (worth(frozenset(order[: place + 1])) - worth(frozenset(order[:place]))) / len(orders)
    return found


@settings(max_examples=12)
@given(st.integers(2, 5), st.integers(0, 10_000))
def test_shares_are_those_of_all_orders_of_exchange(n: int, seed: int) -> None:
    """To 1e-10; what does not lead to the outcome has none."""
    mechanisms = random_mechanisms(n, seed)
    found, variance = split_gap(mechanisms, n - 1, np.random.default_rng(0))
    expected = slow(mechanisms, n - 1)
    assert variance == 0 and set(found) <= set(expected)
    for v, share in expected.items():
        assert found.get(v, 0.0) == pytest.approx(share, abs=1e-10)


def test_six_variables_that_all_differ() -> None:
    """The bar of the design: 1e-10 at six variables."""
    mechanisms = random_mechanisms(6, 3, same=0.0)
    found, _ = split_gap(mechanisms, 5, np.random.default_rng(0))
    expected = slow(mechanisms, 5)
    np.testing.assert_allclose([found.get(v, 0.0) for v in range(6)], [expected[v] for v in range(6)], atol=1e-10)


def test_large_tables_are_summed_out_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same shares where only one set of mechanisms has room at a time."""
    mechanisms = random_mechanisms(6, 8, same=0.0)
    whole = split_gap(mechanisms, 5, np.random.default_rng(0))
    monkeypatch.setattr(shares, "_MOST_CELLS", 1)
    assert split_gap(mechanisms, 5, np.random.default_rng(0))[0] == pytest.approx(whole[0], abs=1e-14)


@given(st.integers(0, 10_000))
def test_with_one_parent_it_is_kitagawas_split(seed: int) -> None:
    """Composition at the mean rates, rates at the mean composition (Kitagawa 1955), to 1e-9."""
    rng = np.random.default_rng(seed)
    mix, rates = rng.dirichlet(np.ones(4), size=2), rng.random((2, 4))
    found, _ = split_gap({0: Mechanism((), mix), 1: Mechanism((0,), rates)}, 1, rng)
    composition = float(((mix[1] - mix[0]) * rates.mean(axis=0)).sum())
    assert found[0] == pytest.approx(composition, abs=1e-9)
    assert found[1] == pytest.approx(float(((rates[1] - rates[0]) * mix.mean(axis=0)).sum()), abs=1e-9)


def test_drawn_orders_add_up_and_say_how_far_they_may_be_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the exact number: each draw adds up to the gap, and many draws come to the exact shares."""
    mechanisms = random_mechanisms(6, 3, same=0.0)
    exact, _ = split_gap(mechanisms, 5, np.random.default_rng(0))
    monkeypatch.setattr(shares, "MOST_EXACT", 2)
    rng = np.random.default_rng(1)
    draws = [split_gap(mechanisms, 5, rng) for _ in range(400)]
    for found, _ in draws:
        assert sum(found.values()) == pytest.approx(sum(exact.values()), abs=1e-12)
    mean = {v: float(np.mean([found[v] for found, _ in draws])) for v in exact}
    error = float(np.sqrt(np.sum([variance for _, variance in draws])) / len(draws))
    assert 0 < error < 0.01
    assert max(abs(mean[v] - share) for v, share in exact.items()) < 4 * error
