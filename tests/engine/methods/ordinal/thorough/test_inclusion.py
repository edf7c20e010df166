"""Inclusion probabilities: the prior by simulation, few rows of many items, the order of columns."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.methods.ordinal.inclusion import OUT, Inclusion, log_prior_odds
from tests.engine.methods.ordinal.test_partial_network import P, table, true_weights


def by_simulation(p: int, first: int, draws: int = 30_000) -> tuple[np.ndarray, np.ndarray]:
    """Orders of p variables and networks along each, all alike; no arc runs to the first ones from the others."""
    generator = np.random.default_rng(3)
    allowed = np.ones((p, p), dtype=bool)
    allowed[first:, :first] = False
    adjacent, lines, total = np.zeros((p, p)), np.zeros((p, p)), 0.0
    for _ in range(draws):
        order = generator.permutation(p)
        along = np.zeros((p, p), dtype=bool)
        along[np.ix_(order, order)] = np.triu(np.ones((p, p), dtype=bool), 1)
        weight = 2.0 ** (along & allowed).sum()  # as many networks as there are sets of arcs
        arcs = (along & allowed & (generator.random((p, p)) < 0.5)).astype(int)
        link = (arcs + arcs.T) > 0
        adjacent += weight * link
        lines += weight * (link | (arcs @ arcs.T > 0))
        total += weight
    return adjacent / total, lines / total


def test_few_rows_say_little_of_many_items() -> None:
    """Twenty items and twenty rows of noise: where chains keep to a few candidates, so does their prior."""
    codes = np.random.default_rng(0).integers(0, 3, (20, 20)).astype(np.uint8)
    names = [f"i{number:02d}" for number in range(20)]
    data = engine.Dataset.from_codes(codes, [3] * 20, names, kinds=dict.fromkeys(names, "ordinal"))
    found = engine.Ordinal().inclusion(data, prior="dense").frame()
    assert (found["line_state"] == OUT).mean() < 0.05
    assert 0.3 < found["line_bayes_factor"].median() < 3


def test_order_of_columns_moves_names_only_and_results_keep_it() -> None:
    """Equal bits by name; written and read; other data and other priors are refused."""
    data = table(1, true_weights(), 250)
    moved = data.select(list(data.names[::-1]))
    method = engine.Ordinal(approach="gpc")
    first, second = (method.inclusion(item) for item in (data, moved))
    assert np.array_equal(first.lines, second.lines[::-1, ::-1])
    result = method.run(data).with_parts(first)
    again = type(result).from_dict(result.to_dict())
    assert again == result and isinstance(again.inclusion, Inclusion)
    assert "Inclusion" in again.table_titles()
    with pytest.raises(engine.SettingsError, match="of other data"):
        result.with_parts(method.inclusion(table(2, true_weights(), 250)))
    with pytest.raises(engine.SettingsError, match="'sparse', 'dense'"):
        method.inclusion(data, prior="flat")  # type: ignore[arg-type]


@pytest.mark.parametrize("first", [0, 2])
def test_the_prior_is_that_of_orders_and_arcs_without_data(first: int) -> None:
    """Eight items; with two that come before all others their pair has a figure of its own."""
    data = table(1, true_weights(), 250)
    order = [*data.names[:first], *(() if first else data.names)], list(data.names[first:])
    known = engine.Knowledge(tiers=order) if first else engine.Knowledge()
    found = engine.Ordinal(knowledge=known).inclusion(data, prior="dense")
    adjacent, lines = by_simulation(P, first)
    off = ~np.eye(P, dtype=bool)
    assert found.prior_arrows[off] == pytest.approx(adjacent[off], abs=0.04)
    assert found.prior_lines[off] == pytest.approx(lines[off], abs=0.05)
    assert np.exp(log_prior_odds("dense", 9)) == pytest.approx(1.0)
    assert np.exp(log_prior_odds("sparse", 9)) == pytest.approx(0.25 / 0.75)
