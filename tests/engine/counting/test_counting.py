"""Counts against loops over rows, and compiled kernels against their NumPy twins."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.counting import backend
from engine.counting import numba_kernels as compiled
from engine.counting import numpy_counter as twins
from engine.counting.requests import addition_counts, family_counts, family_table, sparse_additions
from tests.engine.counting import slow_kernels
from tests.engine.make import random_data
from tests.floor.tree import ROOT


def slow_counts(data: engine.Dataset, child: int, parents: tuple[int, ...]) -> Counter:
    """Count (parent configuration, child level) by walking the rows."""
    return Counter(
        (tuple(int(data.codes[x, row]) for x in parents), int(data.codes[child, row])) for row in range(data.n_rows)
    )


def _grouped(slow: Counter, levels: int) -> dict[tuple[int, ...], list[tuple[int, int]]]:
    """Parent configuration -> (child level, rows) for every level."""
    return {x: [(k, slow[x, k]) for k in range(levels)] for x in {x for x, _ in slow}}


@pytest.fixture(params=["compiled", "numpy"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with the compiled kernels and again with NumPy's counts."""
    monkeypatch.setattr(backend, "_REPAYS", {"compiled": 0.0, "numpy": np.inf}[request.param])
    return request.param


@pytest.mark.parametrize("parents", [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4, 5, 6)])
@pytest.mark.parametrize("rows", [1, 63, 64, 65, 1000])
def test_family_counts_equal_a_walk_over_rows(either: str, parents: tuple[int, ...], rows: int) -> None:
    """Planes, histograms and sorting all give the numbers of the obvious loop."""
    data = random_data(rows, 8, 10, seed=rows)
    slow = slow_counts(data, 0, parents)
    observed, table = family_table(data, 0, parents)
    assert {
        (tuple(map(int, observed[j])), k): int(n) for j, row in enumerate(table) for k, n in enumerate(row) if n
    } == slow
    counts = family_counts(data, 0, parents)
    assert counts.sum() == rows
    by_row = {x: [n for _, n in sorted(group)] for x, group in _grouped(slow, int(data.arity[0])).items()}
    assert [row for row in counts.tolist() if any(row)] == [by_row[x] for x in sorted(by_row)]


@pytest.mark.parametrize("parents", [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4, 5)])
def test_additions_equal_single_families(either: str, parents: tuple[int, ...]) -> None:
    """Counting all candidates in one pass gives each candidate's own table."""
    data = random_data(700, 9, 12, seed=3)
    candidates = np.array([6, 7, 8])
    found = addition_counts(data, 0, parents, candidates)
    assert found is not None
    for m, x in enumerate(candidates):
        s, r, q = int(data.arity[x]), int(data.arity[0]), found.configurations
        table = found.tables[m, : q * r * s].reshape(q, r, s).transpose(0, 2, 1).reshape(-1, r)
        slow = _grouped(slow_counts(data, 0, (*parents, int(x))), r)
        expected = [[n for _, n in sorted(slow[key])] for key in sorted(slow)]
        assert [row for row in table.tolist() if any(row)] == expected


def test_many_configurations_never_overflow() -> None:
    """Thirty parents of four levels have 4^30 configurations; only the rows' own are stored."""
    rng = np.random.default_rng(0)
    data = engine.Dataset.from_codes(rng.integers(0, 4, (42, 300)), [4] * 42, [f"x{i}" for i in range(42)])
    parents = tuple(range(1, 41))
    configurations, table = family_table(data, 0, parents)
    assert len(table) == len({tuple(row) for row in data.codes[1:41].T.tolist()})
    assert table.sum() == 300
    assert configurations.shape == (len(table), 40)


