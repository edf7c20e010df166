"""Cells that lose their value: as many as asked, anywhere, with the level that the preparing of tables gives them."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from benchmarks.ordinal.gaps import with_gaps
from engine.data.dataset import Dataset
from engine.errors import SettingsError
from engine.simulation.ordinal import random_latent_model

RNG = np.random.default_rng


def complete() -> Dataset:
    return random_latent_model(6, RNG(0), neighbours=2.0).sample(400, RNG(1))


def test_the_share_asked_is_gone_and_the_rest_is_as_it_was() -> None:
    """Lost cells are spread over variables and rows; all others keep their level and their kind."""
    data = complete()
    gaps = with_gaps(data, 0.05, RNG(2))
    gone = np.array([gaps.column(name) == len(data.levels[name]) for name in data.names])
    assert gone.sum() == 120
    assert 8 <= gone.sum(axis=1).min() <= gone.sum(axis=1).max() <= 35
    np.testing.assert_array_equal(gaps.codes[~gone], data.codes[~gone])
    assert gaps.kinds == data.kinds
    for name in data.names:
        assert gaps.levels[name] == (*data.levels[name], "missing")


def test_the_level_is_the_one_that_preparing_gives() -> None:
    """Levels and codes are those of a table with empty cells whose missing values are a level."""
    data = complete()
    gaps = with_gaps(data, 0.05, RNG(2))
    table = gaps.to_frame().astype(object)
    table = table.where(table != "missing", None)
    levels = {name: list(data.levels[name]) for name in data.names}
    prepared = Dataset.from_frame(table, levels=levels, missing="level")
    np.testing.assert_array_equal(prepared.codes, gaps.codes)
    assert prepared.levels == gaps.levels
    missing = {one.name: one.missing for one in gaps.recipe.columns}
    assert missing == {one.name: one.missing for one in prepared.recipe.columns} == dict.fromkeys(data.names, "missing")
    np.testing.assert_array_equal(gaps.recipe.codes(pd.DataFrame(table))[0], gaps.codes)


def test_a_level_of_that_name_keeps_it() -> None:
    """Where a level is called missing already, the gaps are called otherwise."""
    data = Dataset.from_codes(np.array([[0, 1] * 20]), [["there", "missing"]], ["a"], {"a": "ordinal"})
    assert with_gaps(data, 0.1, RNG(0)).levels["a"] == ("there", "missing", "missing (2)")


def test_nothing_gone_and_too_much() -> None:
    """A share of 0 changes nothing; equal seeds give equal gaps; a share of 1 is refused."""
    data = complete()
    assert with_gaps(data, 0.0, RNG(0)).fingerprint == data.fingerprint
    assert with_gaps(data, 0.3, RNG(3)).fingerprint == with_gaps(data, 0.3, RNG(3)).fingerprint
    for share in (1.0, -0.1, float("nan")):
        with pytest.raises(SettingsError, match="share"):
            with_gaps(data, share, RNG(0))
