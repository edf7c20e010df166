"""Levels, cut points and kinds from counts of values: what the same rows in memory are given, in bounded memory."""

from __future__ import annotations

import itertools
import os
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import engine
from engine.data.stored import sources, value_counts
from engine.data.stored.parquet import ParquetFiles
from engine.data.stored.value_counts import RoundedNumbers, count_values
from engine.errors import DataError
from engine.execution import silent
from tests.engine.data.stored.make import frame, parquet


def everything(rows: int, seed: int = 0) -> pd.DataFrame:
    """A column of every kind that a table can have, most with gaps."""
    rng = np.random.default_rng(seed)
    table = frame(rows, seed).dropna().reset_index(drop=True)
    rows = len(table)
    table["row"] = np.arange(rows) + 7
    table["patient_id"] = rng.integers(0, rows, rows)
    table["constant"] = "x"
    table["flag"] = rng.random(rows) < 0.3
    table["score"] = rng.normal(size=rows)
    table["dose"] = rng.choice(["0.5", "1.5", "-9", "2"], rows)
    table["agree"] = rng.choice(["never", "sometimes", "always", "often"], rows)
    table["when"] = pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 10**6, rows), "min")
    table["exact"] = pd.Series(rng.integers(0, 4, rows)).astype("Int16")
    table["order"] = pd.Categorical(rng.choice(["b", "a", "c"], rows), ["c", "b", "a", "unused"], ordered=True)
    table["note"] = [f"text number {i} which is rather long to read" for i in rng.integers(0, rows, rows)]
    table["nothing"] = np.nan
    return table


def test_a_level_beyond_the_sample_costs_no_row(tmp_path: Path) -> None:
    """The last row of the last file has a level that no other row has."""
    table = frame(4_000).dropna().reset_index(drop=True)
    table.loc[len(table) - 1, "arm"] = "d"
    path = parquet(tmp_path, table, files=3, row_group=300)
    data = engine.Dataset.from_parquet(path)
    assert data.levels["arm"] == ("a", "b", "c", "d") and data.n_rows == len(table) and data.in_memory
    with pytest.raises(DataError, match=f"'arm' has the value 'd' in row {len(table)} "):
        engine.Recipe.from_parquet(path, levels={"arm": ["a", "b", "c"]})


def test_rounded_numbers_do_not_hang_on_the_order_of_rows() -> None:
    """Only as many bits go as have to, and counts stay whole."""
    values = np.random.default_rng(0).lognormal(size=20_000) * 1e3
    together, parts = RoundedNumbers(500), RoundedNumbers(500)
    together.add(values)
    for piece in np.array_split(np.random.default_rng(1).permutation(values), 37):
        parts.add(piece)
    assert parts.bits == together.bits > 0 and parts.counts.tolist() == together.counts.tolist()
    assert parts.values.tolist() == together.values.tolist()
    finer = (values.view(np.int64) >> (together.bits - 1) << (together.bits - 1)).view(float)
    assert len(together.values) <= 500 < len(np.unique(finer)) and together.counts.sum() == len(values)


def test_too_many_values_are_bounded_and_cut_where_all_would_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cut points of rounded numbers part the rows as evenly as a thousandth; texts without end are left out."""
    monkeypatch.setattr(value_counts, "MOST_DISTINCT", 2_000)
    table = everything(12_000)
    path = parquet(tmp_path, table, files=2, row_group=3_000)
    recipe = engine.Recipe.from_parquet(path, bins=4)
    exact = engine.Dataset.from_frame(engine.read_table(table), bins=4).recipe
    assert {c.name: c.kind for c in recipe.columns} == {c.name: c.kind for c in exact.columns}
    cuts = next(column.cuts for column in recipe.columns if column.name == "score")
    shares = np.searchsorted(np.sort(table["score"]), cuts) / len(table)
    assert np.abs(shares - [0.25, 0.5, 0.75]).max() < 2e-3
    report = engine.Dataset.from_parquet(path).report
    assert report is not None
    reasons = {column.name: column.reason for column in report.columns}
    assert reasons["score"].startswith("it has more than 1,") and "identifier" in reasons["row"]
    assert reasons["note"] == "it has more than 2,000 different texts, too many for levels"


def test_an_identifier_with_gaps_is_no_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Empty cells and others that count as missing are passed over, in whatever part of the table they are."""
    monkeypatch.setattr("engine.data.stored.csv_file._BLOCK", 1 << 12)
    table = frame(4_000).dropna().reset_index(drop=True)
    gaps = {0: "", 5: "NA", 6: " ", 7: " ", 1_999: "inf", **dict.fromkeys(range(2_500, 3_000), "")}
    rising = map(str, itertools.count(1))
    table["serial"] = [gaps[row] if row in gaps else next(rising) for row in range(len(table))]
    table["nearly"] = [*table["serial"][:-1], "0"]
    table.to_csv(tmp_path / "table.csv", index=False)
    numbers = {name: pd.to_numeric(table[name], errors="coerce") for name in ("serial", "nearly")}
    table.assign(**numbers).to_parquet(tmp_path / "table.parquet")
    for path, recipe in (("table.csv", engine.Recipe.from_csv), ("table.parquet", engine.Recipe.from_parquet)):
        memory = engine.Dataset.from_frame(engine.read_table(tmp_path / path)).recipe
        kinds = {column.name: column.kind for column in recipe(tmp_path / path).columns}
        assert kinds == {column.name: column.kind for column in memory.columns}
        assert "nearly" in kinds and "serial" not in kinds


