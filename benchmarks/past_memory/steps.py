"""One step over a table that stays on disk, in a process of its own: prints its CPU seconds and peak memory as JSON.

python -m benchmarks.past_memory.steps recipe PARQUET
python -m benchmarks.past_memory.steps code PARQUET STORED   # a .csv file for either too
python -m benchmarks.past_memory.steps compare STORED --variables 20
python -m benchmarks.past_memory.steps candidates STORED --variables 50
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

import engine
from benchmarks.tables import SEED, Size, draw, random_network

FILE_ROWS = 1 << 20
GROUP = "group"


def write(folder: Path, rows: int, variables: int, numbers: int, file_rows: int = FILE_ROWS) -> None:
    """A table of two groups: texts of two or three levels from one network, one in ten numbers where asked for."""
    folder.mkdir(parents=True)
    words = variables - numbers
    network = random_network(Size(0, words, 3 * words // 2, (2, 3)), np.random.default_rng(SEED))
    for number, first in enumerate(range(0, rows, file_rows)):
        rng = np.random.default_rng([SEED, number])
        many = min(file_rows, rows - first)
        codes, group = draw(network, many, rng), rng.integers(0, 2, many)
        codes[0] = np.where((group == 1) & (rng.random(many) < 0.01), 0, codes[0])  # one variable differs
        columns = {
            f"v{i:02d}": pa.DictionaryArray.from_arrays(row.astype(np.int32), [f"level {k}" for k in range(levels)])
            for i, (row, levels) in enumerate(zip(codes, network.arity.tolist(), strict=True))
        }
        for i in range(numbers):
            values = rng.normal(50 + codes[i], 10, many)
            columns[f"n{i:02d}"] = pa.array(np.round(values, 1) if i % 2 else values)
        columns[GROUP] = pa.DictionaryArray.from_arrays(group.astype(np.int32), ["a", "b"])
        pq.write_table(pa.table(columns), folder / f"part-{number:04d}.parquet", compression="zstd", store_schema=False)


def write_csv(file: Path, size: int) -> None:
    """A text table of about so many bytes: ten columns of words, five of whole numbers, five of decimals."""
    file.parent.mkdir(parents=True)
    network = random_network(Size(0, 10, 15, (2, 5)), np.random.default_rng(SEED))
    with file.open("wb") as out:
        number = 0
        while out.tell() < size:
            rng = np.random.default_rng([SEED, number])
            codes = draw(network, FILE_ROWS, rng)
            columns: dict[str, Any] = {
                f"v{i:02d}": pc.binary_join_element_wise("level", pa.array(row.astype(str)), " ")
                for i, row in enumerate(codes)
            }
            for i in range(5):
                columns[f"w{i}"] = rng.integers(0, 10 ** (i + 1), FILE_ROWS)
                columns[f"d{i}"] = np.round(rng.normal(50, 10, FILE_ROWS), i + 1)
            pa_csv.write_csv(
                pa.table(columns), out, pa_csv.WriteOptions(include_header=not number, quoting_style="needed")
            )
            number += 1


def candidates(names: tuple[str, ...], most: int = 6) -> engine.Knowledge:
    """Arcs from the `most` variables before each one only."""
    forbidden = [
        (source, target)
        for j, target in enumerate(names)
        for i, source in enumerate(names)
        if i != j and not j - most <= i < j
    ]
    return engine.Knowledge(forbidden=forbidden)


def recipe_of(path: Path) -> engine.Recipe:
    """Of a text table, or of a folder of Parquet files."""
    return engine.Recipe.from_csv(path) if path.is_file() else engine.Recipe.from_parquet(path)


def compared(stored: Path, variables: int, how: str) -> Callable[[], object]:
    """The comparison of the first variables."""
    data = engine.Dataset.open_stored(stored)
    names = tuple(name for name in data.names if name != GROUP)[:variables]
    knowledge = candidates(names) if how == "candidates" else engine.Knowledge()
    method = engine.GroupDifference(GROUP, knowledge=knowledge)
    method.run(data.rows(np.arange(2_000)).select([*names, GROUP]))  # kernels are compiled or loaded
    return lambda: method.run(data.select([*names, GROUP])).to_json()


def peak_mib() -> float:
    """Most memory of this program; what `getrusage` says is also that of the process which started it."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def main() -> None:
    """Do one step."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("step", choices=["recipe", "code", "compare", "candidates"])
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--variables", type=int, default=20)
    given = parser.parse_args()
    if given.step == "recipe":

        def work() -> object:
            return recipe_of(given.paths[0]).to_json()

    elif given.step == "code":
        recipe = recipe_of(given.paths[0])
        read = engine.Dataset.from_csv if given.paths[0].is_file() else engine.Dataset.from_parquet

        def work() -> object:
            return read(given.paths[0], recipe, folder=given.paths[1], keep=True).shape

    else:
        work = compared(given.paths[0], given.variables, given.step)
    cpu, clock = time.process_time(), time.perf_counter()
    work()
    seconds = {"cpu": time.process_time() - cpu, "clock": time.perf_counter() - clock}
    print(json.dumps(seconds | {"peak_mib": peak_mib()}))


if __name__ == "__main__":
    main()
