"""All pairs of bit planes and the information of pairs: kernels, twins, and walks over rows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.counting import backend
from engine.counting import numba_kernels as compiled
from engine.counting import numpy_counter as twins
from engine.counting import requests as requests_module
from engine.data.planes import build_planes
from engine.methods.log_linear import counts as ranked_pairs
from engine.methods.log_linear.counts import Counts, entropy_terms, log_factorials
from tests.engine.counting import slow_kernels


def table(rows: int, arity: list[int], seed: int = 0) -> engine.Dataset:
    """Random codes; every second variable leans on the one before it. Names in reverse alphabetical order."""
    rng = np.random.default_rng(seed)
    codes = np.array([rng.integers(0, r, rows) for r in arity])
    for i in range(1, len(arity), 2):
        codes[i] = np.where(rng.random(rows) < 0.5, codes[i - 1] % arity[i], codes[i])
    return engine.Dataset.from_codes(codes, arity, [f"v{len(arity) - i:03d}" for i in range(len(arity))])


def slow_information(data: engine.Dataset, a: str, b: str, given: list[str], weigh: np.ndarray) -> float:
    """w(S+a+b) + w(S) - w(S+a) - w(S+b) from dictionaries of counts."""

    def w(names: list[str]) -> float:
        seen: dict[tuple[int, ...], int] = {}
        for row in range(data.n_rows):
            key = tuple(int(data.column(name)[row]) for name in names)
            seen[key] = seen.get(key, 0) + 1
        return math.fsum(float(weigh[count]) for count in seen.values())

    return w([*given, a, b]) + w(given) - w([*given, a]) - w([*given, b])


@settings(max_examples=40)
@given(
    st.sampled_from([1, 63, 64, 65, 1000, 64 * 256, 64 * 256 + 1]),
    st.lists(st.integers(1, 4), min_size=1, max_size=8),
    st.integers(0, 1000),
    st.data(),
)
def test_plane_pairs_equal_the_twin(rows: int, arity: list[int], seed: int, draw: st.DataObject) -> None:
    """Every range of planes, with rows that end inside a word and at the edge of a block of 256 words."""
    data = table(rows, arity, seed)
    words = data.planes.words
    first = draw.draw(st.integers(0, len(words)))
    last = draw.draw(st.integers(first, len(words)))
    fast, slow = (np.zeros((last - first, len(words)), np.int64) for _ in range(2))
    compiled.plane_pairs(words, first, last, 0, words.shape[1], fast)
    twins.plane_pairs(words, first, last, 0, words.shape[1], slow)
    bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")[:, :rows].astype(np.int64)
    for i in range(first, last):
        assert fast[i - first, i:].tolist() == slow[i - first, i:].tolist() == (bits[i:] @ bits[i]).tolist()


@pytest.mark.parametrize("kernels", [compiled, twins])
def test_plane_pairs_add_to_what_is_there(kernels: object) -> None:
    """Counts are added up, so blocks of rows can follow each other."""
    data = table(200, [3, 3])
    once, twice = np.zeros((4, 4), np.int64), np.zeros((4, 4), np.int64)
    kernels.plane_pairs(data.planes.words, 0, 4, 0, data.planes.words.shape[1], once)  # type: ignore[attr-defined]
    for _ in range(2):
        kernels.plane_pairs(data.planes.words, 0, 4, 0, data.planes.words.shape[1], twice)  # type: ignore[attr-defined]
    assert np.triu(twice).tolist() == (2 * np.triu(once)).tolist()
    assert np.triu(once).sum() > 0


@settings(max_examples=30)
@given(st.integers(1, 300), st.lists(st.integers(1, 4), min_size=2, max_size=6), st.integers(0, 1000))
def test_information_kernels_equal_the_twins(rows: int, arity: list[int], seed: int) -> None:
    """pair_information of whole planes and table_information of random tables, both weights."""
    data = table(rows, arity, seed)
    planes = data.planes
    margins = np.concatenate([np.bincount(data.codes[i], minlength=r) for i, r in enumerate(arity)])
    offsets = np.concatenate([[0], np.cumsum(arity)[:-1]]).astype(np.int64)
    rng = np.random.default_rng(seed)
    r, s, q = (int(x) for x in rng.integers(1, 5, 3))
    tables = rng.integers(0, 9, (5, q * r * s + 3))
    members = np.array([3, 0, 4])
    for weights in (log_factorials(5000), entropy_terms(5000)):
        pairs = np.zeros((max(len(planes.words), 1), len(planes.words)), np.int64)
        twins.plane_pairs(planes.words, 0, len(planes.words), 0, planes.words.shape[1], pairs)
        for a in range(len(arity)):
            found = []
            for kernels in (compiled, slow_kernels):
                out = np.zeros(len(arity))
                start = int(planes.starts[a])
                kernels.pair_information(
                    a, pairs, start, planes.starts, data.arity, margins, offsets, weights, rows, out
                )
                found.append(out.tolist())
            assert found[0] == pytest.approx(found[1], abs=1e-8)
        out, slow = np.zeros(3), np.zeros(3)
        compiled.table_information(tables, members, q, r, s, weights, out)
        slow_kernels.table_information(tables, members, q, r, s, weights, slow)
        assert out.tolist() == pytest.approx(slow.tolist(), abs=1e-8)


@pytest.fixture(params=["compiled", "numpy"])
def either(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with the compiled kernels and again with NumPy's counts."""
    monkeypatch.setattr(backend, "_REPAYS", {"compiled": 0.0, "numpy": np.inf}[request.param])
    return request.param


