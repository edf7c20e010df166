"""Reading tables: one test for each row of the list of what pandas does by default, and what we want instead."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd
import pytest

from engine.data.dataset import Dataset
from engine.data.reading.limits import Limits
from engine.data.reading.read import read_table
from engine.data.reading.report import ReadingReport, reading_report
from engine.errors import DataError
from tests.hostile.make import FIXTURES


def report_of(table: pd.DataFrame) -> ReadingReport:
    """The report a table carries."""
    report = reading_report(table)
    assert report is not None
    return report


def read(name: str) -> pd.DataFrame:
    """A hostile fixture, read."""
    one = FIXTURES[name]
    return read_table(one.make(), name=one.file, **one.choices)


def test_byte_order_mark_is_no_part_of_the_first_name() -> None:
    """A UTF-8 mark vanishes."""
    assert read("utf8_bom").columns[0] == "sex"


@pytest.mark.parametrize(
    ("name", "used"), [("utf16_little", "utf-16"), ("latin1", "latin-1"), ("cp1252", "cp1252"), ("cyrillic", "cp1251")]
)
def test_encodings_are_found_and_named(name: str, used: str) -> None:
    """Files that are not UTF-8 are read, and the report says as what."""
    assert report_of(read(name)).encoding == used


def test_special_letters_survive() -> None:
    """Letters of an 8-bit encoding come out as they were meant."""
    assert set(read("cp1252")["Größe"].unique()) == {"groß", "5 € – “klein”"}


@pytest.mark.parametrize(("name", "mark"), [("semicolons", ";"), ("tabs", "\t"), ("bars", "|"), ("spaces", " ")])
def test_separators_are_found(name: str, mark: str) -> None:
    """The separator is found among five."""
    assert report_of(read(name)).delimiter == mark


def test_decimal_comma_is_not_lost() -> None:
    """Semicolons with decimal commas give the numbers that are meant."""
    table = read("decimal_comma")
    assert table["a"].tolist() == [1.5, 3.25]
    assert table["b"].tolist() == [2.5, 4.5]


def test_decimal_comma_with_points_for_thousands() -> None:
    """1.234,5 is one number in a file with decimal commas."""
    assert read_table(b"a;b\n1.234,5;x\n2,25;y\n")["a"].tolist() == [1234.5, 2.25]


def test_duplicate_headers_are_renamed_visibly() -> None:
    """Every change of a header is in the report."""
    assert [(one.was, one.now) for one in report_of(read("header_duplicate")).renamed] == [
        ("a", "a (2)"),
        ("a", "a (3)"),
    ]


def test_case_twins_are_a_problem_to_look_at() -> None:
    """`a` and `A` stay two columns, with a warning."""
    assert any("capitals" in words for words in report_of(read("header_case_twins")).problems)


def test_missing_header_is_noticed() -> None:
    """A first row that looks like data stays data."""
    table = read("header_missing_numbers")
    assert list(table.columns) == ["column 1", "column 2", "column 3"]
    assert table["column 1"].tolist() == [1.5, 2.5, 3.5, 1.5]


def test_header_choice_wins() -> None:
    """The user's own header line, or none, is followed."""
    data = b"1,2\n3,4\n5,6\n"
    assert list(read_table(data, header=1).columns) == ["1", "2"]
    assert len(read_table(data, header=None)) == 3
    assert list(read_table(b"x\ny,z\n" + data, skip_rows=1, header=2).columns) == ["y", "z"]


@pytest.mark.parametrize(("name", "row"), [("every_row_too_long", 2), ("one_row_too_long", 3), ("nul", 3)])
def test_errors_carry_the_line(name: str, row: int) -> None:
    """The line is in the text and in the error's field."""
    with pytest.raises(DataError) as caught:
        read(name)
    assert caught.value.row == row


def test_short_rows_do_not_turn_whole_numbers_into_fractions() -> None:
    """A gap leaves whole numbers whole."""
    table = read("short_rows")
    assert str(table["c"].dtype) == "Int64"
    assert report_of(table).short_lines == (3, 4)


