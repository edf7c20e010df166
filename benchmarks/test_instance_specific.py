"""One patient's network and whole cohorts, the population network given: 50 nodes with 100 arcs, and 143 variables."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import engine
from benchmarks.tables import dataset, make_snv_table, make_table


@cache
def population(size: str) -> tuple[engine.Dataset, Any]:
    """A table and its population network; "snv" with its first 438 rows for the cohort."""
    codes, arity = make_snv_table() if size == "snv" else make_table(size)
    data = dataset(codes, arity)
    return data, engine.InstanceSpecific().learn_population(data)


@pytest.mark.parametrize("size", ["b", "snv"])
def test_first_patient(benchmark: Any, size: str) -> None:
    """The first patient in order-kept mode after the population network was learned."""
    data, _ = population(size)
    method = engine.InstanceSpecific()

    def setup() -> tuple[tuple[engine.Dataset, int], dict[str, Any]]:
        return (data, 7), {"population": method.learn_population(data)}

    benchmark.pedantic(method.run, setup=setup, rounds=15, iterations=1, warmup_rounds=1)


@pytest.mark.parametrize(
    "settings",
    [{}, {"additions": True}, {"mode": "published"}],
    ids=["order_kept", "additions", "published"],
)
@pytest.mark.parametrize("size", ["b", "snv"])
def test_next_patient(benchmark: Any, size: str, settings: dict[str, Any]) -> None:
    """One patient after another; families are counted, answers for equal values are kept."""
    data, network = population(size)
    method = engine.InstanceSpecific(**settings)
    rows = iter(range(data.n_rows))

    def setup() -> tuple[tuple[engine.Dataset, int], dict[str, Any]]:
        return (data, next(rows)), {"population": network}

    benchmark.pedantic(method.run, setup=setup, rounds=30, iterations=1, warmup_rounds=1)


@pytest.mark.parametrize("size", ["b", "snv"])
def test_links_of_a_patient(benchmark: Any, size: str) -> None:
    """Every link of the next patient compared with the others, with intervals and p."""
    data, network = population(size)
    method = engine.InstanceSpecific()
    rows = iter(range(data.n_rows))

    def setup() -> tuple[tuple[engine.Dataset, int], dict[str, Any]]:
        return (data, next(rows)), {"population": network}

    def links(table: engine.Dataset, row: int, population: Any) -> int:
        return sum(one.asked for one in method.run(table, row, population=population).links)

    asked = benchmark.pedantic(links, setup=setup, rounds=30, iterations=1, warmup_rounds=1)
    benchmark.extra_info["asked"] = asked


def test_kappa_slider(benchmark: Any) -> None:
    """Another kappa for the same patient, and everything the page draws of it."""
    data, network = population("b")
    kappas = iter([i / 100 for i in range(1, 100)])

    def setup() -> tuple[tuple[float], dict[str, Any]]:
        return (next(kappas),), {}

    def move(kappa: float) -> str:
        result = engine.InstanceSpecific(kappa=kappa).run(data, 3, population=network)
        result.graphs()
        result.families()
        return result.summary()

    benchmark.pedantic(move, setup=setup, rounds=30, iterations=1, warmup_rounds=1)


@pytest.mark.parametrize(("size", "patients"), [("b", 1000), ("snv", 438)])
def test_cohort(benchmark: Any, size: str, patients: int) -> None:
    """A cohort in order-kept mode, the population network just learned."""
    data, _ = population(size)
    method = engine.InstanceSpecific()

    def setup() -> tuple[tuple[engine.Dataset, range], dict[str, Any]]:
        return (data, range(patients)), {"population": method.learn_population(data)}

    found = benchmark.pedantic(
        method.run_cohort,
        setup=setup,
        rounds=5,
        iterations=1,
        warmup_rounds=1,
    )
    benchmark.extra_info["patterns"] = len(found.patterns())
