"""Centrality of a signed network: by hand, by loops written out, and what relabelling may not change."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.measures import centrality

# a chain a - b - c - d with one negative link, a and b of one scale
CHAIN = np.array([[0, 0.5, 0, 0], [0.5, 0, -0.25, 0], [0, -0.25, 0, 0.2], [0, 0, 0.2, 0]])
SCALES = ["x", "x", "y", "y"]


def network(seed: int, p: int = 7) -> np.ndarray:
    """Symmetric weights, about a third of them 0, and a diagonal that must not count."""
    generator = np.random.default_rng(seed)
    weights = np.triu(generator.uniform(-0.8, 0.8, (p, p)) * (generator.random((p, p)) > 0.3), 1)
    return weights + weights.T + np.eye(p)


def test_a_chain_by_hand() -> None:
    """Sums that fit on a slip of paper; lengths of links are 2, 4 and 5."""
    assert centrality.strength(CHAIN) == pytest.approx([0.5, 0.75, 0.45, 0.2])
    assert centrality.expected_influence(CHAIN) == pytest.approx([0.5, 0.25, -0.05, 0.2])
    assert centrality.expected_influence(CHAIN, 2) == pytest.approx(
        [0.5 + 0.5 * 0.25, 0.25 + 0.5 * 0.5 + 0.25 * 0.05, -0.05 - 0.25 * 0.25 + 0.2 * 0.2, 0.2 - 0.2 * 0.05]
    )
    assert centrality.bridge_strength(CHAIN, SCALES) == pytest.approx([0, 0.25, 0.25, 0])
    assert centrality.bridge_expected_influence(CHAIN, SCALES) == pytest.approx([0, -0.25, -0.25, 0])
    assert centrality.closeness(CHAIN) == pytest.approx([1 / (2 + 6 + 11), 1 / (2 + 4 + 9), 1 / (6 + 4 + 5), 1 / 25])
    assert centrality.betweenness(CHAIN) == pytest.approx([0, 4, 4, 0])
    assert centrality.closeness(np.where(np.abs(CHAIN) > 0.3, CHAIN, 0)).tolist() == [0, 0, 0, 0]


@given(st.integers(0, 10_000))
def test_loops_written_out_give_the_same(seed: int) -> None:
    """One entry at a time, and of two networks at once each by itself."""
    weights, scales = network(seed), list("aabbccc")
    p = len(weights)
    own = {name: np.zeros(p) for name in ("strength", "influence", "bridge", "bridge_influence")}
    for i in range(p):
        for j in range(p):
            if i == j:
                continue
            own["strength"][i] += abs(weights[i, j])
            own["influence"][i] += weights[i, j]
            own["bridge"][i] += abs(weights[i, j]) * (scales[i] != scales[j])
            own["bridge_influence"][i] += weights[i, j] * (scales[i] != scales[j])
    two = own["influence"] + [sum(weights[i, j] * own["influence"][j] for j in range(p) if j != i) for i in range(p)]
    both = np.stack([network(seed + 1), weights])
    assert centrality.strength(both)[1] == pytest.approx(own["strength"], abs=1e-12)
    assert centrality.expected_influence(both)[1] == pytest.approx(own["influence"], abs=1e-12)
    assert centrality.expected_influence(both, 2)[1] == pytest.approx(two, abs=1e-12)
    assert centrality.bridge_strength(both, scales)[1] == pytest.approx(own["bridge"], abs=1e-12)
    assert centrality.bridge_expected_influence(both, scales)[1] == pytest.approx(own["bridge_influence"], abs=1e-12)


def test_shortest_paths_equal_floyds() -> None:
    """Distances by three loops; a node is between two others where the way through it is as short."""
    weights = network(3)
    p = len(weights)
    away = np.full((p, p), np.inf)
    linked = (weights != 0) & ~np.eye(p, dtype=bool)
    away[linked] = 1 / np.abs(weights[linked])
    np.fill_diagonal(away, 0)
    for k in range(p):
        away = np.minimum(away, away[:, [k]] + away[[k], :])
    ways = list(permutations(range(p), 3))
    between = np.zeros(p)
    for a, k, b in ways:
        between[k] += abs(away[a, k] + away[k, b] - away[a, b]) < 1e-12
    assert centrality.closeness(weights) == pytest.approx(1 / away.sum(axis=1))
    assert centrality.betweenness(weights) == pytest.approx(between)