def test_preamble_is_skipped_and_reported() -> None:
    """Titles and comments above the header are passed over."""
    report = report_of(read("preamble"))
    assert report.header_line == 4
    assert report.skipped_lines == (1, 2)


@pytest.mark.parametrize(("name", "texts"), [("infinite", {"Inf", "-inf"}), ("overflow", {"1e999"})])
def test_infinite_numbers_are_missing_and_listed(name: str, texts: set[str]) -> None:
    """A number without end is an invalid cell with its place."""
    table = read(name)
    assert {cell.value for cell in report_of(table).invalid} == texts
    assert table["x"].isna().sum() == len(report_of(table).invalid)
    assert all(cell.line == cell.row + 1 for cell in report_of(table).invalid)


def test_too_large_whole_numbers_stay_text() -> None:
    """No digit of a huge number is lost."""
    assert "99999999999999999999" in set(read("huge_integers")["x"])


def test_whole_numbers_with_gaps_keep_their_levels() -> None:
    """Levels are `1` and `2`, not `1.0`."""
    assert Dataset.from_frame(read("whole_numbers_with_gap"), kinds={"x": "nominal"}).levels["x"] == ("1", "2")
    assert Dataset.from_frame(read("floats_as_levels"), kinds={"x": "nominal"}).levels["x"] == ("1", "2")


def test_leading_zeros_stay() -> None:
    """0012 is a text."""
    assert set(read("leading_zeros")["x"]) == {"0012", "0013", "7"}


def test_missing_tokens_are_shown_and_can_be_kept() -> None:
    """Tokens taken for missing are counted; without tokens they are levels."""
    data = b"a,b\nNA,1\nNone,2\nnull,3\nn/a,4\nnan,5\nx,6\nx,6\n"
    assert report_of(read_table(data)).missing_tokens["a"] == {"NA": 1, "None": 1, "null": 1, "n/a": 1, "nan": 1}
    kept = read_table(data, missing=[])
    assert set(kept["a"].unique()) == {"NA", "None", "null", "n/a", "nan", "x"}


def test_none_is_a_grade_beside_mild_and_severe() -> None:
    """A scale keeps its lowest grade."""
    assert "None" in set(read("level_none")["x"])


def test_blank_line_in_one_column_is_a_missing_value() -> None:
    """A table of one column loses no row."""
    assert read("blank_lines_one_column")["a"].isna().tolist() == [False, True, False, False]


def test_offending_cells_are_named() -> None:
    """Cells that keep a column from being numeric are listed with row and line."""
    cells = [(cell.row, cell.line, cell.value) for cell in report_of(read("mixed_types")).not_numeric]
    assert cells == [(10, 11, "8-12"), (11, 12, "45+")]


def test_thousands_and_percent_become_numbers() -> None:
    """Marks that cannot mean anything else are taken off, and the report says so."""
    assert read("thousands")["x"].tolist()[:3] == [1234, 12345678, 999]
    assert read("percent")["x"].tolist()[:3] == [12.0, 13.5, 99.0]


def test_look_alike_words_are_one_level() -> None:
    """Spaces and composition make no difference; capitals do, with a suggestion to merge."""
    assert list(read("look_alike_unicode")["x"].unique()) == ["café"]
    table = read("trailing_spaces")
    assert set(table["x"]) == {"low", "Low", "high"}
    data = Dataset.from_frame(table)
    assert data.report is not None and any("'Low' and 'low'" in words for words in data.report.suggestions)


def test_booleans_have_two_levels() -> None:
    """Words True and False give levels False, True."""
    assert Dataset.from_frame(read("level_true")).levels["x"] == ("False", "True")


def test_text_columns_are_categories() -> None:
    """Words that repeat cost a byte a row, not a text."""
    table = read_table(b"a,b\n" + b"some long words,1\nother long words,2\n" * 5_000)
    assert isinstance(table["a"].dtype, pd.CategoricalDtype)
    assert table["a"].memory_usage(deep=True) < 15_000


