"""Rows above the names and below a table, and other ways in which programs write what is no row."""

from __future__ import annotations

import pytest

import engine
from engine.data.reading.last_rows import rows_below
from tests.exports.by_hand import ABOVE, BELOW, NAMES, table
from tests.exports.surveys import text

ROWS = [[str(cell) for cell in row] for row in table()]


@pytest.mark.parametrize("switch", BELOW)
@pytest.mark.parametrize("padded", [False, True])
def test_what_stands_below_is_no_row(switch: str, padded: bool) -> None:
    """Legends, totals and footnotes are found by their kinds, with or without separators at their ends."""
    odd = [[*map(str, row), *([""] * (6 - len(row)) if padded else ())] for row in BELOW[switch]]
    last = list(enumerate([*ROWS, *odd], 2))
    found = rows_below(ROWS, last, 6, ".")
    assert found == (len(odd) if any(map(any, odd)) else 0)


@pytest.mark.parametrize(
    "row",
    [
        ["33", "", "", "", "", ""],  # nothing but a number is known
        ["33", "unknown", "F", "120", "70", "A"],  # one word in a full row may be a slip
        ["33", "45", "F", "<90", "70", "A"],
        ["33", "45", "D", "120", "70", "B"],
        ["33", "NA", "", "NA", "", "A"],
    ],
)
def test_a_patient_with_gaps_is_a_row(row: list[str]) -> None:
    """A row whose cells are of the kinds above it is kept, however few they are."""
    assert rows_below(ROWS, list(enumerate([*ROWS, row], 2)), 6, ".") == 0


def test_the_card_and_the_argument_say_the_same() -> None:
    """What the card would keep, `skip_last=0` keeps; a number is obeyed, also of many rows."""
    content = text([NAMES, *ROWS, [], ["1 = healthy"]])
    table = engine.read_table(content)
    assert len(table) == len(ROWS)
    card = next(item for item in engine.decisions(table, engine.Recipe()) if item.kind == "rows-below")
    assert card.option("keep").change == {"reading": {"skip_last": 0}}
    assert len(engine.read_table(content, skip_last=0)) == len(ROWS) + 1
    many = text([["a", "b"], *([i, i % 3] for i in range(500))])
    assert len(engine.read_table(many, skip_last=200)) == 300
    with pytest.raises(engine.DataError, match="skip_last"):
        engine.read_table(many, skip_last=-1)


@pytest.mark.parametrize("switch", ABOVE)
def test_titles_are_above_the_names(switch: str) -> None:
    """Names are the first row that is as full as those below it."""
    lines = [[*row, *[""] * (6 - len(row))] for row in ABOVE[switch]]
    table = engine.read_table(text([*lines, NAMES, *ROWS]))
    assert list(table.columns) == NAMES
    assert len(table) == len(ROWS)
    assert table.attrs["reading"]["header_line"] == len(lines) + 1


@pytest.mark.parametrize(
    ("content", "names", "rows"),
    [
        ('"a" "b"\n"1" "x" 3\n"2" "y" 4\n"3" "x" 5\n', ["row name", "a", "b"], 3),
        ("a;b\n1;x;3\n2;y;4\n3;x;5\n", ["row name", "a", "b"], 3),
        ("name of it\nJohn van Dyk\nAnn de Boer\n", ["name of it"], 2),  # sentences are parted by spaces too
        ("x\ty\nc\td\n\tclass\n1\ta\n2\tb\n3\ta\n", ["x", "y"], 3),
        ("C#x,mD#y\n1,a\n2,b\n", ["x", "y"], 2),
        ("% no table\n@relation 'r'\n@attribute 'x y' numeric\n@attribute k {a,b}\n@data\n1,a\n2,b\n", ["x y", "k"], 2),
    ],
)
def test_dialects(content: str, names: list[str], rows: int) -> None:
    """R's row names, Orange's rows and prefixes, ARFF."""
    table = engine.read_table(content.encode(), name="x.txt")
    assert list(table.columns) == names
    assert len(table) == rows


def test_a_decimal_comma_is_no_row_name() -> None:
    """Where commas part fields, one field more may be half a number: it is refused, not read."""
    with pytest.raises(engine.DataError, match="one field more"):
        engine.read_table(b"id,weight\n1,7,5\n2,8,1\n3,6,2\n")


def test_sparse_arff_is_refused_with_the_way_out() -> None:
    """Rows that name only some of their cells are no table."""
    with pytest.raises(engine.DataError, match="save the table as CSV"):
        engine.read_table(b"@relation r\n@attribute a numeric\n@data\n{0 1}\n")
