"""Rows in memory: kept as codes while they are few, as planes alone where they are many; one answer either way."""

from __future__ import annotations

import gc
import pickle
import weakref
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import execution
from engine.data import memory_store
from engine.data.dataset import Dataset
from engine.data.memory_store import MemoryStore, planes_size
from engine.data.store import Block
from tests.engine.data.test_store import arities, drawn


def both(arity: list[int], rows: int, seed: int) -> tuple[MemoryStore, MemoryStore]:
    """The same rows as codes, and as planes alone."""
    codes, levels = drawn(arity, rows, seed), np.array(arity, dtype=np.int64)
    given = MemoryStore(levels, codes)
    return given, MemoryStore(levels, None, given.planes)


@given(arities, st.integers(1, 300), st.integers(0, 99), st.data())
def test_planes_alone_answer_what_codes_answer(arity: list[int], rows: int, seed: int, more: st.DataObject) -> None:
    """Codes, some of them, some rows, a selection of variables, and the digest."""
    given, packed = both(arity, rows, seed)
    which = more.draw(st.lists(st.integers(0, len(arity) - 1), unique=True))
    some = np.array(more.draw(st.lists(st.integers(0, rows - 1))), dtype=np.int64)
    for one, other in (
        (given.codes, packed.codes),
        (given.codes_of(which), packed.codes_of(which)),
        (given.some(some), packed.some(some)),
        (given.select(which).codes, packed.select(which).codes),
        (given.select(which).planes.words, packed.select(which).planes.words),
    ):
        assert np.array_equal(one, other) and one.dtype == other.dtype
    assert given.digests() == packed.digests() == given.select(range(len(arity))).digests()
    assert given.n_rows == packed.n_rows == rows


def test_large_tables_are_kept_as_planes_where_those_are_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then nothing holds the codes that were handed in; many levels are fewer bytes as codes."""
    monkeypatch.setattr(memory_store, "LARGE", 10_000)
    for levels, dropped in ((3, True), (8, True), (9, False), (200, False)):
        codes = drawn([levels] * 4, 3_200, 1)
        kept = weakref.ref(codes)
        store = MemoryStore.of(codes, np.array([levels] * 4))
        expected = codes.copy()
        del codes
        gc.collect()
        assert (kept() is None) == dropped
        assert (store.codes == expected).all()
        if dropped:
            assert store.nbytes == planes_size(store.arity, 3_200) < expected.nbytes
    few = drawn([3] * 4, 2_400, 1)
    assert MemoryStore.of(few, np.array([3] * 4)).codes is few


def test_codes_of_planes_are_made_once_while_somebody_holds_them() -> None:
    """And are gone when nobody does."""
    _, packed = both([3, 2], 200, 0)
    codes = packed.codes
    assert packed.codes is codes and not codes.flags.writeable
    held = weakref.ref(codes)
    del codes
    gc.collect()
    assert held() is None


def test_codes_travel_or_planes_but_never_both() -> None:
    """A store that has packed its codes sends the codes alone; one without codes its planes."""
    given, packed = both([3, 2, 4], 500, 2)
    size = len(pickle.dumps(MemoryStore(given.arity, given.codes)))
    assert len(pickle.dumps(given)) == size
    assert len(pickle.dumps(packed)) < size
    for one in (given, packed):
        again = pickle.loads(pickle.dumps(one))  # noqa: S301
        assert np.array_equal(again.codes, given.codes) and again.n_rows == 500


def rows_of(block: Block, item: int) -> np.ndarray:
    """How many rows of the part have each level of a variable, and which rows it has; by a walk."""
    begin, end = block.rows
    return np.bincount(block.codes([item], begin, end)[0], minlength=5)


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("items", [[0], [1, 0], list(range(3)) * 9])
@pytest.mark.parametrize("work", [0.0, 1e4, 1e9])
def test_the_same_whatever_the_threads(threads: int, items: list[int], work: float) -> None:
    """Work is cut by rows, or by what is asked where that is much; nothing is counted twice."""
    for store in both([3, 5, 2], 40_000, 3):
        with execution.using(threads):
            found = store.totals(rows_of, items, work)
        expected = [np.bincount(store.codes[item], minlength=5).tolist() for item in items]
        assert [one.tolist() for one in found] == expected


def test_work_that_pays_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little work is not; much goes to as many pieces as threads have use for."""
    asked: list[int] = []

    def counted(function: Any, pieces: Any) -> list[Any]:
        asked.append(len(pieces))
        return [function(one) for one in pieces]

    monkeypatch.setattr(memory_store, "share", counted)
    store, _ = both([3, 5, 2], 200_000, 3)
    with execution.using(2):
        store.totals(rows_of, [0], 50.0)
        assert asked == []
        store.totals(rows_of, [0], 1e6)
        assert asked == [4]
        store.totals(rows_of, [0] * 100, 1e6)
        assert asked == [4, 8]
    with execution.using(1):
        store.totals(rows_of, [0], 1e9)
    assert asked == [4, 8]


def test_a_large_table_is_as_good_as_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything that a data set does, with codes kept and with planes alone."""
    codes = drawn([3, 2, 4, 2], 700, 5).copy()

    def made() -> list[Any]:
        data = Dataset.from_codes(codes, [["a", "b", "c"], 2, 4, 2], ["w", "x", "y", "z"])
        part = data.rows(np.arange(0, 700, 3)).select(["y", "w"])
        parts = data.split("w")
        tidy = data.rows(data.column("w") != 1).without_empty_levels()
        again = pickle.loads(pickle.dumps(data))  # noqa: S301
        tables = [data, part, *parts.values(), tidy[0], again, data.with_codes(data.codes[:, ::-1])]
        return [
            [(one.fingerprint, one.codes.tolist(), one.origin.tolist()) for one in tables],
            tidy[1],
            data.head(9).to_dict(),
            data.to_frame().to_dict(),
        ]

    small = made()
    monkeypatch.setattr(memory_store, "LARGE", 1)
    assert Dataset.from_codes(codes, [3, 2, 4, 2], ["w", "x", "y", "z"]).store._given is None  # type: ignore[attr-defined]
    assert made() == small
