"""The fast way through a regular text table gives what the careful reader gives, to the last line number."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from engine.data.reading import regular_text, text_tables
from engine.data.reading.columns import TextColumn
from engine.data.reading.filetype import file_type
from engine.data.reading.limits import Choices, Limits
from engine.data.reading.report import ReadingReport
from engine.data.reading.text_tables import read_text
from engine.errors import DataError
from tests.hostile.make import FIXTURES

LIMITS = Limits()


def read(data: bytes, choices: Choices, limits: Limits, *, careful: bool) -> tuple[pd.DataFrame | str, bool]:
    """The table, or the sentence that refuses it, and whether it came the fast way."""
    ways: list[bool] = []

    def noted(*given: Any) -> Any:
        found = None if careful else regular_text.read_regular(*given)
        ways.append(found is not None)
        return found

    with patch.object(text_tables, "read_regular", noted):
        try:
            table: pd.DataFrame | str = read_text(data, choices, limits, ReadingReport("t.csv", "text"))
        except DataError as error:
            table = str(error)
    return table, any(ways)


def same(data: bytes, choices: Choices | None = None, limits: Limits = LIMITS) -> bool:
    """Whether a table came the fast way; both ways must give the same frame, report or refusal."""
    choices = choices or Choices()
    found, fast = read(data, choices, limits, careful=False)
    wanted, slow = read(data, choices, limits, careful=True)
    assert not slow
    if isinstance(wanted, str) or isinstance(found, str):
        assert found == wanted
        return fast
    pd.testing.assert_frame_equal(found, wanted, check_exact=True)
    assert [str(kind) for kind in found.dtypes] == [str(kind) for kind in wanted.dtypes]
    # as texts, since the order of tokens and columns is shown too
    assert json.dumps(found.attrs["reading"]) == json.dumps(wanted.attrs["reading"])
    return fast


TEXTS = {name: one for name, one in FIXTURES.items() if set(one.choices) <= {"encoding", "missing", "header"}}


@pytest.mark.parametrize("name", TEXTS)
def test_hostile_texts(name: str) -> None:
    """Every hostile text is read alike in both ways."""
    fixture = TEXTS[name]
    data = fixture.make()
    try:
        kind = file_type(data)
    except DataError:
        return
    if kind == "text":
        choices = dict(fixture.choices)
        if "missing" in choices:
            choices["missing"] = tuple(choices["missing"])
        same(data, Choices(**choices))


@pytest.mark.parametrize(
    "name",
    ["utf8_bom", "utf16_little", "utf16_unmarked", "latin1", "cyrillic", "semicolons", "tabs", "bars", "sep_line",
     "decimal_comma", "preamble", "header_newline", "header_template", "header_missing_numbers", "overflow", "infinite",
     "leading_zeros", "thousands", "percent", "mixed_types", "look_alike_unicode", "trailing_spaces", "level_none"],
)  # fmt: skip
def test_these_go_the_fast_way(name: str) -> None:
    """What is regular is not left to the careful reader."""
    assert same(FIXTURES[name].make())


@pytest.mark.parametrize(
    "rows",
    [
        "1,2\n\n3,4\n", "1,2\n3\n", "1,2\n3,4,\n", "1,2\n,\n3,4\n", "1,2\n , \n3,4\n", '1,2\n"3\n",4\n', "1,2\r3,4\n",
        '1,2\n "3",4\n', '1,2\n3"x",4\n', '1,2\n"3" ,4\n', '1,2\n"3,4\n', "1,2\n3,4\n  ", "1,2\n\x1a", "1,2\n\n",
        '1,2\n"3,4', '1,2\n"3","4',
        '1,2\n"""",""\n"",""\n', "1,2\n" + "x" * 140_000 + ",3\n", '1,2\n"' + "x" * 140_000 + '",3\n',
    ],
)  # fmt: skip
def test_irregular_lines_are_left_to_the_careful_reader(rows: str) -> None:
    """Wherever a line may mean something else, and also far behind the rows that decide the layout."""
    assert not same(("a,b\n" + rows).encode())
    assert not same(("a,b\n" + "5,6\n" * 600 + rows).encode())


