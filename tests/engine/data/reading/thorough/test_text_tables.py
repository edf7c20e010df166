"""Text tables written in any way come back as they were; damaged ones end in a sentence."""

from __future__ import annotations

import csv
import io

import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.data.reading import decoding, text_tables
from engine.data.reading.decoding import find_encoding, first_invalid
from engine.data.reading.filetype import file_type, short_name
from engine.data.reading.limits import Choices
from engine.data.reading.numbers import find_decimal, level_text
from engine.data.reading.read import read_table
from engine.data.reading.report import ReadingReport, reading_report
from engine.data.reading.text_tables import find_delimiter, text_rows
from engine.errors import DataError

words = st.text(st.characters(codec="cp1252", categories=("L",)), min_size=2, max_size=6)


@settings(max_examples=40)
@given(
    cells=st.lists(st.tuples(words, st.integers(-999, 999), st.integers(-9999, 9999)), min_size=8, max_size=40),
    mark=st.sampled_from([";", "\t", "|"]),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "cp1252"]),
    end=st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_written_in_many_ways(cells: list[tuple[str, int, int]], mark: str, encoding: str, end: str) -> None:
    """Whatever separator, encoding and line end: the same words and numbers, with a decimal comma."""
    lines = ["Name€; Größe".replace("; ", mark) + f"{mark}Maß"]
    lines += [f"{word}x{mark}{whole}{mark}{part / 100:.2f}".replace(".", ",") for word, whole, part in cells]
    if encoding == "cp1252":  # which one byte a letter means is guessed where most letters are foreign ones
        odd = [letter for line in lines for letter in line if letter.isalpha() and not line.isascii()]
        assume(2 * sum(not letter.isascii() for letter in odd) < len(odd))
    table = read_table(end.join(lines).encode(encoding))
    assert list(table.columns) == ["Name€", "Größe", "Maß"]
    assert [str(value) for value in table["Name€"]] == [pd_text(word) + "x" for word, _, _ in cells]
    assert table["Größe"].tolist() == [whole for _, whole, _ in cells]
    assert table["Maß"].tolist() == [part / 100 for _, _, part in cells]


def pd_text(word: str) -> str:
    """A word in the composed form."""
    import unicodedata

    return unicodedata.normalize("NFC", word)


@settings(max_examples=150)
@given(st.binary(max_size=300))
def test_any_bytes_end_well(data: bytes) -> None:
    """No bytes lead to anything but a table or a sentence."""
    try:
        table = read_table(data)
    except DataError as error:
        assert str(error).endswith(".")
    else:
        assert len(table) and reading_report(table) is not None


@settings(max_examples=150)
@given(st.text(st.sampled_from("a1,;\t|\"\n\r .-#é'="), max_size=80))
def test_any_text_of_separators_ends_well(text: str) -> None:
    """Short texts full of separators, quotes and line ends are read or refused, with all cells accounted for."""
    try:
        table = read_table(text.encode())
    except DataError:
        return
    assert table.shape[0] >= 1 and len(set(table.columns)) == table.shape[1]


@settings(max_examples=60)
@given(
    rows=st.lists(st.lists(st.sampled_from(["a", "b,c", 'd"e', "f;g", "1", "2.5", "x\ny"]), min_size=3, max_size=3),
                  min_size=6, max_size=30),
)  # fmt: skip
def test_quoted_cells_come_back(rows: list[list[str]]) -> None:
    """Properly quoted cells are never parted, joined or lost."""
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([["one", "two", "three"], *rows])
    table = read_table(out.getvalue().encode(), delimiter=",", header=1)
    assert [[str(v) for v in row] for row in table.astype("str").to_numpy()] == [
        [number(v, [row[j] for row in rows]) for j, v in enumerate(row)] for row in rows
    ]


def number(cell: str, column: list[str]) -> str:
    """A cell as pandas shows it in a column of these cells."""
    if not all(c in ("1", "2.5") for c in column):
        return cell
    return str(float(cell)) if "2.5" in column else cell


