"""Tables of groups of rows that are only counted are those of the same rows in memory."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.counting.by_group import Slices
from engine.counting.subset_store import fold_of_words
from engine.errors import DataError
from engine.methods.discriminative import counted_rows
from engine.methods.discriminative.coding import Counted
from engine.methods.discriminative.counted_rows import CountedRows, RowGroups

FOLDS, SEED = 4, 1


def rows(variables: int = 4, n: int = 900) -> engine.Dataset:
    """Variables of one to four levels, then classes of three."""
    rng = np.random.default_rng(variables)
    arity = [2 + i % 3 for i in range(variables)] + [3]
    return engine.Dataset.from_codes([rng.integers(0, r, n) for r in arity], arity, [*map(str, range(variables)), "c"])


def both(data: engine.Dataset) -> tuple[Counted, CountedRows, np.ndarray]:
    """Row by row, by group, and the group of each row."""
    codes = np.ascontiguousarray(data.codes[:-1])
    plain = Counted(Slices(codes, codes, data.arity[:-1]), np.arange(data.n_rows), data.n_rows)
    fold = np.repeat(fold_of_words(FOLDS, SEED), 64)[: data.n_rows]
    return plain, CountedRows(RowGroups(data, FOLDS, SEED)), fold * 3 + data.codes[-1]


@pytest.mark.parametrize("variables", [1, 2, 4])
def test_every_table_is_that_of_the_rows(variables: int) -> None:
    """Pairs, families and additions of both sides, with groups left out."""
    data = rows(variables)
    plain, groups, group = both(data)
    side = np.random.default_rng(0).integers(-1, 2, groups.n_points)
    of_rows = side[group]
    assert groups.lengths.tolist() == np.bincount(group, minlength=groups.n_points).tolist()
    assert groups.slices.sizes(side, 2).tolist() == plain.slices.sizes(of_rows, 2).tolist()
    assert np.array_equal(groups.pairs(side), plain.pairs(of_rows))
    sets = [(), (0,), (2,), (0, 3), (3, 0), (0, 2, 3)]
    for child in range(variables):
        for parents in (item for item in sets if child not in item and max(item, default=0) < variables):
            assert np.array_equal(groups.family(child, parents, side), plain.family(child, parents, of_rows))
            ours = groups.slices.additions(child, parents, side, 2)
            theirs = plain.slices.additions(child, parents, of_rows, 2)
            for x in range(variables):
                if x not in (child, *parents):
                    cells = slice(plain.slices.starts[x], plain.slices.starts[x + 1])
                    assert np.array_equal(ours[:, :, cells], theirs[:, :, cells])


def test_tables_are_counted_once_as_long_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """And again where others had to make room; too large ones are refused."""
    groups = RowGroups(rows(), FOLDS, SEED)
    side = np.zeros(12, dtype=np.int64)
    asked: list[int] = []
    count = counted_rows.joint_tables
    monkeypatch.setattr(counted_rows, "joint_tables", lambda parts, sets: asked.append(len(sets)) or count(parts, sets))
    first = groups.family(1, (0, 2), side, 1)
    assert np.array_equal(groups.family(1, (0, 2), side, 1), first)
    groups.family(0, (2, 1), side, 1)
    assert asked == [1]  # the table of all three
    monkeypatch.setattr(counted_rows, "MOST_CELLS", 12 * 24)
    groups.family(1, (0, 3), side, 1)
    assert np.array_equal(groups.family(1, (0, 2), side, 1), first) and asked == [1, 1, 1]
    monkeypatch.setattr(counted_rows, "MOST_CELLS", 100)
    with pytest.raises(DataError, match=r"families of 3 variables would take .* GB of memory; choose fewer variables"):
        groups.family(1, (2, 3), side, 1)
    with pytest.raises(DataError, match="all pairs of variables"):
        groups.pairs(side, 1)
