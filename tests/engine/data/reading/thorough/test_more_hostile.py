"""Two hundred and more hostile tables in one run: each ends in a right sentence or a right table, and nothing dies."""

from __future__ import annotations

import pytest

from engine.data.dataset import Dataset
from engine.data.reading.foreign import READERS, UNFORESEEN, last_read
from engine.data.reading.limits import MEGABYTE, Limits
from engine.data.reading.read import read_table
from engine.data.reading.report import reading_report
from engine.errors import DataError
from tests.hostile import more_declared, more_texts, more_workbooks
from tests.hostile.fixture import Fixture
from tests.hostile.make import FIXTURES

MORE = (*more_texts.FIXTURES, *more_workbooks.FIXTURES, *more_declared.FIXTURES)
UNFORESEEN_COLUMN = "holds something that its reader does not know"
SEEN: set[int] = set()
OWN = 250 * MEGABYTE
"""More than the libraries take with which a reader begins."""


def test_there_are_two_hundred_more() -> None:
    """And no two of one name."""
    assert len(MORE) >= 200
    assert len({one.name for one in MORE}) == len(MORE)


@pytest.mark.parametrize("fixture", MORE, ids=[one.name for one in MORE])
def test_a_sentence_or_a_table(fixture: Fixture) -> None:
    """The words or the shape that the table of fixtures names; within the memory of one read."""
    try:
        table = read_table(fixture.make(), name=fixture.file, **fixture.choices)
    except DataError as error:
        assert UNFORESEEN not in str(error) and UNFORESEEN_COLUMN not in str(error)
        # "" stands for any sentence; where nothing is said at all, a table is right too
        shaped = fixture.rows is not None or fixture.columns is not None or fixture.says
        assert not shaped
        assert all(words in str(error) for words in fixture.refused)
        assert 20 < len(str(error)) < 600 and str(error).endswith(".")
    else:
        assert not fixture.refused
        report = reading_report(table)
        assert report is not None
        assert all(words in "\n".join(report.sentences()) for words in fixture.says)
        assert fixture.rows is None or len(table) == fixture.rows
        assert fixture.columns is None or tuple(table.columns) == fixture.columns
        try:
            Dataset.from_frame(table)
        except DataError as error:
            assert str(error).endswith(".")
    used = last_read()
    assert used is not None and used.peak_bytes < Limits().memory_bytes + OWN
    SEEN.add(resident())


def test_one_resident_process_lives_through_all_of_them() -> None:
    """All hostile tables, old and new (those above, where they ran), by one process that is not started again."""
    read_table(b"a,b\nx,1\n")
    SEEN.add(resident())
    for fixture in FIXTURES.values():
        try:
            read_table(fixture.make(), name=fixture.file, **fixture.choices)
        except DataError:
            used = last_read()
            assert used is not None and used.peak_bytes < Limits().memory_bytes + OWN
    assert {resident()} == SEEN


def resident() -> int:
    """The process that forks the readers."""
    process = READERS.process
    assert process is not None and process.poll() is None
    return process.pid
