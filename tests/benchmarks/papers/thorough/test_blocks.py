"""Blocks on any workers: kept as they end, taken up after a kill, the same table however they were run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from benchmarks.papers.blocks import Running
from tests.benchmarks.papers.test_blocks import figures, whole

__all__ = ["whole"]


RUN = """
import sys
from pathlib import Path
from benchmarks.papers.blocks import Running
from benchmarks.papers.catalog import study_called
study_called('group_difference').run(
    draws=[1], sizes=[100, 200], pairs=1, repeats=2, lasso=False,
    running=Running(keep=Path(sys.argv[1]), progress=lambda fraction, words: print(words, flush=True)),
)
"""


def test_a_killed_run_goes_on_where_it_was(tmp_path: Path, whole: pd.DataFrame) -> None:
    """The process is killed hard after a few blocks; the next run keeps those and gives the same bits."""
    process = subprocess.Popen([sys.executable, "-c", RUN, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("blocks: 3 of"):
            process.send_signal(getattr(signal, "SIGKILL", signal.SIGTERM))
            break
    process.wait(30)
    done = {file: file.stat().st_mtime_ns for file in tmp_path.glob("*/*.json")}
    assert 3 <= len(done) <= len(whole) // 5
    said: list[str] = []
    again = figures(Running(keep=tmp_path, progress=lambda fraction, words: said.append(words)))
    pd.testing.assert_frame_equal(again, whole, check_exact=True)
    assert len(said) == 8 - len(done) + 1  # the first says what was done before
    assert said[-1] == "blocks: 8 of 8" or not said
    assert {file: file.stat().st_mtime_ns for file in done} == done


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """The address of a scheduler with two workers, each a process of its own, as somebody would start them."""
    distributed = pytest.importorskip("distributed", reason="the extra 'cluster' is not installed")
    told = tmp_path / "scheduler.json"
    beside = ["--scheduler-file", str(told), "--no-dashboard"]
    commands = [
        ["scheduler", "--host", "127.0.0.1", "--port", "0", *beside],
        *[["worker", "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", *beside]] * 2,
    ]
    # a folder of its own: the tests' folder must not be what the workers import from
    started = [subprocess.Popen([sys.executable, "-m", "dask", *one], cwd=tmp_path) for one in commands]
    try:
        for _ in range(600):
            if told.is_file() and told.read_text(encoding="utf-8").endswith("}"):
                break
            time.sleep(0.1)
        address = json.loads(told.read_text(encoding="utf-8"))["address"]
        with distributed.Client(address) as client:
            client.wait_for_workers(2, timeout=60)
        yield address
    finally:
        for one in started:
            one.kill()  # a worker that is asked politely waits for a scheduler that has gone
            one.wait(30)


def test_two_workers_of_a_cluster_give_the_same_bits(cluster: str, tmp_path: Path, whole: pd.DataFrame) -> None:
    """The blocks are worked on elsewhere and kept here."""
    import distributed

    again = figures(Running(cluster=cluster, keep=tmp_path / "kept"))
    pd.testing.assert_frame_equal(again, whole, check_exact=True)
    assert len(list(tmp_path.glob("kept/*/*.json"))) == 8
    with distributed.Client(cluster) as client:
        workers = client.run(os.getpid)
        assert len(set(workers.values())) == 2 and os.getpid() not in workers.values()
        done = client.run(lambda dask_worker: dask_worker.state.executed_count)
    assert sum(done.values()) >= 8
