"""Lines, centralities, case dropping and inclusion of a questionnaire of 25 items and 800 rows.

python -m pytest benchmarks/ordinal/test_lines.py
"""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Any

import pytest

import engine
from benchmarks.ordinal.test_ordinal import drawn
from engine.telling.ordinal.figures import networks

ITEMS, ROWS = 25, 800
METHOD = engine.Ordinal()


@lru_cache(maxsize=1)
def table() -> engine.Dataset:
    """The questionnaire."""
    return drawn(ITEMS, ROWS)[1]


def test_network_lines_and_centralities(benchmark: Any) -> None:
    """All that a run gives: 3 s."""
    assert benchmark.pedantic(METHOD.run, (table(),), rounds=3, warmup_rounds=1).lines is not None


def test_lines_alone(benchmark: Any) -> None:
    """With 1,000 draws of the errors."""
    benchmark.pedantic(METHOD.partial_network, (table(),), rounds=5, warmup_rounds=1)


def test_correlation_stability(benchmark: Any) -> None:
    """Ten steps of 100 draws: 40 s."""
    benchmark.pedantic(METHOD.case_dropping, (table(),), rounds=1)


def test_inclusion(benchmark: Any) -> None:
    """1,000 drawn networks: 10 s."""
    benchmark.pedantic(METHOD.inclusion, (table(),), rounds=1, warmup_rounds=1)


@pytest.mark.benchmark(timer=time.perf_counter)  # the work is done by two other processes
def test_half_samples(benchmark: Any) -> None:
    """50 halves on two processes: 60 s on the clock."""
    benchmark.pedantic(METHOD.half_samples, (table(), 50), {"jobs": 2}, rounds=1)


def test_figure(benchmark: Any) -> None:
    """One picture, placed and drawn."""
    benchmark.pedantic(networks.network_figure, (METHOD.run(table()),), rounds=5, warmup_rounds=1)
