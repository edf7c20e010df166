"""Levels that are given another place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from engine import Dataset, Recipe
from engine.data.preparing.levels import place_levels


@pytest.mark.parametrize(
    ("places", "order"),
    [({}, "abcd"), ({0: 3}, "bcad"), ({3: 1}, "dabc"), ({0: 2}, "bacd"), ({0: 4, 3: 1}, "dbca"), ({2: 3}, "abcd")],
)
def test_places_of_levels(places: dict[int, int], order: str) -> None:
    """A level that is given a place stands there afterwards."""
    assert place_levels("abcd", places) == list(order)


def mostly_zero(seed: int) -> pd.DataFrame:
    """Numbers with a value that many rows share, and one of few values."""
    generator = np.random.default_rng(seed)
    rows = 300
    normal = generator.normal(5, 2, rows)
    return pd.DataFrame(
        {
            "days": np.where(generator.random(rows) < 0.6, 0, generator.poisson(6, rows)),
            "dose": np.where(generator.random(rows) < 0.4, 0, normal.round(2)),
            "ceiling": np.minimum(normal.round(1), 6.0),
            "few": generator.integers(0, 4, rows) / 2,
            "plain": normal,
        }
    )


KINDS = dict.fromkeys(mostly_zero(0), "continuous")


def test_a_recipe_and_a_stream_have_the_same_levels(tmp_path: Path) -> None:
    """Values of their own are frozen: the recipe codes next month's rows alike, and so does a file read in parts."""
    table, later = mostly_zero(1), mostly_zero(2)
    data = Dataset.from_frame(table, kinds=KINDS)
    assert data.levels["days"][0] == "0" and data.levels["ceiling"][-1] == "6"
    assert data.levels["few"] == ("0", "0.5", "1", "1.5") and len(data.levels["plain"]) == 3
    assert (data["days"] == "0").tolist() == (table["days"] == 0).tolist()
    assert (data["ceiling"] == "6").tolist() == (table["ceiling"] == 6).tolist()
    recipe = Recipe.load(data.recipe.to_json().encode())
    assert recipe.apply(table).fingerprint == data.fingerprint
    assert (recipe.apply(later)["days"] == "0").tolist() == (later["days"] == 0).tolist()
    file = tmp_path / "table.parquet"
    table.to_parquet(file)
    assert Dataset.from_parquet(file, Recipe(kinds=KINDS)).fingerprint == data.fingerprint
    assert Recipe.from_parquet(file, kinds=KINDS) == data.recipe


def test_cut_points_and_numbers_that_the_user_gave_stand() -> None:
    """What the user gave is not second-guessed: cut points, or fewer intervals than there are values."""
    table = mostly_zero(3)
    given = Dataset.from_frame(table, kinds=KINDS, bins={"days": [5], "few": 2})
    assert given.levels["days"] == ("below 5", "5 and above") and len(given.levels["few"]) == 2
