"""What a fresh process costs: Python alone, the import, the first network with and without compiled kernels on disk."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

FIRST_NETWORK = """
import numpy as np, engine
codes = np.random.default_rng(0).integers(0, 3, (10, 1000))
engine.learn(engine.Dataset.from_codes(codes, [3] * 10, list("abcdefghij")))
"""
PROGRAMS = {
    "python alone": "pass",
    "import numpy": "import numpy",
    "import engine": "import engine",
    "import pandas": "import pandas",
}
ROOT = Path(__file__).parent.parent


def children_cpu() -> float:
    """CPU seconds of all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def start(program: str, **environment: str) -> None:
    """Run a program in a fresh interpreter."""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=ROOT, env={**os.environ, **environment})


@pytest.mark.benchmark(timer=children_cpu)
@pytest.mark.parametrize("program", list(PROGRAMS))
def test_import(benchmark: Any, program: str) -> None:
    """A fresh interpreter; bytecode is on disk."""
    benchmark.pedantic(start, args=(PROGRAMS[program],), rounds=7, iterations=1, warmup_rounds=1)


@pytest.mark.benchmark(timer=children_cpu)
def test_first_network_with_a_warm_cache(benchmark: Any, tmp_path: Path) -> None:
    """Import and learn a small network; the compiled kernels are on disk."""
    cache = {"NUMBA_CACHE_DIR": str(tmp_path)}
    benchmark.pedantic(start, args=(FIRST_NETWORK,), kwargs=cache, rounds=5, iterations=1, warmup_rounds=1)


@pytest.mark.benchmark(timer=children_cpu)
def test_first_network_without_a_cache(benchmark: Any, tmp_path: Path) -> None:
    """The same when the kernels must be compiled first: the very first run on a machine."""
    places = iter(range(10))

    def setup() -> tuple[tuple[str], dict[str, str]]:
        return (FIRST_NETWORK,), {"NUMBA_CACHE_DIR": str(tmp_path / str(next(places)))}

    benchmark.pedantic(start, setup=setup, rounds=3, iterations=1)
