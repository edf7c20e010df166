"""Drawing rows from a network, and the blocks of the study of group comparisons, without the lasso.

The targets: 10^6 rows of 50 variables in 1 s, a block of 20 pairs over five variables in 0.15 s.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from benchmarks.papers.group_difference.plan import Plan
from benchmarks.papers.group_difference.study import _one_block, original
from engine.data.dataset import Dataset
from engine.methods.group_difference.method import GroupDifference
from engine.models.network import Network, random_network
from engine.simulation.networks import expected_neighbours_dag, random_arities
from engine.simulation.perturb import perturbed_pair
from tests.engine.make import balance_scale


@pytest.mark.parametrize("levels", [(2, 2), (2, 4)])
def test_drawing_a_million_rows(benchmark: Any, levels: tuple[int, int]) -> None:
    """50 variables with three neighbours each on average."""
    generator = np.random.default_rng(0)
    arcs = expected_neighbours_dag(50, 3.0, generator)
    network = random_network(arcs, random_arities(50, levels, generator), generator)
    benchmark.pedantic(network.sample_codes, args=(10**6, generator), rounds=5, iterations=1, warmup_rounds=1)


def shaped_like_hayes_roth() -> Network:
    """Four attributes of 3, 4, 4 and 4 levels, three of which decide a class of 3."""
    return random_network(((), (), (), (), (1, 2, 3)), (3, 4, 4, 4, 3), np.random.default_rng(0), concentration=0.3)


@pytest.mark.parametrize("rows", [500, 5000])
@pytest.mark.parametrize("name", ["balance-scale", "hayes-roth"])
def test_the_odds_of_one_block(benchmark: Any, name: str, rows: int) -> None:
    """The same 20 pairs, the odds as published and nothing else: sixty networks learned, and weighed."""
    network = original(balance_scale()) if name == "balance-scale" else shaped_like_hayes_roth()
    generator = np.random.default_rng(0)
    pairs = [perturbed_pair(network, "parametric", 3, generator).sample(rows, generator) for _ in range(20)]

    def fresh() -> tuple[tuple[list[Dataset]], dict[str, Any]]:
        """Tables that have not packed their bit planes yet."""
        return ([Dataset.from_codes(data.codes, list(data.levels.values()), data.names) for data in pairs],), {}

    def score(tables: list[Dataset]) -> None:
        for data in tables:
            GroupDifference(group="group").run(data)

    benchmark.pedantic(score, setup=fresh, rounds=7, iterations=1, warmup_rounds=1)


@pytest.mark.parametrize("rows", [500, 5000])
@pytest.mark.parametrize("name", ["balance-scale", "hayes-roth"])
def test_one_block(benchmark: Any, name: str, rows: int) -> None:
    """20 pairs of groups with three changed rows: drawn, and scored by odds (with and without order), chi-squared."""
    network = original(balance_scale()) if name == "balance-scale" else shaped_like_hayes_roth()
    plan, block = Plan(sets=(name,), repeats=1, lasso=False), (name, "parametric", 3, rows, 0)
    benchmark.pedantic(_one_block, args=(plan, {name: network}, block), rounds=7, iterations=1, warmup_rounds=1)