@pytest.mark.parametrize("text", ["3\x1a", "\ufeff3", "\ufeff", "3\0", "\u2028", "\x0b", "\x85"])
@pytest.mark.parametrize("header", [None, 1])
def test_odd_characters_are_regular(text: str, header: int | None) -> None:
    """Marks of order, of the end of a file or of a line of another time are letters to both readers."""
    for encoding in ("utf-16",) if "\0" in text else ("utf-8", "utf-16"):  # with NUL only the latter is a text
        assert same(f"{text},b\n1,2\n{text},4\n".encode(encoding), Choices(header=header, encoding=encoding))


@pytest.mark.parametrize("rows", ['"1","a, b"\n', '"1","a ""b"""\n', '"",b\n', '1,""\n', '"""",b\r\n', '1,""""""\n'])
def test_simple_quotes_are_regular(rows: str) -> None:
    """Quotes around fields, and doubled ones within."""
    assert same(b"\xef\xbb\xbf" + f'"5",y\n{rows}'.encode(), Choices(header=None))
    for end in ("", "2,c", '2,"c"', '2,"c"\n', "2,c\r\n"):
        assert same(("a,b\n7,x\n" + rows * 3 + end).encode())


POOLS = {
    "whole": [str(i * 37 % 101) for i in range(90)],
    "signed": ["-3", "4", "-5", "+6", "0", "-0"],
    "point": [f"{i / 7:.{i % 9}f}" for i in range(200)],
    "long": [repr(i / 7) for i in range(1, 99)],
    "comma": [f"{i / 7:.2f}".replace(".", ",") for i in range(200)],
    "power": ["1e5", "2.5E-3", "7", "-1e-300"],
    "identity": [f"{i:05d}" for i in range(1_500)],
    "grouped": ["1,234", "12,345", "7"],
    "percent": ["12%", "3.5 %", "99%"],
    "word": ["mild", "severe", "none", "absent"],
    "name": [f"patient {i}" for i in range(1_500)],
    "letters": ["Größe", "cafe\u0301", "caf\u00e9", "日本"],
    "flag": ["0", "1"],
    "date": ["2021-03-04", "2022-11-30"],
    "empty": [""],
}


def written(
    rows: Sequence[Sequence[str]], mark: str, end: str, last: bool, quoted: int, encoding: str, padded: str
) -> bytes:
    """Rows as a file: quotes where needed or everywhere, a space before fields or none, the last line ended or not."""

    def cell(text: str) -> str:
        if quoted == csv.QUOTE_ALL or mark in text or (quoted == csv.QUOTE_NONNUMERIC and text.isalpha()):
            return f'"{text}"'
        return padded + text

    text = end.join(mark.join(map(cell, row)) for row in rows) + (end if last else "")
    return text.encode(encoding, "replace")


def test_most_tables_of_this_kind_go_the_fast_way() -> None:
    """One table with every kind of column in every way of writing."""
    taken = 0
    kinds = [kind for kind in POOLS if kind != "empty"]
    rows = [kinds, *zip(*(islice(cycle(POOLS[kind]), 1_300) for kind in kinds), strict=True)]
    for mark, end, quoted, encoding in [
        (",", "\n", csv.QUOTE_MINIMAL, "utf-8"),
        (";", "\r\n", csv.QUOTE_ALL, "utf-8-sig"),
        ("\t", "\n", csv.QUOTE_NONNUMERIC, "utf-16"),
    ]:
        taken += same(written(rows, mark, end, True, quoted, encoding, ""))
    assert taken == 3


