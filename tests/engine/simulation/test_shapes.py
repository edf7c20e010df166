"""Made-up networks have the shapes that they promise: degrees, hubs, uneven rows."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from engine.simulation.networks import expected_neighbours_dag, random_context_network, random_rows, scale_free_dag


@pytest.mark.parametrize(("variables", "neighbours"), [(3, 1.0), (4, 0.5), (5, 4.0), (6, 2.5), (2, 1.0), (3, 0.0)])
def test_neighbours_are_as_many_as_expected(variables: int, neighbours: float) -> None:
    """Over 2,000 small DAGs the number of arcs is binomial with the probability that the words give."""
    generator = np.random.default_rng(5)
    arcs = sum(sum(map(len, expected_neighbours_dag(variables, neighbours, generator))) for _ in range(2000))
    pairs = 2000 * variables * (variables - 1) // 2
    share = neighbours / (variables - 1)
    assert binom.ppf(0.0005, pairs, share) <= arcs <= binom.ppf(0.9995, pairs, share)


@pytest.mark.parametrize(("variables", "links"), [(6, 1), (6, 2), (9, 3), (5, 4)])
def test_a_scale_free_dag_begins_as_a_star(variables: int, links: int) -> None:
    """One root, `links` children of it alone, and every later variable with `links` parents."""
    for seed in range(20):
        families = scale_free_dag(variables, links, np.random.default_rng(seed))
        sizes = sorted(map(len, families))
        assert sizes == sorted([0, *[1] * links, *[links] * (variables - links - 1)])
        root = next(child for child, family in enumerate(families) if not family)
        if links > 1:
            assert all(family == (root,) for family in families if len(family) == 1)


def test_newcomers_become_hubs_too() -> None:
    """With one link a parent is drawn in proportion to its arcs: for four variables every outcome has its share.

    First a star of two. The third joins either end alike. Then the middle of the chain has two of four ends, so the
    fourth joins it with probability 1/2 and the star of three is met half of the time.
    """
    hubs = 0
    newest = 0
    for seed in range(3000):
        families = scale_free_dag(4, 1, np.random.default_rng(seed))
        children = [sum(x in family for family in families) for x in range(4)]
        degrees = [len(family) + count for family, count in zip(families, children, strict=True)]
        hubs += max(degrees) == 3
        newest += sum(bool(family) and count > 0 for family, count in zip(families, children, strict=True)) > 0
    assert binom.ppf(0.0005, 3000, 0.5) <= hubs <= binom.ppf(0.9995, 3000, 0.5)
    assert binom.ppf(0.0005, 3000, 0.75) <= newest <= binom.ppf(0.9995, 3000, 0.75)


def test_rows_of_a_context_are_uneven() -> None:
    """The one row that a context's cases share is exaggerated: its largest share is near 1 far more often."""
    largest = []
    for seed in range(60):
        network = random_context_network(8, 12, np.random.default_rng(seed), (2, 3))
        for variable, contexts in enumerate(network.contexts):
            shape = [int(network.arities[x]) for x in network.parents[variable]]
            cells = network.tables[variable].reshape(*shape, -1)
            for context in contexts:
                fixed = dict(context.key)
                row = cells[tuple(fixed.get(x, 0) for x in network.parents[variable])]
                assert row.sum() == pytest.approx(1.0)
                largest.append(row.max() / row.min())
    plain = [row.max() / row.min() for row in random_rows(2000, 2, np.random.default_rng(0))]
    assert len(largest) > 100
    assert np.median(largest) > 5 * np.median(plain)
