"""Two groups compared by two workers of 1 GB each, the second time with one killed in the middle: bits equal to disk.

    python -m benchmarks.cluster.comparison FOLDER --rows 20000000
    python -m benchmarks.cluster.comparison FOLDER --rows 1000000 --memory

The table is drawn into `FOLDER` and left there; the workers read it as they do a table that is opened by path. Printed
are seconds of the clock, CPU seconds of this process and of the workers, and the workers' peaks; `--memory` adds the
bits of rows in memory.
"""

from __future__ import annotations

import argparse
import hashlib
import logging
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

import engine
from benchmarks.past_memory.steps import GROUP, peak_mib, write
from dashboard.jobs.path_work import code_on_cluster, look_at
from engine.data.cluster.published import connect
from engine.data.cluster.store import ClusterStore
from engine.execution import Progress, silent

WORKER_MEMORY = "1GB"
FILE_ROWS = 1 << 18


@contextmanager
def two_workers() -> Iterator[str]:
    """The scheduler's address of two processes with a thread and 1 GB each; Dask ends and replaces who takes more."""
    from distributed import LocalCluster

    how = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": ":0", "silence_logs": logging.ERROR}
    with LocalCluster(host="127.0.0.1", memory_limit=WORKER_MEMORY, **how) as cluster:
        yield cluster.scheduler_address


class Killer:
    """Progress that kills a worker once, in the middle."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.killed_at = -1.0

    def __call__(self, fraction: float, words: str) -> None:
        if self.killed_at < 0 and fraction >= 0.4:
            self.killed_at = fraction
            os.kill(next(iter(connect(self.address).run(os.getpid).values())), signal.SIGKILL)


def compare(data: engine.Dataset, variables: int, progress: Progress = silent) -> str:
    """Digest of the whole result but the words on where its rows came from."""
    names = [name for name in data.names if name != GROUP][:variables]
    chosen = data.select([*names, GROUP])
    engine.GroupDifference(GROUP).run(chosen.rows(np.arange(2_000)))  # kernels are compiled or loaded
    begun, busy = time.perf_counter(), time.process_time()
    result = engine.GroupDifference(GROUP).run(chosen, progress)
    seconds = time.perf_counter() - begun, time.process_time() - busy
    print(f"  compared: {seconds[0]:.1f} s, {seconds[1]:.1f} s of CPU here", flush=True)
    plain = replace(result, made=replace(result.made, rows=()), left_out="")
    return hashlib.sha256(plain.to_json().encode()).hexdigest()[:16]


def compare_on_workers(table: Path, variables: int, kill: bool) -> str:
    """Coded by the workers, compared, and told what it took of them."""
    with two_workers() as address:
        begun = time.perf_counter()
        data = code_on_cluster(look_at(str(table), None), None, address, "benchmark", lambda *_: None)
        print(f"  coded by the workers: {time.perf_counter() - begun:.1f} s", flush=True)
        assert isinstance(data.store, ClusterStore)
        data.store.adopt()  # as the page does
        client, killer = connect(address), Killer(address)
        before = sum(client.run(time.process_time).values())
        digest = compare(data, variables, killer if kill else silent)
        after = sum(client.run(time.process_time).values())
        peaks = ", ".join(f"{peak:.0f}" for peak in client.run(peak_mib).values())
        lost = data.store.count_lost()
        spent = "" if kill else f", {after - before:.1f} s of CPU there"
        where = f", killed at {killer.killed_at:.0%}" if kill else ""
        print(f"  workers lost: {lost}{where}; peaks {peaks} MiB{spent}", flush=True)
        assert bool(lost) == kill, "a worker was lost that nobody killed, or none was"
        data.close()
        client.close()
    return digest


def main() -> None:
    """One line a way, and whether all are the same."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--rows", type=int, default=1_000_000)
    asked.add_argument("--variables", type=int, default=20)
    asked.add_argument("--memory", action="store_true")
    given = asked.parse_args()
    table = given.folder / "table"
    if not table.exists():
        write(table, given.rows, given.variables, 0, FILE_ROWS)
    found = {}
    print(f"{given.rows:,} rows x {given.variables}, on disk", flush=True)
    data = engine.Dataset.from_parquet(table, folder=given.folder / "stored")
    found["disk"] = compare(data, given.variables)
    recipe = data.recipe
    data.close()
    if given.memory:
        print("in memory", flush=True)
        found["memory"] = compare(recipe.apply(pq.read_table(table).to_pandas()), given.variables)
    for kill in (False, True):
        name = "two workers, one killed" if kill else "two workers"
        print(name, flush=True)
        found[name] = compare_on_workers(table, given.variables, kill)
    for name, digest in found.items():
        print(f"{digest}  {name}")
    assert len(set(found.values())) == 1, "the results differ"


if __name__ == "__main__":
    main()
