"""Inclusion probabilities: the prior by simulation, known tables, and what the states mean."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import engine
from engine.methods.ordinal.inclusion import IN, OUT
from tests.engine.methods.ordinal.test_partial_network import P, table


def test_links_that_are_there_are_included_and_few_others() -> None:
    """Eight items, 1,500 rows: all strong lines, and a marriage is a line without an arrow link."""
    weights = np.zeros((P, P))
    for i, j, value in ((0, 1, 0.45), (2, 3, -0.4), (5, 6, 0.4)):
        weights[i, j] = weights[j, i] = value
    found = engine.Ordinal().inclusion(table(0, weights, 1500)).frame().set_index(["a", "b"])
    there = {("a_0", "a_1"), ("a_2", "a_3"), ("b_5", "b_6")}
    assert set(found.index[found["line_state"] == IN]) == there
    assert found.loc[sorted(there), "arrow"].min() > 0.99
    assert (found["line_state"] == OUT).sum() > 10
    assert (found["line"] >= found["arrow"] - 1e-12).all()
    assert found["arrow"].to_numpy() == pytest.approx((found["forward"] + found["backward"]).to_numpy())


def test_a_child_of_two_items_makes_a_line_of_them() -> None:
    """a -> c <- b: a and b are not adjacent, and a line joins them."""
    generator = np.random.default_rng(0)
    a, b, d = generator.normal(size=(3, 2000))
    c = 0.6 * a + 0.6 * b + 0.5 * generator.normal(size=2000)
    codes = np.searchsorted([-0.8, 0.0, 0.8], np.array([a, b, c, d])).astype(np.uint8)
    data = engine.Dataset.from_codes(codes, [4] * 4, list("abcd"), kinds=dict.fromkeys("abcd", "ordinal"))
    found = engine.Ordinal().inclusion(data).frame().set_index(["a", "b"])
    assert found.loc[("a", "b"), "line"] > 0.95 > 0.2 > found.loc[("a", "b"), "arrow"]


def test_gaps_that_depend_on_an_answer_make_no_link() -> None:
    """b <- a -> c, and b is missing where a is high: pairwise correlations would have b - c in 41 %."""
    generator = np.random.default_rng(9)
    a, rest, other, d = generator.normal(size=(4, 1500))
    values = np.array([a, 0.7 * a + 0.71 * rest, 0.7 * a + 0.71 * other, d])
    frame = pd.DataFrame(np.searchsorted([-0.8, 0, 0.8], values).T.astype(float), columns=list("abcd"))
    frame.loc[(frame["a"] >= 2) & (generator.random(1500) < 0.9), "b"] = np.nan
    data = engine.Dataset.from_frame(frame, kinds=dict.fromkeys("abcd", "ordinal"), missing="level")
    found = engine.Ordinal(missing="latent").inclusion(data).frame().set_index(["a", "b"])
    assert found.loc[("b", "c"), "arrow"] < 0.2 and found.loc[("a", "b"), "arrow"] > 0.95
