"""Rows that belong together: whole subjects dealt, halved and folded, and comparisons of dealt labels, beside rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import engine
from engine import execution
from engine.methods.group_difference.resampling import null
from engine.resampling import bootstrap, deal, half, k_fold

Draw = Callable[[int, np.random.Generator, np.ndarray | None], object]
DRAWS: dict[str, Draw] = {
    "deal": lambda n, generator, clusters: deal(np.arange(n) // 10 % 2 == 1, generator, clusters),
    "bootstrap": lambda n, generator, clusters: bootstrap(n, generator, clusters),
    "half": lambda n, generator, clusters: half(n, generator, clusters),
    "folds": lambda n, generator, clusters: list(k_fold(n, 10, generator, clusters)),
}


@pytest.mark.parametrize("rows", [2_000, 100_000])
@pytest.mark.parametrize("of", ["rows", "subjects"])
@pytest.mark.parametrize("name", DRAWS)
def test_draws(benchmark: Any, name: str, of: str, rows: int) -> None:
    """One shuffle, bootstrap, half sample or ten folds of rows, and of subjects with ten rows each."""
    clusters = np.arange(rows) // 10 if of == "subjects" else None
    benchmark.pedantic(DRAWS[name], (rows, np.random.default_rng(0), clusters), rounds=20, warmup_rounds=2)


def together(variables: int, clusters: int, rows: int, role: str) -> engine.Dataset:
    """A chain of binary variables whose rows share an effect of their cluster."""
    rng = np.random.default_rng(0)
    cluster = np.repeat(np.arange(clusters), rows)
    codes = np.zeros((variables, len(cluster)), dtype=np.int64)
    for i in range(variables):
        shared = rng.normal(0, 0.4, clusters)[cluster] + (codes[i - 1] if i else 0)
        codes[i] = shared + rng.normal(size=len(cluster)) > 0.4
    table = np.vstack([codes, (rng.permutation(clusters) % 2)[cluster], cluster])
    names = [*(f"v{i:02d}" for i in range(variables)), "arm", "clinic"]
    return engine.Dataset.from_codes(table, [2] * variables + [2, clusters], names, roles={"clinic": role})


@pytest.mark.parametrize(("variables", "clusters", "rows"), [(10, 20, 100), (10, 60, 10)])
@pytest.mark.parametrize("role", ["identifier", "subject"])
def test_shuffled_comparisons(benchmark: Any, role: str, variables: int, clusters: int, rows: int) -> None:
    """Ten comparisons of dealt labels, one thread: rows dealt, and whole clusters dealt with weighted counts."""
    data = together(variables, clusters, rows, role)
    with engine.execution.using(1):
        benchmark.pedantic(
            null, (engine.GroupDifference(group="arm"), data, execution.silent, 10, 1), rounds=5, warmup_rounds=1
        )