@pytest.mark.parametrize(
    ("lines", "mark"),
    [
        (["a,b", "1,2"], ","),
        (["a;b", "1,5;2,5", "3,5;4,5"], ";"),
        (["a;b", "Smith, John;2", "Miller, Eve;3"], ";"),
        (["a|b|c", "x, y|1|2", "z|3|4"], "|"),
        (['"a;b",c', '"d;e",f', '"g;h",i'], ","),
        (["answer", "yes", "no"], None),
        (["low dose", "high dose", "low dose"], None),
        (["x", "1,5", "2,5"], None),
        ([], None),
    ],
)
def test_delimiter(lines: list[str], mark: str | None) -> None:
    """The separator is the one that parts the lines alike."""
    assert find_delimiter([line + "\n" for line in lines]) == mark


@pytest.mark.parametrize(
    ("cells", "delimiter", "mark", "certain"),
    [
        (["1,5", "2"], ";", ",", True),
        (["1,234", "2"], ";", ",", False),
        (["1,234", "2"], ",", ".", False),
        (["1,234", "2.5"], ",", ".", True),
        (["1.5", "2"], ";", ".", True),
        (["1.234,5"], ";", ",", True),
        (["a"], ",", ".", True),
    ],
)
def test_decimal_mark(cells: list[str], delimiter: str, mark: str, certain: bool) -> None:
    """A decimal comma is believed when nothing else explains the cells."""
    assert find_decimal(cells, delimiter)[0] == mark
    assert find_decimal(cells, delimiter)[1] is certain


def test_first_invalid_byte_is_found_across_pieces() -> None:
    """The position is right also beyond the first piece, with a character cut in two by the border."""
    border = 1 << 20
    data = b"a" * (border - 1) + "é".encode() + b"b" * 10 + b"\xff"
    assert first_invalid(data, "utf-8") == len(data) - 1
    assert first_invalid(data[:-1], "utf-8") is None


def test_unmarked_utf16_both_ends() -> None:
    """Zero bytes at odd or even places tell which end comes first."""
    for name in ("utf-16-le", "utf-16-be"):
        assert find_encoding("a,b\n1,2\n".encode(name)).name == name


@pytest.mark.parametrize(
    ("value", "text"), [(1.0, "1"), (-0.0, "0"), (0.1, "0.1"), (1e20, "1e+20"), (1.50, "1.5"), (-3.0, "-3")]
)
def test_level_text(value: float, text: str) -> None:
    """Numbers as level names are short and exact."""
    assert level_text(value) == text


def test_short_name_is_harmless() -> None:
    """Folders, control characters and length go."""
    assert short_name("../../etc/x.csv") == "x.csv"
    assert short_name("C:\\a\\b.csv") == "b.csv"
    assert short_name("a\0\u202eb.csv") == "ab.csv"
    assert len(short_name("n" * 500 + ".csv")) == 100


def test_a_header_of_markup_is_still_text() -> None:
    """A table whose first name looks like a tag is a table."""
    assert file_type(b"<script>,b\n1,2\n") == "text"


def test_missing_rows_of_lines_are_numbered_as_in_the_file() -> None:
    """Line numbers count what an editor counts: blank lines, quoted line ends, and the lines above the header."""
    data = b'# made 2021\n\nx,n\n"a\nb",1\n\nc,2\nd,oops\n' + b"e,3\n" * 5
    table = read_table(data)
    report = reading_report(table)
    assert report is not None
    assert [(cell.row, cell.line) for cell in report.not_numeric] == [(3, 8)]
    assert isinstance(table, pd.DataFrame)


def test_a_title_of_other_width_does_not_decide_the_separator() -> None:
    """The width that most lines have counts, and of a long file all lines of the sample."""
    lines = ["note; see appendix", *["1,5;2,5;3,5"] * 10]
    assert find_delimiter(lines) == ";"


def test_a_sample_that_ends_inside_a_line_leaves_that_line_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines before it decide; the first alone is a title here."""
    monkeypatch.setattr(text_tables, "SAMPLE_CHARACTERS", 20)
    _, report = text_rows(b"title\na;b\nc;d\ne,f,g,h,i,j,k,l,m\n", Choices(), ReadingReport("x.csv", "text"))
    assert report.delimiter == ";"


def test_half_a_letter_at_the_end_of_a_piece_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last piece is full to the byte, and its last byte begins a letter that never ends."""
    monkeypatch.setattr(decoding, "_STEP", 8)
    assert first_invalid(b"a" * 15 + b"\xc3", "utf-8") == 15
    assert first_invalid(b"a" * 14 + b"\xc3\xa9", "utf-8") is None