@settings(max_examples=40)
@given(st.integers(1, 400), st.integers(0, 10_000), st.lists(st.integers(1, 5), unique=True, max_size=4))
def test_compiled_and_twin_agree(rows: int, seed: int, parents: list[int]) -> None:
    """Every kernel and its twin write the same numbers."""
    data = random_data(rows, 7, 6, seed)
    planes, which, r = data.planes, np.array(parents, dtype=np.int64), int(data.arity[0])
    cells = r * int(np.prod(data.arity[which], dtype=int))
    candidates = np.array([6])
    size = cells * int(data.arity[6])
    code = np.random.default_rng(seed).integers(0, cells, rows).astype(np.uint32)
    n_words = planes.words.shape[1]
    for name, arguments, shape in [
        (
            "plane_additions",
            (planes.words, planes.starts, data.arity, np.array([*which, 0]), candidates, rows, 0, n_words),
            (1, size),
        ),
        ("histogram_family", (data.codes, data.arity, np.array([*which, 0]), 0, rows), (cells,)),
        ("histogram_additions", (code, data.codes, 0, data.arity, candidates), (1, size)),
    ]:
        fast, slow = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
        getattr(compiled, name)(*arguments, fast)
        getattr(twins, name)(*arguments, slow)
        assert (fast == slow).all(), name
        assert fast.sum() == rows, name


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 300), st.integers(0, 10_000), st.lists(st.integers(1, 4), unique=True, max_size=3))
def test_scores_of_additions_agree(rows: int, seed: int, parents: list[int]) -> None:
    """Both kernels score the tables of one pass alike, by lookup tables or without."""
    data = random_data(rows, 8, 6, seed)
    candidates = np.array([5, 6, 7])
    found = addition_counts(data, 0, tuple(parents), candidates)
    assert found is not None
    r, q = int(data.arity[0]), found.configurations
    for s in set(data.arity[candidates].tolist()):
        members, alpha = np.flatnonzero(data.arity[candidates] == s), 0.7 / (q * r * s)
        for looked_up in (False, True):
            cells, whole = np.empty(rows + 1 if looked_up else 0), np.empty(rows + 1 if looked_up else 0)
            if looked_up:
                compiled.lgamma_rise(alpha, cells)
                compiled.lgamma_rise(alpha * r, whole)
            fast, slow = np.zeros(3), np.zeros(3)
            compiled.dirichlet_additions(found.tables, members, s, q, r, alpha, cells, whole, fast)
            slow_kernels.dirichlet_additions(found.tables, members, s, q, r, alpha, cells, whole, slow)
            assert fast == pytest.approx(slow, rel=1e-9, abs=1e-9)
            for m in members:
                x = int(candidates[m])
                order = tuple(sorted((*parents, x)))
                assert slow[m] == pytest.approx(engine.BDeu(0.7).bind(data).local(0, order), rel=1e-9, abs=1e-9)


def test_sparse_additions_are_counted_by_what_occurs() -> None:
    """Each configuration of parents and candidate that a row has is one line of counts, and none is another's."""
    rng = np.random.default_rng(4)
    data = engine.Dataset.from_codes(rng.integers(0, [[3], [40], [50]], (3, 200)), [3, 40, 50], ["a", "b", "c"])
    slow = _grouped(slow_counts(data, 0, (1, 2)), 3)
    expected = [[n for _, n in sorted(slow[key])] for key in sorted(slow)]
    assert [table.tolist() for table in sparse_additions(data, 0, (1,), np.array([2]))] == [expected]


PROGRAM = """
import sys
sys.modules["numba"] = None  # an import of it now fails
import engine
from engine.counting.backend import prepare_compiled
from tests.engine.make import random_data
prepare_compiled()
data = random_data(200, 8, 12, seed=1)
for search in ("hill_climbing", "thick_thinning"):
    print(sorted(engine.learn(data, engine.BDeu(1.0), search).edges))
"""


def test_the_engine_works_without_numba() -> None:
    """In an interpreter where numba cannot be imported the same graphs are found."""
    shown = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, cwd=ROOT)
    data = random_data(200, 8, 12, seed=1)
    found = [engine.learn(data, engine.BDeu(1.0), search) for search in ("hill_climbing", "thick_thinning")]
    assert shown.stdout.splitlines() == [str(sorted(graph.edges)) for graph in found]
