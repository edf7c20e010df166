"""A table of two groups that stays on disk: one pass for the recipe, one for the codes, comparisons by counts.

    DIPTYCH_ROWS=20000000 python -m pytest benchmarks/past_memory -q -n 0

The bars are those of 20,000,000 rows on two idle cores; with fewer rows (2,000,000 where nothing is said) the shares of
them that grow with the rows are smaller. Each step has a process of its own, whose CPU seconds and peak are reported.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from benchmarks.past_memory.steps import write, write_csv
from benchmarks.peers import ROOT

pytestmark = pytest.mark.benchmark(timer=time.perf_counter)  # of another process: its CPU seconds are told beside

ROWS = int(os.environ.get("DIPTYCH_ROWS", "2000000"))
FULL = 20_000_000
MOST_MIB = 600_000_000 / 2**20
CSV_BYTES, CSV_SPEED, CSV_MOST_MIB = 3_000_000_000, 60_000_000, 1_000_000_000 / 2**20
"""Of a text table: its size where `ROWS` is `FULL`, bytes a second of CPU of a pass, the most memory."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fifty variables and the group; ten of them are numbers, half of these all different."""
    folder = tmp_path_factory.mktemp("past_memory") / "table"
    write(folder, ROWS, 50, 10)
    return folder


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fifty variables of two or three levels and the group, coded."""
    folder = tmp_path_factory.mktemp("words")
    write(folder / "table", ROWS, 50, 0)
    step("code", folder / "table", folder / "stored")
    return folder / "stored"


@pytest.fixture(scope="module")
def text_table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """3 GB of CSV where all rows are asked for."""
    file = tmp_path_factory.mktemp("text") / "table" / "table.csv"
    write_csv(file, int(CSV_BYTES * ROWS / FULL))
    return file


def step(*asked: object) -> dict[str, float]:
    """What a step took."""
    command = [sys.executable, "-m", "benchmarks.past_memory.steps", *map(str, asked)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def measured(benchmark: Any, bar: float, *asked: object) -> float:
    """Run a step under the benchmark, and hold it to its bar; its CPU seconds."""
    facts = benchmark.pedantic(step, asked, rounds=1, iterations=1)
    benchmark.extra_info.update(facts, rows=ROWS, bar=bar)
    print(f"{asked[0]}: {facts['cpu']:.1f} s of CPU, {facts['clock']:.1f} s, peak {facts['peak_mib']:.0f} MiB")
    assert facts["peak_mib"] < MOST_MIB
    assert facts["cpu"] < bar * max(ROWS / FULL, 0.3)
    return float(facts["cpu"])


def test_recipe_and_codes(benchmark: Any, table: Path) -> None:
    """40 s of CPU for both passes together."""
    seconds = measured(benchmark, 40.0, "recipe", table)
    facts = step("code", table, table.parent / "stored")
    print(f"code: {facts['cpu']:.1f} s of CPU, {facts['clock']:.1f} s, peak {facts['peak_mib']:.0f} MiB")
    assert facts["peak_mib"] < MOST_MIB and facts["cpu"] + seconds < 40.0 * max(ROWS / FULL, 0.3)


def test_twenty_variables(benchmark: Any, words: Path) -> None:
    """Exact sums over all orders: 40 s of CPU."""
    measured(benchmark, 40.0, "compare", words, "--variables", 20)


def test_fifty_variables(benchmark: Any, words: Path) -> None:
    """At most six candidate parents: 30 s of CPU."""
    measured(benchmark, 30.0, "candidates", words, "--variables", 50)


@pytest.mark.parametrize("what", ["recipe", "code"])
def test_text_table(benchmark: Any, text_table: Path, what: str) -> None:
    """60 MB a second of CPU for each pass."""
    facts = benchmark.pedantic(step, (what, text_table, text_table.parent / "stored"), rounds=1, iterations=1)
    size = text_table.stat().st_size
    speed = size / facts["cpu"]
    benchmark.extra_info.update(facts, size=size, speed=speed)
    print(f"{what}: {size / 1e9:.2f} GB of CSV, {facts['cpu']:.1f} s of CPU, {speed / 1e6:.0f} MB a second of it,")
    print(f"    {facts['clock']:.1f} s, peak {facts['peak_mib']:.0f} MiB")
    assert facts["peak_mib"] < CSV_MOST_MIB
    assert speed > CSV_SPEED
