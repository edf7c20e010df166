"""The folder of a table on disk: whose it is, what goes with it, and one sentence where it cannot be used."""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import engine
from engine.errors import DataError
from tests.engine.data.stored.make import frame, parquet, recipe


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A Parquet file."""
    return parquet(tmp_path, frame(500))


def stored(table: Path, folder: Any, **more: Any) -> engine.Dataset:
    return engine.Dataset.from_parquet(table, recipe(), folder=folder, **more)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_relative_path_stays_where_it_was(tmp_path: Path, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever goes elsewhere meanwhile still has the rows, and takes away their own."""
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    kept = tmp_path / "there" / "rows"
    stored(table, kept, keep=True)
    monkeypatch.chdir(tmp_path / "here")
    data = stored(Path("..") / table.name, "rows")
    monkeypatch.chdir(tmp_path / "there")
    again = engine.Dataset.open_stored("rows")
    assert len(data.head()) == 5
    data.close()
    assert not (tmp_path / "here" / "rows").exists()
    assert sorted(one.name for one in kept.iterdir()) == ["planes.bin", "table.json"]
    monkeypatch.chdir(tmp_path)
    assert len(again.head()) == 5


HELD: list[engine.Dataset] = []


def hold(table: Path, folder: Path) -> None:
    """What a forked process does: it keeps the rows until it ends."""
    HELD.append(stored(table, folder))


def test_the_folder_goes_at_the_end_of_a_forked_process(tmp_path: Path, table: Path) -> None:
    """Which runs nothing that `atexit` knows; and that process leaves alone what its parent holds."""
    mine = stored(table, tmp_path / "mine")
    child = multiprocessing.get_context("fork").Process(target=hold, args=(table, tmp_path / "its"))
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert not (tmp_path / "its").exists()
    assert len(mine.head()) == 5


def test_everything_is_for_its_owner_only(tmp_path: Path, table: Path) -> None:
    """Also what is said of the rows, which names columns and levels."""
    place = tmp_path / "kept"
    stored(table, place, keep=True)
    assert {one.name: mode(one) for one in place.iterdir()} == {"planes.bin": 0o600, "table.json": 0o600}
    assert mode(place) == 0o700


def test_folders_that_were_made_go_where_they_are_empty(tmp_path: Path, table: Path) -> None:
    """Those that were there stay, and so does one that somebody put something into."""
    (tmp_path / "old").mkdir()
    data = stored(table, tmp_path / "old" / "a" / "b" / "c")
    (tmp_path / "old" / "a" / "note.txt").write_text("mine", encoding="utf-8")
    data.close()
    assert [one.name for one in (tmp_path / "old").rglob("*")] == ["a", "note.txt"]

    def stop(fraction: float, words: str) -> None:
        raise engine.Cancelled

    with pytest.raises(engine.Cancelled):
        stored(table, tmp_path / "old" / "d" / "e", progress=stop)
    assert not (tmp_path / "old" / "d").exists()


def test_a_folder_that_was_there_gets_its_mode_back(tmp_path: Path, table: Path) -> None:
    """While the rows are in it, it is for its owner only."""
    place = tmp_path / "shared"
    place.mkdir()
    place.chmod(0o750)
    data = stored(table, place)
    assert mode(place) == 0o700
    data.close()
    assert mode(place) == 0o750
    assert not any(place.iterdir())


@pytest.fixture
def full() -> Iterator[None]:
    """A disk that takes files of 100 kB at the most."""
    before, was = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)
    signal.signal(signal.SIGXFSZ, was)


def test_a_full_disk_is_one_sentence(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """Nothing stays behind."""
    small = pd.DataFrame({"x": ["p", "q"] * 500_000, "y": ["u", "u", "v", "w"] * 250_000})
    small.to_parquet(tmp_path / "long.parquet")
    chosen = engine.Dataset.from_frame(small[:100]).recipe
    request.getfixturevalue("full")
    with pytest.raises(DataError, match="There is no room any more for the rows in 'new'; give a folder on a larger"):
        engine.Dataset.from_parquet(tmp_path / "long.parquet", chosen, folder=tmp_path / "new", keep=True)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["planes.bin", "table.json"])
def test_a_file_that_cannot_be_made_is_one_sentence(
    tmp_path: Path, table: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The planes, or what is said of them."""
    before = os.open

    def refused(path: Any, *more: Any, **others: Any) -> int:
        if Path(path).name == name:
            raise OSError(5, "Input/output error")
        return before(path, *more, **others)

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(DataError, match=r"The rows cannot be written to 'new' \(Input/output error\)"):
        stored(table, tmp_path / "new", keep=True)
    assert not (tmp_path / "new").exists()


class Bytes:
    """A path of bytes."""

    def __fspath__(self) -> bytes:
        return b"here"


@pytest.mark.parametrize("wrong", [5, b"x", ["a"], "", "a\0b", Bytes(), "x" * 5000])
def test_what_is_no_path_is_one_sentence(tmp_path: Path, table: Path, wrong: Any) -> None:
    """Of files, of a folder to write to, of one that was kept."""
    said = "give the path of an empty folder|cannot be used"
    with pytest.raises(DataError, match=said):
        stored(table, wrong)
    with pytest.raises(DataError, match=r"path is that of a Parquet file|cannot be used"):
        stored(wrong, tmp_path / "new")
    with pytest.raises(DataError, match=r"folder is that of a table that from_parquet kept|cannot be used"):
        engine.Dataset.open_stored(wrong)


def test_a_file_is_no_kept_folder(table: Path) -> None:
    """It is not damaged either."""
    with pytest.raises(
        DataError, match=r"'table\.parquet' is a file; give the folder of a table that from_parquet kept"
    ):
        engine.Dataset.open_stored(table)


def test_a_table_without_rows_is_told_so(tmp_path: Path, table: Path) -> None:
    """Nothing is missing in no row."""
    frame(0).to_parquet(tmp_path / "none.parquet")
    with pytest.raises(DataError, match="The table has no rows, so there is nothing to count"):
        stored(tmp_path / "none.parquet", tmp_path / "new")
    outside = engine.Dataset.from_frame(frame(500), where=[("pain", "at least", 1)]).recipe
    frame(500).assign(pain=0).to_parquet(tmp_path / "none.parquet")
    with pytest.raises(DataError, match="No row of the table is one of those where pain at least 1"):
        engine.Dataset.from_parquet(tmp_path / "none.parquet", outside, folder=tmp_path / "new")
