"""Folds of rows: every row in one of them, the same one however the rows are cut into blocks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import engine
from engine.counting.subset_store import FoldStore, RowFold, fold_of_words, fold_part
from engine.data.digest import ROWS
from engine.data.store import Store
from tests.engine.data.blocks import block_of
from tests.engine.data.stored.make import frame, parquet, recipe, stored

FOLDS, SEED = 3, 5


def codes_of_fold(store: Store, fold: int) -> np.ndarray:
    """(p, k) codes of a fold's rows, block by block."""
    if hasattr(store, "layout"):
        blocks = [store.block(number) for number in range(store.layout.blocks)]
    else:
        blocks = store.block.parts(3)  # type: ignore[attr-defined]
    parts = [fold_part(block, RowFold(fold, FOLDS, SEED)) for block in blocks]
    return np.concatenate([part.codes(np.arange(len(part.arity)), 0, part.n_rows) for part in parts], axis=1)


def test_a_fold_has_the_same_rows_wherever_they_are(tmp_path: Path) -> None:
    """In memory, cut for threads, and on disk in several blocks; its number of rows is known beforehand."""
    table, chosen = frame(2 * ROWS + 1_234), recipe()
    memory = chosen.apply(engine.read_table(table))
    disk = stored(parquet(tmp_path, table), chosen, tmp_path / "stored")
    fold = np.repeat(fold_of_words(FOLDS, SEED)[np.arange(-(-memory.n_rows // 64)) % (ROWS // 64)], 64)
    for number in range(FOLDS):
        expected = memory.codes[:, fold[: memory.n_rows] == number]
        for data in (memory, disk):
            assert np.array_equal(codes_of_fold(data.store, number), expected)
            assert FoldStore(data.store, RowFold(number, FOLDS, SEED)).n_rows == expected.shape[1]


@pytest.mark.parametrize("rows", [1, 64, 65, 127, 640])
def test_few_rows(rows: int) -> None:
    """The last word may hold few; a fold may have none."""
    codes = np.arange(rows)[None] % 5
    block = block_of(codes, np.array([5]))
    parts = [fold_part(block, RowFold(fold, 2, SEED)) for fold in (0, 1)]
    seen = [part.codes([0], 0, part.n_rows)[0] for part in parts]
    assert sum(map(len, seen)) == rows
    assert np.array_equal(np.bincount(np.concatenate(seen), minlength=5), np.bincount(codes[0], minlength=5))


def test_folds_are_dealt_evenly_from_the_first_row_on() -> None:
    """Each once in as many runs of 64 rows as there are folds, and not always in the same order."""
    dealt = fold_of_words(10, 0)[:1020].reshape(-1, 10)
    assert (np.sort(dealt, axis=1) == np.arange(10)).all()
    assert len(np.unique(dealt, axis=0)) > 90
