"""Fine codes of numbers whose rows are only counted: as NumPy counts them, beside codes that stay what they were."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Dataset, Recipe
from engine.counting.joint_tables import joint_tables
from engine.data.cluster.pieces import coded
from engine.data.fine_codes import CELLS
from engine.data.preparing.column_coding import NO_NUMBER, FixedColumn
from engine.data.stored import manifest
from engine.errors import DataError

ROWS = 3_000


def table(seed: int = 1) -> pd.DataFrame:
    """Numbers with ties, gaps and zeros, and two factors."""
    generator = np.random.default_rng(seed)
    lactate = generator.lognormal(0.5, 0.5, ROWS).round(2)
    return pd.DataFrame(
        {
            "lactate": np.where(generator.random(ROWS) < 0.1, np.nan, lactate),
            "days": np.where(generator.random(ROWS) < 0.5, 0, generator.poisson(9, ROWS)),
            "arm": generator.choice(["a", "b"], ROWS),
            "who": [f"p{i}" for i in generator.integers(0, 400, ROWS)],
        }
    )


CHOICES = {"missing": {"lactate": "level"}, "kinds": {"days": "continuous", "who": "ignore"}}


def expected(column: FixedColumn, values: pd.Series) -> np.ndarray:
    """The fine code of every row, by NumPy."""
    codes = np.searchsorted(column.fine, values.to_numpy(float), side="right")
    return np.where(values.isna(), NO_NUMBER, codes)


def check(data: Dataset, frame: pd.DataFrame) -> None:
    """All tables of the fine codes, also those of `joint_tables`, are NumPy's."""
    assert data.fine is not None and list(data.fine.cells) == ["lactate", "days"]
    columns = {column.name: column for column in data.recipe.columns}
    arm = (frame["arm"] == "b").to_numpy()
    tables = data.fine.tables([("lactate", ["arm", "days"]), ("days", [])])
    level = data.recipe.codes(frame)[0][data.index("days")]
    wanted = np.zeros(tables[0].shape, dtype=np.int64)
    np.add.at(wanted, (expected(columns["lactate"], frame["lactate"]), arm.astype(int), level), 1)
    np.testing.assert_array_equal(tables[0], wanted)
    days = np.bincount(expected(columns["days"], frame["days"]), minlength=CELLS)
    np.testing.assert_array_equal(tables[1], days)
    whole = replace(data, store=data.fine.store, names=names_of(data), levels=levels_of(data))
    bits = data.fine.bits("days")
    counted = joint_tables([whole], [bits])[0][bits]
    np.testing.assert_array_equal(counted.transpose(*range(len(bits))[::-1]).ravel(), days)


def names_of(data: Dataset) -> tuple[str, ...]:
    """The variables, and a name for every bit."""
    assert data.fine is not None
    return (*data.names, *(f"bit {i}" for i in range(len(data.fine.store.arity) - len(data.names))))


def levels_of(data: Dataset) -> dict[str, tuple[str, ...]]:
    """Two levels for every bit."""
    return {name: data.levels.get(name, ("0", "1")) for name in names_of(data)}


@pytest.mark.parametrize("folder", [None, "rows"])
def test_tables_are_those_of_numpy(tmp_path: Path, folder: str | None) -> None:
    """From files in two passes, in memory and in a folder; the fingerprint is that of the table in memory."""
    frame, file = table(), tmp_path / "table.parquet"
    frame.to_parquet(file)
    here = Dataset.from_frame(frame, **CHOICES)
    assert here.fine is None
    place = None if folder is None else tmp_path / folder
    for recipe in (Recipe(**CHOICES), here.recipe):
        data = Dataset.from_parquet(file, recipe, folder=place)
        check(data, frame)
        assert data.fingerprint == here.fingerprint and data.recipe.to_dict() == here.recipe.to_dict()
        assert data.select(["arm", "days"]).fine is data.fine and data.rows([0, 1]).fine is None
        check(pickle.loads(pickle.dumps(data)), frame)  # noqa: S301
        data.close()


