"""Comparing two groups, and moving the prior of a comparison that is done."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from benchmarks.tables import two_groups
from engine.methods.group_difference.chance import chance


@pytest.mark.parametrize(("variables", "rows"), [(9, 5_000), (50, 1_000), (100, 1_000)])
def test_comparison(benchmark: Any, variables: int, rows: int) -> None:
    """Three networks and the evidence of every block, with `rows` rows in each group."""
    data = two_groups(variables, rows)
    method = engine.GroupDifference(group="arm")

    def setup() -> tuple[tuple[engine.Dataset], dict[str, object]]:
        return (data.select(data.names),), {}

    benchmark.pedantic(method.run, setup=setup, rounds=15, iterations=1, warmup_rounds=1)


@pytest.mark.parametrize("level", ["overall", "variable", "context"])
def test_moving_the_prior(benchmark: Any, level: str) -> None:
    """What the slider does for 100 variables: a new prior, then the ranking that the page draws."""
    result = engine.GroupDifference(group="arm").run(two_groups(100, 1_000))
    priors = iter([i / 1000 for i in range(1, 999)])

    def setup() -> tuple[tuple[float], dict[str, object]]:
        return (next(priors),), {}

    def move(prior: float) -> float:
        moved = result.with_prior(prior, level)
        moved.ranking()
        return moved.overall_log_odds

    benchmark.pedantic(move, setup=setup, rounds=15, iterations=1, warmup_rounds=1)


def test_with_prior(benchmark: Any) -> None:
    """The odds of 100 variables under another prior, without the ranking table."""
    result = engine.GroupDifference(group="arm").run(two_groups(100, 1_000))
    priors = iter([i / 1000 for i in range(1, 999)])

    def setup() -> tuple[tuple[float], dict[str, object]]:
        return (next(priors),), {}

    benchmark.pedantic(lambda prior: result.with_prior(prior).log_odds, setup=setup, rounds=50, iterations=1)


@pytest.mark.parametrize(("variables", "rows"), [(20, 500), (100, 5_000)])
def test_chance(benchmark: Any, variables: int, rows: int) -> None:
    """999 shuffles and more of every variable within the contexts of its parents, `rows` rows in each group."""
    method = engine.GroupDifference(group="arm")
    result = method.run(two_groups(variables, rows))
    benchmark.pedantic(chance, (method, result.names, result.common), rounds=5, iterations=1, warmup_rounds=1)


def test_shuffled_labels(benchmark: Any) -> None:
    """What runs behind the page: 20 of its 200 comparisons with shuffled labels, 50 variables, 1,000 rows in all."""
    method, data = engine.GroupDifference(group="arm"), two_groups(50, 500)
    method.null(data, 1)
    benchmark.pedantic(method.null, (data, 20), rounds=5, iterations=1)
