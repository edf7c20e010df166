"""Tables that fit a page."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from engine.methods.masked import Masked
from engine.project.report.tables import LETTER, MOST_ROWS, ROOM, SMALL, printed, table_markup
from engine.telling.masking import Hidden
from engine.telling.tables import Column, TableDescription, described
from tests.engine.project.report.answers import KINDS, answer

NAMES = {"label": "Table 1.1", "title": "T", "where": "elsewhere"}


def columns(text: str) -> list[list[str]]:
    """The headers of each part."""
    return [re.findall(r"<th scope='col'[^>]*>(.*?)</th>", head) for head in re.findall(r"<thead>(.*?)</thead>", text)]


def test_a_wide_table_is_cut_and_its_keys_come_again() -> None:
    """Every column once, the keys in every part."""
    frame = pd.DataFrame({"variable": ["x"], **{f"column_number_{i}": [i * 1.5] for i in range(30)}})
    parts = columns(table_markup(frame, TableDescription(keys=("variable",)), **NAMES))
    assert len(parts) > 1
    assert all(part[0] == "variable" for part in parts)
    assert [name for part in parts for name in part[1:]] == [f"column_number_{i}" for i in range(30)]


@pytest.mark.parametrize("many", [14, 20, 33])
def test_parts_are_as_few_as_can_be_and_about_equally_wide(many: int) -> None:
    """The last is not one column by itself; none is wider than the page."""
    frame = pd.DataFrame({"key": ["x"], **{f"column{i:02d}": ["y" * 12] for i in range(many)}})
    about = TableDescription(keys=("key",))
    letters = 3 * LETTER + 9.5, 12 * LETTER + 9.5
    most = int((ROOM - letters[0]) // letters[1])
    sizes = [len(part) - 1 for part in columns(table_markup(frame, about, **NAMES))]
    assert sum(sizes) == many
    assert len(sizes) == -(-many // most)
    assert max(sizes) <= most
    assert max(sizes) - min(sizes) <= most / 2


def test_a_long_table_says_what_is_missing() -> None:
    """How many rows, and where they are."""
    text = table_markup(pd.DataFrame({"a": range(MOST_ROWS + 7)}), TableDescription(), **NAMES)
    assert "7 more rows not printed here; the whole table: elsewhere." in text
    assert text.count("<tr>") == MOST_ROWS + 1
    assert "not printed" not in table_markup(pd.DataFrame({"a": range(MOST_ROWS)}), TableDescription(), **NAMES)


def test_an_interval_is_one_column() -> None:
    """With its ends in brackets."""
    about = TableDescription("", described(points="effect: difference; low; high"), ends={"effect": ("low", "high")})
    text = table_markup(pd.DataFrame({"effect": [0.1], "low": [0.05], "high": [0.2]}), about, **NAMES)
    assert columns(text) == [["difference"]]
    assert "+10 (+5 to +20)" in text
    about = TableDescription("", described(number="mean; low; high"), ends={"mean": ("low", "high")})
    rows = pd.DataFrame({"mean": [0.16244, 4.1512], "low": [-0.03043, -3.0461], "high": [0.3600, 12.438]})
    text = table_markup(rows, about, **NAMES)
    assert "0.16 (−0.03 to 0.36)" in text and "4 (−3 to 12)" in text, "as many decimals as the interval has room for"


def test_a_table_that_is_too_wide_breaks_its_texts_before_it_is_cut() -> None:
    """Eight texts of two words of eleven letters fit a page in two lines each; words stay whole."""
    about = TableDescription(others=Column("", "text"))
    for text, parts in (("elevenlette elevenlette", 1), ("x" * 23, 2)):
        frame = pd.DataFrame({f"column{i}": [text] for i in range(8)})
        assert len(columns(table_markup(frame, about, **NAMES))) == parts


def test_a_chapter_leaves_out_technical_columns_and_what_its_chart_shows() -> None:
    """The estimate, its interval and its place stand in the chart; without one they stay."""
    about = TableDescription(ends={"d": ("low", "high")}, chart="d", place="where", technical=("bits",))
    assert about.in_chapter().left_out == ("bits",)
    assert about.in_chapter(charted=True).left_out == ("bits", "d", "low", "high", "where")


def test_a_table_is_whole_where_few_rows_would_be_left() -> None:
    """Three rows are no reason to send a reader to a file."""
    few, many = (str(table_markup(pd.DataFrame({"n": range(n)}), TableDescription(), **NAMES)) for n in (33, 34))
    assert few.count("<tr>") == 34 and "not printed" not in few
    assert many.count("<tr>") == 31 and "4 more rows not printed here" in many


def test_a_hidden_middle_hides_its_interval() -> None:
    """And is counted once."""
    about = TableDescription("", described(count="n", share="share; low; high"), ends={"share": ("low", "high")})
    hidden = Hidden(5, {(0, "n")}, set(), {(0, "share"), (0, "low"), (0, "high")})
    text = table_markup(
        pd.DataFrame({"n": [3], "share": [0.123], "low": [0.05], "high": [0.2]}), about, **NAMES, hidden=hidden
    )
    assert "12.3" not in text
    assert "5.0" not in text
    assert "2 cells hidden." in text
    assert printed(hidden, about, 1) == text.count("hid'") == 2


def test_columns_with_nothing_in_them_are_left_out() -> None:
    """They would only cost room."""
    frame = pd.DataFrame({"a": [1, 2], "b": [float("nan")] * 2})
    assert columns(table_markup(frame, TableDescription(), **NAMES)) == [["a"]]


def test_headers_and_cells_are_text() -> None:
    """Names of classes and levels may be anything."""
    text = table_markup(pd.DataFrame({"<i>": ["<b>"]}), TableDescription(), **NAMES)
    assert "<i>" not in text
    assert "<b>&lt;" not in text
    assert "&lt;b&gt;" in text


@pytest.mark.parametrize("kind", KINDS)
def test_every_table_fits_a_page(kind: str) -> None:
    """By the letters of its columns, in one of the two sizes."""
    result = answer(kind)
    for title in result.table_titles():
        text = table_markup(Masked(result).frame(title), result.table_description(title), **NAMES)
        for part in re.findall(r"<table(.*?)</table>", text):
            rows = [re.findall(r"<t[hd][^>]*?(class='n[^>]*)?>(.*?)</t[hd]>", row) for row in part.split("<tr>")[2:]]
            wide = [
                max(min(len(one), 30) if not left else len(one) for left, one in column)
                for column in zip(*rows, strict=True)
            ]
            letter = SMALL if "class='small'" in part else LETTER
            assert sum(wide) * letter <= ROOM


def test_gaps_of_a_difference_of_means_have_that_of_the_level() -> None:
    """In percentage points, hidden where that is; a row with a number names no level; in the chapter alone."""
    about = TableDescription(
        "",
        described(text="variable; level", number="mean; low; high", points="share; least; most"),
        keys=("variable",),
        ends={"mean": ("low", "high"), "share": ("least", "most")},
        level="level",
        instead={"mean": "share"},
        technical=("share",),
    )
    row = {"mean": 0.5, "low": 0.2, "high": 0.8, "share": 0.1, "least": 0.0, "most": 0.2}
    gap = row | dict.fromkeys(("mean", "low", "high"), float("nan"))
    frame = pd.DataFrame([{"variable": "a", "level": "high"} | row, {"variable": "b", "level": "yes"} | gap])
    text = table_markup(frame, about.in_chapter(), **NAMES)
    assert "0.5 (0.2 to 0.8)" in text and "+10\u00a0pp (0 to +20)" in text
    assert "yes" in text and "high" not in text and columns(text) == [["variable", "level", "mean"]]
    assert "high" in table_markup(frame, about, **NAMES)
    hidden = table_markup(frame, about.in_chapter(), **NAMES, hidden=Hidden(5, small={(1, "share")}))
    assert "fewer than 5" in hidden and "pp" not in hidden
