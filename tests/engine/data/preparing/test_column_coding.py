"""Columns of a recipe out of a file: what no table could have given is refused in a sentence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import engine
from engine.data.preparing.column_coding import FixedColumn
from engine.errors import DataError

TABLE = pd.DataFrame({"age": np.arange(60.0), "sex": ["f", "m"] * 30})


def written() -> dict[str, Any]:
    """A recipe as a file has it."""
    plain: dict[str, Any] = engine.Recipe(bins={"age": (20, 40)}).apply(TABLE).recipe.to_dict()
    return plain


def test_what_was_written_is_read() -> None:
    """As it was, a whole number for a cut point too."""
    plain = written()
    assert engine.Recipe.from_dict(plain).apply(TABLE).levels["age"] == ("below 20", "20 to 39", "40 and above")
    plain["columns"][0]["cuts"] = [20, 40]
    assert FixedColumn.from_dict(plain["columns"][0]).cuts == (20, 40)


@pytest.mark.parametrize(
    ("what", "value"),
    [
        ("levels", 3), ("levels", []), ("levels", ["a", "a", "b"]), ("levels", [1, 2, 3]), ("levels", None),
        ("cuts", [40.0, 20.0]), ("cuts", [20.0, 20.0]), ("cuts", ["20", "40"]), ("cuts", 20.0), ("cuts", [20.0]),
        ("cuts", [float("nan"), 40.0]), ("cuts", [20.0, float("inf")]), ("cuts", [20, 10**5000]),
        ("cuts", [False, True]),
        ("intervals", ["one", "two"]), ("intervals", [1, 2, 3]), ("intervals", "abc"),
        ("tokens", 9), ("tokens", "unknown"), ("tokens", [9]), ("name", 7), ("name", None), ("name", ["age"]),
        ("kind", "ignore"), ("kind", ["nominal"]), ("sort", "texts"), ("written", ";"), ("written", None),
        ("limits", "upper"), ("ordered", "yes"), ("missing", 0), ("becomes", ["a"]), ("becomes", {"a": 1}),
        ("colour", "red"),
    ],
)  # fmt: skip
def test_a_damaged_column_is_refused(what: str, value: Any) -> None:
    """Before anything is done with it, and with what is wrong."""
    plain = written()
    plain["columns"][0][what] = value
    with pytest.raises(DataError, match=r"recipe in this file is damaged: of the column .*; save the file again"):
        engine.Recipe.from_dict(plain)


@pytest.mark.parametrize("lacking", ["name", "kind", "levels"])
def test_a_column_without_its_parts_is_refused(lacking: str) -> None:
    """Name, kind and levels are in every one."""
    plain = written()
    del plain["columns"][0][lacking]
    with pytest.raises(DataError, match=f"the part '{lacking}' is lacking"):
        engine.Recipe.from_dict(plain)


@pytest.mark.parametrize("column", [3, None, "age", ["age"]])
def test_a_column_that_is_none_is_refused(column: Any) -> None:
    """A number, a text or a list among the columns."""
    with pytest.raises(DataError, match="damaged"):
        engine.Recipe.from_dict({**written(), "columns": [column]})


def test_a_gap_beside_tokens_has_no_number_behind_it() -> None:
    """New rows of a column of intervals, where missing is a level and a text counts as missing too."""
    values = [str(value) for value in range(30)] * 3 + ["-9"] * 5 + [None] * 5
    table = pd.DataFrame({"dose": values, "arm": ["a", "b"] * 50})
    kinds, level = {"dose": "continuous"}, {"dose": "level"}
    recipe = engine.Dataset.from_frame(table, kinds=kinds, missing=level, missing_tokens={"dose": ["-9"]}).recipe
    numbers = recipe.apply(table).numbers["dose"].column
    assert np.isnan(numbers[-5:]).all() and numbers[:3].tolist() == [0, 1, 2]
