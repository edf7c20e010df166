"""Numbers where families are only counted: the bits of rows in memory on disk, and near what single rows say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.fine_codes import CELLS
from engine.methods.group_difference.rows import groups as split
from engine.methods.group_difference.rows.groups import split_groups

METHOD = engine.GroupDifference(group="arm")


def frame(rows: int = 4_000) -> pd.DataFrame:
    """x moves, y follows it, z varies more; a word goes with x."""
    rng = np.random.default_rng(5)
    second = rng.random(rows) < 0.5
    x = rng.normal(size=rows) + 0.3 * second
    return pd.DataFrame(
        {
            "arm": np.where(second, "b", "a"),
            "x": x,
            "y": 0.6 * x + 0.8 * rng.normal(size=rows),
            "z": rng.normal(size=rows) * np.where(second, 1.4, 1.0),
            "word": np.where(rng.random(rows) < 1 / (1 + np.exp(-x)), "u", "v"),
            "site": rng.choice(["n", "s", "w"], rows),
        }
    )


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> engine.Dataset:
    """The rows of `frame` on disk."""
    folder: Path = tmp_path_factory.mktemp("fine")
    frame().to_parquet(folder / "rows.parquet")
    return engine.Dataset.from_parquet(folder / "rows.parquet", folder=folder / "kept")


def test_rows_in_memory_that_are_counted_have_the_bits_of_rows_on_disk(
    stored: engine.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cells are quantiles of all rows either way."""
    monkeypatch.setattr(split, "MANY_ROWS", 100)
    here, there = METHOD.run(engine.Dataset.from_frame(frame())), METHOD.run(stored)
    np.testing.assert_array_equal(here.posterior.log_odds, there.posterior.log_odds)
    for own, other in zip(here.evidence_likeliest, there.evidence_likeliest, strict=True):
        np.testing.assert_array_equal(own.common, other.common)
        np.testing.assert_array_equal(own.blocks, other.blocks)


def test_they_say_what_rows_by_themselves_say(stored: engine.Dataset) -> None:
    """x is higher, z varies more, y and the others follow or do nothing; and the answer says how it was worked out."""
    rows, counted = METHOD.run(engine.Dataset.from_frame(frame())).variables(), METHOD.run(stored)
    found = counted.variables()
    for name, what in (("x", "higher in arm = b"), ("z", "varies more in arm = b")):
        assert found.at[name, "verdict"] == rows.at[name, "verdict"] == "differs"
        assert found.at[name, "what"] == rows.at[name, "what"] == what
    assert (found.loc[["y", "word", "site"], "probability"] < 0.5).all()
    assert any("only counted" in note for note in counted.notes())


def test_tables_are_counts_of_rows(stored: engine.Dataset) -> None:
    """A family's table against pandas, of both groups, in every combination of levels."""
    groups = split_groups(METHOD, stored)
    names = groups.pooled.names
    x, word, site = (names.index(name) for name in ("x", "word", "site"))
    groups.fine.ask({x: [site, word]})
    table = groups.fine.family(x, (word, site))
    known = frame()
    cell = np.searchsorted(groups.fine.cells["x"].cuts, known["x"].to_numpy(), side="right")
    place = [groups.pooled.levels[name].index for name in ("word", "site")]
    block = [3 * place[0](w) + place[1](s) for w, s in zip(known["word"], known["site"], strict=True)]
    expected = np.zeros((2, 6, CELLS), dtype=np.int64)
    np.add.at(expected, ((known["arm"] == "b").to_numpy() * 1, block, cell), 1)
    np.testing.assert_array_equal(table, expected)
