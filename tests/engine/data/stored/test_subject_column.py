"""Whose row each is, told of rows on disk: the subjects that the same rows have in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.digest import ROWS
from engine.data.stored import sources, subject_column
from engine.errors import DataError
from tests.engine.data.stored.make import frame, parquet, stored

ROLES = {"who": "subject"}


def owned(rows: int, who: list[object] | np.ndarray) -> pd.DataFrame:
    return frame(rows).assign(who=who)


def both(folder: Path, table: pd.DataFrame, **choices: object) -> tuple[engine.Dataset, engine.Dataset]:
    """The same rows in memory and on disk."""
    memory = engine.Dataset.from_frame(engine.read_table(table), roles=ROLES, **choices)  # type: ignore[arg-type]
    return memory, stored(parquet(folder, table), memory.recipe, folder / "stored")


def check_alike(memory: engine.Dataset, disk: engine.Dataset) -> None:
    """How many subjects there are, and which rows of a sample belong together."""
    assert disk.subject_count == memory.subject_count and disk.subject_column == "who"
    some = np.random.default_rng(0).choice(memory.n_rows, min(memory.n_rows, 500), replace=False)
    here, there = memory.rows(some), disk.rows(some)
    assert here.clusters is not None and np.array_equal(here.clusters, there.clusters)
    assert np.array_equal(here.named, there.named) and np.array_equal(here.codes, there.codes)


def test_subjects_are_those_of_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of several blocks and parts; rows without a subject, and rows that lack a value of a variable."""
    monkeypatch.setattr(sources, "MOST_ROWS", 20_000)
    rng = np.random.default_rng(1)
    n = ROWS + 5_000
    who = [None if lost else f"p{k}" for lost, k in zip(rng.random(n) < 0.01, rng.integers(0, 900, n), strict=True)]
    memory, disk = both(tmp_path, owned(n, who))
    assert memory.subject_count is not None and memory.subject_count.alone > 100
    check_alike(memory, disk)
    assert disk.select(["sex", "ill"]).rows(np.arange(900)).clusters is not None


@pytest.mark.parametrize("kind", ["texts", "numbers", "gaps", "chosen", "categories"])
def test_what_is_one_subject_in_memory_is_one_on_disk(tmp_path: Path, kind: str) -> None:
    """Whatever type the column has, and whatever counts as missing there."""
    number = np.random.default_rng(2).integers(1, 60, 2_000)
    who: dict[str, object] = {
        "texts": [f" {k}" if row % 2 else "NA" if k == 4 else str(k) for row, k in enumerate(number.tolist())],
        "numbers": number,
        "gaps": np.where(number == 5, np.nan, number),
        "chosen": [f"q{k}" for k in number.tolist()],
        "categories": pd.Categorical([f"q{k}" for k in number.tolist()]),
    }
    tokens = {"missing_tokens": {"who": ["q7"]}} if kind == "chosen" else {}
    check_alike(*both(tmp_path, owned(2_000, who[kind]), **tokens))  # type: ignore[arg-type]


def test_a_text_table_and_a_filter_of_rows(tmp_path: Path) -> None:
    """Numbers that stand as texts are one subject however they are written; rows outside the filter get no number."""
    number = np.random.default_rng(3).integers(1, 40, 3_000)
    table = owned(3_000, [f"{k:03d}" if row % 3 else str(k) for row, k in enumerate(number.tolist())])
    path = tmp_path / "table.csv"
    table.to_csv(path, index=False)
    memory = engine.Dataset.from_frame(engine.read_table(path), roles=ROLES, where=[("sex", "is", "f")])
    check_alike(memory, engine.Dataset.from_csv(path, memory.recipe, folder=tmp_path / "stored"))


def test_the_recipe_may_be_of_all_rows(tmp_path: Path) -> None:
    """The subject's own values are no levels, and its column no variable."""
    path = parquet(tmp_path, owned(2_000, np.arange(2_000) // 4 * 7))
    disk = engine.Dataset.from_parquet(path, engine.Recipe(roles=ROLES), folder=tmp_path / "stored")
    assert "who" not in disk.names and disk.subject_count is not None and 400 < disk.subject_count.subjects <= 500


def test_too_many_subjects_are_refused_and_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as they are too many; one fewer are not."""
    table = owned(600, np.arange(600) // 2)
    memory = engine.Dataset.from_frame(table, roles=ROLES)
    path = parquet(tmp_path, table)
    known = len(np.unique(np.asarray(memory.clusters)))
    monkeypatch.setattr(subject_column, "MOST_SUBJECTS", known)
    stored(path, memory.recipe, tmp_path / "stored").close()
    monkeypatch.setattr(subject_column, "MOST_SUBJECTS", known - 1)
    with pytest.raises(DataError, match=f"'who' has more than {known - 1:,} values") as caught:
        stored(path, memory.recipe, tmp_path / "stored")
    assert caught.value.column == "who" and not (tmp_path / "stored").exists()


def test_digests_tell_whose_rows_are(tmp_path: Path) -> None:
    """Other subjects make other data, though the codes are the same."""
    prints = []
    for place, step in enumerate((4, 5, 5)):
        folder = tmp_path / str(place)
        folder.mkdir()
        prints.append(both(folder, owned(800, np.arange(800) // step))[1].fingerprint)
    assert prints[0] != prints[1] == prints[2]


def test_what_cannot_say_whose_a_row_is_refuses(tmp_path: Path) -> None:
    """Rows without a folder or in one that is kept, and methods that would take each row by itself."""
    table = owned(800, np.arange(800) // 5)
    memory, disk = both(tmp_path, table)
    path = tmp_path / "table.parquet"
    for more in ({}, {"folder": tmp_path / "more", "keep": True}):
        with pytest.raises(DataError, match=r"'who' says which rows belong together \(subject\).*give an empty folder"):
            engine.Dataset.from_parquet(path, memory.recipe, **more)
    with pytest.raises(DataError, match="takes every row by itself where rows are on disk, and 'who' says that some"):
        engine.LogLinear().run(disk)
    for attribute in ("clusters", "named"):
        with pytest.raises(DataError, match="rows that belong together needs the rows one by one"):
            getattr(disk, attribute)
