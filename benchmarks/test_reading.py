"""A file of 200,000 rows and 30 columns: read, then made into a data set."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
from benchmarks.tables import SEED, Size, draw, random_network

ROWS = 200_000


@pytest.fixture(scope="module")
def csv(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty columns of words, five of whole numbers and five of decimals, with one empty cell in a hundred."""
    rng = np.random.default_rng(SEED)
    network = random_network(Size(ROWS, 20, 30, (2, 4)), rng)
    words = np.array(["absent", "mild", "moderate", "severe"])
    columns: dict[str, Any] = {f"symptom_{i:02d}": words[row] for i, row in enumerate(draw(network, ROWS, rng))}
    for i in range(5):
        columns[f"age_{i}"] = rng.integers(18, 95, ROWS)
        columns[f"value_{i}"] = rng.normal(5, 2, ROWS).round(2)
    frame = pd.DataFrame(columns)
    frame = frame.mask(rng.random(frame.shape) < 0.01)
    path = tmp_path_factory.mktemp("csv") / "large.csv"
    frame.to_csv(path, index=False)
    return path


def test_reading(benchmark: Any, csv: Path) -> None:
    """`read_table` alone."""
    benchmark.extra_info["MB"] = csv.stat().st_size / 1e6
    benchmark.pedantic(engine.read_table, args=(csv,), rounds=3, iterations=1, warmup_rounds=1)


def test_preparing(benchmark: Any, csv: Path) -> None:
    """`Dataset.from_frame` alone: kinds, bins, complete rows."""
    frame = engine.read_table(csv)
    data = benchmark.pedantic(engine.Dataset.from_frame, args=(frame,), rounds=3, iterations=1, warmup_rounds=1)
    benchmark.extra_info["rows kept"] = data.n_rows


def test_pandas_alone(benchmark: Any, csv: Path) -> None:
    """What pandas takes to read the same file with its defaults, for comparison."""
    benchmark.pedantic(pd.read_csv, args=(csv,), rounds=3, iterations=1, warmup_rounds=1)