def test_report_survives_copies() -> None:
    """The report travels with copies and selections of the table."""
    table = read("preamble").copy().iloc[:5]
    assert report_of(table).header_line == 4


@pytest.mark.parametrize("kind", ["path", "text path", "file", "bytes"])
def test_sources(kind: str, tmp_path: Path) -> None:
    """A path, a file object and bytes give the same table."""
    data = FIXTURES["utf8_bom"].make()
    path = tmp_path / "a.csv"
    path.write_bytes(data)
    source = {"path": path, "text path": str(path), "file": io.BytesIO(data), "bytes": data}[kind]
    pd.testing.assert_frame_equal(read_table(source), read_table(data))


def test_missing_file_and_folder(tmp_path: Path) -> None:
    """A path to nothing or to a folder is refused with its name only."""
    for path, words in ((tmp_path / "no.csv", "no file 'no.csv'"), (tmp_path, "folder")):
        with pytest.raises(DataError, match=words) as caught:
            read_table(path)
        assert str(tmp_path) not in str(caught.value)


def test_too_large_a_file_is_refused_before_reading(tmp_path: Path) -> None:
    """A file of a gigabyte (without content on disk) is refused by its size."""
    path = tmp_path / "big.csv"
    with path.open("wb") as file:
        file.truncate(1_000_000_000)
    with pytest.raises(DataError, match=r"1,000 MB; the limit is 500 MB"):
        read_table(path)


def test_limit_edges() -> None:
    """A file exactly at the limit is read, one byte more is refused."""
    data = b"a,b\n1,2\n3,5\n"
    assert len(read_table(data, limits=Limits(file_bytes=len(data)))) == 2
    with pytest.raises(DataError, match="limit"):
        read_table(data, limits=Limits(file_bytes=len(data) - 1))
    with pytest.raises(DataError, match="2 rows; the limit is 1"):
        read_table(data, limits=Limits(rows=1))
    with pytest.raises(DataError, match="2 columns; the limit is 1"):
        read_table(data, limits=Limits(columns=1))


@pytest.mark.parametrize(
    "choices",
    [{"delimiter": ";;"}, {"decimal": "x"}, {"delimiter": ",", "decimal": ","}, {"header": 0}, {"header": "first"}],
)
def test_impossible_choices(choices: dict[str, object]) -> None:
    """A choice that cannot be is refused with what it may be."""
    with pytest.raises(DataError):
        read_table(b"a,b\n1,2\n", **choices)  # type: ignore[arg-type]


def test_sav_keeps_labels_order_and_measure() -> None:
    """Value labels become levels in the order of the codes; an ordinal measure is taken over."""
    data = Dataset.from_frame(read("sav"))
    assert data.levels["pain"] == ("none", "some", "much")
    assert data.kinds["pain"] == "ordinal"


def test_report_dictionary_round_trip() -> None:
    """`from_dict` undoes `to_dict`."""
    for name in ("mixed_types", "header_duplicate", "xlsx_several_sheets", "parquet_nested"):
        report = report_of(read(name))
        assert ReadingReport.from_dict(report.to_dict()) == ReadingReport.from_dict(
            ReadingReport.from_dict(report.to_dict()).to_dict()
        )
        assert report.sentences() == ReadingReport.from_dict(report.to_dict()).sentences()


def test_whole_numbers_beyond_64_bits_stay_words() -> None:
    """The largest whole number that fits is one; the next would lose its last digit and stays as it is written."""
    fits = read_table(b"k\n9223372036854775807\n5\n")
    assert fits["k"].tolist() == [2**63 - 1, 5]
    for large in (2**63, 2**63 + 1):
        words = read_table(f"k\n{large}\n5\n".encode())
        assert set(words["k"]) == {str(large), "5"}
        assert "too large to be exact" in report_of(words).conversions["k"]
