"""Tables as files: words and numbers, one cell in a hundred empty, an identity with leading zeros."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.tables import SEED

WORDS = np.array(["absent", "mild", "moderate", "severe"])
_GROUP = 1_000_000


def frame(rows: int, words: int, wholes: int, decimals: int) -> pd.DataFrame:
    """A table of these many columns of each kind, and the identity."""
    rng = np.random.default_rng(SEED)
    columns: dict[str, Any] = {}
    for i in range(words):
        columns[f"symptom_{i:02d}"] = WORDS[rng.integers(0, 4, rows)]
    for i in range(wholes):
        columns[f"count_{i}"] = pd.array(rng.integers(18, 95 if i % 2 else 100_000, rows), "Int64")
    for i in range(decimals):
        columns[f"value_{i}"] = rng.normal(5, 2, rows).round(2 + i % 2)
    table = pd.DataFrame(columns)
    table = table.mask(rng.random(table.shape) < 0.01)
    table.insert(0, "id", np.char.zfill(rng.permutation(rows).astype(str), 7))
    return table


def parquet(path: Path, rows: int) -> None:
    """Twenty columns in groups of a million rows: eight of words, six of whole numbers, six of decimals."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rng = np.random.default_rng(SEED)
    sizes = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.int64(), pa.int64()]
    kinds = [(f"symptom_{i}", pa.string()) for i in range(8)]
    kinds += [(f"count_{i}", kind) for i, kind in enumerate(sizes)]
    kinds += [(f"value_{i}", pa.float64()) for i in range(6)]
    with pq.ParquetWriter(path, pa.schema(kinds)) as file:
        for start in range(0, rows, _GROUP):
            many = min(_GROUP, rows - start)
            columns = []
            for name, kind in kinds:
                gaps = rng.random(many) < 0.01
                if name.startswith("symptom"):
                    codes = pa.array(rng.integers(0, 4, many).astype(np.int8), mask=gaps)
                    columns.append(pa.DictionaryArray.from_arrays(codes, pa.array(WORDS.tolist())).cast(kind))
                elif name.startswith("count"):
                    columns.append(pa.array(rng.integers(0, 100, many), mask=gaps).cast(kind))
                else:
                    columns.append(pa.array(rng.normal(5, 2, many).round(2), mask=gaps))
            file.write_table(pa.table(columns, names=[name for name, _ in kinds]))
