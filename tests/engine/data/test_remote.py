"""A data set whose rows are elsewhere is the one that they make in memory: roles, places of rows, digests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.coded_table import CodedTable
from engine.data.preparing.choices import ROLES, FrameChoices
from engine.data.store import row_positions
from engine.data.stored.disk_store import DiskStore
from engine.data.stored.manifest import open_store, read_manifest
from engine.errors import DataError

ROWS = 400


def table() -> pd.DataFrame:
    """Two variables, and a column that could have any role; some rows lack a value."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.choice(["p", "q"], ROWS), "y": rng.choice(["u", "v"], ROWS)})
    frame["any"] = np.arange(ROWS) % 7 + 1
    frame.loc[[0, 1, 5], "x"] = None
    return frame


def far(folder: Path, recipe: FrameChoices, keep: bool = False) -> engine.Dataset:
    table().to_parquet(folder / "table.parquet")
    return engine.Dataset.from_parquet(folder / "table.parquet", recipe, folder=folder / "rows", keep=keep)


@pytest.mark.parametrize("column", ["any", "x"])
@pytest.mark.parametrize("role", ROLES)
def test_every_role_is_there_or_refused(tmp_path: Path, role: str, column: str) -> None:
    """Of a variable, and of a column beside the variables: the digest counts it."""
    recipe = engine.Recipe(roles={column: role} | ({"any": "subject"} if role == "time" and column == "x" else {}))
    try:
        recipe = recipe.apply(table()).recipe
    except DataError:  # no weight is a text
        assert (role, column) in (("weight", "x"), ("time", "any"), ("time", "x"))
        return
    if role == "subject":  # the digest goes by what is known there of the subjects
        here, there = recipe.apply(table()), far(tmp_path, recipe)
        assert there.roles == here.roles == {column: role} and there.subject_count == here.subject_count
        return
    if role in ("time", "weight"):
        with pytest.raises(DataError, match="how often each row counts" if role == "weight" else "which rows follow"):
            far(tmp_path, recipe)
        return
    here, there = recipe.apply(table()), far(tmp_path, recipe)
    assert there.roles == here.roles == {column: role}
    assert (there.names, there.fingerprint) == (here.names, here.fingerprint)
    assert there.select(["y"]).fingerprint == here.select(["y"]).fingerprint


def test_rows_say_where_they_stand_among_those_that_are_kept(tmp_path: Path) -> None:
    """Which is not their row of the table, and is said so; with numbers that do not wrap."""
    data = far(tmp_path, engine.Recipe().apply(table()).recipe)
    some = data.rows([3, 0])
    assert some.origin.tolist() == [3, 0]
    assert some.origin.dtype == np.int64
    assert "place among the rows that are kept" in " ".join((engine.Dataset.__doc__ or "").split())


def test_a_few_of_very_many_rows_take_no_memory() -> None:
    """Numbers are looked at by themselves."""
    many = 1 << 50
    assert row_positions([3, -1], many).tolist() == [3, many - 1]
    assert row_positions(np.array([7], np.uint64), many).tolist() == [7]
    for wrong in ([many], [-many - 1]):
        with pytest.raises(IndexError, match="one is asked for that is not among them"):
            row_positions(wrong, many)


@pytest.mark.parametrize("which", [[], [2, 0, -1], [True, False, True], slice(1, None), range(2)])
def test_rows_are_asked_for_as_of_an_array(which: Any) -> None:
    """Numbers, flags, slices."""
    assert row_positions(which, 3).tolist() == np.arange(3)[which].tolist()
    with pytest.raises(IndexError):
        row_positions([True], 3)


def test_the_planes_are_read_once_for_the_digest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was made while they were written, or looked at when they were opened; of a selection it is made anew."""
    data = far(tmp_path, engine.Recipe().apply(table()).recipe, keep=True)
    expected = data.recipe.apply(table())
    found = read_manifest(tmp_path / "rows")
    again = open_store(tmp_path / "rows", found, data.n_variables)
    read: list[int] = []
    before = DiskStore.block
    monkeypatch.setattr(DiskStore, "block", lambda self, number: read.append(number) or before(self, number))
    assert again.digests() == data.store.digests() == expected.store.digests()
    assert data.select(["y"]).whole == expected.fingerprint
    assert not read
    assert data.select(["y"]).fingerprint == expected.select(["y"]).fingerprint
    assert read


def test_names_and_rows_of_other_variables_are_refused() -> None:
    """A recipe that codes a column twice; a store of more variables than names."""
    recipe = engine.Recipe().apply(table()).recipe
    with pytest.raises(DataError, match="A recipe codes 'x' twice"):
        engine.Recipe(columns=(*recipe.columns, recipe.columns[0]))
    data = recipe.apply(table())
    with pytest.raises(DataError, match="1 names for 3 variables"):
        CodedTable(("x",), {"x": data.levels["x"]}, {"x": "nominal"}, data.store)
