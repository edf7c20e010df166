"""Which links differ: estimates, intervals and 1,999 draws of both groups, on one thread; searches are not timed.

For a reference: NetworkComparisonTest (R), 100 permutations of 10 binary variables, took 23 to 31 s of CPU, and
bgmCompare (bgms 0.2.0, R 4.2) 378 s of CPU on the table *adhd* of 18 binary variables and 355 rows.
"""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest

import engine
from engine.comparison.difference import find_differences
from engine.comparison.links import estimate_links, varying_names
from engine.comparison.structure import BareNetwork

SIZES = {
    "25 ratings x 800": (25, 5, 800, "ordinal"),
    "30 binary x 2,000": (30, 2, 2_000, "nominal"),
    "100 binary x 2,000": (100, 2, 2_000, "nominal"),
    "100 ratings x 2,000": (100, 5, 2_000, "ordinal"),
    "10 binary x 2,000": (10, 2, 2_000, "nominal"),
}
"""Variables, levels, rows of both groups, and kind."""
MOST = {"25 ratings x 800": 0.5, "30 binary x 2,000": 0.5, "100 binary x 2,000": 6.0}
"""CPU seconds asked for."""


def groups_of(variables: int, levels: int, rows: int, kind: str) -> tuple[list[engine.Dataset], list[BareNetwork]]:
    """Two groups of one table in which neighbours are linked, and their networks."""
    rng = np.random.default_rng(0)
    hidden = rng.standard_normal((variables, rows))
    for i in range(1, variables):
        hidden[i] += 0.5 * hidden[i - 1]
    cuts = np.linspace(-1.2, 1.2, levels - 1)
    codes = np.vstack([np.digitize(hidden, cuts), np.arange(rows) % 2])
    names = [f"v{i:03d}" for i in range(variables)]
    data = engine.Dataset.from_codes(
        codes, [levels] * variables + [2], [*names, "group"], kinds=dict.fromkeys(names, kind)
    )
    network = BareNetwork.of(nx.path_graph(names))
    return list(engine.by_group(data, "group").values()), [network, network]


@pytest.mark.parametrize("size", SIZES)
def test_links(benchmark: Any, size: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Estimates, intervals and draws of every pair; the peak of 100 variables is below 1 GiB."""
    variables, levels, rows, kind = SIZES[size]
    parts, networks = groups_of(variables, levels, rows, kind)
    if "ratings" in size:
        monkeypatch.setattr("engine.comparison.links.scale_of", lambda answer: "partial")

    def compare() -> Any:
        return find_differences(estimate_links(networks, parts, varying_names(networks, parts)).groups)

    with engine.execution.using(1):
        benchmark.pedantic(compare, rounds=5, warmup_rounds=1)


@pytest.mark.parametrize("scale", ["odds", "partial"])
def test_numbers(benchmark: Any, scale: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The whole comparison of 15 numbers and 10 ratings x 800 rows; 1 s of CPU is asked for."""
    rng = np.random.default_rng(0)
    hidden = rng.standard_normal((25, 800))
    for i in range(1, 25):
        hidden[i] += 0.5 * hidden[i - 1]
    columns = [*np.exp(hidden[:15]).round(3), *np.digitize(hidden[15:], [-1.2, -0.4, 0.4, 1.2])]
    names = [f"v{i:03d}" for i in range(25)]
    kinds = dict.fromkeys(names[:15], "continuous") | dict.fromkeys(names[15:], "ordinal")
    table = pd.DataFrame(dict(zip(names, columns, strict=True)) | {"group": np.arange(800) % 2})
    parts = list(engine.by_group(engine.Dataset.from_frame(table, kinds=kinds), "group").values())
    network = nx.path_graph(names)
    monkeypatch.setattr("engine.comparison.links.scale_of", lambda answer: scale)
    with engine.execution.using(1):
        benchmark.pedantic(lambda: engine.compare(network, network, data=parts), rounds=5, warmup_rounds=1)


def test_answer(benchmark: Any) -> None:
    """The whole of `engine.compare` with its words, of two associations of 18 symptoms."""
    data = engine.Dataset.from_codes(
        np.random.default_rng(0).integers(0, 2, (19, 355)), [2] * 19, [f"v{i:02d}" for i in range(19)]
    )
    parts = list(engine.by_group(data, "v18").values())
    answers = [engine.LogLinear().run(part) for part in parts]

    def compare() -> str:
        found = engine.compare(*answers, data=parts)
        found.links()
        return found.summary()

    with engine.execution.using(1):
        benchmark.pedantic(compare, rounds=5, warmup_rounds=1)
