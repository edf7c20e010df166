"""How often intervals of lines, influence and explained shares hold the truth, and how often empty tables claim one."""

from __future__ import annotations

import numpy as np

import engine
from tests.engine.methods.ordinal.test_partial_network import P, table, true_weights


def test_intervals_hold_the_truth_and_nulls_claim_nothing() -> None:
    """150 drawn tables: links, influence, explained shares in .92 to .98; of 150 without links few claim one."""
    truth = true_weights()
    share = 1 - 1 / np.diag(np.linalg.inv(np.eye(P) - truth))
    pair = np.triu_indices(P, 1)
    links, influence, explained, claimed = [], [], [], 0
    for seed in range(150):
        lines = engine.Ordinal().partial_network(table(seed, truth), draws=300)
        links.append(((lines.low <= truth) & (truth <= lines.high))[pair])
        low, high = lines.interval("expected_influence")
        influence.append((low <= truth.sum(axis=1)) & (truth.sum(axis=1) <= high))
        explained.append((lines.explained_low <= share) & (share <= lines.explained_high))
        null = engine.Ordinal().partial_network(table(1000 + seed, np.zeros((P, P)), 200), draws=100)
        claimed += bool((null.p[pair] <= 0.05).any())
    assert 0.92 <= np.mean(links) <= 0.98
    assert 0.92 <= np.mean(influence) <= 0.98
    assert 0.92 <= np.mean(explained) <= 0.98
    assert claimed <= 13  # of 150, 5 % would be 7.5; more than 13 happens in 2 % of such sets
