"""A child whose table differs comes after its parents, over many tables."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

import engine
from engine.comparison.links import shared_network


@pytest.mark.parametrize("turn", [-1.0, 0.3])
def test_a_child_whose_table_differs_comes_after_its_parents(turn: float) -> None:
    """u and v are linked and c has both as parents, by another table in the second group."""
    generator, called = np.random.default_rng(3), 0
    for _ in range(10):
        groups = []
        for times in (1.0, turn):
            ends = generator.integers(0, 2, (2, 500))
            u = generator.random(500) < 1 / (1 + np.exp(1.3 - 2.6 * ends[0]))
            v = generator.random(500) < 1 / (1 + np.exp(2.6 - 2.6 * ends[1] - 2.6 * u))
            c = generator.random(500) < 1 / (1 + np.exp(1.5 * times * (2 * u - 1) + 1.5 * (2 * v - 1)))
            groups.append(np.vstack([u, v, c, ends]))
        codes = np.vstack([np.hstack(groups).astype(int), np.repeat([0, 1], 500)])
        data = engine.Dataset.from_codes(codes, [2] * 6, ["v", "u", "c", "e", "d", "group"])
        parts = list(engine.by_group(data, "group").values())
        graph = shared_network(parts, sorted(parts[0].names))
        assert not nx.ancestors(graph, "u") & {"c"} or not nx.ancestors(graph, "v") & {"c"}
        answers = [engine.learn(part, engine.BDeu(), search="hill_climbing") for part in parts]
        found = engine.compare(*answers, data=parts, draws=499).called()
        called += any({row.source, row.target} == {"u", "v"} for row in found.itertuples())
    assert called <= 1
