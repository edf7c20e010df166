"""Comparing two groups, averaged over orders and by the paper's single order, and moving the prior of what is done."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
from benchmarks.tables import Size, draw, random_network, two_groups
from engine.methods.group_difference.chance import chance

SINGLE = {"average": "none", "score": engine.K2()}
"""The paper's comparison: beside it stands what the average costs more."""


def questionnaire(variables: int, rows: int, levels: int) -> engine.Dataset:
    """Rows of one network whose labels are dealt at random, in halves."""
    rng = np.random.default_rng(1)
    network = random_network(Size(rows, variables, round(1.5 * variables), (levels, levels)), rng)
    codes = np.vstack([draw(network, rows, rng), rng.permutation(np.arange(rows) % 2)[None, :]])
    return engine.Dataset.from_codes(
        codes, [levels] * variables + [2], [*(f"v{i:03d}" for i in range(variables)), "arm"]
    )


@pytest.mark.parametrize("average", ["orders", "none"])
@pytest.mark.parametrize(("variables", "rows", "levels"), [(18, 355, 2), (20, 10_000, 3)])
def test_average(benchmark: Any, variables: int, rows: int, levels: int, average: str) -> None:
    """P(differs) and both groups' links by exact sums, one thread; beside it the single order of the same table."""
    data = questionnaire(variables, rows, levels)
    method = engine.GroupDifference(group="arm", average=average)
    with engine.execution.using(1):
        benchmark.pedantic(method.run, (data,), rounds=3, iterations=1, warmup_rounds=1)


@pytest.mark.parametrize("variables", [50, 200])
def test_average_by_walks(benchmark: Any, variables: int) -> None:
    """P(differs) and both groups' links of 2,000 rows by order MCMC, one thread."""
    data = questionnaire(variables, 2_000, 2)
    with engine.execution.using(1):
        benchmark.pedantic(engine.GroupDifference(group="arm").run, (data,), rounds=1, iterations=1)


def test_average_under_another_prior(benchmark: Any) -> None:
    """P(differs) of 18 variables where `p_none` is moved: families are kept, sums are made again."""
    result = engine.GroupDifference(group="arm").run(questionnaire(18, 355, 2))
    priors = iter(np.linspace(0.1, 0.9, 60).tolist())

    def setup() -> tuple[tuple[float], dict[str, object]]:
        return (next(priors),), {}

    def move(prior: float) -> pd.Series:
        return result.with_prior(p_none=prior).posterior.probabilities

    with engine.execution.using(1):
        benchmark.pedantic(move, setup=setup, rounds=15, iterations=1, warmup_rounds=1)


@pytest.mark.parametrize(("variables", "rows"), [(9, 5_000), (50, 1_000), (100, 1_000)])
def test_comparison(benchmark: Any, variables: int, rows: int) -> None:
    """Three networks and the evidence of every block, with `rows` rows in each group."""
    data = two_groups(variables, rows)
    method = engine.GroupDifference(group="arm", **SINGLE)

    def setup() -> tuple[tuple[engine.Dataset], dict[str, object]]:
        return (data.select(data.names),), {}

    benchmark.pedantic(method.run, setup=setup, rounds=15, iterations=1, warmup_rounds=1)


@pytest.mark.parametrize("level", ["overall", "variable", "context"])
def test_moving_the_prior(benchmark: Any, level: str) -> None:
    """What the slider does for 100 variables: a new prior, then the ranking that the page draws."""
    result = engine.GroupDifference(group="arm", **SINGLE).run(two_groups(100, 1_000))
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
    result = engine.GroupDifference(group="arm", **SINGLE).run(two_groups(100, 1_000))
    priors = iter([i / 1000 for i in range(1, 999)])

    def setup() -> tuple[tuple[float], dict[str, object]]:
        return (next(priors),), {}

    benchmark.pedantic(lambda prior: result.with_prior(prior).log_odds, setup=setup, rounds=50, iterations=1)


@pytest.mark.parametrize(("variables", "rows"), [(20, 500), (100, 5_000)])
def test_chance(benchmark: Any, variables: int, rows: int) -> None:
    """999 shuffles and more of every variable on its own, `rows` rows in each group."""
    method = engine.GroupDifference(group="arm", **SINGLE)
    result = method.run(two_groups(variables, rows))
    benchmark.pedantic(chance, (method, result.names, result.marginal), rounds=5, iterations=1, warmup_rounds=1)


def test_shuffled_labels(benchmark: Any) -> None:
    """What runs behind the page: 20 of its 200 comparisons with shuffled labels, 50 variables, 1,000 rows in all."""
    method, data = engine.GroupDifference(group="arm", **SINGLE), two_groups(50, 500)
    method.null(data, 1)
    benchmark.pedantic(method.null, (data, 20), rounds=5, iterations=1)
