"""Small Parquet files with gaps, numbers and texts, and data sets of them on disk in small blocks."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import numpy as np
import pandas as pd

import engine
from engine.data.digest import ROWS
from engine.data.stored import disk_store
from engine.data.stored.parquet import ParquetFiles
from engine.data.stored.streaming import stream
from engine.execution import silent


def frame(rows: int, seed: int = 0) -> pd.DataFrame:
    """Six columns that hang together; some cells are empty, and one value is in few rows only."""
    rng = np.random.default_rng(seed)
    hidden = rng.normal(size=rows)
    table = pd.DataFrame(
        {
            "sex": np.where(rng.random(rows) < 0.5, "f", "m"),
            "age": np.round(50 + 15 * (hidden + rng.normal(size=rows)), 1),
            "stage": np.array(["I", "II", "III", "IV"])[
                np.clip((hidden + rng.normal(size=rows) + 2).astype(int), 0, 3)
            ],
            "pain": np.clip((hidden + rng.normal(size=rows) + 2).astype(int), 0, 3),
            "ill": hidden + rng.normal(size=rows) > 0,
            "arm": rng.choice(["a", "b", "c"], rows, p=[0.6, 0.399, 0.001]),
        }
    )
    table.loc[rng.random(rows) < 0.02, "stage"] = None
    table.loc[rng.random(rows) < 0.01, "age"] = np.nan
    return table


def frame_of_levels(rows: int) -> pd.DataFrame:
    """The same without numbers: these are compared by their values, of which rows that are counted have cells only."""
    table = frame(rows)
    bands = np.array(["below 40", "40 to 60", "above 60"])[np.digitize(table["age"], [40, 60])]
    return table.assign(age=np.where(table["age"].isna(), None, bands))


def recipe() -> engine.Recipe:
    """Levels and cut points of a sample."""
    return engine.Dataset.from_frame(
        frame(3_000, 9), kinds={"age": "continuous", "pain": "ordinal"}, bins={"age": [40, 60]}
    ).recipe


def parquet(folder: Path, table: pd.DataFrame, files: int = 1, row_group: int = 10_000) -> Path:
    """The table in one file, or in a folder of several."""
    if files == 1:
        path = folder / "table.parquet"
        table.to_parquet(path, row_group_size=row_group)
        return path
    folder = folder / "parts"
    folder.mkdir()
    ends = [len(table) * i // files for i in range(files + 1)]
    for number in range(files):
        part = table[ends[number] : ends[number + 1]]
        part.to_parquet(folder / f"part-{number}.parquet", row_group_size=row_group)
    return folder


def stored(path: Path, chosen: engine.Recipe, folder: Path, keep: bool = False) -> engine.Dataset:
    """A data set on disk whose blocks have as few rows as they may."""
    with patch.object(disk_store, "BLOCK_ROWS", ROWS):
        return engine.Dataset._coded_by(
            chosen,
            *stream(ParquetFiles(path, needed=chosen.needed_columns()), chosen, folder, keep=keep, progress=silent),
        )
