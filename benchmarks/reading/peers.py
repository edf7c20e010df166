"""Reading against pandas and polars: each in a process of its own, CPU seconds of all threads and peak memory.

    python -m pip install polars            # for measuring only
    python -m benchmarks.reading.peers      # two CSV files and a Parquet file

`ours` is the reader as the process that reads runs it; `careful` is the same without the fast way for regular
tables; `read_table` is the whole, with that process and the way back.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.peer_worker import peak_mib
from benchmarks.peers import ONE_THREAD, ROOT

FILES = {"small.csv": (200_000, 19, 5, 5), "large.csv": (1_000_000, 3, 9, 7), "large.parquet": (10_000_000,)}
"""Name -> rows, and columns of words, whole numbers and decimals beside the identity."""
LIBRARIES = ("ours", "read_table", "careful", "pandas", "pandas, pyarrow engine", "polars")


def make(path: Path) -> None:
    """Write one of the files."""
    from benchmarks.reading import tables

    if path.suffix == ".csv":
        tables.frame(*FILES[path.name]).to_csv(path, index=False)
    else:
        tables.parquet(path, *FILES[path.name])


def reader(library: str, path: Path) -> Callable[[], object]:
    """What reads `path`, with everything imported."""
    if library == "polars":
        import polars

        return partial(polars.read_csv if path.suffix == ".csv" else polars.read_parquet, path)
    import pandas as pd
    import pyarrow.csv
    import pyarrow.parquet  # noqa: F401  # loaded before the clock starts

    if library.startswith("pandas"):
        if path.suffix != ".csv":
            return partial(pd.read_parquet, path)
        return partial(pd.read_csv, path, engine="pyarrow" if "," in library else "c")
    if library == "read_table":
        import engine

        return partial(engine.read_table, path)
    return partial(_ours, path, careful=library == "careful")


def _ours(path: Path, *, careful: bool) -> object:
    from engine.data.reading import text_tables
    from engine.data.reading.formats import declared
    from engine.data.reading.limits import Choices, Limits
    from engine.data.reading.report import ReadingReport

    if path.suffix != ".csv":
        report = ReadingReport(path.name, "parquet")
        return declared.read_parquet(path.read_bytes(), Choices(), Limits(), report, lambda _: None)
    if careful:
        text_tables.read_regular = lambda *_: None
    return text_tables.read_text(path.read_bytes(), Choices(), Limits(), ReadingReport(path.name, "text"))


def work(library: str, path: Path, rounds: int) -> dict[str, Any]:
    """CPU seconds of the median round, on the clock as well, and the peak after the first one."""
    read = reader(library, path)
    spent, clock, peak = [], [], 0.0
    for _ in range(rounds):
        began, start = time.process_time(), time.perf_counter()
        table = read()
        spent.append(time.process_time() - began + _apart(library)[0])
        clock.append(time.perf_counter() - start)
        peak = peak or peak_mib()
        del table
    return {
        "cpu": statistics.median(spent),
        "clock": statistics.median(clock),
        "peak": peak,
        "apart": _apart(library)[1],
    }


def _apart(library: str) -> tuple[float, float]:
    """CPU seconds and MiB of the process that read for us."""
    if library != "read_table":
        return 0.0, 0.0
    from engine.data.reading.foreign import last_read

    used = last_read()
    return (used.cpu_seconds, used.peak_bytes / 2**20) if used else (0.0, 0.0)


def main() -> None:
    """Every library on every file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--files", nargs="+", choices=FILES, default=list(FILES))
    parser.add_argument("--libraries", nargs="+", choices=LIBRARIES, default=list(LIBRARIES))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--worker", nargs=2, metavar=("LIBRARY", "PATH"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.worker:
        library, path = given.worker[0], Path(given.worker[1])
        if library == "make":
            make(path)
        else:
            print(json.dumps(work(library, path, given.rounds)))
        return
    with tempfile.TemporaryDirectory() as folder:  # this process stays small: a child's peak begins with its parent's
        for name in given.files:
            path = Path(folder) / name
            _run("make", path, 1)
            print(f"{name}: {path.stat().st_size / 1e6:.0f} MB")
            for library in given.libraries:
                if path.suffix == ".csv" or library not in ("careful", "pandas, pyarrow engine"):
                    got = json.loads(_run(library, path, given.rounds))
                    apart = f" and {got['apart']:.0f} apart" if got["apart"] else ""
                    print(
                        f"  {library:24s} {got['cpu']:6.2f} s of CPU, {got['clock']:6.2f} on the clock, "
                        f"{got['peak']:6.0f} MiB{apart}",
                        flush=True,
                    )
            path.unlink()


def _run(library: str, path: Path, rounds: int) -> str:
    command = [sys.executable, "-m", "benchmarks.reading.peers", "--rounds", str(rounds)]
    command += ["--worker", library, str(path)]
    environment = {**os.environ, **ONE_THREAD}
    return subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout


if __name__ == "__main__":
    main()
