"""Blocks on disk: written in whatever pieces, each is mapped, counted and given back."""

from __future__ import annotations

import gc
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine import execution
from engine.data.digest import ROWS
from engine.data.memory_store import MemoryStore
from engine.data.store import Block
from engine.data.stored import disk_store
from engine.data.stored.disk_store import PLANES, DiskStore, Layout, PlaneWriter
from engine.data.stored.folder import Folder
from engine.errors import DataError
from tests.engine.data.test_store import drawn

ARITY = [3, 2, 1, 12, 2]


def written(folder: Path, codes: np.ndarray, cuts: list[int]) -> DiskStore:
    """Codes handed over in pieces, in blocks of as few rows as may be."""
    arity = np.array(ARITY)
    with (folder / PLANES).open("wb") as file:
        writer = PlaneWriter(file, arity, ROWS)
        for begin, end in pairwise([0, *cuts, codes.shape[1]]):
            writer.add(codes[:, begin:end])
        writer.end()
    store = DiskStore(Folder(folder), Layout(writer.rows, ROWS, tuple(ARITY)))
    assert writer.digests == store.digests() == MemoryStore(arity, codes).digests()
    return store


@pytest.mark.parametrize("rows", [1, 64, ROWS - 1, ROWS, 2 * ROWS + 77])
@pytest.mark.parametrize("cuts", [[], [0, 1, 1], [ROWS - 3], [10, 20, ROWS + 5]])
def test_what_is_written_is_read(tmp_path: Path, rows: int, cuts: list[int]) -> None:
    """Block by block and row by row; the file is as long as its layout says."""
    codes = drawn(ARITY, rows, 1)
    store = written(tmp_path, codes, [cut for cut in cuts if cut <= rows])
    layout = store.layout
    assert (tmp_path / PLANES).stat().st_size == layout.size == layout.planes * 8 * -(-rows // 64)
    assert sum(layout.rows_of(number) for number in range(layout.blocks)) == rows == store.n_rows
    for number in range(layout.blocks):
        block = store.block(number)
        found = block.codes(range(len(ARITY)), 0, block.n_rows)
        assert np.array_equal(found, codes[:, number * ROWS : number * ROWS + block.n_rows])
    some = np.random.default_rng(0).integers(0, rows, 50)
    for one, expected in (
        (store, codes),
        (store.select([3, 0]), codes[[3, 0]]),
        (store.select([3, 0]).select([1]), codes[[0]]),
    ):
        assert np.array_equal(one.some(some), expected[:, some])


def sums(block: Block, item: int) -> np.ndarray:
    """By a walk."""
    return np.bincount(block.codes([item], *block.rows)[0], minlength=12)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_block_is_asked_once(tmp_path: Path, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever asks, and one after the other is mapped in a thread."""
    codes = drawn(ARITY, 3 * ROWS + 9, 2)
    store = written(tmp_path, codes, [])
    mapped: list[int] = []
    before = DiskStore.block
    monkeypatch.setattr(DiskStore, "block", lambda self, number: mapped.append(number) or before(self, number))
    with execution.using(threads):
        found = store.totals(sums, [0, 3])
    assert [one.tolist() for one in found] == [np.bincount(codes[x], minlength=12).tolist() for x in (0, 3)]
    assert sorted(mapped) == [0, 1, 2, 3]
    assert store.totals(sums, []) == [] and len(mapped) == 4


def test_what_is_mapped_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No more than a block is mapped at any time by one thread."""
    store = written(tmp_path, drawn(ARITY, 3 * ROWS, 2), [])
    alive: list[Any] = []
    most = []

    class Counted(disk_store.mmap.mmap):
        def __new__(cls, *args: Any, **more: Any) -> Any:
            made = super().__new__(cls, *args, **more)
            alive.append(id(made))
            return made

        def __del__(self) -> None:
            most.append(len(alive))
            alive.remove(id(self))

    monkeypatch.setattr(disk_store.mmap, "mmap", Counted)
    with execution.using(1):
        store.totals(sums, [0, 1])
    gc.collect()
    assert len(most) == 3 and max(most) <= 2 and not alive


def test_a_file_that_is_gone_or_changed_is_told(tmp_path: Path) -> None:
    """In one sentence."""
    store = written(tmp_path, drawn(ARITY, 100, 2), [])
    with (tmp_path / PLANES).open("ab") as file:
        file.write(b"more")
    with pytest.raises(DataError, match="has changed its size"):
        store.block(0)
    (tmp_path / PLANES).unlink()
    with pytest.raises(DataError, match="are not there any more"):
        store.totals(sums, [0])
