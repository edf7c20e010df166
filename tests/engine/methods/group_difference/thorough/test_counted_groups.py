"""Orders drawn from counts give the bits of rows in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import engine
from tests.engine.data.stored.make import parquet, stored
from tests.engine.methods.group_difference.test_counted_groups import evidence


def _recipe_of(data: engine.Dataset) -> engine.Recipe:
    return engine.Dataset.from_frame(data.to_frame().astype(str)).recipe


def test_orders_are_drawn_from_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more variables than sums over all sets are made of; in several passes where memory has less room."""
    rng = np.random.default_rng(1)
    codes = rng.integers(0, 2, (23, 400))
    codes[3] ^= codes[2] & (codes[22] == 0)
    data = engine.Dataset.from_codes(codes, [2] * 23, [*[f"v{i}" for i in range(22)], "group"])
    disk = stored(parquet(tmp_path, data.to_frame().astype(str)), _recipe_of(data), tmp_path / "stored")
    memory = _recipe_of(data).apply(data.to_frame().astype(str))
    method = engine.GroupDifference("group", max_parents=2)
    expected = evidence(method.run(memory))
    assert evidence(method.run(disk)) == expected
    for module in ("average.families", "rows.counted_groups"):
        monkeypatch.setattr(f"engine.methods.group_difference.{module}.MOST_CELLS", 500)
    assert evidence(method.run(disk)) == expected
