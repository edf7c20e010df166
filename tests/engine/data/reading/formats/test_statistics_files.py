"""SPSS, Stata and SAS files: numbers stay numbers, labels stand where they are, what is declared missing is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pyreadstat
import pytest

from engine import Dataset, read_table
from engine.data.reading.report import ReadingReport, reading_report


def _read(folder: Path, kind: str, table: pd.DataFrame, **options: Any) -> tuple[pd.DataFrame, ReadingReport]:
    path = folder / f"t.{kind}"
    {"sav": pyreadstat.write_sav, "dta": pyreadstat.write_dta, "xpt": pyreadstat.write_xport}[kind](
        table, str(path), **options
    )
    read = read_table(path)
    report = reading_report(read)
    assert report is not None
    return read, report


@pytest.mark.parametrize("kind", ["sav", "dta", "xpt"])
def test_whole_numbers_with_gaps_are_numbers(tmp_path: Path, kind: str) -> None:
    """Whatever the library hands over where a cell is missing; dates are dates."""
    table = pd.DataFrame(
        {
            "age": pd.array([40 + i for i in range(29)] + [None], "Int64"),
            "dose": [0.5 * i for i in range(29)] + [None],
            "day": [pd.Timestamp(2024, 1, 1 + i).date() for i in range(29)] + [None],
        }
    )
    read, report = _read(tmp_path, kind, table)
    assert [str(dtype) for dtype in read.dtypes] == ["Int64", "float64", "datetime64[us]"]
    assert read["age"][3] == 43 and read.isna().sum().tolist() == [1, 1, 1]
    assert report.format == kind


def test_missing_letters_of_whole_numbers_are_told(tmp_path: Path) -> None:
    """Stata's .a beside whole numbers is missing, and counted with its label."""
    table = pd.DataFrame({"age": [*range(20, 40), "a", "a", "b"]}, dtype=object)
    read, report = _read(
        tmp_path,
        "dta",
        table,
        missing_user_values={"age": ["a", "b"]},
        variable_value_labels={"age": {"a": "refused"}},
    )
    assert str(read["age"].dtype) == "Int64" and read["age"].isna().sum() == 3
    assert report.missing_tokens["age"] == {".a (refused)": 2, ".b": 1}


_ROWS = 60


@pytest.mark.parametrize(
    ("values", "labels", "levels", "ordered"),
    [
        ((1, 2, 3, 4, 5), {1: "bad", 5: "good"}, ("bad", "2", "3", "4", "good"), True),
        ((1, 2, 3, 4, 9), {1: "bad", 4: "good", 9: "unsure"}, ("bad", "2", "3", "good", "unsure"), True),
        ((1, 2, 3, 4), {1: "north", 2: "south", 4: "east"}, ("north", "south", "3", "east"), False),
        ((1, 2, 3), {1: "2", 3: "x"}, ("2 (1)", "2", "x"), False),
    ],
)
def test_labels_stay_where_some_codes_have_none(
    tmp_path: Path, values: tuple[int, ...], labels: dict[int, str], levels: tuple[str, ...], *, ordered: bool
) -> None:
    """A code without a label is its own; a scale of which only the ends are labelled keeps its order."""
    table = pd.DataFrame({"x": [values[i % len(values)] for i in range(_ROWS)], "y": [1.0, 2.0, 3.0] * 20})
    read, report = _read(tmp_path, "sav", table, variable_value_labels={"x": labels})
    assert tuple(read["x"].cat.categories) == levels
    assert read["x"].cat.ordered == ordered
    assert "2" in report.conversions["x"] or "3" in report.conversions["x"]
    assert Dataset.from_frame(read).levels["x"] == levels


def test_labelled_values_beside_measurements_are_words_among_them(tmp_path: Path) -> None:
    """97 'refused' among ages is asked; the ends of a scale from 0 to 100 are numbers, and that is told."""
    table = pd.DataFrame({"age": [97, *range(20, 79)], "pain": [0, 100, *range(20, 78)], "cost": [998.0, *range(59)]})
    labels = {"age": {97: "refused"}, "pain": {0: "none", 100: "worst"}, "cost": {998: "not known"}}
    read, report = _read(tmp_path, "sav", table, variable_value_labels=labels)
    assert read["age"][0] == "refused" and read["age"][1] == "20" and read["cost"][0] == "not known"
    assert str(read["pain"].dtype) == "Int64" and "100 ('worst')" in report.conversions["pain"]
    assert "97 is 'refused'" in report.conversions["age"]


def test_nominal_is_believed_of_labelled_numbers_only(tmp_path: Path) -> None:
    """SPSS calls numbers so by default; the others are decided by their values, and the report says so."""
    table = pd.DataFrame({"item": [0, 1, 2, 3] * 15, "arm": [1, 2, 3] * 20, "rank": [1, 2, 3, 4] * 15})
    read, report = _read(
        tmp_path,
        "sav",
        table,
        variable_value_labels={"arm": {1: "a", 2: "b", 3: "c"}},
        variable_measure={"item": "nominal", "arm": "nominal", "rank": "ordinal"},
    )
    assert report.measures == {"item": "assumed", "arm": "nominal", "rank": "ordinal"}
    assert any("'item' nominal, as it does by default" in note for note in report.notes)
    data = Dataset.from_frame(read)
    kinds = {column.name: column.kind for column in data.report.columns} if data.report else {}
    assert kinds == {"item": "ordinal", "arm": "nominal", "rank": "ordinal"}
