"""Recipes: written and read again, applied to their own table, to single rows and to rows nobody has seen."""

from __future__ import annotations

import io
import json
import pickle
from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.dataset import Dataset, Recipe
from engine.errors import DataError


def table(n: int = 60) -> pd.DataFrame:
    """Words, numbers, numbers as words with tokens, dates, flags, rare levels, merged spellings and gaps."""
    rng = np.random.default_rng(3)
    return pd.DataFrame(
        {
            "id": [f"P{i}" for i in range(n)],
            "smoker": rng.choice(["yes", "Yes", "no"], n),
            "age": rng.normal(60, 9, n).round(1),
            "dose": [None if i % 7 == 0 else float(i % 3) for i in range(n)],
            "crp": ["-" if i % 11 == 0 else f"{i % 13},5" for i in range(n)],
            "seen": [f"{1 + i % 28:02d}.0{1 + i % 9}.2021" for i in range(n)],
            "born": pd.date_range("1950-01-01", periods=n, freq="100D"),
            "ward": ["A"] * (n - 4) + ["B", "C", "C", "D"],
            "grade": [["none", "mild", "severe", "critical"][min(i % 9, 3) if i % 20 else 2] for i in range(n)],
            "sure": [i % 3 == 0 for i in range(n)],
        }
    )


CHOICES: dict[str, Any] = {
    "kinds": {"seen": "continuous", "born": "continuous", "ward": "nominal"},
    "merge": {"smoker": {"Yes": "yes"}},
    "missing_tokens": {"crp": ["-"]},
    "missing": {"dose": "level"},
    "rare": {"ward": 3, "grade": 10},
    "bins": {"age": 4, "crp": [2.5, 8]},
}


def through_json(recipe: Recipe) -> Recipe:
    """A recipe written to a file and read again."""
    return Recipe.from_dict(json.loads(json.dumps(recipe.to_dict())))


def test_a_recipe_written_and_read_again_makes_the_same_data() -> None:
    """Choices and fixed columns survive JSON, compare equal, hash alike, and give the same fingerprint."""
    recipe, whole = Recipe(**CHOICES), table()
    data = recipe.apply(whole)
    assert through_json(recipe) == recipe and hash(through_json(recipe)) == hash(recipe)
    assert through_json(recipe).apply(whole).fingerprint == data.fingerprint
    assert through_json(data.recipe) == data.recipe
    assert through_json(data.recipe).apply(whole).fingerprint == data.fingerprint
    assert data.fingerprint == Dataset.from_frame(whole, **CHOICES).fingerprint
    assert recipe != Recipe(**{**CHOICES, "rare": 4})
    assert pickle.loads(pickle.dumps(data)).recipe == data.recipe  # noqa: S301


def test_its_own_table_gives_its_own_codes() -> None:
    """All rows, complete or not; and the data set made again says the same of itself."""
    whole = table()
    data = Recipe(**CHOICES).apply(whole)
    codes, words = data.recipe.codes(whole)
    assert words == ()
    assert (codes[:, data.origin] == data.codes).all()
    left_out = np.setdiff1d(np.arange(60), data.origin)
    assert len(left_out) and (codes[:, left_out] == -1).any(axis=0).all()
    again = data.recipe.apply(whole)
    assert again.fingerprint == data.fingerprint and (again.origin == data.origin).all()
    assert again.recipe == data.recipe
    assert again.report is not None and again.report.rows_dropped == len(left_out)
    assert again.report.dropped_for == {"crp": 6}


def test_single_rows_in_any_order_give_the_codes_of_the_whole() -> None:
    """Nothing of a row's codes hangs on the rows around it."""
    whole = table()
    recipe = Recipe(**CHOICES).apply(whole).recipe
    codes, _ = recipe.codes(whole)
    for row in np.random.default_rng(1).permutation(60):
        alone = whole.iloc[[row]]
        assert (recipe.codes(alone)[0][:, 0] == codes[:, row]).all()
        plain = pd.DataFrame([{name: alone[name].iloc[0] for name in alone}])  # other types: no categories, plain ints
        assert (recipe.codes(plain)[0][:, 0] == codes[:, row]).all()


def test_new_rows_are_coded_like_the_old_ones() -> None:
    """Cut points, merges, rare levels and the level of gaps stay; what has no level is not known, and said so."""
    data = Recipe(**CHOICES).apply(table())
    new = pd.DataFrame(
        {
            "age": [200.0, None],
            "smoker": ["Yes", "sometimes"],
            "dose": [None, 2],
            "crp": ["-", "1,5"],
            "seen": ["2021-01-02", "31.12.2022"],
            "born": ["1940-01-01", pd.Timestamp("2030-01-01")],
            "ward": ["D", "A"],
            "grade": ["critical", "none"],
            "sure": [True, "False"],
        }
    )
    codes, words = data.recipe.codes(new)
    said = [
        {name: data.levels[name][code] if code >= 0 else None for name, code in zip(data.names, row, strict=True)}
        for row in codes.T
    ]
    assert said[0]["age"] == data.levels["age"][-1] and said[1]["age"] is None
    assert [one["smoker"] for one in said] == ["yes", None]
    assert [one["dose"] for one in said] == ["missing", "2"]
    assert [one["crp"] for one in said] == [None, "below 2.5"]
    assert [one["ward"] for one in said] == ["other", "A"]
    assert [one["sure"] for one in said] == ["True", "False"]
    assert [one["born"] for one in said] == [data.levels["born"][0], data.levels["born"][-1]]
    assert said[1]["seen"] == data.levels["seen"][-1]
    assert said[0]["grade"] == data.levels["grade"][-1]
    assert words == ("In 'smoker', 'sometimes' (1 row) count as not known; the levels are 'no', 'yes'.",)
    with pytest.raises(DataError, match=r"No row.*'sometimes'"):
        data.recipe.apply(new)


