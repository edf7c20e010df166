"""Log-linear analysis of tables like D3 of Petitjean et al. (2014): packing, search, whole run and what-if, apart.

python -m pytest benchmarks/test_log_linear.py
python -m benchmarks.past_memory.ordinary      # peak memory of a fresh process
"""

from __future__ import annotations

import itertools
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
from engine.graphs.chordal import DecomposableGraph
from engine.methods.log_linear.counts import Counts
from engine.methods.log_linear.criteria import CRITERIA
from engine.methods.log_linear.search import JointMoves, Search
from engine.simulation.associations import AssociationModel, health_survey, many_variables

SIZES = {
    "24 x 5,000": (0, "mixed", 5_000),
    "150 x 10^4": (1, "ternary", 10_000),
    "150 x 10^5": (1, "ternary", 100_000),
    "150 x 10^6": (1, "ternary", 1_000_000),
    "150 x 10^6 mixed": (1, "mixed", 1_000_000),
    "150 x 10^6 binary": (1, "binary", 1_000_000),
    "300 x 10^5": (2, "ternary", 100_000),
    "1,050 x 10^5": (7, "ternary", 100_000),
    "3,000 x 10^4": (20, "ternary", 10_000),
}
"""How many D3 side by side (0: the survey), levels, rows."""
VERY_WIDE = (67, "mixed", 10_000)
"""10,050 variables."""
ROUNDS = 7


@lru_cache(maxsize=1)
def table(size: str) -> tuple[AssociationModel, np.ndarray]:
    """A model and the codes drawn from it; the last one is kept."""
    copies, levels, rows = SIZES[size]
    rng = np.random.default_rng(1)
    model = many_variables(levels, rng, copies) if copies else health_survey(rng)
    return model, model.sample_codes(rows, rng)


def dataset(size: str, packed: bool = True) -> engine.Dataset:
    """A new data set over the same codes."""
    model, codes = table(size)
    data = engine.Dataset.from_codes(codes, [int(arity) for arity in model.arities], model.names)
    if packed:
        assert data.planes.n_rows == data.n_rows
    return data


def select(data: engine.Dataset, criterion: str, joint: bool) -> Search:
    """Counting and search alone, what the authors' program calls its search; nothing counted is kept between calls."""
    counts = Counts(data)
    search = Search(counts, CRITERIA[criterion](counts, 0.05), DecomposableGraph(data.n_variables))
    search.run(JointMoves(search).take_best if joint else None)
    return search


@pytest.mark.parametrize("size", list(SIZES))
def test_packing(benchmark: Any, size: str) -> None:
    """Codes to bit planes."""

    def setup() -> tuple[tuple[engine.Dataset], dict[str, Any]]:
        return (dataset(size, packed=False),), {}

    benchmark.pedantic(lambda data: data.planes, setup=setup, rounds=ROUNDS, iterations=1, warmup_rounds=1)


@pytest.mark.parametrize("size", list(SIZES))
def test_search(benchmark: Any, size: str) -> None:
    """MML after packing."""
    model, _ = table(size)
    search = benchmark.pedantic(
        select, args=(dataset(size), "mml", False), rounds=ROUNDS, iterations=1, warmup_rounds=1
    )
    names = search.counts.names
    found = {(names[a], names[b]) for a, b in search.graph.edges()}
    benchmark.extra_info |= {"edges": len(found), "false": len(found - model.edges), "true": len(model.edges)}


@pytest.mark.parametrize("size", ["150 x 10^5", "150 x 10^6", "1,050 x 10^5"])
@pytest.mark.parametrize(("criterion", "joint"), [("mml", True), ("smt", False)], ids=["joint", "smt"])
def test_other_searches(benchmark: Any, size: str, criterion: str, joint: bool) -> None:
    """With joint moves, and SMT with its exact logarithms of p."""
    args = (dataset(size), criterion, joint)
    benchmark.pedantic(select, args=args, rounds=3, iterations=1, warmup_rounds=1)


@pytest.mark.parametrize("size", list(SIZES))
def test_run(benchmark: Any, size: str) -> None:
    """`LogLinear().run` after packing: digest of the data, search, refused candidates and the result's own tables."""

    def setup() -> tuple[tuple[engine.Dataset], dict[str, Any]]:
        return (dataset(size),), {}

    benchmark.pedantic(engine.LogLinear().run, setup=setup, rounds=ROUNDS, iterations=1, warmup_rounds=1)


def test_very_wide(benchmark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """`LogLinear().run` of 10,050 variables after packing, once."""
    monkeypatch.setitem(SIZES, "10,050 x 10^4", VERY_WIDE)
    result = benchmark.pedantic(engine.LogLinear().run, args=(dataset("10,050 x 10^4"),), rounds=1, iterations=1)
    benchmark.extra_info |= {"edges": result.chosen.n_edges}


@pytest.mark.parametrize("size", ["150 x 10^5", "150 x 10^6"])
@pytest.mark.parametrize("kind", ["remove", "add"])
def test_what_if(benchmark: Any, size: str, kind: str) -> None:
    """One edge more or fewer: every edge of the model in turn, or the refused candidates."""
    data = dataset(size)
    result = engine.LogLinear().run(data)
    pairs = list(result.graph.edges) if kind == "remove" else result.refused[["a", "b"]].to_numpy().tolist()
    turn = itertools.cycle(pairs)

    def setup() -> tuple[tuple[engine.Dataset, str, str], dict[str, Any]]:
        a, b = next(turn)
        return (data, a, b), {}

    benchmark.pedantic(result.what_if, setup=setup, rounds=max(len(pairs), 20), iterations=1, warmup_rounds=1)


def test_reading(benchmark: Any, tmp_path: Path) -> None:
    """150 x 10^5 from a CSV file into codes."""
    file = tmp_path / "d3.csv"
    dataset("150 x 10^5", packed=False).to_frame().to_csv(file, index=False)

    def read() -> engine.Dataset:
        return engine.Dataset.from_frame(engine.read_table(file))

    assert benchmark.pedantic(read, rounds=1, iterations=1).n_variables == 150
