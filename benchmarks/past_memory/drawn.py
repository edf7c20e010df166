"""A table as large as one likes, drawn from a random network into Parquet files.

    python -m benchmarks.past_memory.drawn FOLDER --rows 100000000

One file for every 2^20 rows, level names as texts, a network of a hundred variables like that of table e.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.tables import SEED, Network, Size, draw, names, random_network

FILE_ROWS = 1 << 20


def network_of(variables: int) -> Network:
    """The network that rows are drawn from: one and a half times as many arcs as variables, two to four levels."""
    return random_network(Size(0, variables, 3 * variables // 2, (2, 4)), np.random.default_rng(SEED))


def write(folder: Path, rows: int, variables: int) -> None:
    """Draw and write, one file after the other; each has random numbers of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    network = network_of(variables)
    texts = [pa.array([f"level {level}" for level in range(levels)]) for levels in network.arity]
    for number, first in enumerate(range(0, rows, FILE_ROWS)):
        codes = draw(network, min(FILE_ROWS, rows - first), np.random.default_rng([SEED, number]))
        columns = [pa.DictionaryArray.from_arrays(row, known) for row, known in zip(codes, texts, strict=True)]
        table = pa.table(columns, names=names(variables))
        pq.write_table(table, folder / f"part-{number:04d}.parquet", compression="zstd", store_schema=False)


def main() -> None:
    """Write the table, and say what it is."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=100_000_000)
    parser.add_argument("--variables", type=int, default=100)
    given = parser.parse_args()
    began = time.perf_counter()
    write(given.folder, given.rows, given.variables)
    size = sum(file.stat().st_size for file in given.folder.iterdir())
    print(f"{given.rows:,} rows x {given.variables}: {size / 1e9:.2f} GB in {time.perf_counter() - began:.0f} s")


if __name__ == "__main__":
    main()
