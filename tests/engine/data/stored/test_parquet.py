"""Parquet files streamed to disk: the rows that a table in memory has, and the same answers to the last bit."""

from __future__ import annotations

import gc
import os
import pickle
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
from engine import execution
from engine.data.digest import ROWS
from engine.data.stored import streaming as module
from engine.data.stored.parquet import parquet_files
from engine.errors import Cancelled, DataError
from engine.methods.registry import METHODS
from engine.resampling import bootstrap
from tests.contract.brings import OURS
from tests.engine.data.stored.make import frame, parquet, recipe, stored
from tests.notebooks import frame_document

BIG = 3 * ROWS + 1_234


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[engine.Dataset, engine.Dataset]:
    """The same rows in memory and on disk, in four blocks."""
    folder = tmp_path_factory.mktemp("both")
    path, chosen = parquet(folder, frame(BIG), files=3), recipe()
    table = pd.concat([engine.read_table(file) for file in parquet_files(path)], ignore_index=True)
    return chosen.apply(table), stored(path, chosen, folder / "stored")


def test_the_rows_are_those_of_a_table_in_memory(both: tuple[engine.Dataset, engine.Dataset]) -> None:
    """Cell by cell, with the same digest; and what is told of them is the same."""
    memory, disk = both
    assert not disk.in_memory and memory.in_memory and disk.store.layout.blocks > 1  # type: ignore[attr-defined]
    assert disk.shape == memory.shape and disk.fingerprint == memory.fingerprint
    assert (disk.names, disk.levels, disk.kinds, disk.cuts) == (memory.names, memory.levels, memory.kinds, memory.cuts)
    assert disk.recipe == memory.recipe
    assert np.array_equal(disk.codes, memory.codes)
    assert disk.report is not None and memory.report is not None
    here, there = disk.report.to_dict(), memory.report.to_dict()
    del here["reading"], there["reading"]
    assert here == there
    assert disk.report.rows_dropped > 0 and disk.report.sentences()


def test_rows_variables_and_the_first_rows(both: tuple[engine.Dataset, engine.Dataset]) -> None:
    """Some rows come into memory; a selection of variables leaves the file as it is."""
    memory, disk = both
    rows = np.random.default_rng(0).integers(0, memory.n_rows, 500)
    some = disk.rows(rows)
    assert some.in_memory and some.fingerprint == memory.rows(rows).fingerprint
    assert some.origin.tolist() == rows.tolist() and some.whole == disk.fingerprint
    assert disk.head().equals(memory.head())
    names = ["pain", "sex", "ill"]
    part = disk.select(names)
    assert part.store.folder is disk.store.folder  # type: ignore[attr-defined]
    assert part.fingerprint == memory.select(names).fingerprint
    assert part.select(["ill"]).rows(rows).fingerprint == memory.select(["ill"]).rows(rows).fingerprint
    assert np.array_equal(disk.column("pain"), memory.column("pain"))
    assert "Dataset(" in repr(disk) and "<table" in frame_document(disk._repr_mimebundle_())


SEARCHES = [
    ("k2", "thick_thinning"),
    ("bdeu", "thick_thinning"),
    ("bde", "hill_climbing"),
    ("bdeu", "hill_climbing"),
    ("bdeu", "ges"),
    ("bdeu", "exact"),
    ("bdeu", "order_mcmc"),
    ("bdeu", "pc"),
]


