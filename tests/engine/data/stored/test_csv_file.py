"""Text tables of any size: what the careful reader and the table in memory give, some lines at a time."""

from __future__ import annotations

import gzip
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.stored import csv_file, value_counts
from engine.errors import DataError
from tests.engine.data.stored.make import frame


def everything(rows: int) -> pd.DataFrame:
    """Words, whole numbers, numbers, numbers as codes, dates and words that look like numbers."""
    rng = np.random.default_rng(0)
    table = frame(rows).dropna().reset_index(drop=True)
    rows = len(table)
    table["row"] = np.arange(rows) + 1
    table["score"] = rng.normal(size=rows)
    table["zip"] = rng.choice(["01099", "10115", "80331"], rows)
    table["share"] = [f"{x} %" for x in rng.integers(0, 100, rows)]
    table["dose"] = rng.choice(["1.0", "1", "<0.5", "2"], rows)
    table["when"] = rng.choice(["2020-01-02", "2020-02-03", "2021-03-04"], rows)
    table["late"] = np.where(np.arange(rows) < rows - 9, rng.choice(["1.0", "2"], rows), "some")
    table["quoted"] = rng.choice(['a, "b"', "c; d", " e "], rows)
    return table


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many tables from a small file, of which the sample is only a part."""
    monkeypatch.setattr(csv_file, "_BLOCK", 1 << 14)
    monkeypatch.setattr(csv_file, "_SAMPLE", 1 << 15)


WRITTEN: list[dict[str, Any]] = [
    {},
    {"sep": ";", "decimal": ","},
    {"sep": "\t", "encoding": "utf-8-sig"},
    {"sep": "|", "encoding": "latin-1"},
    {"lineterminator": "\r"},
    {"lineterminator": "\r\n", "sep": ";"},
]


@pytest.mark.parametrize("how", WRITTEN)
@pytest.mark.parametrize("packed", [False, True])
def test_the_file_becomes_what_it_becomes_in_memory(
    tmp_path: Path, small_blocks: None, how: dict[str, Any], packed: bool
) -> None:
    """Recipe, rows and digest, whatever separates cells, whatever ends lines and whatever the decimal mark."""
    table = everything(3_000).rename(columns={"pain": "Schmerz ä"})
    path = tmp_path / ("table.csv.gz" if packed else "table.csv")
    table.to_csv(path, index=False, **how)
    memory = engine.Dataset.from_frame(engine.read_table(path))
    assert engine.Recipe.from_csv(path).columns == memory.recipe.columns
    disk = engine.Dataset.from_csv(path, folder=tmp_path / "stored")
    assert disk.fingerprint == memory.fingerprint and not disk.in_memory
    assert disk.report is not None and disk.report.rows_read == len(table)
    fixed = engine.Dataset.from_csv(path, memory.recipe, folder=tmp_path / "fixed")
    assert fixed.fingerprint == memory.fingerprint


def test_odd_cells_are_coded_as_in_memory(tmp_path: Path, small_blocks: None) -> None:
    """Of another file than the recipe is from: zeros before a number, infinity, words, numbers of many digits."""
    table = everything(3_000)
    chosen = engine.Dataset.from_frame(engine.read_table(table.to_csv(index=False).encode())).recipe
    table["score"] = table["score"].astype(str)
    odd = ["007", "inf", " 1.5 ", "1e3", "none", "0.1234567890123456789", "12345678901234567890", "+2", "-0", "1,5"]
    table.loc[table.index[100 : 100 + 250 * len(odd) : 250], "score"] = odd  # each in a part of its own
    table.to_csv(tmp_path / "table.csv", index=False)
    memory = chosen.apply(engine.read_table(tmp_path / "table.csv"))
    disk = engine.Dataset.from_csv(tmp_path / "table.csv", chosen, folder=tmp_path / "stored")
    assert disk.fingerprint == memory.fingerprint
    assert memory.report is not None and disk.report is not None
    assert disk.report.rows_kept == memory.report.rows_kept < len(table)


def test_more_numbers_than_are_remembered(tmp_path: Path, small_blocks: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are still numbers; a column in which a late cell is none is no column of numbers."""
    monkeypatch.setattr(value_counts, "MOST_DISTINCT", 2_000)
    monkeypatch.setattr(value_counts, "_FEW", 1_000)
    table = everything(9_000)
    table["limit"] = (np.arange(len(table)) % 1_900).astype(str)
    table.loc[len(table) - 1, "limit"] = "<1.5"
    table["odd"] = table["score"].astype(str)
    table.loc[len(table) - 1, "odd"] = "broken"
    table.to_csv(tmp_path / "table.csv", index=False)
    kinds = {column.name: column.kind for column in engine.Recipe.from_csv(tmp_path / "table.csv").columns}
    assert kinds["score"] == "continuous" and "odd" not in kinds and "row" not in kinds
    chosen = {"limits": {"limit": "level"}, "kinds": {"limit": "continuous"}}
    recipe = engine.Recipe.from_csv(tmp_path / "table.csv", **chosen)
    exact = engine.Dataset.from_frame(engine.read_table(tmp_path / "table.csv"), **chosen).recipe
    assert next(c for c in recipe.columns if c.name == "limit") == next(c for c in exact.columns if c.name == "limit")
    data = engine.Dataset.from_csv(tmp_path / "table.csv")
    assert data.n_rows == len(table) and data.report is not None
    assert data.report.column("odd").reason == "it has more than 2,000 different texts, too many for levels"
    shares = data["score"].value_counts(normalize=True)
    assert np.allclose(shares, 1 / 3, atol=2e-3)