def test_long_texts_are_left_out_for_their_length(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no number of different texts is given as the reason."""
    monkeypatch.setattr(value_counts, "_MOST_CHARACTERS", 10_000)
    table = frame(300).dropna().reset_index(drop=True)
    table["note"] = [f"{i % 30} {'long ' * 100}" for i in range(len(table))]
    report = engine.Dataset.from_parquet(parquet(tmp_path, table)).report
    assert report is not None
    assert report.column("note").reason == "its different texts have more than 10,000 characters, too long for levels"


def hive(folder: Path, years: tuple[str, ...]) -> Path:
    """One file a year, which only its folder says."""
    for k, year in enumerate(years):
        place = folder / "parts" / f"year={year}"
        place.mkdir(parents=True)
        pd.DataFrame({"x": list("abab") * 10, "y": [k % 2, 1] * 20}).to_parquet(place / "part.parquet")
    return folder / "parts"


def test_folders_say_values_of_a_column(tmp_path: Path) -> None:
    """As numbers where all are; hidden folders and others are passed over."""
    path = hive(tmp_path, ("2019", "2020", "2021"))
    (path / "_temporary").mkdir()
    (path / "_temporary" / "part.parquet").write_bytes(b"no table")
    data = engine.Dataset.from_parquet(path)
    assert data.levels["year"] == ("2019", "2020", "2021") and data.kinds["year"] == "ordinal" and len(data) == 120
    assert data["year"].astype(str).tolist() == ["2019"] * 40 + ["2020"] * 40 + ["2021"] * 40
    long = ("-9223372036854775809", "9223372036854775807")
    texts = engine.Dataset.from_parquet(hive(tmp_path / "long", long))
    assert texts.levels["year"] == long and texts.kinds["year"] == "nominal" and len(texts) == 80
    words = engine.Dataset.from_parquet(hive(tmp_path / "other", ("south", "__HIVE_DEFAULT_PARTITION__", "n%2Fe")))
    assert words.levels["year"] == ("n/e", "south") and len(words) == 80


@pytest.mark.parametrize(
    ("second", "said"),
    [
        ({"x": ["a", "b"], "y": ["1", "2"]}, "Column 'y' holds texts in 'b.parquet' and numbers in 'a.parquet'"),
        ({"x": ["a", "b"]}, "'b.parquet' has no column 'y', which 'a.parquet' has"),
        ({"x": ["a", "b"], "y": [1, 2], "z": [1, 2]}, "'a.parquet' has no column 'z', which 'b.parquet' has"),
    ],
)
def test_files_of_different_columns_are_refused(tmp_path: Path, second: dict[str, Any], said: str) -> None:
    """Which, and in which column; numbers of other sizes are alike."""
    pq.write_table(pa.table({"x": ["a", "b"], "y": pa.array([1, 2], pa.int16())}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"x": ["a", "b"], "y": pa.array([1.5, 2.0])}), tmp_path / "b.parquet")
    assert engine.Recipe.from_parquet(tmp_path).columns[0].levels == ("a", "b")
    pq.write_table(pa.table(second), tmp_path / "b.parquet")
    with pytest.raises(DataError, match=said):
        engine.Recipe.from_parquet(tmp_path)


@pytest.mark.parametrize("moment", ["reading rows", "counting values"])
def test_a_file_that_changes_meanwhile_is_refused(tmp_path: Path, moment: str) -> None:
    """Between the passes, and within one; nothing is left of what was written."""
    path = parquet(tmp_path, frame(4_000), row_group=500)

    def change(fraction: float, words: str) -> None:
        if words.startswith(moment):
            frame(4_000, 1).to_parquet(path)

    with pytest.raises(DataError, match=r"'table.parquet' was changed while it was read"):
        engine.Dataset.from_parquet(path, folder=tmp_path / "stored", progress=change)
    assert not (tmp_path / "stored").exists()


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"where": [("sex", "is", "f")]}, "rows cannot be filtered"),
        ({"derive": {"both": ("combine", "sex", "ill")}}, "columns not made of others"),
        ({"roles": {"sex": "subject", "arm": "time"}}, "which rows follow each other"),
        ({"kinds": {"no": "nominal"}}, "a column 'no' that the table lacks"),
        ({"kinds": {"sex": "continuous"}}, "'sex' cannot be continuous: row 1: "),
    ],
)
def test_choices_that_take_all_rows_or_do_not_fit_are_refused(
    tmp_path: Path, choices: dict[str, Any], said: str
) -> None:
    """In one sentence, that says the row where one is meant."""
    with pytest.raises(DataError, match=said):
        engine.Recipe.from_parquet(parquet(tmp_path, frame(300)), **choices)


def test_without_a_folder_rows_stay_in_memory_where_they_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same bits; more of them are refused."""
    path = parquet(tmp_path, frame(70_000))
    here = engine.Dataset.from_parquet(path)
    there = engine.Dataset.from_parquet(path, folder=tmp_path / "stored")
    assert here.in_memory and not there.in_memory and here.fingerprint == there.fingerprint
    assert engine.learn(here).edges == engine.learn(there).edges
    with pytest.raises(DataError, match="keep=True keeps a folder, and none is given"):
        engine.Dataset.from_parquet(path, keep=True)
    monkeypatch.setattr("engine.data.stored.streaming.MOST_IN_MEMORY", 1_000)
    with pytest.raises(DataError, match="give a folder that they are written to"):
        engine.Dataset.from_parquet(path)


def test_devices_pipes_and_sockets_are_no_files(tmp_path: Path) -> None:
    """Nobody waits for what never ends; beside files they are passed over, and so is a link that leads nowhere."""
    os.mkfifo(tmp_path / "pipe.parquet")
    (tmp_path / "loop.parquet").symlink_to(tmp_path / "loop.parquet")
    with socket.socket(socket.AF_UNIX) as opened:
        opened.bind(str(tmp_path / "socket.parquet"))
        for place in (
            tmp_path / "pipe.parquet",
            tmp_path / "socket.parquet",
            Path("/dev/zero"),
            tmp_path / "loop.parquet",
        ):
            with pytest.raises(DataError, match=r"There is no file|cannot be used"):
                engine.Recipe.from_parquet(place)
            with pytest.raises(DataError, match=r"There is no file|cannot be used"):
                engine.Recipe.from_csv(place)
        frame(300).to_parquet(tmp_path / "table.parquet")
        assert engine.Recipe.from_parquet(tmp_path).columns


def test_days_that_no_calendar_has_are_gaps(tmp_path: Path) -> None:
    """Far before year 1 and far after 9999, as dates and as moments."""
    days = pa.array([2**30, -(2**30), None, *range(17)] * 3, pa.int32())
    moments = pa.array([10**14, -(10**14), None, *range(17)] * 3, pa.timestamp("s"))
    pq.write_table(pa.table({"day": days.cast(pa.date32()), "moment": moments}), tmp_path / "days.parquet")
    columns = count_values(ParquetFiles(tmp_path / "days.parquet"), silent)
    assert [(column.name, column.n_missing) for column in columns] == [("day", 9), ("moment", 9)]


def test_columns_are_no_more_than_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each takes time whatever its rows: refused before a pass, of Parquet and of text."""
    table = frame(300)
    table.to_csv(tmp_path / "table.csv", index=False)
    parquet(tmp_path, table)
    monkeypatch.setattr(sources, "NO_LIMITS", replace(sources.NO_LIMITS, columns=len(table.columns) - 1))
    for read, name in ((engine.Dataset.from_csv, "table.csv"), (engine.Dataset.from_parquet, "table.parquet")):
        with pytest.raises(DataError, match=r"The table has 6 columns; the limit is 5\."):
            read(tmp_path / name)
