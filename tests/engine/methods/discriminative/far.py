"""Rows of two classes with a link in one of them, in memory and on disk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

import engine
from engine.data.digest import ROWS
from tests.engine.data.stored.make import parquet, stored

BIG = ROWS + 12_345
"""Two blocks on disk, as these tests cut them."""


def table(rows: int = BIG, seed: int = 0) -> pd.DataFrame:
    """Of class "ill" v1 often follows v0, v3 follows v2 in both, and v4 is more often "c"; all else is noise."""
    rng = np.random.default_rng(seed)
    ill = rng.random(rows) < 0.4
    codes = rng.integers(0, 3, (5, rows))
    codes[1] = np.where(rng.random(rows) < np.where(ill, 0.5, 0.1), codes[0], codes[1])
    codes[3] = np.where(rng.random(rows) < 0.3, codes[2], codes[3])
    codes[4] = np.where(ill & (rng.random(rows) < 0.1), 2, codes[4])
    frame = {f"v{i}": np.array(list("abc"))[row] for i, row in enumerate(codes)}
    return pd.DataFrame(frame | {"class": np.where(ill, "ill", "well")})


def both(folder: Path, frame: pd.DataFrame) -> tuple[engine.Dataset, engine.Dataset]:
    """The same rows in memory and on disk."""
    memory = engine.Dataset.from_frame(frame)
    return memory, stored(parquet(folder, frame), memory.recipe, folder / "stored")
