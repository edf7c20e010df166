"""Learning one network, and two hundred of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine
from benchmarks.tables import dataset
from engine.counting.backend import prepare_compiled

ROUNDS = {"a": 15, "b": 15, "c": 15, "d": 15, "f": 5, "e": 3}
SCORES: dict[str, engine.K2 | engine.BDeu] = {"hill_climbing": engine.BDeu(1.0), "thick_thinning": engine.K2()}


@pytest.fixture(autouse=True, scope="module")
def compiler() -> None:
    """As after a warm-up: small searches too are compiled."""
    prepare_compiled()


@pytest.mark.parametrize("size", list(ROUNDS))
@pytest.mark.parametrize("search", list(SCORES))
def test_learn(benchmark: Any, table: Any, search: str, size: str) -> None:
    """One network with warm kernels; the data set is new in every round, so its bit planes are built again."""
    codes, arity = table(size)

    def setup() -> tuple[tuple[engine.Dataset], dict[str, object]]:
        return (dataset(codes, arity),), {}

    graph = benchmark.pedantic(
        lambda data: engine.learn(data, SCORES[search], search=search), setup=setup, rounds=ROUNDS[size], iterations=1
    )
    benchmark.extra_info["arcs"] = graph.number_of_edges()


@pytest.mark.parametrize(
    ("search", "max_parents", "rounds"),
    [("hill_climbing", None, 3), ("thick_thinning", 5, 3), ("thick_thinning", None, 1)],
)
def test_two_hundred_bootstrap_networks(
    benchmark: Any, table: Any, search: str, max_parents: int | None, rounds: int
) -> None:
    """20,000 x 37: draw the rows with replacement, learn, two hundred times over on one core.

    Rows drawn twice make K2 without a limit run away now and then (twenty parents and more), hence both ways.
    """
    data = dataset(*table("a"))

    def bootstrap() -> int:
        rng = np.random.default_rng(0)
        arcs = 0
        for _ in range(200):
            sample = data.rows(rng.integers(0, data.n_rows, data.n_rows))
            found = engine.learn(sample, SCORES[search], search=search, max_parents=max_parents)
            arcs += found.number_of_edges()
        return arcs

    arcs = benchmark.pedantic(bootstrap, rounds=rounds, iterations=1)
    benchmark.extra_info["arcs"] = arcs / 200
