"""A file of 200,000 rows and 30 columns: read, then made into a data set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import engine
from benchmarks.reading.tables import frame
from engine.data.reading import text_tables
from engine.data.reading.limits import Choices, Limits
from engine.data.reading.report import ReadingReport
from engine.data.reading.text_tables import read_text

ROUNDS: dict[str, int] = {"rounds": 3, "iterations": 1, "warmup_rounds": 1}


@pytest.fixture(scope="module")
def csv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An identity with leading zeros, nineteen columns of words, five of whole numbers and five of decimals."""
    path = tmp_path_factory.mktemp("csv") / "large.csv"
    frame(200_000, 19, 5, 5).to_csv(path, index=False)
    return path


def read(path: Path) -> pd.DataFrame:
    """What the process that reads does; `read_table` does it in a process of its own, which no timer here sees."""
    return read_text(path.read_bytes(), Choices(), Limits(), ReadingReport(path.name, "text"))


def test_reading(benchmark: Any, csv: Path) -> None:
    """A regular table: the fast way."""
    benchmark.extra_info["MB"] = csv.stat().st_size / 1e6
    benchmark.pedantic(read, args=(csv,), **ROUNDS)


def test_careful_reading(benchmark: Any, csv: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same row by row, as a table with irregular lines is read."""
    monkeypatch.setattr(text_tables, "read_regular", lambda *_: None)
    benchmark.pedantic(read, args=(csv,), **ROUNDS)


def test_preparing(benchmark: Any, csv: Path) -> None:
    """`Dataset.from_frame` alone: kinds, bins, complete rows."""
    table = read(csv)
    data = benchmark.pedantic(engine.Dataset.from_frame, args=(table,), **ROUNDS)
    benchmark.extra_info["rows kept"] = data.n_rows


def test_pandas_alone(benchmark: Any, csv: Path) -> None:
    """What pandas takes to read the same file with its defaults, for comparison."""
    benchmark.pedantic(pd.read_csv, args=(csv,), **ROUNDS)
