"""Every hostile table ends in a table with a report or in a sentence, never in a traceback."""

from __future__ import annotations

import json

import numpy as np
import pytest

from engine.data.dataset import Dataset
from engine.data.reading.read import read_table
from engine.data.reading.report import reading_report
from engine.errors import DataError
from engine.exchange.safe_csv import to_csv
from tests.hostile.make import FIXTURES, READ, REFUSED


@pytest.mark.parametrize("name", REFUSED)
def test_refused_with_place_and_remedy(name: str) -> None:
    """A file that cannot be read is refused in one plain text that names what the fixture lists."""
    fixture = FIXTURES[name]
    with pytest.raises(DataError) as caught:
        read_table(fixture.make(), name=fixture.file, **fixture.choices)
    message = str(caught.value)
    for words in fixture.refused:
        assert words in message
    assert 20 < len(message) < 600 and message.endswith(".")


@pytest.mark.parametrize("name", READ)
def test_read_and_reported(name: str) -> None:
    """A file that can be read gives the expected columns and rows, and its report says what was met."""
    fixture = FIXTURES[name]
    table = read_table(fixture.make(), name=fixture.file, **fixture.choices)
    report = reading_report(table)
    assert report is not None
    words = "\n".join(report.sentences())
    for expected in fixture.says:
        assert expected in words
    if fixture.columns is not None:
        assert tuple(table.columns) == fixture.columns
    if fixture.rows is not None:
        assert len(table) == fixture.rows
    assert json.loads(json.dumps(table.attrs["reading"])) == report.to_dict()
    assert len(report.file) <= 100 and "/" not in report.file and report.file.isprintable()


@pytest.mark.parametrize("name", READ)
def test_prepared_or_refused(name: str) -> None:
    """A table that was read becomes a data set, or a sentence says why not; either way it exports safely."""
    fixture = FIXTURES[name]
    table = read_table(fixture.make(), name=fixture.file, **fixture.choices)
    try:
        data = Dataset.from_frame(table)
    except DataError as error:
        assert fixture.unusable or "No column is left" in str(error)
        for words in fixture.unusable:
            assert words in str(error)
        return
    assert not fixture.unusable
    assert data.n_rows > 0 and data.report is not None
    for i, variable in enumerate(data.names):
        assert data.codes[i].max() < len(data.levels[variable])
    json.dumps(data.report.to_dict(), allow_nan=False)
    assert all(isinstance(line, str) and len(line) < 5_000 for line in data.report.sentences())
    for line in to_csv(data.to_frame()).splitlines():
        assert not line.lstrip('"').startswith(("=", "+", "@", "-"))


@pytest.mark.parametrize("name", ["xlsx", "parquet", "sav", "dta"])
def test_damaged_containers_end_in_a_sentence(name: str) -> None:
    """Bytes changed at random places of a container give a table or a sentence, nothing else."""
    rng = np.random.default_rng(11)
    good = np.frombuffer(FIXTURES[name].make(), np.uint8)
    for _ in range(60 if name in ("xlsx", "parquet") else 2):  # the others start a process each
        damaged = good.copy()
        places = rng.integers(4, len(good), 6)
        damaged[places] = rng.integers(0, 256, 6)
        try:
            read_table(damaged.tobytes(), name=FIXTURES[name].file)
        except DataError as error:
            assert str(error).endswith(".")
