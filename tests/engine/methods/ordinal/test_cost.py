"""What is said before a long fit."""

from __future__ import annotations

import numpy as np

import engine
from engine.methods.ordinal.method import run_seconds
from tests.engine.methods.ordinal.make import chain


def test_small_tables_need_no_warning_and_large_ones_get_one() -> None:
    """A hundred variables and five thousand rows took 8 s of one core."""
    method = engine.Ordinal()
    assert method.expected(chain(400)) == ""
    names = [f"v{i}" for i in range(100)]
    codes = np.random.default_rng(0).integers(0, 3, (100, 5000))
    large = engine.Dataset.from_codes(codes, [3] * 100, names, kinds=dict.fromkeys(names, "ordinal"))
    assert 4 < run_seconds(method, 100, 5000) < 16
    assert method.expected(large).startswith("100 variables and 5,000 rows will take about ")
    assert engine.Ordinal(approach="bge").expected(large) == ""


def test_more_of_anything_takes_longer() -> None:
    """Rows, variables, draws."""
    method = engine.Ordinal(draws=100)
    base = run_seconds(method, 20, 500)
    assert run_seconds(method, 40, 500) > base
    assert run_seconds(method, 20, 1000) > base
    assert run_seconds(engine.Ordinal(draws=400), 20, 500) > base
