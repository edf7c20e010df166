"""Posteriors of sample networks and of large random ones against pgmpy's elimination."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import sample_data
from engine.models import Network, explain_change, fitted, posteriors, random_network
from engine.simulation.networks import random_arities, random_dag

discrete = pytest.importorskip("pgmpy.factors.discrete", reason="pgmpy is not installed")
models = pytest.importorskip("pgmpy.models", reason="pgmpy is not installed")
inference = pytest.importorskip("pgmpy.inference", reason="pgmpy is not installed")


def to_pgmpy(network: Network):  # type: ignore[no-untyped-def]  # pgmpy has no types
    """The same network in pgmpy."""
    model = models.DiscreteBayesianNetwork()
    model.add_nodes_from(network.names)
    for child, family in enumerate(network.parents):
        model.add_edges_from((network.names[parent], network.names[child]) for parent in family)
    for child, family in enumerate(network.parents):
        model.add_cpds(
            discrete.TabularCPD(
                network.names[child],
                len(network.levels[child]),
                network.tables[child].T,
                [network.names[parent] for parent in family],
                [len(network.levels[parent]) for parent in family],
                {network.names[i]: list(network.levels[i]) for i in (child, *family)},
            )
        )
    return model


def sample_network(key: str) -> Network:
    """The network that made a sample table, its tables fitted to the rows."""
    data, truth = sample_data.dataset(key), sample_data.truth(key)
    parents: list[set[int]] = [set() for _ in data.names]
    for source, target in truth["arcs"]:
        parents[data.index(target)].add(data.index(source))
    return fitted(data, tuple(tuple(sorted(family)) for family in parents))


def networks() -> list[tuple[str, Network]]:
    """Two that made a sample table and eight random ones."""
    result = [(key, sample_network(key)) for key in ("two_hospitals", "cough_and_smoke")]
    for seed in range(8):
        rng = np.random.default_rng(seed)
        p = 8 + 2 * seed
        dag = random_dag(p, int(1.3 * p), rng)
        result.append((f"random {p}", random_network(dag, random_arities(p, (2, 3), rng), rng)))
    return result


@pytest.mark.parametrize(("name", "network"), networks(), ids=[name for name, _ in networks()])
def test_posteriors_equal_pgmpy(name: str, network: Network) -> None:
    """Every variable's levels to 1e-10, with no, two and four pieces of evidence."""
    engine = inference.VariableElimination(to_pgmpy(network))
    for count in (0, 2, 4):
        rng = np.random.default_rng(count)
        chosen = map(int, rng.choice(len(network.names), count, replace=False))
        evidence = {network.names[i]: network.levels[i][int(rng.integers(len(network.levels[i])))] for i in chosen}
        result = posteriors(network, evidence)
        assert result.draws == 0
        for variable, levels in zip(network.names, network.levels, strict=True):
            if variable in evidence:
                continue
            factor = engine.query([variable], evidence, show_progress=False)
            expected = [factor.get_value(**{variable: level}) for level in levels]
            assert result[variable] == pytest.approx(expected, abs=1e-10), (name, variable)
        target = next(variable for variable in network.names if variable not in evidence)
        explained = explain_change(network, target, network.levels[network.names.index(target)][0], evidence)
        assert abs(sum(explained.shares.values()) - explained.change) < 1e-9


def test_twelve_pieces_of_evidence_are_split_by_drawn_orders() -> None:
    """Above ten pieces the shares still sum to the change to 1e-9."""
    rng = np.random.default_rng(5)
    network = random_network(random_dag(20, 26, rng), [2] * 20, rng)
    evidence = dict.fromkeys(itertools.islice(network.names, 1, 13), "1")
    result = explain_change(network, network.names[0], "1", evidence)
    assert result.orders == 100 and len(result.shares) == 12
    assert abs(sum(result.shares.values()) - result.change) < 1e-9