@pytest.mark.parametrize("rows", [1, 64, 130])
@pytest.mark.parametrize("arity", [[1], [1, 1], [2, 3], [3, 1, 2, 4, 1]])
def test_all_pairs_equal_a_walk_over_rows(either: str, rows: int, arity: list[int]) -> None:
    """The whole symmetric matrix in alphabetical order, for one-level variables too."""
    data = table(rows, arity, seed=5)
    counts = Counts(data)
    for weights in (counts.log_factorials, counts.entropy_terms):
        found = counts.all_pairs(weights)
        assert (found == found.T).all()
        assert not found.diagonal().any()
        for a, name in enumerate(counts.names):
            for b, other in enumerate(counts.names):
                if a != b:
                    assert found[a, b] == pytest.approx(slow_information(data, name, other, [], weights), abs=1e-9)


@pytest.mark.parametrize("stripe", [1, 5, 128])
def test_stripes_do_not_show(either: str, stripe: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """More planes than a stripe holds, and variables wider than one, give the same numbers as one pair at a time."""
    data = table(300, [2, 140, 3, 60, 1, 2, 9], seed=2)
    monkeypatch.setattr(ranked_pairs, "_STRIPE", stripe)
    counts = Counts(data)
    found = counts.all_pairs(counts.log_factorials)
    for a, name in enumerate(counts.names):
        for b, other in enumerate(counts.names):
            if a < b:
                slow = slow_information(data, name, other, [], counts.log_factorials)
                assert found[a, b] == pytest.approx(slow, abs=1e-9)


@pytest.mark.parametrize("given_variables", [[], [2], [2, 0], [0, 2, 5]])
def test_information_given_others(either: str, given_variables: list[int]) -> None:
    """One variable against several at once, levels of different numbers, given others."""
    data = table(400, [3, 2, 2, 4, 3, 2], seed=3)
    counts = Counts(data)
    others = [x for x in range(6) if x not in given_variables and x != 1]
    found = counts.information(1, others, given_variables, counts.log_factorials)
    for b, value in zip(others, found.tolist(), strict=True):
        names = [counts.names[x] for x in given_variables]
        slow = slow_information(data, counts.names[1], counts.names[b], names, counts.log_factorials)
        assert value == pytest.approx(slow, abs=1e-9)


def test_tables_that_would_be_mostly_empty(either: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Variables of hundreds of levels take the way over observed cells, which gives the dense numbers."""
    data = table(500, [300, 250, 300, 2], seed=4)
    counts = Counts(data)
    sparse_calls = []
    original = Counts._sparse
    monkeypatch.setattr(Counts, "_sparse", lambda self, *rest: sparse_calls.append(1) or original(self, *rest))
    for weights in (counts.log_factorials, counts.entropy_terms):
        found = counts.information(1, [2, 0], [3], weights)
        for b, value in zip([2, 0], found.tolist(), strict=True):
            slow = slow_information(data, counts.names[1], counts.names[b], [counts.names[3]], weights)
            assert value == pytest.approx(slow, abs=1e-8)
    assert sparse_calls


@settings(max_examples=40)
@given(
    st.integers(0, 1000), st.lists(st.integers(0, 4), unique=True, min_size=1, max_size=5), st.sampled_from([1, 4096])
)
def test_margins(seed: int, variables: list[int], most_dense: int) -> None:
    """Observed cells with their counts by either way of counting, and sums over some of their variables."""
    data = table(90, [2, 3, 1, 4, 2], seed)
    counts = Counts(data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(requests_module, "_most", lambda _: most_dense)
        margin = counts.margin(variables)
    codes = [data.column(counts.names[x]) for x in variables]
    dense = np.zeros([int(counts.arity[x]) for x in variables], dtype=np.int64)
    np.add.at(dense, tuple(codes), 1)
    assert margin.dense(counts.arity).tolist() == dense.tolist()
    assert margin.counts.min() > 0
    assert margin.weight(counts.log_factorials) == pytest.approx(
        math.fsum(math.lgamma(n + 1) for n in dense.ravel().tolist())
    )
    fewer = list(np.random.default_rng(seed).permutation(variables)[: len(variables) // 2])
    over = margin.over(fewer)
    left = [x for x in variables if x in fewer]
    summed = dense.sum(axis=tuple(i for i, x in enumerate(variables) if x not in fewer))
    if not fewer:
        assert (over.cells.shape, over.counts.tolist()) == ((1, 0), [90])
        return
    summed = summed.transpose([left.index(x) for x in fewer])
    assert over.dense(counts.arity).tolist() == summed.tolist()


def test_weights() -> None:
    """ln n! and n ln n, exact to the last digits that doubles have."""
    assert log_factorials(0).tolist() == [0.0]
    assert log_factorials(170)[170] == pytest.approx(math.log(math.factorial(170)), rel=1e-15)
    assert log_factorials(1_000_000)[-1] == pytest.approx(math.lgamma(1_000_001), rel=1e-15)
    assert entropy_terms(3).tolist() == [0.0, 0.0, 2 * math.log(2), 3 * math.log(3)]


def test_margins_of_all_variables() -> None:
    """The counts of every level, in the order of the data."""
    data = table(77, [3, 1, 4])
    found = Counts(data).margins
    assert [one.tolist() for one in found] == [
        np.bincount(data.codes[i], minlength=r).tolist() for i, r in enumerate([3, 1, 4])
    ]


def test_planes_of_many_levels() -> None:
    """The planes behind all this: every level but the last, in order."""
    data = table(70, [3, 1, 2])
    planes = build_planes(data.codes, data.arity)
    assert planes.starts.tolist() == [0, 2, 2]
    assert len(planes.words) == 3
