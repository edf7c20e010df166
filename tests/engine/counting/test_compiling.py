"""Kernels that are written once run without the compiler too, and find the same."""

from __future__ import annotations

import logging
import subprocess
import sys
from types import SimpleNamespace

import pytest

import engine
from engine.counting.compiling import CompilingNotice, njit
from tests.engine.make import random_data
from tests.floor.tree import ROOT

PROGRAM = """
import sys
sys.modules["numba"] = None  # an import of it now fails
import engine
from tests.engine.make import random_data
search = engine.OrderMCMC(steps=100, chains=1)
data = random_data(100, 6, 8, seed=1)
print(sorted(engine.learn(data, engine.BGe(), search).edges))
print(engine.edge_posteriors(data, engine.BGe(), search).table["probability"].round(9).tolist())
"""


def test_without_numba_the_walk_finds_the_same() -> None:
    """In an interpreter where numba cannot be imported: the same DAG and the same probabilities."""
    shown = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True, cwd=ROOT)
    search, data = engine.OrderMCMC(steps=100, chains=1), random_data(100, 6, 8, seed=1)
    edges = sorted(engine.learn(data, engine.BGe(), search).edges)
    shares = engine.edge_posteriors(data, engine.BGe(), search).table["probability"].round(9).tolist()
    assert hasattr(njit(cache=False)(lambda: 0), "py_func")
    assert shown.stdout.splitlines() == [str(edges), str(shares)]


def test_the_first_compilation_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    """Of kernels that are compiled, one of them inside another: one line of the logger of the engine."""
    notice, happened = CompilingNotice(), SimpleNamespace(data={})
    with caplog.at_level(logging.DEBUG, logger="engine"):
        for step in (notice.on_start, notice.on_start, notice.on_end, notice.on_end, notice.on_start, notice.on_end):
            step(happened)
    said = [one.getMessage() for one in caplog.records]
    assert said[0].startswith("Kernels are compiled for this machine: once")
    assert len(said) == 3 and all("compiled in 0.0 s" in one for one in said[1:])