@pytest.mark.parametrize("ends", [["\r"], ["\n"], ["\r\n"], ["\r\n", "\n", "\r"]])
def test_the_header_is_no_row_whatever_ends_it(tmp_path: Path, ends: list[str]) -> None:
    """Line ends are counted as the reader of tables counts them, also where several kinds stand in a file."""
    lines = ["An export", "a,b", *["x,p", "y,q"] * 50]
    content = "".join(line + end for line, end in zip(lines, itertools.cycle(ends)))
    (tmp_path / "table.csv").write_bytes(content.encode())
    data = engine.Dataset.from_csv(tmp_path / "table.csv")
    assert data.shape == (100, 2) and dict(data.levels) == {"a": ("x", "y"), "b": ("p", "q")}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a,b\nx,1\ny,2,3\nx,1\n", "lines of another number of cells than its header"),
        (b"a,b\nx,1\ny\n", "lines of another number of cells than its header"),
        (b"PK\x03\x04" + bytes(50), "no text table; read it with engine.read_table"),
        (b"a b c\n1 2 3\n4 5 6\n", "separated by spaces"),
        (b"", "no rows|empty|nothing"),
        (b"a,b\n" + b"x,1\n" * 20_000 + b"\xff\xfe,1\n", "is not utf-8 everywhere; give its encoding"),
        (b"a,b\n" + b"x,1\n" * 3000 + b"y" * 200_000 + b",1\n", "a cell of more than|damaged"),
    ],
)
def test_what_is_no_regular_table_is_one_sentence(
    tmp_path: Path, small_blocks: None, content: bytes, said: str
) -> None:
    """Wherever in the file it shows."""
    (tmp_path / "table.csv").write_bytes(content)
    with pytest.raises(DataError, match=said) as caught:
        engine.Dataset.from_csv(tmp_path / "table.csv", folder=tmp_path / "stored")
    assert "\n" not in str(caught.value) and not (tmp_path / "stored").exists()


def test_faults_of_the_file(tmp_path: Path) -> None:
    """None there, one cut short, one that is written to meanwhile."""
    with pytest.raises(DataError, match=r"There is no file 'none.csv'"):
        engine.Dataset.from_csv(tmp_path / "none.csv")
    path = tmp_path / "table.csv.gz"
    path.write_bytes(gzip.compress(everything(2_000).to_csv(index=False).encode())[:-200])
    with pytest.raises(DataError, match=r"'table.csv.gz' is damaged"):
        engine.Dataset.from_csv(path)
    path = tmp_path / "table.csv"
    everything(2_000).to_csv(path, index=False)

    def change(fraction: float, words: str) -> None:
        if words.startswith("reading rows"):
            with path.open("a", encoding="utf-8") as file:
                file.write("late\n")

    with pytest.raises(DataError, match=r"'table.csv' was changed while it was read"):
        engine.Dataset.from_csv(path, progress=change)
