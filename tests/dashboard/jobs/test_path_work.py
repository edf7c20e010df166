"""A table is read where it lies: what there is, the two passes, and rows that memory does not hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dashboard.jobs import path_work
from dashboard.jobs.path_work import code_table, look_at
from engine import DataError, Dataset
from engine.data.stored import streaming

TABLE = pd.DataFrame(
    {
        "arm": ["A", "B"] * 300,
        "stage": ["low", "mid", "high"] * 200,
        "score": np.arange(600) * 1.5,
        "ill": (["no"] * 5 + ["yes"]) * 100,
    }
)


def write(place: Path, kind: str) -> Path:
    file = place / f"trial.{kind}"
    if kind == "parquet":
        TABLE.to_parquet(file)
    elif kind == "parts":
        file.mkdir()
        for number, part in enumerate((TABLE[:200], TABLE[200:])):
            part.to_parquet(file / f"part{number}.parquet")
    else:
        TABLE.to_csv(file, index=False)
    return file


@pytest.mark.parametrize("kind", ["parquet", "parts", "csv", "csv.gz"])
def test_a_table_has_the_codes_of_the_uploaded_one(tmp_path: Path, kind: str) -> None:
    """What it takes is said beforehand; the data set is that of the same rows in memory, bit by bit."""
    said: list[str] = []
    found = look_at(str(write(tmp_path, kind)), (tmp_path,))
    data = code_table(found, (tmp_path,), None, lambda _, words: said.append(words))
    assert (found.name, found.columns) == (f"trial.{kind}", 4)
    assert found.rows == (600 if "par" in kind else None)
    assert ("600 rows, " in found.sentence()) == ("par" in kind)
    assert "4 columns, 0.1 MB. It is read twice, less than a second " in found.sentence()
    assert data.fingerprint == Dataset.from_frame(TABLE).fingerprint
    assert {words[:11] for words in said} == {"Pass 1 of 2", "Pass 2 of 2"}


def test_rows_beyond_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They go to the folder that is made for them, or are refused; the store takes them away once it is adopted."""
    monkeypatch.setattr(streaming, "MOST_IN_MEMORY", 100)
    found = look_at(str(write(tmp_path, "parquet")), None)
    with pytest.raises(DataError, match="--work-folder"):
        code_table(found, None, None, lambda *_: None)
    folder = tmp_path / "rows"
    data = code_table(found, None, folder, lambda *_: None)
    assert not data.in_memory
    assert oct(folder.stat().st_mode)[-3:] == "700"
    assert data.fingerprint == Dataset.from_frame(TABLE).fingerprint
    data.store.adopt()  # type: ignore[attr-defined]
    data.close()
    assert not folder.exists()


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (TABLE.rename(columns={"arm": "side"}), "'z.parquet' has no column 'arm'"),
        (TABLE.assign(more="x"), "has no column 'more', which 'z.parquet' has"),
        (TABLE.assign(arm=1), "Column 'arm' holds numbers in 'z.parquet' and texts in"),
        (TABLE.assign(arm=pd.Timestamp(0)), "Column 'arm' holds dates in 'z.parquet' and texts in"),
    ],
)
def test_parts_of_other_columns(tmp_path: Path, other: pd.DataFrame, words: str) -> None:
    """Or of columns of another type: the sentence names the file and the column, and no path."""
    place = write(tmp_path, "parts")
    other.to_parquet(place / "z.parquet")
    with pytest.raises(DataError) as caught:
        look_at(str(place), None)
    assert words in str(caught.value)
    assert str(tmp_path) not in str(caught.value)


def test_what_is_no_parquet_and_no_text(tmp_path: Path) -> None:
    """A workbook is for the upload; a Parquet file that is cut off is refused when it is looked at."""
    file = tmp_path / "book.xlsx"
    TABLE.to_excel(file)
    with pytest.raises(DataError, match=r"is a workbook\. By path only"):
        look_at(str(file), None)
    whole = write(tmp_path, "parquet").read_bytes()
    (tmp_path / "cut.parquet").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(DataError, match=r"'cut\.parquet' is damaged"):
        look_at(str(tmp_path / "cut.parquet"), None)


@pytest.mark.parametrize("moment", ["before", "between the passes", "after"])
def test_a_file_that_changes(tmp_path: Path, moment: str) -> None:
    """Whenever it is written to, the table is refused."""
    file = write(tmp_path, "parquet")
    found = look_at(str(file), None)

    def rewrite(fraction: float, words: str) -> None:
        if (fraction >= 0.5) if moment == "between the passes" else (fraction >= 1 and moment == "after"):
            TABLE[:100].to_parquet(file)

    if moment == "before":
        TABLE[:100].to_parquet(file)
    with pytest.raises(DataError, match="was changed"):
        code_table(found, None, None, rewrite)


@pytest.mark.parametrize("moment", [-1.0, 0.5])
def test_a_link_that_leads_out_once_it_was_looked_at(tmp_path: Path, moment: float) -> None:
    """The job looks anew at where the file is, before it reads and once it has read."""
    offered = tmp_path / "offered"
    offered.mkdir()
    found = look_at(str(write(offered, "parquet")), (offered,))
    outside = tmp_path / "trial.parquet"

    def lead_out(fraction: float, words: str) -> None:
        if fraction >= moment and not outside.exists():
            found.files.path.rename(outside)
            found.files.path.symlink_to(outside)

    lead_out(0.0 if moment < 0 else -1.0, "")
    with pytest.raises(DataError, match="Only files below"):
        code_table(found, (offered,), None, lead_out)


def test_packed_text_is_counted_unpacked(tmp_path: Path) -> None:
    """Time goes by the text, not by the bytes on disk."""
    plain, packed = (look_at(str(write(tmp_path, kind)), None) for kind in ("csv", "csv.gz"))
    assert packed.files.size < plain.files.size
    assert packed.seconds == pytest.approx(packed.files.size * path_work.UNPACKED / path_work.BYTES_A_SECOND)
