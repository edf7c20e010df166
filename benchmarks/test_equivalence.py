"""GES on a random network and on a table like a genetic study's, with and without the faithfulness shortcut."""

from __future__ import annotations

from typing import Any

import pytest

import engine
from benchmarks.tables import dataset, make_snv_table, make_table


@pytest.mark.parametrize("fast", [False, True], ids=["full", "fast"])
@pytest.mark.parametrize("size", ["b", "snv"])
def test_ges(benchmark: Any, size: str, fast: bool) -> None:
    """BDeu(1), one expected parent; warm kernels, and a new data set in every round, so nothing is counted yet."""
    codes, arity = make_snv_table() if size == "snv" else make_table(size)

    def setup() -> tuple[tuple[engine.Dataset], dict[str, object]]:
        return (dataset(codes, arity),), {}

    graph = benchmark.pedantic(
        lambda data: engine.learn(data, engine.BDeu(1.0), search="ges", fast=fast, structure_prior=1.0),
        setup=setup,
        rounds=11,
        iterations=1,
    )
    undirected = sum(graph.has_edge(b, a) for a, b in graph.edges) // 2
    benchmark.extra_info["edges"] = graph.number_of_edges() - undirected
    benchmark.extra_info["undirected"] = undirected
