"""Two hundred hostile tables that were drawn: a table or a sentence, by upload and by path, never anything else."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import engine
from engine.data.reading.foreign import UNFORESEEN
from engine.errors import DataError
from engine.exchange.safe_csv import to_csv
from tests.engine.data.reading.thorough.test_more_hostile import UNFORESEEN_COLUMN
from tests.hostile.generated import MAKERS

MOST_SECONDS = 60.0


def foreseen(call: Callable[[], engine.Dataset]) -> engine.Dataset | None:
    """What comes of it; None where a sentence says why nothing does."""
    begun = time.monotonic()
    data = None
    try:
        data = call()
    except DataError as error:
        assert str(error).endswith(".") and len(str(error)) < 1_000
        assert UNFORESEEN not in str(error) and UNFORESEEN_COLUMN not in str(error)
    assert time.monotonic() - begun < MOST_SECONDS
    return data


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("kind", MAKERS)
def test_a_drawn_table_ends_in_a_table_or_a_sentence(kind: str, seed: int, tmp_path: Path) -> None:
    """Read and prepared; where it is text or Parquet, also by its path, some rows at a time."""
    name, content = MAKERS[kind](np.random.default_rng([seed, sum(kind.encode())]))
    data = foreseen(lambda: engine.Dataset.from_frame(engine.read_table(content, name=name)))
    if data is not None:
        assert data.n_rows > 0 and all(isinstance(line, str) for line in (data.report or ()).sentences())
        to_csv(data.head().reset_index())
    file = tmp_path / name
    file.write_bytes(content)
    if name.endswith(".parquet"):
        foreseen(lambda: engine.Dataset.from_parquet(file))
    elif name.endswith((".csv", ".csv.gz")):
        foreseen(lambda: engine.Dataset.from_csv(file))
