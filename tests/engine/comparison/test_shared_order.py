"""The order that few differing tables ask for: its score written out, and a child whose table differs comes last."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy.special import gammaln

import engine
from engine.comparison.links import SAME, SameOrDifferent, shared_network


def dirichlet(child: np.ndarray, parents: np.ndarray, configurations: int) -> float:
    """BDeu with one row in all, of binary variables, cell by cell."""
    cell, total = 1.0 / (2 * configurations), 0.0
    for context in np.unique(parents):
        counts = np.bincount(child[parents == context], minlength=2)
        total += gammaln(2 * cell) - gammaln(2 * cell + counts.sum()) + (gammaln(cell + counts) - gammaln(cell)).sum()
    return float(total)


def test_a_family_is_the_same_or_another_in_each_group() -> None:
    """Both terms written out; additions are the scores of the larger families."""
    codes = np.random.default_rng(0).integers(0, 2, (4, 60))
    score = SameOrDifferent(engine.Dataset.from_codes(codes, [2] * 4, ["a", "b", "c", "g"]))
    a, b, c, g = codes
    together = dirichlet(a, 2 * b + c, 4)
    apart = dirichlet(a, 4 * b + 2 * c + g, 8)
    wanted = np.logaddexp(np.log(SAME) + together, np.log(1 - SAME) + apart)
    assert score.local(0, (1, 2)) == pytest.approx(wanted)
    found = score.additions(0, (1,))
    assert found[2] == pytest.approx(wanted) and not np.isfinite(found[:2]).any() and len(found) == 3


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
