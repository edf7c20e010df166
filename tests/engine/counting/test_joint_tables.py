"""Joint tables of sets of variables, and planes of some rows: kernels, their twins, and rows counted one by one."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.counting import joint_tables as module
from engine.counting import numba_kernels as compiled
from engine.counting import numpy_counter as twins
from engine.counting.joint_tables import joint_tables
from engine.counting.subset_store import RowSubset, SubsetStore


def data_of(rows: int, arity: list[int], seed: int) -> engine.Dataset:
    """Random codes; some variables have one level only."""
    rng = np.random.default_rng(seed)
    codes = np.array([rng.integers(0, r, rows) for r in arity])
    return engine.Dataset.from_codes(codes, arity, [f"v{i}" for i in range(len(arity))])


@settings(max_examples=30, deadline=None)
@given(
    st.integers(1, 700),
    st.lists(st.integers(1, 5), min_size=1, max_size=6),
    st.sampled_from([twins, compiled]),
    st.data(),
)
def test_every_cell_is_counted(rows: int, arity: list[int], kernels: object, more: st.DataObject) -> None:
    """Whatever sets are asked for, in whatever order."""
    data = data_of(rows, arity, rows)
    every = [item for k in range(1, 5) for item in itertools.combinations(range(len(arity)), k)]
    sets = more.draw(st.lists(st.sampled_from(every), min_size=1, max_size=12))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.counting.blocks.counter", lambda work: kernels)
        (tables,) = joint_tables([data], sets)
    assert tables.keys() == set(sets)
    for variables, table in tables.items():
        expected = np.zeros([arity[x] for x in variables], dtype=np.int64)
        np.add.at(expected, tuple(data.codes[list(variables)].astype(int)), 1)
        assert np.array_equal(table, expected)


def test_long_tables_are_counted_block_by_block() -> None:
    """More words than a block has, planes by fours and the rest."""
    data = data_of(200_003, [4, 3, 2, 5, 3], 1)
    sets = [(0, 1, 2, 3), (0, 1, 4), (0, 1, 2, 4), (1, 2, 3, 4), (3,)]
    begins, arity = module._variable_sets(sets, data.arity), data.arity
    counts = np.zeros((2, begins.cells), dtype=np.int64)
    about = begins.members, begins.sizes, begins.begins
    words = data.planes.words
    for kernels, own in zip((compiled, twins), counts, strict=True):
        kernels.plane_sets(words, data.planes.starts, arity, *about, 3, words.shape[1] - 5, own)
    assert np.array_equal(*counts) and counts.all()


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 1_500), st.sampled_from([0.0, 0.02, 0.5, 0.98, 1.0]), st.integers(0, 9))
def test_rows_are_put_side_by_side(rows: int, share: float, seed: int) -> None:
    """Few of them, most, all or none; from any word on."""
    rng = np.random.default_rng(seed)
    data = data_of(rows, [3, 2, 4], seed)
    words = data.planes.words
    first = int(rng.integers(0, words.shape[1]))
    mask = np.packbits(rng.random((words.shape[1] - first) * 64) < share, bitorder="little").view("<u8")
    kept = int(np.bitwise_count(mask).sum())
    out = np.zeros((2, 3, max(1, -(-kept // 64))), dtype=np.uint64)
    which = np.array([5, 0, 2])
    for kernels, own in zip((compiled, twins), out, strict=True):
        kernels.compress_planes(words, which, mask, first, own)
    assert np.array_equal(*out)


@pytest.mark.parametrize("kernels", [compiled, twins])
def test_nothing_is_touched_beyond_the_rows_that_are_kept(kernels: object) -> None:
    """They fill their words, and later words of the mask have none; Python checks the bounds."""
    words = np.full((1, 3), 2**64 - 1, dtype=np.uint64)
    compress = kernels.compress_planes  # type: ignore[attr-defined]
    compress = getattr(compress, "py_func", compress)
    for mask in ([2**64 - 1, 0], [0, 2**64 - 1, 0], [2**32 - 1, 2**64 - 2**32, 0]):
        out = np.zeros((1, 1), dtype=np.uint64)
        compress(words, np.array([0]), np.array(mask, dtype=np.uint64), 0, out)
        assert out.tolist() == [[2**64 - 1]]


def test_parts_of_different_stores_are_each_counted_in_their_own(tmp_path: Path) -> None:
    """One pass serves only those of the same store."""
    tables = [pd.DataFrame({"g": list("abab") * 50, "x": list("uuv") * k + ["v"] * (200 - 3 * k)}) for k in (20, 60)]
    parts = []
    for k, table in enumerate(tables):
        table.to_parquet(tmp_path / f"{k}.parquet")
        data = engine.Dataset.from_parquet(tmp_path / f"{k}.parquet", folder=tmp_path / str(k))
        subset = RowSubset(0, (k,), (0, 1), ((0, 1), (0, 1)))
        parts.append(data._with(store=SubsetStore(data.store, subset, 100)))
    for table, level, counted in zip(tables, "ab", joint_tables(parts, [(0, 1)]), strict=True):
        expected = [[((table["g"] == level) & (table["g"] == g) & (table["x"] == x)).sum() for x in "uv"] for g in "ab"]
        assert counted[0, 1].tolist() == expected
