"""A table past memory: streamed from Parquet to disk, hill-climbed, log-linear analysed; each in a fresh process.

    python -m benchmarks.past_memory.drawn PARQUET --rows 100000000
    python -m benchmarks.past_memory.run PARQUET STORED

`STORED` is a folder that is empty or not there; it holds the bit planes afterwards. Said of every step: seconds on the
clock and of CPU, the peak of resident memory, and the bytes that came from the disk. What the system keeps of the files
in memory that is free is no part of the peak; where it keeps all of them, few bytes come from the disk.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.peer_worker import peak_mib
from benchmarks.peers import ROOT

STEPS = ("stream", "count", "climb", "links")


def step(what: str, parquet: Path, stored: Path) -> str:
    """Do one step; what came of it."""
    import engine

    if what == "stream":
        import pyarrow.parquet as pq

        first = sorted(parquet.iterdir())[0]
        with pq.ParquetFile(first) as file:
            sample = next(file.iter_batches(20_000)).to_pandas()
        recipe = engine.Dataset.from_frame(sample).recipe
        data = engine.Dataset.from_parquet(parquet, recipe, folder=stored, keep=True, progress=said)
        size = sum(file.stat().st_size for file in stored.iterdir())
        return f"{data.n_rows:,} rows x {data.n_variables} in {size / 1e9:.2f} GB"
    data = engine.Dataset.open_stored(stored)
    if what == "count":
        return f"fingerprint {data.fingerprint}"
    if what == "climb":
        found = engine.learn(data, engine.BDeu(1.0), engine.HillClimbing(), progress=said)
        return f"{found.number_of_edges()} arcs"
    return f"{engine.LogLinear().run(data, progress=said).graph.number_of_edges()} edges"


_last = [0.0]


def said(fraction: float, words: str) -> None:
    """Progress, every ten seconds."""
    if time.monotonic() - _last[0] > 10:
        _last[0] = time.monotonic()
        print(f"    {fraction:4.0%} {words}; peak {peak_mib():.0f} MiB", file=sys.stderr, flush=True)


def bytes_read() -> int:
    """Bytes that this process had the disk read so far; 0 where the system does not say."""
    try:
        lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next(int(line.split()[1]) for line in lines if line.startswith("read_bytes"))


def main() -> None:
    """Every step in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("parquet", type=Path)
    parser.add_argument("stored", type=Path)
    parser.add_argument("--steps", nargs="*", default=list(STEPS), choices=STEPS)
    parser.add_argument("--only", choices=STEPS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.only:
        clock, cpu = time.perf_counter(), time.process_time()
        outcome = step(given.only, given.parquet, given.stored)
        clock, cpu = time.perf_counter() - clock, time.process_time() - cpu
        print(
            f"{given.only}: {outcome}; {clock:.1f} s, {cpu:.1f} s of CPU, peak {peak_mib():.0f} MiB, "
            f"{bytes_read() / 1e9:.2f} GB from disk",
            flush=True,
        )
        return
    for one in given.steps:
        command = [sys.executable, "-m", "benchmarks.past_memory.run", str(given.parquet), str(given.stored)]
        subprocess.run([*command, "--only", one], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