def test_columns_that_are_not_there_are_not_known() -> None:
    """`codes` says so in a sentence; `apply` needs them all."""
    data = Dataset.from_frame(table())
    codes, words = data.recipe.codes(table()[["age", "id"]])
    assert (codes[data.index("smoker")] == -1).all() and (codes[data.index("age")] >= 0).all()
    assert "The table has no column 'smoker', so its values are not known." in words
    with pytest.raises(DataError, match="no column 'smoker'") as caught:
        data.recipe.apply(table()[["age"]])
    assert caught.value.column == "smoker"


def test_apply_tells_which_values_were_left_out() -> None:
    """A level never seen drops its row, and the report names it."""
    new = pd.DataFrame({"a": ["x", "z", "y", None], "b": [1, 2, 1, 2]})
    data = Dataset.from_frame(pd.DataFrame({"a": ["x", "y"] * 6, "b": [1, 2, 2] * 4})).recipe.apply(new)
    assert data.origin.tolist() == [0, 2] and data.report is not None
    assert data.report.dropped_for == {"a": 2} and data.report.column("a").missing == 1
    assert any("'z' (1 row)" in words for words in data.report.problems)


def test_parts_of_a_table_have_their_own_recipe() -> None:
    """Variables, rows and levels that are gone are gone from the recipe; an interval without rows is not known."""
    data = Dataset.from_frame(table(), bins={"age": [50, 60, 70]})
    part = data.select(["age", "smoker"]).rows(np.flatnonzero(data.column("age") != 1))
    tidy, dropped = part.without_empty_levels()
    assert dropped == {"age": ("50 to 60",)}
    codes, words = tidy.recipe.codes(pd.DataFrame({"age": [45, 55, 65], "smoker": ["no"] * 3}))
    assert codes[0].tolist() == [0, -1, 1] and "'55'" in words[0]
    assert [column.name for column in tidy.recipe.columns] == ["age", "smoker"]


def test_codes_that_were_ready_have_a_recipe_of_level_names() -> None:
    """Level names are coded by it, and intervals by their cut points where there are any."""
    data = Dataset.from_codes(np.array([[0, 1], [1, 0]]), {"a": ["x", "y"], "b": 2}, ["a", "b"])
    codes, words = data.recipe.codes(pd.DataFrame({"a": ["y", "q"], "b": [0, 1]}))
    assert codes.tolist() == [[1, -1], [0, 1]] and "'q'" in words[0]


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"roles": {"a": "boss"}}, "group, outcome, subject, time, weight, identifier"),
        ({"roles": {"a": "time", "b": "time"}}, "both have the role 'time'"),
        ({"roles": {"nope": "group"}}, "'nope'"),
        ({"tick": -1}, "distance in time"),
        ({"reading": {"colour": "red"}}, "'colour'"),
        ({"missing_tokens": {"nope": ["x"]}}, "'nope'"),
    ],
)
def test_wrong_recipes_are_sentences(choices: dict[str, Any], words: str) -> None:
    """A recipe no table could have, or this one cannot, says what is possible."""
    with pytest.raises(DataError, match=words):
        Recipe(**choices).apply(pd.DataFrame({"a": [1, 2] * 5, "b": ["x", "y"] * 5}))


def test_strange_recipes_are_sentences() -> None:
    """A file that is no recipe, and a recipe that was never applied."""
    with pytest.raises(DataError, match="no 'colour'"):
        Recipe.from_dict({"colour": 1})
    with pytest.raises(DataError, match="apply it to a table"):
        Recipe().codes(table())


def test_a_recipe_reads_its_file() -> None:
    """How a file is read is part of the recipe."""
    recipe = through_json(Recipe(reading={"decimal": ",", "missing": ["?"]}))
    found = recipe.read(b"a;b\n1,5;x\n2,5;?\n")
    assert found["a"].tolist() == [1.5, 2.5] and found["b"].isna().tolist() == [False, True]
    assert engine.Recipe is Recipe


def test_choices_that_do_not_fit_rest() -> None:
    """What was chosen for a kind the column does not have now is left out, and only what differs is given."""
    frame = table()
    from_page: dict[str, Any] = {
        "kinds": {"age": "nominal"},
        "bins": {"age": 4, "crp": 2},
        "levels": {"smoker": ["no", "yes", "Yes", "?"], "born": ["x"]},
        "merge": {"smoker": {"Yes": "yes", "si": "yes"}, "age": {}},
        "missing_tokens": {"smoker": ["?"], "crp": ["-"]},
    }
    proposals = engine.data.preparing.proposals.propose(frame, missing_tokens=from_page["missing_tokens"])
    assert Recipe.fitting(proposals, **from_page).given() == {
        "kinds": {"age": "nominal"},
        "bins": {"crp": 2},
        "levels": {"smoker": ["no", "yes", "Yes"]},
        "merge": {"smoker": {"Yes": "yes"}, "age": {}},
        "missing_tokens": {"smoker": ["?"], "crp": ["-"]},
    }


def test_a_saved_answer_prepares_its_table_again() -> None:
    """The recipe of a loaded answer gives the data the answer was made from."""
    data, file = Dataset.from_frame(table(), **CHOICES), io.BytesIO()
    engine.save(engine.LogLinear().run(data), file)
    recipe = Recipe.from_dict(engine.load(file.getvalue()).provenance.recipe)
    assert recipe == data.recipe and recipe.apply(table()).fingerprint == data.fingerprint