def test_other_rows_subjects_and_texts(tmp_path: Path) -> None:
    """Next month's rows are coded by last month's cells; subjects keep their bits; texts that are numbers are too."""
    recipe = Dataset.from_frame(table(), **CHOICES, roles={"who": "subject"}).recipe
    later = table(2)
    texts = later.assign(lactate=later["lactate"].astype(str).where(later["lactate"].notna()))
    for frame in (later, texts):
        data = Dataset.from_batches([frame[:1000], frame[1000:]], recipe, folder=tmp_path / "rows")
        check(data, later)
        here = recipe.apply(later)
        assert data.subjects is not None and data.subjects.count == here.subject_count
        assert here.recipe == recipe
        data.close()


def test_a_kept_folder_and_one_of_the_former_version(tmp_path: Path) -> None:
    """A changed bit of a fine code is noticed; a folder without fine codes opens as it did."""
    frame = table()
    kept = Dataset.from_batches([frame], Recipe(**CHOICES), folder=tmp_path / "rows", keep=True)
    opened = Dataset.open_stored(tmp_path / "rows")
    check(opened, frame)
    assert opened.fingerprint == kept.fingerprint
    planes = tmp_path / "rows" / "planes.bin"
    content = planes.read_bytes()
    planes.write_bytes(content[:-9] + bytes([content[-9] ^ 1]) + content[-8:])
    with pytest.raises(DataError, match="damaged"):
        Dataset.open_stored(tmp_path / "rows")
    plain = replace(kept.recipe, columns=[replace(column, fine=(), fine_means=()) for column in kept.recipe.columns])
    former = Dataset.from_batches([frame], plain, folder=tmp_path / "former", keep=True)
    assert former.fine is None and former.fingerprint == kept.fingerprint
    about = tmp_path / "former" / manifest.MANIFEST
    written = json.loads(about.read_text())
    written["format"] = manifest.FORMER
    del written["beside"]
    written["digest"] = manifest.digest_of(written)
    about.write_text(json.dumps(written))
    assert Dataset.open_stored(tmp_path / "former").fingerprint == kept.fingerprint


def test_what_workers_keep() -> None:
    """A part of a collection has the bits after its codes; one without rows has them too."""
    data = Dataset.from_frame(table(), **CHOICES)
    columns = {column.name: column for column in data.recipe.columns}
    block = coded(table(3), data.recipe)
    bits = block.codes(0, ROWS)[data.n_variables :].astype(np.int64)
    assert bits.shape[0] == 14
    for place, name in enumerate(("lactate", "days")):
        codes = (bits[7 * place : 7 * place + 7] << np.arange(7)[:, None]).sum(axis=0)
        np.testing.assert_array_equal(codes, expected(columns[name], table(3)[name]))
    assert coded(table(3)[:0], data.recipe).codes(0, 0).shape == (data.n_variables + 14, 0)


@given(st.lists(st.tuples(st.floats(-1e300, 1e300), st.integers(1, 400)), min_size=1, max_size=300))
def test_cells_hold_their_means(rows: list[tuple[float, int]]) -> None:
    """At most 127 cells, none empty, each with its mean within its ends; a recipe keeps them to the last bit."""
    values = np.unique([value for value, _ in rows])
    counts = np.array([count for _, count in rows])[: len(values)]
    column = FixedColumn("x", "continuous", ("all",), (), ("all",), sort="number").with_fine(values, counts)
    assert 1 <= len(column.fine_means) <= NO_NUMBER and len(column.fine) == len(column.fine_means) - 1
    codes = np.searchsorted(column.fine, values, side="right")
    assert np.unique(codes).tolist() == list(range(len(column.fine_means)))
    for code, mean in enumerate(column.fine_means):
        own = codes == code
        assert mean == pytest.approx(np.average(values[own] / 1e10, weights=counts[own]) * 1e10, rel=1e-9, abs=1e-9)
    assert Recipe.from_dict(json.loads(json.dumps(Recipe(columns=[column]).to_dict()))).columns[0].fine == column.fine