@pytest.mark.parametrize(("score", "search"), SEARCHES)
def test_every_search_finds_the_same(
    both: tuple[engine.Dataset, engine.Dataset], score: str, search: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one thread and with two, also of a selection of variables."""
    score_of = {"k2": engine.K2(), "bdeu": engine.BDeu(1.0), "bde": engine.BDe(1.0)}[score]
    names = ["stage", "arm", "age", "ill", "sex", "pain"]
    memory, disk = both
    expected = engine.learn(memory.select(names), score_of, search)
    for threads in (1, 2):
        with execution.using(threads):
            found = engine.learn(disk.select(names), score_of, search)
        assert set(found.edges) == set(expected.edges) and set(found.nodes) == set(expected.nodes)


def test_scores_are_equal_to_the_last_bit(both: tuple[engine.Dataset, engine.Dataset]) -> None:
    """Of every variable, with planes, histograms and observed cells."""
    memory, disk = both
    for score in (engine.K2(), engine.BDeu(0.7), engine.BDe(0.7)):
        one, other = score.bind(memory), score.bind(disk)
        for child in range(memory.n_variables):
            parents = tuple(x for x in range(memory.n_variables) if x != child)
            for m in range(len(parents) + 1):
                assert one.local(child, parents[:m]) == other.local(child, parents[:m])
                assert one.additions(child, parents[:m]).tolist() == other.additions(child, parents[:m]).tolist()


@pytest.mark.parametrize("joint", [False, True])
def test_log_linear_analysis_says_the_same(both: tuple[engine.Dataset, engine.Dataset], joint: bool) -> None:
    """The whole answer, as it is saved, but for what values say of links, which rows that are counted do not have."""
    memory, disk = both
    method = engine.LogLinear(joint=joint)
    result = method.run(disk)
    assert not result.checks
    assert result.to_json() == replace(method.run(memory), checks=()).to_json()
    assert result.what_if(disk, "age", "pain") == result.what_if(memory, "age", "pain")


@pytest.mark.parametrize("target", [None, "ill"])
def test_a_patient_is_told_the_same(
    both: tuple[engine.Dataset, engine.Dataset], target: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row, and one given by values; a cohort of some rows. No row but the patients' is fetched."""
    monkeypatch.setattr("engine.data.store._MOST_FETCHED", 0)
    memory, disk = both
    method = engine.InstanceSpecific()
    for patient in (5, {"sex": "f", "stage": "II"}):
        here, there = (method.run(data, patient, target=target) for data in both)
        assert not there.numbers  # percentiles are of values, which rows that are counted do not have
        assert there.to_json() == replace(here, numbers=()).to_json()
    assert method.run_cohort(disk, range(40)).to_json() == method.run_cohort(memory, range(40)).to_json()
    with pytest.raises(DataError, match=r"A cohort of all rows needs the rows one by one"):
        method.run_cohort(disk)


def test_what_needs_rows_one_by_one_refuses(both: tuple[engine.Dataset, engine.Dataset]) -> None:
    """In one sentence that says what to do; a sample works."""
    _, disk = both
    counts_only = {"group_difference", "instance_specific", "log_linear"}
    assert {slug for slug in OURS if "run" in METHODS[slug].counts_only} == counts_only
    with pytest.raises(DataError, match=r"run\(data\) needs the rows one by one.*on disk; take a sample"):
        engine.Ordinal().run(disk)
    with pytest.raises(DataError, match=r"run\(data\) needs the rows one by one.*on disk; take a sample"):
        engine.Discriminative("sex").run(disk)
    with pytest.raises(DataError, match=r"evaluate\(data\) needs the rows one by one.*on disk; take a sample"):
        engine.Discriminative("sex").evaluate(disk)
    with pytest.raises(DataError, match="rows one by one"):
        engine.LogLinear().stability(disk)
    with pytest.raises(DataError, match="on disk"):
        disk.planes  # noqa: B018
    sample = disk.rows(bootstrap(disk.n_rows, np.random.default_rng(0))[:400])
    assert engine.LogLinear().stability(sample, runs=2) is not None


def test_too_many_cells_are_not_brought_into_memory(
    both: tuple[engine.Dataset, engine.Dataset], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All codes, or a sample that is no sample."""
    _, disk = both
    monkeypatch.setattr("engine.data.store._MOST_FETCHED", 1_000)
    monkeypatch.setattr("engine.data.coded_table._MOST_CELLS", 1_000)
    for ask in (lambda: disk.codes, lambda: disk.column("sex"), lambda: disk.rows(np.arange(1_000))):
        with pytest.raises(DataError, match=r"those of this data set are on disk"):
            ask()
    assert disk.rows(np.arange(100)).n_rows == 100


def test_filters_derived_columns_and_detection_limits(tmp_path: Path) -> None:
    """Whatever a recipe does is done part by part as it is to the whole."""
    table = frame(5_000)
    table["dose"] = np.where(table["pain"] > 2, "<0.5", (table["pain"] + 1).astype(str))
    chosen = engine.Dataset.from_frame(
        table,
        kinds={"age": "continuous", "dose": "continuous"},
        limits={"dose": "level"},
        derive={"both": ("combine", "sex", "ill"), "old": ("cut", "age", [65])},
        where=[("arm", "is", ["a", "b"])],
        missing={"stage": "level"},
        roles={"arm": "group"},
    ).recipe
    path = parquet(tmp_path, table, row_group=700)
    memory, disk = chosen.apply(engine.read_table(path)), stored(path, chosen, tmp_path / "stored")
    assert disk.fingerprint == memory.fingerprint and disk.roles == memory.roles == {"arm": "group"}
    assert disk.report is not None and memory.report is not None
    assert disk.report.rows_sentence() == memory.report.rows_sentence()
    assert disk.report.rows_outside > 0


def test_values_without_a_level_are_told(tmp_path: Path) -> None:
    """Their rows are left out, wherever in the files they are."""
    table = frame(4_000)
    table.loc[[5, 3_999], "arm"] = ["d", "e"]
    path, chosen = parquet(tmp_path, table, files=2, row_group=500), recipe()
    disk = stored(path, chosen, tmp_path / "stored")
    assert disk.report is not None
    words = " ".join(disk.report.problems)
    assert "'d' (1 row)" in words and "'e' (1 row)" in words and "count as not known" in words


# -- the folder --------------------------------------------------------------------------------------------------------


def test_the_folder_is_private_and_goes_with_the_data_set(tmp_path: Path) -> None:
    """When nobody needs it any more, or when it is closed; a selection of variables needs it too."""
    path, place = parquet(tmp_path, frame(500)), tmp_path / "new" / "stored"
    disk = stored(path, recipe(), place)
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert [stat.S_IMODE(file.stat().st_mode) for file in place.iterdir()] == [0o600]
    part = disk.select(["sex", "ill"])
    del disk
    gc.collect()
    assert len(part.head()) == 5
    del part
    gc.collect()
    assert not place.exists()
    place.mkdir(parents=True)
    disk = stored(path, recipe(), place)
    disk.close()
    assert place.exists() and not any(place.iterdir())  # it was there before
    with pytest.raises(DataError, match="are not there any more"):
        disk.head()
    disk.close()


def test_a_copy_in_another_process_leaves_the_folder(tmp_path: Path) -> None:
    """It reads the same file."""
    disk = stored(parquet(tmp_path, frame(500)), recipe(), tmp_path / "stored")
    again = pickle.loads(pickle.dumps(disk))  # noqa: S301
    assert again.fingerprint == disk.fingerprint
    again.close()
    del again
    gc.collect()
    assert len(disk.head()) == 5


def test_the_folder_goes_at_the_end_of_the_process(tmp_path: Path) -> None:
    """Also where nobody closed anything."""
    path = parquet(tmp_path, frame(500))
    (tmp_path / "recipe.json").write_text(recipe().to_json(), encoding="utf-8")
    lines = (
        "import engine, pathlib",
        f"folder = pathlib.Path({str(tmp_path)!r})",
        "recipe = engine.Recipe.load(folder / 'recipe.json')",
        f"data = engine.Dataset.from_parquet({str(path)!r}, recipe, folder=folder / 'stored')",
        "assert (folder / 'stored').exists()",
    )
    subprocess.run([sys.executable, "-c", "\n".join(lines)], check=True, env=os.environ)
    assert not (tmp_path / "stored").exists()


def test_a_kept_folder_is_opened_again(tmp_path: Path) -> None:
    """With all that was told; and stays."""
    path, place = parquet(tmp_path, frame(5_000)), tmp_path / "stored"
    disk = engine.Dataset.from_parquet(str(path), recipe(), folder=str(place), keep=True)
    digest, report = disk.fingerprint, disk.report
    disk.close()
    del disk
    gc.collect()
    again = engine.Dataset.open_stored(str(place))
    assert (again.fingerprint, again.report, again.recipe) == (digest, report, recipe())
    again.close()
    assert place.exists()


def test_a_cancelled_reading_leaves_nothing(tmp_path: Path) -> None:
    """Progress is told with rows, and where it raises, the folder goes."""
    path, told = parquet(tmp_path, frame(5_000), row_group=500), []

    def progress(fraction: float, words: str) -> None:
        told.append((fraction, words))
        if fraction > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        engine.Dataset.from_parquet(path, recipe(), folder=tmp_path / "stored", progress=progress)
    assert not (tmp_path / "stored").exists()
    assert [fraction for fraction, _ in told] == sorted(fraction for fraction, _ in told)
    assert all("of 5,000" in words for _, words in told)
    assert module._how_far(0.25, 10, 40, 5.0) == (0.25, "reading rows: 10 of 40; about 15\u00a0s left")
    assert module._how_far(0.25, 10, 40, 1.0) == (0.25, "reading rows: 10 of 40")


# -- what goes wrong, each in one sentence -----------------------------------------------------------------------------


def _wrong(tmp_path: Path, **changes: Any) -> str:
    given = {"path": parquet(tmp_path, frame(300)), "recipe": recipe(), "folder": tmp_path / "stored"} | changes
    with pytest.raises(DataError) as caught:
        engine.Dataset.from_parquet(given["path"], given["recipe"], folder=given["folder"])
    assert not (tmp_path / "stored").exists()
    return str(caught.value)


def test_faults_of_the_files(tmp_path: Path) -> None:
    """None there, no Parquet file, one that is cut short, a folder without one, a column that is not there."""
    assert "There is no file or folder 'none.parquet'" in _wrong(tmp_path, path=tmp_path / "none.parquet")
    text = tmp_path / "text.parquet"
    text.write_text("a,b\n1,2\n", encoding="utf-8")
    assert "'text.parquet' is damaged, or no Parquet file." in _wrong(tmp_path, path=text)
    whole = parquet(tmp_path, frame(300)).read_bytes()
    text.write_bytes(whole[: len(whole) // 2] + whole[-200:])
    assert "damaged" in _wrong(tmp_path, path=text)
    text.write_bytes(whole[:500] + bytes(1_000) + whole[1_500:])
    assert "damaged" in _wrong(tmp_path, path=text)
    (tmp_path / "empty").mkdir()
    assert "holds no file that ends with .parquet" in _wrong(tmp_path, path=tmp_path / "empty")
    assert "path is that of a Parquet file" in _wrong(tmp_path, path=frame(3))
    frame(300).drop(columns="age").to_parquet(text)
    assert "'text.parquet': The table has no column 'age'" in _wrong(tmp_path, path=text)


def test_faults_of_the_recipe(tmp_path: Path) -> None:
    """None, one of rows that follow each other, one that no row fits."""
    assert "give an engine.Recipe" in _wrong(tmp_path, recipe={"kinds": {}})
    series = frame(300).assign(who=np.arange(300) // 10, day=np.arange(300) % 10)
    roles = engine.Dataset.from_frame(series, roles={"who": "subject", "day": "time"}).recipe
    assert "'day' says which rows follow each other (time)" in _wrong(tmp_path, recipe=roles)
    other = tmp_path / "other.parquet"
    frame(300).assign(sex="x").to_parquet(other)
    assert "No row of the table is known whole" in _wrong(tmp_path, path=other)


def test_faults_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file, one that holds something, none at all, one that nobody can make, one without room."""
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("mine", encoding="utf-8")
    assert "The folder 'full' holds something already" in _wrong(tmp_path, folder=full)
    assert [file.name for file in full.iterdir()] == ["mine.txt"]
    assert "'mine.txt' is a file" in _wrong(tmp_path, folder=full / "mine.txt")
    assert "give the path of an empty folder" in _wrong(tmp_path, folder="")
    assert "cannot be used" in _wrong(tmp_path, folder=full / "mine.txt" / "below")
    usage = type("Usage", (), {"free": 10})()
    monkeypatch.setattr("engine.data.stored.folder.shutil.disk_usage", lambda path: usage)
    assert "The rows need 0.0 GB in 'stored'" in _wrong(tmp_path)


def test_faults_of_a_kept_folder(tmp_path: Path) -> None:
    """Not one, of another version, damaged in any of its files."""
    path, place = parquet(tmp_path, frame(3_000)), tmp_path / "kept"

    def wrong() -> str:
        with pytest.raises(DataError) as caught:
            engine.Dataset.open_stored(place)
        return str(caught.value)

    assert "holds no stored table" in wrong()
    engine.Dataset.from_parquet(path, recipe(), folder=place, keep=True)
    planes, manifest = place / "planes.bin", place / "table.json"
    bits, words = planes.read_bytes(), manifest.read_text(encoding="utf-8")
    for damage in (bits[:-8], bits[:100] + bytes([bits[100] ^ 1]) + bits[101:]):
        planes.write_bytes(damage)
        assert "'planes.bin' in 'kept' is" in wrong()
    planes.write_bytes(bits)
    for damage in (
        "{}",
        words[:-3],
        words.replace("stored table 3", "stored table 9"),
        words.replace('"block_rows": 1048576', '"block_rows": 100'),
        words.replace('"rows": ', '"rows": -'),
        words.replace('"arity": [', '"arity": ["a", '),
        words.replace('"arity": [', '"arity": [2, '),
        words.replace('"kind": "', '"kin": "', 1),
        words.replace('"digests": "', '"digests": "zz'),
        words.replace('"rows_kept"', '"rows_lost"'),
    ):
        assert damage != words
        manifest.write_text(damage, encoding="utf-8")
        assert "damaged" in wrong() or "of another version" in wrong()
    manifest.write_text(words, encoding="utf-8")
    assert engine.Dataset.open_stored(place).n_rows > 0
    planes.unlink()
    assert "is not there or cut short" in wrong()
