"""Lines and cells that are listed or counted while a text table is read."""

from __future__ import annotations

import pytest

from engine.data.reading.limits import Limits
from engine.data.reading.read import read_table
from engine.data.reading.report import reading_report
from engine.errors import DataError


def report_of(text: str):  # type: ignore[no-untyped-def]
    """The reading report of a text table."""
    report = reading_report(read_table(text.encode(), name="table.csv"))
    assert report is not None
    return report


@pytest.mark.parametrize("many", [1, 19, 20, 21, 45])
def test_the_first_twenty_short_lines_are_listed_and_all_counted(many: int) -> None:
    """Line numbers as an editor shows them."""
    text = "a,b,c\n" + "1,2,3\n" * 60 + "1,2\n" * many
    report = report_of(text)
    assert list(report.short_lines) == [62 + i for i in range(min(many, 20))]
    assert report.counts["short_lines"] == many


@pytest.mark.parametrize(("numbers", "words", "told"), [(12, 10, 10), (11, 11, 0), (10, 12, 0)])
def test_words_among_numbers_are_told_where_numbers_are_more(numbers: int, words: int, told: int) -> None:
    """As many words as numbers make a column of words, about which nothing is to be told."""
    text = (
        "name,dose\n" + "".join(f"p{i},{i}.5\n" for i in range(numbers)) + "".join(f"q{i},much\n" for i in range(words))
    )
    report = report_of(text)
    assert sum(cell.column == "dose" for cell in report.not_numeric) == told


def test_a_table_with_too_many_cells_is_refused_by_its_shape() -> None:
    """Rows and columns are each few enough, all cells together are not; one cell fewer is read."""
    text = "a,b,c\n" + "1,2,3\n" * 10
    assert len(read_table(text.encode(), name="t.csv", limits=Limits(rows=100, cells=30))) == 10
    with pytest.raises(DataError):
        read_table(text.encode(), name="t.csv", limits=Limits(rows=100, cells=29))
    with pytest.raises(DataError):
        read_table(text.encode(), name="t.csv", limits=Limits(rows=9, cells=1000))


@pytest.mark.parametrize("mark", [";", "|", "\t"])
def test_most_lines_decide_how_many_columns_there_are(mark: str) -> None:
    """A few lines with commas in them do not make the comma the separator."""
    lines = ["name" + mark + "said" + mark + "age"] + [mark.join((f"p{i}", "well, yes", str(i))) for i in range(20)]
    table = read_table("\n".join([*lines, "p,only two"]).encode(), name="t.csv")
    assert list(table.columns) == ["name", "said", "age"]
