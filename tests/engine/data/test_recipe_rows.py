"""Recipes that filter rows, and recipes as files: what they keep, what they say, next month's table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.preparing.wording import choice_steps
from engine.errors import DataError


def table(n: int = 200, seed: int = 2) -> pd.DataFrame:
    """A clinic's table: sex, age with a code, a marker with a limit, an outcome."""
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "sex": rng.choice(["f", "m"], n),
            "age": np.where(rng.random(n) < 0.1, 999, rng.integers(20, 90, n)),
            "marker": ["<0.5" if v < 0.5 else f"{v:.1f}" for v in rng.exponential(1.5, n)],
            "ward": rng.choice(["A", "B", "C"], n),
            "died": rng.choice(["yes", "no"], n),
        }
    )


RECIPE = engine.Recipe(
    missing_tokens={"age": ["999"]},
    limits={"marker": "level"},
    derive={"old": ("if", [("age", "over", 65)])},
    where=[("sex", "is", "f"), ("age", "at least", 30)],
    tiers=[["age", "old"], ["died"]],
    roles={"died": "outcome"},
    settled={"missing-code:age:999": "missing"},
)


def test_only_the_rows_that_are_meant() -> None:
    """They, their place in the table, and the sentence with the counts; constant columns are left out."""
    frame = table()
    data = RECIPE.apply(frame)
    meant = (frame["sex"] == "f") & (frame["age"] != 999) & (frame["age"] >= 30)
    assert data.origin.tolist() == np.flatnonzero(meant).tolist()
    assert "sex" not in data.names
    assert data.report is not None
    assert data.report.rows_dropped == 0
    assert data.report.rows_outside == (~meant).sum()
    untold = ((frame["sex"] == "f") & (frame["age"] == 999)).sum()
    assert data.report.rows_sentence() == (
        f"Only rows where sex is f and age at least 30: {meant.sum()} of 200; of {untold} it is not known. "
        f"All {meant.sum()} rows of them are used."
    )


def test_equal_to_a_table_of_these_rows() -> None:
    """A filter gives what the same rows give as a table of their own."""
    frame = table()
    meant = frame["ward"].isin(["A", "B"])
    filtered = engine.Recipe(where=[("ward", "is", ["A", "B"])]).apply(frame)
    alone = engine.Dataset.from_frame(frame[meant].reset_index(drop=True))
    assert filtered.fingerprint == alone.fingerprint
    assert filtered.cuts == alone.cuts


def test_every_result_says_which_rows() -> None:
    """The filter is in the provenance of a result and in its report."""
    data = RECIPE.apply(table())
    result = engine.LogLinear().run(data)
    assert result.provenance.recipe["where"] == [["sex", "is", ["f"]], ["age", "at least", 30]]


def test_rows_outside_leave_holes_in_a_series() -> None:
    """A step that is filtered out is no step to the next one."""
    frame = pd.DataFrame(
        {
            "who": np.repeat(["a", "b", "c", "d"], 5),
            "day": [1, 2, 3, 4, 5] * 4,
            "x": [0, 1, 0, 1, 1] * 4,
            "y": [0, 1, 1, 0, 1, 1, 0, 0, 1, 1] * 2,
        }
    )
    data = engine.Recipe(
        roles={"who": "subject", "day": "time"}, where=[("day", "is not", 3)], kinds={"x": "nominal", "y": "nominal"}
    ).apply(frame)
    assert data.steps is not None
    assert data.steps.step.tolist() == [0, 1, 3, 4] * 4
    assert len(engine.data.series.series(data).transitions) == 8


def test_a_recipe_in_a_file_prepares_next_month() -> None:
    """Same codes for the same rows; what is new is said; the filter and the limits count there too."""
    first = RECIPE.apply(table())
    recipe = engine.Recipe.load(first.recipe.to_json().encode())
    assert recipe == first.recipe
    assert recipe.apply(table()).fingerprint == first.fingerprint
    later = table(120, seed=9)
    later.loc[3, "ward"] = "D"
    later.loc[3, ["sex", "age"]] = ["f", 50]
    data = recipe.apply(later)
    assert data.levels == first.levels
    meant = (later["sex"] == "f") & (later["age"] != 999) & (later["age"] >= 30) & (later["ward"] != "D")
    assert data.origin.tolist() == np.flatnonzero(meant).tolist()
    old = recipe.apply(pd.concat([table(), later], ignore_index=True))
    assert (old.codes[:, : first.n_rows] == first.codes).all()
    assert data.report is not None
    assert any("'D' (1 row) count" in one for one in data.report.problems)
    with pytest.raises(DataError, match="no column 'age'"):
        recipe.apply(later.drop(columns="age"))


def test_a_recipe_without_the_new_choices_is_written_as_before() -> None:
    """Files from before have none of them, and stay equal."""
    written = engine.Recipe(kinds={"age": "continuous"}).to_dict()
    assert not {"where", "derive", "limits", "tiers", "settled"} & set(written)
    assert engine.Recipe.from_dict(written) == engine.Recipe(kinds={"age": "continuous"})


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[1]",
        b"{}",
        b'{"format": "other"}',
        b"\xff\xfe",
        b'{"format": "diptych recipe 1", "kinds": 3}',
        b"[" * 99999,
    ],
)
def test_what_is_no_recipe(content: bytes) -> None:
    """One sentence, whatever it is."""
    with pytest.raises(DataError):
        engine.Recipe.load(content)


def test_every_choice_is_a_step_in_words() -> None:
    """One sentence each, with the argument and the column that take it back."""
    steps = choice_steps(RECIPE)
    assert [(one.what, one.column) for one in steps] == [
        ("missing_tokens", "age"),
        ("limits", "marker"),
        ("derive", "old"),
        ("where", ""),
        ("roles", "died"),
        ("tiers", ""),
        ("settled", "missing-code:age:999"),
    ]
    whole = engine.Recipe(
        kinds={"a": "ignore", "b": "ordinal"},
        levels={"b": ["low", "high"]},
        missing={"b": "level"},
        bins={"c": 4, "d": [1, 2.5]},
        binning={"c": "width"},
        rare={"b": 5},
        merge={"b": {"x": "y"}},
    )
    assert whole.steps() == [
        "'a' is left out.",
        "'b' is used as ordinal.",
        "'b': a missing value is a level of its own.",
        "'b': 'x' becomes 'y'.",
        "'b': levels in the order low, high.",
        "'c': cut into 4 intervals.",
        "'d': cut at 1, 2.5.",
        "'c': intervals of equal width.",
        "'b': levels with fewer than 5 rows are merged.",
    ]
    assert engine.Recipe(bins=4, missing="level", missing_tokens=["-9"]).steps() == [
        "All columns: '-9' counts as missing.",
        "All columns: a missing value is a level of its own.",
        "All columns: cut into 4 intervals.",
    ]
    assert engine.Recipe().steps() == []
