"""Inclusion probabilities: the prior by enumeration, known tables, and what the states mean."""

from __future__ import annotations

from itertools import combinations, permutations, product

import numpy as np
import pytest

import engine
from engine.methods.ordinal.inclusion import IN, OUT, Inclusion, log_prior_odds, prior_line
from tests.engine.methods.ordinal.test_partial_network import P, table, true_weights


def test_the_prior_of_a_line_is_that_of_all_orders_and_arcs() -> None:
    """Four variables: every order, every set of arcs that it allows, each arc with the same probability."""
    share, p = 0.3, 4
    found = 0.0
    for order in permutations(range(p)):
        slots = list(combinations(order, 2))
        for chosen in product([False, True], repeat=len(slots)):
            arcs = {slot for slot, there in zip(slots, chosen, strict=True) if there}
            worth = share ** len(arcs) * (1 - share) ** (len(slots) - len(arcs))
            wed = any((0, x) in arcs and (1, x) in arcs for x in range(p))
            found += worth * ((0, 1) in arcs or (1, 0) in arcs or wed)
    assert prior_line(share, p) == pytest.approx(found / 24, abs=1e-12)
    assert prior_line(0.3, 2) == pytest.approx(0.3)
    assert np.exp(log_prior_odds("dense", 9)) == pytest.approx(1.0)
    assert np.exp(log_prior_odds("sparse", 9)) == pytest.approx(0.25 / 0.75)


def test_links_that_are_there_are_included_and_few_others() -> None:
    """Eight items, 1,500 rows: all strong lines, and a marriage is a line without an arrow link."""
    weights = np.zeros((P, P))
    for i, j, value in ((0, 1, 0.45), (2, 3, -0.4), (5, 6, 0.4)):
        weights[i, j] = weights[j, i] = value
    found = engine.Ordinal().inclusion(table(0, weights, 1500)).frame().set_index(["a", "b"])
    there = {("a_0", "a_1"), ("a_2", "a_3"), ("b_5", "b_6")}
    assert set(found.index[found["line_state"] == IN]) == there
    assert found.loc[sorted(there), "arrow"].min() > 0.99
    assert (found["line_state"] == OUT).sum() > 10
    assert (found["line"] >= found["arrow"] - 1e-12).all()
    assert found["arrow"].to_numpy() == pytest.approx((found["forward"] + found["backward"]).to_numpy())


def test_a_child_of_two_items_makes_a_line_of_them() -> None:
    """a -> c <- b: a and b are not adjacent, and a line joins them."""
    generator = np.random.default_rng(0)
    a, b, d = generator.normal(size=(3, 2000))
    c = 0.6 * a + 0.6 * b + 0.5 * generator.normal(size=2000)
    codes = np.searchsorted([-0.8, 0.0, 0.8], np.array([a, b, c, d])).astype(np.uint8)
    data = engine.Dataset.from_codes(codes, [4] * 4, list("abcd"), kinds=dict.fromkeys("abcd", "ordinal"))
    found = engine.Ordinal().inclusion(data).frame().set_index(["a", "b"])
    assert found.loc[("a", "b"), "line"] > 0.95 > 0.2 > found.loc[("a", "b"), "arrow"]


def test_order_of_columns_moves_names_only_and_results_keep_it() -> None:
    """Equal bits by name; written and read; other data and other priors are refused."""
    data = table(1, true_weights(), 250)
    moved = data.select(list(data.names[::-1]))
    method = engine.Ordinal(approach="gpc")
    first, second = (method.inclusion(item) for item in (data, moved))
    assert np.array_equal(first.lines, second.lines[::-1, ::-1])
    result = method.run(data).with_inclusion(first)
    again = type(result).from_dict(result.to_dict())
    assert again == result and isinstance(again.inclusion, Inclusion)
    assert "Inclusion" in again.table_titles()
    with pytest.raises(engine.SettingsError, match="of other data"):
        result.with_inclusion(method.inclusion(table(2, true_weights(), 250)))
    with pytest.raises(engine.SettingsError, match="sparse, dense"):
        method.inclusion(data, prior="flat")  # type: ignore[arg-type]