def test_a_file_that_is_parsed_in_several_pieces() -> None:
    """Each piece has words and gaps of its own; only the last row of another file has no value at all."""
    long = "x" * 100
    rows = [
        f"{'' if i % 7 else f'ward {i // 4_000}'},{'' if i % 5 else 'ab'[i % 2]},{i % 977},{i / 7:.3f},{long}{i % 3}\n"
        for i in range(20_000)
    ]
    data = ("ward,arm,count,value,text\n" + "".join(rows)).encode()
    assert len(data) > 2_200_000  # pyarrow parses a megabyte at a time
    assert same(data)
    assert not same(data[: 3 * len(data) // 4] + b"\n,,,,\n")


@pytest.mark.parametrize("times", [1, 5])
def test_lines_longer_than_a_piece(times: int) -> None:
    """The parser refuses some lines that are cut twice; the careful reader then reads them."""
    head = ",".join(f"v{i}" for i in range(10)) + "\n" + "0,1,2,3,4,5,6,7,8,9\n"
    same((head + (",".join(["y" * 130_000] * 10) + "\n") * times).encode())


def test_lines_of_cells_are_those_of_the_file() -> None:
    """A cell that is no number is listed by its line, behind a title, a blank line and a header of two lines."""
    head = 'A study\n\nsex,"age\nin years"\n'
    data = (head + "m,41\nf,42\n" * 300 + "f,forty\n" + "m,43\n" * 5).encode()
    found, fast = read(data, Choices(), LIMITS, careful=False)
    assert fast and isinstance(found, pd.DataFrame)
    assert found.attrs["reading"]["not_numeric"] == [
        {"column": "age in years", "row": 601, "line": 605, "value": "forty"}
    ]
    assert same(data)


def test_too_many_rows_are_refused_in_the_same_words() -> None:
    """At the limit the table is read, one row beyond it is not."""
    data = b"a,b\n" + b"1,x\n" * 10
    assert same(data, limits=Limits(rows=10)) and same(data, limits=Limits(cells=20))
    for limits in (Limits(rows=9), Limits(rows=7), Limits(cells=19)):
        found, _ = read(data, Choices(), limits, careful=False)
        assert isinstance(found, str) and "limit" in found
        same(data, limits=limits)


def test_white_space_is_the_same_to_both_readers() -> None:
    """What Python strips, the parser's library strips too; rows of such texts alone stay with the careful reader."""
    letters = [chr(code) for code in range(0x3100) if chr(code).strip() == ""]
    stripped = TextColumn.from_array(pa.array(letters)).values
    assert stripped == [""] and len(letters) > 20
    for letter in set(letters) - {"\n", "\r"}:
        assert not same(f"a\tb\n1\tx\n{letter}\t{letter}\n2\ty\n".encode(), Choices(delimiter="\t"))


def test_half_a_character_is_left_to_the_careful_reader() -> None:
    """UTF-7 can hold one, UTF-8 cannot."""
    half = "\ud800".encode("utf-7", "surrogatepass")
    assert regular_text.regular_body(b"a,b\n1," + half + b"\n", "utf-7", ",", 2) is None
    whole = regular_text.regular_body("a,b\n1,é\n".encode("utf-7"), "utf-7", ",", 2)
    assert whole is not None and bytes(whole) == "1,é\n".encode()


def test_progress_is_told_column_by_column() -> None:
    """Fractions that grow and stay below one."""
    told: list[float] = []
    read_text(b"a,b,c\n" + b"1,x,2\n" * 10_000, Choices(), LIMITS, ReadingReport("t.csv", "text"), told.append)
    assert told == sorted(told) and len(told) == 4 and told[0] >= 0 and told[-1] < 1


def test_whole_numbers_are_exact_and_writable() -> None:
    """Eighteen digits do not go through floating numbers."""
    found, fast = read(b"a,b\n" + b"999999999999999999,x\n-99999999999999999,y\n" * 3, Choices(), LIMITS, careful=False)
    assert fast and isinstance(found, pd.DataFrame)
    assert found["a"].tolist()[:2] == [999999999999999999, -99999999999999999]
    found.loc[0, "a"] = 5
    assert found["a"].iloc[0] == 5 and found["a"].dtype == "Int64" and not np.isnan(found["a"].iloc[1])
