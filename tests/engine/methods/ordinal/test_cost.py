"""What is said before a long fit."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.methods.cost import Size
from engine.methods.ordinal.method import cost_of_halves
from engine.methods.ordinal.structural_em import run_seconds
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
    published = engine.Ordinal(mode="published")
    assert 0.1 < run_seconds(published, 20, 500) < 0.6 * run_seconds(published, 20, 1000) < 2


def test_seconds_are_those_of_what_is_done() -> None:
    """Two walks of four rounds: draws and products of every row, the lattice, a search; rivals by the pair."""
    draw, judged = 1e-8 + 0.75 * 20 * 1.2e-10, 1.2e-8 + 0.5 * 20 * 1.2e-10
    fit = 100 * 500 * 20 * draw + 8 * 8 * 500 * 20 * judged + 4e-5 * 400
    assert run_seconds(engine.Ordinal(draws=100), 20, 500) == pytest.approx(2 * 4 * fit)
    many = 125_000 / 2500 * 2500 * 20 * draw + 8 * 8 * 2500 * 20 * judged + 4e-5 * 400
    assert run_seconds(engine.Ordinal(), 20, 2500) == pytest.approx(2 * 4 * many)
    more = 50 * 2501 * 20 * draw + 8 * 2 * 2501 * 20 * judged + 4e-5 * 400
    assert run_seconds(engine.Ordinal(draws=50), 20, 2501) == pytest.approx(2 * 4 * more)
    for settings, seconds in (
        ({"approach": "bge"}, 2.2e-4),
        ({"approach": "bde", "search": "ges"}, 5e-5),
        ({"approach": "gpc"}, 3e-4),
        ({"approach": "mmpc"}, 1e-2),
        ({"approach": "cpc"}, 1000 * (1.7e-4 + 500 * 5e-8) / 20),
    ):
        assert run_seconds(engine.Ordinal(**settings), 20, 500) == pytest.approx(400 * seconds)


def test_cost_says_what_makes_it_less() -> None:
    """Draws where they are most of it; bootstrap samples where there are some; halves are runs of half the rows."""
    size = Size(rows=500, variables=20, levels=4)
    plain, again = engine.Ordinal().cost(size), engine.Ordinal(bootstrap=9, approach="gpc").cost(size)
    assert (plain.quicker, again.quicker) == ("fewer draws", "fewer bootstrap samples")
    assert engine.Ordinal(bootstrap=9).cost(size).quicker == "fewer draws or bootstrap samples"
    assert engine.Ordinal(draws=1).cost(size).quicker == ""
    assert again.seconds == pytest.approx(10 * 400 * 3e-4)
    influences = 16.0 * 400 * 500  # of the lines, whatever the approach
    assert (plain.memory, again.memory) == (2000.0 * 400 + influences, 600.0 * 400 + influences)
    half = engine.Ordinal(draws=50).cost(Size(rows=250, variables=20, levels=4)).seconds
    assert cost_of_halves(engine.Ordinal(bootstrap=9), size, 7).seconds == pytest.approx(7 * half)
